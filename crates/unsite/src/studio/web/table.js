// The rows of a table: as many as are in sight, however many there are.

import { edit, go, known, note } from "./app.js";
import { ask, form, say } from "./ask.js";
import { columnPanel } from "./column.js";
import { count, fill, h, link, number, percent, to } from "./dom.js";
import { tableList } from "./overview.js";
import { whyPanel } from "./why.js";

const ROW = 36, BLOCK = 100, TALLEST = 8e6;

export async function tables() {
  const all = known.overview.tables || [];
  const hidden = all.filter((table) => table.hidden);
  const node = h("div", { class: "pad" }, h("h1", {}, "Tables"), tableList(all.filter((table) => !table.hidden)),
    hidden.length > 0 && h("section", {}, h("h2", {}, "Kept out of sight"),
      h("p", { class: "quiet" }, "What shows other tables again, and what is part of the layout. Anything here can be restored."), tableList(hidden)));
  return { node, title: "Tables" };
}

export async function table([name], query) {
  const info = (known.overview.tables || []).find((one) => one.name === name);
  if (!info) throw new Error(`there is no table ${name}; it may have another name now`);
  const withHidden = query.get("hidden") === "1" || info.hidden;
  const links = keys(name);
  const described = info.columns.filter((column) => withHidden || !column.hidden);
  const panel = h("aside", { class: "panel", "aria-label": "About the selection", hidden: true });
  const total = h("span", { class: "quiet" }, "");
  const body = h("tbody", {});
  const head = h("thead", {});
  const grid = h("table", { class: "grid", role: "grid", "aria-label": name, "aria-rowcount": info.rows || 0 }, head, body);
  const scroller = h("div", { class: "rows" }, grid);
  const state = { rows: 0, blocks: new Map(), columns: [], at: [0, 0], filled: null };

  const asked = () => {
    const wanted = new URLSearchParams();
    for (const key of ["sort", "q"]) if (query.get(key)) wanted.set(key, query.get(key));
    for (const one of query.getAll("f")) wanted.append("f", one);
    return wanted;
  };
  const base = to("api", "table", name).slice(4);
  async function block(at) {
    if (!state.blocks.has(at)) {
      const wanted = asked();
      wanted.set("offset", at * BLOCK);
      wanted.set("limit", BLOCK);
      state.blocks.set(at, ask(`${base}?${wanted}`).then((told) => {
        state.blocks.set(at, told);
        return told;
      }, (error) => (state.blocks.delete(at), say(error.message, true))));
      if (state.blocks.size > 40) for (const old of state.blocks.keys()) { if (Math.abs(old - at) > 10) state.blocks.delete(old); if (state.blocks.size <= 40) break; }
    }
    return state.blocks.get(at);
  }

  async function fresh() {
    state.blocks.clear();
    const first = await block(0);
    if (!first) return;
    const names = described.map((column) => column.name);
    state.columns = [
      ...described.filter((column) => first.columns.includes(column.name)),
      ...first.columns.filter((column) => !names.includes(column) && !["id", "page_id"].includes(column) && !info.columns.some((one) => one.name === column))
        .map((column) => ({ name: column, type: links[column] ? "key" : "", key: true })),
    ];
    state.places = Object.fromEntries(first.columns.map((column, at) => [column, at]));
    state.rows = first.total;
    grid.setAttribute("aria-rowcount", state.rows + 1);
    grid.setAttribute("aria-colcount", state.columns.length + 1);
    fill(total, first.total === info.rows || info.rows === null ? count(first.total, "row") : `${number(first.total)} of ${count(info.rows || 0, "row")}`);
    grid.style.width = `${72 + state.columns.reduce((sum, column) => sum + wide(column), 0)}px`;
    drawHead();
    drawRows();
  }

  const wide = (column) => (["integer", "decimal", "money", "boolean", "date", "time", "key", ""].includes(column.type) ? 150 : 240);
  const sort = () => query.get("sort") || "";

  function drawHead() {
    fill(head, h("tr", { "aria-rowindex": 1 }, h("th", { class: "id", scope: "col" }, "#"), state.columns.map((column) => {
      const by = sort().replace(/^-/, "") === column.name, down = sort().startsWith("-");
      const share = state.filled && state.filled.rows ? (state.filled.columns[column.name] || 0) / state.filled.rows : column.coverage;
      return h("th", { scope: "col", class: column.hidden ? "dim" : "", style: { width: `${wide(column)}px` }, "aria-sort": by ? (down ? "descending" : "ascending") : null, "data-column": column.name },
        h("div", { class: "headline" },
          h("button", { class: "plain sort", title: `Sort by ${column.name}`, onclick: () => put("sort", by && !down ? `-${column.name}` : by ? "" : column.name) },
            column.name, by ? (down ? " ↓" : " ↑") : ""),
          !column.key && h("button", { class: "plain more", "aria-label": `About ${column.name}`, onclick: () => openColumn(column) }, "⋯")),
        h("div", { class: "under" }, h("span", { class: "small quiet" }, column.type || "key"),
          !column.key && h("span", { class: "meter", title: `${percent(share || 0)} of the rows have one` }, h("i", { style: { width: `${Math.round(100 * (share || 0))}%` } }))));
    })));
  }

  // Which row stands at the top: exactly, or on the way of a scroll bar that is shorter than the table.
  const tall = () => Math.min(state.rows * ROW, TALLEST);
  const isScaled = () => state.rows * ROW > TALLEST;
  function top() {
    if (!isScaled()) return Math.floor(scroller.scrollTop / ROW);
    const room = tall() - scroller.clientHeight + 60;
    return Math.floor((scroller.scrollTop / Math.max(1, room)) * Math.max(0, state.rows - visible() + 3));
  }
  const visible = () => Math.ceil(scroller.clientHeight / ROW) + 1;

  let asking = 0;
  async function drawRows() {
    const mine = ++asking;
    const first = Math.max(0, Math.min(top() - 4, state.rows - 1)), last = Math.min(state.rows, first + visible() + 8);
    const wanted = [];
    for (let at = Math.floor(first / BLOCK); at <= Math.floor(Math.max(first, last - 1) / BLOCK); at++) wanted.push(block(at));
    if (wanted.some((one) => one instanceof Promise)) await Promise.all(wanted);
    if (mine !== asking) return;
    const above = isScaled() ? Math.min(scroller.scrollTop, tall() - (last - first) * ROW) : first * ROW;
    const held = body.contains(document.activeElement) ? state.at : null;
    const lines = [];
    for (let at = first; at < last; at++) {
      const told = state.blocks.get(Math.floor(at / BLOCK));
      const row = told && told.rows && told.rows[at % BLOCK];
      if (row) lines.push(line(at, row));
    }
    fill(body, h("tr", { class: "space", "aria-hidden": "true", style: { height: `${Math.max(0, above)}px` } }), lines,
      h("tr", { class: "space", "aria-hidden": "true", style: { height: `${Math.max(0, tall() - above - lines.length * ROW)}px` } }));
    if (!state.rows) fill(body, h("tr", {}, h("td", { class: "quiet", colspan: state.columns.length + 1 }, "No rows")));
    if (held) focus(held, true);
    scroller.dataset.first = first;
  }

  function line(at, row) {
    const id = row[state.places.id];
    return h("tr", { "aria-rowindex": at + 2, "data-row": id }, h("th", { class: "id", scope: "row" }, number(id)), state.columns.map((column, place) => {
      const value = row[state.places[column.name]];
      const isNumber = typeof value === "number";
      const isHere = query.get("row") === String(id) && query.get("col") === column.name;
      const shown = value === null ? "" : isNumber ? value.toLocaleString("en-GB", { maximumFractionDigits: 6, useGrouping: false }) : value;
      const target = column.key && links[column.name];
      return h("td", {
        class: [isNumber ? "right" : "", value === null ? "none" : "", isHere ? "here" : "", column.hidden ? "dim" : ""].join(" ").trim(),
        role: "gridcell", tabindex: state.at[0] === at && state.at[1] === place ? "0" : "-1", "data-at": `${at}:${place}`, "data-column": column.name,
        title: value === null ? "no value" : null,
        onclick: (event) => { if (!event.target.closest("a")) (focus([at, place], true), openWhy(id, column)); },
      }, target && value !== null ? link(`${to("table", target)}?f=${encodeURIComponent(`id:is:${value}`)}`, shown, { tabindex: "-1" }) : h("span", {}, shown));
    }));
  }

  function focus([at, place], quietly) {
    state.at = [Math.max(0, Math.min(at, state.rows - 1)), Math.max(0, Math.min(place, state.columns.length - 1))];
    const cell = body.querySelector(`[data-at="${state.at[0]}:${state.at[1]}"]`);
    for (const old of body.querySelectorAll("td[tabindex='0']")) old.tabIndex = -1;
    if (cell) (cell.tabIndex = 0, cell.focus({ preventScroll: quietly }));
    else if (!quietly) {
      const share = isScaled() ? (state.at[0] / Math.max(1, state.rows - visible())) * (tall() - scroller.clientHeight) : state.at[0] * ROW - ROW * 3;
      scroller.scrollTop = share;
      drawRows().then(() => focus(state.at, true));
    }
  }

  grid.addEventListener("keydown", (event) => {
    if (!event.target.dataset.at) return;
    const [at, place] = state.at, page = visible() - 2;
    const next = { ArrowDown: [at + 1, place], ArrowUp: [at - 1, place], ArrowRight: [at, place + 1], ArrowLeft: [at, place - 1],
      PageDown: [at + page, place], PageUp: [at - page, place], Home: [event.ctrlKey ? 0 : at, 0], End: [event.ctrlKey ? state.rows - 1 : at, state.columns.length - 1] }[event.key];
    if (next) (event.preventDefault(), focus(next));
    const row = event.target.closest("tr").dataset.row;
    if (event.key === "Enter") (event.preventDefault(), openWhy(Number(row), state.columns[place]));
    if (event.key === "m") (event.preventDefault(), openColumn(state.columns[place]));
    if (event.key === "Escape") close();
  });
  panel.addEventListener("keydown", (event) => event.key === "Escape" && (close(), focus(state.at, true)));
  let waiting = false;
  scroller.addEventListener("scroll", () => {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => ((waiting = false), drawRows()));
  });

  function close() {
    panel.hidden = true;
    for (const key of ["row", "col", "about"]) query.delete(key);
    note(query);
    for (const cell of body.querySelectorAll(".here")) cell.classList.remove("here");
  }
  const shut = () => h("button", { class: "plain close", "aria-label": "Close", onclick: () => (close(), focus(state.at, true)) }, "×");

  async function openWhy(row, column, byItself) {
    query.set("row", row);
    query.set("col", column.name);
    query.delete("about");
    note(query);
    for (const cell of body.querySelectorAll(".here")) cell.classList.remove("here");
    const cell = body.querySelector(`tr[data-row="${row}"] [data-column="${CSS.escape(column.name)}"]`);
    if (cell) cell.classList.add("here");
    panel.hidden = false;
    fill(panel, shut(), await whyPanel(name, row, column.name));
    if (!byItself) panel.scrollTop = 0;
  }

  async function openColumn(column) {
    if (column.key) return;
    query.delete("row");
    query.delete("col");
    query.set("about", column.name);
    note(query);
    panel.hidden = false;
    fill(panel, shut(), await columnPanel(info, column, { filter, put }));
    const first = panel.querySelector("button:not(.close)");
    if (first) first.focus();
  }

  function put(key, value) {
    if (value) query.set(key, value);
    else query.delete(key);
    note(query);
    scroller.scrollTop = 0;
    drawFilters();
    return fresh();
  }
  function filter(text) {
    if (!query.getAll("f").includes(text)) query.append("f", text);
    return put("x", "");
  }
  const filters = h("div", { class: "chips" });
  const HOW = { is: "is", has: "contains", from: "from", to: "up to", empty: "is empty", full: "is there" };
  function drawFilters() {
    fill(filters, query.getAll("f").map((one) => {
      const [column, how, ...value] = one.split(":");
      const words = `${column} ${HOW[how] || how} ${value.join(":")}`.trim();
      return h("button", { class: "chip", "aria-label": `Remove the filter: ${words}`, onclick: () => {
        const left = query.getAll("f").filter((other) => other !== one);
        query.delete("f");
        left.forEach((other) => query.append("f", other));
        put("x", "");
      } }, words, " ×");
    }));
  }
  async function addFilter() {
    const answer = await form("Filter", [
      { name: "column", label: "Column", options: described.map((column) => column.name), value: query.get("about") || "" },
      { name: "how", label: "How", options: Object.entries(HOW).map(([value, text]) => ({ value, text })), value: "has" },
      { name: "value", label: "Value" }], "Filter");
    if (answer) filter(`${answer.column}:${answer.how}:${["empty", "full"].includes(answer.how) ? "" : answer.value}`);
  }

  const search = h("input", { type: "search", placeholder: "Search the rows", "aria-label": "Search the rows", value: query.get("q") || "" });
  let typing;
  search.addEventListener("input", () => {
    clearTimeout(typing);
    typing = setTimeout(() => put("q", search.value.trim()), 250);
  });
  const hiddenCount = info.columns.filter((column) => column.hidden).length;
  const node = h("div", { class: "tableview" },
    h("div", { class: "bar" },
      h("div", { class: "heading" }, h("h1", {}, name), total),
      h("div", { class: "actions" }, search, h("button", { onclick: addFilter }, "Filter"),
        hiddenCount > 0 && !info.hidden && h("button", { "aria-pressed": withHidden ? "true" : "false", onclick: () => go(`${to("table", name)}${withHidden ? "" : "?hidden=1"}`) }, withHidden ? "Hide the hidden" : `Show ${hiddenCount} hidden`),
        known.overview.has_wrapper && h("button", { onclick: () => changeTable(info) }, "Change table")),
      filters,
      info.why && h("p", { class: "small quiet" }, info.hidden ? `Kept out of sight, ${info.kind}: ` : "", info.why)),
    h("div", { class: "split" }, scroller, panel));
  drawFilters();
  const shown = async () => {
    await fresh();
    if (query.get("about")) {
      const column = info.columns.find((one) => one.name === query.get("about"));
      if (column) await openColumn(column);
    } else if (query.get("row") && query.get("col")) {
      await openWhy(Number(query.get("row")), { name: query.get("col") }, true);
    }
    state.filled = await ask(to("filled", name)).catch(() => null);
    if (state.filled) drawHead();
  };
  const resized = () => drawRows();
  addEventListener("resize", resized);
  return { node, title: name, shown, stop: () => removeEventListener("resize", resized) };
}

