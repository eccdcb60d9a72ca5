//! The picture of a similarity matrix.

use std::fmt::Write;

/// Picture points of the matrix's side, whatever the number of pages.
const SIDE: f64 = 800.0;
/// Room for the names of types.
const MARGIN: f64 = 200.0;
/// Height of a name; types whose band is lower go unnamed.
const LINE: f64 = 12.0;
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
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {}\" font-family=\"sans-serif\" \
         font-size=\"{LINE}\">\n<title>How alike {rows} pages are, ordered by page type</title>\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n<g shape-rendering=\"crispEdges\" transform=\"scale({cell:.4})\">\n",
        SIDE + MARGIN,
        SIDE,
    );
    for (shade, path) in runs(rows, value).iter().enumerate().skip(1).filter(|(_, path)| !path.is_empty()) {
        let grey = 255 - shade * 255 / (SHADES - 1);
        let _ = writeln!(svg, "<path d=\"{path}\" fill=\"rgb({grey},{grey},{grey})\"/>");
    }
    svg += "</g>\n";
    for (start, end) in bands(kinds) {
        let (from, long) = (start as f64 * cell, (end - start) as f64 * cell);
        let name = names.get(kinds[start]).map_or("", String::as_str);
        let _ = writeln!(
            svg,
            "<rect x=\"{from:.2}\" y=\"{from:.2}\" width=\"{long:.2}\" height=\"{long:.2}\" fill=\"none\" \
             stroke=\"#c00\"><title>{}: {}</title></rect>",
            escaped(name),
            end - start
        );
        if long >= LINE {
            let middle = from + long / 2.0 + LINE / 3.0;
            let _ = writeln!(svg, "<text x=\"{}\" y=\"{middle:.2}\">{}</text>", SIDE + 8.0, escaped(name));
        }
    }
    svg + "</svg>\n"
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
        assert!(svg.contains(">tea</text>") && svg.contains(">a&lt;b</text>"));
        assert_eq!(svg.matches("stroke=").count(), 2);
        assert!(matrix_svg(0, |_, _| 0.0, &[], &[]).contains("</svg>"));
    }
}
