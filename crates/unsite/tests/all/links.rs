//! Two sources linked: small tables of two runs, and very bad input.

use std::fs;
use std::path::PathBuf;

use crate::support::{column, put, unsite};

/// A table of books as a run of a site gives it: the page's address, a title, a price and a stock.
fn shop_table(host: &str, header: &str, rows: std::ops::Range<usize>) -> String {
    let kinds = ["Garden", "River", "Lantern", "Orchard", "Compass"];
    let things = ["Stories", "Letters", "Handbook", "Atlas", "Songs", "Garden", "Winter"];
    let row = |n: usize| {
        let (kind, thing, price) = (kinds[n % 5], things[n % 7], 700 + 37 * n);
        let title = format!("The {kind} {thing} of {}", ["Ashby", "Brock", "Corley", "Denholm"][n % 4]);
        format!(
            "{n},{host}/item/{n}-{kind}.html,{title} {},{}.{:02},{}\n",
            n / 5 + 2,
            price / 100,
            price % 100,
            n % 9
        )
    };
    format!("{header}\n{}", rows.map(row).collect::<String>())
}

#[test]
fn two_runs_of_a_site_are_linked() {
    let folder = tempfile::tempdir().unwrap();
    let (links, usual) = (folder.path().join("links.csv"), "id,url,title,price,stock");
    let monday = put(&folder, "monday.csv", shop_table("http://shop.example", usual, 0..24));
    // The same things; four have gone and four are new.
    let same_host = put(&folder, "a.csv", shop_table("http://shop.example", usual, 4..28));
    let other_host = put(&folder, "b.csv", shop_table("https://www.mirror.example:8080", usual, 4..28));
    let other_names = shop_table("https://mirror.example", "id,found_at,name,price,left", 4..28);
    let other_names = put(&folder, "c.csv", other_names.replace("/item/", "/things/view/"));
    let no_rename: &[&dyn AsRef<std::ffi::OsStr>] = &[];
    let cases: [(&PathBuf, &[&dyn AsRef<std::ffi::OsStr>]); 4] = [
        (&same_host, no_rename),
        (&other_host, no_rename),
        (&other_names, &[&"--rename", &"title=name"]),
        (&other_names, &[&"--rename", &"title=name", &"--ignore", &"price"]),
    ];
    for (tuesday, more) in cases {
        let arguments: [&dyn AsRef<std::ffi::OsStr>; 5] = [&"link", &monday, tuesday, &"-o", &links];
        let said = unsite(&[&arguments[..], more].concat()).ends(0).stdout;
        let rows = fs::read_to_string(&links).unwrap();
        let pairs: Vec<(&str, &str)> = rows
            .lines()
            .skip(1)
            .map(|line| line.split_once(',').unwrap())
            .map(|(a, rest)| (a, rest.split(',').next().unwrap()))
            .collect();
        let right = pairs.iter().filter(|(a, b)| a == b).count();
        assert_eq!((pairs.len(), right), (20, 20), "{}: {said}{rows}", tuesday.display());
    }
    let strangers = "id,url,title,price,stock\n".to_owned()
        + &(0..24)
            .map(|n| format!("{n},http://other.example/{n},Bolt size {n},{n}.10,3\n"))
            .collect::<String>();
    let strangers = put(&folder, "d.csv", strangers);
    let said = unsite(&[&"link", &monday, &strangers, &"-o", &links]).ends(0).stdout;
    assert!(said.contains("0 links"), "{said}");
}

#[test]
fn bad_input_of_two_sources_loses_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let huge = "x".repeat(1 << 20);
    let line = |id: &str, name: &str| format!("{{\"id\": {id}, \"name\": \"{name}\", \"city\": \"Rome\"}}\n");
    let first =
        [line("1", "Anna Example"), line("1", "Bert Other"), line("2", &huge), "{broken\n".into()].concat();
    let second = [line("\"a\"", "Anna Example"), line("[1]", &huge), "\u{0}\u{1}\n".into()].concat();
    let (a, b) = (put(&folder, "a.jsonl", first), put(&folder, "b.jsonl", second));
    let links = folder.path().join("links.jsonl");
    let run = unsite(&[&"link", &a, &b, &"-o", &links]).ends(3);
    assert!(
        run.stdout.contains("2 lines are no records") && run.stdout.contains("already used"),
        "{}",
        run.stdout
    );
    let rejected = fs::read_to_string(folder.path().join("links.jsonl.rejected")).unwrap();
    assert_eq!(rejected, "{broken\n\u{0}\u{1}\n");
    let names = column(&links, "name (a)");
    assert!(names.iter().any(|name| name == "Anna Example"), "{} links", names.len());
    for (name, bytes) in
        [("no.csv", &b"\xff\xfe\x00"[..]), ("no.parquet", b"PAR1 not"), ("no.db", b"SQLite?")]
    {
        let file = put(&folder, name, bytes);
        let table = format!("{}{}", file.display(), if name == "no.db" { ":people" } else { "" });
        let run = unsite(&[&"dedup", &table, &"-o", &folder.path().join("out.jsonl")]);
        assert!([0, 1, 3].contains(&run.code), "{run:?}");
        assert!(run.code != 1 || run.stderr.contains(name), "{run:?}");
    }
}
