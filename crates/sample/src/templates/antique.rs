//! Hand-made markup of the early 2000s: nested tables, `font`, no classes at all.

use super::pieces::{self, Row};
use super::{Cx, GRID_COLUMNS, Template};
use crate::html::{Html, Look};
use crate::urls::LinkStyle;
use crate::view::{AuthorView, Block, BookView, Card, Fact, Link, ListView, ReviewView};

pub(super) struct Antique;

/// Attributes of a layout table.
const LAYOUT: [(&str, &str); 4] =
    [("border", "0"), ("cellpadding", "4"), ("cellspacing", "0"), ("width", "100%")];

impl Template for Antique {
    fn look(&self) -> Look {
        Look { uppercase: true, classless: true, ..Look::default() }
    }

    fn links(&self) -> LinkStyle {
        LinkStyle::PageRelative
    }

    fn frame(&self, w: &mut Html, cx: &Cx, main: &mut dyn FnMut(&mut Html)) {
        let labels = cx.chrome.labels;
        w.raw("<!DOCTYPE HTML PUBLIC \"-//W3C//DTD HTML 4.01 Transitional//EN\">");
        w.el("html", &[], |w| {
            w.el("head", &[], |w| {
                w.void("meta", &[("http-equiv", "Content-Type"), ("content", "text/html; charset=utf-8")]);
                w.leaf("title", &[], &pieces::full_title(cx));
                w.void("meta", &[("name", "description"), ("content", &cx.page.summary)]);
                if let Some(data) = &cx.page.json_ld {
                    w.el("script", &[("type", "application/ld+json")], |w| w.raw(data));
                }
            });
            w.el("body", &[("bgcolor", "#FFFFEE"), ("text", "#222222")], |w| {
                w.comment("header");
                w.el("table", &LAYOUT, |w| {
                    w.el("tr", &[("bgcolor", "#336644")], |w| {
                        w.el("td", &[], |w| {
                            w.leaf("font", &[("size", "5"), ("color", "#FFFFFF")], labels.shop)
                        });
                        w.el("td", &[("align", "right")], |w| pieces::search_form(w, cx, "form"));
                    });
                    w.el("tr", &[], |w| {
                        w.el("td", &[("colspan", "2")], |w| {
                            for link in
                                [&cx.chrome.home].into_iter().chain(&cx.chrome.grids).chain([&cx.chrome.help])
                            {
                                w.leaf("a", &[("href", &cx.href(&link.url))], &link.text);
                                w.raw(" |&nbsp;");
                            }
                        });
                    });
                });
                w.el("table", &LAYOUT, |w| {
                    w.el("tr", &[("valign", "top")], |w| {
                        w.el("td", &[("width", "160")], |w| self.sidebar(w, cx));
                        w.el("td", &[], |w| {
                            self.crumbs(w, cx);
                            main(w);
                        });
                        w.el("td", &[("width", "140")], |w| self.right(w, cx));
                    });
                });
                w.void("hr", &[]);
                w.el("center", &[], |w| {
                    w.el("font", &[("size", "1")], |w| {
                        w.raw("&copy; 2026 ");
                        w.text(labels.shop);
                        w.raw(" &#183; ");
                        w.text(labels.rights);
                    });
                });
                pieces::tracker(w);
            });
        });
    }

    fn home(&self, w: &mut Html, cx: &Cx, cards: &[Card], searches: &[Link]) {
        self.title(w, &cx.page.heading);
        w.leaf("p", &[], cx.chrome.labels.welcome);
        pieces::noise(w, cx);
        w.el("p", &[], |w| w.leaf("b", &[], cx.chrome.labels.featured));
        self.cards(w, cx, cards);
        self.searches(w, cx, searches);
    }

    fn list(&self, w: &mut Html, cx: &Cx, list: &ListView) {
        self.title(w, &cx.page.heading);
        if let Some(intro) = &list.intro {
            w.leaf("p", &[], intro);
        }
        w.el("p", &[], |w| w.leaf("i", &[], &cx.chrome.labels.count(list.total)));
        pieces::noise(w, cx);
        self.cards(w, cx, &list.cards);
        if list.last > 1 {
            w.el("center", &[], |w| {
                for (number, url) in &list.pages {
                    if *number == list.page {
                        w.leaf("b", &[], &number.to_string());
                    } else {
                        w.leaf("a", &[("href", &cx.href(url))], &number.to_string());
                    }
                    w.raw("&nbsp; ");
                }
            });
        }
    }

    fn grid(&self, w: &mut Html, cx: &Cx, cards: &[Card]) {
        self.title(w, &cx.page.heading);
        w.el("table", &[("border", "0"), ("cellpadding", "8"), ("width", "100%")], |w| {
            for row in cards.chunks(GRID_COLUMNS) {
                w.el("tr", &[("valign", "top")], |w| {
                    for card in row {
                        w.el("td", &[("width", "25%"), ("align", "center")], |w| {
                            self.cover(w, cx, card);
                            w.void("br", &[]);
                            w.leaf("a", &[("href", &cx.href(&card.url))], &card.title);
                            w.void("br", &[]);
                            w.leaf("i", &[], &card.authors);
                            w.void("br", &[]);
                            self.prices(w, card);
                        });
                    }
                });
            }
        });
    }

