// What is kept: the wrapper, tables in every form, code, and what a redesign asks for.

import { changed, draw, known, learn } from "./app.js";
import { ask, dialog, form, say, tell, watch } from "./ask.js";
import { count, fill, h, link, number, percent } from "./dom.js";

export async function save() {
  try {
    const told = await tell("keep", { how: "keep" });
    if (told.conflict) return conflict(told);
    await changed(null, `Kept in ${told.kept}`);
  } catch (error) {
    say(error.message, true);
  }
}

async function conflict(told) {
  const list = (title, texts) => texts.length > 0 && [h("h3", {}, title), h("ul", { class: "plainlist" }, texts.map((text) => h("li", {}, text)))];
  const how = await dialog("Somebody else has changed it", (close) => [
    h("p", {}, told.conflict, ". Nothing was written."),
    list("Theirs", told.theirs), list("Yours", told.ours),
    h("p", { class: "buttons" }, h("button", { onclick: () => close() }, "Cancel"), h("button", { onclick: () => close("copy") }, "Keep mine as a copy"),
      h("button", { class: "main", onclick: () => close("on-theirs") }, "Make mine on theirs"))]);
  if (!how) return;
  let name;
  if (how === "copy") {
    const answer = await form("Keep a copy", [{ name: "name", label: "The name of the file", value: known.overview.wrapper.replace(/(\.unsite)?$/, "-2.unsite") }], "Keep");
    if (!answer) return;
    name = answer.name;
  }
  try {
    const again = await tell("keep", { how, name });
    if (again.conflict) return conflict(again);
    await changed(null, `Kept in ${again.kept}`);
  } catch (error) {
    say(error.message, true);
  }
}

export async function keep() {
  const told = known.overview;
  const proposal = told.has_wrapper ? await ask("repair") : null;
  const result = h("div", { "aria-live": "polite" });
  const output = h("input", { id: "output", value: "site.db", spellcheck: "false", autocomplete: "off" });
  const replace = h("input", { type: "checkbox", id: "replace" });
  async function write() {
    try {
      const done = await watch(tell("extract", { output: output.value, replace: replace.checked }));
      fill(result, h("p", {}, `${count(done.rows, "row")} in ${count(done.tables, "table")} written to `, h("code", {}, done.path)));
    } catch (error) {
      fill(result, h("p", { class: "wrong" }, error.message));
    }
  }
  const checked = h("div", { "aria-live": "polite" });
  const other = h("input", { id: "source", placeholder: "pages of the site as it is now", spellcheck: "false", autocomplete: "off" });
  const place = h("div", {});
  async function check() {
    try {
      const found = await watch(tell("check", { source: other.value }));
      const list = found.findings || found.changes || [];
      fill(checked, h("p", {}, list.length ? `${count(list.length, "change")}: ` : "No drift: everything is as it was learned."),
        h("ul", { class: "plainlist" }, list.slice(0, 30).map((one) => h("li", {}, h("strong", {}, [one.table, one.column].filter(Boolean).join(".") || one.page_type || "the site"), ` ${one.class}: ${percent(one.before)} before, ${percent(one.now)} now`))));
    } catch (error) {
      fill(checked, h("p", { class: "wrong" }, error.message));
    }
  }
  async function repair() {
    try {
      fill(place, repairView(await watch(tell("repair", { source: other.value })), place));
    } catch (error) {
      fill(place, h("p", { class: "wrong" }, error.message));
    }
  }
  async function again() {
    try {
      await watch(tell("learn"));
      await changed(null, "Learned again; the changes were made again");
    } catch (error) {
      say(error.message, true);
    }
  }
  if (proposal) fill(place, repairView(proposal, place));
  const node = h("div", { class: "pad" }, h("h1", {}, "Keep"),
    h("section", {}, h("h2", {}, "The wrapper"),
      h("p", {}, h("code", {}, told.wrapper), told.state.changed ? ": not everything is kept yet." : told.has_wrapper ? ": everything is kept." : ": there is none yet."),
      h("div", { class: "actions" }, h("button", { class: "main", onclick: save, disabled: !told.state.changed }, "Keep it"), told.has_pages && h("button", { onclick: again }, "Learn again"))),
    told.has_wrapper && told.has_pages && h("section", {}, h("h2", {}, "The tables"),
      h("p", { class: "quiet" }, "A name that ends with .db, .csv, .jsonl or .parquet, with a slash for a folder, or postgres://user@host/database."),
      h("form", { class: "actions", onsubmit: (event) => (event.preventDefault(), write()) }, h("label", { for: "output" }, "Write to"), output, h("label", { class: "check", for: "replace" }, replace, "anew"), h("button", { type: "submit" }, "Write")), result),
    told.has_wrapper && h("section", {}, h("h2", {}, "Code"), h("div", { class: "actions" }, [["scrapy", "Scrapy spider"], ["parsel", "parsel module"], ["xpath", "XPath"], ["css", "CSS"]].map(([to, name]) => link(`api/code?to=${to}`, name, { class: "button", download: "" })))),
    told.has_wrapper && h("section", {}, h("h2", {}, "Has the site changed?"),
      h("form", { class: "actions", onsubmit: (event) => (event.preventDefault(), check()) }, h("label", { for: "source" }, "Look at"), other, h("button", { type: "submit" }, "Check"), h("button", { type: "button", onclick: repair }, "Propose a repair")),
      checked, place));
  return { node, title: "Keep" };
}

