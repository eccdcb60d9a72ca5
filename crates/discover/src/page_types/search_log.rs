//! What people searched for: the parameters of search forms, and logs of which queries led to which pages.

/// URL parameters that hold what was asked of a search form, so that a result page knows its probe word.
pub const SEARCH_PARAMETERS: [&str; 9] =
    ["q", "query", "s", "search", "keyword", "keywords", "term", "terms", "search_text"];

/// A query that led to a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Click {
    /// What was asked.
    pub query: String,
    /// The page that was chosen.
    pub url: String,
    /// How often.
    pub clicks: u64,
}

/// What could not be used of a search log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LogProblem {
    /// The table does not say which page a query led to, or which query led to a page.
    MissingColumn {
        /// `query` or `url`.
        column: &'static str,
        /// The names of the columns that are there.
        found: Vec<String>,
    },
    /// A line without a query or without a URL, counted from 1.
    Line(usize),
}

impl std::fmt::Display for LogProblem {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            LogProblem::MissingColumn { column, found } => write!(
                f,
                "the log has no column for the {column} (it has: {}); a Search Console export needs the dimensions \
                 query and page together, as its API, BigQuery and Looker Studio exports give them",
                found.join(", ")
            ),
            LogProblem::Line(line) => write!(f, "line {line} has no query or no URL"),
        }
    }
}

/// The clicks of a search log.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SearchLog {
    /// In the order of the log; queries without a click are left out.
    pub clicks: Vec<Click>,
}

/// Names of the three columns in the exports that people have, in lower case.
const QUERY: &[&str] = &["query", "queries", "top queries", "search query", "search term", "keyword", "q"];
const URL: &[&str] =
    &["url", "page", "pages", "top pages", "landing page", "address", "target", "full url", "link"];
const CLICKS: &[&str] = &["clicks", "url clicks", "click", "count"];

impl SearchLog {
    /// Reads a CSV or TSV of `query,url[,clicks]`, with or without a header, or a Google Search Console export with the
    /// dimensions query and page (columns in any order, further columns ignored).
    ///
    /// ```
    /// use unsite_discover::page_types::SearchLog;
    /// let (log, problems) = SearchLog::parse("Landing Page,Query,Clicks\nhttp://a.example/1,\"acme, phone\",3\n");
    /// assert!(problems.is_empty());
    /// assert_eq!((log.clicks[0].query.as_str(), log.clicks[0].clicks), ("acme, phone", 3));
    /// ```
    pub fn parse(text: &str) -> (SearchLog, Vec<LogProblem>) {
        let text = text.trim_start_matches('\u{feff}');
        let first = text.lines().next().unwrap_or_default();
        let delimiter = ['\t', ';', ','].into_iter().max_by_key(|&d| first.matches(d).count()).unwrap_or(',');
        let mut rows = rows(text, delimiter).into_iter().peekable();
        let (mut log, mut problems) = (SearchLog::default(), Vec::new());
        let Some((_, head)) = rows.peek() else { return (log, problems) };
        let columns = match columns(head) {
            Ok(Some(columns)) => {
                rows.next();
                columns
            }
            Ok(None) => Columns { query: 0, url: 1, clicks: Some(2) },
            Err(problem) => {
                problems.push(problem);
                return (log, problems);
            }
        };
        for (line, row) in rows {
            let cell = |at: usize| row.get(at).map(|cell| cell.trim()).unwrap_or_default();
            let (query, url) = (cell(columns.query), cell(columns.url));
            if query.is_empty() || url.is_empty() {
                problems.push(LogProblem::Line(line));
                continue;
            }
            let clicks = columns.clicks.map(cell).filter(|cell| !cell.is_empty());
            // A number that cannot be read was still a line of the log.
            let clicks = clicks.map_or(1, |cell| digits(cell).parse().unwrap_or(1));
            if clicks > 0 {
                log.clicks.push(Click { query: query.to_owned(), url: url.to_owned(), clicks });
            }
        }
        (log, problems)
    }
}

struct Columns {
    query: usize,
    url: usize,
    clicks: Option<usize>,
}

