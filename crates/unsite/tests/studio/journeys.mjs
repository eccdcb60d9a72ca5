// Journeys through the studio as people would make them, each to its end in the wrapper file or the database.

import fs from "node:fs";
import { at, database, extracted, holds, launch, log, same, studio, unsite } from "./support.mjs";

const journeys = {};
const browser = await launch();

// Opens a studio and a page in it.
async function open(name, options) {
  const running = await studio(name, options);
  const context = await browser.newContext({ viewport: { width: 1280, height: 820 } });
  const page = await context.newPage();
  const wrong = [];
  page.on("pageerror", (error) => wrong.push(error.message));
  page.on("dialog", (dialog) => dialog.accept());
  const go = (path = "") => page.goto(running.url + path);
  const said = (text) => page.locator("#said", { hasText: text }).waitFor();
  const button = (name, exact = true) => page.getByRole("button", { name, exact });
  const keep = async () => {
    await page.locator("#save").click();
    await said("Kept in");
  };
  // Answers a question of the studio.
  const answer = async (values, verb) => {
    const dialog = page.locator("dialog[open]");
    for (const [label, value] of Object.entries(values)) {
      const field = dialog.getByLabel(label, { exact: true });
      if ((await field.evaluate((one) => one.tagName)) === "SELECT") await field.selectOption(value);
      else await field.fill(value);
    }
    await dialog.getByRole("button", { name: verb, exact: true }).click();
  };
  const about = async (table, column) => {
    await go(`table/${table}?about=${column}`);
    await page.locator(".panel h2").waitFor();
  };
  const close = async () => {
    await context.close();
    const end = await running.stop();
    same(wrong, [], "errors on the page");
    return end;
  };
  return { ...running, page, go, said, button, keep, answer, about, close };
}

journeys["a column gets another name"] = async () => {
  const s = await open("rename");
  await s.about("book", "isbn");
  await s.button("Rename").click();
  await s.answer({ "New name": "isbn_13" }, "Rename");
  await s.said("isbn is isbn_13 now");
  await s.keep();
  same(log(s.wrapper), [{ rename_column: { table: "book", column: "isbn", to: "isbn_13" } }], "the log");
  holds(extracted(s.wrapper).columns("book").includes("isbn_13"), "the database has the new name");
  await s.close();
};

journeys["a name that is none is refused, and nothing changes"] = async () => {
  const s = await open("refused");
  await s.about("book", "isbn");
  await s.button("Rename").click();
  await s.answer({ "New name": "'); drop table book" }, "Rename");
  await s.said("is no name");
  await s.close();
  same(log(s.wrapper), [], "the log");
};

journeys["a table and a column of no interest are dropped, one is shown again"] = async () => {
  const s = await open("drop");
  await s.about("book", "weight");
  await s.button("Drop").click();
  await s.said("weight is dropped");
  await s.go("table/book_author");
  await s.button("Change table").click();
  await s.answer({ What: "drop" }, "Go on");
  await s.said("book_author is dropped");
  await s.keep();
  let db = extracted(s.wrapper);
  holds(!db.tables().includes("book_author") && !db.columns("book").includes("weight"), "both are gone");
  same(db.ask("SELECT count(*) FROM _cells WHERE column_name = 'weight'"), [[0]], "it is not read any more");
  await s.go("tables");
  await s.page.getByRole("link", { name: /^book_author/ }).first().click();
  await s.button("Change table").click();
  await s.answer({ What: "restore" }, "Go on");
  await s.said("book_author is shown");
  await s.keep();
  db = extracted(s.wrapper);
  holds(db.tables().includes("book_author"), "it is back");
  holds(db.ask("SELECT count(author_url) FROM book_author")[0][0] > 0, "with its values");
  await s.close();
};

journeys["two columns become one"] = async () => {
  const s = await open("merge");
  const before = database(at("learned.db")).ask("SELECT count(*) FROM book WHERE coalesce(publisher, binding) IS NOT NULL")[0][0];
  await s.about("book", "publisher");
  await s.button("Merge").click();
  await s.answer({ "Values of this column are values of it": "binding" }, "Merge");
  await s.said("binding is part of publisher now");
  await s.keep();
  const db = extracted(s.wrapper);
  same(db.ask("SELECT count(publisher) FROM book"), [[before]], "rows with either");
  holds(!db.columns("book").includes("binding"), "there is one column");
  await s.close();
};

