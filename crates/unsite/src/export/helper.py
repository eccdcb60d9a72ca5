# --- how values are read; nothing below knows the site ---

NAMESPACES = {"re": "http://exslt.org/regular-expressions"}
FIRST = "normalize-space(descendant-or-self::text()[normalize-space()][1])"
LAST = "normalize-space(descendant-or-self::text()[normalize-space()][last()])"
TEXTS = "count(descendant-or-self::text()[normalize-space()])"
SKIPPED = set("head script style template textarea iframe noembed noframes datalist audio video canvas object".split())
CELLS = set("td th option button".split())
UNSEEN = "script style textarea iframe noembed noframes".split()
TABLE_PARTS = "caption colgroup col thead tbody tfoot tr td th".split()
CLOSE_PARAGRAPHS = set(
    "article aside details dialog figcaption figure footer header hgroup main nav search section summary".split()
)
BLOCKS = set(
    "address article aside blockquote body br caption center dd details dialog dir div dl dt fieldset figcaption "
    "figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr html legend li main menu nav ol optgroup p pre search "
    "section select summary table tbody tfoot thead tr ul".split()
)


def quoted(text):
    """The text as an XPath string."""
    if '"' not in text:
        return f'"{text}"'
    return "concat(" + ", '\"', ".join(f'"{part}"' for part in text.split('"')) + ")"


def labelled(label, labels, own_kind):
    """An XPath condition: the node begins with this label, or this is the last of the labels before it."""
    every = quoted("|" + "|".join(labels) + "|")
    known, own = f"contains({every}, concat('|', {FIRST}, '|'))", owns(label)
    return f"{no_label(labels)}[{own} or not({known}) and {before(every, own_kind)}[{LAST} = {quoted(label)}]]"


def before(every, own_kind):
    """The sibling whose last words are the label before a node; the last words of one row say nothing about the next."""
    last = f"preceding-sibling::node()[normalize-space()][contains({every}, concat('|', {LAST}, '|'))][1]"
    return f"{last}[not(self::{own_kind} and {TEXTS} > 1)]" if own_kind else last


def owns(label):
    """An XPath condition: the node's text begins with the label, or is a value and then the label."""
    if label[-1] in ":： ":
        return f"starts-with({FIRST}, {quoted(label)})"
    return f"{FIRST} = {quoted(label)} or {TEXTS} = 2 and {LAST} = {quoted(label)}"


def unlabelled(others, labels, own_kind):
    """An XPath condition: none of the other labels introduces the node, and it is no label itself."""
    every, other = quoted("|" + "|".join(labels) + "|"), quoted("|" + "|".join(others) + "|")
    own = " or ".join(owns(label) for label in others)
    known = f"contains({every}, concat('|', {FIRST}, '|'))"
    above = f"not({known}) and {before(every, own_kind)}[contains({other}, concat('|', {LAST}, '|'))]"
    return f"{no_label(labels)}[not({own} or {above})]"


def no_label(labels):
    """An XPath condition: the node is more than one of the labels."""
    every = quoted("|" + "|".join(labels) + "|")
    return f"[not(contains({every}, concat('|', normalize-space(), '|')))]"


def text(path, flows=False):
    """The text of a text node."""
    return (lambda node, page: collapse(node)), path, flows


def prose(path, flows=False):
    """What a reader sees of an element, blocks on lines of their own."""
    return (lambda node, page: visible(node)), path, flows


def words(path, flows=False):
    """All texts of an element, a space between them."""
    return (lambda node, page: " ".join(texts(node))), path, flows


def attribute(name, path, flows=False):
    """An attribute; links and pictures as absolute addresses."""
    if name in ("href", "src"):
        return (lambda node, page: absolute(node.get(name), page["base"])), path, flows
    return (lambda node, page: collapse(node.get(name) or "")), path, flows


def head(name):
    """What the head says: the title, or the content of the meta element of that name."""
    return (lambda node, page: meta(page["root"], name)), "/html", False


