//! Sparse matrices that are computed line by line in the other order, and turned around then: where the
//! operands' storage makes loops come to a result in CSC row by row, conversion in linear time costs less
//! than sorting points.

use super::expr::{Access, Statement};
use super::sparse;
use crate::copies;
use crate::nest;
use comet_ir::{Builder, Op, Result, pass};
use comet_runtime::format::{Format, Level, LevelExpr, LevelKind};

/// What turning costs beside loops, as an exponent of an extent: a counting sort of the entries.
const TURN: f64 = 0.15;

/// The statement with a new tensor in the other order as its target, if it is cheaper to compute that.
pub(super) fn statement<'c>(before: Op<'c>, statement: &Statement<'c>) -> Result<'c, Option<Statement<'c>>> {
    let Some(format) = turned(&statement.target.format()).filter(|_| statement.commands.is_empty()) else {
        return Ok(None);
    };
    let b = Builder::before(before);
    let target = statement.target.tensor;
    let Some(tensor) = copies::declare(b, target, &format)? else { return Ok(None) };
    let turned = Statement {
        target: Access { tensor, labels: statement.target.labels.clone() },
        labels: statement.labels.clone(),
        value: statement.value.clone(),
        commands: Vec::new(),
        ..*statement
    };
    let ((direct, _), (through, converts)) = (sparse::least_cost(statement)?, sparse::least_cost(&turned)?);
    if !converts && through + TURN < direct {
        let name = nest::name(target);
        pass::decided(statement.location, || format!("`{name}` is computed as `{format}` first, and turned"));
        return Ok(Some(turned));
    }
    Op::defining(tensor).expect("it has been declared").erase();
    Ok(None)
}

/// The same lines across: for the formats that conversions turn in linear time.
fn turned(format: &Format) -> Option<Format> {
    let [outer, inner] = format.levels.as_slice() else { return None };
    let (LevelExpr::Mode(line), LevelExpr::Mode(across)) = (outer.expr, inner.expr) else { return None };
    let kind = match (outer.kind, inner.kind) {
        (LevelKind::Dense, LevelKind::CompressedUnique) => LevelKind::Dense,
        (LevelKind::CompressedUnique, LevelKind::CompressedUnique)
        | (LevelKind::CompressedNonUnique, LevelKind::Singleton) => LevelKind::CompressedUnique,
        _ => return None,
    };
    let level = |mode, kind| Level { expr: LevelExpr::Mode(mode), kind };
    let levels = vec![level(across, kind), level(line, LevelKind::CompressedUnique)];
    Some(Format { levels, ..format.clone() })
}
