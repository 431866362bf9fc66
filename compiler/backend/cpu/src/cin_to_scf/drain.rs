//! Dense workspaces that only go on into a result: the loops of the consumer go over what has come to them,
//! in order, and leave them empty. Over several levels of the result, each loop goes over those elements that
//! agree in the coordinates of the loops around it.

use super::Lowering;
use super::dense_workspace::DenseWorkspace;
use super::marks::Stretches;
use super::operator::zero;
use super::point::Point;
use comet_dialects::cin::AccessOperation;
use comet_format::{Level, LevelKind};
use comet_ir::{Bounds, Builder, Compare, Op, Result, Val, types};
use comet_passes::drain::Drained;
use melior::ir::ValueLike;

/// The loops that drain a workspace.
#[derive(Clone)]
pub(super) struct Drain<'c> {
    /// Where the marks of stretches of elements are.
    pub(super) stretches: Stretches<'c>,
    /// Their variables.
    pub(super) vars: Vec<Val<'c>>,
    /// Which of them come to all coordinates, as those of dense levels do.
    dense: Vec<bool>,
    /// The variable that counts what has been drained.
    pub(super) next: Val<'c>,
}

impl<'c> Drain<'c> {
    /// The loops of a consumer, marks and a variable.
    pub(super) fn of(drained: Drained<'c>, stretches: Stretches<'c>, next: Val<'c>) -> Self {
        let is_dense = |level: &Level| level.kind == LevelKind::Dense;
        let dense = match drained.vars.len() {
            1 => vec![false],
            _ => drained.levels().iter().map(is_dense).collect(),
        };
        Self { stretches, vars: drained.vars, dense, next }
    }
}

impl<'c> Lowering<'c> {
    /// The workspace that a loop over `var` drains, and the number of its index.
    pub(super) fn workspace_at(&self, op: Op<'c>, var: Val<'c>) -> Option<(DenseWorkspace<'c>, usize)> {
        let accesses = op.descendants::<AccessOperation>().into_iter().map(Point::of);
        accesses.filter_map(|point| self.dense_workspace(point.tensor)).find_map(|workspace| {
            let drain = workspace.drain.as_ref()?;
            let number = drain.vars.iter().position(|drained| *drained == var)?;
            (!drain.dense[number]).then(|| (workspace.clone(), number))
        })
    }

