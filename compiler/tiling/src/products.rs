//! How many products a statement computes, counted.

use crate::join::{Cursor, Join, JoinOperand, Terms, Visitor};
use crate::measure::depths;
use crate::statement::{Access, Nest, Pattern, Statement};
use crate::tiled::Tiled;

/// The products of all points at which they have a value, each for itself.
pub(crate) fn products(statement: &Statement) -> u64 {
    statement.nests().iter().map(|nest| of_nest(statement, nest)).sum()
}

fn of_nest(statement: &Statement, nest: &Nest) -> u64 {
    // Tiles of one coordinate: the levels of tiles are those of the operand.
    let cut = |access: &Access| match &access.pattern {
        Pattern::Dense => None,
        Pattern::Points(points) => Some(Tiled::new(points, &vec![1; points.rank()])),
    };
    let cut: Vec<Option<Tiled>> = statement.accesses.iter().map(cut).collect();
    let terms = |number: usize| -> Terms {
        let with = nest.terms.iter().enumerate().filter(|(_, term)| term.contains(&number));
        with.fold(0, |terms, (place, _)| terms | 1 << place)
    };
    let operands = cut.iter().enumerate().map(|(number, tiled)| {
        let terms = terms(number);
        let levels = tiled.as_ref().map(|tiled| &tiled.levels()[..tiled.rank()]);
        let depths = depths(&statement.accesses[number].indices, &nest.variables);
        JoinOperand { levels: levels.filter(|_| terms != 0), depths, terms }
    });
    let counts = nest.variables.iter().map(|&var| statement.extent(var) as u32).collect();
    let mut join = Join::new(operands.collect(), counts);
    let all = nest.terms.iter().enumerate().fold(0, |all, (place, _)| all | 1 << place);
    let mut count = Count(0);
    join.walk(vec![0; cut.len()], all, &mut count);
    count.0
}

struct Count(u64);

impl Visitor for Count {
    fn leaf(&mut self, terms: Terms, _at: &Cursor) -> Terms {
        self.0 += u64::from(terms.count_ones());
        terms
    }
}
