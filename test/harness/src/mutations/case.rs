//! One input of each kind: files in a folder, and a command line about them.

use super::corpus::{Corpus, CorpusProgram, Input};
use super::limited;
use super::spoil::{spoilt, spoilt_text};
use crate::compiler;
use crate::random::rng::Rng;
use std::fs;
use std::io;
use std::path::Path;

pub(super) struct Case {
    pub(super) kind: &'static str,
    pub(super) arguments: Vec<String>,
    pub(super) variables: Vec<(String, String)>,
    /// The same without running the program, where it may take as long as it likes.
    pub(super) without_running: Option<Vec<String>>,
    /// What it has to print, where that is known.
    pub(super) expected: Option<String>,
}

/// The file that programs are written to.
pub(super) const PROGRAM: &str = "a.ta";

/// What programs are made into.
const STAGES: &[&str] = &[
    "ast",
    "ta",
    "cin",
    "scf",
    "llvm-dialect",
    "llvm",
    "asm",
    "obj",
    "sam",
    "sam-dot",
    "sam-json",
    "spatial",
    "spatial-text",
    "header",
    "cxx-header",
];

/// A program that reads a matrix in several formats.
const READER: &str = "def main() {
  IndexLabel [i, j] = [?];
  Tensor<double> A([i, j], FORMAT);
  Tensor<double> y([i], Dense);
  A[i, j] = comet_read(0);
  y[i] = A[i, j];
  print(A);
  print(y);
}
";
const FORMATS: &[&str] =
    &["CSR", "CSC", "COO", "DCSR", "ELL", "BCSR<2,2>", "{CU, CU}", "{D, BV(64)}", "CSB<2,3>"];

/// Command lines that work.
const LINES: &[&str] = &[
    "run a.ta --schedule parallelize(i)",
    "run a.ta -O2 --threads 2 --print=exact --explain",
    "run a.ta --input 0=data/square.mtx --tns=comet --reorder=lexi,3",
    "build a.ta --emit=llvm,asm -o out/",
    "build a.ta --emit=scf --target-cpu=x86-64",
    "sim a.ta --queue-depth 4 --memory=dram=64GB/s,buffers=3",
    "sim a.ta --target=spatial --argument 3 --extents y=3",
    "sim data/../a.ta --sam-data out --json out.json",
    "gen uniform --dims 20,30 --entries 50 --seed 7 -o g.mtx",
    "gen banded --dims 20,20 -o g.mtx.gz",
    "info data/cube.tns --tns=frostt --spy out.png",
    "reorder data/square.mtx --method lexi -o r.mtx",
    "tile a.ta --buffer 4KiB",
    "fmt --check a.ta",
    "cache",
    "completions bash",
    "expr y(i)=A(i,j)*x(j) -f=A:ds:0,1 -i=A:data/square.mtx -d=x:4",
];

const VARIABLES: &[&str] = &[
    "COMET_NUM_THREADS",
    "COMET_AFFINITY",
    "COMET_CACHE_DIR",
    "COMET_INSTRUMENT",
    "COMET_CACHE_SIZE",
    "SPARSE_FILE_NAME",
    "SPARSE_FILE_NAME0",
    "RUST_LOG",
    "HOME",
    "TMPDIR",
    "XDG_CACHE_HOME",
    "NO_COLOR",
    "TERM",
    "LANG",
    "COLUMNS",
    "RAYON_NUM_THREADS",
];

const VALUES: &[&str] = &[
    "",
    "0",
    "1",
    "2",
    "-1",
    "1000000",
    "18446744073709551616",
    "data/square.mtx",
    "/dev/null",
    "/dev/zero",
    "/nonexistent",
    ".",
    "a.ta",
    "é\u{1b}[31m",
    "trace",
    "json",
    "cores",
    "a,b=c;d",
];

pub(super) fn draw(corpus: &Corpus, rng: &mut Rng, number: u64, folder: &Path) -> io::Result<Case> {
    let drawing = Drawing { corpus, folder };
    match number % 10 {
        0 | 1 => drawing.program(rng),
        2 => drawing.schedule(rng),
        3 | 4 => drawing.data(rng),
        5 => drawing.graph(rng),
        6 => drawing.application(rng),
        7 => drawing.flags(rng),
        8 => Ok(drawing.expression(rng)),
        _ if number % 20 == 9 => drawing.cache(rng),
        _ => drawing.environment(rng),
    }
}

struct Drawing<'a> {
    corpus: &'a Corpus,
    folder: &'a Path,
}

