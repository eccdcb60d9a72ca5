// What the journeys share: the studio as a process, a browser, the wrapper and the database afterwards.

import { execFileSync, spawn } from "node:child_process";
import fs from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";

export const { UNSITE, WORK, TOOLS, CHROMIUM } = process.env;
const require = createRequire(path.join(path.resolve(TOOLS), "studio.js"));
export const { chromium } = require("playwright-core");
export const axe = fs.readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");

export const at = (...names) => path.join(WORK, ...names);

// The program itself, to its end.
export const unsite = (...words) => execFileSync(UNSITE, words, { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });

export const log = (wrapper) => JSON.parse(unsite("edit", wrapper, "--json")).edits.map(({ seen, ...edit }) => edit);

// Extracts with a wrapper as it is kept, and asks the database.
export function extracted(wrapper, pages = at("site.jsonl")) {
  const db = `${wrapper}.db`;
  unsite("extract", pages, "-w", wrapper, "-o", db, "--replace", "-q");
  return database(db);
}

export function database(db) {
  const ask = (sql) => JSON.parse(execFileSync("python3", ["-c",
    "import sqlite3,sys,json\ndb=sqlite3.connect(sys.argv[1])\nprint(json.dumps(db.execute(sys.argv[2]).fetchall()))", db, sql], { encoding: "utf8" }));
  return { path: db, ask, columns: (table) => ask(`SELECT name FROM pragma_table_info('${table}')`).map(([name]) => name),
    tables: () => ask("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '\\_%' ESCAPE '\\'").map(([name]) => name) };
}

// Studios that are still there when a journey fails.
const running = new Set();
process.on("exit", () => running.forEach((child) => child.kill("SIGKILL")));

// A studio of its own on a copy of the wrapper.
export async function studio(name, options = {}) {
  const wrapper = options.wrapper || at(`${name}.unsite`);
  if (!options.wrapper) fs.copyFileSync(at("learned.unsite"), wrapper);
  const child = spawn(UNSITE, ["studio", options.source || at("site.jsonl"), "-w", wrapper, "--no-open", "--port", "0", ...(options.more || [])],
    { stdio: ["ignore", "pipe", "pipe"], env: { ...process.env, XDG_STATE_HOME: at("state") } });
  running.add(child);
  child.on("exit", () => running.delete(child));
  let said = "";
  child.stderr.on("data", (data) => (said += data));
  const url = await new Promise((resolve, reject) => {
    let out = "";
    child.stdout.on("data", (data) => {
      out += data;
      if (out.includes("\n")) resolve(out.trim());
    });
    child.on("exit", (code) => reject(new Error(`the studio ended with ${code}: ${said}`)));
  });
  const stop = () => new Promise((resolve) => {
    child.removeAllListeners("exit");
    child.on("exit", (code) => resolve({ code, said }));
    child.kill("SIGTERM");
  });
  return { url, wrapper, stop, said: () => said };
}

export async function launch() {
  return chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update", "--disable-sync"] });
}

// The same whatever the order of keys.
const plain = (value) =>
  JSON.stringify(value, (_, one) => (one && typeof one === "object" && !Array.isArray(one) ? Object.fromEntries(Object.entries(one).sort()) : one));

export function same(left, right, what) {
  const [a, b] = [plain(left), plain(right)];
  if (a !== b) throw new Error(`${what}: ${a} is not ${b}`);
}

export function holds(condition, what) {
  if (!condition) throw new Error(what);
}
