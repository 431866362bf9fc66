//! Figures 13a to 13c: the product of two sparse vectors of extent 2000, element by element, stored and
//! iterated in six ways. Split vectors have chunks of 32, as many as 64 can be of equal size; words have 64
//! bits. Each count is the mean of some pairs of vectors.

use super::Shown;
use super::chart::{Chart, Style};
use super::program::{cycles, folder, simulate_with};
use crate::data::uniform;
use crate::setting::{Outcome, Setting, write};
use rand_pcg::Pcg64;
use rand_pcg::rand_core::Rng as _;
use std::path::{Path, PathBuf};

const EXTENT: usize = 2000;
/// The extent of a chunk: the paper divides a vector into 64.
const CHUNK: usize = EXTENT.div_ceil(64);
/// Of runs and blocks.
const LENGTHS: [usize; 7] = [1, 2, 5, 10, 20, 40, 100];
/// How many pairs of random vectors are counted.
const PAIRS: u64 = 8;
/// From so many times as fast on a way has an advantage.
const ADVANTAGE: f64 = 1.25;
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

    /// How many times as fast as coordinates a way is.
    fn gains(&self, name: &str) -> Vec<f64> {
        self.of("Crd").iter().zip(self.of(name)).map(|(crd, way)| crd / way).collect()
    }

    fn is_flat(&self, name: &str) -> bool {
        self.of(name).iter().all(|cycles| *cycles == self.of(name)[0])
    }

    fn chart(self, title: &str, of: &'static str) -> Chart {
        let series = WAYS.iter().map(|way| way.0.to_owned()).zip(self.series).collect();
        Chart {
            title: title.to_owned(),
            of,
            measure: "cycles",
            categories: self.categories,
            series,
            references: Vec::new(),
            style: Style::Plain,
        }
    }
}

pub(super) fn random(setting: &Setting) -> Outcome<Shown> {
    let counts = [4, 10, 20, 40, 100, 200, 400, 800, 1600];
    let pairs = counts.map(|count| Ok((count.to_string(), pairs_of(|seed| places(count, seed))?)));
    let pairs = pairs.into_iter().collect::<Outcome<Vec<_>>>()?;
    let counted = count(setting, "figure13a", &pairs)?;
    let (crd, words) = (counted.of("Crd"), counted.of("BV"));
    let crossing = crd.iter().zip(words).rposition(|(crd, words)| crd < words);
    let apart = counted.of("Crd w/ skip").iter().zip(crd).map(|(skip, crd)| crd / skip);
    let apart = apart.fold(1.0, f64::max);
    let holds =
        crossing.is_some_and(|place| place + 1 < crd.len()) && counted.is_flat("BV") && apart < ADVANTAGE;
    let up_to = crossing
        .map_or("nowhere".to_owned(), |place| format!("up to {} nonzeros", counted.categories[place]));
    let here = format!(
        "bit vectors take {} cycles throughout, coordinates fewer {up_to}; skipping is {apart:.2} times as fast at most",
        words[0]
    );
    let found = "coordinates become better than flat bit vectors as sparsity grows; skipping makes no difference, since \
        runs are short";
    let chart = counted
        .chart("Product of random vectors of extent 2000, by their nonzeros", "nonzeros of each vector");
    Ok(Shown { number: "13a", chart, found, holds, here })
}

pub(super) fn runs(setting: &Setting) -> Outcome<Shown> {
    let pairs = LENGTHS.map(|length| (length.to_string(), vec![runs_of(length)]));
    let counted = count(setting, "figure13b", &pairs)?;
    let found = "skipping and splitting gain with the length of runs; bit vectors stay as they are";
    let grows = |name| {
        let gains = counted.gains(name);
        gains.is_sorted() && gains[gains.len() - 1] > ADVANTAGE * gains[0]
    };
    let holds = grows("Crd w/ skip") && grows("Crd w/ split") && counted.is_flat("BV");
    let here = gains(&counted);
    let chart =
        counted.chart("Product of vectors of extent 2000 with 400 nonzeros in runs", "nonzeros in a run");
    Ok(Shown { number: "13b", chart, found, holds, here })
}

