// Every change by hand, in order; undone, exported, replayed.

import { changed, edit, known } from "./app.js";
import { ask, dialog, form, say, tell } from "./ask.js";
import { count, h, link } from "./dom.js";

export async function changes() {
  const told = await ask("log");
  const turn = (path, body, text) => tell(path, body).then(() => changed(null, text), (error) => say(error.message, true));
  const steps = told.log.map((one, at) => h("li", { class: one.unmade ? "wrong" : "" },
    h("span", { class: "text" }, one.text),
    one.unmade && h("span", { class: "small" }, `not made: ${one.unmade}`),
    h("span", { class: "quiet small" }, one.kept ? "kept" : "not kept yet"),
    h("button", { class: "plain", "aria-label": `Take out change ${at + 1}: ${one.text}`, onclick: () => turn("forget", { number: at + 1 }, "Taken out") }, "Take out"),
    at + 1 < told.log.length && h("button", { class: "plain", "aria-label": `Undo everything after change ${at + 1}`, onclick: () => turn("undo", { count: told.log.length - at - 1 }, `Back at change ${at + 1}`) }, "Back to here")));
  const undone = told.undone.map((text, at) => h("li", { class: "undone" }, h("span", { class: "text" }, text), h("span", { class: "quiet small" }, "undone"),
    h("button", { class: "plain", "aria-label": `Do again up to: ${text}`, onclick: () => turn("redo", { count: at + 1 }, "Done again") }, "Do again")));
  const node = h("div", { class: "pad" },
    h("h1", {}, "Changes"),
    h("p", { class: "lead" }, told.log.length ? `${count(told.log.length, "change")} by hand. ` : "Nothing was changed by hand. ",
      h("span", { class: "quiet" }, "They are made again when the site is learned anew or repaired.")),
    h("div", { class: "actions" },
      h("button", { onclick: replay, disabled: !known.overview.has_wrapper }, "Replay a list"),
      link("api/log/file", "Export as edits.json", { class: "button", download: "edits.json" }),
      told.log.length > 0 && h("button", { onclick: () => turn("undo", { count: told.log.length }, "Everything is undone") }, "Undo all")),
    h("ol", { class: "log" }, steps, undone));
  return { node, title: "Changes" };
}

async function replay() {
  const text = await dialog("Replay a list of changes", (close) => {
    const area = h("textarea", { rows: 12, "aria-label": "edits.json", spellcheck: "false", placeholder: '[{"rename_column": {"table": "book", "column": "now", "to": "price"}}]' });
    return h("form", { onsubmit: (event) => (event.preventDefault(), close(area.value)) }, area,
      h("p", { class: "buttons" }, h("button", { type: "button", onclick: () => close() }, "Cancel"), h("button", { class: "main", type: "submit" }, "Replay")));
  });
  if (!text) return;
  let list;
  try {
    list = JSON.parse(text);
  } catch (error) {
    return say(`this is not JSON: ${error.message}`, true);
  }
  list = list.edits || list;
  if (await edit(list, `${count(list.length, "change")} made`)) return;
}

export async function changePageType(name) {
  const types = known.overview.page_types.list.map((type) => type.name).filter((other) => other !== name);
  const what = await form(`Change ${name}`, [{ name: "what", label: "What", options: [{ value: "rename", text: "Rename it" }, { value: "merge", text: "Put another type into it" },
    { value: "split", text: "Split off pages at some addresses" }, { value: "drop", text: "Drop it: read nothing off its pages" }] }], "Go on");
  if (!what) return;
  if (what.what === "drop") return edit([{ drop_page_type: { page_type: name } }], `${name} is dropped`);
  if (what.what === "rename") {
    const answer = await form(`Rename ${name}`, [{ name: "to", label: "New name", value: name }], "Rename");
    if (answer) edit([{ rename_page_type: { page_type: name, to: answer.to } }], `${name} is ${answer.to} now`, `pages?type=${encodeURIComponent(answer.to)}`);
  } else if (what.what === "merge") {
    const answer = await form(`Into ${name}`, [{ name: "from", label: "Its pages are of this type", options: types }], "Merge");
    if (answer) edit([{ merge_page_types: { page_type: name, from: answer.from } }], `${answer.from} is ${name} now`);
  } else {
    const answer = await form(`Split ${name}`, [{ name: "address", label: "Pages at these addresses", hint: "* stands for anything, as in /archive/*" }, { name: "to", label: "What they are called" }], "Split");
    if (answer) edit([{ split_page_type: { page_type: name, address: answer.address, to: answer.to } }], `${answer.to} is a page type`);
  }
}