def data(path):
    """What the page says to machines in JSON-LD, by type and path: "Product.offers.price"."""
    return (lambda node, page: json_ld(page).get(path)), "/html", False


def address():
    """The page's own."""
    return (lambda node, page: page["url"]), "/html", False


def lead(whole):
    """The first paragraph of a text."""
    read, path, _ = whole
    return (lambda node, page: (read(node, page) or "").split("\n")[0]), path, False


def trail(path):
    """The crumbs that lead to the page, without the page itself."""
    return (lambda node, page: crumbs(node)), path, False


def crumbs(node):
    """The texts below a node by the link or item they stand in; a last one without a link is the page itself."""
    found = []
    for text in node.xpath(".//text()[normalize-space()]"):
        if not any(c.isalnum() for c in text):
            continue
        element = text.getparent().getparent() if text.is_tail else text.getparent()
        around = [element, *element.iterancestors()]
        around = around[: around.index(node)]
        link = next((e for e in around if e.tag == "a"), None)
        item = next((e for e in reversed(around) if e.tag == "li"), None)
        key = link if link is not None else item if item is not None else text
        if found and found[-1][0] is key:
            found[-1][1] += " " + collapse(text)
        else:
            found.append([key, collapse(text), link is not None])
    if found and not found[-1][2]:
        found.pop()
    return " > ".join(words for _, words, _ in found)


def part(constants, index, whole):
    """What stands between the constant words of a value."""
    read, path, flows = whole
    return (lambda node, page: between(read(node, page) or "", constants, index)), path, flows


def extract(html, url, page_type=None):
    """The tables of one page, lists inside the rows they belong to. None for a page of no known type."""
    chosen = next((t for t in PAGE_TYPES if t["name"] == (page_type or route(url))), None)
    if chosen is None:
        return None
    root = tree(html)
    page = {"root": root, "url": url, "base": base(root, url), "places": places(root)}
    item = {"_page_type": chosen["name"], "_url": url}
    item.update(columns_of(root.getroottree(), chosen["columns"], page))
    with_lists(item, lists_of(root.getroottree(), chosen["lists"], page))
    if "links" in chosen:
        with_lists(item, {chosen["links"]["table"]: links_of(root, chosen["links"], page)})
    pass_on(item, {chosen["table"]: item}, chosen["inherits"])
    return item


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


def route(url):
    """The page type whose address pattern fits best: with the query before without, longer before shorter."""
    found = re.sub(r"^[a-z]+://[^/?#]*", "", url).split("#")[0] or "/"

    def fits(pattern, address):
        return re.fullmatch(".*".join(re.escape(part) for part in pattern.split("*")), address)

    def how_well(t):
        return (bool(fits(t["url"], found)), len(t["url"]))

    path = found.split("?")[0]
    fitting = [t for t in PAGE_TYPES if t["url"] and (fits(t["url"], found) or fits(t["url"].split("?")[0], path))]
    return max(fitting, key=how_well)["name"] if fitting else None


def tree(html):
    """The page as browsers see it, every white space a plain one, and without texts that nobody sees."""
    root = Selector(text=html or "<html></html>").root
    for element in root.iter():
        element.text, element.tail = plain(element.text), plain(element.tail)
    for unseen in root.iter(UNSEEN):
        unseen.attrib["data-said"], unseen.text = unseen.text or "", None  # JSON-LD is read off it
    for stray in list(root.iter(TABLE_PARTS)):
        if next(stray.iterancestors("table", "template"), None) is None:
            unwrap(stray)
    for block in list(root.iter(CLOSE_PARAGRAPHS)):
        if block.getparent() is not None and block.getparent().tag == "p":
            leave_paragraph(block)
    for table in list(root.iter("table")):
        body = None
        for child in list(table):
            if child.tag != "tr":
                body = None if isinstance(child.tag, str) else body
                continue
            if body is None:
                body = table.makeelement("tbody")
                table.insert(table.index(child), body)
            body.append(child)
    return root


