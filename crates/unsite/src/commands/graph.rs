//! The link graph of a site before and after redundant links are taken away, drawn.

use std::fmt::Write;

use unsite_discover::roles::{PageLink, REDUNDANT, SiteLinks};
use unsite_wrapper::PageRecord;

use crate::ui;

/// Pages that an SVG shows; of more, evenly spread ones. Beyond, dots and lines run into each other.
const MOST_PAGES: usize = 600;

/// Width and height of one of the two drawings.
const SIDE: f64 = 640.0;

/// Room above the drawings for their titles.
const TOP: f64 = 48.0;

/// What is drawn.
pub(crate) struct Drawing<'a> {
    pub links: &'a SiteLinks,
    /// The pages, in the order of the links' numbers.
    pub records: &'a [PageRecord],
    pub title: &'a str,
}

/// Role, colour.
const COLOURS: [(&str, &str); 6] = [
    ("index", "#d1495b"),
    ("article", "#30638e"),
    ("search", "#edae49"),
    ("no-match", "#8d6a9f"),
    ("error", "#222222"),
    ("other", "#9aa0a6"),
];

fn colour(role: &str) -> &'static str {
    COLOURS.iter().find(|(name, _)| *name == role).map_or("#9aa0a6", |(_, colour)| colour)
}

