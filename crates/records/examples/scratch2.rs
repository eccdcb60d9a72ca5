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
    let d = dedup(&set, &cfg).unwrap();
    let p = pairwise(&d.clusters, &papers);
    println!("unsupervised P {:.4} R {:.4} F1 {:.4} compl {:.4} in {:?}", p.precision, p.recall, p.f1, d.completeness, t.elapsed());
    errors(&d.clusters, &papers, &|_,_| true);
    use unsite_records::kinds::*;
    let schema = Schema { kinds: vec![("title".into(), FieldKind::Ignored), ("author".into(), FieldKind::Ignored)] };
    let mut m=std::collections::BTreeMap::new(); let oracle = papers.iter().map(|p|{let k=m.len() as u32; *m.entry(p.clone()).or_insert(k)}).collect::<Vec<u32>>();
    let sect: Vec<usize> = (0..set.len()).map(|r| (r>=529) as usize + (r>=1122) as usize).collect();
    for (fname, f) in [("comp", &f), ("sect", &sect)] {
    println!("FOLDS {fname}");
    for (prior,ridge) in [(300.0,0.3)] {
       println!("-- prior {prior} ridge {ridge}"); let tr = TrainConfig { prior, ridge, ..Default::default() };
       let mut cvp = vec![];
       for (name, truth) in [("papers",&papers),("venues",&venues)] {
        let r = cross_validate(&set, truth, &f, &cfg, &tr).unwrap();
        if name=="papers" { cvp = r.clusters.clone(); }
        println!("{ridge} {name} P {:.4} R {:.4} F1 {:.4} folds {:?} {:?}", r.pooled.precision, r.pooled.recall, r.pooled.f1, r.folds.iter().map(|x| (x.f1*1000.0).round()).collect::<Vec<_>>(), t.elapsed());
        //errors(&r.clusters, truth, &|i,j| f[i]==f[j]);
       }
       for (n, g) in [("oracle",&oracle),("cv",&cvp)] { for (prior,ridge) in [(1.0,0.01),(3.0,0.03),(3.0,0.3),(10.0,0.03),(10.0,0.3),(100.0,0.3)] {
        let tr = TrainConfig { prior, ridge, ..Default::default() };
        let c = DedupConfig { groups: Some(g.clone()), schema: Some(schema.clone()), ..Default::default() };
        let r = cross_validate(&set, &venues, &f, &c, &tr).unwrap();
        println!("{prior} {ridge} joint {n} venues P {:.4} R {:.4} F1 {:.4} folds {:?} {:?}", r.pooled.precision, r.pooled.recall, r.pooled.f1, r.folds.iter().map(|x| (x.f1*1000.0).round()).collect::<Vec<_>>(), t.elapsed());
        if n=="oracle" && prior==10.0 {errors(&r.clusters, &venues, &|i,j| f[i]==f[j]);}
       } }
      }
    }
}
