// Tables as boxes, keys as lines, drawn from left to right along the keys.

import { go } from "./app.js";
import { h, number, svg, to } from "./dom.js";

const WIDE = 190, LINE = 20, HEAD = 46, GAP = 26, BETWEEN = 76, MOST = 5;

export function diagram(told, tables) {
  const layers = layered(told);
  const place = [];
  let width = 0, height = 0;
  layers.forEach((layer, column) => {
    let y = 0;
    for (const at of layer) {
      const shown = columnsOf(told.entities[at], tables);
      const tall = HEAD + shown.length * LINE + 12;
      place[at] = { x: column * (WIDE + BETWEEN), y, tall, shown };
      y += tall + GAP;
    }
    height = Math.max(height, y - GAP);
    width = column * (WIDE + BETWEEN) + WIDE;
  });
  layers.forEach((layer) => {
    const own = layer.reduce((sum, at) => sum + place[at].tall + GAP, -GAP);
    for (const at of layer) place[at].y += (height - own) / 2;
  });
  const seen = new Set();
  const isHidden = (one) => {
    const table = tables.find((table) => table.name === told.entities[one.from].name);
    const column = table && table.columns.find((column) => column.hidden && one.key === `${column.name.replace(/_(url|link|href)$/, "")}_id`);
    const again = `${one.from} ${one.to}`;
    return Boolean(column) || seen.has(again) || !seen.add(again);
  };
  const links = told.links.filter((one) => one.from !== one.to && !isHidden(one));
  const lines = links.map((one) => line(place[one.from], place[one.to], one));
  const boxes = told.entities.map((entity, at) => box(entity, place[at], tables.find((table) => table.name === entity.name)));
  return h("div", { class: "scroll diagram", tabindex: "0", role: "region", "aria-label": "How the tables hang together" },
    svg("svg", { viewBox: `-4 -4 ${width + 8} ${height + 8}`, width: width + 8, height: height + 8, role: "group", "aria-label": "Tables and their keys" }, lines, boxes));
}

const columnsOf = (entity, tables) => {
  const table = tables.find((one) => one.name === entity.name);
  const names = table ? table.columns.filter((column) => !column.hidden).map((column) => column.name) : entity.columns.filter((name) => name !== "id");
  return names.length > MOST ? [...names.slice(0, MOST - 1), `and ${names.length - MOST + 1} more`] : names;
};

// Things that others refer to stand to the right of what refers to them.
function layered(told) {
  const depth = told.entities.map(() => 0);
  for (let round = 0; round < Math.min(told.entities.length, 5); round++)
    for (const { from, to: target } of told.links) if (from !== target && depth[target] < depth[from] + 1 && depth[from] < 3) depth[target] = depth[from] + 1;
  const layers = [];
  depth.forEach((at, entity) => (layers[at] = layers[at] || []).push(entity));
  return layers.filter(Boolean);
}

function line(from, target, one) {
  const back = target.x <= from.x;
  const x1 = from.x + (back ? 0 : WIDE), y1 = from.y + HEAD / 2, x2 = target.x + (back ? WIDE : 0), y2 = target.y + HEAD / 2;
  const bend = Math.max(30, Math.abs(x2 - x1) / 2) * (back ? -1 : 1);
  const curve = target.x === from.x
    ? `M${from.x + WIDE} ${y1} C${from.x + WIDE + 46} ${y1} ${from.x + WIDE + 46} ${y2} ${from.x + WIDE} ${y2}`
    : `M${x1} ${y1} C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}`;
  const side = target.x === from.x ? 1 : back ? -1 : 1;
  const start = target.x === from.x ? from.x + WIDE : x1, end = target.x === from.x ? from.x + WIDE : x2;
  const foot = (x, y, way) => svg("path", { d: `M${x} ${y - 6} L${x + 10 * way} ${y} L${x} ${y + 6}` });
  const into = target.x === from.x ? 1 : -side;
  return svg("g", { class: "tie" }, svg("path", { d: curve }), foot(start, y1, side), one.many ? foot(end, y2, into) : svg("circle", { cx: end + 4 * into, cy: y2, r: 3.5 }), svg("title", {}, one.many ? `many to many: ${one.key}` : one.key));
}

function box(entity, { x, y, tall, shown }, table) {
  const name = entity.name.length > 19 ? `${entity.name.slice(0, 18)}…` : entity.name;
  const path = to("table", entity.name);
  const open = (event) => (event.preventDefault(), event.stopPropagation(), go(path));
  return svg("a", { href: path, class: "box", onclick: open },
    svg("rect", { x, y, width: WIDE, height: tall, rx: 8 }),
    svg("text", { x: x + 14, y: y + 22, class: "name" }, name),
    svg("text", { x: x + 14, y: y + 38, class: "faint" }, table ? `${number(table.rows)} rows` : ""),
    shown.map((column, at) => svg("text", { x: x + 14, y: y + HEAD + 14 + at * LINE, class: at === MOST - 1 && shown.length === MOST && column.startsWith("and ") ? "faint" : "" }, column.length > 24 ? `${column.slice(0, 23)}…` : column)));
}
