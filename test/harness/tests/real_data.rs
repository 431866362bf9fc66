//! Kernels on the real matrices and tensors of `../shared/data`: `test/README.md`.

use std::fs::File;
use std::io::{BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::{Arc, OnceLock};

use comet_harness::compiler::{self, End, Finished};
use comet_harness::real::entries::{self, Entries};
use comet_harness::real::kernel::{RealKernel, dense_value};
use comet_harness::real::{cases, folder, reference};
use libtest_mimic::{Arguments, Completion, Failed, Trial};

/// The files that are always used; `COMET_LONG=1` takes all.
const SHORT: [&str; 5] = ["lp_scsd1", "rajat01", "bcsstk13", "kg_WN18RR", "splatt_med4"];
/// The largest tensor, in bytes, that is stored whole in the runs that are always done.
const SHORT_TENSOR: u128 = 32 << 20;
/// The same for all runs.
const LONG_TENSOR: u128 = 2 << 30;
/// The difference from the reference, relative to the magnitude of what was added up.
const TOLERANCE: f64 = 1e-9;

fn main() -> ExitCode {
    let mut arguments = Arguments::from_args();
    let Some(folder) = folder() else {
        eprintln!(
            "SKIPPED: there is no folder `shared/data` next to the repository; COMET_SHARED can name it"
        );
        return ExitCode::SUCCESS;
    };
    let is_long = comet_harness::is_long();
    if is_long {
        // Two results of two gigabytes, each with its reference, need not fit the memory at once.
        arguments.test_threads = Some(1);
    }
    match trials(&folder, is_long) {
        Ok(trials) => libtest_mimic::run(&arguments, trials).exit_code(),
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

/// A file whose entries are read when a test first needs them.
struct Data {
    path: PathBuf,
    entries: OnceLock<Result<Entries, String>>,
}

impl Data {
    fn entries(&self) -> Result<&Entries, String> {
        self.entries.get_or_init(|| entries::read(&self.path)).as_ref().map_err(Clone::clone)
    }
}

fn trials(folder: &Path, is_long: bool) -> Result<Vec<Trial>, String> {
    let listed = std::fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut paths: Vec<PathBuf> = listed.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "gz"));
    paths.sort();
    let mut trials = Vec::new();
    for path in paths {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let stem = name.split('.').next().unwrap_or_default().to_owned();
        if !is_long && !SHORT.contains(&stem.as_str()) {
            continue;
        }
        let rank = if name.ends_with(".mtx.gz") { 2 } else { 3 + usize::from(stem.ends_with('4')) };
        let data = Arc::new(Data { path, entries: OnceLock::new() });
        for kernel in cases::kernels(rank) {
            let data = Arc::clone(&data);
            let name = format!("{stem}::{}", kernel.name);
            trials.push(Trial::ignorable_test(name, move || {
                check(&data, &kernel, is_long).map_err(Failed::from)
            }));
        }
    }
    Ok(trials)
}

/// What a run must come to, by the size of the largest tensor that is stored whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Expected {
    Result,
    OutOfMemory,
    /// The tensor is larger than what this run of the tests is for, and may or may not fit.
    Anything,
}

fn expected(bytes: u128, is_long: bool) -> Expected {
    if bytes < if is_long { LONG_TENSOR } else { SHORT_TENSOR } {
        Expected::Result
    } else if bytes > memory() {
        Expected::OutOfMemory
    } else {
        Expected::Anything
    }
}

/// The memory of the machine in bytes; where it is not known, nothing is too large.
fn memory() -> u128 {
    let text = std::fs::read_to_string("/proc/meminfo").unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix("MemTotal:"));
    let kibibytes = line.and_then(|line| line.trim().strip_suffix("kB")?.trim().parse::<u128>().ok());
    kibibytes.map_or(u128::MAX, |kibibytes| kibibytes * 1024)
}

