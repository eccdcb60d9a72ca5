//! Compiled markup: one line, `div`s, spans and definition lists, class names that mean nothing.

use super::pieces::{self, Row};
use super::{Cx, GRID_COLUMNS, Template};
use crate::html::{Html, Look};
use crate::urls::LinkStyle;
use crate::view::{AuthorView, Block, BookView, Card, Fact, Link, ListView, ReviewView};

pub(super) struct Hashed;

impl Template for Hashed {
    fn look(&self) -> Look {
        Look { minified: true, hashed: true, ..Look::default() }
    }

    fn links(&self) -> LinkStyle {
        LinkStyle::Absolute
    }

    fn frame(&self, w: &mut Html, cx: &Cx, main: &mut dyn FnMut(&mut Html)) {
        let labels = cx.chrome.labels;
        w.raw("<!DOCTYPE html>\n");
        w.el("html", &[("lang", cx.chrome.language)], |w| {
            pieces::head(w, cx);
            w.el("body", &[], |w| {
                w.el("div.root", &[("data-reactroot", "")], |w| {
                    w.el("div.bar", &[], |w| {
                        w.el("a.brand", &[("href", &cx.href(&cx.chrome.home.url))], |w| {
                            w.leaf("span.text", &[], labels.shop)
                        });
                        pieces::search_form(w, cx, "form.finder");
                    });
                    w.el("div.columns", &[], |w| {
                        w.el("div.column-main", &[], |w| main(w));
                        w.el("div.column-side", &[], |w| self.side(w, cx));
                    });
                    w.el("div.foot", &[], |w| {
                        for link in cx.chrome.grids.iter().chain([&cx.chrome.help, &cx.chrome.home]) {
                            w.el("a.foot-link", &[("href", &cx.href(&link.url))], |w| {
                                w.leaf("span.text", &[], &link.text)
                            });
                        }
                        w.el("span.text.muted", &[], |w| {
                            w.raw("&#169; ");
                            w.text(labels.shop);
                        });
                    });
                });
                pieces::tracker(w);
            });
        });
    }

    fn home(&self, w: &mut Html, cx: &Cx, cards: &[Card], searches: &[Link]) {
        w.leaf("h1.hero", &[], &cx.page.heading);
        w.leaf("div.lead", &[], cx.chrome.labels.welcome);
        w.leaf("h2.section", &[], cx.chrome.labels.featured);
        self.cards(w, cx, cards);
        pieces::noise(w, cx);
        self.chips(w, cx, searches);
    }

    fn list(&self, w: &mut Html, cx: &Cx, list: &ListView) {
        let labels = cx.chrome.labels;
        self.crumbs(w, cx);
        w.leaf("h1.hero", &[], &cx.page.heading);
        w.leaf("span.text.muted", &[], &labels.count(list.total));
        if let Some(intro) = &list.intro {
            w.leaf("div.lead", &[], intro);
        }
        pieces::noise(w, cx);
        self.cards(w, cx, &list.cards);
        if list.last > 1 {
            w.el("div.pages", &[], |w| {
                for (number, url) in &list.pages {
                    let selector = if *number == list.page { "a.page.on" } else { "a.page" };
                    w.leaf(selector, &[("href", &cx.href(url))], &number.to_string());
                }
            });
        }
    }

    fn grid(&self, w: &mut Html, cx: &Cx, cards: &[Card]) {
        self.crumbs(w, cx);
        w.leaf("h1.hero", &[], &cx.page.heading);
        for row in cards.chunks(GRID_COLUMNS) {
            w.el("div.flex", &[], |w| {
                for card in row {
                    w.el("div.tile", &[], |w| self.card(w, cx, card));
                }
            });
        }
    }

    fn no_match(&self, w: &mut Html, cx: &Cx, suggestions: &[Link]) {
        self.crumbs(w, cx);
        w.leaf("h1.hero", &[], &cx.page.heading);
        w.leaf("div.lead", &[], cx.chrome.labels.nothing_hint);
        self.chips(w, cx, suggestions);
    }

