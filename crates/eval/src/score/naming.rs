//! Are columns called what their pages call them?

use super::TargetScore;

/// How many labelled facts are in a column that is called as the page labels them, and how many facts have a label on the
/// page and a column. Labels of the data that begin with `*` are descriptions by whoever labelled it, and so is the name
/// of the thing that the page is about.
pub(crate) fn named<'t>(targets: impl Iterator<Item = &'t TargetScore>) -> (usize, usize) {
    let named: Vec<bool> =
        targets.filter_map(|target| is_named(&target.name, target.matched.as_deref()?)).collect();
    (named.iter().filter(|named| **named).count(), named.len())
}

/// Every word of the label is in the name of the column or of its table. Of `Cost | Tuition:` the part behind counts: the
/// rest is the heading above.
fn is_named(label: &str, column: &str) -> Option<bool> {
    let label = label.rsplit('|').next().unwrap_or(label).trim();
    if label.starts_with('*') || label == "topic_entity_name" {
        return None;
    }
    let (label, column) = (words(label), words(column));
    (!label.is_empty()).then(|| label.iter().all(|word| column.contains(word)))
}

/// Does the name of a column share a word with the true name, or with what the page calls its values? Both names are
/// `table.column`; the tables take no part.
pub(super) fn shares_a_word(wanted: &str, column: &str, label: Option<&str>) -> bool {
    let last = |name: &str| name.rsplit('.').next().unwrap_or(name).to_owned();
    let stems = |text: &str| -> Vec<String> {
        words(text)
            .into_iter()
            .map(|word| word.strip_suffix('s').map(str::to_owned).unwrap_or(word))
            .collect()
    };
    let own = stems(&last(column));
    stems(&last(wanted)).iter().any(|word| own.contains(word))
        || label.is_some_and(|label| stems(label).iter().any(|word| own.contains(word)))
}

fn words(text: &str) -> Vec<String> {
    let parts = text.split(|c: char| !c.is_alphanumeric());
    parts.filter(|word| !word.is_empty()).map(str::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_word_of_the_truth_or_the_page_is_enough() {
        assert!(shares_a_word("article.date_display", "post.date", None));
        assert!(shares_a_word("article.tags", "article_tag.tag", None));
        assert!(shares_a_word("issue.creator", "issue.created_by", Some("Created by:")));
        assert!(!shares_a_word("issue.title", "issue.link_3", None));
        assert!(!shares_a_word("book.isbn", "book.text", Some("Number")));
    }

    #[test]
    fn all_words_of_the_label_count() {
        assert_eq!(is_named("Room & Board:", "school.room_and_board"), Some(true));
        assert_eq!(is_named("Cost | Tuition:", "school.stat_7"), Some(false));
        assert_eq!(is_named("Cast", "movie_cast_info.link"), Some(true));
        assert_eq!(is_named("Full-Time:", "school.full"), Some(false));
        assert_eq!(is_named("School | *phone", "school.phone"), None);
        assert_eq!(is_named("topic_entity_name", "school.name"), None);
    }
}
