//! Records from outside: every kind of input, every choice, very bad input.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use crate::support::{column, put, unsite};
use parquet::data_type::{ByteArray, ByteArrayType};
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;
use serde_json::Value;
use unsite_records::dirty::{DirtyConfig, generate};
use unsite_records::record::RecordSet;

/// Generated people with duplicates, and who is who.
fn people() -> (RecordSet, Vec<u32>) {
    generate(&DirtyConfig { records: 120, ..DirtyConfig::default() })
}

/// The records as CSV with an `id`; commas do not occur in them.
fn csv_of(records: &RecordSet, extra: Option<(&str, &[u32])>) -> String {
    let mut out = format!("id,{}", records.fields().join(","));
    out += &extra.map(|(name, _)| format!(",{name}")).unwrap_or_default();
    for record in 0..records.len() as u32 {
        let values: Vec<&str> = records.row(record).map(|v| v.unwrap_or("")).collect();
        out += &format!("\n{},{}", records.id(record), values.join(","));
        out += &extra.map(|(_, values)| format!(",{}", values[record as usize])).unwrap_or_default();
    }
    out + "\n"
}

fn jsonl_of(records: &RecordSet) -> String {
    let line = |record: u32| {
        let mut object = serde_json::Map::from_iter([("id".to_owned(), Value::from(records.id(record)))]);
        for (name, value) in records.fields().iter().zip(records.row(record)) {
            object.extend(value.map(|v| (name.clone(), Value::from(v))));
        }
        Value::Object(object).to_string() + "\n"
    };
    (0..records.len() as u32).map(line).collect()
}

fn write_parquet(path: &Path, records: &RecordSet) {
    let names: Vec<String> = ["id".to_owned()].into_iter().chain(records.fields().to_vec()).collect();
    let columns: String = names.iter().map(|name| format!("OPTIONAL BYTE_ARRAY {name} (UTF8);")).collect();
    let schema = Arc::new(parse_message_type(&format!("message people {{{columns}}}")).unwrap());
    let file = fs::File::create(path).unwrap();
    let mut writer = SerializedFileWriter::new(file, schema, Arc::default()).unwrap();
    let mut group = writer.next_row_group().unwrap();
    let mut at = 0;
    while let Some(mut column) = group.next_column().unwrap() {
        let cell = |record: u32| match at {
            0 => Some(records.id(record)),
            _ => records.value(record, at - 1),
        };
        let cells: Vec<Option<&str>> = (0..records.len() as u32).map(cell).collect();
        let values: Vec<ByteArray> = cells.iter().flatten().map(|text| ByteArray::from(*text)).collect();
        let levels: Vec<i16> = cells.iter().map(|cell| i16::from(cell.is_some())).collect();
        column.typed::<ByteArrayType>().write_batch(&values, Some(&levels), None).unwrap();
        column.close().unwrap();
        at += 1;
    }
    group.close().unwrap();
    writer.close().unwrap();
}

fn write_database(path: &Path, records: &RecordSet) {
    let db = rusqlite::Connection::open(path).unwrap();
    let columns: Vec<String> = records.fields().iter().map(|f| format!("{f} TEXT")).collect();
    db.execute_batch(&format!("CREATE TABLE people(id INTEGER PRIMARY KEY, {})", columns.join(", ")))
        .unwrap();
    for record in 0..records.len() as u32 {
        let values: Vec<Option<&str>> =
            [Some(records.id(record))].into_iter().chain(records.row(record)).collect();
        let marks = vec!["?"; values.len()].join(", ");
        let sql = format!("INSERT INTO people VALUES ({marks})");
        db.execute(&sql, rusqlite::params_from_iter(values)).unwrap();
    }
}