    fn no_match(&self, w: &mut Html, cx: &Cx, suggestions: &[Link]) {
        self.title(w, &cx.page.heading);
        w.leaf("p", &[], cx.chrome.labels.nothing_hint);
        self.searches(w, cx, suggestions);
    }

    fn book(&self, w: &mut Html, cx: &Cx, book: &BookView) {
        let labels = cx.chrome.labels;
        w.el("table", &LAYOUT, |w| {
            w.el("tr", &[("valign", "top")], |w| {
                w.el("td", &[("width", "150")], |w| {
                    w.void("img", &[("src", &cx.href(&book.cover)), ("width", "140"), ("alt", &book.title)]);
                });
                w.el("td", &[], |w| {
                    self.title(w, &book.title);
                    if let Some(subtitle) = &book.subtitle {
                        w.leaf("i", &[], subtitle);
                        w.void("br", &[]);
                    }
                    w.text(labels.by);
                    for author in &book.authors {
                        w.raw(" ");
                        w.el("a", &[("href", &cx.href(&author.url))], |w| pieces::person(w, &author.text));
                    }
                    w.void("br", &[]);
                    if let Some(series) = &book.series {
                        self.labelled(w, labels.series, series);
                    }
                    if let Some(old) = &book.old_price {
                        w.leaf("b", &[], &format!("{}:", labels.was));
                        w.raw(" ");
                        pieces::price(w, "s", &[], old);
                        w.void("br", &[]);
                    }
                    w.leaf("b", &[], &format!("{}:", labels.price));
                    w.raw(" ");
                    pieces::price(w, "font", &[("color", "#AA0000")], &book.price);
                    w.void("br", &[]);
                    self.labelled(w, labels.availability, &book.stock);
                });
            });
        });
        for block in &cx.page.blocks {
            match block {
                Block::Facts => self.facts(w, labels.details, &book.facts),
                Block::Description => {
                    self.heading(w, labels.description);
                    w.el("table", &LAYOUT, |w| {
                        w.el("tr", &[], |w| {
                            w.el("td", &[], |w| {
                                for (index, paragraph) in book.description.iter().enumerate() {
                                    if index > 0 {
                                        w.raw("<BR><BR>\n");
                                    }
                                    pieces::runs(w, paragraph);
                                }
                            });
                        });
                    });
                }
                Block::Reviews => self.reviews(w, cx, &book.reviews),
                Block::Related if book.related.is_empty() => {}
                Block::Related => {
                    self.heading(w, labels.related);
                    for card in &book.related {
                        w.raw("&#8226; ");
                        w.leaf("a", &[("href", &cx.href(&card.url))], &card.title);
                        w.void("br", &[]);
                    }
                }
                Block::Advertisement => pieces::inner_ad(w, cx, "center"),
            }
            pieces::noise(w, cx);
        }
    }

    fn author(&self, w: &mut Html, cx: &Cx, author: &AuthorView) {
        let labels = cx.chrome.labels;
        w.void("img", &[("src", &cx.href(&author.portrait)), ("align", "right"), ("alt", "")]);
        w.el("h1", &[], |w| w.el("font", &[("color", "#336644")], |w| pieces::person(w, &author.name)));
        if !author.facts.is_empty() {
            self.facts(w, labels.about_author, &author.facts);
        }
        pieces::noise(w, cx);
        w.el("blockquote", &[], |w| {
            for (index, paragraph) in author.bio.iter().enumerate() {
                if index > 0 {
                    w.raw("<BR><BR>\n");
                }
                pieces::runs(w, paragraph);
            }
        });
        self.heading(w, &labels.books_by(&author.name));
        self.cards(w, cx, &author.books);
    }

    fn help(&self, w: &mut Html, cx: &Cx, questions: &[(&str, &str)]) {
        self.title(w, &cx.page.heading);
        for (question, answer) in questions {
            w.el("p", &[], |w| {
                w.leaf("b", &[], question);
                w.void("br", &[]);
                w.text(answer);
            });
        }
    }
}

impl Antique {
    fn title(&self, w: &mut Html, text: &str) {
        w.el("h1", &[], |w| w.leaf("font", &[("color", "#336644")], text));
    }

    fn heading(&self, w: &mut Html, text: &str) {
        w.el("h3", &[], |w| w.leaf("u", &[], text));
    }

    fn labelled(&self, w: &mut Html, label: &str, value: &str) {
        w.leaf("b", &[], &format!("{label}:"));
        w.text(&format!(" {value}"));
        w.void("br", &[]);
    }

