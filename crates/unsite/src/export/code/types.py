# --- which type a page is of ---

FAMILIES = ["address", "frame", "paths", "words"]
LOUDEST = 40  # log-odds that one family can speak at most
MOST_STEPS, MOST_WORDS = 12, 64
PAGERS = set("page paged p pg start offset seite pagina".split())


def recognise(root, url):
    """The type under which the marks of a page are most probable (naive Bayes). None where it has less than half of what
    the pages of that type always have, or where nothing but the address tells."""
    MEMO.names, MEMO.kinds = TYPES["names"], {}
    own, pages = marks_of(root, url), TYPES["pages"]
    scores = [[0.0] * len(FAMILIES) for _ in pages]
    for family, name, counts in TYPES["marks"]:
        has = (family, name) in own
        for at, of_type in enumerate(pages):
            share = (counts.get(at, 0) + 0.5) / (of_type + 1)
            scores[at][FAMILIES.index(family)] += math.log(share if has else 1 - share)
    loudest = [max(of_family) for of_family in zip(*scores)]
    totals = [
        math.log((of_type + 0.5) / (sum(pages) + 1))
        + sum(max(score - most, -LOUDEST) for score, most in zip(of_type_scores, loudest))
        for of_type, of_type_scores in zip(pages, scores)
    ]
    best = max(range(len(pages)), key=totals.__getitem__)
    always = [(family, name) in own for family, name, counts in TYPES["marks"] if counts.get(best, 0) == pages[best]]
    if not TYPES["marks"]:
        return route(url)
    return TYPES["all"][best] if 2 * sum(always) >= len(always) else None


def marks_of(root, url):
    """What a program may have written for the type: the address, names on html and body, paths, words of the title."""
    found = {("address", mark) for mark in marks_of_address(url)}
    for top in [root, *root.iter("body")][:2]:
        found |= {("frame", f"{top.tag} {name}") for name in raw_names(top)}
    for element in root.iter("meta"):
        says = element.get("property", element.get("name")) or ""
        if says.lower() in ("og:type", "generator"):
            found.add(("frame", f"{says} {(element.get('content') or '').strip()}"))
    for tag, slots in (("title", ("begins", "ends")), ("h1", ("begins",))):
        element = next(root.iter(tag), None)
        said = " ".join(list(element.itertext())[:3]) if element is not None else ""
        words = [word for word in re.split(r"[\s\"“”‘’'|·–—:]", said) if any(c.isalnum() for c in word)][:MOST_WORDS]
        for length in range(1, min(2, len(words)) + 1):
            for slot in slots:
                ends = words[:length] if slot == "begins" else words[-length:]
                found.add(("words", f"{tag} {slot} {' '.join(ends)}"))
    paths = {}
    for element in root.iter(etree.Element):
        step = element.tag if element.tag in ("html", "body") else kind(element)
        above = element.getparent()
        paths[element] = step if above is None else f"{paths[above]}/{step}"
    return found | {("paths", path) for path in paths.values()}


def marks_of_address(url):
    parts = urlsplit(url)
    if parts.hostname:
        yield "host " + parts.hostname.removeprefix("www.")
    steps = [step for step in parts.path.split("/") if step]
    if len(steps) > 1 and steps[-2] in PAGERS and steps[-1].isdigit():
        steps = steps[:-2]
    depth = min(len(steps), MOST_STEPS)
    yield f"depth {depth}"
    for at, step in enumerate(steps[:MOST_STEPS], 1):
        stem, dot, ending = step.rpartition(".")
        if at < depth or not dot or not re.fullmatch("[0-9A-Za-z]{1,5}", ending):
            stem, ending = step, ""
        first = next((piece for piece in re.split("[._-]", stem) if piece), stem)
        slot = "last step" if at == depth else f"step {at}"
        yield f"{slot} {folded(stem)}"
        if len(first) < len(stem):
            yield f"{slot} begins {folded(first)}"
        if ending:
            yield f"ending {ending}"
    if len(parts.path) > 1:
        yield "last slash " + ("yes" if parts.path.endswith("/") else "no")
    names = {folded(name) for name, _ in parse_qsl(parts.query, keep_blank_values=True)[:MOST_STEPS]} - PAGERS
    yield from (f"parameter {name}" for name in names or ["none"])


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