    fn book(&self, w: &mut Html, cx: &Cx, book: &BookView) {
        let labels = cx.chrome.labels;
        self.crumbs(w, cx);
        w.el("div.flex", &[], |w| {
            w.el("div.picture", &[], |w| {
                w.void("img", &[("src", &cx.href(&book.cover)), ("alt", &book.title)])
            });
            w.el("div.stack", &[], |w| {
                w.leaf("h1.hero", &[], &book.title);
                if let Some(subtitle) = &book.subtitle {
                    w.leaf("span.text.subtitle", &[], subtitle);
                }
                w.el("div.people", &[], |w| {
                    for author in &book.authors {
                        w.el("a.person", &[("href", &cx.href(&author.url))], |w| {
                            w.el("span.text", &[], |w| pieces::person(w, &author.text));
                        });
                    }
                });
                if let Some(series) = &book.series {
                    w.el("div.pair", &[], |w| {
                        w.leaf("span.key", &[], labels.series);
                        w.leaf("span.value", &[], series);
                    });
                }
                w.el("div.money", &[], |w| {
                    pieces::price(w, "span.now", &[], &book.price);
                    if let Some(old) = &book.old_price {
                        pieces::price(w, "span.before", &[], old);
                    }
                });
                w.leaf("span.text.stock", &[], &book.stock);
                w.el("button.cta", &[], |w| w.leaf("span.text", &[], labels.add_to_basket));
            });
        });
        for block in &cx.page.blocks {
            match block {
                Block::Facts => self.facts(w, labels.details, &book.facts),
                Block::Description => {
                    w.leaf("h2.section", &[], labels.description);
                    w.el("div.prose", &[], |w| {
                        for paragraph in &book.description {
                            w.el("div.line", &[], |w| pieces::runs(w, paragraph));
                        }
                    });
                }
                Block::Reviews => self.reviews(w, cx, &book.reviews),
                Block::Related if book.related.is_empty() => {}
                Block::Related => {
                    w.leaf("h2.section", &[], labels.related);
                    w.el("div.flex.scroller", &[], |w| {
                        for card in &book.related {
                            w.el("a.mini", &[("href", &cx.href(&card.url))], |w| {
                                w.void("img", &[("src", &cx.href(&card.cover)), ("alt", "")]);
                                w.leaf("span.text", &[], &card.title);
                            });
                        }
                    });
                }
                Block::Advertisement => pieces::inner_ad(w, cx, "div.banner"),
            }
            pieces::noise(w, cx);
        }
    }

    fn author(&self, w: &mut Html, cx: &Cx, author: &AuthorView) {
        let labels = cx.chrome.labels;
        self.crumbs(w, cx);
        w.el("div.flex", &[], |w| {
            w.void("img.round", &[("src", &cx.href(&author.portrait)), ("alt", "")]);
            w.el("h1.hero", &[], |w| pieces::person(w, &author.name));
        });
        w.el("div.prose", &[], |w| {
            for paragraph in &author.bio {
                w.el("div.line", &[], |w| pieces::runs(w, paragraph));
            }
        });
        if !author.facts.is_empty() {
            self.facts(w, labels.about_author, &author.facts);
        }
        pieces::noise(w, cx);
        w.leaf("h2.section", &[], &labels.books_by(&author.name));
        self.cards(w, cx, &author.books);
    }

    fn help(&self, w: &mut Html, cx: &Cx, questions: &[(&str, &str)]) {
        self.crumbs(w, cx);
        w.leaf("h1.hero", &[], &cx.page.heading);
        for (question, answer) in questions {
            w.el("div.fold", &[], |w| {
                w.el("button.fold-head", &[], |w| w.leaf("span.text", &[], question));
                w.leaf("div.fold-body", &[], answer);
            });
        }
    }
}

