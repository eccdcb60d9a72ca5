// What was found, at a glance.

import { known } from "./app.js";
import { diagram } from "./diagram.js";
import { count, h, link, number, percent, to } from "./dom.js";
import { watch, tell, say } from "./ask.js";
import { changed } from "./app.js";

export async function overview() {
  const told = known.overview;
  const all = told.tables || [];
  const shown = all.filter((table) => !table.hidden);
  const rows = shown.reduce((sum, table) => sum + (table.rows || 0), 0);
  const types = told.page_types || { list: [], without: 0, strangers: [] };
  const problems = told.problems || { counts: [], list: [] };
  const node = h("div", { class: "pad" },
    h("h1", {}, told.name),
    h("p", { class: "lead" }, [told.pages && count(told.pages, "page"), count(shown.length, "table"), count(rows, "row")].filter(Boolean).join(", "), "."),
    told.state.unmade > 0 && h("p", { class: "notice" }, `${count(told.state.unmade, "change")} by hand could not be made. `, link("changes", "See which")),
    !told.has_wrapper && h("p", { class: "notice" }, "This is a database without a wrapper: it can be looked at, not changed. ",
      told.has_pages ? h("button", { onclick: learnNow }, "Learn a wrapper from its pages") : "Open it with --pages SOURCE to learn one."),
    h("section", { "aria-labelledby": "things" },
      h("h2", { id: "things" }, "How the tables hang together"),
      told.diagram && told.diagram.entities.length ? diagram(told.diagram, shown) : h("p", { class: "quiet" }, "No tables were found.")),
    h("section", { "aria-labelledby": "all-tables" }, h("h2", { id: "all-tables" }, "Tables"), tableList(shown)),
    types.list.length > 0 && h("section", { "aria-labelledby": "types" }, h("h2", { id: "types" }, "Page types"), typeList(types)),
    h("section", { "aria-labelledby": "problems" }, h("h2", { id: "problems" }, "Problems"), problemList(problems)));
  return { node, title: told.name };
}

async function learnNow() {
  try {
    await watch(tell("learn"));
    await changed(null, "Learned. Keep writes the wrapper");
  } catch (error) {
    say(error.message, true);
  }
}

export function tableList(tables) {
  return h("ul", { class: "cards" }, tables.map((table) => {
    const columns = table.columns.filter((column) => !column.hidden);
    const full = columns.length ? columns.reduce((sum, column) => sum + (column.coverage || 0), 0) / columns.length : 0;
    return h("li", {}, link(to("table", table.name), [
      h("strong", {}, table.name),
      h("span", { class: "figure" }, table.rows === null ? "–" : number(table.rows)),
      h("span", { class: "quiet small" }, count(columns.length, "column"), table.parent ? `, of ${table.parent}` : "", table.kind === "entity" ? "" : `, ${table.kind}`),
      h("span", { class: "meter", title: `${percent(full)} of the values are there` }, h("i", { style: { width: percent(full).replace(" ", "") } })),
    ]));
  }));
}

function typeList(types) {
  const rows = types.list.slice().sort((a, b) => b.pages - a.pages).map((type) => h("tr", {},
    h("th", { scope: "row" }, link(`pages?type=${encodeURIComponent(type.name)}`, type.name)),
    h("td", { class: "right" }, number(type.pages)),
    h("td", {}, type.role || ""),
    h("td", { class: "wide" }, h("code", {}, type.urls || "")),
    h("td", { class: "wide" }, type.typical.slice(0, 2).map((page) => [link(to("page", page.page), shortened(page.url)), " "]))));
  if (types.without) rows.push(h("tr", {}, h("th", { scope: "row" }, link("pages?type=none", "fits none")), h("td", { class: "right" }, number(types.without)), h("td"), h("td", { class: "wide" }), h("td", { class: "wide" }, types.strangers.slice(0, 2).map((page) => [link(to("page", page.page), shortened(page.url)), " "]))));
  return h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Page types" }, h("table", { class: "list" },
    h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Type"), h("th", { scope: "col", class: "right" }, "Pages"), h("th", { scope: "col" }, "Role"), h("th", { scope: "col", class: "wide" }, "Addresses"), h("th", { scope: "col", class: "wide" }, "Typical"))),
    h("tbody", {}, rows)));
}

export function shortened(url) {
  const path = url.replace(/^[a-z]+:\/\/[^/]*/, "") || url;
  return path.length > 42 ? `${path.slice(0, 40)}…` : path;
}

function problemList(problems) {
  if (!problems.counts.length) return h("p", { class: "quiet" }, "None: every page could be read.");
  return [h("p", {}, problems.counts.map((one) => `${number(one.count)} ${one.kind}`).join(", ")),
    h("details", {}, h("summary", {}, "List them"), h("ul", { class: "plainlist" }, problems.list.map((one) => h("li", {}, h("strong", {}, one.kind), " ", one.url || one.ref, ": ", one.message))))];
}
