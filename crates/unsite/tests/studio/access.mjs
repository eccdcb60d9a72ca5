// Every view at both widths and in both colour schemes: axe-core finds nothing serious, nothing runs out of the window, and
// all of it is light. With SHOTS a picture of each is kept there.

import fs from "node:fs";
import path from "node:path";
import { axe, holds, launch, studio } from "./support.mjs";

const views = { overview: "overview", tables: "tables", table: "table/book", why: "table/book?row=3&col=title", column: "table/book?about=pages",
  pages: "pages", page: "page/6?table=book&column=title", changes: "changes", keep: "keep" };
const running = await studio("access");
const browser = await launch();
const found = [];
let weight = 0;
for (const [width, height] of [[1280, 820], [420, 860]]) {
  for (const colorScheme of ["light", "dark"]) {
    const context = await browser.newContext({ viewport: { width, height }, colorScheme, reducedMotion: "reduce", bypassCSP: true });
    const page = await context.newPage();
    for (const [name, where] of Object.entries(views)) {
      await page.goto(running.url + where);
      await page.locator("h1").waitFor();
      if (name === "table" || name === "why" || name === "column") await page.locator("tbody td").first().waitFor();
      if (name === "why" || name === "column") await page.locator(".panel h2").waitFor();
      if (name === "page") await page.frameLocator("iframe").locator("[data-u-at]").waitFor();
      if (process.env.SHOTS) await page.screenshot({ path: path.join(process.env.SHOTS, `${name}-${width}-${colorScheme}.png`) });
      await page.evaluate(axe);
      const told = await page.evaluate(() => window.axe.run({ exclude: [["iframe"]] }, { iframes: false, resultTypes: ["violations"] }));
      for (const one of told.violations.filter((one) => ["serious", "critical"].includes(one.impact)))
        found.push(`${name} ${width} ${colorScheme}: ${one.id}: ${one.nodes.slice(0, 3).map((node) => node.html.slice(0, 140)).join(" | ")}`);
      const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      if (over > 1) found.push(`${name} ${width} ${colorScheme}: ${over} pixels wider than the window`);
    }
    if (!weight) weight = await page.evaluate(() => performance.getEntriesByType("resource").filter((one) => one.name.includes("/web/")).reduce((sum, one) => sum + one.encodedBodySize, 0));
    await context.close();
  }
}
await browser.close();
await running.stop();
holds(found.length === 0, found.join("\n"));
const files = fs.readdirSync(new URL("../../src/studio/web", import.meta.url)).map((name) => fs.statSync(new URL(`../../src/studio/web/${name}`, import.meta.url)).size);
const total = files.reduce((sum, size) => sum + size, 0);
holds(total <= 200_000 && weight <= 200_000, `the page weighs ${total} bytes`);
console.log(`${Object.keys(views).length} views, 2 widths, 2 schemes: nothing serious; ${total} bytes of page`);