#[test]
fn every_kind_of_input_gives_the_same_clusters() {
    let folder = tempfile::tempdir().unwrap();
    let (records, truth) = people();
    let csv = csv_of(&records, None);
    let mut inputs = vec![
        put(&folder, "people.csv", &csv).display().to_string(),
        put(&folder, "people.tsv", csv.replace(',', "\t")).display().to_string(),
        put(&folder, "people.jsonl", jsonl_of(&records)).display().to_string(),
    ];
    write_parquet(&folder.path().join("people.parquet"), &records);
    inputs.push(folder.path().join("people.parquet").display().to_string());
    write_database(&folder.path().join("site.db"), &records);
    inputs.push(format!("{}:people", folder.path().join("site.db").display()));
    let out = folder.path().join("out.jsonl");
    let mut answers: Vec<Vec<(String, i64)>> = Vec::new();
    for input in &inputs {
        let json = unsite(&[&"dedup", input, &"-o", &out, &"--json"]).ends(0).json();
        assert_eq!(json["records"], 120, "{input}");
        let ids = column(&out, "id");
        let clusters = column(&out, "cluster");
        let mut found: Vec<(String, i64)> = ids
            .iter()
            .zip(&clusters)
            .map(|(id, c)| (id.to_string().trim_matches('"').to_owned(), c.as_i64().unwrap()))
            .collect();
        // A table comes in the order of its ids, so clusters are compared by who is together, not by number.
        let first: std::collections::BTreeMap<i64, String> =
            found.iter().rev().map(|(id, c)| (*c, id.clone())).collect();
        found.sort();
        answers.push(found.iter().map(|(id, c)| (id.clone(), first[c].parse().unwrap())).collect());
    }
    let together = |answer: &[(String, i64)], a: usize, b: usize| answer[a].1 == answer[b].1;
    for answer in &answers[1..] {
        for a in 0..120 {
            for b in 0..a {
                assert_eq!(together(&answers[0], a, b), together(answer, a, b), "{a} {b}");
            }
        }
    }
    let clusters: Vec<u32> = column(&out, "cluster").iter().map(|c| c.as_i64().unwrap() as u32).collect();
    assert!(unsite_records::evaluate::pairwise(&clusters, &truth).f1 > 0.95);
    unsite(&[&"dedup", &folder.path().join("site.db"), &"-o", &out])
        .ends(1)
        .says(&["say which table", "people"]);
    let missing = format!("{}:nobody", folder.path().join("site.db").display());
    unsite(&[&"dedup", &missing, &"-o", &out]).ends(1).says(&["there is no table", "people"]);
    unsite(&[&"dedup", &"no.csv", &"-o", &out]).ends(1).says(&["there is no file no.csv"]);
    unsite(&[&"dedup", &inputs[0], &"-o", &"out.xyz"]).ends(1).says(&["out.xyz", "known are"]);
}

#[test]
fn what_was_learned_is_kept_and_used_again() {
    let folder = tempfile::tempdir().unwrap();
    let (records, truth) = people();
    let labelled = put(&folder, "labelled.csv", csv_of(&records, Some(("person", &truth))));
    let plain = put(&folder, "plain.csv", csv_of(&records, None));
    let (out, model) = (folder.path().join("out.csv"), folder.path().join("model.json"));
    let trained = unsite(&[
        &"dedup",
        &labelled,
        &"-o",
        &out,
        &"--train",
        &"person",
        &"--save-model",
        &model,
        &"--json",
    ])
    .ends(0)
    .json();
    assert!(trained["model"].as_str().unwrap().starts_with("trained on"), "{trained}");
    assert!(trained["kinds"].get("person").is_none(), "the answer is not compared: {trained}");
    let used = unsite(&[&"dedup", &plain, &"-o", &out, &"--model", &model, &"--json"]).ends(0).json();
    assert_eq!(used["clusters"], trained["clusters"]);
    let links = folder.path().join("links.csv");
    unsite(&[&"link", &plain, &plain, &"-o", &links, &"--model", &model]).ends(0);
    assert_eq!(fs::read_to_string(&links).unwrap().lines().count(), 121);
    unsite(&[&"link", &plain, &labelled, &"-o", &links, &"--train", &"person"])
        .ends(1)
        .says(&["--model FILE"]);
    unsite(&[&"dedup", &plain, &"-o", &out, &"--train", &"nobody"]).ends(1).says(&["no field \"nobody\""]);
    let broken = put(&folder, "broken.json", "{\"judges\": 7}");
    unsite(&[&"dedup", &plain, &"-o", &out, &"--model", &broken])
        .ends(1)
        .says(&["broken.json", "cannot be used"]);
    let other = put(&folder, "other.csv", "a,b\nx y z,1\nx y z,2\nq r s,3\n");
    let strange = unsite(&[&"dedup", &other, &"-o", &out, &"--model", &model]).ends(0).stdout;
    assert!(strange.contains("the model knows none of these fields"), "{strange}");
}

