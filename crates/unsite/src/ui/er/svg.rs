//! The diagram as a picture: a box a table, a line a key with a crow's foot at the side of the many.

use super::super::text::{fit, printable, width};
use super::layers::layers;
use super::{Attribute, Diagram, Entity, Link};

/// Height of a line of text.
const LINE: usize = 18;
/// Width of one column of text.
const LETTER: usize = 8;
/// Space between layers, where the lines go.
const BETWEEN: usize = 90;
/// Space between boxes of a layer, and around everything.
const GAP: usize = 28;
/// Columns of a table that are drawn, the others are counted: as many as let the picture fit on a screen.
const ATTRIBUTES: [usize; 6] = [24, 16, 11, 7, 4, 0];
/// What fits on a screen: most are at least this wide and high without the frames of a browser.
const SCREEN: (usize, usize) = (1600, 900);
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
    let fits = |most: &usize| {
        let (right, bottom) = size(&places(diagram, *most));
        right <= SCREEN.0 && bottom <= SCREEN.1
    };
    let most = ATTRIBUTES.into_iter().find(fits).unwrap_or(ATTRIBUTES[ATTRIBUTES.len() - 1]);
    let places = places(diagram, most);
    let (right, bottom) = size(&places);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{right}\" height=\"{bottom}\" \
         viewBox=\"0 0 {right} {bottom}\" role=\"img\" aria-label=\"Tables and their keys\">\n<style>{STYLE}</style>\n"
    );
    for link in &diagram.links {
        let row =
            diagram.entities[link.from].attributes.iter().position(|attribute| attribute.name == link.key);
        // What relates many to many stands in no column: it leaves from the head.
        let row = row.filter(|_| !link.many).map(|row| row.min(most));
        out += &line(places[link.from], row, places[link.to], link, link.from == link.to);
    }
    for (entity, place) in diagram.entities.iter().zip(&places) {
        out += &table(entity, *place, most);
    }
    out + "</svg>\n"
}

/// How wide and high the picture is.
fn size(places: &[Place]) -> (usize, usize) {
    let right = places.iter().map(|place| place.x + place.width).max().unwrap_or(0) + GAP + BETWEEN / 2;
    let bottom = places.iter().map(|place| place.y + place.height).max().unwrap_or(0) + GAP;
    (right, bottom)
}

fn places(diagram: &Diagram, most: usize) -> Vec<Place> {
    let mut places = vec![Place::default(); diagram.entities.len()];
    let (mut x, mut column) = (GAP, 0);
    for entities in layers(diagram) {
        let mut y = GAP;
        let mut widest = 0;
        for &at in &entities {
            let entity = &diagram.entities[at];
            let lines = entity.attributes.len().min(most + 1);
            let height = LINE * (lines + 1) + LINE / 2;
            // A layer that is higher than a screen goes on beside itself.
            if y > GAP && y + height + GAP > SCREEN.1 {
                (x, y, column) = (x + widest + BETWEEN, GAP, column + 1);
                widest = 0;
            }
            places[at] = Place { x, y, width: box_width(entity, most), height, layer: column };
            widest = widest.max(places[at].width);
            y += height + GAP;
        }
        x += widest + BETWEEN;
        column += 1;
    }
    places
}

fn box_width(entity: &Entity, most: usize) -> usize {
    let row = |attribute: &Attribute| shown_width(&attribute.name) + width(&attribute.kind) + 6;
    let widest = entity.attributes.iter().take(most).map(row).max().unwrap_or(0);
    LETTER * widest.max(shown_width(&entity.name) + 2).max(12) + LETTER
}

fn shown_width(name: &str) -> usize {
    width(&fit(&printable(name), LONGEST_NAME))
}

