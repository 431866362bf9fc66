//! Names for values of the module, each different from all others.

use comet_ir::Val;
use comet_notation::free_name;
use comet_passes::nest;

/// What a dropper's inner stream is called where it has values: no index variable is called so.
const VALUES: [&str; 2] = ["val", "vals"];

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
        let is_taken =
            |name: &str| VALUES.contains(&name) || self.given.iter().any(|(_, other)| other == name);
        let name = free_name(&for_files(&nest::name(value)), is_taken);
        self.given.push((value, name.clone()));
        name
    }
}

/// A name that files can have: those of variables that passes have made have other signs in them.
pub(super) fn for_files(name: &str) -> String {
    name.chars().map(|sign| if sign.is_ascii_alphanumeric() { sign } else { '_' }).collect()
}