impl Drawing<'_> {
    fn write(&self, name: &str, bytes: &[u8]) -> io::Result<()> {
        fs::write(self.folder.join(name), bytes)
    }

    fn program(&self, rng: &mut Rng) -> io::Result<Case> {
        let (program, other) = (rng.pick(&self.corpus.programs), rng.pick(&self.corpus.programs));
        self.write(PROGRAM, &spoilt(&program.bytes, &other.bytes, rng))?;
        Ok(program_case("program", &program, &[], rng))
    }

    fn schedule(&self, rng: &mut Rng) -> io::Result<Case> {
        let (program, schedule) = (rng.pick(&self.corpus.programs), rng.pick(&self.corpus.schedules));
        self.write(PROGRAM, &program.bytes)?;
        let other = rng.pick(&self.corpus.schedules);
        let schedule = spoilt_text(&schedule, &other, rng);
        Ok(program_case("schedule", &program, &["--schedule".to_owned(), schedule], rng))
    }

    fn data(&self, rng: &mut Rng) -> io::Result<Case> {
        let (data, other) = (rng.pick(&self.corpus.data), rng.pick(&self.corpus.data));
        let name = format!("spoilt-{}", data.name);
        self.write(&name, &spoilt(&data.bytes, &other.bytes, rng))?;
        self.write(PROGRAM, READER.replace("FORMAT", rng.pick(FORMATS)).as_bytes())?;
        let arguments = match rng.below(6) {
            0 => vec!["info".to_owned(), name],
            // New numbers for 10⁸ indices take memory and time, whatever is spoilt.
            1 if name.contains("far") => vec!["info".to_owned(), name],
            1 => words(&format!("reorder {name} -o r.mtx")),
            2 => words(&format!("sim a.ta --input 0={name}")),
            3 => words(&format!("tile a.ta --input 0={name} --buffer 4KiB")),
            _ => words(&format!("run a.ta -O{} --input 0={name}", rng.below(3))),
        };
        Ok(case("data", arguments))
    }

    /// Half of them are the graph whose tensors are there.
    fn graph(&self, rng: &mut Rng) -> io::Result<Case> {
        let own = self.corpus.graphs.iter().find(|graph| graph.name == "spmv.gv");
        let (graph, other) = (rng.pick(&self.corpus.graphs), rng.pick(&self.corpus.graphs));
        let graph = own.filter(|_| rng.percent(50)).unwrap_or(&graph);
        if rng.percent(30) {
            self.write("a.gv", &graph.bytes)?;
            self.spoil_one("tensors", rng)?;
        } else {
            self.write("a.gv", &spoilt(&graph.bytes, &other.bytes, rng))?;
        }
        Ok(case("graph", words("sim a.gv --sam-data tensors --json out.json")))
    }

    /// Half of them are the product of a matrix and a vector, on operands that belong to each other.
    fn application(&self, rng: &mut Rng) -> io::Result<Case> {
        let own = self.corpus.applications.iter().find(|text| text.name == "spmv.scala");
        let (text, other) = (rng.pick(&self.corpus.applications), rng.pick(&self.corpus.applications));
        let own = own.filter(|_| rng.percent(50));
        let bytes = &own.unwrap_or(&text).bytes;
        self.write("a.scala", &spoilt(bytes, &other.bytes, rng))?;
        if own.is_some() {
            let operands = "sim a.scala --input A=data/square.mtx --input x=data/vector.tns --output results";
            return Ok(case("application", words(operands)));
        }
        let inputs = ["A", "B", "C", "D", "x"].map(|name| format!(" --input {name}=data/square.mtx"));
        let inputs = rng.some(&inputs, 2).concat();
        Ok(case("application", words(&format!("sim a.scala{inputs} --extents y=4"))))
    }

    fn flags(&self, rng: &mut Rng) -> io::Result<Case> {
        self.write(PROGRAM, &rng.pick(&self.corpus.programs).bytes)?;
        let mut arguments = words(rng.pick(LINES));
        let others = words(rng.pick(LINES));
        for _ in 0..rng.between(1, 3) {
            let place = rng.below(arguments.len());
            match rng.below(4) {
                0 => drop(arguments.remove(place)),
                1 => arguments.insert(place, rng.pick(&others)),
                _ => arguments[place] = spoilt_text(&arguments[place], &others.join(" "), rng),
            }
            if arguments.is_empty() {
                break;
            }
        }
        // Nothing is to be written outside of the folder.
        arguments.iter_mut().for_each(|argument| *argument = argument.replace("/..", "").replace("=/", "="));
        Ok(case("flags", arguments))
    }

    fn expression(&self, rng: &mut Rng) -> Case {
        let line = rng.pick(&self.corpus.expressions);
        let other = rng.pick(&self.corpus.expressions);
        let mut arguments = vec!["expr".to_owned()];
        arguments.extend(line.split(' ').map(|word| word.trim_matches('"').to_owned()));
        let place = rng.between(1, arguments.len() - 1);
        arguments[place] = spoilt_text(&arguments[place], &other, rng);
        let mut without = arguments.clone();
        without.push("--print-ta".to_owned());
        Case { without_running: Some(without), ..case("expression", arguments) }
    }

    fn environment(&self, rng: &mut Rng) -> io::Result<Case> {
        let program = rng.pick(&self.corpus.programs);
        self.write(PROGRAM, &program.bytes)?;
        let mut drawn = program_case("environment", &program, &[], rng);
        let count = rng.between(1, 3);
        for name in rng.some(VARIABLES, count) {
            let value = rng.pick(VALUES);
            let value = if rng.percent(30) { spoilt_text(value, "0123", rng) } else { value.to_owned() };
            drawn.variables.push((name.to_owned(), value));
        }
        Ok(drawn)
    }

    /// The cache of one run is spoilt for the next.
    fn cache(&self, rng: &mut Rng) -> io::Result<Case> {
        self.write(PROGRAM, READER.replace("FORMAT", "CSR").as_bytes())?;
        let mut drawn = case("cache", words("run a.ta --input 0=data/square.mtx"));
        let cache = self.folder.join("cache").to_string_lossy().into_owned();
        drawn.variables.push(("COMET_CACHE_DIR".to_owned(), cache));
        let comet = compiler::locate().map_err(io::Error::other)?;
        let first = limited(&comet, &drawn.arguments, &drawn.variables, self.folder)?;
        self.spoil_one("cache", rng)?;
        drawn.expected = Some(first.stdout);
        Ok(drawn)
    }

    /// Spoils a file of a folder, or puts something else in its place.
    fn spoil_one(&self, folder: &str, rng: &mut Rng) -> io::Result<()> {
        let mut files = Vec::new();
        for entry in fs::read_dir(self.folder.join(folder))? {
            files.push(entry?.path());
        }
        files.sort();
        files.retain(|path| path.is_file());
        if files.is_empty() {
            return Ok(());
        }
        let path = rng.pick(&files);
        let input = Input { name: String::new(), bytes: fs::read(&path)? };
        match rng.below(8) {
            0 => fs::remove_file(&path),
            1 => fs::remove_file(&path).and_then(|()| fs::create_dir(&path)),
            2 => fs::remove_file(&path).and_then(|()| std::os::unix::fs::symlink("/dev/zero", &path)),
            _ => fs::write(&path, spoilt(&input.bytes, &input.bytes, rng)),
        }
    }
}

