//! Sizes of tiles that a user states: with `--tiles i=128,k=64`, or as `tile(i: 128, k: 64)` in a schedule.

use super::statement::Tileable;
use crate::failure::{Failure, Result};
use comet_diag::{Diagnostic, Source};
use comet_sema::program::{Command, CommandArgKind};
use comet_tiling::{Statement, Tiles, Variable};
use itertools::Itertools as _;

/// Sizes by the names of variables, each name once; a size is 1 or more coordinates.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct NamedSizes(Vec<(String, u64)>);

/// Sizes of tiles of a level of memory, or of the only one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct GivenSizes {
    /// The name of the level, if there is one in front.
    pub(crate) level: Option<String>,
    pub(crate) sizes: NamedSizes,
}

/// Parses `i=128,k=64` or `LLB:i=128,k=64`.
pub(crate) fn parse(text: &str) -> std::result::Result<GivenSizes, String> {
    let (level, text) = match text.split_once(':') {
        Some((level, sizes)) => (Some(level.trim().to_owned()), sizes),
        None => (None, text),
    };
    Ok(GivenSizes { level, sizes: parse_sizes(text)? })
}

fn parse_sizes(text: &str) -> std::result::Result<NamedSizes, String> {
    let mut sizes = NamedSizes(Vec::new());
    for pair in text.split(',').map(str::trim) {
        let (name, size) = pair
            .split_once('=')
            .map(|(name, size)| (name.trim(), size.trim()))
            .filter(|(name, _)| !name.is_empty())
            .ok_or_else(|| format!("found `{pair}`, expected a variable and a size such as `i=128`"))?;
        let number = size.parse().ok().filter(|&number: &u64| number > 0);
        let number = number.ok_or_else(|| {
            format!(
                "found `{size}` as the size along `{name}`, expected a whole number from 1 to {}",
                u64::MAX
            )
        })?;
        if sizes.has(name) {
            return Err(format!("found `{name}` twice, expected one size for each variable"));
        }
        sizes.0.push((name.to_owned(), number));
    }
    Ok(sizes)
}

impl NamedSizes {
    fn has(&self, name: &str) -> bool {
        self.0.iter().any(|(own, _)| own == name)
    }

    /// Tiles of a statement; `None` where it does not have all the variables. Along a variable without a
    /// size, or with one beyond its extent, one tile has all coordinates.
    pub(super) fn tiles(&self, statement: &Statement) -> Option<Tiles> {
        if !self.0.iter().all(|(name, _)| statement.names().contains(&&name[..])) {
            return None;
        }
        let size = |variable: &Variable| {
            let own = self.0.iter().find(|(name, _)| *name == variable.name);
            own.map_or(variable.extent, |(_, size)| variable.extent.min(*size))
        };
        Some(Tiles(statement.variables.iter().map(size).collect()))
    }
}

/// The tiles that are given for each of the statements: by the flag where it names variables of the
/// statement, or else by its schedule. An error where the flag names what no statement has, or a level.
pub(crate) fn given(flags: &[GivenSizes], found: &[Tileable], source: &Source) -> Result<Vec<Option<Tiles>>> {
    let refused = |message: String, hint: &str| Err(Failure::hinted(message, hint));
    let flag = match flags {
        [] => None,
        [GivenSizes { level: None, sizes }] => Some(sizes),
        [GivenSizes { level: Some(level), .. }, ..] => {
            let message = format!("found tiles of a level `{level}`, and there is no machine with levels");
            return refused(message, "give one with `--machine`, or leave the name of the level out");
        }
        [_, ..] => {
            let message = "found `--tiles` several times, expected it once where there is one buffer";
            return refused(message.to_owned(), "write all sizes into one, as `--tiles i=128,k=64`");
        }
    };
    if let Some(sizes) = flag
        && !found.iter().any(|own| sizes.tiles(&own.statement).is_some())
    {
        return Err(unknown(sizes, found));
    }
    let of = |own: &Tileable| match flag.and_then(|sizes| sizes.tiles(&own.statement)) {
        Some(tiles) => Ok(Some(tiles)),
        None => scheduled(own, source),
    };
    found.iter().map(of).collect()
}

