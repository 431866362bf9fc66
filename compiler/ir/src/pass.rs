//! Rust functions as MLIR passes.
//!
//! A pass is described by a [`Pass`] value; [`register`] makes it one of MLIR's own: it appears in
//! `--help`, in textual pipelines with its options, in timing, in `--mlir-print-ir-after-all` and in crash
//! reproducers. The adapter turns errors into MLIR diagnostics at their place, and catches panics, because
//! none may cross C.

use crate::{IrError, Loc, Op, Result, location};
use comet_dialects::ffi::{self, CometPassOption};
use melior::StringRef;
use mlir_sys::{MlirOperation, MlirStringRef, mlirEmitError};
use std::cell::Cell;
use std::ffi::{CString, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};

#[derive(Clone, Copy, Debug)]
pub struct PassOption {
    /// As written in a pipeline: `my-pass{name=value}`.
    pub name: &'static str,
    /// The value where it is not given.
    pub default: &'static str,
    pub description: &'static str,
}

/// A pass on a module.
#[derive(Clone, Copy)]
pub struct Pass {
    pub name: &'static str,
    /// One sentence.
    pub description: &'static str,
    pub options: &'static [PassOption],
    /// The dialects of the operations it may create.
    pub dialects: &'static [&'static str],
    pub run: for<'c> fn(Op<'c>, &OptionValues<'_>) -> Result<'c, ()>,
}

pub struct OptionValues<'a> {
    pass: &'a Pass,
    values: Vec<&'a str>,
}

impl OptionValues<'_> {
    /// The text of an option. Panics for a name that the pass does not declare.
    pub fn text(&self, name: &str) -> &str {
        let index = self
            .pass
            .options
            .iter()
            .position(|option| option.name == name)
            .expect("passes ask for options they declare");
        self.values[index]
    }

    pub fn number<'c>(&self, name: &str) -> Result<'c, u64> {
        self.text(name).parse().map_err(|_| self.unexpected(name, "a number"))
    }

    /// Returns what the word that is given for an option stands for.
    pub fn choice<'c, T: Copy>(&self, name: &str, choices: &[(&str, T)]) -> Result<'c, T> {
        let found = choices.iter().find(|(word, _)| *word == self.text(name));
        found.map(|(_, value)| *value).ok_or_else(|| {
            let words: Vec<String> = choices.iter().map(|(word, _)| format!("`{word}`")).collect();
            let (last, others) = words.split_last().expect("an option has choices");
            self.unexpected(name, &format!("{} or {last}", others.join(", ")))
        })
    }

    /// The error for an option whose value is not what is expected.
    pub fn unexpected<'c>(&self, name: &str, expected: &str) -> IrError<'c> {
        let (pass, found) = (self.pass.name, self.text(name));
        IrError {
            location: None,
            message: format!("option `{name}` of `{pass}`: expected {expected}, found `{found}`"),
            hint: None,
        }
    }
}

/// Makes a pass known to MLIR. To be called once a process for each.
pub fn register(pass: &'static Pass) {
    let options: Vec<CometPassOption> = pass.options.iter().map(option_to_ffi).collect();
    let dialects: Vec<MlirStringRef> = pass.dialects.iter().map(|name| string_ref(name)).collect();
    // SAFETY: the strings are copied; the pass is static.
    unsafe {
        ffi::cometRegisterPass(
            string_ref(pass.name),
            string_ref(pass.description),
            options.len() as isize,
            options.as_ptr(),
            dialects.len() as isize,
            dialects.as_ptr(),
            run_callback,
            std::ptr::from_ref(pass).cast_mut().cast(),
        );
    }
}

/// Makes a name for a textual pipeline known to MLIR.
pub fn register_pipeline(name: &str, description: &str, pipeline: &str) {
    // SAFETY: the strings are copied.
    unsafe { ffi::cometRegisterPipeline(string_ref(name), string_ref(description), string_ref(pipeline)) }
}

fn option_to_ffi(option: &PassOption) -> CometPassOption {
    CometPassOption {
        name: string_ref(option.name),
        default_value: string_ref(option.default),
        description: string_ref(option.description),
    }
}

fn string_ref(text: &str) -> MlirStringRef {
    StringRef::new(text).to_raw()
}

/// What MLIR calls: `user_data` is the [`Pass`].
unsafe extern "C" fn run_callback(
    user_data: *mut c_void,
    module: MlirOperation,
    values: *const MlirStringRef,
    count: isize,
) -> bool {
    // SAFETY: `register` has passed a static pass.
    let pass: &'static Pass = unsafe { &*user_data.cast::<Pass>() };
    // SAFETY: the module lives while its passes run.
    let module = unsafe { Op::from_raw(module) };
    let values = (0..count)
        // SAFETY: MLIR passes `count` strings that live through the call.
        .map(|index| unsafe { StringRef::from_raw(*values.offset(index)) }.as_str().unwrap_or_default())
        .collect();
    let span = tracing::debug_span!("pass", name = pass.name);
    let outcome = span
        .in_scope(|| catch_unwind(AssertUnwindSafe(|| (pass.run)(module, &OptionValues { pass, values }))));
    match outcome {
        Ok(Ok(())) => true,
        Ok(Err(error)) => emit(module, &error),
        Err(panic) => emit(
            module,
            &IrError { location: None, message: internal(pass.name, panic.as_ref()), hint: None },
        ),
    }
}

/// What begins the message of an error that is ours and not the user's.
pub const INTERNAL_ERROR: &str = "internal error: ";

