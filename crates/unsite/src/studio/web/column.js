// What the values of a column are like, and what can be done with it.

import { edit, known } from "./app.js";
import { ask, form } from "./ask.js";
import { count, h, number, percent, svg, to } from "./dom.js";

const TYPES = ["text", "integer", "decimal", "money", "measure", "duration", "date", "date_day_first", "date_month_first", "date_time", "time", "boolean", "url", "image", "email", "phone"];

export async function columnPanel(info, column, view) {
  const told = await ask(to("column", info.name, column.name)).catch(() => null);
  const table = info.name, name = column.name;
  const most = told && told.top.length ? told.top[0].rows : 1;
  return [
    h("h2", {}, name),
    h("p", { class: "quiet" }, [column.type, column.label && `behind “${column.label}”`].filter(Boolean).join(", ")),
    column.note && h("p", { class: "notice small" }, column.note),
    known.overview.has_wrapper && h("div", { class: "actions" },
      h("button", { onclick: rename }, "Rename"), h("button", { onclick: retype }, "Type"),
      column.hidden ? h("button", { onclick: () => edit([{ restore_column: { table, column: name } }], `${name} is shown`) }, "Show it")
        : h("button", { onclick: () => edit([{ drop_column: { table, column: name } }], `${name} is dropped`) }, "Drop"),
      h("button", { onclick: merge }, "Merge"), h("button", { onclick: split }, "Split")),
    told && [
      h("dl", { class: "facts" },
        h("dt", {}, "there"), h("dd", {}, `${number(told.filled)} of ${count(told.rows, "row")}, ${percent(told.rows ? told.filled / told.rows : 0)}`),
        h("dt", {}, "different"), h("dd", {}, number(told.distinct)),
        column.confidence !== null && [h("dt", {}, "sure"), h("dd", {}, percent(column.confidence || 0))]),
      told.histogram && histogram(told.histogram),
      told.top.length > 0 && [h("h3", {}, "Frequent"), h("ul", { class: "often" }, told.top.map((one) => h("li", {},
        h("button", { class: "plain", title: "Only these rows", onclick: () => view.filter(`${name}:is:${one.value}`) },
          h("span", { class: "value" }, String(one.value)), h("span", { class: "quiet small" }, number(one.rows))),
        h("span", { class: "meter" }, h("i", { style: { width: `${Math.round((100 * one.rows) / most)}%` } })))))],
    ],
    column.selector && [h("h3", {}, "Where it stands"), h("p", { class: "small" }, h("code", {}, column.selector))],
  ];

  async function rename() {
    const answer = await form(`Rename ${table}.${name}`, [{ name: "to", label: "New name", value: name }], "Rename");
    if (answer) edit([{ rename_column: { table, column: name, to: answer.to } }], `${name} is ${answer.to} now`, `${to("table", table)}?about=${encodeURIComponent(answer.to)}`);
  }
  async function retype() {
    const answer = await form(`The type of ${table}.${name}`, [{ name: "to", label: "Its values are", options: TYPES, value: column.type === "datetime" ? "date_time" : column.type }], "Set");
    if (answer) edit([{ retype_column: { table, column: name, to: answer.to } }], `${name} is ${answer.to} now`);
  }
  async function merge() {
    const others = info.columns.filter((one) => one.name !== name && !(one.hidden && one.note.startsWith("merged"))).map((one) => one.name);
    const answer = await form(`Into ${table}.${name}`, [{ name: "from", label: "Values of this column are values of it", options: others }], "Merge");
    if (answer) edit([{ merge_columns: { table, column: name, from: answer.from } }], `${answer.from} is part of ${name} now`);
  }
  async function split() {
    const answer = await form(`Split ${table}.${name}`, [
      { name: "at", label: "Cut where this stands", hint: "a sign needs a space on one side, so that 12:30 stays whole" },
      { name: "into", label: "The parts are called", hint: "names with commas between them", value: `${name}_1,${name}_2` }], "Split");
    if (answer) edit([{ split_column: { table, column: name, at: answer.at, into: answer.into.split(",").map((part) => part.trim()) } }], `${name} is split`);
  }
}

function histogram(told) {
  const tallest = Math.max(1, ...told.bars), wide = 280 / told.bars.length;
  const round = (value) => (Math.abs(value) >= 1000 || Number.isInteger(value) ? Math.round(value).toString() : value.toFixed(2));
  return h("figure", { class: "histogram" },
    svg("svg", { viewBox: "0 0 280 64", role: "img", "aria-label": `From ${round(told.least)} to ${round(told.most)}` },
      told.bars.map((bar, at) => svg("rect", { x: at * wide + 1, width: wide - 2, y: 64 - (62 * bar) / tallest, height: Math.max(bar ? 1.5 : 0, (62 * bar) / tallest) }, svg("title", {}, number(bar))))),
    h("figcaption", { class: "small quiet" }, h("span", {}, round(told.least)), h("span", {}, round(told.most))));
}
