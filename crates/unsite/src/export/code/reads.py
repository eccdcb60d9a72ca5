# --- how a path and what is read at its end are said ---

LISTS, SEARCHED = {}, []  # the lists that XPath speaks of, with their numbers; the same to search in


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


def behind(landmark, tag, index, landmarks):
    """What stands behind a constant text as people read the page: the text of that number in elements of a tag, or the
    rest of the constant's own text."""
    return (lambda node, page: in_reading_order(landmark, tag, index, set(landmarks))), "/html", False


def lead(whole):
    """The first paragraph of a text."""
    read, path, _ = whole
    return (lambda node, page: (read(node, page) or "").split("\n")[0]), path, False


def trail(path):
    """The crumbs that lead to the page, without the page itself."""
    return (lambda node, page: crumbs(node)), path, False


def part(constants, index, whole):
    """What stands between the constant words of a value."""
    read, path, flows = whole
    return (lambda node, page: between(read(node, page) or "", constants, index)), path, flows