fn internal(pass: &str, panic: &(dyn std::any::Any + Send)) -> String {
    let text =
        panic.downcast_ref::<String>().map(String::as_str).or_else(|| panic.downcast_ref::<&str>().copied());
    format!("{INTERNAL_ERROR}pass `{pass}` panicked: {}", text.unwrap_or("no message"))
}

/// Reports an error to MLIR; returns the pass's outcome, which is failure.
fn emit(module: Op<'_>, error: &IrError<'_>) -> bool {
    match error.location {
        Some(location) => report(location, &error.text()),
        // A failure inside the wrappers says nothing of the program.
        None => emit_diagnostic(module.location(), &error.text()),
    }
    false
}

thread_local! {
    static REPORTING: Cell<bool> = const { Cell::new(false) };
}

/// Reports an error of the user's program at a place, as a diagnostic of the place's context.
pub fn report(location: Loc<'_>, text: &str) {
    REPORTING.set(true);
    emit_diagnostic(location, text);
    REPORTING.set(false);
}

/// Whether the diagnostic that a handler is being called with comes from [`report`]. Everything else that
/// MLIR says, its verifiers above all, is about IR that we have made.
pub fn is_report() -> bool {
    REPORTING.get()
}

fn emit_diagnostic(location: Loc<'_>, text: &str) {
    let text = CString::new(text).unwrap_or_default();
    // SAFETY: the location lives; the text is copied.
    unsafe { mlirEmitError(location.to_raw(), text.as_ptr()) };
}

thread_local! {
    static REMARKS: Cell<Remarks> = const { Cell::new(Remarks::Off) };
}

/// Whether [`decided`] emits remarks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Remarks {
    On,
    Off,
}

/// Turns remarks on, or off as they are at first, for this thread: the one that passes on modules run on.
pub fn set_remarks(remarks: Remarks) {
    REMARKS.set(remarks);
}

/// Reports a decision that the compiler has made by itself, with its reason: as a remark at its place, and in
/// the log of debugging. The text is made only where it is wanted.
pub fn decided(location: Loc<'_>, text: impl FnOnce() -> String) {
    let is_logged = tracing::enabled!(tracing::Level::DEBUG);
    let is_wanted = REMARKS.get() == Remarks::On;
    if !is_wanted && !is_logged {
        return;
    }
    let text = text();
    if is_logged {
        tracing::debug!(place = location::describe(location), "{text}");
    }
    if is_wanted {
        // SAFETY: the location lives; the text is copied.
        unsafe { ffi::cometEmitRemark(location.to_raw(), string_ref(&text)) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pipeline::{self, Settings};
    use melior::Context;
    use melior::ir::{Location, Module};
    use std::sync::{Arc, Mutex};

    static PANICS: Pass = Pass {
        name: "test-panics",
        description: "Panics",
        options: &[],
        dialects: &[],
        run: |_, _| panic!("on purpose"),
    };

    /// Decisions are remarks, where they are wanted.
    #[test]
    fn decisions_are_reported_where_they_are_wanted() {
        let context = Context::new();
        let heard = Arc::new(Mutex::new(Vec::new()));
        let sink = Arc::clone(&heard);
        context.attach_diagnostic_handler(move |diagnostic| {
            sink.lock().expect("nothing panics here").push(diagnostic.to_string());
            true
        });
        decided(Location::unknown(&context), || unreachable!("nobody asks"));
        set_remarks(Remarks::On);
        decided(Location::unknown(&context), || "32 lanes: it is dense".to_owned());
        set_remarks(Remarks::Off);
        assert_eq!(*heard.lock().expect("nothing panicked"), ["32 lanes: it is dense"]);
    }

    static ERASES: Pass = Pass {
        name: "test-erases",
        description: "Erases an operation whose result is used",
        options: &[],
        dialects: &[],
        run: |module, _| {
            module.body(0).ops()[0].erase();
            Ok(())
        },
    };

    /// What the pass says of the module, and whether it is said of the user's program.
    fn heard_from(pass: &'static Pass, module: &str) -> Vec<(String, bool)> {
        register(pass);
        let context = Context::new_with_registry(&comet_dialects::registration::dialects(), false);
        let heard = Arc::new(Mutex::new(Vec::new()));
        let sink = Arc::clone(&heard);
        context.attach_diagnostic_handler(move |diagnostic| {
            sink.lock().expect("nothing panics here").push((diagnostic.to_string(), is_report()));
            true
        });
        let mut module = Module::parse(&context, module).expect("the test's module can be read");
        let outcome = pipeline::run(&mut module, pass.name, Settings { verify: true, timing: false });
        assert!(outcome.is_err());
        let heard = heard.lock().expect("nothing panicked");
        heard.clone()
    }

    /// A panic crosses no C: it becomes an error of ours, and the pipeline fails.
    #[test]
    fn panics_of_passes_are_caught() {
        let expected = "internal error: pass `test-panics` panicked: on purpose".to_owned();
        assert_eq!(heard_from(&PANICS, ""), [(expected, false)]);
    }

    /// MLIR would end the process where an operation goes whose results are used.
    #[test]
    fn what_is_used_is_not_erased() {
        let module = "%n = arith.constant 1 : index\n%m = arith.addi %n, %n : index";
        let expected = "internal error: pass `test-erases` panicked: `arith.constant` is erased although its \
                        results are used";
        assert_eq!(heard_from(&ERASES, module), [(expected.to_owned(), false)]);
    }
}
