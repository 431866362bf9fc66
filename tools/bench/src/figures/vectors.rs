//! Figures 13a to 13c: the product of two sparse vectors of extent 2000, element by element, stored and
//! iterated in six ways. Split vectors have 64 chunks, words 64 bits.

use super::Shown;
use super::chart::Chart;
use super::program::{cycles, folder, simulate};
use crate::setting::{Outcome, Setting, write};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

const EXTENT: usize = 2000;
/// The extent of a chunk; 64 of them are a vector.
const CHUNK: usize = EXTENT.div_ceil(64);
/// Nonzeros of vectors with runs or blocks.
const NONZEROS: usize = 400;

/// A name, how vectors are stored, and the schedule.
const WAYS: [(&str, &str, &str); 6] = [
    ("Dense", "{D}", ""),
    ("Crd", "{CU}", ""),
    ("Crd w/ skip", "{CU}", "skip(i);"),
    ("Crd w/ split", "{CU}", "split(i, io, ii, CHUNK);"),
    ("BV", "{BV<64>}", ""),
    ("BV w/ split", "{BV<64>}", "split(i, io, ii, CHUNK); bitvector(io, 64); bitvector(ii, 64);"),
];

/// The places of the nonzeros of two vectors.
type Pair = [Vec<usize>; 2];

/// What is counted, way by way, for each pair of vectors.
struct Counted {
    categories: Vec<String>,
    series: Vec<Vec<f64>>,
}

impl Counted {
    /// The cycles of a way.
    fn of(&self, name: &str) -> &[f64] {
        let place = WAYS.iter().position(|way| way.0 == name).expect("it is one of the ways");
        &self.series[place]
    }

    fn chart(self, title: &str, of: &'static str) -> Chart {
        let series = WAYS.iter().map(|way| way.0.to_owned()).zip(self.series).collect();
        Chart { title: title.to_owned(), of, measure: "cycles", categories: self.categories, series }
    }
}

pub(super) fn random(setting: &Setting) -> Outcome<Shown> {
    let counts = [1600, 800, 400, 200, 100, 40, 20, 10, 4];
    let pairs = counts.map(|count| (format!("{}", EXTENT - count), [uniform(count, 1), uniform(count, 2)]));
    let counted = count(setting, "figure13a", &pairs)?;
    let (crd, words) = (counted.of("Crd"), counted.of("BV"));
    let crossing = crd.iter().zip(words).position(|(crd, words)| crd < words);
    let apart = counted.of("Crd w/ skip").iter().zip(crd).map(|(skip, crd)| 1.0 - skip / crd);
    let apart = 100.0 * apart.fold(0.0, f64::max);
    let is_flat = words.iter().all(|cycles| *cycles == words[0]);
    let here = match crossing.filter(|place| *place > 0 && is_flat && apart < 25.0) {
        Some(place) => format!(
            "holds: bit vectors take {} cycles throughout, coordinates fewer from {} zeros on; skipping saves {apart:.0} % at most",
            words[0], counted.categories[place]
        ),
        None => "does not hold".to_owned(),
    };
    let found = "coordinates become better than flat bit vectors as sparsity grows; skipping makes no difference, since \
        runs are short";
    let chart = counted.chart("Product of random vectors, by their number of zeros", "zeros");
    Ok(Shown { number: "13a", chart, found, here })
}

pub(super) fn runs(setting: &Setting) -> Outcome<Shown> {
    let pairs = [1, 2, 5, 10, 20, 40, 100].map(|length| (length.to_string(), runs_of(length)));
    let counted = count(setting, "figure13b", &pairs)?;
    let found = "skipping and splitting gain with the length of runs; bit vectors stay as they are";
    let here =
        format!("{}: {}", if is_faster(&counted) { "holds" } else { "does not hold" }, gains(&counted));
    let chart = counted.chart("Product of vectors with runs, by the length of these", "run length");
    Ok(Shown { number: "13b", chart, found, here })
}

