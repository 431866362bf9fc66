//! What is spoilt: the inputs of other tests.

use crate::directives;
use crate::test_folder;
use flate2::Compression;
use flate2::write::GzEncoder;
use std::fs;
use std::io::{self, Write};
use std::path::Path;

/// A text or data with the name of its file.
#[derive(Clone)]
pub(super) struct Input {
    pub(super) name: String,
    pub(super) bytes: Vec<u8>,
}

/// A program with what its test passes to it.
#[derive(Clone)]
pub(super) struct CorpusProgram {
    pub(super) bytes: Vec<u8>,
    pub(super) runs: Vec<Vec<String>>,
    pub(super) variables: Vec<(String, String)>,
}

pub(super) struct Corpus {
    pub(super) programs: Vec<CorpusProgram>,
    pub(super) data: Vec<Input>,
    pub(super) graphs: Vec<Input>,
    /// The tensors of a graph, in a folder of their own.
    pub(super) tensors: Vec<Input>,
    pub(super) applications: Vec<Input>,
    /// Lines of expressions with their flags, as a shell has them.
    pub(super) expressions: Vec<String>,
    /// What stands between the braces of schedules.
    pub(super) schedules: Vec<String>,
}

impl Corpus {
    pub(super) fn read() -> io::Result<Self> {
        let test = test_folder();
        let examples = test.join("../compiler/docs/examples");
        let folders =
            [test.join("run"), examples.clone(), examples.join("library"), test.join("spatial/kernels")];
        let mut programs = Vec::new();
        for folder in folders {
            programs.extend(files(&folder, "ta")?.into_iter().map(program));
        }
        let mut data = files(&test.join("data"), "")?;
        data.extend(made_data()?);
        let mut graphs = files(&test.join("../compiler/machine/sam/tests/graphs"), "gv")?;
        graphs.extend(files(&examples, "gv")?);
        let agree = fs::read_to_string(test.join("taco/agree.txt"))?;
        let expressions = agree.lines().filter(|line| line.starts_with('"')).map(str::to_owned).collect();
        let schedules = programs.iter().flat_map(|program| schedules(&program.bytes)).collect();
        let tensors = files(&examples.join("tensors"), "")?;
        let applications = files(&test.join("spatial/kernels"), "scala")?;
        Ok(Self { programs, data, graphs, tensors, applications, expressions, schedules })
    }

    /// Puts the data that programs name where they look for it.
    pub(super) fn lay_out(&self, folder: &Path) -> io::Result<()> {
        for (name, inputs) in [("data", &self.data), ("tensors", &self.tensors)] {
            fs::create_dir(folder.join(name))?;
            for input in inputs {
                fs::write(folder.join(name).join(&input.name), &input.bytes)?;
            }
        }
        Ok(())
    }
}

fn program(input: Input) -> CorpusProgram {
    let directives = directives::parse(&String::from_utf8_lossy(&input.bytes));
    let (runs, variables) = directives.map_or_else(
        |_| (vec![Vec::new()], Vec::new()),
        |directives| (directives.runs, directives.variables),
    );
    CorpusProgram { bytes: input.bytes, runs, variables }
}

/// The files of a folder with an ending, by their names; all of them where it is empty.
fn files(folder: &Path, ending: &str) -> io::Result<Vec<Input>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let fits = ending.is_empty() || path.extension().is_some_and(|found| found == ending);
        if let (true, Some(name)) = (path.is_file() && fits, path.file_name()) {
            found.push(Input { name: name.to_string_lossy().into_owned(), bytes: fs::read(&path)? });
        }
    }
    found.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(found)
}

/// Forms that the folder of data has no small file of.
fn made_data() -> io::Result<Vec<Input>> {
    let mut packed = GzEncoder::new(Vec::new(), Compression::default());
    packed.write_all(b"%%MatrixMarket matrix coordinate real general\n3 4 3\n1 2 1.5\n3 4 -2\n2 2 7\n")?;
    let header = b"{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3), }\n";
    let mut array = b"\x93NUMPY\x01\x00".to_vec();
    array.extend((header.len() as u16).to_le_bytes());
    array.extend(header);
    array.extend((1..7).flat_map(|number| (f64::from(number) * 1.5).to_le_bytes()));
    let packed = Input { name: "packed.mtx.gz".to_owned(), bytes: packed.finish()? };
    // What `square.mtx` can be multiplied with.
    let vector =
        Input { name: "vector.tns".to_owned(), bytes: b"1 0.5\n2 -1\n3 2\n4 3\n5 1\n6 -4\n".to_vec() };
    Ok(vec![packed, Input { name: "array.npy".to_owned(), bytes: array }, vector])
}

/// What stands behind `schedule {` in a program, up to the next brace that closes one.
fn schedules(program: &[u8]) -> Vec<String> {
    let text = String::from_utf8_lossy(program);
    let parts = text.split("schedule {").skip(1);
    parts.filter_map(|part| part.split_once("}").map(|(commands, _)| commands.trim().to_owned())).collect()
}