pub(super) fn unknown(sizes: &NamedSizes, found: &[Tileable]) -> Failure {
    let names = |own: &Tileable| {
        let names = own.statement.names().into_iter().map(|name| format!("`{name}`")).join(", ");
        format!("{names} of `{}`", own.statement.target.name)
    };
    let expected = found.iter().map(names).join(", or ");
    let sizes = sizes.0.iter().map(|(name, _)| format!("`{name}`")).join(", ");
    let message =
        format!("found sizes of tiles along {sizes}, expected variables of one statement: {expected}");
    Failure::hinted(message, "name some of these in `--tiles`")
}

/// The tiles of the sizes in a schedule.
fn scheduled(own: &Tileable, source: &Source) -> Result<Option<Tiles>> {
    let mut sizes = NamedSizes(Vec::new());
    for command in own.commands.iter().filter(|command| command.name.name == "tile") {
        add(&mut sizes, command).map_err(|error| Failure::in_source(vec![error], source))?;
    }
    if sizes.0.is_empty() {
        return Ok(None);
    }
    let names = own.statement.names();
    let places = sizes.0.iter().map(|(size, _)| names.iter().position(|name| name == size));
    if !places.is_sorted() {
        let what = format!(
            "tiles whose loops are in another order than those inside of them, which are over {}",
            names.join(", ")
        );
        let error = Diagnostic::not_supported(own.span, &what)
            .hint("name the sizes in the order of the loops, or give that order with `order`");
        return Err(Failure::in_source(vec![error], source));
    }
    Ok(sizes.tiles(&own.statement))
}

fn add(sizes: &mut NamedSizes, command: &Command) -> std::result::Result<(), Diagnostic> {
    for argument in &command.args {
        let CommandArgKind::Sized(label, number) = &argument.kind else { continue };
        if sizes.has(&label.name) {
            let what = format!("tiles inside of tiles, as those along `{}`", label.name);
            let hint = "`comet tile` evaluates one size along each variable";
            return Err(Diagnostic::not_supported(argument.span, &what).hint(hint));
        }
        let size = number.integer.and_then(|size| u64::try_from(size).ok()).filter(|&size| size > 0);
        let size = size.ok_or_else(|| {
            let message =
                format!("found no size along `{}`, expected a whole number of 1 or more", label.name);
            Diagnostic::error(argument.span, message)
        })?;
        sizes.0.push((label.name.clone(), size));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{GivenSizes, NamedSizes, parse};
    use comet_tiling::{Expr, Statement, Target, Tiles, Variable};

    #[test]
    fn sizes_are_by_name() {
        let GivenSizes { level, sizes } = parse("k = 64,i=128").unwrap();
        assert_eq!(level, None);
        assert_eq!(parse("LLB: i=1").unwrap().level, Some("LLB".to_owned()));
        assert_eq!(sizes, NamedSizes(vec![("k".to_owned(), 64), ("i".to_owned(), 128)]));
        let variable = |name: &str| Variable { name: name.to_owned(), extent: 100 };
        let statement = Statement {
            variables: ["i", "k", "j"].map(variable).into(),
            accesses: Vec::new(),
            target: Target { name: "C".to_owned(), indices: Vec::new(), is_dense: true },
            value: Expr::Everywhere,
        };
        assert_eq!(sizes.tiles(&statement), Some(Tiles(vec![100, 64, 100])));
        assert_eq!(parse("x=1").unwrap().sizes.tiles(&statement), None);
    }

    #[test]
    fn what_is_wrong_is_reported() {
        for (text, found) in [
            ("", "found ``, expected a variable and a size"),
            ("i", "found `i`, expected a variable and a size"),
            ("=4", "found `=4`, expected a variable and a size"),
            ("i=4,", "found ``, expected a variable and a size"),
            ("i=0", "found `0` as the size along `i`, expected a whole number from 1"),
            ("i=-3", "found `-3` as the size along `i`"),
            ("i=many", "found `many` as the size along `i`"),
            ("i=4,i=5", "found `i` twice, expected one size"),
        ] {
            let error = parse(text).unwrap_err();
            assert!(error.starts_with(found), "{error}");
        }
    }
}
