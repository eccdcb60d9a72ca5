#![allow(missing_docs, clippy::all, clippy::print_stdout, clippy::disallowed_methods, clippy::disallowed_types)]
use unsite_records::{experts::*, model::*, record::*, dedup::*, evaluate::*};
fn load() -> (RecordSet, Vec<String>, Vec<String>) {
    let text = std::fs::read_to_string("/work/shared/data/dedup/cora.jsonl").unwrap();
    let mut set = RecordSet::new(vec!["author".into(),"title".into(),"venue".into(),"venue_vol".into(),"venue_date".into()]);
    let (mut p, mut v) = (vec![], vec![]);
    for l in text.lines() {
        let j: serde_json::Value = serde_json::from_str(l).unwrap();
        let row: Vec<Option<String>> = set.fields().to_vec().iter().map(|f| j.get(f).and_then(|x| x.as_str()).map(|s| s.to_owned())).collect();
        set.push(j["id"].to_string(), row);
        p.push(j["cluster"].as_str().unwrap().to_owned());
        v.push(j["venue_cluster"].as_str().unwrap().to_owned());
    }
    (set, p, v)
}
fn errors(pred:&[u32], truth:&[String], same: &dyn Fn(usize,usize)->bool){
    use std::collections::BTreeMap;
    let mut fp:BTreeMap<(String,String),usize>=BTreeMap::new(); let mut fne:BTreeMap<String,usize>=BTreeMap::new();
    for i in 0..pred.len(){for j in 0..i{ if !same(i,j) {continue;} let s=truth[i]==truth[j]; let q=pred[i]==pred[j];
        if q&&!s { let (a,b)=(truth[i].clone().min(truth[j].clone()),truth[i].clone().max(truth[j].clone())); *fp.entry((a,b)).or_default()+=1;}
        if s&&!q {*fne.entry(truth[i].clone()).or_default()+=1;} }}
    let mut v:Vec<_>=fp.into_iter().collect(); v.sort_by_key(|x|std::cmp::Reverse(x.1)); println!("FP {:?}",&v[..v.len().min(14)]);
    let mut v:Vec<_>=fne.into_iter().collect(); v.sort_by_key(|x|std::cmp::Reverse(x.1)); println!("FN {:?}",&v[..v.len().min(14)]);
}
fn main() {
    let t = std::time::Instant::now();
    let (set, papers, venues) = load();
    let f = folds(&[&papers, &venues], 3);
    println!("fold sizes {:?}", (0..3).map(|k| f.iter().filter(|x| **x==k).count()).collect::<Vec<_>>());
    let cfg = DedupConfig::default();
    let base = DedupConfig { panel: Panel::string_edit_baseline(), ..Default::default() };
    let noc = DedupConfig { panel: Panel::Without(["venue_type","venue_name","book_title","journal_article","abbreviation"].map(String::from).to_vec()), ..Default::default() };


    use unsite_records::kinds::*;
    let sect: Vec<usize> = if std::env::args().nth(1).as_deref()==Some("sect") {(0..set.len()).map(|r| (r>=529) as usize + (r>=1122) as usize).collect()} else {f.clone()};
    let schema = Schema { kinds: vec![("title".into(), FieldKind::Ignored), ("author".into(), FieldKind::Ignored)] };
    let mut m=std::collections::BTreeMap::new(); let oracle = papers.iter().map(|p|{let k=m.len() as u32; *m.entry(p.clone()).or_insert(k)}).collect::<Vec<u32>>();
    let tr = TrainConfig { ridge: 0.03, prior: 10.0, group_discount: 0.5, ..Default::default() };
    let k = sect[venues.iter().position(|v| v=="104").unwrap()];
    let pick = |k: usize, inside: bool| -> Vec<u32> { (0..set.len()).filter(|&r| (sect[r]==k)==inside).map(|r| r as u32).collect() };
    let rest = pick(k, false);
    let lab: Vec<Option<String>> = rest.iter().map(|&r| Some(venues[r as usize].clone())).collect();
    let c = DedupConfig { schema: Some(schema), groups: Some(rest.iter().map(|&r| oracle[r as usize]).collect()), ..Default::default() };
    let m = train(&set.select(&rest, &[]), &lab, &c, &tr).unwrap();
    println!("fold {k} bias {}", m.bias);
    for j in &m.judges { println!("   {:30} w {:.2} {:?}", j.label, j.weight, j.log_odds().map(|x| (x*10.0).round()/10.0)); }
    let t = pick(k, true); let sub = set.select(&t, &[]);
    let show = |a: u32, b: u32| {
        let (x,y) = (t.iter().position(|r| *r==a).unwrap() as u32, t.iter().position(|r| *r==b).unwrap() as u32);
        println!("{} {:?}\n{} {:?}", papers[a as usize], set.row(a).skip(2).collect::<Vec<_>>(), papers[b as usize], set.row(b).skip(2).collect::<Vec<_>>());
        let (s, o) = why_same(&sub, &c, &m, x, y);
        println!("  sum {s:.2}: {}", o.iter().filter(|o| o.log_odds!=0.0).map(|o| format!("{} {:?}->{:.2}", o.judge, o.score.map(|s| (s*100.0).round()/100.0), o.log_odds)).collect::<Vec<_>>().join("; "));
    };
    let find = |v: &str, n: usize| -> u32 { let mut seen = vec![]; for (i, x) in venues.iter().enumerate() { if x=="104" && set.value(i as u32, 2)==Some(v) && !seen.contains(&&papers[i]) { seen.push(&papers[i]); if seen.len()>n { return i as u32; } } } panic!("{v}") };
    let (ml, tenth, mach) = ("In ML-93", "Proceedings of the Tenth International Conference on Machine Learning", "Machine Learning: Proceedings of the Tenth International Conference");
    show(find(ml,0), find(ml,1)); show(find(tenth,0), find(tenth,1)); show(find(ml,0), find(tenth,1)); show(find(mach,0), find(tenth,1)); show(find(mach,0), find(ml,1)); show(find(mach,0), find(mach,1));
}