    fn crumbs(&self, w: &mut Html, cx: &Cx) {
        w.el("font", &[("size", "2")], |w| {
            for link in &cx.page.crumbs {
                w.leaf("a", &[("href", &cx.href(&link.url))], &link.text);
                w.raw(" &gt; ");
            }
        });
    }

    fn sidebar(&self, w: &mut Html, cx: &Cx) {
        w.leaf("b", &[], cx.chrome.labels.categories);
        for link in &cx.chrome.categories {
            w.void("br", &[]);
            w.leaf("a", &[("href", &cx.href(&link.url))], &link.text);
        }
        pieces::noise(w, cx);
    }

    fn right(&self, w: &mut Html, cx: &Cx) {
        w.el("table", &[("border", "1"), ("bgcolor", "#EEEECC")], |w| {
            w.el("tr", &[], |w| w.el("td", &[], |w| w.leaf("b", &[], cx.chrome.labels.bestsellers)));
            for card in &cx.page.bestsellers {
                w.el("tr", &[], |w| {
                    w.el("td", &[], |w| w.leaf("a", &[("href", &cx.href(&card.url))], &card.title))
                });
            }
        });
        if let Some(first) = cx.page.ads.first() {
            pieces::ad(w, cx, "p", first);
        }
    }

    /// A record is a run of three rows, not one subtree.
    fn cards(&self, w: &mut Html, cx: &Cx, cards: &[Card]) {
        w.el("table", &LAYOUT, |w| {
            for card in cards {
                w.el("tr", &[], |w| {
                    w.el("td", &[("rowspan", "2"), ("width", "80")], |w| self.cover(w, cx, card));
                    w.el("td", &[], |w| {
                        w.el("b", &[], |w| w.leaf("a", &[("href", &cx.href(&card.url))], &card.title))
                    });
                    w.el("td", &[("align", "right")], |w| self.prices(w, card));
                });
                w.el("tr", &[], |w| {
                    w.el("td", &[("colspan", "2")], |w| {
                        w.leaf("i", &[], &card.authors);
                        if let Some(blurb) = &card.blurb {
                            w.void("br", &[]);
                            w.leaf("font", &[("size", "2")], blurb);
                        }
                    });
                });
                w.el("tr", &[], |w| {
                    w.el("td", &[("colspan", "3")], |w| {
                        if w.rng.chance(0.25) && w.noisy() {
                            pieces::inner_ad(w, cx, "center");
                        }
                        w.void("hr", &[("size", "1")]);
                    });
                });
            }
        });
    }

    fn cover(&self, w: &mut Html, cx: &Cx, card: &Card) {
        w.el("a", &[("href", &cx.href(&card.url))], |w| {
            w.void("img", &[("src", &cx.href(&card.cover)), ("border", "0"), ("width", "70"), ("alt", "")]);
        });
    }

    fn prices(&self, w: &mut Html, card: &Card) {
        if let Some(old) = &card.old_price {
            pieces::price(w, "s", &[], old);
            w.raw(" ");
        }
        pieces::price(w, "font", &[("color", "#AA0000")], &card.price);
    }

    fn facts(&self, w: &mut Html, heading: &str, facts: &[Fact]) {
        let rows = pieces::rows(w, facts);
        self.heading(w, heading);
        w.el("table", &[("border", "1"), ("cellpadding", "3")], |w| {
            for row in &rows {
                w.el("tr", &[], |w| match row {
                    Row::Fact(fact) => {
                        w.el("td", &[("bgcolor", "#DDDDDD")], |w| w.leaf("b", &[], fact.label));
                        w.leaf("td", &[], &fact.value);
                    }
                    Row::Merged(text) => w.leaf("td", &[("colspan", "2")], text),
                });
            }
        });
    }

    fn reviews(&self, w: &mut Html, cx: &Cx, reviews: &[ReviewView]) {
        self.heading(w, cx.chrome.labels.reviews);
        if reviews.is_empty() {
            w.leaf("p", &[], cx.chrome.labels.no_reviews);
            return;
        }
        w.el("table", &LAYOUT, |w| {
            for review in reviews {
                w.el("tr", &[("bgcolor", "#EEEEEE")], |w| {
                    w.el("td", &[], |w| w.leaf("b", &[], &review.reviewer));
                    w.leaf("td", &[], &review.rating);
                    w.el("td", &[("align", "right")], |w| w.leaf("font", &[("size", "2")], &review.date));
                });
                w.el("tr", &[], |w| w.leaf("td", &[("colspan", "3")], &review.text));
            }
        });
    }

    fn searches(&self, w: &mut Html, cx: &Cx, searches: &[Link]) {
        w.el("p", &[], |w| {
            w.leaf("b", &[], cx.chrome.labels.popular_searches);
            for link in searches {
                w.raw(" &raquo;&nbsp;");
                w.leaf("a", &[("href", &cx.href(&link.url))], &link.text);
            }
        });
    }
}
