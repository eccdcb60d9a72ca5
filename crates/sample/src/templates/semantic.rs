//! HTML5 elements with schema.org microdata and few classes.

use super::pieces::{self, Row};
use super::{Cx, GRID_COLUMNS, Template};
use crate::html::{Html, Look};
use crate::urls::LinkStyle;
use crate::view::{AuthorView, Block, BookView, Card, Fact, Link, ListView, ReviewView};

pub(super) struct Semantic;

const BOOK: [(&str, &str); 2] = [("itemscope", ""), ("itemtype", "https://schema.org/Book")];
const PERSON: [(&str, &str); 2] = [("itemscope", ""), ("itemtype", "https://schema.org/Person")];

impl Template for Semantic {
    fn look(&self) -> Look {
        Look::default()
    }

    fn links(&self) -> LinkStyle {
        LinkStyle::RootRelative
    }

    fn frame(&self, w: &mut Html, cx: &Cx, main: &mut dyn FnMut(&mut Html)) {
        let labels = cx.chrome.labels;
        w.raw("<!doctype html>");
        w.el("html", &[("lang", cx.chrome.language)], |w| {
            pieces::head(w, cx);
            w.el("body", &[], |w| {
                w.el("header", &[], |w| {
                    w.el("p", &[], |w| w.leaf("a", &[("href", &cx.href(&cx.chrome.home.url))], labels.shop));
                    pieces::search_form(w, cx, "form");
                });
                w.el("nav", &[("aria-label", labels.categories)], |w| {
                    w.el("ul", &[], |w| {
                        for link in
                            cx.chrome.categories.iter().chain(&cx.chrome.grids).chain([&cx.chrome.help])
                        {
                            w.el("li", &[], |w| w.leaf("a", &[("href", &cx.href(&link.url))], &link.text));
                        }
                    });
                });
                w.el("main", &[], |w| {
                    self.crumbs(w, cx);
                    main(w);
                });
                w.el("aside", &[], |w| {
                    w.el("section", &[], |w| {
                        w.leaf("h2", &[], labels.bestsellers);
                        w.el("ol", &[], |w| {
                            for card in &cx.page.bestsellers {
                                w.el("li", &[], |w| {
                                    w.leaf("a", &[("href", &cx.href(&card.url))], &card.title);
                                    w.raw(" ");
                                    w.leaf("small", &[], &card.authors);
                                });
                            }
                        });
                    });
                    if let Some(first) = cx.page.ads.first() {
                        pieces::ad(w, cx, "section.promoted", first);
                    }
                });
                w.el("footer", &[], |w| {
                    w.leaf("p", &[], labels.newsletter);
                    w.el("p", &[], |w| {
                        w.raw("&copy; 2026 ");
                        w.text(labels.shop);
                        w.raw("&ensp;");
                        w.text(labels.rights);
                    });
                });
                pieces::tracker(w);
            });
        });
    }

    fn home(&self, w: &mut Html, cx: &Cx, cards: &[Card], searches: &[Link]) {
        w.leaf("h1", &[], &cx.page.heading);
        w.leaf("p", &[], cx.chrome.labels.welcome);
        w.el("section", &[], |w| {
            w.leaf("h2", &[], cx.chrome.labels.featured);
            self.cards(w, cx, cards);
        });
        pieces::noise(w, cx);
        self.searches(w, cx, searches);
    }

    fn list(&self, w: &mut Html, cx: &Cx, list: &ListView) {
        let labels = cx.chrome.labels;
        w.leaf("h1", &[], &cx.page.heading);
        if let Some(intro) = &list.intro {
            w.leaf("p", &[], intro);
        }
        w.leaf("p", &[("role", "status")], &labels.count(list.total));
        pieces::noise(w, cx);
        self.cards(w, cx, &list.cards);
        if list.last > 1 {
            w.el("nav", &[("aria-label", &labels.page_of(list.page, list.last))], |w| {
                if let Some(previous) = list.url_of(list.page - 1) {
                    w.leaf("a", &[("rel", "prev"), ("href", &cx.href(previous))], labels.previous);
                    w.raw(" ");
                }
                if let Some(next) = list.url_of(list.page + 1) {
                    w.leaf("a", &[("rel", "next"), ("href", &cx.href(next))], labels.next);
                }
            });
        }
    }