impl Hashed {
    fn crumbs(&self, w: &mut Html, cx: &Cx) {
        w.el("div.trail", &[], |w| {
            for link in &cx.page.crumbs {
                w.leaf("a.step", &[("href", &cx.href(&link.url))], &link.text);
            }
        });
    }

    fn side(&self, w: &mut Html, cx: &Cx) {
        let labels = cx.chrome.labels;
        w.leaf("h4.label", &[], labels.categories);
        for link in &cx.chrome.categories {
            w.el("a.nav-link", &[("href", &cx.href(&link.url))], |w| w.leaf("span.text", &[], &link.text));
        }
        w.leaf("h4.label", &[], labels.bestsellers);
        for card in &cx.page.bestsellers {
            w.el("a.hot", &[("href", &cx.href(&card.url))], |w| {
                w.leaf("span.text", &[], &card.title);
                w.leaf("span.tiny", &[], &card.price);
            });
        }
        pieces::noise(w, cx);
        if let Some(first) = cx.page.ads.first() {
            pieces::ad(w, cx, "div.banner", first);
        }
    }

    fn cards(&self, w: &mut Html, cx: &Cx, cards: &[Card]) {
        w.el("div.feed", &[], |w| {
            for card in cards {
                w.el("div.tile.wide", &[], |w| self.card(w, cx, card));
                if w.rng.chance(0.25) && w.noisy() {
                    pieces::inner_ad(w, cx, "div.tile.wide");
                }
            }
        });
    }

    fn card(&self, w: &mut Html, cx: &Cx, card: &Card) {
        w.void("img.thumb", &[("src", &cx.href(&card.cover)), ("alt", &card.title)]);
        w.el("a.name", &[("href", &cx.href(&card.url))], |w| w.leaf("span.text", &[], &card.title));
        w.leaf("span.text.muted", &[], &card.authors);
        if let Some(blurb) = &card.blurb {
            w.leaf("span.text.blurb", &[], blurb);
        }
        w.el("div.money", &[], |w| {
            pieces::price(w, "span.now", &[], &card.price);
            if let Some(old) = &card.old_price {
                pieces::price(w, "span.before", &[], old);
            }
        });
    }

    fn facts(&self, w: &mut Html, heading: &str, facts: &[Fact]) {
        let rows = pieces::rows(w, facts);
        w.leaf("h2.section", &[], heading);
        w.el("div.sheet", &[], |w| {
            for row in &rows {
                w.el("div.pair", &[], |w| match row {
                    Row::Fact(fact) => {
                        w.leaf("span.key", &[], fact.label);
                        w.leaf("span.value", &[], &fact.value);
                    }
                    Row::Merged(text) => w.leaf("span.text", &[], text),
                });
            }
        });
    }

    fn reviews(&self, w: &mut Html, cx: &Cx, reviews: &[ReviewView]) {
        w.leaf("h2.section", &[], cx.chrome.labels.reviews);
        if reviews.is_empty() {
            w.leaf("span.text.muted", &[], cx.chrome.labels.no_reviews);
        }
        for review in reviews {
            w.el("dl.opinion", &[], |w| {
                w.el("dt.voice", &[], |w| {
                    w.leaf("span.text", &[], &review.reviewer);
                    w.leaf("span.tiny", &[], &review.date);
                });
                w.el("dd.say", &[], |w| {
                    w.leaf("span.score", &[("aria-label", &review.stars.to_string())], &review.rating);
                    w.leaf("div.line", &[], &review.text);
                });
            });
        }
    }

    fn chips(&self, w: &mut Html, cx: &Cx, searches: &[Link]) {
        w.leaf("h4.label", &[], cx.chrome.labels.popular_searches);
        w.el("div.flex", &[], |w| {
            for link in searches {
                w.leaf("a.chip", &[("href", &cx.href(&link.url))], &link.text);
            }
        });
    }
}
