//! The arrays of the tensors, each asked for once in front of the loops.

use super::Emitter;
use super::env::{Env, index_type};
use comet_format::{Format, LevelArray, LevelExpr, ValueType};
use comet_ir::{Builder, Op, Result, Ty, Val, ta, types};
use comet_notation::concrete::TensorId;
use melior::ir::ValueLike;
use std::cell::RefCell;
use std::collections::HashMap;

/// An array of a tensor, or the number of coordinates of one of its levels.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(in crate::cin_to_scf) enum Array {
    Positions(usize),
    Coordinates(usize),
    Size(usize),
    Values,
}

pub(in crate::cin_to_scf) struct Storage<'c> {
    front: Op<'c>,
    arrays: RefCell<HashMap<(TensorId, Array), Val<'c>>>,
    constants: RefCell<HashMap<i64, Val<'c>>>,
    /// The tensors that the workspaces are kept in that have one.
    kept_in: HashMap<TensorId, Val<'c>>,
}

impl<'c> Storage<'c> {
    /// Arrays are asked for in front of the code that takes the place of `compute`. A constant marks where
    /// that code begins.
    pub(in crate::cin_to_scf) fn before(
        compute: Op<'c>,
        kept_in: HashMap<TensorId, Val<'c>>,
    ) -> Result<'c, Self> {
        let zero = Builder::before(compute).index(0)?;
        let front = Op::defining(zero).expect("a constant is an operation");
        let constants = RefCell::new(HashMap::from([(0, zero)]));
        Ok(Self { front, arrays: RefCell::default(), constants, kept_in })
    }
}

