//! Contemporary shop markup: `div`s with telling classes.

use super::pieces::{self, Row};
use super::{Cx, GRID_COLUMNS, Template};
use crate::html::{Html, Look};
use crate::urls::LinkStyle;
use crate::view::{AuthorView, Block, BookView, Card, Fact, Link, ListView, ReviewView};

pub(super) struct Modern;

impl Template for Modern {
    fn look(&self) -> Look {
        Look::default()
    }

    fn links(&self) -> LinkStyle {
        LinkStyle::RootRelative
    }

    fn frame(&self, w: &mut Html, cx: &Cx, main: &mut dyn FnMut(&mut Html)) {
        let labels = cx.chrome.labels;
        w.raw("<!DOCTYPE html>");
        w.el("html", &[("lang", cx.chrome.language)], |w| {
            pieces::head(w, cx);
            w.el("body.shop", &[], |w| {
                w.el("div.site-header#top", &[], |w| {
                    w.leaf("a.logo", &[("href", &cx.href(&cx.chrome.home.url))], labels.shop);
                    w.leaf("p.tagline", &[], labels.tagline);
                    pieces::search_form(w, cx, "form.search-form");
                    w.el("ul.main-nav", &[], |w| {
                        for link in
                            [&cx.chrome.home].into_iter().chain(&cx.chrome.grids).chain([&cx.chrome.help])
                        {
                            w.el("li", &[], |w| w.leaf("a", &[("href", &cx.href(&link.url))], &link.text));
                        }
                    });
                });
                w.el("div.container", &[], |w| {
                    self.crumbs(w, cx);
                    w.comment("main content starts here");
                    w.el("div.content#main", &[], |w| main(w));
                    self.sidebar(w, cx);
                });
                w.el("div.site-footer", &[], |w| {
                    w.leaf("p.newsletter", &[], labels.newsletter);
                    w.el("p.legal", &[], |w| {
                        w.raw("&copy;&nbsp;2026 ");
                        w.text(labels.shop);
                        w.raw(" &middot; ");
                        w.text(labels.rights);
                    });
                });
                pieces::tracker(w);
            });
        });
    }

    fn home(&self, w: &mut Html, cx: &Cx, cards: &[Card], searches: &[Link]) {
        w.leaf("h1.welcome-title", &[], &cx.page.heading);
        w.leaf("p.welcome", &[], cx.chrome.labels.welcome);
        pieces::noise(w, cx);
        w.el("div.featured", &[], |w| {
            w.leaf("h2", &[], cx.chrome.labels.featured);
            self.cards(w, cx, cards);
        });
        self.searches(w, cx, searches);
    }

    fn list(&self, w: &mut Html, cx: &Cx, list: &ListView) {
        w.leaf("h1.page-title", &[], &cx.page.heading);
        if let Some(intro) = &list.intro {
            w.leaf("p.intro", &[], intro);
        }
        w.leaf("div.result-count", &[], &cx.chrome.labels.count(list.total));
        pieces::noise(w, cx);
        self.cards(w, cx, &list.cards);
        if list.last > 1 {
            self.pager(w, cx, list);
        }
    }

    fn grid(&self, w: &mut Html, cx: &Cx, cards: &[Card]) {
        w.leaf("h1.page-title", &[], &cx.page.heading);
        w.el("div.grid", &[], |w| {
            for row in cards.chunks(GRID_COLUMNS) {
                w.el("div.grid-row", &[], |w| {
                    for card in row {
                        w.el("div.grid-cell", &[], |w| {
                            self.cover(w, cx, card);
                            self.card_text(w, cx, card);
                        });
                    }
                });
                pieces::noise(w, cx);
            }
        });
    }

    fn no_match(&self, w: &mut Html, cx: &Cx, suggestions: &[Link]) {
        w.leaf("h1.page-title", &[], &cx.page.heading);
        w.leaf("p.no-results", &[], cx.chrome.labels.nothing_hint);
        self.searches(w, cx, suggestions);
    }

