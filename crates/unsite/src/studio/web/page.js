// The pages, and one of them beside the rows that were read off it.

import { changed, go, known, note } from "./app.js";
import { ask, form, say, tell } from "./ask.js";
import { count, fill, h, link, number, to } from "./dom.js";
import { changePageType } from "./change.js";
import { recognised } from "./why.js";

export async function pages(_, query) {
  if (!known.overview.has_pages) return { title: "Pages", node: h("div", { class: "pad" }, h("h1", {}, "Pages"), h("p", {}, "The pages are not here. Open the studio with --pages SOURCE to see them.")) };
  const types = (known.overview.page_types || { list: [], without: 0 }).list;
  const list = h("ul", { class: "plainlist pagelist" });
  const total = h("span", { class: "quiet" });
  const more = h("button", { onclick: () => draw(true) }, "More");
  let shown = 0;
  async function draw(further) {
    if (!further) shown = 0;
    const wanted = new URLSearchParams({ q: query.get("q") || "", type: query.get("type") || "", offset: shown });
    const told = await ask(`pages?${wanted}`);
    const items = told.pages.map((page) => h("li", {}, link(to("page", page.page), page.url || `page ${page.page}`), h("span", { class: "quiet small" }, page.page_type || "fits no type")));
    if (further) list.append(...items);
    else fill(list, items);
    shown += items.length;
    fill(total, count(told.total, "page"));
    more.hidden = shown >= told.total;
  }
  const search = h("input", { type: "search", placeholder: "Search addresses", "aria-label": "Search addresses", value: query.get("q") || "" });
  let typing;
  search.addEventListener("input", () => {
    clearTimeout(typing);
    typing = setTimeout(() => (query.set("q", search.value.trim()), note(query), draw()), 200);
  });
  const chosen = query.get("type") || "";
  const filter = h("select", { "aria-label": "Page type", onchange: (event) => (query.set("type", event.target.value), note(query), draw(), change()) },
    [["", "every type"], ...types.map((type) => [type.name, `${type.name} (${type.pages})`]), ["none", "fits none"]].map(([value, text]) => h("option", { value, selected: value === chosen }, text)));
  const tools = h("span", {});
  const change = () => {
    const name = query.get("type");
    fill(tools, known.overview.has_wrapper && name && name !== "none" && h("button", { onclick: () => changePageType(name) }, "Change page type"));
  };
  change();
  await draw();
  return { title: "Pages", node: h("div", { class: "pad" }, h("div", { class: "heading" }, h("h1", {}, "Pages"), total), h("div", { class: "actions" }, search, filter, tools), list, more) };
}

