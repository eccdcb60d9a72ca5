#!/usr/bin/env python3
"""Pages of an invented shop as JSON Lines, to measure with: products with reviews, and lists of twenty of them.

usage: shop_pages.py PAGES > shop.jsonl
"""
import json
import random
import sys

WORDS = ("amber anchor basket birch bottle bridge candle cedar chalk cloud copper cotton dawn drum ember fabric feather "
         "field flint forest garden glass granite harbor hazel honey iron ivory jade kettle ladder lantern leaf linen "
         "maple marble meadow mirror mist moss needle oak ocean olive orchard paper pearl pepper pine plum quartz rain "
         "reed river rope saddle sage sand shell silk silver slate smoke stone storm straw thread timber velvet wax "
         "willow window wool").split()
CATEGORIES = ["kitchen", "garden", "office", "travel", "music", "books", "tools", "light"]
COLOURS = ["red", "blue", "green", "black", "white", "grey"]
MENU = "".join(f'<li><a href="/c/{name}/1">{name.title()}</a></li>' for name in CATEGORIES)
HEAD = ('<!DOCTYPE html><html><head><meta charset="utf-8"><title>{title} - Harbour Goods</title>'
        '<link rel="stylesheet" href="/style.css"></head><body><header class="top"><a href="/">Harbour Goods</a>'
        '<form action="/search"><input name="q"><button>Search</button></form><nav><ul class="menu">' + MENU +
        '</ul></nav></header><main>')
FOOT = ('</main><footer class="foot"><p>Harbour Goods Ltd, 1 Quay Street</p><ul><li><a href="/terms">Terms</a></li>'
        '<li><a href="/privacy">Privacy</a></li></ul></footer></body></html>')
ON_A_LIST = 20


def product(number):
    """What the page of a product and the lists tell of it: the same each time."""
    rng = random.Random(number)
    return {"number": number, "name": " ".join(rng.sample(WORDS, 3)).title() + f" {number}",
            "price": f"{rng.randint(2, 400)}.{rng.choice(['49', '95', '00'])}", "category": CATEGORIES[number % len(CATEGORIES)]}


def product_page(number, products):
    rng = random.Random(~number)
    this = product(number)
    say = lambda least, most: " ".join(rng.choice(WORDS) for _ in range(rng.randint(least, most)))
    rows = {"Colour": rng.choice(COLOURS), "Weight": f"{rng.randint(50, 9000)} g", "Width": f"{rng.randint(3, 200)} cm",
            "Maker": say(1, 2).title(), "Item": f"HG-{number:06d}", "In stock": str(rng.randint(0, 300))}
    table = "".join(f"<tr><th>{key}</th><td>{value}</td></tr>" for key, value in rows.items())
    reviews = "".join(
        f'<li class="review"><h3>{say(2, 4).capitalize()}</h3><span class="by">{say(1, 2).title()}</span>'
        f'<time>{rng.randint(2015, 2025)}-{rng.randint(1, 12):02d}-{rng.randint(1, 28):02d}</time>'
        f'<span class="stars">{rng.randint(1, 5)}</span><p>{say(8, 40)}</p></li>' for _ in range(rng.randint(0, 4)))
    others = "".join(
        f'<li class="other"><a href="/p/{other}">{product(other)["name"]}</a></li>'
        for other in (rng.randrange(products) for _ in range(4)))
    return (f"https://goods.example/p/{number}", HEAD.format(title=this["name"]) +
            f'<article class="product"><h1>{this["name"]}</h1><img src="/img/{number}.jpg" alt="{this["name"]}">'
            f'<p class="price">£{this["price"]}</p><p class="cat">In <a href="/c/{this["category"]}/1">{this["category"]}</a></p>'
            f'<div class="text"><p>{say(20, 60)}.</p><p>{say(10, 50)}.</p></div><table class="facts">{table}</table></article>'
            f'<section class="reviews"><h2>Reviews</h2><ul>{reviews}</ul></section>'
            f'<aside class="others"><h2>Others bought</h2><ul>{others}</ul></aside>' + FOOT)


def list_page(category, page, products):
    first = CATEGORIES.index(category) + (page - 1) * ON_A_LIST * len(CATEGORIES)
    numbers = range(first, min(first + ON_A_LIST * len(CATEGORIES), products), len(CATEGORIES))
    items = "".join(
        f'<li class="item"><a href="/p/{one["number"]}">{one["name"]}</a><span class="price">£{one["price"]}</span></li>'
        for one in map(product, numbers))
    return (f"https://goods.example/c/{category}/{page}", HEAD.format(title=category.title()) +
            f'<h1>{category.title()}</h1><ul class="items">{items}</ul>'
            f'<p class="pager"><a href="/c/{category}/{page + 1}">next</a></p>' + FOOT)


def main():
    pages = int(sys.argv[1])
    # Of 21 pages 20 are of products.
    products = max(1, pages * ON_A_LIST // (ON_A_LIST + 1))
    written = 0
    for number in range(products):
        write(*product_page(number, products))
        written += 1
    page = 0
    while written < pages:
        write(*list_page(CATEGORIES[page % len(CATEGORIES)], page // len(CATEGORIES) + 1, products))
        written, page = written + 1, page + 1


def write(url, html):
    print(json.dumps({"url": url, "html": html}))


if __name__ == "__main__":
    try:
        main()
    except (IndexError, ValueError):
        sys.exit(__doc__)