impl<'c> Emitter<'_, 'c> {
    /// The tensor that a workspace is kept in; any other tensor is itself.
    pub(super) fn kept_in(&self, tensor: TensorId) -> Val<'c> {
        self.storage.kept_in.get(&tensor).copied().unwrap_or(self.handles.tensors[tensor.0])
    }

    pub(super) fn ty(&self, tensor: TensorId) -> Ty<'c> {
        self.handles.tensors[tensor.0].r#type()
    }

    /// The type that the elements of a tensor are computed in. Values are of such a type in registers and in
    /// workspaces that are no tensors.
    pub(super) fn element(&self, tensor: TensorId) -> Ty<'c> {
        types::of_value(self.storage.front.context(), self.of(tensor).computed())
    }

    /// The type that the elements of a tensor are stored as.
    pub(super) fn of(&self, tensor: TensorId) -> ValueType {
        self.compute.tensor(tensor).element
    }

    /// The type of the array of the values of a tensor.
    pub(super) fn values_type(&self, tensor: TensorId) -> Ty<'c> {
        types::memref(types::stored(self.storage.front.context(), self.of(tensor)))
    }

    fn format(&self, tensor: TensorId) -> &Format {
        &self.compute.tensor(tensor).format
    }

    /// Asks for the arrays of a workspace again: it has been computed anew.
    pub(super) fn renew(&self, env: &mut Env<'c>, workspace: TensorId) -> Result<'c, ()> {
        let b = env.b;
        for (number, level) in self.format(workspace).levels.iter().enumerate() {
            let mut renewed = Vec::new();
            if level.expr == LevelExpr::Slot {
                // The number of slots follows from the data, as nothing else of a full level does.
                renewed.push(Array::Size(number));
            }
            for array in level.kind.arrays() {
                renewed.push(match array {
                    LevelArray::Pos => Array::Positions(number),
                    _ => Array::Coordinates(number),
                });
            }
            for array in renewed {
                let value = self.ask(b, workspace, array)?;
                env.arrays.insert((workspace, array), value);
            }
        }
        let values = self.ask(b, workspace, Array::Values)?;
        env.arrays.insert((workspace, Array::Values), values);
        Ok(())
    }

    pub(in crate::cin_to_scf) fn positions(
        &self,
        env: &Env<'c>,
        tensor: TensorId,
        level: usize,
    ) -> Result<'c, Val<'c>> {
        self.array(env, tensor, Array::Positions(level))
    }

    /// The crd array of a level; of a bit vector its words.
    pub(in crate::cin_to_scf) fn coordinates(
        &self,
        env: &Env<'c>,
        tensor: TensorId,
        level: usize,
    ) -> Result<'c, Val<'c>> {
        self.array(env, tensor, Array::Coordinates(level))
    }

    pub(super) fn values(&self, env: &Env<'c>, tensor: TensorId) -> Result<'c, Val<'c>> {
        self.array(env, tensor, Array::Values)
    }

    /// The number of coordinates of a level; a constant where the type fixes it.
    pub(in crate::cin_to_scf) fn level_size(
        &self,
        env: &Env<'c>,
        tensor: TensorId,
        level: usize,
    ) -> Result<'c, Val<'c>> {
        let ty = self.ty(tensor);
        let fixed = match self.format(tensor).levels[level].expr {
            LevelExpr::Mode(mode) => types::static_dim(ty, mode),
            LevelExpr::Mod(_, factor) => Some(factor),
            LevelExpr::Div(mode, factor) => types::static_dim(ty, mode).map(|size| size.div_ceil(factor)),
            LevelExpr::Slot => None,
        };
        match fixed {
            Some(size) => self.constant(size as i64),
            None => self.array(env, tensor, Array::Size(level)),
        }
    }

    /// ⌈value / divisor⌉.
    pub(in crate::cin_to_scf) fn ceil_div(
        &self,
        b: Builder<'c>,
        value: Val<'c>,
        divisor: i64,
    ) -> Result<'c, Val<'c>> {
        let (last, divisor) = (self.constant(divisor - 1)?, self.constant(divisor)?);
        b.divi(b.addi(value, last)?, divisor)
    }

    pub(super) fn product(&self, b: Builder<'c>, sizes: &[Val<'c>]) -> Result<'c, Val<'c>> {
        let one = self.constant(1)?;
        sizes.iter().try_fold(one, |product, size| b.muli(product, *size))
    }

    /// An `index` constant in front of the loops.
    pub(in crate::cin_to_scf) fn constant(&self, number: i64) -> Result<'c, Val<'c>> {
        if let Some(value) = self.storage.constants.borrow().get(&number) {
            return Ok(*value);
        }
        let value = Builder::before(self.storage.front).index(number)?;
        self.storage.constants.borrow_mut().insert(number, value);
        Ok(value)
    }

    /// Makes a variable 0 in front of the loops.
    pub(super) fn zeroed(&self, variable: Val<'c>) -> Result<'c, Val<'c>> {
        let b = Builder::before(self.storage.front);
        b.set(variable, b.index(0)?)?;
        Ok(variable)
    }

    fn array(&self, env: &Env<'c>, tensor: TensorId, array: Array) -> Result<'c, Val<'c>> {
        let tensor = self.pattern_owner(tensor, array);
        if let Some(value) = env.arrays.get(&(tensor, array)) {
            return Ok(*value);
        }
        if let Some(value) = self.storage.arrays.borrow().get(&(tensor, array)) {
            return Ok(*value);
        }
        let value = self.ask(Builder::before(self.storage.front), tensor, array)?;
        self.storage.arrays.borrow_mut().insert((tensor, array), value);
        Ok(value)
    }

    /// The tensor whose array has the same contents, and is there before the loops of the compute are: the
    /// operand's, for a level whose coordinates are an operand's.
    fn pattern_owner(&self, tensor: TensorId, array: Array) -> TensorId {
        let level = match array {
            Array::Positions(level) | Array::Coordinates(level) | Array::Size(level) => level,
            Array::Values => return tensor,
        };
        match self.plan.pattern(tensor).filter(|pattern| level < pattern.levels) {
            Some(pattern) => self.pattern_owner(pattern.operand.tensor, array),
            None => tensor,
        }
    }

    fn ask(&self, b: Builder<'c>, tensor: TensorId, array: Array) -> Result<'c, Val<'c>> {
        let (format, stored) = (self.format(tensor), self.kept_in(tensor));
        let index = types::memref(index_type(b, format.index_width));
        Ok(match array {
            Array::Positions(level) => ta::Positions::build(b, stored, level as i64, index)?.positions(),
            Array::Coordinates(level) => {
                let has_words = format.levels[level].kind.has(LevelArray::Words);
                let ty = if has_words { types::memref(types::int(b.context(), 64)) } else { index };
                ta::Coordinates::build(b, stored, level as i64, ty)?.coordinates()
            }
            Array::Size(level) => ta::LevelSize::build(b, stored, level as i64)?.size(),
            Array::Values => ta::Values::build(b, stored, self.values_type(tensor))?.values(),
        })
    }
}
