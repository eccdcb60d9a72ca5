//! The picture of a similarity matrix.

use std::fmt::Write;

/// Picture points of the matrix's side, whatever the number of pages.
const SIDE: f64 = 800.0;
/// Room for the names of types.
const MARGIN: f64 = 300.0;
/// Room around it.
const EDGE: f64 = 16.0;
/// Room for the legend.
const BELOW: f64 = 56.0;
/// Height of a letter, and from one name to the next.
const LETTER: f64 = 12.0;
const LINE: f64 = 15.0;
/// Longest name of a type.
const LONGEST: usize = 34;
/// Shades of grey.
const SHADES: usize = 16;

/// An SVG of a square matrix of values from 0 (white) to 1 (black); rows of one kind stand together, are framed and named.
pub(crate) fn matrix_svg(
    rows: usize,
    value: impl Fn(usize, usize) -> f64,
    kinds: &[usize],
    names: &[String],
) -> String {
    let cell = SIDE / rows.max(1) as f64;
    let (width, height) = (SIDE + MARGIN + EDGE, SIDE + 2.0 * EDGE + BELOW);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" \
         font-family=\"sans-serif\" font-size=\"{LETTER}\">\n<title>How alike {rows} pages are, ordered by page type</title>\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n<g transform=\"translate({EDGE} {EDGE})\">\n\
         <rect width=\"{SIDE}\" height=\"{SIDE}\" fill=\"none\" stroke=\"#999\"/>\n\
         <g shape-rendering=\"crispEdges\" transform=\"scale({cell:.4})\">\n",
    );
    for (shade, path) in runs(rows, value).iter().enumerate().skip(1).filter(|(_, path)| !path.is_empty()) {
        let _ = writeln!(svg, "<path d=\"{path}\" fill=\"{}\"/>", grey(shade));
    }
    svg += "</g>\n";
    let bands = bands(kinds);
    for &(start, end) in &bands {
        let (from, long) = (start as f64 * cell, (end - start) as f64 * cell);
        let _ = writeln!(
            svg,
            "<rect x=\"{from:.2}\" y=\"{from:.2}\" width=\"{long:.2}\" height=\"{long:.2}\" fill=\"none\" \
             stroke=\"#c00\" stroke-width=\"1.5\"><title>{}: {}</title></rect>",
            escaped(names.get(kinds[start]).map_or("", String::as_str)),
            end - start
        );
    }
    svg += &labels(&bands, cell, |start| names.get(kinds[start]).map_or("", String::as_str));
    svg + &legend() + "</g>\n</svg>\n"
}

/// The names of the bands beside them, with a line to each; where there is no room for all, the largest.
fn labels<'a>(bands: &[(usize, usize)], cell: f64, name: impl Fn(usize) -> &'a str) -> String {
    let mut named: Vec<(usize, usize)> = bands.to_vec();
    named.sort_by_key(|(start, end)| (std::cmp::Reverse(end - start), *start));
    named.truncate((SIDE / LINE) as usize - 1);
    named.sort_unstable();
    // Each as near to the middle of its band as those above it let it; then pushed up from the bottom.
    let mut places: Vec<f64> = Vec::with_capacity(named.len());
    for (start, end) in &named {
        let middle = (start + end) as f64 / 2.0 * cell;
        places.push(places.last().map_or(middle.max(LINE / 2.0), |above| middle.max(above + LINE)));
    }
    let mut most = SIDE - LINE / 2.0;
    for place in places.iter_mut().rev() {
        *place = place.min(most);
        most = *place - LINE;
    }
    let mut svg = String::new();
    for ((start, end), place) in named.iter().zip(&places) {
        let middle = (start + end) as f64 / 2.0 * cell;
        let _ = writeln!(
            svg,
            "<path d=\"M{} {middle:.1}h6L{} {place:.1}h6\" fill=\"none\" stroke=\"#c00\" stroke-width=\"0.8\"/>\
             <text x=\"{}\" y=\"{:.1}\">{}</text>",
            SIDE + 2.0,
            SIDE + 26.0,
            SIDE + 36.0,
            place + LETTER / 3.0,
            escaped(&format!("{} ({})", super::fit(name(*start), LONGEST), end - start)),
        );
    }
    let unnamed = bands.len() - named.len();
    if unnamed > 0 {
        let y = SIDE + LINE;
        let _ = writeln!(svg, "<text x=\"{}\" y=\"{y}\">and {unnamed} smaller</text>", SIDE + 36.0);
    }
    svg
}