#[test]
fn decisions_in_the_review_list_are_obeyed_and_kept() {
    let folder = tempfile::tempdir().unwrap();
    let (records, _) = generate(&DirtyConfig { records: 150, noise: 0.25, ..DirtyConfig::default() });
    let input = put(&folder, "people.jsonl", jsonl_of(&records));
    let (out, review) = (folder.path().join("out.jsonl"), folder.path().join("review.csv"));
    unsite(&[&"dedup", &input, &"-o", &out, &"--review", &review]).ends(0);
    let list = fs::read_to_string(&review).unwrap();
    assert!(
        list.starts_with("id_a,id_b,decision,together,probability,log_odds,")
            && list.contains("given_name (a),given_name (b),")
    );
    let cells: Vec<&str> = list.lines().nth(1).expect("a doubtful pair").split(',').collect();
    let (a, b, was_together) = (cells[0].to_owned(), cells[1].to_owned(), cells[3] == "yes");
    assert!(list.lines().next().unwrap().contains("string_edit:surname"), "the experts' columns: {list}");
    let decision = if was_together { "different" } else { "same" };
    let decided = list.replacen(&format!("\n{a},{b},,"), &format!("\n{a},{b},{decision},"), 1)
        + &format!(
            "{b},nobody,perhaps{}\n",
            ",".repeat(list.lines().next().unwrap().matches(',').count() - 2)
        );
    fs::write(&review, decided).unwrap();
    let said = unsite(&[&"dedup", &input, &"-o", &out, &"--review", &review]).ends(0).stdout;
    assert!(said.contains("`perhaps` is no decision"), "{said}");
    let cluster = |id: &str| {
        let at = column(&out, "id").iter().position(|v| v == id).unwrap();
        column(&out, "cluster")[at].clone()
    };
    assert_eq!(cluster(&a) == cluster(&b), !was_together);
    let kept = fs::read_to_string(&review).unwrap();
    assert!(kept.lines().nth(1).unwrap().starts_with(&format!("{a},{b},{decision},")), "{kept}");
}

#[test]
fn what_records_mention_is_clustered_with_them() {
    let folder = tempfile::tempdir().unwrap();
    let mut lines = String::new();
    for n in 0..30 {
        let title =
            format!("On the theory of subject {} and its uses", ["apples", "bridges", "clouds"][n % 3]);
        let venue = ["Journal of Fruit", "J. of Fruit", "Proceedings of Engineering"][(n % 3) * (n % 2)];
        lines +=
            &format!("{{\"id\": {n}, \"title\": \"{title}\", \"venue\": \"{venue}\", \"year\": 1990}}\n");
    }
    let input = put(&folder, "papers.jsonl", lines);
    let out = folder.path().join("out.jsonl");
    unsite(&[&"dedup", &input, &"-o", &out, &"--joint", &"venue"]).ends(0);
    let venues = column(&out, "venue_cluster");
    assert!(venues.iter().all(Value::is_number), "{venues:?}");
    assert_eq!(venues[0], venues[6], "one paper, one venue");
    assert_eq!(column(&out, "year")[0], 1990, "the record stays as it was");
    unsite(&[&"dedup", &input, &"-o", &out, &"--joint", &"city"]).ends(1).says(&["no field `city`", "title"]);
}