    /// After the producer: what has come is collected for several loops; one loop does that by itself.
    pub(super) fn collect_for_loops(&mut self, b: Builder<'c>, temporary: Val<'c>) -> Result<'c, ()> {
        let Some(workspace) = self.dense_workspace(temporary) else { return Ok(()) };
        let Some(drain) = workspace.drain.as_ref().filter(|drain| drain.vars.len() > 1) else {
            return Ok(());
        };
        self.collect(b, &workspace)?;
        b.set(drain.next, self.storage.constant(0)?)
    }

    /// Lists what has come to a workspace that is drained, in order, and takes the marks away; gives how many
    /// that are.
    fn collect(&mut self, b: Builder<'c>, workspace: &DenseWorkspace<'c>) -> Result<'c, Val<'c>> {
        let drain = workspace.drain.as_ref().expect("only what is drained is collected");
        let size = self.product(b, &workspace.sizes)?;
        let operands = [workspace.marks, size, drain.stretches.shift, workspace.touched];
        let count = b.value("ta.collect_marked", &operands, types::index(b.context()))?;
        b.set(workspace.count, count)?;
        self.count_use(b, workspace)?;
        Ok(count)
    }

    /// Visits the coordinates that something came to, in order, and leaves the workspace empty.
    pub(super) fn drain_workspace(
        &mut self,
        b: Builder<'c>,
        op: Op<'c>,
        workspace: DenseWorkspace<'c>,
        number: usize,
    ) -> Result<'c, ()> {
        if workspace.sizes.len() > 1 {
            return self.drain_level(b, op, workspace, number);
        }
        let count = self.collect(b, &workspace)?;
        self.make_room_for_rounds(b, op, |_| Ok(count))?;
        let bounds =
            Bounds { start: self.storage.constant(0)?, stop: count, step: self.storage.constant(1)? };
        let others = self.carried(op);
        let results = b.for_step(bounds, &self.contents(&others), |b, number, contents| {
            self.set_contents(&others, contents);
            let coordinate = b.load_index(workspace.touched, number)?;
            self.scoped(|this| {
                this.coordinates.push((op.operand(0), coordinate));
                this.body(b, op)
            })?;
            self.clear(b, &workspace, coordinate)?;
            Ok(self.contents(&others))
        })?;
        self.set_contents(&others, &results);
        Ok(())
    }

    /// Behind the last use of an element that is drained.
    fn clear(&self, b: Builder<'c>, workspace: &DenseWorkspace<'c>, place: Val<'c>) -> Result<'c, ()> {
        match workspace.adds && !self.is_counting() {
            true => b.store(zero(b, types::element(workspace.values.r#type()))?, workspace.values, place),
            false => Ok(()),
        }
    }

    /// Goes with one of several loops over the coordinates that something came to, under those of the loops
    /// around it. What the innermost comes to is empty then.
    fn drain_level(
        &mut self,
        b: Builder<'c>,
        op: Op<'c>,
        workspace: DenseWorkspace<'c>,
        number: usize,
    ) -> Result<'c, ()> {
        let drain = workspace.drain.clone().expect("only what is drained has such loops");
        let is_innermost = number + 1 == drain.vars.len();
        let first = self.first_place(b, &workspace, &drain.vars[..number])?;
        let stride = self.product(b, &workspace.sizes[number + 1..])?;
        let limit = b.addi(first, b.muli(stride, workspace.sizes[number])?)?;
        let (count, one) = (b.get(workspace.count)?, self.storage.constant(1)?);
        self.make_room_for_rounds(b, op, |_| b.subi(count, b.get(drain.next)?))?;
        let others = self.carried(op);
        let results = b.while_loop(
            &self.contents(&others),
            |b, _| is_below(b, &workspace, drain.next, count, limit),
            |b, contents| {
                self.set_contents(&others, contents);
                let turn = b.get(drain.next)?;
                let place = b.load_index(workspace.touched, turn)?;
                let offset = b.subi(place, first)?;
                let coordinate = if is_innermost { offset } else { b.divi(offset, stride)? };
                if is_innermost {
                    b.set(drain.next, b.addi(turn, one)?)?;
                }
                self.scoped(|this| {
                    this.coordinates.push((op.operand(0), coordinate));
                    this.body(b, op)
                })?;
                if is_innermost {
                    self.clear(b, &workspace, place)?;
                }
                Ok(self.contents(&others))
            },
        )?;
        self.set_contents(&others, &results);
        Ok(())
    }

    /// The first place of those that agree in the coordinates of some loops around.
    fn first_place(
        &mut self,
        b: Builder<'c>,
        workspace: &DenseWorkspace<'c>,
        around: &[Val<'c>],
    ) -> Result<'c, Val<'c>> {
        let sizes = &workspace.sizes;
        let mut place = self.storage.constant(0)?;
        for (var, size) in around.iter().zip(sizes) {
            let coordinate = self.coordinate(b, *var)?.expect("the loops around bind it");
            place = b.addi(b.muli(place, *size)?, coordinate)?;
        }
        let rest = self.product(b, &sizes[around.len()..])?;
        b.muli(place, rest)
    }
}

/// Whether something is left to drain below a place.
fn is_below<'c>(
    b: Builder<'c>,
    workspace: &DenseWorkspace<'c>,
    next: Val<'c>,
    count: Val<'c>,
    limit: Val<'c>,
) -> Result<'c, Val<'c>> {
    let bit = types::int(b.context(), 1);
    let turn = b.get(next)?;
    let is_left = b.cmpi(Compare::Lt, turn, count)?;
    let results = b.if_else(
        is_left,
        &[bit],
        |b| Ok(vec![b.cmpi(Compare::Lt, b.load_index(workspace.touched, turn)?, limit)?]),
        |b| Ok(vec![b.int(bit, 0)?]),
    )?;
    Ok(results[0])
}
