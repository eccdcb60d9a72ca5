// Forty pages that try to run, load, send or go somewhere. A canary on loopback gets no request, and nothing of the studio
// is touched.

import fs from "node:fs";
import http from "node:http";
import { at, holds, launch, studio, unsite } from "./support.mjs";

const asked = [];
const canary = http.createServer((request, response) => {
  asked.push(`${request.method} ${request.url}`);
  response.setHeader("access-control-allow-origin", "*");
  response.end("parent.pwned = top.pwned = window.pwned = 1");
});
await new Promise((resolve) => canary.listen(0, "127.0.0.1", resolve));
const C = `http://127.0.0.1:${canary.address().port}`;
const run = `fetch('${C}/ran');top.pwned=1;parent.location='${C}/went'`;

const tricks = [
  `<script>${run}</script>`,
  `<script src="${C}/1.js"></script>`,
  `<script type="module">import "${C}/2.js"</script>`,
  `<img src="${C}/3.png" onerror="${run}">`,
  `<img srcset="${C}/4.png 1x, ${C}/4b.png 2x">`,
  `<svg onload="${run}"><script>${run}</script><image href="${C}/5.png" xlink:href="${C}/5b.png"/></svg>`,
  `<svg><use href="${C}/6.svg#x"/><animate attributeName="href" values="javascript:${run}"/></svg>`,
  `<svg><foreignObject><iframe src="${C}/7"></iframe></foreignObject></svg>`,
  `<math><mi xlink:href="javascript:${run}">x</mi></math>`,
  `<iframe src="${C}/8"></iframe><iframe srcdoc="<script>${run}</script>"></iframe>`,
  `<object data="${C}/9"></object><embed src="${C}/9b"><applet code="${C}/9c"></applet>`,
  `<link rel="stylesheet" href="${C}/10.css"><link rel="preload" as="script" href="${C}/10.js"><link rel="dns-prefetch" href="${C}"><link rel="prefetch" href="${C}/10p"><link rel="icon" href="${C}/10i">`,
  `<style>@import "${C}/11.css"; @import url(${C}/11b.css);</style>`,
  `<style>body{background:url("${C}/12.png")} @font-face{font-family:x;src:url(${C}/12.woff)} p{font-family:x}</style>`,
  `<style>p::before{content:url(${C}/13.png)} a{cursor:url(${C}/13c.cur),auto} li{list-style-image:image-set("${C}/13i.png" 1x)}</style>`,
  `<style>p{background:\\75 rl(${C}/14.png)} q{background:u\\72l(${C}/14b.png)}</style>`,
  `<style>/*</style><script>${run}</script><style>*/</style>`,
  `<p style="background:url(${C}/15.png)">x</p><p style="background-image:image-set('${C}/15b.png' 1x)">y</p>`,
  `<meta http-equiv="refresh" content="0;url=${C}/16">`,
  `<meta http-equiv="Content-Security-Policy" content="default-src *"><meta http-equiv="set-cookie" content="a=b">`,
  `<base href="${C}/"><a href="x">go</a><img src="y.png">`,
  `<form action="${C}/17" method="post"><input name="a" value="b" autofocus onfocus="this.form.submit()"><button>go</button></form>`,
  `<form><button formaction="${C}/18" autofocus>go</button><input type="image" src="${C}/18.png"></form>`,
  `<a href="javascript:${run}">click me</a>`,
  `<a href="${C}/19" ping="${C}/19p" target="_top">click me</a>`,
  `<a href="${C}/20" target="_blank" rel="opener">click me</a><map name="m"><area shape="default" href="${C}/20b"></map><img usemap="#m" src="data:image/gif;base64,R0lGODlhAQABAAAAACw=">`,
  `<body onload="${run}" onpageshow="${run}" background="${C}/21.png">`,
  `<details open ontoggle="${run}"><summary>x</summary></details>`,
  `<video src="${C}/22.mp4" poster="${C}/22.png" autoplay onloadstart="${run}"></video><audio src="${C}/22.mp3" autoplay></audio>`,
  `<marquee onstart="${run}">x</marquee><input autofocus onfocus="${run}"><select autofocus onfocus="${run}"></select>`,
  `<template><script>${run}</script></template><noscript><img src="${C}/23.png"></noscript>`,
  `<p title="</u-t><script>${run}</script>">&lt;/u-t&gt;&lt;script&gt;${run}&lt;/script&gt;</p>`,
  `<textarea></textarea><script>${run}</script></textarea><title></title><script>${run}</script>`,
  `<xmp><img src=x onerror="${run}"></xmp><plaintext><script>${run}</script>`,
  `<table background="${C}/24.png"><tr><td background="${C}/24b.png"><script>${run}</script></td></tr></table>`,
  `<a id="location" name="fetch">x</a><form id="document"><input name="body"></form><img name="top">`,
  `<p style="animation:x 1s" onanimationstart="${run}">x</p><style>@keyframes x{from{color:red}} *{position:fixed!important;inset:0!important;z-index:99999999!important}</style>`,
  `<div style="width:expression(${run});behavior:url(${C}/25.htc);-moz-binding:url(${C}/25.xml)">x</div>`,
  `<script>if(top!==self)top.location='${C}/26'</script><frameset><frame src="${C}/26b"></frameset>`,
  `<!--><script>${run}</script>--><![CDATA[<script>${run}</script>]]><?xml-stylesheet href="${C}/27.css"?><a href="&#106;avascript:${run}">x</a><dialog open><form method="dialog"><button autofocus>${C}</button></form></dialog>`,
];
holds(tricks.length === 40, `there are ${tricks.length} pages, not 40`);

