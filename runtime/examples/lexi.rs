use comet_runtime::reorder::*;
use comet_runtime::{CoordinateTensor, ReadOptions, read_file};
use std::time::Instant;
fn shuffle(n: i64, seed: u64) -> Permutation {
    let mut v: Vec<i64> = (0..n).collect();
    let mut s = seed;
    for i in (1..v.len()).rev() {
        s = s.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        v.swap(i, ((s >> 33) as usize) % (i + 1));
    }
    Permutation::from_numbers(v).unwrap()
}
fn spmm(e: &CoordinateTensor) -> f64 {
    let (n, m) = (e.dims[0] as usize, e.dims[1] as usize);
    let mut ord: Vec<usize> = (0..e.len()).collect();
    ord.sort_by_key(|&k| (e.coords[0][k], e.coords[1][k]));
    let mut pos = vec![0usize; n + 1];
    for &k in &ord {
        pos[e.coords[0][k] as usize + 1] += 1;
    }
    for i in 0..n {
        pos[i + 1] += pos[i];
    }
    let crd: Vec<i32> = ord.iter().map(|&k| e.coords[1][k] as i32).collect();
    let val: Vec<f64> = ord.iter().map(|&k| k as f64).collect();
    let b = vec![1.5f64; m * 32];
    let mut c = vec![0f64; n * 32];
    let mut times = Vec::new();
    for _ in 0..15 {
        let t = Instant::now();
        for i in 0..n {
            let mut acc = [0f64; 32];
            for p in pos[i]..pos[i + 1] {
                let row = &b[crd[p] as usize * 32..][..32];
                for x in 0..32 {
                    acc[x] += val[p] * row[x];
                }
            }
            c[i * 32..][..32].copy_from_slice(&acc);
        }
        times.push(t.elapsed().as_secs_f64());
    }
    times.sort_by(f64::total_cmp);
    std::hint::black_box(&c);
    times[times.len() / 2] * 1e3
}
fn main() {
    for file in std::env::args().skip(1) {
        let mut e = read_file(std::path::Path::new(&file), &ReadOptions::default()).unwrap();
        let shuffled = e.rank() == 2;
        if shuffled {
            let p: Vec<_> = if e.dims[0] == e.dims[1] {
                let p = shuffle(e.dims[0], 1);
                vec![p.clone(), p]
            } else {
                vec![shuffle(e.dims[0], 1), shuffle(e.dims[1], 2)]
            };
            println!("{file} original spmm {:.2} ms", spmm(&e));
            apply(&mut e, &p).unwrap();
            println!("  shuffled spmm {:.2} ms", spmm(&e));
        }
        for it in [1, 2, 3, 4, 5, 8] {
            let mut best = f64::MAX;
            let mut ps = vec![];
            for _ in 0..3 {
                let t = Instant::now();
                ps = reorder(&e, Method::Lexi { iterations: it }, &Modes::All).unwrap();
                best = best.min(t.elapsed().as_secs_f64());
            }
            let mut h = 0u64;
            for p in &ps {
                for &x in p.numbers() {
                    h = h.wrapping_mul(31).wrapping_add(x as u64);
                }
            }
            let mut f = e.clone();
            apply(&mut f, &ps).unwrap();
            println!(
                "  {it} rounds: {:.3} s, hash {h:x}, spmm {:.2} ms",
                best,
                if shuffled { spmm(&f) } else { 0.0 }
            );
        }
        if shuffled && e.dims[0] == e.dims[1] {
            let t = Instant::now();
            let ps = reorder(&e, Method::Rcm, &Modes::All).unwrap();
            let dt = t.elapsed().as_secs_f64();
            let mut f = e.clone();
            apply(&mut f, &ps).unwrap();
            println!("  rcm: {dt:.3} s, spmm {:.2} ms", spmm(&f));
        }
    }
}