function repairView(told, place) {
  if (!told) return null;
  if (told.unchanged) return h("p", {}, "Nothing has changed; the wrapper fits the site as it is.");
  if (told.refusal) return h("p", { class: "notice" }, `Refused: ${told.refusal}. The wrapper is as it was.`);
  const boxes = [];
  const tables = told.tables.map((table) => {
    const found = table.columns.filter((one) => one.found || one.same).length;
    const box = h("input", { type: "checkbox", id: `accept-${table.name}`, checked: found > 0, value: table.name });
    boxes.push(box);
    return h("section", { class: "repair" }, h("h3", {}, h("label", { class: "check", for: `accept-${table.name}` }, box, table.called), h("span", { class: "quiet small" }, ` ${found} of ${count(table.columns.length, "column")}`)),
      h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": `Columns of ${table.called}` }, h("table", { class: "list small" }, h("thead", {}, h("tr", {}, ["Column", "Values again", "Was at", "Is at"].map((name) => h("th", { scope: "col" }, name)))),
        h("tbody", {}, table.columns.map((one) => h("tr", {}, h("th", { scope: "row" }, one.column), h("td", {}, one.same ? "as it was" : one.found ? `${number(one.agreed)} of ${number(one.compared)}` : "not found"),
          h("td", {}, h("code", {}, ending(one.before))), h("td", {}, one.found || one.same ? h("code", {}, ending(one.now)) : "–")))))));
  });
  const old = h("iframe", { title: "The page as it was, inert", sandbox: "allow-same-origin" });
  const now = h("iframe", { title: "The page as it is, inert", sandbox: "allow-same-origin" });
  const look = (pair) => ((old.src = `view/${pair.old}`), (now.src = `view/new/${pair.new}`));
  const choose = h("select", { "aria-label": "Page to compare", onchange: (event) => look(told.pages[Number(event.target.value)]) }, told.pages.map((pair, at) => h("option", { value: at }, pair.url)));
  if (told.pages.length) look(told.pages[0]);
  async function accept() {
    try {
      await tell("repair/accept", { tables: boxes.filter((box) => box.checked).map((box) => box.value) });
      fill(place);
      await learn();
      say("Accepted. Keep writes the wrapper");
      await draw();
    } catch (error) {
      say(error.message, true);
    }
  }
  return h("div", { class: "proposal" },
    h("p", {}, `${number(told.found)} of ${count(told.records, "known record")} found again.`),
    told.unmade.length > 0 && h("p", { class: "notice" }, `Changes by hand that cannot be made on it: ${told.unmade.join("; ")}`),
    told.pages.length > 0 && [h("p", {}, choose), h("div", { class: "sides" }, h("figure", {}, h("figcaption", {}, "as it was"), old), h("figure", {}, h("figcaption", {}, "as it is"), now))],
    tables, told.added.length > 0 && h("p", { class: "small" }, `New: ${told.added.join(", ")}`),
    h("p", { class: "buttons" }, h("button", { class: "main", onclick: accept }, "Accept what is ticked")));
}

const ending = (selector) => (selector && selector.length > 70 ? `…${selector.slice(-68)}` : selector || "");
