#!/usr/bin/env python3
"""How quick the studio is: start, edit to updated table, page view, rows of a large table, memory.

    scripts/studio_speed.py UNSITE SOURCE [--rows N] [--edits N]

SOURCE is pages; a wrapper is learned from them first. The large table is made here. Beside every time stands the time of
the smallest question (`api/state`) in the same run, which tells how busy the machine is.
"""

import argparse
import json
import os
import sqlite3
import statistics
import subprocess
import tempfile
import time
import urllib.parse
import urllib.request


class Studio:
    def __init__(self, unsite, *words, state):
        start = time.monotonic()
        self.process = subprocess.Popen(
            [unsite, "studio", *words, "--no-open", "--port", "0", "-q"],
            stdout=subprocess.PIPE, env={**os.environ, "XDG_STATE_HOME": state})
        self.url = self.process.stdout.readline().decode().strip()
        self.get("api/overview")
        self.start = time.monotonic() - start

    def get(self, path, **query):
        address = self.url + urllib.parse.quote(path) + ("?" + urllib.parse.urlencode(query) if query else "")
        with urllib.request.urlopen(address) as answer:
            return answer.read()

    def post(self, path, body):
        origin = self.url[: self.url.index("/", 8)]
        request = urllib.request.Request(
            self.url + path, json.dumps(body).encode(), {"content-type": "application/json", "origin": origin})
        with urllib.request.urlopen(request) as answer:
            return answer.read()

    def memory(self):
        with open(f"/proc/{self.process.pid}/status") as status:
            peak = next(line for line in status if line.startswith("VmHWM"))
        return int(peak.split()[1]) / 1024

    def stop(self):
        self.process.terminate()
        self.process.wait()


def timed(question):
    start = time.monotonic()
    question()
    return 1000 * (time.monotonic() - start)


def told(what, times):
    times = sorted(times)
    p95 = times[min(len(times) - 1, int(0.95 * len(times)))]
    print(f"{what:44} n {len(times):4}  median {statistics.median(times):8.1f} ms  p95 {p95:8.1f} ms")


def edits(studio, count):
    """Renames, drops, types and undoing, over the shown columns of all tables, each followed by the rows of its table."""
    times = []
    for number in range(count):
        tables = [table for table in json.loads(studio.get("api/overview"))["tables"] if not table["hidden"]]
        table = tables[number % len(tables)]
        columns = [column["name"] for column in table["columns"] if not column["hidden"] and column["name"] != "url"]
        if not columns:
            continue
        column = columns[number % len(columns)]
        edit = [
            {"rename_column": {"table": table["name"], "column": column, "to": f"renamed_{number}"}},
            {"retype_column": {"table": table["name"], "column": column, "to": "text"}},
            {"drop_column": {"table": table["name"], "column": column}},
        ][number % 3]

        def change():
            studio.post("api/edits", {"edits": [edit]})
            studio.get(f"api/table/{table['name']}", limit=100)

        times.append(timed(change))
        if number % 3 == 2:
            times.append(timed(lambda: (studio.post("api/undo", {}), studio.get(f"api/table/{table['name']}", limit=100))))
    return times


def large(path, rows):
    """A database as `unsite run` writes it, with one large table."""
    db = sqlite3.connect(path)
    db.executescript(
        """CREATE TABLE _pages(id INTEGER PRIMARY KEY, ref TEXT, url TEXT, page_type TEXT);
           CREATE TABLE _page_types(name TEXT, pages INTEGER, role TEXT, url_pattern TEXT, confidence REAL);
           CREATE TABLE _tables(name TEXT, original_name TEXT, page_type TEXT, parent TEXT, kind TEXT, why TEXT);
           CREATE TABLE _columns(id INTEGER PRIMARY KEY, table_name TEXT, column_name TEXT, type TEXT, selector TEXT, label TEXT,
               confidence REAL, coverage REAL, original_name TEXT, hidden INTEGER, note TEXT);
           CREATE TABLE _problems(kind TEXT, ref TEXT, url TEXT, byte_offset INTEGER, message TEXT);
           CREATE TABLE _meta(key TEXT PRIMARY KEY, value TEXT);
           INSERT INTO _meta VALUES ('format', '2');
           INSERT INTO _tables VALUES ('thing', 'thing', NULL, NULL, 'entity', '');
           CREATE TABLE thing(id INTEGER PRIMARY KEY, page_id INTEGER, name TEXT, price REAL, stock INTEGER, colour TEXT, note TEXT)""")
    for at, (name, kind) in enumerate([("name", "text"), ("price", "money"), ("stock", "integer"), ("colour", "text"), ("note", "text")]):
        db.execute("INSERT INTO _columns VALUES (?, 'thing', ?, ?, 'div', NULL, 1, 1, ?, 0, '')", (at + 1, name, kind, name))
    colours = ["red", "green", "blue", "black", "white"]
    db.executemany(
        "INSERT INTO thing VALUES (?, NULL, ?, ?, ?, ?, ?)",
        ((at, f"thing number {at}", (at * 7919 % 100000) / 100, at % 97, colours[at % 5], f"what is said of {at % 1000}")
         for at in range(1, rows + 1)))
    db.commit()
    db.close()


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("unsite")
    arguments.add_argument("source")
    arguments.add_argument("--rows", type=int, default=1_000_000)
    arguments.add_argument("--edits", type=int, default=60)
    given = arguments.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        wrapper = os.path.join(folder, "site.unsite")
        subprocess.run([given.unsite, "learn", given.source, "-w", wrapper, "-q"], check=True)
        studio = Studio(given.unsite, given.source, "-w", wrapper, state=folder)
        pages = json.loads(studio.get("api/overview"))["pages"]
        print(f"{given.source}: {pages} pages; start to the overview {studio.start:.2f} s")
        told("the smallest question", [timed(lambda: studio.get("api/state")) for _ in range(100)])
        told("edit to updated table", edits(studio, given.edits))
        step = max(1, pages // 100)
        told("page, drawn, and what was read off it", [
            timed(lambda: (studio.get(f"view/{at}"), studio.get(f"api/page/{at}"))) for at in range(0, pages, step)])
        print(f"memory {studio.memory():.0f} MiB at most")
        studio.stop()
        database = os.path.join(folder, "large.db")
        large(database, given.rows)
        studio = Studio(given.unsite, database, state=folder)
        print(f"a table of {given.rows} rows; start to the overview {studio.start:.2f} s")
        places = [at * 7919 * 100 % given.rows for at in range(200)]
        told("a page of rows anywhere", [timed(lambda: studio.get("api/table/thing", offset=at, limit=100)) for at in places])
        print(f"sorted by price for the first time {timed(lambda: studio.get('api/table/thing', sort='-price')):.0f} ms")
        told("a page of rows anywhere, sorted", [
            timed(lambda: studio.get("api/table/thing", sort="-price", offset=at, limit=100)) for at in places])
        print(f"searched for the first time {timed(lambda: studio.get('api/table/thing', q='number 77')):.0f} ms")
        told("a page of rows anywhere, of those found", [
            timed(lambda: studio.get("api/table/thing", q="number 77", offset=at % 2000, limit=100)) for at in places])
        print(f"memory {studio.memory():.0f} MiB at most")
        studio.stop()


if __name__ == "__main__":
    main()