/// What the shades and frames mean.
fn legend() -> String {
    const STEP: f64 = 12.0;
    let y = SIDE + EDGE + 4.0;
    let mut svg = format!("<text x=\"0\" y=\"{:.1}\">unlike</text>\n", y + LETTER);
    for shade in 0..SHADES {
        let _ = writeln!(
            svg,
            "<rect x=\"{}\" y=\"{y}\" width=\"{STEP}\" height=\"16\" fill=\"{}\" stroke=\"#bbb\" stroke-width=\"0.5\"/>",
            48.0 + STEP * shade as f64,
            grey(shade)
        );
    }
    let end = 48.0 + STEP * SHADES as f64;
    let _ = writeln!(
        svg,
        "<text x=\"{}\" y=\"{:.1}\">alike: the chance that two pages are of one type, as the experts see it</text>\n\
         <rect x=\"0\" y=\"{}\" width=\"14\" height=\"14\" fill=\"none\" stroke=\"#c00\" stroke-width=\"1.5\"/>\
         <text x=\"22\" y=\"{:.1}\">a page type, with the number of its pages that were compared; a row and a column for each page</text>",
        end + 8.0,
        y + LETTER,
        y + 24.0,
        y + 24.0 + LETTER,
    );
    svg
}

fn grey(shade: usize) -> String {
    let grey = 255 - shade * 255 / (SHADES - 1);
    format!("rgb({grey},{grey},{grey})")
}

/// For each shade one path of all its cells, neighbours in a row as one piece.
fn runs(rows: usize, value: impl Fn(usize, usize) -> f64) -> Vec<String> {
    let shade = |row, column| (value(row, column).clamp(0.0, 1.0) * (SHADES - 1) as f64).round() as usize;
    let mut paths = vec![String::new(); SHADES];
    for row in 0..rows {
        let mut column = 0;
        while column < rows {
            let (start, own) = (column, shade(row, column));
            while column < rows && shade(row, column) == own {
                column += 1;
            }
            let _ = write!(paths[own], "M{start} {row}h{}v1h-{}z", column - start, column - start);
        }
    }
    paths
}

/// Where rows of one kind begin and end.
fn bands(kinds: &[usize]) -> Vec<(usize, usize)> {
    let mut start = 0;
    kinds
        .chunk_by(|a, b| a == b)
        .map(|band| {
            start += band.len();
            (start - band.len(), start)
        })
        .collect()
}

fn escaped(text: &str) -> String {
    super::printable(text).replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_are_dark_squares_with_names() {
        let names = ["a<b".to_owned(), "tea".to_owned()];
        let kinds = [1, 1, 0];
        let svg = matrix_svg(3, |a, b| if kinds[a] == kinds[b] { 1.0 } else { 0.0 }, &kinds, &names);
        assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
        assert!(svg.contains("M0 0h2v1h-2zM0 1h2v1h-2zM2 2h1v1h-1z\" fill=\"rgb(0,0,0)\""), "{svg}");
        assert!(svg.contains(">tea (2)</text>") && svg.contains(">a&lt;b (1)</text>"));
        assert!(svg.contains(">unlike</text>") && svg.contains("rgb(136,136,136)"));
        assert!(matrix_svg(0, |_, _| 0.0, &[], &[]).contains("</svg>"));
    }

    #[test]
    fn names_do_not_run_into_each_other() {
        // One large type between many of one page.
        let kinds: Vec<usize> = (0..90).chain([90; 400]).chain(91..100).collect();
        let names: Vec<String> = (0..100).map(|at| format!("type {at}")).collect();
        let svg = matrix_svg(kinds.len(), |_, _| 0.5, &kinds, &names);
        let places: Vec<f64> = svg
            .lines()
            .filter(|line| line.contains("<text x=\"836\"") && line.contains("type "))
            .filter_map(|line| line.rsplit("y=\"").next()?.split('"').next()?.parse().ok())
            .collect();
        assert!(places.len() > 40 && places.windows(2).all(|two| two[1] - two[0] > LETTER), "{places:?}");
        assert!(places.iter().all(|place| (0.0..SIDE).contains(place)), "{places:?}");
        assert!(svg.contains("type 90 (400)") && svg.contains(" smaller</text>"));
    }
}
