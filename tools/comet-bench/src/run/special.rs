//! The lines of the table that are not a kernel on an input of the list.

use super::contest::{compete, compete_with};
use super::inputs::Input;
use super::kernels::kernel;
use super::table::{Compared, Line, Table};
use super::turns::Entrant;
use super::{Bench, entrant};
use crate::data;
use crate::random::{self, RandomArguments};
use crate::setting::Outcome;
use crate::timing::{Pairs, median, quartiles};
use comet_runtime::reorder::{Method, Modes, apply, reorder};
use std::time::Instant;

/// What is measured, and whether its title is wanted decides whether it is.
struct Special {
    title: &'static str,
    lines: fn(&Bench, &'static str) -> Outcome<Vec<Line>>,
}

const SPECIALS: [Special; 5] = [
    Special { title: "SpMV, over its bytes", lines: bytes },
    Special { title: "SpMV, 100 rows", lines: tiny },
    Special { title: "dense contraction", lines: dense },
    Special { title: "random expressions", lines: expressions },
    Special { title: "LexiOrder", lines: lexi_order },
];

/// The lines in the order of the table.
pub(super) fn measure(bench: &Bench, table: &mut Table) {
    for special in SPECIALS.iter().filter(|special| bench.wants_title(special.title)) {
        match (special.lines)(bench, special.title) {
            Ok(lines) => lines.into_iter().for_each(|line| table.report(line)),
            Err(error) => table.failed.push(format!("{}: {error}", special.title)),
        }
    }
}

/// SpMV of the Laplacian, which is limited by the memory, next to reading the same arrays and writing the
/// same result.
fn bytes(bench: &Bench, title: &'static str) -> Outcome<Vec<Line>> {
    let Some(loops) = bench.peers.iter().find(|peer| peer.name == "C") else { return Ok(Vec::new()) };
    let input = Input::read(bench.setting, "laplacian58", &data::laplacian(bench.setting)?, bench.folder)?;
    let line = |threads: &u32| {
        let ours = entrant(bench.ours, kernel("spmv"), &input, *threads)?;
        let name = "reads and writes alone".to_owned();
        let peer = Entrant { name, program: loops, operation: "spmv_bytes", ..ours.clone() };
        let contest = compete_with(&ours, &[], &[peer], bench.method())?;
        Ok(Line::of(title, &input.name, *threads, (*threads == 1).then_some(1.2), contest))
    };
    bench.arguments.how.threads.iter().map(line).collect()
}

/// A matrix that is too small for threads: that they are allowed must not cost anything.
fn tiny(bench: &Bench, title: &'static str) -> Outcome<Vec<Line>> {
    let input = Input::read(bench.setting, "uniform100", &data::tiny_matrix(bench.setting)?, bench.folder)?;
    let line = |threads: &u32| {
        let ours = entrant(bench.ours, kernel("spmv"), &input, *threads)?;
        let peer = Entrant { name: "comet, one thread".to_owned(), threads: 1, ..ours.clone() };
        let contest = compete_with(&ours, &[], &[peer], bench.method())?;
        Ok(Line::of(title, &input.name, *threads, Some(1.1), contest))
    };
    bench.arguments.how.threads.iter().filter(|threads| **threads > 1).map(line).collect()
}

/// A contraction of dense tensors with four modes each, next to NumPy's.
fn dense(bench: &Bench, title: &'static str) -> Outcome<Vec<Line>> {
    let Some(scipy) = bench.peers.iter().find(|peer| peer.name == "SciPy") else { return Ok(Vec::new()) };
    let operands = ["dense4-a", "dense4-b"].map(|name| bench.folder.join(name));
    for operand in &operands {
        data::write_dense_operand(&[40; 4], operand)?;
    }
    let line = |threads: &u32| {
        let ours = Entrant {
            name: bench.ours.name.to_owned(),
            program: bench.ours,
            operation: "dense4",
            threads: *threads,
            result: "40x40x40x40".to_owned(),
            operands: operands.to_vec(),
        };
        let peer = Entrant { name: "NumPy".to_owned(), program: scipy, ..ours.clone() };
        let contest = compete(&ours, &[peer], bench.method())?;
        Ok(Line::of(title, "A[a,e,d,f] * B[b,f,c,e]", *threads, Some(1.1), contest))
    };
    bench.arguments.how.threads.iter().map(line).collect()
}

/// The geometric mean over ten expressions, one thread.
fn expressions(bench: &Bench, title: &'static str) -> Outcome<Vec<Line>> {
    let drawn = random::pairs(bench.setting, &RandomArguments::default())?;
    let mean = |run: usize| {
        let logarithms: f64 = drawn.iter().map(|pairs: &Pairs| pairs.ratios()[run].ln()).sum();
        (logarithms / drawn.len() as f64).exp()
    };
    let ratios = quartiles((0..bench.setting.runs as usize).map(mean).collect());
    let compared = Some(Compared { peer: "C loops".to_owned(), seconds: None, ratios });
    let input = format!("{}, geometric mean", drawn.len());
    let (kernel, goal) = (title.to_owned(), Some(1.0));
    Ok(vec![Line { kernel, input, threads: 1, ours: None, compared, goal, others: Vec::new() }])
}

/// ship_001 with its rows and columns in random orders: SpMM after LexiOrder next to before, and the
/// reordering next to one SpMM before.
fn lexi_order(bench: &Bench, title: &'static str) -> Outcome<Vec<Line>> {
    const INPUT: &str = "ship_001 shuffled";
    let path = data::shared("ship_001.mtx.gz")?;
    let mut shuffled = Input::read(bench.setting, "ship_001-shuffled", &path, bench.folder)?.entries;
    data::shuffle_modes(&mut shuffled)?;
    let method = Method::Lexi { iterations: Method::ITERATIONS };
    let reorder = || reorder(&shuffled, method, &Modes::All).map_err(|error| error.to_string());
    let mut reordered = shuffled.clone();
    apply(&mut reordered, &reorder()?).map_err(|error| error.to_string())?;

    let before = Input::of("ship_001-shuffled", shuffled.clone(), bench.folder)?;
    let after = Input::of("ship_001-reordered", reordered, bench.folder)?;
    let mut lines = Vec::new();
    for &threads in &bench.arguments.how.threads {
        let ours = entrant(bench.ours, kernel("spmm32"), &after, threads)?;
        let mut peer = entrant(bench.ours, kernel("spmm32"), &before, threads)?;
        peer.name = "before".to_owned();
        let contest = compete_with(&ours, &[], &[peer], bench.method())?;
        let products: Vec<f64> = contest.peers.iter().map(|before| before.pairs.peer()).collect();
        let goal = (threads == 1).then_some(1.0 / 1.3);
        lines.push(Line::of(&format!("{title}: SpMM after"), INPUT, threads, goal, contest));
        if threads == 1 {
            lines.push(reordering(
                &format!("{title}: the reordering"),
                INPUT,
                bench,
                &reorder,
                median(products),
            )?);
        }
    }
    Ok(lines)
}

/// The time of the reordering in products of these seconds.
fn reordering<T>(
    title: &str,
    input: &str,
    bench: &Bench,
    reorder: &impl Fn() -> Outcome<T>,
    product: f64,
) -> Outcome<Line> {
    let time = |_| {
        let start = Instant::now();
        reorder().map(|_| start.elapsed().as_secs_f64())
    };
    let times = (0..bench.setting.runs).map(time).collect::<Outcome<Vec<f64>>>()?;
    let ratios = quartiles(times.iter().map(|time| time / product).collect());
    let compared = Some(Compared { peer: "one SpMM before".to_owned(), seconds: Some(product), ratios });
    let (kernel, input, ours) = (title.to_owned(), input.to_owned(), Some(median(times)));
    Ok(Line { kernel, input, threads: 1, ours, compared, goal: Some(50.0), others: Vec::new() })
}
