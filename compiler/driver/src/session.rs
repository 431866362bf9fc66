//! What holds for one run of the driver.

use crate::messages;
use comet_abi::reorder::Method;
use comet_backend_cpu::native::{
    DebugInfo, KernelSymbols, NativeError, Optimization, Platform, Processes, Target,
};
use comet_backend_cpu::pipelines::Choices;
use comet_backend_sam::Automatic;
use comet_diag::{Color, Diagnostic, Severity, Source, Span};
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
    /// `--target-triple`, `--target-cpu`, `-O`.
    pub(crate) platform: Platform,
    pub(crate) target_cpu: String,
    pub(crate) optimization: Optimization,
    /// `-g`.
    pub(crate) debug_info: DebugInfo,
    /// Of the kernels of a library.
    pub(crate) symbols: KernelSymbols,
    /// `--distributed`.
    pub(crate) processes: Processes,
    /// `--partition`: how rows are reordered for it.
    pub(crate) partition: Option<Method>,
    /// `--no-cache`.
    pub(crate) no_cache: bool,
    pub(crate) timing: Timing,
    /// The flags of the subcommand that the command line has.
    pub(crate) given: Vec<String>,
    /// Where messages go that do not end the compilation.
    pub(crate) notices: Notices,
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

    /// A session that compiles the same for another processor. Its decisions and notes have been shown.
    pub(crate) fn for_processor(&self, name: &str) -> Self {
        let registers = Target::vector_registers(self.platform, name);
        Self {
            color: self.color,
            automatic: self.automatic,
            choices: Choices { registers, ..self.choices },
            platform: self.platform,
            debug_info: self.debug_info.clone(),
            target_cpu: name.to_owned(),
            optimization: self.optimization,
            no_cache: self.no_cache,
            given: self.given.clone(),
            noted: Cell::new(true),
            ..Self::default()
        }
    }

    /// A session whose messages go to this process's standard error.
    pub(crate) fn new() -> Self {
        let plain = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        let is_colored = !plain && std::io::stderr().is_terminal();
        let color = if is_colored { Color::Always } else { Color::Never };
        Self { color, ..Self::default() }
    }

    /// Returns what code is generated for.
    pub(crate) fn target(&self) -> Result<Target, NativeError> {
        Target::new(self.platform, &self.target_cpu, self.optimization)
    }

    /// Reports an automatic decision at a place of a program, where `--explain` asks for it.
    pub(crate) fn explain_at(&self, source: &Source, span: Span, decision: impl Display) {
        let (name, line, column) = source.place(span.start);
        self.explain(Some((name, line, column)), &decision.to_string());
    }

    /// The same with the place as a file, a line and a column.
    pub(crate) fn explain(&self, place: Option<(&str, usize, usize)>, decision: &str) {
        if !self.explain {
            return;
        }
        match &self.notices {
            Notices::Shown => {
                let place = place
                    .map_or_else(String::new, |(file, line, column)| format!("{file}:{line}:{column}: "));
                decision.lines().for_each(|line| tell(format_args!("explain: {place}{line}")));
            }
            Notices::Kept(kept) => kept.borrow_mut().push(Notice {
                kind: NoticeKind::Decision,
                place: place.map(|(_, line, column)| (line, column)),
                message: decision.to_owned(),
                hint: None,
            }),
        }
    }

    /// Reports what concerns no place of a program.
    pub(crate) fn note(&self, message: &str) {
        match &self.notices {
            Notices::Shown => tell(format_args!("note: {message}")),
            Notices::Kept(kept) => kept.borrow_mut().push(Notice {
                kind: NoticeKind::Note,
                place: None,
                message: message.to_owned(),
                hint: None,
            }),
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
        match &self.notices {
            Notices::Shown => {
                let text = messages::form().write(std::slice::from_ref(diagnostic), source, self.color);
                messages::write(&text);
            }
            Notices::Kept(kept) => kept.borrow_mut().push(Notice::of(diagnostic, source)),
        }
    }
}

/// Where messages go that do not end a compilation.
#[derive(Debug, Default)]
pub(crate) enum Notices {
    /// To standard error.
    #[default]
    Shown,
    /// To the caller of the library.
    Kept(RefCell<Vec<Notice>>),
}

impl Notices {
    pub(crate) fn kept() -> Self {
        Self::Kept(RefCell::default())
    }

    pub(crate) fn take(&self) -> Vec<Notice> {
        match self {
            Self::Shown => Vec::new(),
            Self::Kept(kept) => kept.take(),
        }
    }
}

/// What a compilation reports that does not end it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    pub kind: NoticeKind,
    /// The line and the column in the source, from 1.
    pub place: Option<(usize, usize)>,
    pub message: String,
    pub hint: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
pub enum NoticeKind {
    Warning,
    Note,
    /// What the compiler has chosen, and why.
    Decision,
}

impl Notice {
    fn of(diagnostic: &Diagnostic, source: &Source) -> Self {
        let kind = match diagnostic.severity {
            Severity::Note => NoticeKind::Note,
            Severity::Warning | Severity::Error => NoticeKind::Warning,
        };
        let place = diagnostic.span().map(|span| source.line_column(span.start));
        Self { kind, place, message: diagnostic.message.clone(), hint: diagnostic.hint.clone() }
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