journeys["a column is cut in two, and gets another type"] = async () => {
  const s = await open("split");
  await s.about("book", "published");
  await s.button("Type").click();
  await s.answer({ "Its values are": "text" }, "Set");
  await s.said("published is text now");
  await s.about("book", "dimensions");
  await s.button("Split").click();
  await s.answer({ "Cut where this stands": "×", "The parts are called": "high, wide" }, "Split");
  await s.said("dimensions is split");
  await s.keep();
  const db = extracted(s.wrapper);
  const [whole, high, wide] = db.ask("SELECT dimensions, high, wide FROM book WHERE high IS NOT NULL")[0];
  holds(whole.startsWith(high) && whole.includes(wide) && !high.includes("×"), `${whole} is ${high} and ${wide}`);
  holds(/[a-z]/i.test(db.ask("SELECT published FROM book WHERE published IS NOT NULL")[0][0]), "dates stand as they are written");
  await s.close();
};

journeys["a table and a page type get other names"] = async () => {
  const s = await open("names");
  await s.go("table/review");
  await s.button("Change table").click();
  await s.answer({ What: "rename" }, "Go on");
  await s.answer({ "New name": "opinion" }, "Rename");
  await s.said("is opinion now");
  await s.go("pages?type=author");
  await s.button("Change page type").click();
  await s.answer({ What: "rename" }, "Go on");
  await s.answer({ "New name": "writer" }, "Rename");
  await s.said("author is writer now");
  await s.keep();
  const db = extracted(s.wrapper);
  holds(db.tables().includes("opinion"), "the table has its name");
  holds(db.ask("SELECT count(*) FROM _pages WHERE page_type = 'writer'")[0][0] > 0, "so has the type");
  await s.close();
};

journeys["page types are split and merged"] = async () => {
  const s = await open("types");
  await s.go("pages?type=author");
  await s.button("Change page type").click();
  await s.answer({ What: "split" }, "Go on");
  const url = database(at("learned.db")).ask("SELECT url FROM _pages WHERE page_type = 'author' ORDER BY url")[0][0];
  const path = new URL(url).pathname;
  await s.answer({ "Pages at these addresses": path, "What they are called": "guest" }, "Split");
  await s.said("guest is a page type");
  await s.go("pages?type=search");
  await s.button("Change page type").click();
  await s.answer({ What: "merge" }, "Go on");
  await s.answer({ "Its pages are of this type": "home" }, "Merge");
  await s.said("home is search now");
  await s.keep();
  const db = extracted(s.wrapper);
  same(db.ask("SELECT url FROM guest"), [[url]], "the page has a table of its own");
  same(db.ask(`SELECT count(*) FROM author WHERE url = '${url}'`), [[0]], "and is in the old one no more");
  same(db.ask("SELECT page_type FROM _pages WHERE url LIKE '%books.example/'"), [["search"]], "home is a search page");
  await s.close();
};

// The node of a text on the page that is shown.
const clickText = async (s, text) => {
  const frame = s.page.frameLocator("iframe");
  await frame.locator("u-t", { hasText: text }).first().click();
};

journeys["a click on the page says what stands there; a lost text becomes a column"] = async () => {
  const s = await open("click");
  await s.go("pages?type=book");
  await s.page.locator(".pagelist a").first().click();
  await s.page.frameLocator("iframe").locator("h1").first().click();
  await s.page.locator(".clicked strong", { hasText: "book.title" }).waitFor();
  await clickText(s, "Add to basket");
  await s.page.locator(".clicked").getByText(/not extracted, |kept out of sight/).waitFor();
  const plain = await s.page.frameLocator("iframe").locator("footer u-t, small u-t, p u-t").last();
  await plain.click();
  await s.button("Make this a column").click();
  await s.answer({ "What it is called": "small_print" }, "Make it");
  await s.said("small_print is a column");
  await s.keep();
  const db = extracted(s.wrapper);
  holds(db.ask("SELECT count(small_print) FROM book")[0][0] > 0, "it has values");
  await s.close();
};

