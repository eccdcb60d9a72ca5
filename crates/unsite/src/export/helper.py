# --- how values are read; nothing below knows the site ---

NAMESPACES = {"re": "http://exslt.org/regular-expressions"}
LISTS, SEARCHED = {}, []  # the lists that XPath speaks of, with their numbers; the same to search in
MEMO = {}  # what is known of the page that is being read
STATES = set("odd even first last alt active current selected hover on row1 row2 bg1 bg2 clearfix clear".split())
SHAPE_FEATURES, SHAPE_DEPTH, LEAST_SHAPE = 48, 4, 0.1
LABEL_BYTES, LABEL_WORDS = 40, 3
INLINE = set("a abbr b bdi code data em font i ins mark small span strong sub sup u".split())
ENDS, JOINTS, WORD_END, WORD_PIECES = set("()[]{},;|<>"), set("./-_@"), r"[\s()\[\]{},;|<>]", 8
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


def labelled(label, labels):
    """An XPath condition: the node begins with this label, or this is the last of the labels before it."""
    return f"{no_label(labels)}[introduced(., {number(labels)}) = {quoted(label)}]"


def unlabelled(others, labels):
    """An XPath condition: none of the other labels introduces the node, and it is no label itself."""
    return f"{no_label(labels)}[not(is-among(introduced(., {number(labels)}), {number(others)}))]"


def no_label(labels):
    """An XPath condition: the node is more than one of the labels."""
    return f"[not(is-label(., {number(labels)}))]"


def shaped(shapes, which):
    """An XPath condition: of the blocks that were learned here, the node is most like this one inside."""
    return f"[likest(., {number(map(frozenset, shapes))}) = {which}]"


def number(values):
    """XPath knows lists by their number."""
    return LISTS.setdefault(tuple(values), len(LISTS))


def text(path, flows=False):
    """The text of a text node."""
    return (lambda node, page: collapse(node)), path, flows


def prose(path, flows=False):
    """What a reader sees of an element, blocks on lines of their own."""
    return (lambda node, page: visible(node)), path, flows


def words(path, flows=False):
    """All texts of an element on one line."""
    return (lambda node, page: line(node)), path, flows


def word(path, flows=False):
    """The whole word that the text of an element begins and texts behind it go on with."""
    return (lambda node, page: whole_word(node)), path, flows


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
    MEMO.clear()
    MEMO.update(names=chosen.get("names", ((), ())), shows=shows(root), said={}, texts=texts_of_page(root))
    MEMO["order"] = {found["key"]: at for at, found in enumerate(MEMO["texts"])}
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


def xpath_function(function):
    set_xpathfunc(function.__name__.replace("_", "-"), function)
    return function


@xpath_function
def is_among(context, label, labels):
    return label in listed(labels)


def listed(number):
    """The list of that number, one to search in."""
    if len(SEARCHED) < len(LISTS):
        SEARCHED[:] = [values if isinstance(values[0], frozenset) else set(values) for values in LISTS]
    return SEARCHED[int(number)]


@xpath_function
def introduced(context, nodes, labels):
    """The label that introduces a node, or nothing."""
    said = introduction(nodes[0], labels)
    is_next_row = said["closed"] is not None and kind(said["closed"]) == kind(nodes[0])
    return said["behind"] or said["own"] or ("" if is_next_row else said["before"])


@xpath_function
def is_label(context, nodes, labels):
    """Is the node a label and nothing else?"""
    return introduction(nodes[0], labels)["alone"]


@xpath_function
def likest(context, nodes, shapes):
    """The number of the shape that is most like what is inside a node; -1 where none is."""
    own = inside(nodes[0])
    likeness = [len(own & shape) / len(own | shape) if own | shape else 1 for shape in listed(shapes)]
    best = max(range(len(likeness)), key=likeness.__getitem__)
    return best if likeness[best] >= LEAST_SHAPE else -1


def inside(node):
    """What a block looks like: the paths of kinds near its top."""
    found, level = {}, [] if isinstance(node, str) else [(node, "")]
    for _ in range(SHAPE_DEPTH):
        below = []
        for parent, path in level:
            for element, where in shown(parent):
                step = path + ("text()" if where else kind(element))
                found[step] = True
                if not where:
                    below.append((element, step + "/"))
                if len(found) >= SHAPE_FEATURES:
                    return set(found)
        level = below
    return set(found)