def unwrap(element):
    """Browsers pass over the tags of table parts outside tables, and keep what is in them."""
    text_before(element, element.text)
    for below in list(element):
        element.addprevious(below)
    tail, element.tail = element.tail, None
    text_before(element, tail)
    element.getparent().remove(element)


def text_before(element, text):
    before = element.getprevious()
    if before is None:
        element.getparent().text = (element.getparent().text or "") + (text or "")
    else:
        before.tail = (before.tail or "") + (text or "")


def leave_paragraph(block):
    """Browsers close a paragraph before a block: the block and what follows it stand behind the paragraph."""
    paragraph = block.getparent()
    above, behind = paragraph.getparent(), paragraph
    tail, paragraph.tail = paragraph.tail, None
    for moved in [block, *block.itersiblings()]:
        behind.addnext(moved)
        behind = moved
    behind.tail = (behind.tail or "") + (tail or "")


def plain(text):
    """The text with plain spaces, and without characters that lxml does not take back."""
    return text and re.sub(r"[\x00-\x1b\x7f\ufffe\uffff]", "", re.sub(r"\s", " ", text))


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


def find(node, path):
    return [node] if path == "." else node.xpath(path, namespaces=NAMESPACES)


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


def between(text, constants, index):
    """The part of a text behind the constant of that number; nothing when the text is built otherwise."""
    text = text.strip()
    first, *middle, last = constants
    if not text.startswith(first) or not apart(first, text[len(first):]):
        return ""
    text = text[len(first):]
    if not text.endswith(last) or not apart(text[: len(text) - len(last)], last):
        return ""
    text, parts = text[: len(text) - len(last)], []
    for constant in middle:
        for found in re.finditer(re.escape(constant), text):
            left, right = text[: found.start()], text[found.end() :]
            is_word = any(c.isalnum() for c in constant)
            loose = not left or not right or left.endswith(" ") or right.startswith(" ")
            if apart(left, constant) and apart(constant, right) and (is_word or loose):
                break
        else:
            return ""
        parts.append(left.strip())
        text = right
    parts.append(text.strip())
    return parts[index] if all(parts) else ""


def apart(left, right):
    """No word runs over the border."""
    return not (left[-1:].isalnum() and right[:1].isalnum())


def collapse(text):
    return " ".join(text.split())


def texts(top):
    return [collapse(raw) for kind, raw in walk(top) if kind == "text" and raw.strip()]


def walk(top):
    """The texts below an element as they stand, and what parts them: ("part", "\\n" or " "), ("hidden", 1 or -1)."""
    skipped = drawing = lettering = 0
    for event, element in etree.iterwalk(top, events=("start", "end", "comment", "pi")):
        tag, step = element.tag, 1 if event == "start" else -1
        if element is not top and event in ("start", "end"):
            if tag in SKIPPED:
                skipped += step
            elif not skipped:
                drawing += step if tag == "svg" else 0
                lettering += step if tag == "text" else 0
                if tag in BLOCKS or tag in CELLS:
                    yield "part", "\n" if tag in BLOCKS else " "
                if hides(element):
                    yield "hidden", step
        raw = element.text if event == "start" else element.tail if element is not top else None
        if raw and not skipped and (lettering or not drawing):
            yield "text", raw


def hides(element):
    style = re.findall(r"(?:^|;)\s*display\s*:\s*([^;!\s]+)", element.get("style") or "", re.I)
    return element.get("hidden") is not None or bool(style) and style[-1].lower() == "none"


def visible(top):
    out, part, blank, space, hidden = [], None, False, False, 0
    for kind, what in walk(top):
        if kind == "part":
            part = "\n" if "\n" in (part, what) else what
        elif kind == "hidden":
            hidden += what
        elif not what.strip():
            blank = True
        elif hidden:
            blank = False
        else:
            if out:
                out.append(part or (" " if space or what[0].isspace() or blank else ""))
            out.append(collapse(what))
            part, blank, space = None, False, what[-1].isspace()
    return "".join(out)