#[test]
fn each_rule_of_survivorship_keeps_its_value() {
    let folder = tempfile::tempdir().unwrap();
    let rows = "id,name,street,zip\n1,Anna Example,12 Long Street,\n2,Anna Example,12 Long Street Rear Building,\n\
                3,Anna B. Example,12 Long Street,00100\n4,Zoe Other,9 Short Lane,99999\n";
    let input = put(&folder, "people.csv", rows);
    let review = put(&folder, "same.csv", "id_a,id_b,decision\n1,2,same\n1,3,same\n1,4,different\n");
    for (rule, kept) in [
        ("most-frequent", "1,Anna Example,12 Long Street,00100"),
        ("longest", "1,Anna B. Example,12 Long Street Rear Building,00100"),
        ("most-complete", "1,Anna B. Example,12 Long Street,00100"),
        ("first", "1,Anna Example,12 Long Street,00100"),
    ] {
        let out = folder.path().join("out.csv");
        unsite(&[&"dedup", &input, &"-o", &out, &"--survivor", &rule, &"--review", &review]).ends(0);
        let canonical = fs::read_to_string(folder.path().join("out.canonical.csv")).unwrap();
        let expected = format!("id,name,street,zip\n{kept}\n4,Zoe Other,9 Short Lane,99999\n");
        assert_eq!(canonical, expected, "{rule}");
    }
    unsite(&[&"dedup", &input, &"-o", &"x.csv", &"--survivor", &"prettiest"])
        .ends(2)
        .says(&["most-frequent"]);
}

#[test]
fn bad_lines_mixed_types_and_huge_fields_lose_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let huge = "word ".repeat(210_000);
    let lines = format!(
        "{{\"id\": 1, \"name\": \"Ann Example\", \"n\": 3}}\nnot json at all\n\
         {{\"id\": \"1\", \"name\": [\"Ann\", \"Example\"], \"n\": \"three\"}}\n[1, 2]\n\
         {{\"id\": 2, \"name\": {{\"first\": \"Bob\"}}, \"n\": null}}\n{{\"id\": 3, \"name\": \"{huge}\", \"n\": true}}\n\
         {{\"id\": 4, \"name\": \"{huge}\"}}\n"
    );
    let input = put(&folder, "mixed.jsonl", &lines);
    let out = folder.path().join("out.jsonl");
    let run = unsite(&[&"dedup", &input, &"-o", &out]).ends(3);
    for part in ["line 2: not JSON", "2 lines are no records", "out.jsonl.rejected", "already used"] {
        assert!(run.stdout.contains(part), "{part:?} is not in: {}", run.stdout);
    }
    let rejected = fs::read_to_string(folder.path().join("out.jsonl.rejected")).unwrap();
    assert_eq!(rejected, "not json at all\n[1, 2]\n");
    assert_eq!(column(&out, "id"), [Value::from(1), "1".into(), 2.into(), 3.into(), 4.into()]);
    assert_eq!(column(&out, "name")[3].as_str().map(str::len), Some(huge.len()));
    assert_eq!(column(&out, "n")[1], "three");
    let canonical = fs::read_to_string(folder.path().join("out.canonical.jsonl")).unwrap();
    assert!(canonical.contains(huge.trim_end()), "a canonical value is not cut");
    let ragged = put(&folder, "ragged.csv", "id,a,b\n1,x\n2,x,y,z\n");
    let out = folder.path().join("ragged-out.csv");
    unsite(&[&"dedup", &ragged, &"-o", &out]).ends(0);
    assert!(fs::read_to_string(&out).unwrap().contains(",z,"), "the cell too many is kept");
}

#[test]
fn nothing_in_gives_nothing_out_and_says_so() {
    let folder = tempfile::tempdir().unwrap();
    for (name, content) in [("empty.jsonl", ""), ("empty.csv", ""), ("header.csv", "id,name\n")] {
        let input = put(&folder, name, content);
        let out = folder.path().join(format!("out-{name}"));
        let said = unsite(&[&"dedup", &input, &"-o", &out]).ends(0).stdout;
        assert!(said.contains("holds no records") && said.contains("0 records are 0 things"), "{said}");
        assert!(out.is_file());
        let links = folder.path().join("links.csv");
        unsite(&[&"link", &input, &input, &"-o", &links]).ends(0);
    }
    let one = put(&folder, "one.csv", "name\nAnn\n");
    unsite(&[&"dedup", &one, &"-o", &folder.path().join("o.csv"), &"--id", &"key"])
        .ends(1)
        .says(&["--id", "name"]);
    unsite(&[&"dedup", &one, &"-o", &folder.path().join("o.csv"), &"--ignore", &"x"])
        .ends(1)
        .says(&["to ignore"]);
    unsite(&[&"dedup", &one, &"-o", &folder.path().join("o.csv"), &"--kind", &"name=colour"])
        .ends(2)
        .says(&["the kinds are"]);
}

