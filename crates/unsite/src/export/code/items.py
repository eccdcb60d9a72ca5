# --- from a page to its item ---

MEMO = threading.local()  # what is known of the page that a thread is reading
PATHS = {}  # those that were asked for, ready to be asked again


def extract(html, url, page_type=None):
    """The tables of one page, lists inside the rows they belong to. None for a page of no known type."""
    root = tree(html)
    page_type = page_type or recognise(root, url)
    chosen = next((t for t in PAGE_TYPES if t["name"] == page_type), None)
    if chosen is None:
        return None
    MEMO.names, MEMO.kinds, MEMO.said = chosen["names"], {}, {}
    MEMO.shows, MEMO.texts = shows(root), texts_of_page(root)
    MEMO.order = {found["key"]: at for at, found in enumerate(MEMO.texts)}
    page = {"root": root, "url": url, "base": base(root, url), "places": places(root)}
    item = {"_page_type": chosen["name"], "_url": url}
    item.update(columns_of(root.getroottree(), chosen["columns"], page))
    with_lists(item, lists_of(root.getroottree(), chosen["lists"], page))
    if "links" in chosen:
        with_lists(item, {chosen["links"]["table"]: links_of(root, chosen["links"], page)})
    pass_on(item, {chosen["table"]: item}, chosen["inherits"])
    return item


def columns_of(node, columns, page):
    """The first value of each column, or None. Text that flows on is put to the one before it."""
    found = {}
    for name, reads in columns.items():
        hits = [(n, read, flows) for read, path, flows in reads for n in find(node, path)]
        if len(reads) > 1:
            hits.sort(key=lambda hit: place(hit[0], page))
        value = None
        for hit, read, flows in hits:
            more = read(hit, page)
            if more and value is None:
                value = more
            elif more and flows:
                value += "\n" + more
            elif more:
                break
        found[name] = value
    return found


def lists_of(node, lists, page):
    """The rows of each list. A record may span several siblings: those that continue belong to the one before; one that
    comes again is a row of its own under the same heading."""
    found = {}
    for one in lists:
        hits = [(n, kind) for kind in one["rows"] for top in find(node, kind["path"]) for n in inner(top, kind)]
        hits.sort(key=lambda hit: place(hit[0], page))
        rows = found.setdefault(one["table"], [])
        heading, headed = {}, None
        for hit, kind in hits:
            row = with_lists(columns_of(hit, kind["columns"], page), lists_of(hit, kind["lists"], page))
            if kind["continues"] and rows and kind.get("again"):
                if headed == (len(rows), id(kind)):
                    rows.append({**row, **heading})
                    headed = len(rows), id(kind)
                    continue
                heading, headed = {name: value for name, value in rows[-1].items() if value}, (len(rows), id(kind))
            if kind["continues"] and rows:
                for name, value in row.items():
                    if isinstance(value, list):
                        rows[-1].setdefault(name, []).extend(value)
                    elif rows[-1].get(name) is None:
                        rows[-1][name] = value
            else:
                rows.append(row)
    return found


def inner(row, kind):
    """The row, and the rows of the same list that stand inside it."""
    found = [row]
    for path in kind["inner"] if not isinstance(row, str) else []:
        found += [below for one in find(row, path) for below in inner(one, kind)]
    return found


def links_of(root, links, page):
    """A row for each page that links on these paths of tags lead to; of several to one page the first counts."""
    own, rows = page["url"].split("#")[0], {}
    for link in root.iter("a"):
        steps = [link.tag, *(above.tag for above in link.iterancestors())]
        target = absolute(link.get("href"), page["base"]).split("#")[0]
        is_new = target.startswith("http") and target != own and target not in rows
        if is_new and "/".join(reversed(steps)) in links["paths"]:
            said = visible(link).replace("\n", " ") or " ".join(image.get("alt") or "" for image in link.iter("img"))
            rows[target] = dict(zip(links["columns"], (target, page["url"], collapse(said) or None)))
    return list(rows.values())


def pass_on(row, above, rules):
    """Rows under a heading are about what the heading says: each of them has its value too."""
    for name, rows in row.items():
        table = name.removesuffix("_rows") if isinstance(rows, list) and name + "_rows" not in row else name
        for inner in rows if isinstance(rows, list) else []:
            for of, column, from_table, from_column in rules:
                has_any = any(value is not None and value != [] for value in inner.values())
                if of in (table, name) and has_any and inner.get(column) is None and from_table in above:
                    inner[column] = above[from_table].get(from_column)
            pass_on(inner, {**above, table: inner, name: inner}, rules)


def with_lists(row, lists):
    """The row with the lists in it; one that is called like a column is told from it by its ending."""
    for name, rows in lists.items():
        row[name + "_rows" if name in row else name] = rows
    return row


def find(node, path):
    if path == ".":
        return [node]
    if path not in PATHS:
        PATHS[path] = etree.XPath(path, extensions=FUNCTIONS)
    return PATHS[path](node)


def places(root):
    """Where elements begin and end in the order of the page."""
    order, number = {}, 0
    for event, element in etree.iterwalk(root, events=("start", "end", "comment", "pi")):
        number += 1
        order.setdefault(element, [number, number])[1] = number
    return order


def place(node, page):
    if not isinstance(node, str):
        return page["places"][node][0]
    parent = node.getparent()
    return page["places"][parent][0 if node.is_text else 1] + 0.5


def main():
    """Reads JSON lines of {url, html} and writes what stands on each page as JSON lines; of a page of no known type its
    address alone."""
    for line in sys.stdin:
        page = json.loads(line)
        item = extract(page["html"], page["url"], page.get("page_type")) or {"_page_type": None, "_url": page["url"]}
        print(json.dumps(item, ensure_ascii=False))
