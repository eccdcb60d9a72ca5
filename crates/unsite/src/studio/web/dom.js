// Elements from data. Text is only ever set as text: nothing that a site says becomes markup here.

export function h(tag, attributes, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "style") Object.assign(element.style, value);
    else if (name === "value") element.value = value;
    else element.setAttribute(name, value === true ? "" : value);
  }
  put(element, children);
  return element;
}

const SVG = "http://www.w3.org/2000/svg";

export function svg(tag, attributes, ...children) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes || {})) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value !== null && value !== undefined) element.setAttribute(name, value);
  }
  put(element, children);
  return element;
}

function put(element, children) {
  for (const child of children.flat(3)) {
    if (child === null || child === undefined || child === false) continue;
    element.append(child instanceof Node ? child : String(child));
  }
}

export function fill(element, ...children) {
  element.replaceChildren();
  put(element, children);
  return element;
}

export const number = (value) => Number(value || 0).toLocaleString("en-GB");
export const count = (value, word) => `${number(value)} ${word}${value === 1 ? "" : "s"}`;
export const percent = (share) => `${Math.round(100 * share)} %`;

// The way to a view, from wherever we are: names may hold anything.
export const to = (...parts) => parts.map((part) => encodeURIComponent(part)).join("/");

export function link(path, text, attributes) {
  return h("a", { href: path, ...attributes }, text);
}
