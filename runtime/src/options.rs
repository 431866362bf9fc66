//! The options of the command line, which hold for the whole process.

use crate::asynchronous::{self, Affinity, is_forked};
use crate::distributed;
use crate::error::{Error, shown};
use crate::instrument;
use crate::output;
use parking_lot::{Mutex, RwLock};
use std::cell::Cell;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::ffi::OsStrExt as _;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Once, OnceLock};

/// How floating-point numbers are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum NumberStyle {
    /// C's `%.6g`.
    #[default]
    SixDigits,
    /// The shortest text that reads back as the same number.
    Exact,
}

/// What a `.tns` file's first line is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum TnsForm {
    /// An entry, unless it states the sizes and the number of the lines after it.
    #[default]
    Detect,
    /// An entry, 1-based.
    Frostt,
    /// Sizes and the number of entries, which are 0-based.
    Comet,
}

/// Which elements of a dense tensor are written to a `.tns` or a `.mtx` file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum WrittenElements {
    /// Every one.
    #[default]
    All,
    /// Only elements that are not 0, as in TACO's files.
    NonZero,
}

/// `--input KEY=PATH`: the key is a tensor's name or the number in `comet_read(k)`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InputFlag {
    /// The text before the `=`.
    pub key: String,
    /// The file.
    pub path: PathBuf,
}

/// All options.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Options {
    /// Files that win over those of the environment.
    pub inputs: Vec<InputFlag>,
    /// `--print=exact`.
    pub print: NumberStyle,
    /// `--tns=frostt|comet`.
    pub tns: TnsForm,
    /// `--threads`; all cores where it is absent.
    pub threads: Option<usize>,
    /// What files hold of dense tensors; no flag of a program.
    pub written: WrittenElements,
    /// `--explain`: whether to report how processes divide statements.
    pub explain: bool,
}

static CURRENT: RwLock<Options> = RwLock::new(Options {
    inputs: Vec::new(),
    print: NumberStyle::SixDigits,
    tns: TnsForm::Detect,
    threads: None,
    written: WrittenElements::All,
    explain: false,
});

/// The keys that reads have asked for, whether there is such an input or not.
static ASKED: Mutex<Vec<String>> = Mutex::new(Vec::new());

/// Sets the options; the number of threads can be set once, before anything runs in parallel.
///
/// # Errors
/// A number of threads that the system refuses or that comes too late; variables of the environment that say
/// what nobody expects.
pub fn set(options: Options) -> Result<(), Error> {
    Affinity::of_environment()?;
    check_threads_of_environment()?;
    distributed::check_environment()?;
    instrument::check_environment()?;
    if let Some(threads) = options.threads.or_else(threads_of_environment).or_else(threads_of_rayon) {
        // Threads look for work at each other's: to start them takes a time that grows with their square.
        if threads > MOST_THREADS {
            return refuse(format!("at most {MOST_THREADS} threads run a program, found {threads}"));
        }
        let built = rayon::ThreadPoolBuilder::new().num_threads(threads).build_global();
        built.map_err(|error| Error::Option(format!("cannot start {threads} threads: {error}")))?;
    }
    *CURRENT.write() = options;
    Ok(())
}

/// More than processors of one machine have.
const MOST_THREADS: usize = 1024;

/// The variable that says how many threads there are where no flag does.
const THREADS: &str = "COMET_NUM_THREADS";

/// What [`set_threads`] was called with last; 0 before.
static SET_THREADS: AtomicUsize = AtomicUsize::new(0);

/// Has the tasks of kernels run on at most that many threads from now on.
///
/// # Errors
/// More threads than were started for the kernels before.
pub fn set_threads(threads: usize) -> Result<(), Error> {
    let most = asynchronous::started().unwrap_or(MOST_THREADS);
    if threads == 0 || threads > most {
        return refuse(format!(
            "expected from 1 to {most} threads, found {threads}: `{THREADS}` states more before the first kernel"
        ));
    }
    SET_THREADS.store(threads, Ordering::Relaxed);
    Ok(())
}

/// Returns the number of threads that are started: at least as many as run tasks.
pub(crate) fn most_threads() -> usize {
    SET_THREADS.load(Ordering::Relaxed).max(threads_at_first())
}

/// Returns the number of threads that run the tasks of generated code: what was set last, `--threads`, or
/// `COMET_NUM_THREADS`, or all cores.
pub fn threads() -> usize {
    match SET_THREADS.load(Ordering::Relaxed) {
        0 => threads_at_first(),
        set => set,
    }
}

fn threads_at_first() -> usize {
    /// Every parallel loop asks for the number of threads: the environment is read once.
    static OF_ENVIRONMENT: OnceLock<Option<usize>> = OnceLock::new();
    let flag = CURRENT.read().threads;
    let stated = flag.or_else(|| *OF_ENVIRONMENT.get_or_init(threads_of_environment));
    stated.unwrap_or_else(cores).min(MOST_THREADS)
}

