//! The diagram as text that Mermaid draws.

use super::Diagram;

/// Columns of one table that are named; a picture with more is not read.
const MOST_ATTRIBUTES: usize = 60;

/// An `erDiagram`.
pub(crate) fn mermaid(diagram: &Diagram) -> String {
    let mut out = String::from("erDiagram\n");
    for entity in &diagram.entities {
        out += &format!("    {} {{\n", entity_name(&entity.name));
        for attribute in entity.attributes.iter().take(MOST_ATTRIBUTES) {
            let name = word(&attribute.name);
            let key = if attribute.key.is_empty() { String::new() } else { format!(" {}", attribute.key) };
            // Names of columns are plain words here; what was lost stands in the comment.
            let comment =
                if name == attribute.name { String::new() } else { format!(" {}", quoted(&attribute.name)) };
            out += &format!("        {} {name}{key}{comment}\n", word(&attribute.kind));
        }
        if let Some(more) = entity.attributes.len().checked_sub(MOST_ATTRIBUTES).filter(|more| *more > 0) {
            out += &format!("        and {more}_more\n");
        }
        out += "    }\n";
    }
    for link in &diagram.links {
        let (to, from) = (&diagram.entities[link.to].name, &diagram.entities[link.from].name);
        let ends = if link.many { "}o--o{" } else { "|o--o{" };
        out += &format!("    {} {ends} {} : {}\n", entity_name(to), entity_name(from), quoted(&link.key));
    }
    out
}

fn entity_name(name: &str) -> String {
    if word(name) == name { name.to_owned() } else { quoted(name) }
}

fn quoted(text: &str) -> String {
    let plain: String = text.chars().map(|c| if c == '"' || c.is_control() { '\'' } else { c }).collect();
    format!("\"{plain}\"")
}

/// Letters, digits and underscores, beginning with a letter.
fn word(text: &str) -> String {
    let mut word: String = text.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    if !word.starts_with(|c: char| c.is_ascii_alphabetic()) {
        word.insert(0, 'c');
    }
    word
}

#[cfg(test)]
mod tests {
    use super::super::tests::bookshop;
    use super::*;

    #[test]
    fn tables_columns_and_keys() {
        let want = "\
erDiagram
    author {
        integer id PK
        text name UK
    }
    book {
        integer id PK
        money price
        integer author_id FK
        integer after_id FK
        text__ tag
    }
    \"价 <x>\" {
        integer id PK
        integer book_id FK
        text c__ \"评分\"
        text said
    }
    shelf {
        integer id PK
        text name
    }
    author |o--o{ book : \"author_id\"
    book |o--o{ book : \"after_id\"
    book |o--o{ \"价 <x>\" : \"book_id\"
    shelf }o--o{ book : \"shelf_book\"
";
        assert_eq!(mermaid(&bookshop()), want);
        assert_eq!(mermaid(&Diagram::default()), "erDiagram\n");
    }
}
