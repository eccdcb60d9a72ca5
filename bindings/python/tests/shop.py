"""A small shop: books, authors, and lists of books. Everything in it is made up here."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

HOST = "http://shop.test"
ADJECTIVES = ["Quiet", "Amber", "Second", "Hollow", "Northern", "Silver", "Broken", "Distant"]
NOUNS = ["River", "Lantern", "Harbour", "Orchard", "Compass", "Winter", "Thunder", "Meadow"]
NAMES = ["Ada Quill", "Bo Larch", "Cy Fenn", "Di Marsh", "Eve Stone", "Flo Brook", "Gus Heath", "Hal Ford"]
DAYS = ["2021-03-04", "2022-11-30", "2019-07-15", "2024-02-29", "2020-12-01"]
WORDS = "A long walk along the coast ends where nobody expected it and the tide keeps its own counsel about why".split()

Page = tuple[str, str]


def title(n: int) -> str:
    return f"The {ADJECTIVES[n % 8]} {NOUNS[n // 8 % 8]} {n}"


def text(n: int) -> str:
    return " ".join(WORDS[(n * 7 + k * 3) % len(WORDS)] for k in range(12 + n % 5))


def reader(n: int) -> str:
    return f"{WORDS[n % 19].title()}{WORDS[n * 5 % 17]} {NOUNS[n * 3 % 8]}{n % 7}"


def frame(head: str, body: str) -> str:
    menu = "".join(f'<li><a href="{HOST}/list?page={n}">Page {n}</a></li>' for n in range(1, 4))
    return (
        f"<html><head><title>{head} - Tiny Shop</title></head><body><header><h2>Tiny Shop</h2><ul>{menu}</ul></header>"
        f"<main>{body}</main><footer><p>All books are made up.</p></footer></body></html>"
    )


def book(n: int, *, changed: bool = False) -> Page:
    author = n % len(NAMES)
    price = f"£{5 + n % 30}.{10 + n % 80}" if n % 9 else "sold out"
    reviews = "".join(
        f'<div class="review"><b class="by">{reader(n * 4 + k)}</b><span class="stars">{1 + (n * 3 + k) % 5} out of 5'
        f'</span><p class="said">{text(n * 5 + k)}</p></div>'
        for k in range(1 + n % 4)
    )
    facts = [("ISBN", f"978-0-{1000 + n * 37}-{n % 10}"), ("Pages", str(120 + n * 7)), ("Published", DAYS[n % 5])]
    if changed:
        rows = "".join(f'<div class="pair"><em>{name}</em><q>{value}</q></div>' for name, value in facts)
        body = (
            f'<section class="new"><div class="cost">{price}</div><h3 class="what">{title(n)}</h3>'
            f'<div class="who"><a href="{HOST}/author/{author}.html">{NAMES[author]}</a></div>{rows}'
            f'<article class="words">{text(n)}</article></section>'
        )
        return f"{HOST}/book/{n}.html", f"<html><head><title>{title(n)}</title></head><body class=fresh>{body}</body></html>"
    rows = "".join(f"<tr><th>{name}</th><td>{value}</td></tr>" for name, value in facts)
    body = (
        f'<h1 class="title">{title(n)}</h1><p class="author">by <a href="{HOST}/author/{author}.html">{NAMES[author]}</a></p>'
        f'<p class="price">{price}</p><table class="facts">{rows}</table><p class="about">{text(n)}</p>'
        f'<div class="reviews">{reviews}</div>'
    )
    return f"{HOST}/book/{n}.html", frame(title(n), body)


def author(n: int, books: int) -> Page:
    mine = [at for at in range(books) if at % len(NAMES) == n]
    items = "".join(f'<li><a href="{HOST}/book/{at}.html">{title(at)}</a></li>' for at in mine)
    body = (
        f'<h1 class="name">{NAMES[n]}</h1><dl><dt>Born</dt><dd>19{50 + n * 3}-0{1 + n % 9}-1{n % 9}</dd><dt>Lives in</dt>'
        f'<dd>{NOUNS[n]}ton</dd></dl><p class="bio">{text(n + 90)}</p><ul class="works">{items}</ul>'
    )
    return f"{HOST}/author/{n}.html", frame(NAMES[n], body)


def listing(page: int, books: int) -> Page:
    some = range(page * 10, min(books, page * 10 + 10))
    cards = "".join(
        f'<div class="card"><a href="{HOST}/book/{n}.html"><b>{title(n)}</b></a><i>{NAMES[n % 8]}</i>'
        f"<span>£{5 + n % 30}.{10 + n % 80}</span></div>"
        for n in some
    )
    return f"{HOST}/list?page={page}", frame(f"Books, page {page}", f'<h1>All books</h1><div class="cards">{cards}</div>')


def pages(books: int = 60) -> list[Page]:
    """The whole site."""
    all_pages = [book(n) for n in range(books)]
    all_pages += [author(n, books) for n in range(len(NAMES))]
    all_pages += [listing(n, books) for n in range((books + 9) // 10)]
    return all_pages


def record(url: str, html: bytes, number: int, *, date: str = "2026-11-15T08:00:00Z", level: int = 9) -> bytes:
    """A WARC record in a gzip member of its own."""
    block = b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n" + html
    head = (
        f"WARC/1.1\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:test:{number}>\r\nWARC-Date: {date}\r\n"
        f"WARC-Target-URI: {url}\r\nContent-Type: application/http; msgtype=response\r\nContent-Length: {len(block)}\r\n\r\n"
    )
    return gzip.compress(head.encode() + block + b"\r\n\r\n", level, mtime=0)


def write_warc(path: Path, some: list[Page], *, first: int = 0) -> list[tuple[int, int]]:
    """Writes a WARC file. Gives where each record starts, and how long it is."""
    places, offset = [], 0
    with path.open("wb") as file:
        for number, (url, html) in enumerate(some, start=first):
            data = record(url, html.encode(), number)
            file.write(data)
            places.append((offset, len(data)))
            offset += len(data)
    return places


def write_jsonl(path: Path, some: list[Page]) -> None:
    path.write_text("".join(json.dumps({"url": url, "html": html}) + "\n" for url, html in some))