/// Returns the number of cores that this process may use: where none was bound to it, processes of one
/// program share those of the machine. The limits of the system are read once, which takes 30 µs: they are in
/// the files of the control group.
fn cores() -> usize {
    static OWN: OnceLock<usize> = OnceLock::new();
    static IS_BOUND: OnceLock<bool> = OnceLock::new();
    let own = *OWN.get_or_init(|| std::thread::available_parallelism().map_or(1, usize::from));
    match distributed::processes_here() {
        Some(here) if !IS_BOUND.get_or_init(is_bound) => (own / here).max(1),
        _ => own,
    }
}

/// Whether this process may run on some cores of the machine only.
fn is_bound() -> bool {
    let lists = ["/proc/self/status", "/sys/devices/system/cpu/online"].map(fs::read_to_string);
    let [Ok(status), Ok(online)] = lists else { return false };
    let allowed = status.lines().find_map(|line| line.strip_prefix("Cpus_allowed_list:"));
    allowed.is_some_and(|allowed| count(allowed) < count(&online))
}

/// The number of cores in a list of the system, such as `0-3,8`.
fn count(list: &str) -> usize {
    let range = |part: &str| {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        let [first, last] = [first, last].map(|number| number.trim().parse::<usize>().unwrap_or_default());
        (last + 1).saturating_sub(first)
    };
    list.split(',').map(range).sum()
}

/// Has the threads of libraries be as many, where nothing has run in parallel yet: a kernel's caller sets no
/// options.
pub(crate) fn prepare_threads() {
    if is_forked() {
        return work_alone();
    }
    static PREPARED: Once = Once::new();
    PREPARED.call_once(|| {
        // Another one who shares this process may have come first.
        let _ = rayon::ThreadPoolBuilder::new().num_threads(threads()).build_global();
    });
}

/// Makes this thread the only one of its rayon loops: the threads that were started are not there in a forked
/// process, which would wait for them forever.
fn work_alone() {
    thread_local! {
        static IS_ALONE: Cell<bool> = const { Cell::new(false) };
    }
    if !IS_ALONE.replace(true) {
        // A worker of rayon, which is refused, has a pool already.
        let alone = rayon::ThreadPoolBuilder::new().num_threads(1).use_current_thread().build();
        std::mem::forget(alone);
    }
}

/// Returns the number of threads that rayon's own variables ask for, so that the limit holds for it, too:
/// rayon ends the process where the system refuses threads.
fn threads_of_rayon() -> Option<usize> {
    let number = |name| std::env::var(name).ok()?.parse().ok().filter(|threads: &usize| *threads > 0);
    number("RAYON_NUM_THREADS").or_else(|| number("RAYON_RS_NUM_CPUS"))
}

fn threads_of_environment() -> Option<usize> {
    std::env::var(THREADS).ok()?.parse().ok().filter(|threads| *threads > 0)
}

/// Refuses a number of threads that is none; an empty text says nothing.
fn check_threads_of_environment() -> Result<(), Error> {
    let Some(value) = std::env::var_os(THREADS).filter(|value| !value.is_empty()) else { return Ok(()) };
    if threads_of_environment().is_some() {
        return Ok(());
    }
    refuse(format!("`{THREADS}` takes a number of at least 1, not `{}`", value.to_string_lossy()))
}

/// A copy of the options.
pub fn current() -> Options {
    CURRENT.read().clone()
}

/// The file of the `--input` with that key, which is marked as asked for.
pub(crate) fn input(key: &str) -> Option<PathBuf> {
    let mut asked = ASKED.lock();
    if !asked.iter().any(|other| other == key) {
        asked.push(key.to_owned());
    }
    let options = CURRENT.read();
    let found = options.inputs.iter().find(|input| input.key == key)?;
    Some(found.path.clone())
}

/// Reports on standard error which `--input` flags nothing asked for: most likely their keys are misspelled.
pub fn note_unused_inputs() {
    let asked = ASKED.lock();
    let keys = asked.iter().map(|key| format!("`{key}`")).collect::<Vec<_>>().join(", ");
    for InputFlag { key, path } in current().inputs.iter().filter(|input| !asked.contains(&input.key)) {
        let expected =
            if keys.is_empty() { "nothing was read".to_owned() } else { format!("expected {keys}") };
        let note = format!("note: no read asked for `--input {key}={}`: {expected}", path.display());
        output::tell(format_args!("{}", shown(&note)));
    }
}

/// How numbers are printed.
pub(crate) fn number_style() -> NumberStyle {
    CURRENT.read().print
}

/// Whether to report how processes divide statements.
pub(crate) fn explains() -> bool {
    CURRENT.read().explain
}

/// What files hold of dense tensors.
pub(crate) fn written() -> WrittenElements {
    CURRENT.read().written
}

impl Options {
    /// What a program's command line may hold.
    pub(crate) const USAGE: &str =
        "`--input KEY=PATH`, `--print=exact`, `--tns=frostt|comet`, `--threads N` or `--explain`";