    fn book(&self, w: &mut Html, cx: &Cx, book: &BookView) {
        let labels = cx.chrome.labels;
        w.el("div.product", &[], |w| {
            w.el("div.product-head", &[], |w| {
                w.void("img.product-cover", &[("src", &cx.href(&book.cover)), ("alt", &book.title)]);
                w.leaf("h1.product-title", &[], &book.title);
                let series_first = w.noisy();
                for series in [series_first, !series_first] {
                    let (selector, value) =
                        if series { ("div.series", &book.series) } else { ("div.subtitle", &book.subtitle) };
                    if let Some(value) = value {
                        w.leaf(selector, &[], value);
                    }
                }
                w.el("div.byline", &[], |w| {
                    w.text(labels.by);
                    for author in &book.authors {
                        w.raw(" ");
                        w.el("a.author", &[("href", &cx.href(&author.url))], |w| {
                            pieces::person(w, &author.text)
                        });
                    }
                });
                w.el("div.price-box", &[], |w| {
                    if let Some(old) = &book.old_price {
                        pieces::price(w, "span.price-old", &[], old);
                        w.raw(" ");
                    }
                    pieces::price(w, "span.price-now", &[], &book.price);
                });
                w.leaf("p.stock", &[], &book.stock);
                w.leaf("button.buy", &[("type", "button")], labels.add_to_basket);
            });
            for block in &cx.page.blocks {
                match block {
                    Block::Facts => self.facts(w, labels.details, &book.facts),
                    Block::Description => w.el("div.panel", &[], |w| {
                        w.leaf("h2", &[], labels.description);
                        w.el("div.description", &[], |w| {
                            for paragraph in &book.description {
                                w.el("p", &[], |w| pieces::runs(w, paragraph));
                            }
                        });
                    }),
                    Block::Reviews => self.reviews(w, cx, &book.reviews),
                    Block::Related if book.related.is_empty() => {}
                    Block::Related => w.el("div.related", &[], |w| {
                        w.leaf("h2", &[], labels.related);
                        w.el("ul.related-list", &[], |w| {
                            for card in &book.related {
                                w.el("li", &[], |w| {
                                    w.leaf("a", &[("href", &cx.href(&card.url))], &card.title);
                                    w.raw(" ");
                                    pieces::price(w, "span.mini-price", &[], &card.price);
                                });
                            }
                        });
                    }),
                    Block::Advertisement => pieces::inner_ad(w, cx, "div.ad.ad-wide"),
                }
                pieces::noise(w, cx);
            }
        });
    }

    fn author(&self, w: &mut Html, cx: &Cx, author: &AuthorView) {
        let labels = cx.chrome.labels;
        w.el("div.author-profile", &[], |w| {
            w.void("img.portrait", &[("src", &cx.href(&author.portrait)), ("alt", "")]);
            w.el("h1.author-name", &[], |w| pieces::person(w, &author.name));
            if !author.facts.is_empty() {
                self.facts(w, labels.about_author, &author.facts);
            }
            pieces::noise(w, cx);
            w.el("div.bio", &[], |w| {
                for paragraph in &author.bio {
                    w.el("p", &[], |w| pieces::runs(w, paragraph));
                }
            });
        });
        w.leaf("h2", &[], &labels.books_by(&author.name));
        self.cards(w, cx, &author.books);
    }

    fn help(&self, w: &mut Html, cx: &Cx, questions: &[(&str, &str)]) {
        w.leaf("h1.page-title", &[], &cx.page.heading);
        w.el("div.faq", &[], |w| {
            for (question, answer) in questions {
                w.el("div.faq-item", &[], |w| {
                    w.leaf("h3.question", &[], question);
                    w.leaf("p.answer", &[], answer);
                });
            }
        });
    }
}

impl Modern {
    fn crumbs(&self, w: &mut Html, cx: &Cx) {
        if cx.page.crumbs.is_empty() {
            return;
        }
        w.el("div.breadcrumb", &[], |w| {
            for link in &cx.page.crumbs {
                w.leaf("a", &[("href", &cx.href(&link.url))], &link.text);
                w.raw(" &rsaquo; ");
            }
            w.leaf("span.here", &[], &cx.page.heading);
        });
    }

    fn sidebar(&self, w: &mut Html, cx: &Cx) {
        let labels = cx.chrome.labels;
        w.el("div.sidebar", &[], |w| {
            w.leaf("h4", &[], labels.categories);
            w.el("ul.categories", &[], |w| {
                for link in &cx.chrome.categories {
                    w.el("li", &[], |w| w.leaf("a", &[("href", &cx.href(&link.url))], &link.text));
                }
            });
            pieces::noise(w, cx);
            w.el("div.box.bestsellers", &[], |w| {
                w.leaf("h4", &[], labels.bestsellers);
                w.el("ol", &[], |w| {
                    for card in &cx.page.bestsellers {
                        w.el("li", &[], |w| w.leaf("a", &[("href", &cx.href(&card.url))], &card.title));
                    }
                });
            });
            if let Some(first) = cx.page.ads.first() {
                pieces::ad(w, cx, "div.ad", first);
            }
        });
    }