def kind(node):
    """An element by its tag and those of its class and id names that the site's templates use."""
    if isinstance(node, str):
        return "text()"
    classes = re.findall(r"[^ \t\n\r\f]+", node.get("class") or "")[:32]
    raw = [name for name in classes if name not in STATES]
    raw += ["#" + name for name in [(node.get("id") or "").strip()] if name]
    raw = [re.sub("[0-9]+", "#", name) for name in raw]
    known, families = MEMO["names"]
    own, ending = {name for name in raw if name in known}, ""
    if not own:
        begun = (re.match("[^-_]+[-_]", name) for name in raw)
        own, ending = {found.group() for found in begun if found and found.group() in families}, "*"
    return node.tag + "".join(("" if name[0] == "#" else ".") + name + ending for name in sorted(own))


def shows(root):
    """The elements that show something: a text or a picture."""
    found = set()
    said = [(sort, element) for sort, raw, element in walk(root) if sort in ("text", "tail") and raw.strip()]
    texts_in = [element if sort == "text" else element.getparent() for sort, element in said]
    for element in [*texts_in, *root.iter("img")]:
        while element is not None and element not in found:
            found.add(element)
            element = element.getparent()
    return found


def shown(parent):
    """What is below an element and shows something: an element, or a text as the element that it is in or behind."""
    if (parent.text or "").strip() and parent in MEMO["shows"]:
        yield parent, "text"
    for child in parent:
        if child in MEMO["shows"]:
            yield child, None
        if (child.tail or "").strip() and parent in MEMO["shows"]:
            yield child, "tail"


def introduction(node, labels):
    """What labels say of a node: see `introductions`."""
    is_text = isinstance(node, str)
    element, where = (node.getparent(), "tail" if node.is_tail else "text") if is_text else (node, None)
    parent = element if where == "text" else element.getparent()
    if (parent, labels) not in MEMO["said"]:
        MEMO["said"][parent, labels] = introductions(parent, listed(labels))
    return MEMO["said"][parent, labels].get((element, where)) or dict.fromkeys(("alone", "own", "behind", "before", "closed"))


def introductions(parent, labels):
    """For each child whether it is a label alone, the label it begins with, the one behind its value, the last label
    before it, and the row that ended with that: the last words of one row say nothing about the next."""
    found, before, closed = {}, "", None
    for element, where in shown(parent) if parent is not None else ():
        said = texts(element) if where is None else [collapse(getattr(element, where))]
        first, last = (said[0], said[-1]) if said else ("", "")
        own = label_in(first, labels) if said else ""
        alone = len(said) == 1 and own == first
        trailing = last if len(said) > 1 and label_in(last, labels) == last else ""
        behind = trailing if not own and len(said) == 2 and not trailing.endswith((":", "\uff1a")) else ""
        found[element, where] = {"alone": alone, "own": own, "behind": behind, "before": before, "closed": closed}
        if alone:
            before, closed = own, None
        elif trailing:
            before, closed = trailing, element
    return found


def label_in(text, labels):
    """The known label of a text: all of it, what stands before its colon, or its first words."""
    if text in labels:
        return text
    label = inline_label(text)
    if label in labels:
        return label
    words, length = [], 0
    for at, c in enumerate(text):
        if c == " ":
            if len(words) == LABEL_WORDS or length >= LABEL_BYTES:
                break
            words.append(text[: at + 1])
        elif not c.isalpha() and c != "-":
            break
        length += len(c.encode())
    return next((label for label in reversed(words) if label in labels), "")


def inline_label(text):
    """What stands before the first colon, if it is short and a value follows."""
    colon = re.search("[:\uff1a]", text[: LABEL_BYTES + 1])
    if not colon or not 0 < len(text[: colon.start()].encode()) <= LABEL_BYTES:
        return None
    label, value = text[: colon.end()], text[colon.end() :]
    is_value = value.strip() != "" and not value[0].isalpha() and value[0] not in ":/"
    return label if is_value and any(c.isalpha() for c in label) else None


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