    /// The options of a program's command line, without the program's name: `--input KEY=PATH`,
    /// `--print=exact`, `--tns=frostt|comet`, `--threads N`, `--explain`; a value may follow in the same
    /// argument after `=`, or in the next.
    ///
    /// # Errors
    /// An argument that is none of these.
    pub fn parse(arguments: impl IntoIterator<Item = impl Into<OsString>>) -> Result<Self, Error> {
        let mut options = Self::default();
        let mut arguments = arguments.into_iter().map(Into::into);
        while let Some(argument) = arguments.next() {
            if argument == "--explain" {
                options.explain = true;
                continue;
            }
            let (flag, value) = match split(&argument) {
                Some((flag, value)) => (flag, Some(value.to_owned())),
                None => (argument.as_os_str(), None),
            };
            let flags = ["--input", "--print", "--tns", "--threads"];
            let Some(flag) = flags.into_iter().find(|known| flag == *known) else {
                let argument = argument.to_string_lossy();
                let hint = match flag.as_encoded_bytes() {
                    b"--partition" | b"--ordered-sums" | b"--distributed" => {
                        " (it is a flag of `comet build`)"
                    }
                    b"--ranks" => " (`mpirun -n N` starts processes)",
                    _ => "",
                };
                return refuse(format!("unknown argument `{argument}`{hint}, expected {}", Self::USAGE));
            };
            let Some(value) = value.or_else(|| arguments.next()) else {
                return refuse(format!("`{flag}` needs a value"));
            };
            match flag {
                "--input" => options.add_input(parse_input(&value)?)?,
                _ => options.take(flag, &value.to_string_lossy())?,
            }
        }
        Ok(options)
    }

    fn take(&mut self, flag: &str, value: &str) -> Result<(), Error> {
        match (flag, value) {
            ("--print", "exact") => self.print = NumberStyle::Exact,
            ("--tns", "frostt") => self.tns = TnsForm::Frostt,
            ("--tns", "comet") => self.tns = TnsForm::Comet,
            ("--threads", _) => self.threads = Some(parse_threads(value)?),
            ("--print", _) => return refuse(format!("`--print` takes `exact`, not `{value}`")),
            _ => return refuse(format!("`{flag}` takes `frostt` or `comet`, not `{value}`")),
        }
        Ok(())
    }
}

impl Options {
    fn add_input(&mut self, input: InputFlag) -> Result<(), Error> {
        if let Some(other) = self.inputs.iter().find(|other| other.key == input.key) {
            let InputFlag { key, path } = &input;
            return refuse(format!(
                "`--input {key}` is given twice, with `{}` and `{}`: expected one file for it",
                other.path.display(),
                path.display()
            ));
        }
        self.inputs.push(input);
        Ok(())
    }
}

/// Returns the text before the first `=` and after it.
fn split(text: &OsStr) -> Option<(&OsStr, &OsStr)> {
    let bytes = text.as_bytes();
    let at = bytes.iter().position(|byte| *byte == b'=')?;
    Some((OsStr::from_bytes(&bytes[..at]), OsStr::from_bytes(&bytes[at + 1..])))
}

fn parse_input(value: &OsStr) -> Result<InputFlag, Error> {
    let parts = split(value).and_then(|(key, path)| Some((key.to_str()?, path)));
    match parts.filter(|(_, path)| !path.is_empty()) {
        Some((key, path)) => Ok(InputFlag { key: key.to_owned(), path: path.into() }),
        None => {
            let value = value.to_string_lossy();
            refuse(format!(
                "`--input` takes `k=PATH` for what `comet_read(k)` reads, or `NAME=PATH` for a tensor, as in \
                 `--input 0={path}`; found `{value}`",
                path = if value.is_empty() || value.contains(['=', ':']) { "a.mtx" } else { &value },
            ))
        }
    }
}

fn parse_threads(value: &str) -> Result<usize, Error> {
    match value.parse() {
        Ok(threads) if threads >= 1 => Ok(threads),
        _ => refuse(format!("`--threads` takes a number of at least 1, not `{value}`")),
    }
}

fn refuse<T>(message: String) -> Result<T, Error> {
    Err(Error::Option(message))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(arguments: &[&str]) -> Result<Options, String> {
        Options::parse(arguments.iter().map(|&argument| argument.to_owned()))
            .map_err(|error| error.to_string())
    }

    #[test]
    fn values_follow_in_the_same_argument_or_the_next() {
        let options = parse(&[
            "--input",
            "0=a=b.mtx",
            "--input=A=x.tns",
            "--print=exact",
            "--tns",
            "comet",
            "--threads=3",
            "--explain",
        ]);
        let input = |key: &str, path: &str| InputFlag { key: key.into(), path: path.into() };
        let expected = Options {
            inputs: vec![input("0", "a=b.mtx"), input("A", "x.tns")],
            print: NumberStyle::Exact,
            tns: TnsForm::Comet,
            threads: Some(3),
            written: WrittenElements::All,
            explain: true,
        };
        assert_eq!(options, Ok(expected));
    }

    #[test]
    fn wrong_arguments_are_refused() {
        for arguments in [
            &["x"][..],
            &["--inputs=a=b"],
            &["--input"],
            &["--input=a"],
            &["--input=a=b", "--input=a=b"],
            &["--print=all"],
            &["--tns=x"],
            &["--threads=0"],
            &["--threads", "x"],
        ] {
            assert!(parse(arguments).is_err(), "{arguments:?}");
        }
    }
}
