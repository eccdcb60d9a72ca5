//! Views to markup: one file a family, shared pieces in `pieces`.

mod antique;
mod hashed;
mod modern;
mod pieces;
mod semantic;

use serde::{Deserialize, Serialize};

use crate::html::{Html, Look};
use crate::knobs::Knobs;
use crate::rng::Rng;
use crate::urls::{self, LinkStyle};
use crate::view::{AuthorView, BookView, Card, Chrome, Content, Link, ListView, Page};

/// The registry: one line a family makes its variant, its place in `ALL` and its template.
macro_rules! families {
    ($($(#[$doc:meta])* $variant:ident => $template:expr,)+) => {
        /// A set of templates for all pages of the site.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash, Serialize, Deserialize)]
        #[serde(rename_all = "snake_case")]
        pub enum Family {
            $($(#[$doc])* $variant,)+
        }

        impl Family {
            /// All families.
            pub const ALL: [Family; [$(stringify!($variant)),+].len()] = [$(Family::$variant),+];

            fn template(self) -> &'static dyn Template {
                match self {
                    $(Family::$variant => &$template,)+
                }
            }
        }
    };
}

families! {
    /// `div`s with telling class names, root-relative links, facts in a list of label and value spans.
    #[default]
    Modern => modern::Modern,
    /// Nested tables, `font` and `b`, upper-case tags, no classes; a record of a list spans three sibling rows.
    Antique => antique::Antique,
    /// HTML5 elements with microdata, facts in a `dl`.
    Semantic => semantic::Semantic,
    /// Compiled markup without white space: hashed class names, spans and `div`s; facts in rows of spans.
    Hashed => hashed::Hashed,
}

/// How a family renders. Every value of the view it is given must stand on the page, in the order given.
trait Template: Sync {
    /// How elements are written.
    fn look(&self) -> Look;

    /// How links within the site are written.
    fn links(&self) -> LinkStyle;

    /// The document around the main content: head, navigation, sidebar, footer.
    fn frame(&self, w: &mut Html, cx: &Cx, main: &mut dyn FnMut(&mut Html));

    /// The front page: a greeting, recommended books, searches to try.
    fn home(&self, w: &mut Html, cx: &Cx, cards: &[Card], searches: &[Link]);

    /// A page of a category or of search results.
    fn list(&self, w: &mut Html, cx: &Cx, list: &ListView);

    /// Several books a row.
    fn grid(&self, w: &mut Html, cx: &Cx, cards: &[Card]);

    /// A search without results.
    fn no_match(&self, w: &mut Html, cx: &Cx, suggestions: &[Link]);

    /// A book's own page.
    fn book(&self, w: &mut Html, cx: &Cx, book: &BookView);

    /// An author's own page.
    fn author(&self, w: &mut Html, cx: &Cx, author: &AuthorView);

    /// Questions and answers.
    fn help(&self, w: &mut Html, cx: &Cx, questions: &[(&str, &str)]);
}

/// What a template may look at besides the content it renders.
struct Cx<'a> {
    chrome: &'a Chrome,
    page: &'a Page,
    links: LinkStyle,
}

impl Cx<'_> {
    /// The link to a page or file of the site.
    fn href(&self, url: &str) -> String {
        urls::href(self.links, &self.page.url, url)
    }
}

/// Books in one row of a grid.
const GRID_COLUMNS: usize = 4;

/// The document of one page.
pub(crate) fn render(knobs: &Knobs, chrome: &Chrome, page: &Page) -> String {
    let template = knobs.family.template();
    let cx = &Cx { chrome, page, links: template.links() };
    let rng = Rng::new(knobs.seed, &format!("markup {}", page.path));
    let mut html = Html::new(template.look(), knobs, rng);
    template.frame(&mut html, cx, &mut |w| match &page.content {
        Content::Home { cards, searches } => template.home(w, cx, cards, searches),
        Content::Category(list) | Content::Search(list) => template.list(w, cx, list),
        Content::Grid(cards) => template.grid(w, cx, cards),
        Content::NoMatch { suggestions, .. } => template.no_match(w, cx, suggestions),
        Content::Book(book) => template.book(w, cx, book),
        Content::Author(author) => template.author(w, cx, author),
        Content::Help(questions) => template.help(w, cx, questions),
    });
    html.finish()
}
