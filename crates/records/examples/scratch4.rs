#![allow(missing_docs, clippy::all, clippy::print_stdout, clippy::disallowed_methods, clippy::disallowed_types)]
use unsite_records::{dirty::*, dedup::*, evaluate::*};
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let n: usize = args.get(1).map_or(10000, |s| s.parse().unwrap());
    let noises: Vec<f64> = args.get(2).map_or(vec![0.05,0.1,0.2], |s| vec![s.parse().unwrap()]);
    for noise in noises {
        let t = std::time::Instant::now();
        let (set, truth) = generate(&DirtyConfig { records: n, noise, ..Default::default() });
        let g = t.elapsed();
        let d = dedup(&set, &DedupConfig::default()).unwrap();
        let p = pairwise(&d.clusters, &truth);
        println!("n {n} noise {noise} P {:.4} R {:.4} F1 {:.4} compl {:.4} compared {} ({:.1}/rec) gen {:?} total {:?}", p.precision, p.recall, p.f1, d.completeness, d.compared, d.compared as f64/n as f64, g, t.elapsed()-g);
        for (f,k) in &d.kinds { print!("{f}={} ", k.name()); } println!();
        for m in &d.messages { println!("  {}", m.text); }
        if args.len()>3 { for j in &d.model.judges { println!("   {:30} w {:.2} {:?}", j.label, j.weight, j.log_odds().map(|x| (x*10.0).round()/10.0)); } println!("bias {}", d.model.bias); 
          let mut shown=0; for i in 0..n { for j in 0..i { if truth[i]==truth[j] && d.clusters[i]!=d.clusters[j] { shown+=1; if shown<12 {println!("FN {:?}\n   {:?}", set.row(i as u32).collect::<Vec<_>>(), set.row(j as u32).collect::<Vec<_>>());
            let (s,o)=why_same(&set,&DedupConfig::default(),&d.model,i as u32,j as u32); println!("   {s:.1} {}", o.iter().filter(|o| o.log_odds!=0.0).map(|o| format!("{} {:?}->{:.2}", o.judge, o.score.map(|s| (s*100.0).round()/100.0), o.log_odds)).collect::<Vec<_>>().join("; ")); }} } if i>6000 {break;} } }
    }
}
