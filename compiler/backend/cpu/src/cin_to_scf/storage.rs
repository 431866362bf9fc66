//! The arrays of the tensors, each asked for once in front of the loops.

use comet_format::{Format, IndexWidth, LevelExpr, LevelKind};
use comet_ir::{Builder, Op, Result, Ty, Val, format, types};
use melior::ir::ValueLike;
use std::collections::HashMap;

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Array {
    Positions(usize),
    Coordinates(usize),
    Size(usize),
    Values,
}

/// The arrays that have been asked for.
pub(super) struct Storage<'c> {
    front: Op<'c>,
    arrays: HashMap<(usize, Array), Val<'c>>,
    constants: HashMap<i64, Val<'c>>,
    /// The tensors that workspaces are kept in.
    kept_in: Vec<(Val<'c>, Val<'c>)>,
}

impl<'c> Storage<'c> {
    /// Arrays are asked for in front of the code that takes the place of `compute`. A constant marks where
    /// that code begins.
    pub(super) fn before(compute: Op<'c>) -> Result<'c, Self> {
        let zero = Builder::before(compute).index(0)?;
        let front = Op::defining(zero).expect("a constant is an operation");
        Ok(Self { front, arrays: HashMap::new(), constants: HashMap::from([(0, zero)]), kept_in: Vec::new() })
    }

    /// A workspace is kept in a tensor of its format.
    pub(super) fn keep(&mut self, workspace: Val<'c>, tensor: Val<'c>) {
        self.kept_in.push((workspace, tensor));
    }

    /// The tensor that a workspace is kept in; any other tensor is itself.
    pub(super) fn kept_in(&self, tensor: Val<'c>) -> Val<'c> {
        self.kept_in.iter().find(|(workspace, _)| *workspace == tensor).map_or(tensor, |(_, kept)| *kept)
    }

    /// Asks for the arrays of a workspace again: it has been computed anew.
    pub(super) fn renew(&mut self, b: Builder<'c>, workspace: Val<'c>) -> Result<'c, ()> {
        let format = format::of_type(workspace.r#type());
        let own = super::value::key(workspace);
        for (number, level) in format.levels.iter().enumerate() {
            if level.expr == LevelExpr::Slot {
                // The number of slots follows from the data, as nothing else of a dense level does.
                let size = self.ask(b, workspace, Array::Size(number), types::index(b.context()))?;
                self.arrays.insert((own, Array::Size(number)), size);
            }
            if level.kind == LevelKind::Dense {
                continue;
            }
            let element = match level.kind {
                LevelKind::BitVector(_) => types::int(b.context(), 64),
                _ => index_type(self.front, &format),
            };
            if level.kind != LevelKind::Singleton {
                let ty = types::memref(index_type(self.front, &format));
                let array = self.ask(b, workspace, Array::Positions(number), ty)?;
                self.arrays.insert((own, Array::Positions(number)), array);
            }
            let array = self.ask(b, workspace, Array::Coordinates(number), types::memref(element))?;
            self.arrays.insert((own, Array::Coordinates(number)), array);
        }
        let values = types::memref(types::element(workspace.r#type()));
        let array = self.ask(b, workspace, Array::Values, values)?;
        self.arrays.insert((own, Array::Values), array);
        Ok(())
    }

    /// The pos array of a level.
    pub(super) fn positions(&mut self, tensor: Val<'c>, level: usize) -> Result<'c, Val<'c>> {
        let ty = types::memref(index_type(self.front, &format::of_type(tensor.r#type())));
        self.get(tensor, Array::Positions(level), ty)
    }

    /// The crd array of a level; of a bit vector its words.
    pub(super) fn coordinates(&mut self, tensor: Val<'c>, level: usize) -> Result<'c, Val<'c>> {
        let format = format::of_type(tensor.r#type());
        let element = match format.levels[level].kind {
            LevelKind::BitVector(_) => types::int(self.front.context(), 64),
            _ => index_type(self.front, &format),
        };
        self.get(tensor, Array::Coordinates(level), types::memref(element))
    }

    /// The number of coordinates of a level; a constant where the type fixes it.
    pub(super) fn size(&mut self, tensor: Val<'c>, level: usize) -> Result<'c, Val<'c>> {
        let ty = tensor.r#type();
        let fixed = match format::of_type(ty).levels[level].expr {
            LevelExpr::Mode(mode) => types::static_dim(ty, mode),
            LevelExpr::Mod(_, factor) => Some(factor),
            LevelExpr::Div(mode, factor) => types::static_dim(ty, mode).map(|size| size.div_ceil(factor)),
            LevelExpr::Slot => None,
        };
        if let Some(size) = fixed {
            return self.constant(size as i64);
        }
        self.get(tensor, Array::Size(level), types::index(self.front.context()))
    }

    /// ⌈value / divisor⌉.
    pub(super) fn ceil_div(&mut self, b: Builder<'c>, value: Val<'c>, divisor: i64) -> Result<'c, Val<'c>> {
        let (last, divisor) = (self.constant(divisor - 1)?, self.constant(divisor)?);
        b.divi(b.addi(value, last)?, divisor)
    }

    /// The values.
    pub(super) fn values(&mut self, tensor: Val<'c>) -> Result<'c, Val<'c>> {
        self.get(tensor, Array::Values, types::memref(types::element(tensor.r#type())))
    }

    /// Has another array stand for the values of a tensor; gives the one that has stood for them.
    pub(super) fn put_values(&mut self, tensor: Val<'c>, array: Val<'c>) -> Val<'c> {
        self.arrays.insert((super::value::key(tensor), Array::Values), array).unwrap_or(array)
    }

    /// An `index` constant in front of the loops.
    pub(super) fn constant(&mut self, number: i64) -> Result<'c, Val<'c>> {
        if let Some(value) = self.constants.get(&number) {
            return Ok(*value);
        }
        let value = Builder::before(self.front).index(number)?;
        self.constants.insert(number, value);
        Ok(value)
    }

    /// A variable that is 0 in front of the loops.
    pub(super) fn variable(&mut self, variable: Val<'c>) -> Result<'c, Val<'c>> {
        let b = Builder::before(self.front);
        b.set(variable, b.index(0)?)?;
        Ok(variable)
    }

    fn get(&mut self, tensor: Val<'c>, array: Array, ty: Ty<'c>) -> Result<'c, Val<'c>> {
        let key = (super::value::key(tensor), array);
        if let Some(value) = self.arrays.get(&key) {
            return Ok(*value);
        }
        let value = self.ask(Builder::before(self.front), tensor, array, ty)?;
        self.arrays.insert(key, value);
        Ok(value)
    }

    fn ask(&self, b: Builder<'c>, tensor: Val<'c>, array: Array, ty: Ty<'c>) -> Result<'c, Val<'c>> {
        let (name, level) = match array {
            Array::Positions(level) => ("ta.positions", Some(level)),
            Array::Coordinates(level) => ("ta.coordinates", Some(level)),
            Array::Size(level) => ("ta.level_size", Some(level)),
            Array::Values => ("ta.values", None),
        };
        let attributes: Vec<_> =
            level.map(|level| ("level", b.i64_attribute(level as i64))).into_iter().collect();
        Ok(b.op(name, &[self.kept_in(tensor)], &[ty], &attributes)?.result(0))
    }
}

fn index_type<'c>(op: Op<'c>, format: &Format) -> Ty<'c> {
    types::int(op.context(), if format.index_width == IndexWidth::I64 { 64 } else { 32 })
}