#[test]
fn two_sources_are_linked_by_name_by_renaming_or_by_values() {
    let folder = tempfile::tempdir().unwrap();
    let (records, _) = generate(&DirtyConfig { records: 80, duplicated: 0.0, ..DirtyConfig::default() });
    let text = csv_of(&records, None);
    let a = put(&folder, "a.csv", &text);
    let half: String = text.lines().take(41).map(|line| format!("{line}\n")).collect();
    let called_otherwise = "key,first,last,road,town,zip,tel,birthday";
    let b = put(&folder, "b.csv", half.replacen(text.lines().next().unwrap(), called_otherwise, 1));
    let links = folder.path().join("links.csv");
    let said = unsite(&[&"link", &a, &b, &"-o", &links]).ends(0).stdout;
    assert!(said.contains("matched by values: given_name=first, surname=last"), "{said}");
    assert!(said.contains("40 links"), "{said}");
    let rows = fs::read_to_string(&links).unwrap();
    assert!(rows.starts_with("id_a,id_b,probability,given_name (a),given_name (b),"), "{rows}");
    let said = unsite(&[
        &"link",
        &a,
        &b,
        &"-o",
        &links,
        &"--rename",
        &"given_name=first,surname=last,street=road,city=town,postcode=zip,phone=tel,born=birthday",
        &"--json",
    ])
    .ends(0);
    assert!(said.json()["messages"].as_array().unwrap().iter().any(|m| m == "40 links"), "{}", said.stdout);
    let twice = put(
        &folder,
        "twice.csv",
        format!("{half}{}", half.lines().skip(1).map(|l| format!("x{l}\n")).collect::<String>()),
    );
    for (flag, expected) in [("--many-to-one", "80 links"), ("--many", "80 links")] {
        let said = unsite(&[&"link", &twice, &a, &"-o", &links, &flag]).ends(0).stdout;
        assert!(said.contains(expected), "{flag}: {said}");
    }
    let stranger = put(&folder, "stranger.csv", "colour,weight\nred,1\nblue,2\ngreen,3\n");
    unsite(&[&"link", &a, &stranger, &"-o", &links]).ends(1).says(&["share no field", "--rename"]);
    unsite(&[&"link", &a, &b, &"-o", &links, &"--rename", &"surname"]).ends(1).says(&["FIRST=SECOND"]);
}

#[cfg(unix)]
#[test]
fn outputs_are_for_those_whom_the_umask_and_the_old_file_let() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let input = put(&folder, "people.csv", csv_of(&people().0, None));
    let out = folder.path().join("out.csv");
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    let run = |umask: &str| {
        let status = std::process::Command::new("sh")
            .args([
                "-c",
                &format!("umask {umask}; exec \"$0\" \"$@\""),
                env!("CARGO_BIN_EXE_unsite"),
                "dedup",
            ])
            .arg(&input)
            .arg("-o")
            .arg(&out)
            .arg("-q")
            .status();
        assert!(status.unwrap().success());
    };
    for (umask, expected) in [("027", 0o640), ("077", 0o600), ("022", 0o644)] {
        run(umask);
        assert_eq!(mode(&out), expected, "umask {umask}");
        fs::remove_file(&out).unwrap();
    }
    run("022");
    fs::set_permissions(&out, fs::Permissions::from_mode(0o660)).unwrap();
    run("077");
    assert_eq!(mode(&out), 0o660, "what the old file allows stays");
}

