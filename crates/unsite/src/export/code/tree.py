# --- the page as browsers see it ---

UNSEEN = "script style textarea iframe noembed noframes".split()
HOLLOW = "embed source track wbr".split()
TABLE_PARTS = "caption colgroup col thead tbody tfoot tr td th".split()
CLOSE_PARAGRAPHS = set(
    "article aside details dialog figcaption figure footer header hgroup main nav search section summary".split()
)


def tree(html):
    """The page as browsers see it, every white space a plain one, and without texts that nobody sees."""
    root = parsed(html or "<html></html>")
    for element in root.iter():
        element.text, element.tail = plain(element.text), plain(element.tail)
    for unseen in root.iter(UNSEEN):
        unseen.attrib["data-said"], unseen.text = unseen.text or "", None  # JSON-LD is read off it
    for hollow in list(root.iter(HOLLOW)):
        empty(hollow)
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


def empty(hollow):
    """Browsers know that these elements hold nothing: what lxml put into them stands behind them."""
    above, place = hollow.getparent(), hollow.getparent().index(hollow) + 1
    inside, tail = list(hollow), hollow.tail
    hollow.tail, hollow.text = hollow.text, None
    for at, moved in enumerate(inside):
        above.insert(place + at, moved)
    last = inside[-1] if inside else hollow
    last.tail = ((last.tail or "") + (tail or "")) or None


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
        before, mark, query = urljoin(base, raw).partition("?")
        return before + mark + quote(query, safe="%/:@!$&'()*+,;=-._~?#|[]^`{}\\")
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
    return urlunsplit((parts.scheme, host, path, query, fragment)) + ("?" if raw.endswith("?") and not query + fragment else "")
