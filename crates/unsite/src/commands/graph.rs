//! The link graph of a site before and after redundant links are taken away, drawn.

use std::fmt::Write;

use unsite_discover::roles::{PageLink, REDUNDANT, SiteLinks};
use unsite_wrapper::{PageRecord, PageTypeInfo};

use crate::ui;

/// Pages that an SVG shows; of more, evenly spread ones. Beyond, dots and lines run into each other.
const MOST_PAGES: usize = 600;

/// Lines of one drawing; of more, evenly spread ones.
const MOST_LINES: usize = 12_000;

/// Width and height of one of the two drawings.
const WIDE: f64 = 880.0;
const HIGH: f64 = 640.0;

/// The ring on which the pages stand.
const RADIUS: f64 = 270.0;

/// Degrees of the ring, of 360, that are left free between page types, all together.
const GAPS: f64 = 40.0;

/// From one name of a type to the next; longer names are cut.
const LINE: f64 = 16.0;
const LONGEST: usize = 26;

/// Room above the drawings for their titles, and below for what colours mean.
const TOP: f64 = 48.0;
const BELOW: f64 = 40.0;

/// What is drawn.
pub(crate) struct Drawing<'a> {
    pub links: &'a SiteLinks,
    /// The pages, in the order of the links' numbers.
    pub records: &'a [PageRecord],
    /// What the types of the records are called.
    pub types: &'a [PageTypeInfo],
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

/// Pages of one type that stand side by side on the ring.
struct Arc {
    page_type: Option<usize>,
    role: String,
    /// How many pages of the type there are, drawn or not.
    pages: usize,
    /// The turn of its middle, from the top.
    turn: f64,
}

