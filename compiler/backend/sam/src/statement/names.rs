//! Names for values of the module, each different from all others.

use comet_ir::Val;
use comet_passes::nest;

#[derive(Default)]
pub(super) struct ValueNames<'c> {
    given: Vec<(Val<'c>, String)>,
}

impl<'c> ValueNames<'c> {
    /// Its name, made from its own where it has none yet.
    pub(super) fn of(&mut self, value: Val<'c>) -> String {
        if let Some((_, name)) = self.given.iter().find(|(other, _)| *other == value) {
            return name.clone();
        }
        let name = different(&for_files(&nest::name(value)), |name| {
            self.given.iter().any(|(_, other)| other == name)
        });
        self.given.push((value, name.clone()));
        name
    }
}

/// The name itself, or followed by the first number from 2 on with which it is not taken.
pub(super) fn different(name: &str, is_taken: impl Fn(&str) -> bool) -> String {
    let candidates = (2..).map(|number| format!("{name}_{number}"));
    let mut candidates = std::iter::once(name.to_owned()).chain(candidates);
    candidates.find(|name| !is_taken(name)).expect("there are more numbers than names")
}

/// A name that files can have: those of variables that passes have made have other signs in them.
pub(super) fn for_files(name: &str) -> String {
    name.chars().map(|sign| if sign.is_ascii_alphanumeric() { sign } else { '_' }).collect()
}