/// The columns that a header names; `None` when the row is no header.
fn columns(head: &[String]) -> Result<Option<Columns>, LogProblem> {
    let names: Vec<String> = head.iter().map(|name| name.trim().to_lowercase().replace('_', " ")).collect();
    let find = |known: &[&str]| names.iter().position(|name| known.contains(&name.as_str()));
    let (query, url, clicks) = (find(QUERY), find(URL), find(CLICKS));
    let missing = |column| LogProblem::MissingColumn { column, found: head.to_vec() };
    match (query, url) {
        (Some(query), Some(url)) => Ok(Some(Columns { query, url, clicks })),
        // A first line of data may be the single word "page"; an export with clicks is a table with a header.
        (Some(_), None) if clicks.is_some() => Err(missing("url")),
        (None, Some(_)) if clicks.is_some() => Err(missing("query")),
        _ if head.len() < 2 => Err(missing("url")),
        _ => Ok(None),
    }
}

/// `1,234` and `1 234` are numbers of Search Console exports in some languages.
fn digits(cell: &str) -> String {
    cell.split('.').next().unwrap_or_default().chars().filter(char::is_ascii_digit).collect()
}

/// The rows of a delimited text with the line each starts on; quoted cells may hold delimiters, line ends and doubled
/// quotes.
fn rows(text: &str, delimiter: char) -> Vec<(usize, Vec<String>)> {
    let mut rows = Vec::new();
    let mut row: Vec<String> = Vec::new();
    let mut cell = String::new();
    let (mut quoted, mut line, mut started) = (false, 1, 1);
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '"' if quoted && chars.peek() == Some(&'"') => {
                chars.next();
                cell.push('"');
            }
            '"' if quoted => quoted = false,
            '"' if cell.is_empty() => quoted = true,
            '\r' if !quoted => {}
            '\n' if !quoted => {
                line += 1;
                row.push(std::mem::take(&mut cell));
                let full = std::mem::take(&mut row);
                if full.iter().any(|cell| !cell.trim().is_empty()) {
                    rows.push((started, full));
                }
                started = line;
            }
            c if c == delimiter && !quoted => row.push(std::mem::take(&mut cell)),
            c => {
                line += usize::from(c == '\n');
                cell.push(c);
            }
        }
    }
    row.push(cell);
    if row.iter().any(|cell| !cell.trim().is_empty()) {
        rows.push((started, row));
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(text: &str) -> Vec<(String, String, u64)> {
        let (log, problems) = SearchLog::parse(text);
        assert_eq!(problems, [], "{text}");
        log.clicks.into_iter().map(|click| (click.query, click.url, click.clicks)).collect()
    }

    fn click(query: &str, url: &str, clicks: u64) -> (String, String, u64) {
        (query.into(), url.into(), clicks)
    }

    #[test]
    fn plain_logs_with_and_without_header() {
        assert_eq!(parsed("red shoe,http://a/1\n"), [click("red shoe", "http://a/1", 1)]);
        assert_eq!(parsed("query\turl\tclicks\r\nred\thttp://a/1\t4\r\n"), [click("red", "http://a/1", 4)]);
        assert_eq!(parsed("\u{feff}q;url\n\"a;\"\"b\"\"\";http://a/1"), [click("a;\"b\"", "http://a/1", 1)]);
        assert_eq!(parsed("query,url,clicks\na,http://a/1,0\nb,http://a/2,2"), [click("b", "http://a/2", 2)]);
        assert_eq!(parsed(""), []);
    }

    #[test]
    fn search_console_exports() {
        let text = "Query,Landing Page,Impressions,Url Clicks,URL CTR\n\"acme, phone\",https://a/p,\"1,200\",\"1,034\",9%\n";
        assert_eq!(parsed(text), [click("acme, phone", "https://a/p", 1034)]);
        let bigquery =
            "data_date,site_url,url,query,country,clicks\n2026-01-01,sc-domain:a,https://a/p,acme,gb,2";
        assert_eq!(parsed(bigquery), [click("acme", "https://a/p", 2)]);
        let (log, problems) = SearchLog::parse("Top queries,Clicks,Impressions\nacme,3,40\n");
        assert!(log.clicks.is_empty());
        assert!(problems[0].to_string().contains("no column for the url"), "{}", problems[0]);
    }

    #[test]
    fn broken_lines_are_named() {
        let (log, problems) =
            SearchLog::parse("query,url\na,http://a/1\n,http://a/2\nb\n\"c\nd\",http://a/3\n");
        assert_eq!(log.clicks.len(), 2);
        assert_eq!(problems, [LogProblem::Line(3), LogProblem::Line(4)]);
    }
}