impl Drawing<'_> {
    /// Two drawings side by side: all links, and those that inform. Pages stand on a ring, those of one role and type
    /// together, and their type is named beside them.
    pub(crate) fn svg(&self) -> String {
        let shown = self.shown();
        let (places, arcs) = self.places(&shown);
        let (width, height) = (2.0 * WIDE, HIGH + TOP + BELOW);
        let mut out = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" \
             font-family=\"sans-serif\" fill=\"#222\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
        );
        let all: Vec<&PageLink> = self.links.links.iter().collect();
        let left: Vec<&PageLink> = all.iter().copied().filter(|link| link.entropy <= REDUNDANT).collect();
        for (at, (name, links)) in [("all links", &all), ("links that inform", &left)].into_iter().enumerate()
        {
            let from = WIDE * at as f64;
            let linked = self.linked(links);
            let _ = writeln!(
                out,
                "<g transform=\"translate({from} 0)\">\n<text x=\"16\" y=\"30\" font-size=\"18\"><tspan font-weight=\"bold\">{name}</tspan>: {}, {}</text>",
                ui::counted(links.len() as u64, "link"),
                ui::counted(linked as u64, "linked page"),
            );
            let drawn = self.lines(&mut out, links, &places);
            self.dots(&mut out, &shown, &places);
            self.names(&mut out, &arcs);
            if drawn == 0 {
                let (x, y) = (WIDE / 2.0, TOP + HIGH / 2.0);
                let _ = writeln!(
                    out,
                    "<text x=\"{x}\" y=\"{y}\" text-anchor=\"middle\" font-size=\"15\">no link between these pages</text>"
                );
            }
            out += "</g>\n";
        }
        self.legend(&mut out, (width, height), (all.len(), left.len(), shown.len()));
        out + "</svg>\n"
    }

    fn legend(
        &self,
        out: &mut String,
        (width, height): (f64, f64),
        (all, left, shown): (usize, usize, usize),
    ) {
        let mut x = 22.0;
        let y = height - 16.0;
        for (role, colour) in
            COLOURS.iter().filter(|(role, _)| self.records.iter().any(|page| page.role == *role))
        {
            let _ = writeln!(
                out,
                "<circle cx=\"{x}\" cy=\"{}\" r=\"6\" fill=\"{colour}\"/><text x=\"{}\" y=\"{y}\" font-size=\"14\">{role}</text>",
                y - 5.0,
                x + 12.0
            );
            x += 40.0 + 8.0 * role.len() as f64;
        }
        let drawn = match shown < self.records.len() {
            true => format!("; {shown} of {} pages drawn", self.records.len()),
            false => String::new(),
        };
        let _ = writeln!(
            out,
            "<text x=\"{x}\" y=\"{y}\" font-size=\"14\">a line has the colour of the page that it leads from</text>\n\
             <text x=\"{}\" y=\"{y}\" font-size=\"14\" text-anchor=\"end\">{} of {} redundant (entropy above {REDUNDANT}){drawn}</text>",
            width - 16.0,
            ui::number((all - left) as u64),
            ui::counted(all as u64, "link"),
        );
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

    /// Where each page stands, `None` for one that is not drawn, and where the types do.
    fn places(&self, shown: &[usize]) -> (Vec<Option<(f64, f64)>>, Vec<Arc>) {
        let mut places = vec![None; self.records.len()];
        let key = |page: usize| (self.records[page].role.as_str(), self.records[page].page_type);
        let groups: Vec<&[usize]> = shown.chunk_by(|&a, &b| key(a) == key(b)).collect();
        let gap = GAPS.to_radians() / groups.len().max(1) as f64;
        let step = (std::f64::consts::TAU - gap * groups.len() as f64) / shown.len().max(1) as f64;
        let mut arcs = Vec::new();
        let mut turn = gap / 2.0;
        for group in groups {
            for (at, &page) in group.iter().enumerate() {
                places[page] = Some(on_ring(turn + step * (at as f64 + 0.5), RADIUS));
            }
            let wide = step * group.len() as f64;
            let (role, page_type) = key(group[0]);
            let same = |record: &&PageRecord| (record.role.as_str(), record.page_type) == (role, page_type);
            let pages = self.records.iter().filter(same).count();
            arcs.push(Arc { page_type, role: role.to_owned(), pages, turn: turn + wide / 2.0 });
            turn += wide + gap;
        }
        (places, arcs)
    }

    /// The names of the types, beside the ring on their side of it, none over another.
    fn names(&self, out: &mut String, arcs: &[Arc]) {
        for is_right in [true, false] {
            let mut side: Vec<&Arc> =
                arcs.iter().filter(|arc| (arc.turn < std::f64::consts::PI) == is_right).collect();
            // Where there is no room for all, the largest.
            side.sort_by_key(|arc| std::cmp::Reverse(arc.pages));
            side.truncate((HIGH / LINE) as usize);
            side.sort_by(|a, b| on_ring(a.turn, RADIUS).1.total_cmp(&on_ring(b.turn, RADIUS).1));
            let mut places: Vec<f64> = Vec::new();
            for arc in &side {
                let y = on_ring(arc.turn, RADIUS + 18.0).1;
                places.push(places.last().map_or(y, |above| y.max(above + LINE)));
            }
            let mut most = TOP + HIGH - LINE / 2.0;
            for place in places.iter_mut().rev() {
                *place = place.min(most);
                most = *place - LINE;
            }
            let (anchor, way) = if is_right { ("start", 1.0) } else { ("end", -1.0) };
            let x = WIDE / 2.0 + way * (RADIUS + 26.0);
            for (arc, y) in side.iter().zip(places) {
                let (from_x, from_y) = on_ring(arc.turn, RADIUS + 7.0);
                let name = arc
                    .page_type
                    .and_then(|at| self.types.get(at))
                    .map_or("of no type", |kind| kind.name.as_str());
                let _ = writeln!(
                    out,
                    "<path d=\"M{from_x:.1} {from_y:.1}L{:.1} {y:.1}\" stroke=\"#777\" stroke-width=\"0.8\"/>\
                     <text x=\"{x:.1}\" y=\"{:.1}\" font-size=\"13\" text-anchor=\"{anchor}\">{}<title>{}</title></text>",
                    x - way * 4.0,
                    y + 4.5,
                    escaped(&format!("{} ({})", ui::fit(name, LONGEST), arc.pages)),
                    escaped(&arc.role),
                );
            }
        }
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

    /// Draws the links between pages that are drawn, by the role that they lead from; how many.
    fn lines(&self, out: &mut String, links: &[&PageLink], places: &[Option<(f64, f64)>]) -> usize {
        let place = |page: u32| places.get(page as usize).copied().flatten();
        let mut pairs: Vec<(u32, u32)> = links.iter().map(|link| (link.from, link.to)).collect();
        pairs.retain(|(from, to)| from != to && place(*from).is_some() && place(*to).is_some());
        pairs.sort_unstable();
        pairs.dedup();
        let drawn = pairs.len().min(MOST_LINES);
        // The more lines, the fainter each: many together are dark, few are seen one by one.
        let opacity = (150.0 / drawn.max(1) as f64).sqrt().clamp(0.1, 0.7);
        let (x, y) = (WIDE / 2.0, TOP + HIGH / 2.0);
        for (role, colour) in COLOURS {
            let mut path = String::new();
            for at in 0..drawn {
                let (from, to) = pairs[at * pairs.len() / drawn];
                let is_other = || COLOURS.iter().all(|(name, _)| *name != self.records[from as usize].role);
                let own = self.records[from as usize].role == role || role == "other" && is_other();
                if let (true, Some(a), Some(b)) = (own, place(from), place(to)) {
                    // Bent towards the middle, so that links of neighbours do not lie on the ring.
                    let bent = |middle: f64, a: f64, b: f64| middle + 0.35 * ((a + b) / 2.0 - middle);
                    let (cx, cy) = (bent(x, a.0, b.0), bent(y, a.1, b.1));
                    let _ = write!(path, "M{:.0} {:.0}Q{cx:.0} {cy:.0} {:.0} {:.0}", a.0, a.1, b.0, b.1);
                }
            }
            if !path.is_empty() {
                let _ = writeln!(
                    out,
                    "<path fill=\"none\" stroke=\"{colour}\" stroke-opacity=\"{opacity:.2}\" stroke-width=\"0.9\" d=\"{path}\"/>"
                );
            }
        }
        drawn
    }

    fn dots(&self, out: &mut String, shown: &[usize], places: &[Option<(f64, f64)>]) {
        for &page in shown {
            let Some((x, y)) = places[page] else { continue };
            let record = &self.records[page];
            let _ = writeln!(
                out,
                "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4\" fill=\"{}\" stroke=\"white\" stroke-width=\"0.5\"><title>{}</title></circle>",
                colour(&record.role),
                escaped(&record.url)
            );
        }
    }
}

/// A place on the ring, by its turn from the top.
fn on_ring(turn: f64, radius: f64) -> (f64, f64) {
    (WIDE / 2.0 + radius * turn.sin(), TOP + HIGH / 2.0 - radius * turn.cos())
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
