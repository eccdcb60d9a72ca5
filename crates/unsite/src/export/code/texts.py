# --- texts ---

SKIPPED = set("head script style template textarea iframe noembed noframes datalist audio video canvas object".split())
CELLS = set("td th option button".split())
BLOCKS = set(
    "address article aside blockquote body br caption center dd details dialog dir div dl dt fieldset figcaption "
    "figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr html legend li main menu nav ol optgroup p pre search "
    "section select summary table tbody tfoot thead tr ul".split()
)
INLINE = set("a abbr b bdi code data em font i ins mark small span strong sub sup u".split())
ENDS, JOINTS, WORD_END, WORD_PIECES = set("()[]{},;|<>"), set("./-_@"), r"[\s()\[\]{},;|<>]", 8


def collapse(text):
    return " ".join(text.split())


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


def texts(top):
    if top.tag in SKIPPED:
        return []
    return [collapse(raw) for sort, raw, _ in walk(top) if sort in ("text", "tail") and raw.strip()]


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


def texts_of_page(root):
    """Every text with whether the one behind it goes on without a gap, in the same line."""
    found, gap, hidden = [], True, 0
    for sort, what, element in walk(root):
        if sort == "tag":
            gap = gap or what not in INLINE
        elif sort == "hidden":
            hidden += what
        elif sort in ("text", "tail"):
            if what.strip():
                around = element if sort == "text" else element.getparent()
                while around is not None and around.tag in INLINE:
                    around = around.getparent()
                if found:
                    is_gap = gap or what[0].isspace() or found[-1]["line"] is not around
                    found[-1]["touches"] = not is_gap
                found.append({"key": (element, sort), "text": collapse(what), "line": around, "touches": False})
                found[-1]["hidden"] = hidden > 0
            gap = what[-1].isspace()
    return found


def in_reading_order(landmark, tag, index, landmarks):
    """The text behind a landmark, before the next one."""
    is_behind = landmark == ""
    for text in MEMO.texts:
        said = text["text"]
        if text["hidden"]:
            continue
        label = said if said in landmarks else inline_label(said)
        if label in landmarks:
            if is_behind:
                return None
            is_behind = label == landmark
            if is_behind and not tag:
                return said[len(label) :].lstrip() or None
        elif is_behind and holder(text) == tag:
            if index == 0:
                return said
            index -= 1
    return None


def holder(text):
    """The tag of the element that a text stands in."""
    element, sort = text["key"]
    element = element if sort == "text" else element.getparent()
    return element.tag if element is not None else ""


def texts_in(node):
    """The places of the texts of a node among those of the page."""
    if isinstance(node, str):
        key, count = (node.getparent(), "tail" if node.is_tail else "text"), 1
    else:
        said = [(element, sort) for sort, raw, element in walk(node) if sort in ("text", "tail") and raw.strip()]
        key, count = (said[0], len(said)) if said else (None, 0)
    first = MEMO.order.get(key)
    return range(first, first + count) if first is not None else range(0)


def line(node):
    """The texts of a node, a space between them but inside amounts."""
    said = ""
    for at in texts_in(node):
        more = MEMO.texts[at]["text"]
        goes_on = said and is_amount(said, more) and MEMO.texts[at - 1]["touches"]
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
    said = MEMO.texts[first]["text"]
    if (first > 0 and MEMO.texts[first - 1]["touches"]) or re.search(WORD_END, said):
        return ""
    pieces, at = 1, first
    while pieces < WORD_PIECES and MEMO.texts[at]["touches"]:
        at += 1
        more = MEMO.texts[at]["text"]
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