#[test]
fn every_expert_says_why() {
    let folder = tempfile::tempdir().unwrap();
    let (records, truth) = people();
    let input = put(&folder, "people.csv", csv_of(&records, None));
    let twin = (1..truth.len())
        .find(|&r| truth[r] == truth[0])
        .or_else(|| (0..119).find(|&r| truth[r] == truth[119]));
    let (a, b) = match twin {
        Some(r) if truth[r] == truth[0] => (0, r),
        other => (119, other.expect("someone has two records")),
    };
    let (a, b) = (records.id(a as u32), records.id(b as u32));
    let json = unsite(&[&"why-same", &input, &a, &b, &"--json"]).ends(0).json();
    let sum: f64 = json["opinions"].as_array().unwrap().iter().map(|o| o["log_odds"].as_f64().unwrap()).sum();
    let before = json["before_evidence"].as_f64().unwrap();
    assert!((json["log_odds"].as_f64().unwrap() - sum - before).abs() < 1e-3, "{json}");
    let text = unsite(&[&"why-same", &input, &a, &b]).ends(0).stdout;
    assert!(text.contains("string_edit:surname") && text.contains("with probability"), "{text}");
    unsite(&[&"why-same", &input, &a, &"nobody"]).ends(1).says(&["no record with the id \"nobody\""]);
}

#[test]
fn rows_of_a_site_are_compared_by_what_they_are() {
    let site = crate::support::small_site();
    let folder = tempfile::tempdir().unwrap();
    let source = put(&folder, "site.jsonl", crate::support::json_lines(&site, 0..site.pages.len()));
    let db = folder.path().join("site.db");
    unsite(&[&"run", &source, &"-o", &db, &"-q"]).ends(0);
    let (books, reviews) = (format!("{}:book", db.display()), format!("{}:review", db.display()));
    let told = |table: &str| {
        let out = folder.path().join("out.jsonl");
        unsite(&[&"dedup", &table, &"-o", &out, &"--json", &"--pretrained"]).ends(0).json()
    };
    let fields = |told: &Value| told["kinds"].as_object().unwrap().keys().cloned().collect::<Vec<_>>();
    // Row numbers, keys and addresses tell where a row stands.
    let (book, review) = (told(&books), told(&reviews));
    for field in ["page_id", "category_id", "url"] {
        assert!(!fields(&book).iter().any(|name| name == field), "{book}");
        assert!(book["messages"].to_string().contains(field), "{book}");
    }
    assert!(!fields(&review).iter().any(|name| name.ends_with("_id") || name == "title"), "{review}");
    assert_eq!((&book["kinds"]["price"], &book["kinds"]["published"]), (&"number".into(), &"date".into()));
    // Whoever says what an address is has it compared.
    let out = folder.path().join("kinds.jsonl");
    let asked =
        unsite(&[&"dedup", &books, &"-o", &out, &"--json", &"--pretrained", &"--kind", &"url=identifier"]);
    assert_eq!(asked.ends(0).json()["kinds"]["url"], "identifier");
}

#[test]
fn fields_of_either_side_can_be_ignored() {
    let folder = tempfile::tempdir().unwrap();
    let first = put(&folder, "a.csv", "id,name,shelf\n1,Anna Berg,A1\n2,Bo Dahl,B7\n3,Cy Ek,C3\n");
    let second = put(
        &folder,
        "b.csv",
        "id,name,shelf,price\n7,Anna Berg,A1,13.49\n8,Bo Dahl,B7,8.20\n9,Cy Ek,C3,21.99\n",
    );
    let out = folder.path().join("links.csv");
    let link = |ignored: &str| {
        unsite(&[&"link", &first, &second, &"-o", &out, &"--pretrained", &"--json", &"--ignore", &ignored])
    };
    let told = link("shelf,price").ends(0).json();
    assert_eq!(told["kinds"].as_object().unwrap().keys().collect::<Vec<_>>(), ["name"], "{told}");
    let told = link("price").ends(0).json();
    assert!(told["kinds"].get("shelf").is_some() && told["kinds"].get("price").is_none(), "{told}");
    link("colour").ends(1).says(&["no field \"colour\"", "shelf", "price"]);
}