export async function page([at], query) {
  const told = await ask(to("page", at));
  const frame = h("iframe", { title: `The page ${told.url}, inert`, sandbox: "allow-same-origin", src: `view/${told.page}`, tabindex: "-1" });
  const rows = h("div", { class: "readrows" });
  const about = h("div", { class: "clicked", "aria-live": "polite" }, h("p", { class: "quiet" }, "Click anything on the page: what it is, or why it is not read, stands here."));
  let current = null;

  function mark(node, name) {
    const page = frame.contentDocument;
    if (!page) return null;
    for (const old of page.querySelectorAll(`[${name}]`)) old.removeAttribute(name);
    if (node === null || node === undefined) return null;
    const element = page.querySelector(`[data-u="${Number(node)}"]`);
    if (element) element.setAttribute(name, "");
    return element;
  }

  function choose(cell, button) {
    current = cell;
    for (const old of rows.querySelectorAll("[aria-pressed=true]")) old.setAttribute("aria-pressed", "false");
    button.setAttribute("aria-pressed", "true");
    const element = mark(cell.node, "data-u-at");
    if (element) show(element);
    query.set("table", cell.table);
    query.set("column", cell.column);
    query.set("value", cell.value);
    note(query);
    fill(about, h("p", {}, h("strong", {}, `${cell.table}.${cell.column}`)), h("p", { class: "bigvalue" }, cell.value),
      cell.node === null && h("p", { class: "quiet small" }, "It stands in the head of the page, in its data for programs or in its address: there is nothing to outline."),
      h("div", { class: "actions" }, cell.row !== null && cell.row !== undefined && link(`${to("table", cell.table)}?row=${cell.row}&col=${encodeURIComponent(cell.column)}`, "Why?", { class: "button" }),
        link(to("table", cell.table), "The whole table", { class: "button" })));
  }

  // Only the page moves, not the window around it.
  function show(element) {
    const inside = frame.contentWindow, box = element.getBoundingClientRect();
    if (box.top < 40 || box.bottom > inside.innerHeight - 40) inside.scrollTo(0, inside.scrollY + box.top - inside.innerHeight / 2 + Math.min(box.height, inside.innerHeight) / 2);
  }

  const withHidden = query.get("hidden") === "1";
  const buttons = [];
  function drawRows() {
    const groups = [];
    for (const row of told.rows || []) {
      if (row.hidden && !withHidden) continue;
      const place = (cell) => (cell.node === null ? Infinity : cell.node);
      const cells = row.cells.filter((cell) => withHidden || !cell.hidden).map((cell) => ({ ...cell, table: row.table })).sort((a, b) => (place(a) === place(b) ? 0 : place(a) - place(b)));
      if (!cells.length) continue;
      let group = groups.find((one) => one.table === row.table);
      if (!group) groups.push((group = { table: row.table, kind: row.kind, rows: [] }));
      group.rows.push(cells);
    }
    fill(rows, groups.length ? null : h("p", { class: "quiet" }, told.page_type ? "Nothing is read off this page." : "The page fits no page type, so nothing is read off it."),
      groups.map((group) => h("section", {}, h("h2", {}, link(to("table", group.table), group.table), h("span", { class: "quiet small" }, group.rows.length > 1 ? ` ${number(group.rows.length)} rows` : "")),
        group.rows.slice(0, 60).map((cells) => h("dl", { class: "readrow" }, cells.map((cell) => {
          const button = h("button", { class: `plain value${cell.copy ? " copy" : ""}`, "aria-pressed": "false", title: cell.copy ? "told again" : null,
            onclick: () => choose(cell, button), onmouseenter: () => mark(cell.node, "data-u-over"), onmouseleave: () => mark(null, "data-u-over"), onfocus: () => mark(cell.node, "data-u-over") }, cell.value);
          buttons.push({ cell, button });
          return [h("dt", {}, cell.column), h("dd", {}, button)];
        }))))));
  }

  rows.addEventListener("keydown", (event) => {
    const at = buttons.findIndex((one) => one.button === document.activeElement);
    const next = { ArrowDown: at + 1, ArrowUp: at - 1 }[event.key];
    if (at >= 0 && next !== undefined && buttons[next]) (event.preventDefault(), buttons[next].button.focus());
    if (event.key === "w" && current && current.row) go(`${to("table", current.table)}?row=${current.row}&col=${encodeURIComponent(current.column)}`);
  });

  function ready() {
    const page = frame.contentDocument;
    if (!page || !page.body) return;
    for (const { cell } of buttons) {
      if (cell.node === null) continue;
      const element = page.querySelector(`[data-u="${Number(cell.node)}"]`);
      if (element) element.setAttribute("data-u-cell", "");
    }
    page.addEventListener("mouseover", (event) => {
      const element = event.target.closest && event.target.closest("[data-u]");
      if (element) mark(element.getAttribute("data-u"), "data-u-over");
    });
    page.addEventListener("mouseout", () => mark(null, "data-u-over"));
    for (const kind of ["click", "auxclick", "submit"]) page.addEventListener(kind, (event) => {
      event.preventDefault();
      event.stopPropagation();
      const element = event.target.closest && event.target.closest("[data-u]");
      if (element && kind === "click") clicked(Number(element.getAttribute("data-u")));
    }, true);
    const wanted = buttons.find(({ cell }) => cell.table === query.get("table") && cell.column === query.get("column") && (!query.get("value") || String(cell.value) === query.get("value") || cell.typed === query.get("value")));
    const named = wanted || buttons.find(({ cell }) => cell.table === query.get("table") && cell.column === query.get("column"));
    if (named && query.get("column")) (choose(named.cell, named.button), named.button.scrollIntoView({ block: "nearest" }));
  }
  frame.addEventListener("load", ready);

  async function clicked(node) {
    mark(node, "data-u-at");
    let told;
    try {
      told = await ask(to("at", at, node));
    } catch (error) {
      return say(error.message, true);
    }
    const cell = told.cells[0];
    const found = cell && buttons.find((one) => one.cell.table === cell.table && one.cell.column === cell.column && one.cell.node === cell.node);
    if (found) {
      choose(found.cell, found.button);
      found.button.scrollIntoView({ block: "nearest" });
      about.append(tools(node, told));
      return;
    }
    fill(about, h("p", { class: "bigvalue" }, told.text || "nothing is written here"),
      cell ? h("p", {}, h("strong", {}, `${cell.table}.${cell.column}`), ", kept out of sight", cell.why ? `: ${cell.why}` : "")
        : h("p", {}, h("strong", {}, `not extracted, ${told.reason.word}: `), told.reason.why),
      tools(node, told, cell));
  }

  function tools(node, told, cell) {
    return h("div", { class: "actions" },
      cell && cell.hidden && h("button", { onclick: () => restore(cell) }, "Show this column"),
      h("button", { onclick: () => make(node) }, "Make this a column"),
      told.attributes.map((attribute) => h("button", { onclick: () => make(node, attribute) }, attribute === "href" ? "Make the link a column" : "Make the picture a column")),
      told.can_repeat && h("button", { onclick: () => makeRows(node) }, "These are rows"));
  }
  async function done(promise, text) {
    try {
      await promise;
      await changed(null, text);
    } catch (error) {
      say(error.message, true);
    }
  }
  const restore = (cell) => {
    const table = known.overview.tables.find((one) => one.name === cell.table);
    const edits = [];
    if (table && table.hidden) edits.push({ restore_table: { table: cell.table } });
    const column = table && table.columns.find((one) => one.name === cell.column);
    if (!(table && table.hidden) || (column && table.columns.some((one) => !one.note && one !== column))) edits.push({ restore_column: { table: cell.table, column: cell.column } });
    return done(tell("edits", { edits }), `${cell.table}.${cell.column} is shown`);
  };
  async function make(node, attribute) {
    const answer = await form("Make this a column", [{ name: "name", label: "What it is called", value: attribute ? "link" : "" }], "Make it", `It is read off every page of type ${told.page_type}.`);
    if (answer) done(tell("make", { page: told.page, node, name: answer.name, attribute }), `${answer.name} is a column`);
  }
  async function makeRows(node) {
    const answer = await form("These are rows", [{ name: "name", label: "What the table is called" }], "Make them", "Each element like the one around what you clicked becomes a row, everything that stands in it a column.");
    if (answer) done(tell("make", { page: told.page, node, name: answer.name, rows: true }), `${answer.name} is a table`);
  }

  drawRows();
  const why = h("details", { class: "evidence" }, h("summary", {}, "Why is it of this type?"));
  why.addEventListener("toggle", async () => {
    if (why.open && why.children.length === 1) why.append(recognised({ page: told.page, recognised: await ask(to("recognised", at)) }));
  });
  const node = h("div", { class: "pageview" },
    h("div", { class: "bar" },
      h("div", { class: "heading" }, h("h1", { class: "url" }, told.url || `page ${at}`), h("span", { class: "quiet" }, told.page_type ? link(`pages?type=${encodeURIComponent(told.page_type)}`, told.page_type) : "fits no type", told.role ? `, ${told.role}` : "")),
      h("div", { class: "actions" },
        link(to("page", Math.max(0, told.page - 1)), "Previous", { class: "button", "aria-disabled": told.page === 0 ? "true" : null }),
        link(to("page", Math.min(told.pages - 1, told.page + 1)), "Next", { class: "button", "aria-disabled": told.page === told.pages - 1 ? "true" : null }),
        h("button", { "aria-pressed": withHidden ? "true" : "false", onclick: () => go(`${to("page", at)}${withHidden ? "" : "?hidden=1"}`) }, withHidden ? "Hide the hidden" : "Show what is hidden"))),
    h("div", { class: "split" }, frame, h("aside", { class: "panel open", "aria-label": "What was read off the page", tabindex: "0" }, about, rows, why)));
  return { node, title: told.url || `page ${at}` };
}
