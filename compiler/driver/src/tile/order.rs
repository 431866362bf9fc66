//! The order of a statement's loops: that of its schedule, or the one that the compiler chooses.

use crate::failure::Result;
use crate::middle::{self, Checked, Stage};
use crate::session::Session;
use comet_backend_cpu::pipelines::{Choices, Sums};
use comet_diag::{Source, Span};
use comet_ir::{Op, cin, location};
use comet_passes::nest::name;
use comet_sema::program::{Stmt, assignments_mut};
use itertools::Itertools as _;

/// For each place of a statement, the names of its index variables from the outermost loop in.
pub(crate) struct Orders(Vec<((usize, usize), Vec<String>)>);

impl Orders {
    /// Of a program as it is without its tiles.
    pub(crate) fn new(checked: Checked<'_>) -> Result<Self> {
        let (session, mut whole) = (checked.session, checked.program.clone());
        whole.functions.iter_mut().for_each(|function| without_tiles(&mut function.body));
        let context = middle::context();
        // What passes decide is reported when the program is compiled.
        // Products are taken as they are written, not factor by factor.
        let choices = Choices { sums: Sums::Ordered, ..session.choices };
        let quiet = Session { color: session.color, choices, ..Session::default() };
        let module =
            middle::lower(&context, Checked { session: &quiet, program: &whole, ..checked }, Stage::Order)?;
        let reads = |compute: &Op<'_>| !compute.descendants::<cin::Access>().is_empty();
        let computes = Op::of_module(&module).descendants::<cin::Compute>().into_iter();
        // What only clears the target goes through it as it is stored.
        let mut computes: Vec<(Op<'_>, Vec<String>)> =
            computes.filter(reads).map(|compute| (compute, order(compute))).collect();
        computes.sort_by_key(|(_, own)| std::cmp::Reverse(own.len()));
        let mut orders: Vec<((usize, usize), Vec<String>)> = Vec::new();
        for (compute, own) in computes {
            let Some(place) = location::range(compute.location()) else { continue };
            let start = (place.file_line_col_range_start_line(), place.file_line_col_range_start_column());
            // A statement may be computed part by part.
            match orders.iter_mut().find(|(other, _)| *other == start) {
                Some((_, known)) => {
                    let new: Vec<String> = own.into_iter().filter(|name| !known.contains(name)).collect();
                    known.extend(new);
                }
                None => orders.push((start, own)),
            }
        }
        Ok(Self(orders))
    }

    pub(crate) fn of(&self, span: Span, source: &Source) -> Option<&[String]> {
        let (line, column) = source.line_column(span.start);
        let place = (line, column);
        self.0.iter().find(|(start, _)| *start == place).map(|(_, order)| &order[..])
    }
}

/// Removes the commands that split the loops into tiles.
pub(super) fn without_tiles(body: &mut [Stmt]) {
    for (assign, _) in assignments_mut(body) {
        if let Some(schedule) = &mut assign.schedule {
            schedule.commands.retain(|command| command.name.name != "tile");
        }
    }
}

/// The variables of the deepest nest, and behind them those that only other nests have.
fn order(compute: Op<'_>) -> Vec<String> {
    let around = |op: Op<'_>| -> Vec<String> {
        let mut names = Vec::new();
        let mut next = Some(op);
        while let Some(op) = next.filter(|op| *op != compute) {
            if let Some(forall) = op.cast::<cin::Forall>() {
                names.push(name(forall.var()));
            }
            next = op.parent();
        }
        names.reverse();
        names
    };
    let mut nests: Vec<Vec<String>> = compute.descendants::<cin::Forall>().into_iter().map(around).collect();
    nests.sort_by_key(|nest| std::cmp::Reverse(nest.len()));
    nests.into_iter().flatten().unique().collect()
}
