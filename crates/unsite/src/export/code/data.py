# --- what the head and the scripts say ---

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