journeys["what repeats is rows, what is read as rows is none"] = async () => {
  const s = await open("rows");
  await s.go("table/review");
  await s.button("Change table").click();
  await s.answer({ What: "not_rows" }, "Go on");
  await s.said("are no rows any more");
  await s.keep();
  let db = extracted(s.wrapper);
  holds(!db.tables().includes("review"), "the table is gone");
  holds(db.columns("book").some((name) => name.startsWith("review_")), "its values belong to the book");
  await s.go("pages?type=book");
  await s.page.locator(".pagelist a").first().click();
  await s.page.frameLocator("iframe").locator("nav li u-t, ul li u-t").first().click();
  await s.button("These are rows").click();
  await s.answer({ "What the table is called": "menu_entry" }, "Make them");
  await s.said("menu_entry is a table");
  await s.keep();
  db = extracted(s.wrapper);
  holds(db.ask("SELECT count(*) FROM menu_entry")[0][0] > db.ask("SELECT count(*) FROM book")[0][0], "several rows a page");
  await s.close();
};

journeys["a wrong value is left out"] = async () => {
  const s = await open("wrong");
  const [[id, title, url]] = database(at("learned.db")).ask("SELECT id, title, url FROM book ORDER BY id LIMIT 1");
  await s.go(`table/book?row=${id}&col=title`);
  await s.page.locator(".bigvalue", { hasText: title }).waitFor();
  await s.button("This value is wrong").click();
  await s.said("left out on this page");
  await s.keep();
  same(log(s.wrapper)[0].wrong_value.value, title, "the log");
  same(extracted(s.wrapper).ask(`SELECT count(*) FROM _cells WHERE column_name = 'title' AND table_name = 'book' AND url = '${url}' AND copy = 0`), [[0]], "the value of that page");
  await s.close();
};

journeys["undone and done again by keys, the file is as before"] = async () => {
  const s = await open("undo");
  const before = fs.readFileSync(s.wrapper);
  await s.about("book", "isbn");
  await s.button("Drop").click();
  await s.said("isbn is dropped");
  await s.page.locator("main").focus();
  await s.page.keyboard.press("Control+z");
  await s.said("Undone");
  await s.page.locator("#save:disabled").waitFor();
  await s.page.keyboard.press("Control+Shift+z");
  await s.said("Done again");
  await s.page.keyboard.press("Control+s");
  await s.said("Kept in");
  same(log(s.wrapper), [{ drop_column: { table: "book", column: "isbn" } }], "the log");
  await s.page.keyboard.press("Control+z");
  await s.said("Undone");
  await s.page.keyboard.press("Control+s");
  await s.said("Kept in");
  holds(before.equals(fs.readFileSync(s.wrapper)), "byte for byte");
  await s.close();
};

journeys["everything by keyboard: to a table, through its cells, a column renamed"] = async () => {
  const s = await open("keyboard");
  await s.go();
  await s.page.locator("h1").waitFor();
  await s.page.keyboard.press("g");
  await s.page.keyboard.press("t");
  await s.page.locator("h1", { hasText: "Tables" }).waitFor();
  const link = s.page.getByRole("link", { name: /^author/ }).first();
  for (let presses = 0; presses < 60 && !(await link.evaluate((one) => one === document.activeElement)); presses++) await s.page.keyboard.press("Tab");
  await s.page.keyboard.press("Enter");
  const cell = s.page.locator("td[tabindex='0']");
  await cell.waitFor();
  for (let presses = 0; presses < 60 && !(await cell.evaluate((one) => one === document.activeElement)); presses++) await s.page.keyboard.press("Tab");
  await s.page.keyboard.press("ArrowRight");
  await s.page.keyboard.press("ArrowDown");
  await s.page.keyboard.press("Enter");
  await s.page.locator(".panel h2", { hasText: "name" }).waitFor();
  await s.page.keyboard.press("m");
  await s.page.locator(".panel button:focus", { hasText: "Rename" }).waitFor();
  await s.page.keyboard.press("Enter");
  await s.page.locator("dialog[open] input:focus").waitFor();
  await s.page.keyboard.press("Control+a");
  await s.page.keyboard.type("full_name");
  await s.page.keyboard.press("Enter");
  await s.said("name is full_name now");
  await s.page.keyboard.press("Control+s");
  await s.said("Kept in");
  same(log(s.wrapper), [{ rename_column: { table: "author", column: "name", to: "full_name" } }], "the log");
  await s.close();
};