impl Drawing<'_> {
    /// Two drawings side by side: all links, and those that inform. Index pages stand in the middle, the others around them;
    /// pages of one role and type are neighbours.
    pub(crate) fn svg(&self) -> String {
        let shown = self.shown();
        let places = self.places(&shown);
        let (width, height) = (2.0 * SIDE, SIDE + TOP + 28.0);
        let mut out = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\">\n\
             <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
        );
        let all: Vec<&PageLink> = self.links.links.iter().collect();
        let left: Vec<&PageLink> = all.iter().copied().filter(|link| link.entropy <= REDUNDANT).collect();
        for (at, (name, links)) in [("before", &all), ("after", &left)].into_iter().enumerate() {
            let from = SIDE * at as f64;
            let linked = self.linked(links);
            let _ = writeln!(
                out,
                "<g transform=\"translate({from} 0)\">\n<text x=\"16\" y=\"28\" font-size=\"18\">{name}: {}, {}</text>",
                ui::counted(linked as u64, "linked page"),
                ui::counted(links.len() as u64, "link"),
            );
            self.lines(&mut out, links, &places);
            self.dots(&mut out, &shown, &places);
            out += "</g>\n";
        }
        let mut x = 16.0;
        for (role, colour) in
            COLOURS.iter().filter(|(role, _)| self.records.iter().any(|page| page.role == *role))
        {
            let y = height - 14.0;
            let _ = writeln!(
                out,
                "<circle cx=\"{x}\" cy=\"{}\" r=\"5\" fill=\"{colour}\"/><text x=\"{}\" y=\"{y}\" font-size=\"13\">{role}</text>",
                y - 4.0,
                x + 10.0
            );
            x += 30.0 + 8.0 * role.len() as f64;
        }
        let redundant = all.len() - left.len();
        let _ = writeln!(
            out,
            "<text x=\"{}\" y=\"{}\" font-size=\"13\" text-anchor=\"end\">{} of {} redundant (entropy above {REDUNDANT}){}</text>",
            width - 16.0,
            height - 14.0,
            ui::number(redundant as u64),
            ui::counted(all.len() as u64, "link"),
            if shown.len() < self.records.len() {
                format!("; {} of {} pages drawn", shown.len(), self.records.len())
            } else {
                String::new()
            }
        );
        out + "</svg>\n"
    }

    /// The pages that are drawn, by role, type and address.
    fn shown(&self) -> Vec<usize> {
        let mut pages: Vec<usize> = (0..self.records.len()).collect();
        pages.sort_by_key(|&at| {
            let record = &self.records[at];
            (COLOURS.iter().position(|(role, _)| *role == record.role), record.page_type, at)
        });
        let most = MOST_PAGES.min(pages.len());
        (0..most).map(|at| pages[at * pages.len() / most]).collect()
    }

    /// Where each page stands; `None` for one that is not drawn. Index pages on an inner ring, the others on an outer.
    fn places(&self, shown: &[usize]) -> Vec<Option<(f64, f64)>> {
        let mut places = vec![None; self.records.len()];
        let inner: Vec<usize> =
            shown.iter().copied().filter(|&at| self.records[at].role == "index").collect();
        let outer: Vec<usize> =
            shown.iter().copied().filter(|&at| self.records[at].role != "index").collect();
        for (ring, radius) in [(inner, 0.22 * SIDE), (outer, 0.45 * SIDE)] {
            for (at, page) in ring.iter().enumerate() {
                let turn = std::f64::consts::TAU * at as f64 / ring.len() as f64;
                let middle = SIDE / 2.0;
                places[*page] = Some((middle + radius * turn.sin(), TOP + middle - radius * turn.cos()));
            }
        }
        places
    }

    /// How many of the pages that were read a link leads from or to.
    fn linked(&self, links: &[&PageLink]) -> usize {
        let mut linked = vec![false; self.links.targets.max(self.records.len())];
        for link in links {
            linked[link.from as usize] = true;
            linked[link.to as usize] = true;
        }
        linked.iter().take(self.records.len()).filter(|linked| **linked).count()
    }

    fn lines(&self, out: &mut String, links: &[&PageLink], places: &[Option<(f64, f64)>]) {
        let mut pairs: Vec<(u32, u32)> = links.iter().map(|link| (link.from, link.to)).collect();
        pairs.sort_unstable();
        pairs.dedup();
        out.push_str(
            "<path fill=\"none\" stroke=\"#5f6b76\" stroke-opacity=\"0.18\" stroke-width=\"0.6\" d=\"",
        );
        for (from, to) in pairs {
            let place = |page: u32| places.get(page as usize).copied().flatten();
            if let (Some((x, y)), Some((to_x, to_y))) = (place(from), place(to)) {
                let _ = write!(out, "M{x:.1} {y:.1}L{to_x:.1} {to_y:.1}");
            }
        }
        out.push_str("\"/>\n");
    }

    fn dots(&self, out: &mut String, shown: &[usize], places: &[Option<(f64, f64)>]) {
        for &page in shown {
            let Some((x, y)) = places[page] else { continue };
            let record = &self.records[page];
            let _ = writeln!(
                out,
                "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3\" fill=\"{}\"><title>{}</title></circle>",
                colour(&record.role),
                escaped(&record.url)
            );
        }
    }
}

/// The same for Graphviz: two graphs in one file.
pub(crate) struct Dot;

impl Dot {
    pub(crate) fn both(drawing: &Drawing<'_>) -> String {
        let mut out = String::new();
        for (name, most) in [("before", f64::INFINITY), ("after", REDUNDANT)] {
            let _ =
                writeln!(out, "digraph {name} {{\n  label={};\n  node [shape=point];", quoted(drawing.title));
            for (at, record) in drawing.records.iter().enumerate() {
                let (colour, url) = (colour(&record.role), quoted(&record.url));
                let _ = writeln!(out, "  {at} [color=\"{colour}\", tooltip={url}, xlabel={url}];");
            }
            for link in drawing.links.links.iter().filter(|link| link.entropy <= most) {
                if (link.to as usize) < drawing.records.len() {
                    let _ =
                        writeln!(out, "  {} -> {} [weight={:.3}];", link.from, link.to, 1.0 - link.entropy);
                }
            }
            out.push_str("}\n");
        }
        out
    }
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", ui::printable(text).replace('\\', "\\\\").replace('"', "\\\""))
}

fn escaped(text: &str) -> String {
    ui::printable(text).replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
