//! The picture of what looked the same from when to when.

use std::fmt::Write;

use unsite_dom::Moment;

use super::atom::escaped;
use super::text::printable;

/// Picture points of the whole stretch of time.
const LONG: f64 = 760.0;
/// Room for names on the left, and around everything.
const LEFT: f64 = 190.0;
const EDGE: f64 = 16.0;
/// From one row to the next, and how high a bar is.
const ROW: f64 = 26.0;
const BAR: f64 = 16.0;
/// Room for the title, and for the days below.
const TITLE: f64 = 34.0;
const BELOW: f64 = 44.0;
/// Height of a letter.
const LETTER: f64 = 12.0;
/// Longest name in letters.
const LONGEST: usize = 26;
/// A single capture is as wide as this.
const NARROWEST: f64 = 5.0;
/// Room that a written day takes.
const DAY: f64 = 80.0;
/// Days that are written below, at most.
const DAYS: i64 = 6;
/// Looks, the newest first; more of them begin again. Told apart by people who do not see red and green as well.
const COLOURS: [&str; 8] =
    ["#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#7f7f7f", "#b8a800"];

/// Rows of bars over time, with a line across all of them at each boundary.
pub(crate) struct Timeline {
    pub title: String,
    pub rows: Vec<(String, Vec<Bar>)>,
    pub marks: Vec<(i64, String)>,
}

/// A span in which something looked the same.
pub(crate) struct Bar {
    pub first: i64,
    pub last: i64,
    /// The number of the look; bars of one look have one colour.
    pub look: usize,
    /// What is told of it.
    pub told: String,
}

impl Timeline {
    /// The picture.
    pub(crate) fn svg(&self) -> String {
        let bars = || self.rows.iter().flat_map(|(_, bars)| bars);
        let begin = bars().map(|bar| bar.first).min().unwrap_or(0);
        let end = bars().map(|bar| bar.last).max().unwrap_or(0).max(begin + 1);
        let x = |moment: i64| LEFT + (moment - begin) as f64 / (end - begin) as f64 * LONG;
        let below = TITLE + ROW * self.rows.len() as f64;
        let (width, height) = (LEFT + LONG + 2.0 * EDGE + DAY / 2.0, below + BELOW + EDGE);
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" \
             font-family=\"sans-serif\" font-size=\"{LETTER}\">\n<title>{title}</title>\n\
             <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n<g transform=\"translate({EDGE} {EDGE})\">\n\
             <text x=\"0\" y=\"{LETTER}\" font-size=\"15\" font-weight=\"bold\">{title}</text>\n",
            title = escaped(&printable(&self.title)),
        );
        for day in 0..=DAYS {
            let at = begin + (end - begin) * day / DAYS;
            let text = Moment::from_unix(at).map_or_else(String::new, Moment::day);
            let _ = writeln!(
                svg,
                "<path d=\"M{x:.1} {TITLE}V{:.1}\" stroke=\"#ddd\"/><text x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\" \
                 fill=\"#555\">{text}</text>",
                below + 6.0,
                below + 22.0,
                x = x(at),
            );
        }
        for (at, (name, bars)) in self.rows.iter().enumerate() {
            let y = TITLE + ROW * at as f64 + (ROW - BAR) / 2.0;
            let _ = writeln!(
                svg,
                "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
                LEFT - 10.0,
                y + BAR - 4.0,
                escaped(&super::fit(&printable(name), LONGEST))
            );
            for bar in bars {
                let (from, to) = (x(bar.first), x(bar.last));
                let _ = writeln!(
                    svg,
                    "<rect x=\"{:.1}\" y=\"{y:.1}\" width=\"{:.1}\" height=\"{BAR}\" rx=\"2\" fill=\"{}\"><title>{}</title></rect>",
                    from - NARROWEST / 2.0,
                    (to - from) + NARROWEST,
                    COLOURS[bar.look % COLOURS.len()],
                    escaped(&told(&bar.told)),
                );
            }
        }
        let mut marks: Vec<&(i64, String)> = self.marks.iter().collect();
        marks.sort();
        let mut written = f64::MIN;
        for (moment, text) in marks {
            // Where boundaries are near each other, only the first of them has room for its day.
            let has_room = x(*moment) - written >= DAY;
            written = if has_room { x(*moment) } else { written };
            let day = Moment::from_unix(*moment).filter(|_| has_room);
            let _ = writeln!(
                svg,
                "<path d=\"M{x:.1} {:.1}V{:.1}\" stroke=\"#333\" stroke-dasharray=\"4 3\"><title>{}</title></path>\
                 <text x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\" fill=\"#333\">{}</text>",
                TITLE - 4.0,
                below + 6.0,
                escaped(&printable(text)),
                below + 38.0,
                day.map_or_else(String::new, |moment| format!("↑ {}", moment.day())),
                x = x(*moment),
            );
        }
        svg + "</g>\n</svg>\n"
    }
}

/// Several lines, each made harmless.
fn told(text: &str) -> String {
    text.lines().map(printable).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_stand_where_their_days_are() {
        let bar = |first, last, look| Bar { first, last, look, told: "a<b".into() };
        let rows = vec![("tea".to_owned(), vec![bar(0, 500, 1), bar(600, 1000, 0)])];
        let svg = Timeline { title: "x & y".into(), rows, marks: vec![(550, "then".into())] }.svg();
        assert!(svg.contains("x &amp; y") && svg.contains("a&lt;b"), "{svg}");
        assert!(svg.contains(&format!("M{:.1} ", LEFT + 0.55 * LONG)), "{svg}");
        assert!(svg.contains(COLOURS[0]) && svg.contains(COLOURS[1]));
        // One capture, or none at all, is a picture too.
        let one = Timeline {
            title: String::new(),
            rows: vec![("a".into(), vec![bar(7, 7, 0)])],
            marks: Vec::new(),
        };
        assert!(one.svg().contains("</svg>"));
        assert!(
            Timeline { title: String::new(), rows: Vec::new(), marks: Vec::new() }.svg().contains("</svg>")
        );
    }
}
