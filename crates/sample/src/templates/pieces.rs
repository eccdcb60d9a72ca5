//! Pieces that families share: what is the same on the web whatever the layout.

use super::Cx;
use crate::html::Html;
use crate::knobs::Change;
use crate::prose::{Mark, Paragraph};
use crate::view::{Ad, Fact};

/// `head` of a contemporary document: meta data, OpenGraph, style and script.
pub(super) fn head(w: &mut Html, cx: &Cx) {
    let (page, chrome) = (cx.page, cx.chrome);
    let title = full_title(cx);
    w.el("head", &[], |w| {
        w.void("meta", &[("charset", "utf-8")]);
        w.void("meta", &[("name", "viewport"), ("content", "width=device-width, initial-scale=1")]);
        w.leaf("title", &[], &title);
        w.void("meta", &[("name", "description"), ("content", &page.summary)]);
        w.void("link", &[("rel", "canonical"), ("href", &page.url)]);
        w.void("meta", &[("property", "og:site_name"), ("content", chrome.labels.shop)]);
        w.void("meta", &[("property", "og:title"), ("content", &page.heading)]);
        w.void("meta", &[("property", "og:url"), ("content", &page.url)]);
        w.void("link", &[("rel", "stylesheet"), ("href", &cx.href(&asset("css/shop.css")))]);
        w.el("style", &[], |w| w.raw("body{margin:0;font:16px/1.5 Georgia,serif} .ad>a{color:#777}"));
        if let Some(data) = &page.json_ld {
            w.el("script", &[("type", "application/ld+json")], |w| w.raw(data));
        }
    });
}

/// `title` of the document.
pub(super) fn full_title(cx: &Cx) -> String {
    match cx.page.crumbs.is_empty() {
        true => format!("{} – {}", cx.chrome.labels.shop, cx.chrome.labels.tagline),
        false => format!("{} | {}", cx.page.heading, cx.chrome.labels.shop),
    }
}

/// The address of a file that is no page.
pub(super) fn asset(path: &str) -> String {
    format!("{}/{path}", crate::urls::ORIGIN)
}

/// A counter at the end of `body`, different on every page as counters are.
pub(super) fn tracker(w: &mut Html) {
    let visit = w.rng.below(1_000_000);
    w.el("script", &[], |w| w.raw(&format!("var shop = {{visit: {visit}, if: \"a<b && c>d\"}};")));
}

/// The search form; `button` and `field` are selectors.
pub(super) fn search_form(w: &mut Html, cx: &Cx, form: &str) {
    let action = cx.href(&cx.chrome.search_url);
    w.el(form, &[("action", &action), ("method", "get"), ("role", "search")], |w| {
        w.void("input", &[("type", "text"), ("name", "q"), ("size", "20")]);
        w.raw(" ");
        w.void("input", &[("type", "submit"), ("value", cx.chrome.labels.search)]);
    });
}

/// An advertisement: a box with a link to elsewhere.
pub(super) fn ad(w: &mut Html, cx: &Cx, frame: &str, ad: &Ad) {
    let target = format!("http://ads.example/click?campaign={}&place=books", ad.id);
    w.el(frame, &[], |w| {
        w.leaf("small", &[], cx.chrome.labels.sponsored);
        w.raw(" ");
        w.leaf("a", &[("href", &target), ("rel", "nofollow sponsored")], ad.head);
        w.raw(" ");
        w.leaf("span", &[], ad.body);
    });
}

/// An advertisement of the page's store for a place inside the content.
pub(super) fn inner_ad(w: &mut Html, cx: &Cx, frame: &str) {
    if let Some(drawn) = w.rng.pick_from(&cx.page.ads).copied() {
        ad(w, cx, frame, &drawn);
    }
}

/// At the noise rate, something that means nothing: a comment, a promotion, an empty box, a counter's pixel.
pub(super) fn noise(w: &mut Html, cx: &Cx) {
    if !w.noisy() {
        return;
    }
    match w.rng.below(4) {
        0 => {
            let part = w.rng.below(90);
            w.comment(&format!("block {part} <cached> & checked"));
        }
        1 => {
            let promo = w.rng.word(cx.chrome.promos);
            w.leaf("div.promo", &[("style", "margin:1em 0")], promo);
        }
        2 => {
            let slot = format!("slot-{}", w.rng.below(900));
            w.el("div.placeholder", &[("data-slot", &slot)], |_| {});
        }
        _ => {
            let pixel = format!("http://count.example/p.gif?{}", w.rng.below(100_000));
            w.void("img", &[("src", &pixel), ("width", "1"), ("height", "1"), ("alt", "")]);
        }
    }
}

/// Runs of a paragraph with their inline tags.
pub(super) fn runs(w: &mut Html, paragraph: &Paragraph) {
    for run in paragraph {
        match run.mark {
            Mark::Plain => w.text(&run.text),
            Mark::Emphasis => w.leaf("em", &[], &run.text),
            Mark::Strong => w.leaf("strong", &[], &run.text),
        }
    }
}

/// A price: one text, or currency and amount apart after a redesign that splits fields.
pub(super) fn price(w: &mut Html, selector: &str, attrs: &[(&str, &str)], price: &str) {
    if !w.changes(Change::SplitFields) {
        return w.leaf(selector, attrs, price);
    }
    w.el(selector, attrs, |w| {
        let amount = |c: char| c.is_ascii_digit() || c == '.' || c == ',';
        let start = price.find(amount).unwrap_or(0);
        let end = price.rfind(amount).map_or(price.len(), |at| at + 1);
        for (part, inner) in [
            (&price[..start], "span.currency"),
            (&price[start..end], "span.amount"),
            (&price[end..], "span.currency"),
        ] {
            if part.starts_with(' ') {
                w.raw(" ");
            }
            if !part.trim().is_empty() {
                w.leaf(inner, &[], part.trim());
            }
        }
    });
}

/// A person's name: one text, or its two halves apart after a redesign that splits fields.
pub(super) fn person(w: &mut Html, name: &str) {
    if !w.changes(Change::SplitFields) {
        return w.text(name);
    }
    match name.rsplit_once(' ') {
        Some((first, last)) => {
            w.leaf("span.first", &[], first);
            w.raw(" ");
            w.leaf("span.last", &[], last);
        }
        None => {
            let cut = name.chars().next().map_or(0, char::len_utf8);
            w.leaf("span.last", &[], &name[..cut]);
            w.leaf("span.first", &[], &name[cut..]);
        }
    }
}

/// A line of the name-value block.
pub(super) enum Row<'a> {
    Fact(&'a Fact),
    /// Several facts in one text.
    Merged(String),
}

/// The lines of a name-value block: one a fact, or pairs in one text after a redesign that merges fields.
pub(super) fn rows<'a>(w: &Html, facts: &'a [Fact]) -> Vec<Row<'a>> {
    if !w.changes(Change::MergeFields) {
        return facts.iter().map(Row::Fact).collect();
    }
    let merges = |fact: &&Fact| ["pages", "language", "binding", "weight"].contains(&fact.key);
    let mut rows: Vec<Row> = facts.iter().filter(|f| !merges(f)).map(Row::Fact).collect();
    let together: Vec<String> =
        facts.iter().filter(merges).map(|f| format!("{}: {}", f.label, f.value)).collect();
    rows.extend(together.chunks(2).map(|pair| Row::Merged(pair.join(" | "))));
    rows
}