fn table(entity: &Entity, place: Place, most: usize) -> String {
    let Place { x, y, width, height, .. } = place;
    let head = LINE + LINE / 4;
    let mut out = format!(
        "<rect class=\"box\" x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" rx=\"4\"/>\
         <rect class=\"head\" x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{head}\" rx=\"4\"/>\n"
    );
    out += &text("name", x + LETTER, y + LINE - 3, "start", &entity.name);
    for (at, attribute) in entity.attributes.iter().take(most).enumerate() {
        let base = row_middle(place, at) + 4;
        out += &text("key", x + LETTER / 2, base, "start", attribute.key);
        out += &text("column", x + 3 * LETTER, base, "start", &attribute.name);
        out += &text("kind", x + width - LETTER, base, "end", &attribute.kind);
    }
    if let Some(more) = entity.attributes.len().checked_sub(most).filter(|more| *more > 0) {
        let base = row_middle(place, most) + 4;
        out += &text("kind", x + 3 * LETTER, base, "start", &format!("and {more} more"));
    }
    out
}

/// The middle of the line of a column.
fn row_middle(place: Place, row: usize) -> usize {
    place.y + LINE + LINE / 4 + LINE * row + LINE / 2
}

/// From the column of the key to the head of the table it refers to, a crow's foot where there are many and a bar where there is
/// one.
fn line(from: Place, row: Option<usize>, to: Place, link: &Link, is_own: bool) -> String {
    let y = row.map_or(from.y + LINE / 2, |row| row_middle(from, row));
    let end_y = to.y + LINE / 2 + if link.many { LINE / 4 } else { 0 };
    // Behind the table it refers to a line leaves to the left; else both ends stand at the right.
    let (x, end_x, turn, end_turn) = if from.layer > to.layer && !is_own {
        (from.x, to.x + to.width, -1i64, 1)
    } else if from.layer < to.layer {
        (from.x + from.width, to.x, 1, -1)
    } else {
        (from.x + from.width, to.x + to.width, 1, 1)
    };
    let bend = |x: usize, way: i64| x as i64 + way * BETWEEN as i64 / 2;
    let (first, second) = (bend(x, turn), bend(end_x, end_turn));
    let foot = |x: usize, y: usize, turn: i64| {
        let tip = x as i64 + turn * 10;
        format!("M{x} {}L{tip} {y}L{x} {}", y - 5, y + 5)
    };
    let end = match link.many {
        true => foot(end_x, end_y, end_turn),
        false => {
            let bar = end_x as i64 + end_turn * 8;
            format!("M{bar} {}L{bar} {}", end_y - 5, end_y + 5)
        }
    };
    let title = printable(&link.key).replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    format!(
        "<path class=\"link\" d=\"M{x} {y}C{first} {y} {second} {end_y} {end_x} {end_y}{}{end}\"><title>{title}</title></path>\n",
        foot(x, y, turn)
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
        assert_eq!(picture.matches("class=\"box\"").count(), 4);
        assert_eq!(picture.matches("class=\"link\"").count(), 4);
        assert!(picture.starts_with("<svg ") && picture.ends_with("</svg>\n"));
        assert!(picture.contains(">价 &lt;x&gt;</text>") && !picture.contains("<x>"), "{picture}");
        assert_eq!(picture, svg(&bookshop()));
    }

    #[test]
    fn a_picture_of_many_tables_fits_on_a_screen() {
        let attribute = |at: usize| Attribute { name: format!("column_{at}"), kind: "text".into(), key: "" };
        let entity =
            |at: usize| Entity { name: format!("table_{at}"), attributes: (0..20).map(attribute).collect() };
        let diagram = Diagram { entities: (0..24).map(entity).collect(), links: Vec::new() };
        let picture = svg(&diagram);
        let number = |name: &str| {
            let (_, rest) = picture.split_once(&format!("{name}=\"")).unwrap();
            rest.split('"').next().unwrap().parse::<usize>().unwrap()
        };
        assert!(number("width") <= SCREEN.0 && number("height") <= SCREEN.1, "{}", &picture[..120]);
        assert!(picture.contains("more</text>"));
    }

    #[test]
    fn boxes_do_not_overlap() {
        let places = places(&bookshop(), 24);
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
