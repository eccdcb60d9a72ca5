// The picture of the README: the studio on the sample site.
//
// make studio browser; UNSITE=target/release/unsite WORK=FOLDER TOOLS=target/studio CHROMIUM=$(command -v chromium) \
//   node scripts/studio_picture.mjs docs/studio.png
//
// FOLDER holds site.jsonl and learned.unsite of a sample site (cargo run -p unsite-sample --example write, unsite learn).

import { launch, studio } from "../crates/unsite/tests/studio/support.mjs";

const running = await studio("picture");
const browser = await launch();
const page = await browser.newPage({ viewport: { width: 1280, height: 760 }, colorScheme: "light" });
const list = await (await page.request.get(`${running.url}api/pages?type=book`)).json();
await page.goto(`${running.url}page/${list.pages[3].page}?table=book&column=title`);
await page.frameLocator("iframe").locator("[data-u-at]").waitFor();
await page.waitForTimeout(200);
await page.screenshot({ path: process.argv[2] });
await browser.close();
await running.stop();
