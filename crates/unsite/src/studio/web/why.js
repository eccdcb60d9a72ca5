// The receipt of a value: where it stands, what found it, what the page is.

import { edit, known } from "./app.js";
import { ask, say, tell, watch } from "./ask.js";
import { fill, h, link, percent, to } from "./dom.js";

export async function whyPanel(table, row, column) {
  let told;
  try {
    told = await ask(to("why", table, row, column));
  } catch (error) {
    return h("p", { class: "wrong" }, error.message);
  }
  const receipt = told.receipt, found = receipt.found_by || {};
  const values = receipt.values || [];
  const shown = receipt.stored ?? (values[0] && values[0].value);
  const url = receipt.page && receipt.page.url;
  return [
    h("p", { class: "quiet small" }, `${table} ${row}`),
    h("h2", {}, column),
    h("p", { class: "bigvalue" }, shown === null || shown === undefined ? "no value" : String(shown)),
    receipt.is && h("p", { class: "quiet" }, receipt.is),
    h("div", { class: "actions" },
      told.page !== null && link(`${to("page", told.page)}?table=${encodeURIComponent(table)}&column=${encodeURIComponent(column)}&value=${encodeURIComponent(shown ?? "")}`, "See it on the page", { class: "button" }),
      known.overview.has_wrapper && values.length > 0 && h("button", { onclick: () => wrong(values[0].value, url) }, "This value is wrong"),
      known.overview.has_wrapper && values.length > 0 && h("button", { onclick: () => wrong(values[0].value, null) }, "Wrong wherever it stands")),
    values.length > 0 && [h("h3", {}, values.length > 1 ? "Stands at" : "Stands at"), h("ul", { class: "plainlist places" }, values.slice(0, 12).map((value, at) => h("li", {},
      String(value.value) !== String(shown) && h("div", {}, value.value),
      h("code", { class: "small" }, value.path || "the page's own address"),
      h("div", { class: "small" }, told.places[at] !== null && told.places[at] !== undefined ? link(to("page", told.places[at]), value.page.url || value.page.ref) : value.page.url, value.copy ? h("span", { class: "quiet" }, ", told again") : ""))))],
    h("h3", {}, "Found by"),
    h("dl", { class: "facts" }, [["label", found.label], ["selector", found.selector && h("code", {}, found.selector)], ["type", found.type],
      ["there", found.coverage !== null && found.coverage !== undefined && percent(found.coverage)], ["sure", found.confidence !== null && found.confidence !== undefined && percent(found.confidence)], ["note", found.note]]
      .filter(([, value]) => value).map(([name, value]) => [h("dt", {}, name), h("dd", {}, value)])),
    Array.isArray(receipt.routes) && receipt.routes.length > 0 && [h("h3", {}, "Witnesses"), h("ul", { class: "plainlist" }, receipt.routes.map((route) => {
      const [kind, text] = Object.entries(route.by)[0];
      return h("li", {}, h("span", { class: "quiet small" }, `${kind}, agrees on ${percent(route.agreement)}`), h("br"), h("code", { class: "small" }, text));
    }))],
    receipt.table_is && h("p", { class: "small quiet" }, [receipt.table_is.kind, receipt.table_is.why].filter(Boolean).join(": ")),
    told.page !== null && recognised(told),
  ];

  function wrong(value, where) {
    edit([{ wrong_value: { table, column, value, ...(where ? { url: where } : {}) } }], where ? "It is left out on this page" : "It is left out wherever it stands");
  }
}

export function recognised(told) {
  const found = told.recognised;
  if (!found) return h("p", { class: "small quiet" }, "The page is of the type that it had when it was learned.");
  const most = Math.max(1, ...found.evidence.map((one) => Math.abs(one.log_odds)));
  const experts = h("div", {});
  const button = h("button", { onclick: () => askAll(told.page, experts, button) }, "Ask every expert");
  return h("section", { class: "evidence" },
    h("h3", {}, `Why the page is ${found.page_type}`),
    h("p", { class: "small quiet" }, found.runner_up ? `against ${found.runner_up}, the next best` : "there is no other type"),
    h("ul", { class: "odds" }, found.evidence.map((one) => h("li", {}, h("span", {}, one.expert),
      h("span", { class: "meter" }, h("i", { class: one.log_odds < 0 ? "against" : "", style: { width: `${Math.round((100 * Math.abs(one.log_odds)) / most)}%` } })),
      h("span", { class: "right small" }, `${one.log_odds >= 0 ? "+" : "−"}${Math.abs(one.log_odds).toFixed(1)}`)))),
    experts, button);
}

async function askAll(page, place, button) {
  button.disabled = true;
  try {
    const told = await watch(tell("experts", { page }));
    fill(place, h("table", { class: "list small" }, h("caption", {}, `${told.page_type || "no type"}${told.runner_up ? ` against ${told.runner_up}` : ""}`),
      h("thead", {}, h("tr", {}, ["Expert", "Own", "Odds", "Other", "Odds"].map((name) => h("th", { scope: "col" }, name)))),
      h("tbody", {}, told.experts.map((one) => h("tr", {}, h("th", { scope: "row" }, one.expert), [one.score, one.log_odds, one.runner_up_score, one.runner_up_log_odds].map((value) => h("td", { class: "right" }, value === null || value === undefined ? "–" : value.toFixed(2))))))));
    button.remove();
  } catch (error) {
    say(error.message, true);
    button.disabled = false;
  }
}
