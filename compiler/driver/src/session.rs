//! What holds for one run of the driver.

use crate::messages;
use crate::timing::Timing;
use comet_backend_cpu::pipelines::Choices;
use comet_backend_sam::Automatic;
use comet_diag::{Color, Diagnostic, Source};
use std::cell::Cell;
use std::io::IsTerminal;

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
    /// `--time-passes`.
    pub(crate) timing: Timing,
    /// Whether a step behind the front end has warned.
    pub(crate) warned: Cell<bool>,
    /// Whether the notes on the program have been shown, or are not to be.
    pub(crate) noted: Cell<bool>,
}

impl Session {
    /// A session whose messages go to this process's standard error.
    pub(crate) fn new() -> Self {
        let plain = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        let is_colored = !plain && std::io::stderr().is_terminal();
        let color = if is_colored { Color::Always } else { Color::Never };
        Self { color, ..Self::default() }
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