def meta(root, name):
    if name == "title":
        titles = root.xpath("//title")
        return "".join(collapse(t) for t in titles[0].itertext()) if titles else ""
    for element in root.iter("meta"):
        own = element.get("name", element.get("property"))
        if own is not None and own.strip().lower() == name and element.get("content") is not None:
            return collapse(element.get("content"))
    return ""


def json_ld(page):
    """The values by path. A path that stands there several times says nothing: which is meant does not show."""
    if "data" not in page:
        found = {}
        for path, value in (leaf for top in json_items(page["root"]) for leaf in leaves_of(top)):
            found[path] = None if path in found else value
        page["data"] = found
    return page["data"]


def json_items(root):
    """The things that the scripts speak of, one by one."""
    for script in root.iter("script"):
        if (script.get("type") or "").split(";")[0].strip().lower() != "application/ld+json":
            continue
        raw = re.sub(r"^(\ufeff|<!--|//|/\*|\*/|<!\[CDATA\[|\s)+|(-->|//|/\*|\*/|\]\]>|;|\s)+$", "", script.get("data-said") or "")
        for attempt in (raw, re.sub(r",\s*([}\]])", r"\1", raw)):
            try:
                waiting = [json.loads(attempt, strict=False)]
                break
            except (ValueError, RecursionError):
                waiting = []
        while waiting:
            value = waiting.pop()
            if isinstance(value, list):
                waiting += value
            elif isinstance(value, dict):
                yield value
                waiting.append(value.get("@graph"))


def leaves_of(top):
    """Paths below a thing, its type in front, with their values."""
    kind = top.get("@type") or ""
    kind = (kind[0] if isinstance(kind, list) and kind else kind) or ""
    kind = re.split(r"[/#:]", kind.rstrip("/"))[-1] if isinstance(kind, str) else ""
    waiting = [(kind, "", top)]
    while waiting:
        path, name, value = waiting.pop()
        if isinstance(value, dict):
            for key, below in value.items():
                if not key.startswith("@") or key == "@value":
                    step = "" if key == "@value" else key
                    waiting.append((".".join(filter(None, (path, step))), step, below))
        elif isinstance(value, list):
            waiting += [(path, name, below) for below in value]
        elif value is not None and value != "":
            yield path, collapse(json.dumps(value) if not isinstance(value, str) else value)


def base(root, url):
    declared = root.xpath("//base/@href")
    return urljoin(url, declared[0].strip()) if declared else url


def absolute(raw, base):
    """The address as browsers write it."""
    raw = re.sub(r"[\t\r\n]", "", raw or "").strip()
    place = raw.startswith("#") and not re.search("[0-9]", raw)
    if not raw or place or raw.startswith(("data:", "javascript:")):
        return ""
    parts = urlsplit(urljoin(base, raw))
    if parts.scheme not in ("http", "https", "file"):
        return urljoin(base, raw)
    host = parts.netloc.lower() if "@" not in parts.netloc else parts.netloc
    for scheme, port in (("http", ":80"), ("https", ":443")):
        host = host.removesuffix(port) if parts.scheme == scheme else host
    path = quote(parts.path or "/", safe="%/:@!$&'()*+,;=-._~|[]^\\")
    query = quote(parts.query, safe="%/:@!$&()*+,;=-._~?|[]^`{}\\")
    fragment = quote(parts.fragment, safe="%/:@!$&'()*+,;=-._~?#|[]^{}\\")
    file = path.rsplit("/", 1)[-1]
    name = file.rsplit(".", 1)[0] if "." in file else file
    if len(name.encode()) >= 3 and fragment.endswith(name):
        fragment = ""
    return urlunsplit((parts.scheme, host, path, query, fragment)) + ("?" if raw.endswith("?") else "")


def main():
    """Reads JSON lines of {url, html} and writes what stands on each page as JSON lines."""
    for line in sys.stdin:
        page = json.loads(line)
        print(json.dumps(extract(page["html"], page["url"], page.get("page_type")), ensure_ascii=False))