const page = (trick, number) => ({
  url: `http://evil.test/item/${number}`,
  html: `<!doctype html><html><head><title>Item ${number}</title></head><body><h1>Item ${number} <img src=x onerror=alert(1)></h1>
    <p class="price">£${number}.50</p><p class="note">"&gt;&lt;img src=${C}/value${number} onerror=${run}&gt;</p>${trick}</body></html>`,
});
fs.writeFileSync(at("evil.jsonl"), tricks.map((trick, at) => JSON.stringify(page(trick, at + 1))).join("\n") + "\n");
unsite("learn", at("evil.jsonl"), "-w", at("evil.unsite"), "-q");

const running = await studio("evil", { source: at("evil.jsonl"), wrapper: at("evil.unsite") });
const browser = await launch();
const context = await browser.newContext({ viewport: { width: 1280, height: 820 } });
const tab = await context.newPage();
const opened = [];
context.on("page", (one) => opened.push(one.url()));
tab.on("dialog", (dialog) => (opened.push(`dialog ${dialog.message()}`), dialog.dismiss()));
const outside = [];
tab.on("request", (request) => {
  const url = request.url();
  if (!url.startsWith(running.url) && !url.startsWith("data:") && url !== "about:blank") outside.push(url);
});

await tab.goto(`${running.url}page/0`);
for (let number = 0; number < tricks.length; number++) {
  await tab.goto(`${running.url}page/${number}`);
  const frame = tab.frameLocator("iframe");
  await frame.locator("body").waitFor();
  // People click, press keys and point at things.
  for (const target of await frame.locator("a, button, input, summary, area").all()) {
    await target.click({ timeout: 300, force: true }).catch(() => {});
    await target.press("Enter", { timeout: 300 }).catch(() => {});
  }
  await frame.locator("body").click({ timeout: 500, force: true, position: { x: 5, y: 5 } }).catch(() => {});
  holds(tab.url().startsWith(`${running.url}page/${number}`), `page ${number} went to ${tab.url()}`);
  const inner = tab.frames().find((one) => one !== tab.mainFrame());
  holds(inner && inner.url().startsWith(`${running.url}view/`), `the frame of page ${number} went to ${inner && inner.url()}`);
  holds(!(await tab.evaluate(() => Boolean(window.pwned))), `page ${number} ran`);
}
// Values of the site in every other view.
for (const view of ["overview", "tables", "pages", "changes", "keep"]) {
  await tab.goto(running.url + view);
  await tab.locator("h1").waitFor();
}
const tables = await (await tab.request.get(`${running.url}api/overview`)).json();
for (const table of tables.tables.filter((one) => one.rows)) {
  await tab.goto(`${running.url}table/${encodeURIComponent(table.name)}?hidden=1`);
  await tab.locator("tbody td").first().waitFor();
  const column = table.columns[table.columns.length - 1].name;
  await tab.goto(`${running.url}table/${encodeURIComponent(table.name)}?about=${encodeURIComponent(column)}&hidden=1`);
  await tab.locator(".panel h2").waitFor();
}
await tab.waitForTimeout(300);
holds(asked.length === 0, `the canary was asked: ${asked.join(", ")}`);
holds(outside.length === 0, `requests went outside: ${outside.join(", ")}`);
holds(opened.length === 0, `windows opened: ${opened.join(", ")}`);

// The server lets nobody in who does not know the secret, calls it by another name, or comes from elsewhere.
const status = (path, headers, method = "GET") =>
  new Promise((resolve, reject) => {
    const url = new URL(path, running.url);
    const request = http.request({ host: url.hostname, port: url.port, path: url.pathname, method, headers }, (answer) => (answer.resume(), resolve(answer.statusCode)));
    request.on("error", reject);
    request.end(method === "POST" ? "{}" : undefined);
  });
const own = new URL(running.url);
const json = { "content-type": "application/json" };
for (const [what, code] of [
  [await status("/", {}), 404],
  [await status("/0123456789abcdef0123456789abcdef/api/state", {}), 404],
  [await status("api/state", {}), 200],
  [await status("api/state", { host: `evil.test:${own.port}` }), 421],
  [await status("api/state", { origin: "http://evil.test" }), 403],
  [await status("api/state", { "sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors" }), 403],
  [await status("api/undo", json, "POST"), 403],
  [await status("api/undo", { ...json, origin: "null" }, "POST"), 403],
  [await status("api/undo", { origin: own.origin, "content-type": "text/plain" }, "POST"), 415],
  [await status("api/undo", { ...json, origin: own.origin }, "POST"), 400],
]) holds(what === code, `answered ${what}, not ${code}`);
await browser.close();
await running.stop();
canary.close();
console.log(`${tricks.length} hostile pages did nothing`);