    fn cards(&self, w: &mut Html, cx: &Cx, cards: &[Card]) {
        w.el("div.book-list", &[], |w| {
            for card in cards {
                w.el("div.book-card", &[], |w| {
                    self.cover(w, cx, card);
                    w.el("div.book-info", &[], |w| self.card_text(w, cx, card));
                });
                if w.rng.chance(0.25) && w.noisy() {
                    pieces::inner_ad(w, cx, "div.ad.ad-inline");
                }
            }
        });
    }

    fn cover(&self, w: &mut Html, cx: &Cx, card: &Card) {
        w.el("a.thumb", &[("href", &cx.href(&card.url))], |w| {
            w.void("img", &[("src", &cx.href(&card.cover)), ("alt", &card.title)]);
        });
    }

    fn card_text(&self, w: &mut Html, cx: &Cx, card: &Card) {
        w.el("h3.book-title", &[], |w| w.leaf("a", &[("href", &cx.href(&card.url))], &card.title));
        w.leaf("div.book-author", &[], &card.authors);
        if let Some(blurb) = &card.blurb {
            w.leaf("p.blurb", &[], blurb);
        }
        w.el("div.book-price", &[], |w| {
            if let Some(old) = &card.old_price {
                pieces::price(w, "span.price-old", &[], old);
                w.raw(" ");
            }
            pieces::price(w, "span.price-now", &[], &card.price);
        });
    }

    fn pager(&self, w: &mut Html, cx: &Cx, list: &ListView) {
        let labels = cx.chrome.labels;
        w.el("div.pagination", &[], |w| {
            if let Some(previous) = list.url_of(list.page - 1) {
                w.leaf("a.prev", &[("href", &cx.href(previous))], labels.previous);
                w.raw(" ");
            }
            w.leaf("span.current", &[], &labels.page_of(list.page, list.last));
            if let Some(next) = list.url_of(list.page + 1) {
                w.raw(" ");
                w.leaf("a.next", &[("href", &cx.href(next))], labels.next);
            }
        });
    }

    fn facts(&self, w: &mut Html, heading: &str, facts: &[Fact]) {
        let rows = pieces::rows(w, facts);
        w.el("div.panel.facts", &[], |w| {
            w.leaf("h2", &[], heading);
            w.el("ul.fact-list", &[], |w| {
                for row in &rows {
                    w.el("li.fact", &[], |w| match row {
                        Row::Fact(fact) => {
                            w.leaf("span.fact-label", &[], &format!("{}:", fact.label));
                            w.raw(" ");
                            w.leaf("span.fact-value", &[], &fact.value);
                        }
                        Row::Merged(text) => w.text(text),
                    });
                }
            });
        });
    }

    fn reviews(&self, w: &mut Html, cx: &Cx, reviews: &[ReviewView]) {
        w.el("div.reviews#reviews", &[], |w| {
            w.leaf("h2", &[], cx.chrome.labels.reviews);
            if reviews.is_empty() {
                w.leaf("p.empty", &[], cx.chrome.labels.no_reviews);
            }
            for review in reviews {
                w.el("div.review", &[], |w| {
                    w.el("div.review-head", &[], |w| {
                        w.leaf("strong.reviewer", &[], &review.reviewer);
                        w.raw(" ");
                        w.leaf("span.stars", &[("data-stars", &review.stars.to_string())], &review.rating);
                        w.raw(" ");
                        w.leaf("span.review-date", &[], &review.date);
                    });
                    w.leaf("p.review-text", &[], &review.text);
                });
            }
        });
    }

    fn searches(&self, w: &mut Html, cx: &Cx, searches: &[Link]) {
        w.el("div.searches", &[], |w| {
            w.leaf("h4", &[], cx.chrome.labels.popular_searches);
            for link in searches {
                w.leaf("a.tag", &[("href", &cx.href(&link.url))], &link.text);
                w.raw(" ");
            }
        });
    }
}
