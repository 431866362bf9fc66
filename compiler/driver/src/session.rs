//! What holds for one run of the driver.

use crate::messages;
use comet_backend_cpu::native::Optimization;
use comet_backend_cpu::pipelines::Choices;
use comet_backend_sam::Automatic;
use comet_diag::{Color, Diagnostic, Source, Span};
use comet_runtime::output::tell;
use std::cell::{Cell, RefCell};
use std::fmt::Display;
use std::io::IsTerminal;
use std::time::{Duration, Instant};

/// The choices that every step may ask for, and what is reported to the user on the way.
#[derive(Debug, Default)]
pub(crate) struct Session {
    pub(crate) color: Color,
    /// `--explain`: automatic decisions are reported with their reasons.
    pub(crate) explain: bool,
    /// `--auto-factorize`, `--auto-locate`, `--drop-zeros`: what graphs do that no schedule says.
    pub(crate) automatic: Automatic,
    /// `--instrument`, `--no-gemm`, `--ordered-sums`, `--reorder`.
    pub(crate) choices: Choices,
    /// `--target-cpu`, `-O`.
    pub(crate) target_cpu: String,
    pub(crate) optimization: Optimization,
    /// `--no-cache`.
    pub(crate) no_cache: bool,
    pub(crate) timing: Timing,
    /// The flags of the subcommand that the command line has.
    pub(crate) given: Vec<String>,
    /// Whether a step behind the front end has warned.
    pub(crate) warned: Cell<bool>,
    /// Whether the notes on the program have been shown, or are not to be.
    pub(crate) noted: Cell<bool>,
}

impl Session {
    /// Returns the first of some flags that the command line has.
    pub(crate) fn first_given<'f, F: AsRef<str>>(&self, flags: &'f [F]) -> Option<&'f str> {
        flags.iter().map(AsRef::as_ref).find(|flag| self.given.iter().any(|given| given == flag))
    }

    /// A session whose messages go to this process's standard error.
    pub(crate) fn new() -> Self {
        let plain = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        let is_colored = !plain && std::io::stderr().is_terminal();
        let color = if is_colored { Color::Always } else { Color::Never };
        Self { color, ..Self::default() }
    }

    /// Reports an automatic decision at a place of a program, where `--explain` asks for it.
    pub(crate) fn explain_at(&self, source: &Source, span: Span, decision: impl Display) {
        if self.explain {
            let (name, line, column) = source.place(span.start);
            tell(format_args!("explain: {name}:{line}:{column}: {decision}"));
        }
    }

    /// Shows what a step behind the front end warns of.
    pub(crate) fn warn(&self, diagnostic: &Diagnostic, source: &Source) {
        self.warned.set(true);
        self.show(diagnostic, source);
    }

    pub(crate) fn has_warned(&self) -> bool {
        self.warned.get()
    }

    /// Shows what does not end the compilation.
    pub(crate) fn show(&self, diagnostic: &Diagnostic, source: &Source) {
        let text = messages::form().write(std::slice::from_ref(diagnostic), source, self.color);
        messages::write(&text);
    }
}

/// A clock for steps, in the order they were taken.
#[derive(Debug, Default)]
pub(crate) struct Timing {
    /// Whether the times are wanted. MLIR then reports its passes as well.
    pub(crate) enabled: bool,
    pub(crate) steps: RefCell<Vec<(&'static str, Duration)>>,
}

impl Timing {
    pub(crate) fn step<T>(&self, name: &'static str, work: impl FnOnce() -> T) -> T {
        let _span = tracing::info_span!("step", name).entered();
        let start = Instant::now();
        let result = work();
        self.steps.borrow_mut().push((name, start.elapsed()));
        result
    }

    /// Prints the steps so far to standard error, where that is wanted, and forgets them.
    pub(crate) fn report(&self) {
        let steps = self.steps.take();
        if !self.enabled {
            return;
        }
        let total: Duration = steps.iter().map(|(_, time)| *time).sum();
        for (name, time) in steps.into_iter().chain([("total", total)]) {
            tell(format_args!("time: {:>9.3} ms  {name}", time.as_secs_f64() * 1e3));
        }
    }
}