pub(super) fn blocks(setting: &Setting) -> Outcome<Shown> {
    let pairs =
        LENGTHS.map(|length| (length.to_string(), (1..=PAIRS).map(|seed| blocks_of(length, seed)).collect()));
    let counted = count(setting, "figure13c", &pairs)?;
    let found = "skipping and splitting keep their advantage where nonzeros come in blocks, whatever the size of these";
    let is_constant = |name| {
        let gains = counted.gains(name);
        let [least, most] =
            [gains.iter().copied().fold(f64::MAX, f64::min), gains.iter().copied().fold(0.0, f64::max)];
        least > ADVANTAGE && most < ADVANTAGE * least
    };
    let holds = is_constant("Crd w/ skip") && is_constant("Crd w/ split");
    let here = gains(&counted);
    let chart =
        counted.chart("Product of vectors of extent 2000 with 400 nonzeros in blocks", "nonzeros in a block");
    Ok(Shown { number: "13c", chart, found, holds, here })
}

/// What skipping and splitting gain, with the shortest and the longest runs or blocks.
fn gains(counted: &Counted) -> String {
    let [skip, split] = ["Crd w/ skip", "Crd w/ split"].map(|name| counted.gains(name));
    let last = skip.len() - 1;
    format!(
        "skipping is {:.1} times as fast at the shortest, {:.1} at the longest, splitting {:.1} and {:.1}; bit vectors take {:.0} \
         cycles",
        skip[0],
        skip[last],
        split[0],
        split[last],
        counted.of("BV")[0]
    )
}

fn count(setting: &Setting, name: &str, pairs: &[(String, Vec<Pair>)]) -> Outcome<Counted> {
    let folder = folder(setting, name)?;
    let mut series = vec![Vec::new(); WAYS.len()];
    for (_, pairs) in pairs {
        let mut sums = [0.0; WAYS.len()];
        for pair in pairs {
            let files = [folder.join("b.tns"), folder.join("c.tns")];
            for (file, places) in files.iter().zip(pair) {
                write_vector(file, places)?;
            }
            for (way, sum) in WAYS.iter().zip(&mut sums) {
                *sum += product(setting, &folder, way, &files)?;
            }
        }
        for (counts, sum) in series.iter_mut().zip(sums) {
            counts.push((sum / pairs.len() as f64).round());
        }
    }
    Ok(Counted { categories: pairs.iter().map(|(category, _)| category.clone()).collect(), series })
}

fn product(setting: &Setting, folder: &Path, way: &(&str, &str, &str), files: &[PathBuf; 2]) -> Outcome<f64> {
    let flags: &[&str] = if way.2.contains("skip") { &["--skip-depth=2"] } else { &[] };
    let report = simulate_with(setting, folder, &program(way), &[&files[0], &files[1]], flags)?;
    cycles(&report, &["x"])
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
fn places(count: usize, seed: u64) -> Outcome<Vec<usize>> {
    let drawn = uniform(&[EXTENT], count as u64, seed)?;
    Ok(drawn.coords[0].iter().map(|place| *place as usize).collect())
}

/// A pair of vectors by its number, each with these places.
fn pairs_of(draw: impl Fn(u64) -> Outcome<Vec<usize>>) -> Outcome<Vec<Pair>> {
    (0..PAIRS).map(|number| Ok([draw(2 * number + 1)?, draw(2 * number + 2)?])).collect()
}

/// Runs of one vector between those of the other.
fn runs_of(length: usize) -> Pair {
    let period = EXTENT * length / NONZEROS;
    let of = |start: usize| (0..EXTENT).filter(|place| (place + period - start) % period < length).collect();
    [of(0), of(period / 2)]
}

/// Blocks as those of the paper's artifact: each of the first vector has at least its own length of zeros on
/// both sides, and the one of the second vector lies over it, half of its length before or behind at most.
fn blocks_of(length: usize, seed: u64) -> Pair {
    let mut random = Pcg64::new(seed.into(), 1);
    let count = NONZEROS / length;
    // What is left of the extent beside blocks and the zeros that they need, in parts at random.
    let needed = count * 2 * length + 2 * length;
    let mut parts: Vec<usize> = (0..count).map(|_| below(&mut random, EXTENT - needed + 1)).collect();
    parts.sort_unstable();
    let starts = parts.iter().enumerate().map(|(block, more)| length + 2 * length * block + more);
    let starts: Vec<usize> = starts.collect();
    let moved = starts.iter().map(|start| start + below(&mut random, length + 1) - length.div_ceil(2));
    let filled = |starts: Vec<usize>| -> Vec<usize> {
        starts.iter().flat_map(|start| *start..start + length).collect()
    };
    let moved = moved.collect();
    [filled(starts), filled(moved)]
}

/// A number below another one.
fn below(random: &mut Pcg64, end: usize) -> usize {
    (random.next_u64() % end as u64) as usize
}
