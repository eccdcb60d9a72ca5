//! What a limit says when it cuts.

use std::fmt;

use crate::parse::Cut;

impl fmt::Display for Cut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Cut::Depth => "elements nested deeper than the limit were flattened; their text is kept",
            Cut::Nodes => "more nodes than the limit; the rest of the page was left out",
            Cut::Bytes => "more bytes than the limit; the rest of the page was left out",
            Cut::Attributes => {
                "a tag with more attributes than any honest one has; the rest of them were left out"
            }
        })
    }
}
