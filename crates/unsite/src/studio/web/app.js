// The frame around the views: addresses, header, keys.

import { ask, dialog, say, tell } from "./ask.js";
import { count, fill, h, link } from "./dom.js";
import { overview } from "./overview.js";
import { table, tables } from "./table.js";
import { page, pages } from "./page.js";
import { changes } from "./change.js";
import { keep, save } from "./keep.js";

const root = new URL(document.baseURI).pathname;
const main = document.getElementById("main");
export const known = { overview: null, state: null };

const VIEWS = { overview, tables, table, pages, page, changes, keep };
const PLACES = [["overview", "Overview"], ["tables", "Tables"], ["pages", "Pages"], ["changes", "Changes"], ["keep", "Keep"]];

let drawing = 0;
let leave = null;

// The view that an address names, with what is behind its name.
function place() {
  const parts = location.pathname.slice(root.length).split("/").filter(Boolean).map(decodeURIComponent);
  return { view: parts[0] || "overview", parts: parts.slice(1), query: new URLSearchParams(location.search) };
}

export function go(path, replace) {
  const url = new URL(path, document.baseURI);
  history[replace ? "replaceState" : "pushState"](null, "", url);
  return draw();
}

// Another query at the same view, without drawing it anew.
export function note(query) {
  const url = new URL(location.href);
  url.search = query.toString();
  history.replaceState(null, "", url);
}

export async function draw() {
  const mine = ++drawing;
  const where = place();
  if (leave) (leave(), (leave = null));
  try {
    if (!known.overview) await learn();
    if (mine !== drawing) return;
    header(where);
    const view = VIEWS[where.view] || overview;
    const drawn = await view(where.parts, where.query);
    if (mine !== drawing) return;
    const { node, title, stop } = drawn;
    leave = stop || null;
    main.className = `view-${where.view}`;
    fill(main, node);
    document.title = `${title} · Unsite Studio`;
    if (drawn.shown) drawn.shown();
  } catch (error) {
    if (mine !== drawing) return;
    fill(main, h("div", { class: "pad" }, h("h1", {}, "That did not work"), h("p", {}, error.message),
      h("p", {}, link("overview", "To the overview"))));
  }
}

// What there is, asked anew after every change.
export async function learn() {
  const told = await ask("overview");
  if (known.state && told.state.version < known.state.version) return;
  known.overview = told;
  known.state = told.state;
}

// What there is after a change: the tables at once, what has to be counted as soon as it is.
export async function changed(result, text) {
  if (result && result.tables && known.overview.tables) {
    const rows = new Map(known.overview.tables.map((table) => [table.name, table.rows]));
    known.overview.tables = result.tables.map((table) => ({ ...table, rows: rows.get(table.name) ?? null }));
    known.state = result.state;
    known.overview.state = result.state;
    if (place().view === "table") {
      learn().then(() => header(place()), () => {});
    } else {
      await learn();
    }
  } else {
    await learn();
  }
  if (text) say(text);
  await draw();
  return result;
}

// Makes edits and draws what follows from them. `where` is the address of the view afterwards, if it is another.
export async function edit(edits, text, where) {
  let result;
  try {
    result = await tell("edits", { edits });
  } catch (error) {
    say(error.message, true);
    return false;
  }
  if (where) history.replaceState(null, "", new URL(where, document.baseURI));
  await changed(result, text);
  return true;
}

async function turn(which) {
  try {
    const result = await tell(which);
    await changed(result, which === "undo" ? "Undone" : "Done again");
  } catch (error) {
    say(error.message, true);
  }
}

function header(where) {
  const state = known.state || {};
  const current = where.view === "table" ? "tables" : where.view === "page" ? "pages" : where.view;
  const nav = PLACES.map(([view, name]) => link(view, name, { "aria-current": view === current ? "page" : null }));
  fill(document.getElementById("top"),
    h("div", { class: "brand" }, link("overview", "Unsite"), h("span", { class: "quiet" }, known.overview.name)),
    h("nav", { "aria-label": "Views" }, nav),
    h("div", { class: "tools" },
      h("button", { onclick: () => turn("undo"), disabled: !state.edits, title: "Undo (Ctrl+Z)" }, "Undo"),
      h("button", { onclick: () => turn("redo"), disabled: !state.undone, title: "Redo (Ctrl+Shift+Z)" }, "Redo"),
      h("button", { class: "main", onclick: save, disabled: !state.changed, title: "Keep the wrapper (Ctrl+S)", id: "save" },
        state.changed ? "Keep" : "Kept")));
}

const KEYS = [["g o", "Overview"], ["g t", "Tables"], ["g p", "Pages"], ["g c", "Changes"], ["g k", "Keep"], ["/", "Search in the view"],
  ["arrows", "Move in a table, or in the values of a page"], ["Enter", "Why is this value what it is?"], ["m", "What can be done with the column"],
  ["Ctrl+Z", "Undo"], ["Ctrl+Shift+Z", "Redo"], ["Ctrl+S", "Keep the wrapper"], ["Esc", "Close"], ["?", "These keys"]];

function help() {
  dialog("Keys", (close) => [h("dl", { class: "keys" }, KEYS.map(([key, what]) => [h("dt", {}, h("kbd", {}, key)), h("dd", {}, what)])),
    h("p", { class: "buttons" }, h("button", { class: "main", onclick: () => close() }, "Close"))]);
}

let before = "";
document.addEventListener("keydown", (event) => {
  const typing = event.target.matches && event.target.matches("input, textarea, select");
  const key = event.key.toLowerCase();
  if ((event.ctrlKey || event.metaKey) && !event.altKey) {
    if (key === "s") (event.preventDefault(), known.state && known.state.changed && save());
    if (typing) return;
    if (key === "z") (event.preventDefault(), turn(event.shiftKey ? "redo" : "undo"));
    if (key === "y") (event.preventDefault(), turn("redo"));
    return;
  }
  if (typing || event.altKey || document.querySelector("dialog[open]")) return;
  if (before === "g") {
    const view = { o: "overview", t: "tables", p: "pages", c: "changes", k: "keep" }[key];
    before = "";
    if (view) return event.preventDefault(), void go(view).then(() => main.focus());
  }
  before = key === "g" ? "g" : "";
  if (event.key === "?") (event.preventDefault(), help());
  if (event.key === "/") {
    const search = main.querySelector("input[type=search]");
    if (search) (event.preventDefault(), search.focus());
  }
});

document.addEventListener("click", (event) => {
  const anchor = event.target.closest && event.target.closest("a[href]");
  if (!anchor || event.defaultPrevented || event.button || event.ctrlKey || event.metaKey || event.shiftKey || anchor.hasAttribute("download")) return;
  if (anchor.classList.contains("skip")) return event.preventDefault(), main.focus();
  const url = new URL(anchor.href, document.baseURI);
  if (url.origin !== location.origin || !url.pathname.startsWith(root)) return;
  event.preventDefault();
  history.pushState(null, "", url);
  draw().then(() => window.scrollTo(0, 0));
});

addEventListener("popstate", draw);
addEventListener("beforeunload", (event) => {
  if (known.state && known.state.changed) event.preventDefault();
});
export const left = () => count((known.state || {}).edits || 0, "change");
draw();