    fn grid(&self, w: &mut Html, cx: &Cx, cards: &[Card]) {
        w.leaf("h1", &[], &cx.page.heading);
        for row in cards.chunks(GRID_COLUMNS) {
            w.el("section.row", &[], |w| {
                for card in row {
                    w.el("figure", &BOOK, |w| self.card(w, cx, card));
                }
            });
            pieces::noise(w, cx);
        }
    }

    fn no_match(&self, w: &mut Html, cx: &Cx, suggestions: &[Link]) {
        w.leaf("h1", &[], &cx.page.heading);
        w.leaf("p", &[("role", "alert")], cx.chrome.labels.nothing_hint);
        self.searches(w, cx, suggestions);
    }

    fn book(&self, w: &mut Html, cx: &Cx, book: &BookView) {
        let labels = cx.chrome.labels;
        w.el("article", &BOOK, |w| {
            w.el("header", &[], |w| {
                w.leaf("h1", &[("itemprop", "name")], &book.title);
                if let Some(subtitle) = &book.subtitle {
                    w.leaf("p", &[("itemprop", "alternativeHeadline")], subtitle);
                }
                for author in &book.authors {
                    let url = cx.href(&author.url);
                    w.el("a", &[("itemprop", "author"), ("rel", "author"), ("href", &url)], |w| {
                        pieces::person(w, &author.text);
                    });
                    w.raw(" ");
                }
            });
            w.el("figure", &[], |w| {
                w.void("img", &[("itemprop", "image"), ("src", &cx.href(&book.cover)), ("alt", &book.title)]);
            });
            if let Some(series) = &book.series {
                w.el("p", &[], |w| {
                    w.text(labels.series);
                    w.raw(" ");
                    w.leaf("cite", &[("itemprop", "isPartOf")], series);
                });
            }
            let offer = [("itemprop", "offers"), ("itemscope", ""), ("itemtype", "https://schema.org/Offer")];
            w.el("section", &offer, |w| {
                pieces::price(w, "strong", &[("itemprop", "price")], &book.price);
                if let Some(old) = &book.old_price {
                    w.raw(" ");
                    pieces::price(w, "del", &[], old);
                }
                w.leaf("p", &[("itemprop", "availability")], &book.stock);
                w.leaf("button", &[], labels.add_to_basket);
            });
            for block in &cx.page.blocks {
                match block {
                    Block::Facts => self.facts(w, labels.details, &book.facts),
                    Block::Description => w.el("section", &[], |w| {
                        w.leaf("h2", &[], labels.description);
                        w.el("div", &[("itemprop", "description")], |w| {
                            for paragraph in &book.description {
                                w.el("p", &[], |w| pieces::runs(w, paragraph));
                            }
                        });
                    }),
                    Block::Reviews => self.reviews(w, cx, &book.reviews),
                    Block::Related if book.related.is_empty() => {}
                    Block::Related => w.el("section", &[], |w| {
                        w.leaf("h2", &[], labels.related);
                        w.el("ul", &[], |w| {
                            for card in &book.related {
                                let url = cx.href(&card.url);
                                w.el("li", &[], |w| {
                                    w.leaf("a", &[("itemprop", "isRelatedTo"), ("href", &url)], &card.title)
                                });
                            }
                        });
                    }),
                    Block::Advertisement => pieces::inner_ad(w, cx, "aside.promoted"),
                }
                pieces::noise(w, cx);
            }
        });
    }

    fn author(&self, w: &mut Html, cx: &Cx, author: &AuthorView) {
        let labels = cx.chrome.labels;
        w.el("article", &PERSON, |w| {
            w.el("h1", &[("itemprop", "name")], |w| pieces::person(w, &author.name));
            w.void(
                "img",
                &[("itemprop", "image"), ("src", &cx.href(&author.portrait)), ("alt", &author.name)],
            );
            w.el("div", &[("itemprop", "description")], |w| {
                for paragraph in &author.bio {
                    w.el("p", &[], |w| pieces::runs(w, paragraph));
                }
            });
            pieces::noise(w, cx);
            if !author.facts.is_empty() {
                self.facts(w, labels.about_author, &author.facts);
            }
        });
        w.el("section", &[], |w| {
            w.leaf("h2", &[], &labels.books_by(&author.name));
            self.cards(w, cx, &author.books);
        });
    }

    fn help(&self, w: &mut Html, cx: &Cx, questions: &[(&str, &str)]) {
        w.leaf("h1", &[], &cx.page.heading);
        w.el("dl", &[], |w| {
            for (question, answer) in questions {
                w.leaf("dt", &[], question);
                w.leaf("dd", &[], answer);
            }
        });
    }
}