fn check(data: &Data, kernel: &RealKernel, is_long: bool) -> Result<Completion, String> {
    let entries = data.entries()?;
    let largest = kernel.largest(&entries.dims);
    let expected = expected(largest, is_long);
    if expected == Expected::Anything {
        return Ok(Completion::ignored_with(format!("a tensor of {} MiB", largest >> 20)));
    }
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let result = folder.path().join("result.npy");
    let finished = run(data, kernel, entries, folder.path(), &result)?;
    match expected {
        Expected::OutOfMemory => out_of_memory(&finished)?,
        _ if finished.end != End::Exit(0) => return Err(format!("expected a result, found {finished:?}")),
        _ => compare(kernel, entries, &result)?,
    }
    Ok(Completion::Completed)
}

fn run(
    data: &Data,
    kernel: &RealKernel,
    entries: &Entries,
    folder: &Path,
    result: &Path,
) -> Result<Finished, String> {
    let failed = |error: std::io::Error| format!("{}: {error}", folder.display());
    let program = folder.join("kernel.ta");
    std::fs::write(&program, kernel.program(&result.display().to_string())).map_err(failed)?;
    let mut arguments = vec!["run".to_owned(), program.display().to_string()];
    arguments.push(format!("--input=0={}", data.path.display()));
    for (number, labels) in kernel.dense.iter().enumerate() {
        let path = folder.join(format!("{}.npy", number + 1));
        write_dense(&path, &kernel.dims(labels, &entries.dims)).map_err(failed)?;
        arguments.push(format!("--input={}={}", number + 1, path.display()));
    }
    compiler::run(&compiler::locate()?, &arguments, &[], folder).map_err(failed)
}

/// The message has its place in the program, and the exit code is that of the user's errors.
fn out_of_memory(finished: &Finished) -> Result<(), String> {
    let is_located = finished.stderr.contains("out of memory") && finished.stderr.contains("kernel.ta:");
    if finished.end == End::Exit(1) && is_located && finished.stdout.is_empty() {
        return Ok(());
    }
    Err(format!("expected exit code 1 and a located out-of-memory error, found {finished:?}"))
}

/// Writes the values of [`dense_value`].
fn write_dense(path: &Path, dims: &[usize]) -> std::io::Result<()> {
    let shape: String = dims.iter().map(|dim| format!("{dim},")).collect();
    let header =
        format!("{:<117}\n", format!("{{'descr': '<f8', 'fortran_order': False, 'shape': ({shape}), }}"));
    let mut file = std::io::BufWriter::new(File::create(path)?);
    file.write_all(b"\x93NUMPY\x01\x00\x76\x00")?;
    file.write_all(header.as_bytes())?;
    let mut index = vec![0; dims.len()];
    for position in 0..dims.iter().product::<usize>() {
        let mut rest = position;
        for (coordinate, dim) in index.iter_mut().zip(dims).rev() {
            (*coordinate, rest) = (rest % dim, rest / dim);
        }
        file.write_all(&dense_value(&index).to_le_bytes())?;
    }
    file.flush()
}

fn compare(kernel: &RealKernel, entries: &Entries, result: &Path) -> Result<(), String> {
    let failed = |error: std::io::Error| format!("{}: {error}", result.display());
    let mut file = BufReader::with_capacity(1 << 20, File::open(result).map_err(failed)?);
    let mut start = [0; 10];
    file.read_exact(&mut start).map_err(failed)?;
    let mut header = vec![0; usize::from(u16::from_le_bytes([start[8], start[9]]))];
    file.read_exact(&mut header).map_err(failed)?;
    let dims = kernel.dims(&kernel.result, &entries.dims);
    let shape = dims.iter().map(usize::to_string).collect::<Vec<_>>().join(", ");
    let header = String::from_utf8_lossy(&header).into_owned();
    if !header.contains(&format!("({shape}")) || !header.contains("'<f8'") {
        return Err(format!("expected the shape {shape} in `{header}`"));
    }
    for (position, (sum, magnitude)) in reference::result(kernel, entries).into_iter().enumerate() {
        let mut bytes = [0; 8];
        file.read_exact(&mut bytes).map_err(failed)?;
        let found = f64::from_le_bytes(bytes);
        if (found - sum).abs() > TOLERANCE * magnitude || found.is_nan() {
            return Err(format!("element {position} of {dims:?} is {found}, expected {sum}"));
        }
    }
    match file.read(&mut [0]).map_err(failed)? {
        0 => Ok(()),
        _ => Err("the result has more elements than its shape says".to_owned()),
    }
}