// The tables that the keys of a table lead to.
function keys(name) {
  const diagram = known.overview.diagram || { entities: [], links: [] };
  const found = {};
  for (const one of diagram.links) if (diagram.entities[one.from].name === name && !one.many) found[one.key] = diagram.entities[one.to].name;
  const info = (known.overview.tables || []).find((one) => one.name === name);
  if (info && info.parent) (found[`${info.parent}_id`] = info.parent), (found.parent_id = info.parent);
  return found;
}

export async function changeTable(info) {
  const others = known.overview.tables.filter((one) => !one.hidden && one.name !== info.name).map((one) => one.name);
  const types = (known.overview.page_types || { list: [] }).list.map((type) => type.name);
  const what = await form(`Change ${info.name}`, [
    { name: "what", label: "What", options: info.hidden
      ? [{ value: "restore", text: "Show it" }, { value: "rename", text: "Rename it" }]
      : [{ value: "rename", text: "Rename it" }, { value: "drop", text: "Drop it: it is of no interest" }, { value: "merge", text: "Put another table into it" },
        { value: "split", text: "Split off what pages of one type show" }, { value: "not_rows", text: "These are no rows" }] }], "Go on");
  if (!what) return;
  const table = info.name;
  if (what.what === "restore") return edit([{ restore_table: { table } }], `${table} is shown`);
  if (what.what === "drop") return edit([{ drop_table: { table } }], `${table} is dropped`, "tables");
  if (what.what === "not_rows") return edit([{ not_rows: { table } }], `${table} are no rows any more`, "tables");
  if (what.what === "rename") {
    const answer = await form(`Rename ${table}`, [{ name: "to", label: "New name", value: table }], "Rename");
    if (answer) edit([{ rename_table: { table, to: answer.to } }], `${table} is ${answer.to} now`, to("table", answer.to));
  } else if (what.what === "merge") {
    const answer = await form(`Into ${table}`, [{ name: "from", label: "Its rows become rows of this one", options: others }], "Merge");
    if (answer) edit([{ merge_tables: { table, from: answer.from } }], `${answer.from} is part of ${table} now`);
  } else if (what.what === "split") {
    const answer = await form(`Split ${table}`, [{ name: "page_type", label: "Pages of this type show a table of their own", options: types },
      { name: "to", label: "What it is called" }], "Split");
    if (answer) edit([{ split_table: { table, page_type: answer.page_type, to: answer.to } }], `${answer.to} is a table of its own`);
  }
}
