//! The diagram as a picture: a box a table, a line a key with a crow's foot at the side of the many.

use super::super::text::{fit, printable, width};
use super::layers::layers;
use super::{Attribute, Diagram, Entity};

/// Height of a line of text.
const LINE: usize = 18;
/// Width of one column of text.
const LETTER: usize = 8;
/// Space between layers, where the lines go.
const BETWEEN: usize = 90;
/// Space between boxes of a layer, and around everything.
const GAP: usize = 28;
/// Columns of a table that are drawn; the others are counted.
const MOST_ATTRIBUTES: usize = 24;
/// Longest name that is drawn whole.
const LONGEST_NAME: usize = 34;

const STYLE: &str = "text{font:13px ui-monospace,Menlo,Consolas,monospace;fill:#1c2733}\
.name{font-weight:bold}.kind,.key{fill:#6a7785}.box{fill:#fff;stroke:#8896a5}.head{fill:#e8eef5;stroke:#8896a5}\
.link{fill:none;stroke:#4a78b5;stroke-width:1.4}\
@media(prefers-color-scheme:dark){text{fill:#dde5ee}.box{fill:#18202a;stroke:#55636f}.head{fill:#243140;stroke:#55636f}\
.kind,.key{fill:#93a1b0}.link{stroke:#7fb0ee}}";

#[derive(Debug, Clone, Copy, Default)]
struct Place {
    x: usize,
    y: usize,
    width: usize,
    height: usize,
    layer: usize,
}

/// A whole SVG document.
pub(crate) fn svg(diagram: &Diagram) -> String {
    let places = places(diagram);
    let right = places.iter().map(|place| place.x + place.width).max().unwrap_or(0) + GAP + BETWEEN / 2;
    let bottom = places.iter().map(|place| place.y + place.height).max().unwrap_or(0) + GAP;
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{right}\" height=\"{bottom}\" \
         viewBox=\"0 0 {right} {bottom}\" role=\"img\" aria-label=\"Tables and their keys\">\n<style>{STYLE}</style>\n"
    );
    for link in &diagram.links {
        let row =
            diagram.entities[link.from].attributes.iter().position(|attribute| attribute.name == link.key);
        out += &line(places[link.from], row.unwrap_or(0), places[link.to], link.from == link.to);
    }
    for (entity, place) in diagram.entities.iter().zip(&places) {
        out += &table(entity, *place);
    }
    out + "</svg>\n"
}

fn places(diagram: &Diagram) -> Vec<Place> {
    let mut places = vec![Place::default(); diagram.entities.len()];
    let mut x = GAP;
    for (layer, entities) in layers(diagram).iter().enumerate() {
        let mut y = GAP;
        let mut widest = 0;
        for &at in entities {
            let entity = &diagram.entities[at];
            let lines = entity.attributes.len().min(MOST_ATTRIBUTES + 1);
            let height = LINE * (lines + 1) + LINE / 2;
            places[at] = Place { x, y, width: box_width(entity), height, layer };
            widest = widest.max(places[at].width);
            y += height + GAP;
        }
        x += widest + BETWEEN;
    }
    places
}

fn box_width(entity: &Entity) -> usize {
    let row = |attribute: &Attribute| shown_width(&attribute.name) + width(&attribute.kind) + 6;
    let widest = entity.attributes.iter().take(MOST_ATTRIBUTES).map(row).max().unwrap_or(0);
    LETTER * widest.max(shown_width(&entity.name) + 2).max(12) + LETTER
}

fn shown_width(name: &str) -> usize {
    width(&fit(&printable(name), LONGEST_NAME))
}

fn table(entity: &Entity, place: Place) -> String {
    let Place { x, y, width, height, .. } = place;
    let head = LINE + LINE / 4;
    let mut out = format!(
        "<rect class=\"box\" x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" rx=\"4\"/>\
         <rect class=\"head\" x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{head}\" rx=\"4\"/>\n"
    );
    out += &text("name", x + LETTER, y + LINE - 3, "start", &entity.name);
    for (at, attribute) in entity.attributes.iter().take(MOST_ATTRIBUTES).enumerate() {
        let base = row_middle(place, at) + 4;
        out += &text("key", x + LETTER / 2, base, "start", attribute.key);
        out += &text("column", x + 3 * LETTER, base, "start", &attribute.name);
        out += &text("kind", x + width - LETTER, base, "end", &attribute.kind);
    }
    if let Some(more) = entity.attributes.len().checked_sub(MOST_ATTRIBUTES).filter(|more| *more > 0) {
        let base = row_middle(place, MOST_ATTRIBUTES) + 4;
        out += &text("kind", x + 3 * LETTER, base, "start", &format!("and {more} more"));
    }
    out
}

/// The middle of the line of a column.
fn row_middle(place: Place, row: usize) -> usize {
    place.y + LINE + LINE / 4 + LINE * row.min(MOST_ATTRIBUTES) + LINE / 2
}

/// From the column of the key to the head of the table it refers to.
fn line(from: Place, row: usize, to: Place, is_own: bool) -> String {
    let (y, end_y) = (row_middle(from, row), to.y + LINE / 2);
    // Behind the table it refers to a line leaves to the left; else both ends stand at the right.
    let (x, end_x, turn) = if from.layer > to.layer && !is_own {
        (from.x, to.x + to.width, -1i64)
    } else {
        (from.x + from.width, to.x + to.width, 1)
    };
    let bend = |x: usize, way: i64| x as i64 + way * BETWEEN as i64 / 2;
    let (first, second) = (bend(x, turn), bend(end_x, 1));
    let foot = x as i64 + turn * 10;
    format!(
        "<path class=\"link\" d=\"M{x} {y}C{first} {y} {second} {end_y} {end_x} {end_y}\
         M{x} {}L{foot} {y}L{x} {}\"/>\n",
        y - 5,
        y + 5
    )
}

fn text(class: &str, x: usize, y: usize, anchor: &str, content: &str) -> String {
    if content.is_empty() {
        return String::new();
    }
    let shown = fit(&printable(content), LONGEST_NAME);
    let shown = shown.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    format!("<text class=\"{class}\" x=\"{x}\" y=\"{y}\" text-anchor=\"{anchor}\">{shown}</text>\n")
}

#[cfg(test)]
mod tests {
    use super::super::tests::bookshop;
    use super::*;

    #[test]
    fn a_box_a_table_and_a_line_a_key() {
        let picture = svg(&bookshop());
        assert_eq!(picture.matches("class=\"box\"").count(), 3);
        assert_eq!(picture.matches("class=\"link\"").count(), 3);
        assert!(picture.starts_with("<svg ") && picture.ends_with("</svg>\n"));
        assert!(picture.contains(">价 &lt;x&gt;</text>") && !picture.contains("<x>"), "{picture}");
        assert_eq!(picture, svg(&bookshop()));
    }

    #[test]
    fn boxes_do_not_overlap() {
        let places = places(&bookshop());
        for (at, a) in places.iter().enumerate() {
            for b in &places[at + 1..] {
                let apart = a.x + a.width <= b.x
                    || b.x + b.width <= a.x
                    || a.y + a.height <= b.y
                    || b.y + b.height <= a.y;
                assert!(apart, "{a:?} {b:?}");
            }
        }
    }
}