impl Semantic {
    fn crumbs(&self, w: &mut Html, cx: &Cx) {
        if cx.page.crumbs.is_empty() {
            return;
        }
        w.el("nav", &[("itemscope", ""), ("itemtype", "https://schema.org/BreadcrumbList")], |w| {
            w.el("ol", &[], |w| {
                for link in &cx.page.crumbs {
                    w.el("li", &[], |w| {
                        w.leaf("a", &[("itemprop", "item"), ("href", &cx.href(&link.url))], &link.text)
                    });
                }
            });
        });
    }

    fn cards(&self, w: &mut Html, cx: &Cx, cards: &[Card]) {
        w.el("ul.books", &[], |w| {
            for card in cards {
                w.el("li", &BOOK, |w| self.card(w, cx, card));
                if w.rng.chance(0.25) && w.noisy() {
                    pieces::inner_ad(w, cx, "li.promoted");
                }
            }
        });
    }

    fn card(&self, w: &mut Html, cx: &Cx, card: &Card) {
        w.void(
            "img",
            &[("itemprop", "image"), ("src", &cx.href(&card.cover)), ("alt", ""), ("loading", "lazy")],
        );
        w.el("h3", &[], |w| {
            w.leaf("a", &[("itemprop", "name url"), ("href", &cx.href(&card.url))], &card.title);
        });
        w.leaf("p", &[("itemprop", "author")], &card.authors);
        pieces::price(w, "strong", &[("itemprop", "price")], &card.price);
        if let Some(old) = &card.old_price {
            w.raw(" ");
            pieces::price(w, "del", &[], old);
        }
        if let Some(blurb) = &card.blurb {
            w.leaf("p", &[("itemprop", "abstract")], blurb);
        }
    }

    fn facts(&self, w: &mut Html, heading: &str, facts: &[Fact]) {
        let rows = pieces::rows(w, facts);
        w.el("section", &[], |w| {
            w.leaf("h2", &[], heading);
            w.el("dl", &[], |w| {
                for row in &rows {
                    match row {
                        Row::Fact(fact) => {
                            w.leaf("dt", &[], fact.label);
                            let property = [("itemprop", property(fact.key))];
                            match &fact.iso {
                                Some(iso) => w.el("dd", &[], |w| {
                                    w.leaf("time", &[property[0], ("datetime", iso)], &fact.value);
                                }),
                                None => w.leaf("dd", &property, &fact.value),
                            }
                        }
                        Row::Merged(text) => w.leaf("dd", &[], text),
                    }
                }
            });
        });
    }

    fn reviews(&self, w: &mut Html, cx: &Cx, reviews: &[ReviewView]) {
        w.el("section", &[], |w| {
            w.leaf("h2", &[], cx.chrome.labels.reviews);
            if reviews.is_empty() {
                w.leaf("p", &[], cx.chrome.labels.no_reviews);
            }
            for review in reviews {
                let scope =
                    [("itemprop", "review"), ("itemscope", ""), ("itemtype", "https://schema.org/Review")];
                w.el("article", &scope, |w| {
                    w.leaf("h3", &[("itemprop", "author")], &review.reviewer);
                    w.leaf("time", &[("itemprop", "datePublished"), ("datetime", &review.iso)], &review.date);
                    w.raw(" ");
                    let stars = review.stars.to_string();
                    w.leaf("span", &[("itemprop", "reviewRating"), ("data-value", &stars)], &review.rating);
                    w.leaf("p", &[("itemprop", "reviewBody")], &review.text);
                });
            }
        });
    }

    fn searches(&self, w: &mut Html, cx: &Cx, searches: &[Link]) {
        w.el("section", &[], |w| {
            w.leaf("h2", &[], cx.chrome.labels.popular_searches);
            w.el("ul", &[], |w| {
                for link in searches {
                    w.el("li", &[], |w| w.leaf("a", &[("href", &cx.href(&link.url))], &link.text));
                }
            });
        });
    }
}

/// The schema.org property of a fact.
fn property(key: &str) -> &str {
    match key {
        "pages" => "numberOfPages",
        "published" => "datePublished",
        "language" => "inLanguage",
        "binding" => "bookFormat",
        "born" => "birthDate",
        "birthplace" => "birthPlace",
        "dimensions" => "size",
        other => other,
    }
}
