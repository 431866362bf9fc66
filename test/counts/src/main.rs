//! Prints the counts of a tree.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Parser;
use comet_counts::{COUNTS, Count, Measurement, measure, read};

/// How many groups a row of the table shows.
const GROUPS: usize = 5;

/// Count what the code review of comet counted.
#[derive(Parser)]
struct CommandLine {
    /// The root of the tree [default: the repository of this tool]
    root: Option<PathBuf>,
    /// List the places of one count as `FILE:LINE: TEXT`
    #[arg(long, value_name = "NAME")]
    list: Option<String>,
    /// Print JSON; with `--list`, the places
    #[arg(long)]
    json: bool,
}

fn main() -> ExitCode {
    let arguments = match CommandLine::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => {
            let _ = error.print();
            return if error.use_stderr() { ExitCode::FAILURE } else { ExitCode::SUCCESS };
        }
    };
    match run(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &CommandLine) -> Result<(), String> {
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let root = arguments.root.as_deref().unwrap_or(&own);
    let tree = read(root).map_err(|error| error.to_string())?;
    let measured = measure(&tree, wanted(arguments.list.as_deref())?)?;
    match (&arguments.list, arguments.json) {
        (Some(_), true) => print_json(&measured[0].occurrences),
        (Some(_), false) => print_places(&measured[0]),
        (None, true) => print_json(&measured),
        (None, false) => print_table(&measured),
    }
    Ok(())
}

/// Returns the count of a name, or all.
fn wanted(name: Option<&str>) -> Result<&'static [Count], String> {
    let Some(name) = name else { return Ok(COUNTS) };
    let position = COUNTS.iter().position(|count| count.name == name);
    let names = || COUNTS.iter().map(|count| count.name).collect::<Vec<_>>().join(", ");
    let index = position.ok_or_else(|| format!("`{name}` is no count, expected one of {}", names()))?;
    Ok(&COUNTS[index..=index])
}

fn print_json(value: &(impl serde::Serialize + ?Sized)) {
    println!(
        "{}",
        serde_json::to_string_pretty(value).expect("the counts have no maps with other keys than text")
    );
}

fn print_places(measured: &Measurement) {
    for one in &measured.occurrences {
        println!("{}:{}: {}", one.file, one.line, one.text);
    }
}

fn print_table(measured: &[Measurement]) {
    for one in measured {
        let groups: Vec<String> =
            one.groups.iter().take(GROUPS).map(|(name, sum)| format!("{name} {sum}")).collect();
        println!(
            "{:22} {:7}  {} ({} files) {}",
            one.name,
            one.value,
            one.about,
            one.files,
            groups.join(", ")
        );
    }
}
