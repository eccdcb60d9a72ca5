// What the studio is asked and told, and long work that can be watched and stopped.

import { fill, h } from "./dom.js";

export async function ask(path, options) {
  let answer;
  try {
    answer = await fetch(`api/${path}`, options);
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Error("the studio has stopped; start it again with unsite studio");
  }
  const told = await answer.json();
  if (!answer.ok) throw new Error(told.error || `it answered ${answer.status}`);
  return told;
}

export const tell = (path, body) =>
  ask(path, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body || {}) });

let hiding;
export function say(text, isError) {
  const said = document.getElementById("said");
  fill(said, h("span", {}, text), h("button", { class: "plain", "aria-label": "Dismiss", onclick: () => fill(said) }, "×"));
  said.classList.toggle("wrong", Boolean(isError));
  clearTimeout(hiding);
  if (!isError) hiding = setTimeout(() => fill(said), 6000);
}

// A question in the middle of the page. `draw` gets a function that closes it; what that is given is the answer.
export function dialog(title, draw) {
  return new Promise((resolve) => {
    const before = document.activeElement;
    const box = h("dialog", { "aria-label": title });
    const close = (value) => {
      box.close();
      box.remove();
      if (before && before.isConnected) before.focus();
      resolve(value);
    };
    box.append(h("h2", {}, title));
    const drawn = draw(close);
    box.append(...(Array.isArray(drawn) ? drawn : [drawn]));
    box.addEventListener("cancel", (event) => (event.preventDefault(), close(undefined)));
    document.body.append(box);
    box.showModal();
    const first = box.querySelector("input, textarea, select");
    if (first) (first.focus(), first.select && first.select());
  });
}

// Asks for texts: `fields` are {name, label, value, hint, options}.
export function form(title, fields, verb, note) {
  return dialog(title, (close) => {
    const inputs = fields.map((field) =>
      field.options
        ? h("select", { name: field.name, id: `field-${field.name}` },
            field.options.map((one) => h("option", { value: one.value ?? one, selected: (one.value ?? one) === field.value }, one.text ?? one)))
        : h("input", { name: field.name, id: `field-${field.name}`, value: field.value || "", autocomplete: "off", spellcheck: "false", type: "text" }));
    const send = (event) => {
      event.preventDefault();
      close(Object.fromEntries(inputs.map((input) => [input.name, input.value])));
    };
    return h("form", { onsubmit: send, novalidate: true },
      note && h("p", { class: "quiet" }, note),
      fields.map((field, at) => h("p", { class: "field" },
        h("label", { for: `field-${field.name}` }, field.label), inputs[at],
        field.hint && h("span", { class: "quiet small" }, field.hint))),
      h("p", { class: "buttons" },
        h("button", { type: "button", onclick: () => close(undefined) }, "Cancel"),
        h("button", { class: "main", type: "submit" }, verb)));
  });
}

// Watches long work to its end in a strip above the view.
export async function watch(started) {
  await started;
  const bar = h("progress", { "aria-label": "Progress" });
  const text = h("span", {}, "…");
  const stop = h("button", { onclick: () => tell("stop").then(() => fill(text, "stopping…")) }, "Stop");
  const strip = h("div", { class: "strip", role: "status" }, text, bar, stop);
  document.getElementById("main").before(strip);
  try {
    for (;;) {
      const job = await ask("job");
      if (!job || job.ended) {
        if (job && job.error) throw new Error(job.error);
        return job && job.result;
      }
      const of = job.total ? ` ${job.done} of ${job.total}` : job.done ? ` ${job.done}` : "";
      fill(text, `${job.stage || job.what}…${of}`);
      if (job.total) (bar.max = job.total), (bar.value = job.done);
      else bar.removeAttribute("value");
      await new Promise((resolve) => setTimeout(resolve, 150));
    }
  } finally {
    strip.remove();
  }
}