def texts_of_page(root):
    """Every text with whether the one behind it goes on without a gap, in the same line."""
    found, gap = [], True
    for sort, what, element in walk(root):
        if sort == "tag":
            gap = gap or what not in INLINE
        elif sort in ("text", "tail"):
            if what.strip():
                around = element if sort == "text" else element.getparent()
                while around is not None and around.tag in INLINE:
                    around = around.getparent()
                if found:
                    is_gap = gap or what[0].isspace() or found[-1]["line"] is not around
                    found[-1]["touches"] = not is_gap
                found.append({"key": (element, sort), "text": collapse(what), "line": around, "touches": False})
            gap = what[-1].isspace()
    return found


def texts_in(node):
    """The places of the texts of a node among those of the page."""
    if isinstance(node, str):
        key, count = (node.getparent(), "tail" if node.is_tail else "text"), 1
    else:
        said = [(element, sort) for sort, raw, element in walk(node) if sort in ("text", "tail") and raw.strip()]
        key, count = (said[0], len(said)) if said else (None, 0)
    first = MEMO["order"].get(key)
    return range(first, first + count) if first is not None else range(0)


def line(node):
    """The texts of a node, a space between them but inside amounts."""
    said = ""
    for at in texts_in(node):
        more = MEMO["texts"][at]["text"]
        goes_on = said and is_amount(said, more) and MEMO["texts"][at - 1]["touches"]
        said += ("" if not said or goes_on else " ") + more
    return said


def is_amount(said, more):
    last = said.split(" ")[-1]
    is_sign = not any(c.isalnum() for c in last) and last[-1:] not in ENDS
    return is_sign and more[:1].isnumeric() or last[-1:].isnumeric() and more[0] in ".," and more[1:2].isnumeric()


def whole_word(node):
    places = texts_in(node)
    if len(places) != 1 or not (isinstance(node, str) or node.tag in INLINE):
        return ""
    first = places[0]
    said = MEMO["texts"][first]["text"]
    if (first > 0 and MEMO["texts"][first - 1]["touches"]) or re.search(WORD_END, said):
        return ""
    pieces, at = 1, first
    while pieces < WORD_PIECES and MEMO["texts"][at]["touches"]:
        at += 1
        more = MEMO["texts"][at]["text"]
        begun = re.split(WORD_END, more)[0]
        if not belong_together(said, begun):
            break
        said, pieces = said + begun, pieces + 1
        if len(begun) < len(more):
            break
    return said if pieces > 1 else ""


def belong_together(left, right):
    """A sign and the number it stands before, or two words with a joint between them."""
    if left[-1:].isalnum():
        return right[:1] in JOINTS and right[1:2].isalnum()
    if any(c.isalnum() for c in left):
        return left[-1:] in JOINTS and right[:1].isalnum()
    return right[:1].isnumeric()


def texts(top):
    if top.tag in SKIPPED:
        return []
    return [collapse(raw) for sort, raw, _ in walk(top) if sort in ("text", "tail") and raw.strip()]


def walk(top):
    """The texts below an element as they stand, and what parts them: ("part", "\\n" or " "), ("hidden", 1 or -1), ("tag",
    name). With each the element; texts stand in it, or behind it: ("tail", ...)."""
    skipped = drawing = lettering = 0
    for event, element in etree.iterwalk(top, events=("start", "end", "comment", "pi")):
        tag, step = element.tag, 1 if event == "start" else -1
        if element is not top and event in ("start", "end"):
            if tag in SKIPPED:
                skipped += step
            elif not skipped:
                if event == "start":
                    yield "tag", tag, element
                drawing += step if tag == "svg" else 0
                lettering += step if tag == "text" else 0
                if tag in BLOCKS or tag in CELLS:
                    yield "part", "\n" if tag in BLOCKS else " ", element
                if hides(element):
                    yield "hidden", step, element
        raw = element.text if event == "start" else element.tail if element is not top else None
        if raw and not skipped and (lettering or not drawing):
            yield "text" if event == "start" else "tail", raw, element


def hides(element):
    style = re.findall(r"(?:^|;)\s*display\s*:\s*([^;!\s]+)", element.get("style") or "", re.I)
    return element.get("hidden") is not None or bool(style) and style[-1].lower() == "none"


def visible(top):
    out, part, blank, space, hidden = [], None, False, False, 0
    for sort, what, _ in walk(top):
        if sort == "tag":
            continue
        if sort == "part":
            part = "\n" if "\n" in (part, what) else what
        elif sort == "hidden":
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
