# --- labels and blocks, as they were learned ---

FUNCTIONS = {}  # what the paths of this module ask beyond XPath; other modules have their own
STATES = set("odd even first last alt active current selected hover on row1 row2 bg1 bg2 clearfix clear".split())
SHAPE_FEATURES, SHAPE_DEPTH, LEAST_SHAPE = 48, 4, 0.1
LABEL_BYTES, LABEL_WORDS, MOST_NAMES = 40, 3, 32
UNSAID = {"alone": False, "own": "", "behind": "", "before": "", "closed": None}


def xpath_function(function):
    FUNCTIONS[None, function.__name__.replace("_", "-")] = function
    return function


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
def is_among(context, label, labels):
    return label in listed(labels)


@xpath_function
def likest(context, nodes, shapes):
    """The number of the shape that is most like what is inside a node; -1 where none is."""
    own = inside(nodes[0])
    likeness = [len(own & shape) / len(own | shape) if own | shape else 1 for shape in listed(shapes)]
    best = max(range(len(likeness)), key=likeness.__getitem__)
    return best if likeness[best] >= LEAST_SHAPE else -1


def listed(number):
    """The list of that number, one to search in."""
    if len(SEARCHED) < len(LISTS):
        SEARCHED[:] = [values if isinstance(values[0], frozenset) else set(values) for values in LISTS]
    return SEARCHED[int(number)]


def introduction(node, labels):
    """What labels say of a node: see `introductions`."""
    is_text = isinstance(node, str)
    element, where = (node.getparent(), "tail" if node.is_tail else "text") if is_text else (node, None)
    parent = element if where == "text" else element.getparent()
    if (parent, labels) not in MEMO.said:
        MEMO.said[parent, labels] = introductions(parent, listed(labels))
    return MEMO.said[parent, labels].get((element, where)) or UNSAID


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
    is_apart = colon.group() == "\uff1a" or not value[:1].isalpha() and value[:1] not in (":", "/")
    is_value = value.strip() != "" and is_apart
    return label if is_value and any(c.isalpha() for c in label) else None


def inside(node):
    """What a block looks like: the paths of kinds near its top."""
    found, level = {}, [] if isinstance(node, str) else [(node, "")]
    for _ in range(SHAPE_DEPTH):
        below = []
        for parent, path in level:
            for element, where in shown(unboxed(parent)):
                step = path + ("text()" if where else kind(unboxed(element)))
                found[step] = True
                if not where:
                    below.append((element, step + "/"))
                if len(found) >= SHAPE_FEATURES:
                    return set(found)
        level = below
    return set(found)


def unboxed(element):
    """The cell of a table that has no other; any other element is itself."""
    at = element
    while at.tag in ("table", "tbody", "thead", "tr") and element.tag == "table":
        below = list(shown(at))
        if len(below) != 1 or below[0][1] or below[0][0].tag not in ("tbody", "thead", "tr", "td", "th"):
            return element
        at = below[0][0]
    return at


@xpath_function
def named(context, *names):
    """Does the element have these of the site's class and id names, and no others of them?"""
    return names_of(context.context_node) == sorted(names)


def kind(node):
    """An element by its tag and the names that the site's templates use."""
    if isinstance(node, str):
        return "text()"
    return node.tag + "".join(("" if name[0] == "#" else ".") + name for name in names_of(node))


def names_of(element):
    """Those of its class and id names that the site's templates use; else the beginnings of names that they use."""
    if element not in MEMO.kinds:
        raw, (known, families) = raw_names(element), MEMO.names
        own = {name for name in raw if name in known}
        if not own:
            begun = (re.match("[^-_]+[-_]", name) for name in raw)
            own = {found.group() + "*" for found in begun if found and found.group() in families}
        MEMO.kinds[element] = sorted(own)
    return MEMO.kinds[element]


def raw_names(element):
    """Its classes and its id, digits folded, states left out."""
    names = re.findall(r"[^ \t\n\r\f]+", element.get("class") or "")[:MOST_NAMES]
    names = [folded(name) for name in names if name not in STATES]
    return names + ["#" + folded(name) for name in [(element.get("id") or "").strip()] if name]


def folded(name):
    return re.sub("[0-9]+", "#", name)


def shows(root):
    """The elements that show something: a text, a picture or a link with a name."""
    found = set()
    said = [(sort, element) for sort, raw, element in walk(root) if sort in ("text", "tail") and raw.strip()]
    texts_in = [element if sort == "text" else element.getparent() for sort, element in said]
    named_links = [link for link in root.iter("a") if link.get("href") is not None and link.get("aria-label") is not None]
    for element in [*texts_in, *root.iter("img"), *named_links]:
        while element is not None and element not in found:
            found.add(element)
            element = element.getparent()
    return found


def shown(parent):
    """What is below an element and shows something: an element, or a text as the element that it is in or behind."""
    if (parent.text or "").strip() and parent in MEMO.shows:
        yield parent, "text"
    for child in parent:
        if child in MEMO.shows:
            yield child, None
        if (child.tail or "").strip() and parent in MEMO.shows:
            yield child, "tail"