journeys["rows are sorted, filtered and searched, under an address that can be bookmarked"] = async () => {
  const s = await open("rowsview");
  await s.go("table/book");
  await s.page.getByRole("button", { name: "isbn", exact: true }).click();
  await s.page.locator("th[aria-sort=ascending]").waitFor();
  await s.button("Filter").click();
  await s.answer({ Column: "title", How: "has", Value: "the" }, "Filter");
  await s.page.locator(".chip").waitFor();
  const db = database(at("learned.db"));
  const expected = db.ask("SELECT title FROM book WHERE title LIKE '%the%' ORDER BY isbn IS NULL, isbn, id").map(([title]) => title);
  const shown = () => s.page.locator("tbody td[data-column=title]").allTextContents();
  for (let tries = 0; tries < 50 && JSON.stringify(await shown()) !== JSON.stringify(expected.slice(0, (await shown()).length)); tries++) await s.page.waitForTimeout(50);
  same((await shown()).slice(0, 5), expected.slice(0, 5), "the rows");
  const address = s.page.url();
  await s.page.goto("about:blank");
  await s.page.goto(address);
  await s.page.locator("tbody td[data-column=title]").first().waitFor();
  same((await shown()).slice(0, 5), expected.slice(0, 5), "the rows of the bookmark");
  await s.close();
};

journeys["the receipt is what unsite why prints, and leads to the page"] = async () => {
  const s = await open("why");
  const db = extracted(s.wrapper);
  for (const [table, column] of [["book", "title"], ["book", "isbn"], ["author", "name"], ["review", "reviewer"], ["book", "category_id"]]) {
    const printed = JSON.parse(unsite("why", db.path, table, "2", column, "--json", "--no-experts", "-q"));
    const answer = await (await s.page.request.get(`${s.url}api/why/${table}/2/${column}`)).json();
    delete printed.around;
    if (printed.page) delete printed.page.offset;
    same(answer.receipt, printed, `${table}.${column}`);
  }
  await s.go("table/book?row=2&col=title");
  await s.page.getByRole("link", { name: "See it on the page" }).click();
  const title = db.ask("SELECT title FROM book WHERE id = 2")[0][0];
  await s.page.frameLocator("iframe").locator("[data-u-at]", { hasText: title }).waitFor();
  await s.close();
};

journeys["a list of changes is exported, and replayed on another wrapper"] = async () => {
  const s = await open("export");
  await s.about("book", "isbn");
  await s.button("Drop").click();
  await s.said("isbn is dropped");
  await s.go("changes");
  const [download] = await Promise.all([s.page.waitForEvent("download"), s.page.getByRole("link", { name: "Export as edits.json" }).click()]);
  const file = at("exported.json");
  await download.saveAs(file);
  await s.close();
  const other = at("replayed.unsite");
  fs.copyFileSync(at("learned.unsite"), other);
  unsite("edit", other, file, "-q");
  same(log(other), [{ drop_column: { table: "book", column: "isbn" } }], "by the command");
  const t = await open("replay");
  await t.go("changes");
  await t.button("Replay a list").click();
  await t.page.locator("dialog textarea").fill(fs.readFileSync(file, "utf8"));
  await t.page.locator("dialog").getByRole("button", { name: "Replay" }).click();
  await t.said("1 change made");
  await t.keep();
  same(log(t.wrapper), [{ drop_column: { table: "book", column: "isbn" } }], "in the studio");
  await t.close();
};

