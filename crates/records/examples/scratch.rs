#![allow(missing_docs, clippy::all, clippy::print_stdout, clippy::disallowed_methods, clippy::disallowed_types)]
use unsite_records::{blocking::*, cluster::*, corpus::*, experts::*, model::*, record::*};
use unsite_learn::measures::clustering::PairCounts;
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
fn show(name: &str, pred: &[u32], truth: &[String]) {
    let f = PairCounts::of(pred, truth).prf();
    println!("{name}: P {:.4} R {:.4} F1 {:.4}", f.precision, f.recall, f.f1);
}
fn errors(pred:&[u32], truth:&[String], set:&RecordSet){
    use std::collections::BTreeMap;
    let mut fp:BTreeMap<(String,String),usize>=BTreeMap::new(); let mut fne:BTreeMap<String,usize>=BTreeMap::new();
    for i in 0..pred.len(){for j in 0..i{ let s=truth[i]==truth[j]; let q=pred[i]==pred[j];
        if q&&!s { let (a,b)=(truth[i].clone().min(truth[j].clone()),truth[i].clone().max(truth[j].clone())); *fp.entry((a,b)).or_default()+=1;}
        if s&&!q {*fne.entry(truth[i].clone()).or_default()+=1;} }}
    let mut v:Vec<_>=fp.into_iter().collect(); v.sort_by_key(|x|std::cmp::Reverse(x.1)); println!("FP {:?}",&v[..v.len().min(14)]);
    let mut v:Vec<_>=fne.into_iter().collect(); v.sort_by_key(|x|std::cmp::Reverse(x.1)); println!("FN {:?}",&v[..v.len().min(14)]);
    let _ = set;
}
fn main() {
    let t = std::time::Instant::now();
    let (set, papers, venues) = load();
    let corpus = Corpus::new(&set, None);
    for c in &corpus.columns { println!("{} {:?} {:.2}", c.name, c.kind, c.coverage); }
    let cand = candidates(&corpus, &BlockingConfig::default());
    for m in &cand.messages { println!("{}", m.text); }
    let truep = cand.pairs.iter().filter(|(a,b)| papers[*a as usize]==papers[*b as usize]).count();
    println!("pairs {} true {} of 72125 {:?}", cand.pairs.len(), truep, t.elapsed());
    let judges = Panel::All.judges(&corpus);
    let labels: Vec<String> = judges.iter().map(|j| j.label()).collect();
    let ev = Evidence::gather(&judges, &cand.pairs);
    println!("evidence {:?}", t.elapsed());
    let run = |model: &Model, judges: &[Judge], name: &str, truth: &[String]| -> Vec<u32> {
        let sc = model.scorer(judges);
        let ev = Evidence::gather(judges, &cand.pairs);
        let edges: Vec<(u32,u32,f32)> = cand.pairs.iter().enumerate().map(|(i,&(a,b))| (a,b,sc.score_bins(ev.row(i)))).collect();
        let t2 = std::time::Instant::now();
        let l = cluster(set.len(), &edges, &Decided::default(), &|a,b| sc.score(judges,a,b));
        let tp = edges.iter().filter(|e| e.2>0.0 && truth[e.0 as usize]==truth[e.1 as usize]).count() as f64;
        let pp = edges.iter().filter(|e| e.2>0.0).count() as f64;
        println!("  pairs P {:.4} Rcand {:.4}  cluster {:?}", tp/pp, tp/edges.iter().filter(|e| truth[e.0 as usize]==truth[e.1 as usize]).count() as f64, t2.elapsed());
        show(name, &l, truth); errors(&l, truth, &set);
        l
    };
    // trained on all, as upper bound
    for (name, truth) in [("papers", &papers), ("venues", &venues)] { if std::env::args().len()<2 {continue;}
        let same: Vec<f64> = cand.pairs.iter().map(|(a,b)| (truth[*a as usize]==truth[*b as usize]) as u8 as f64).collect();
        let m = learn_from_labels(&Labelled { evidence: &ev, judges: labels.clone(), same, weight: vec![1.0; cand.pairs.len()] }, &TrainConfig::default()).unwrap();
        for j in &m.judges { println!("   {:30} w {:.2} {:?}", j.label, j.weight, j.log_odds().map(|x| (x*10.0).round()/10.0)); }
        println!("bias {}", m.bias);
        run(&m, &judges, name, truth);
    }
    let (m, _b) = learn_unsupervised(&ev, &labels, &EmConfig::default());
    for j in &m.judges { println!("   {:30} w {:.2} {:?}", j.label, j.weight, j.log_odds().map(|x| (x*10.0).round()/10.0)); }
    println!("bias {}", m.bias);
    run(&m, &judges, "em", &papers);
    println!("{:?}", t.elapsed());
}