fn case(kind: &'static str, arguments: Vec<String>) -> Case {
    Case { kind, arguments, variables: Vec::new(), without_running: None, expected: None }
}

/// One of the ways that a program goes, on the inputs of one of its runs, with additional arguments.
fn program_case(kind: &'static str, program: &CorpusProgram, additional: &[String], rng: &mut Rng) -> Case {
    let (line, compiled) = match rng.below(8) {
        0 => ("fmt --check a.ta".to_owned(), None),
        1 => (format!("build a.ta --emit={} -o out", rng.pick(STAGES)), None),
        2 => ("sim a.ta".to_owned(), Some("build a.ta --emit=sam -o out")),
        3 => ("sim a.ta --target=spatial".to_owned(), Some("build a.ta --emit=spatial -o out")),
        4 => ("build a.ta -o out".to_owned(), None),
        _ => (format!("run a.ta -O{}", rng.below(4)), Some("build a.ta --emit=obj -o out")),
    };
    let inputs = rng.pick(&program.runs);
    let with = |line: &str| {
        let mut arguments = words(line);
        if !line.starts_with("fmt") {
            arguments.extend(additional.iter().cloned());
        }
        if line.starts_with("run") || line.starts_with("sim") {
            arguments.extend(inputs.iter().cloned());
        }
        arguments
    };
    let variables = program.variables.clone();
    Case { without_running: compiled.map(with), variables, ..case(kind, with(&line)) }
}

fn words(line: &str) -> Vec<String> {
    line.split(' ').map(str::to_owned).collect()
}