journeys["two studios on one wrapper do not overwrite each other"] = async () => {
  const one = await open("both");
  const two = await open("both2", { wrapper: one.wrapper });
  await one.about("book", "isbn");
  await one.button("Drop").click();
  await one.said("isbn is dropped");
  await one.keep();
  await two.about("book", "pages");
  await two.button("Drop").click();
  await two.said("pages is dropped");
  await two.page.locator("#save").click();
  await two.page.locator("dialog", { hasText: "Somebody else has changed it" }).waitFor();
  same(log(one.wrapper).length, 1, "nothing was overwritten");
  await two.button("Make mine on theirs").click();
  await two.said("Kept in");
  same(log(one.wrapper), [{ drop_column: { table: "book", column: "isbn" } }, { drop_column: { table: "book", column: "pages" } }], "both are there");
  await one.close();
  await two.close();
};

journeys["the tables are written, as extract writes them"] = async () => {
  const s = await open("write");
  await s.about("book", "isbn");
  await s.button("Drop").click();
  await s.said("isbn is dropped");
  await s.go("keep");
  await s.page.getByLabel("Write to").fill("written.db");
  await s.button("Write").click();
  await s.page.getByText("written to").waitFor();
  await s.button("Keep it").click();
  await s.said("Kept in");
  const dump = (db) => ["book", "author", "_columns", "_cells"].map((table) => db.ask(`SELECT * FROM ${table}`));
  same(dump(database(at("written.db"))), dump(extracted(s.wrapper)), "the databases");
  await s.close();
};

journeys["after a redesign old and new stand side by side, and a repair is accepted by table"] = async () => {
  const s = await open("redesign");
  await s.about("book", "isbn");
  await s.button("Rename").click();
  await s.answer({ "New name": "number" }, "Rename");
  await s.said("isbn is number now");
  await s.keep();
  await s.go("keep");
  await s.page.getByLabel("Look at").fill(at("redesigned.jsonl"));
  await s.button("Check").click();
  await s.page.getByText(/changes?: /).first().waitFor();
  await s.button("Propose a repair").click();
  await s.page.getByText("again.", { exact: false }).first().waitFor({ timeout: 60000 });
  await s.page.frameLocator("iframe >> nth=1").locator("body").waitFor();
  const refused = s.page.locator(".repair", { hasText: "author" }).getByRole("checkbox").first();
  await refused.uncheck();
  await s.button("Accept what is ticked").click();
  await s.said("Accepted");
  await s.keep();
  const db = extracted(s.wrapper, at("redesigned.jsonl"));
  holds(db.ask("SELECT count(number) FROM book")[0][0] > 10, "the column has its values under its name");
  same(log(s.wrapper), [{ rename_column: { table: "book", column: "isbn", to: "number" } }], "the log is as it was");
  await s.close();
};

journeys["what was not kept is not lost when the studio is stopped"] = async () => {
  const s = await open("stopped");
  await s.about("book", "isbn");
  await s.button("Drop").click();
  await s.said("isbn is dropped");
  const end = await s.close();
  holds(end.said.includes("edits.json"), `it says where: ${end.said}`);
  const file = s.wrapper.replace(/unsite$/, "edits.json");
  unsite("edit", s.wrapper, file, "-q");
  same(log(s.wrapper), [{ drop_column: { table: "book", column: "isbn" } }], "the log");
};

journeys["a database alone is looked at, and learned from its pages"] = async () => {
  const s = await open("database", { source: at("learned.db"), wrapper: at("fresh.unsite"), more: ["--pages", at("site.jsonl")] });
  await s.go();
  await s.page.getByText("a database without a wrapper").waitFor();
  await s.button("Learn a wrapper from its pages").click();
  await s.said("Learned");
  await s.keep();
  holds(fs.existsSync(at("fresh.unsite")), "the wrapper is there");
  holds(extracted(at("fresh.unsite")).ask("SELECT count(*) FROM book")[0][0] > 0, "and reads the pages");
  await s.close();
};

const only = process.env.ONLY;
let failed = 0;
for (const [name, journey] of Object.entries(journeys)) {
  if (only && !name.includes(only)) continue;
  const start = Date.now();
  try {
    await journey();
    console.log(`ok    ${name} (${Date.now() - start} ms)`);
  } catch (error) {
    failed++;
    console.log(`FAIL  ${name}: ${error.message}`);
  }
}
await browser.close();
console.log(`${Object.keys(journeys).length} journeys, ${failed} failed`);
process.exit(failed ? 1 : 0);