pub(super) fn blocks(setting: &Setting) -> Outcome<Shown> {
    let pairs = [1, 2, 5, 10, 20, 40, 100];
    let pairs = pairs.map(|length| (length.to_string(), [blocks_of(length, 5), blocks_of(length, 105)]));
    let counted = count(setting, "figure13c", &pairs)?;
    let found = "skipping and splitting keep their advantage where nonzeros come in blocks, whatever the size of these";
    let verdict = match is_faster(&counted) {
        true => "holds, but the advantage grows with the size of blocks as it does with that of runs",
        false => "does not hold",
    };
    let here = format!("{verdict}: {}", gains(&counted));
    let chart = counted.chart("Product of vectors with blocks, by the size of these", "block size");
    Ok(Shown { number: "13c", chart, found, here })
}

/// How many times as fast a way is as coordinates are, with the shortest and the longest runs or blocks.
fn gain(counted: &Counted, name: &str) -> [f64; 2] {
    let last = counted.categories.len() - 1;
    [0, last].map(|place| counted.of("Crd")[place] / counted.of(name)[place])
}

/// Whether skipping and splitting gain with the length, and flat bit vectors do not.
fn is_faster(counted: &Counted) -> bool {
    let words = counted.of("BV");
    let gains = ["Crd w/ skip", "Crd w/ split"].map(|name| gain(counted, name));
    gains.iter().all(|[shortest, longest]| *longest > 2.0 && *longest > 2.0 * shortest)
        && words.iter().all(|cycles| *cycles == words[0])
}

fn gains(counted: &Counted) -> String {
    let [skip, split] = ["Crd w/ skip", "Crd w/ split"].map(|name| gain(counted, name));
    let words = counted.of("BV")[0];
    format!(
        "skipping is {:.1} times as fast at the shortest, {:.1} at the longest, splitting {:.1} and {:.1}; bit vectors take \
        {words} cycles",
        skip[0], skip[1], split[0], split[1]
    )
}

fn count(setting: &Setting, name: &str, pairs: &[(String, Pair)]) -> Outcome<Counted> {
    let folder = folder(setting, name)?;
    let mut series = vec![Vec::new(); WAYS.len()];
    for (_, pair) in pairs {
        let files = [folder.join("b.tns"), folder.join("c.tns")];
        for (file, places) in files.iter().zip(pair) {
            write_vector(file, places)?;
        }
        for (way, counts) in WAYS.iter().zip(&mut series) {
            counts.push(product(setting, &folder, way, &files)?);
        }
    }
    Ok(Counted { categories: pairs.iter().map(|(category, _)| category.clone()).collect(), series })
}

fn product(setting: &Setting, folder: &Path, way: &(&str, &str, &str), files: &[PathBuf; 2]) -> Outcome<f64> {
    let told = simulate(setting, folder, &program(way), &[&files[0], &files[1]])?;
    Ok(cycles(&told, &["x"]))
}

fn program((_, format, schedule): &(&str, &str, &str)) -> String {
    let schedule = schedule.replace("CHUNK", &CHUNK.to_string());
    format!(
        "def main() {{
  IndexLabel [i] = [{EXTENT}];
  Tensor<double> b([i], {format});
  Tensor<double> c([i], {format});
  Tensor<double> x([i], {{CU}});
  b[i] = comet_read(0);
  c[i] = comet_read(1);
  x[i] = b[i] .* c[i] schedule {{ {schedule} }};
}}
"
    )
}

/// Values that depend on their places, at these. They are no integers, so that no line is taken for a header.
fn write_vector(file: &Path, places: &[usize]) -> Outcome<()> {
    let line = |place: &usize| format!("{} {}.5\n", place + 1, 1 + place % 9);
    let lines: String = places.iter().map(line).collect();
    write(file, lines)
}

/// So many places at random.
fn uniform(count: usize, mut state: u64) -> Vec<usize> {
    let mut places = BTreeSet::new();
    while places.len() < count {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        places.insert((state >> 33) as usize % EXTENT);
    }
    places.into_iter().collect()
}

/// Runs of one vector between those of the other.
fn runs_of(length: usize) -> Pair {
    let period = EXTENT * length / NONZEROS;
    let of = |start: usize| (0..EXTENT).filter(|place| (place + period - start) % period < length).collect();
    [of(0), of(period / 2)]
}

/// Blocks at random places, which may meet.
fn blocks_of(length: usize, seed: u64) -> Vec<usize> {
    let starts = uniform(NONZEROS / length, seed);
    let places: BTreeSet<usize> =
        starts.iter().flat_map(|start| *start..(start + length).min(EXTENT)).collect();
    places.into_iter().collect()
}
