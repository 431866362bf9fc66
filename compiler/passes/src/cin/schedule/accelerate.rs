//! What only accelerators do: `scalar_promote`, `communicate`, `map`, `accelerate`, `environment`
//! (stardust.txt section 7, Tables 2 and 5). Other back ends leave these commands out, with a remark.
//!
//! `map(k, spatial, reduction, n)` puts the loop over k into a `cin.map`. `accelerate` is the compound of the
//! paper: what the loop reduces goes into a scalar (its c1), dense operands that it goes through in order are
//! copied to the chip in front of it (its c2), and what is left is mapped (its c3).

use super::loops::{chains, rearrange};
use super::{Schedule, Units, place_of, report_elsewhere};
use crate::cin::scalar_promote;
use crate::nest::{self, Chain, point};
use crate::schedule::{Accelerator, Command, Expression, Mapped, Precompute};
use crate::sums::Sums;
use comet_ir::{Builder, IrError, Result, Val, cin, format};
use melior::ir::ValueLike;

impl<'c> Schedule<'c> {
    pub(super) fn environment(&mut self, command: &Command<'c>, name: &str, value: i64) -> Result<'c, ()> {
        if self.units == Units::Spatial {
            let b = self.declarations(command);
            cin::Environment::build(b, name, value)?;
        }
        Ok(())
    }

    pub(super) fn accelerator(&mut self, command: &Command<'c>, what: &Accelerator) -> Result<'c, ()> {
        if self.units != Units::Spatial {
            let is_for_processes = match what {
                Accelerator::Communicate { tensor, .. } => self.is_operand(tensor),
                _ => false,
            };
            // `ta-distribute` has read what is for processes.
            if self.units != Units::Cpu || !is_for_processes {
                report_elsewhere(command);
            }
            return Ok(());
        }
        match what {
            Accelerator::ScalarPromote => self.scalar_promote(),
            Accelerator::Communicate { tensor, var } => self.communicate(command, tensor, var),
            Accelerator::Map(mapped) => self.map(command, mapped),
            Accelerator::Accelerate(mapped) => {
                self.scalar_promote()?;
                self.copy_to_chip(command, mapped)?;
                self.map(command, mapped)
            }
        }
    }

    /// Loops that reduce go inside of others, as far as the storage of sparse operands allows, and reduce
    /// into a scalar.
    fn scalar_promote(&mut self) -> Result<'c, ()> {
        if let Some(chain) = Chain::of(self.compute) {
            let relations = nest::relations(self.compute);
            let (kept, reducing): (Vec<cin::Forall<'c>>, Vec<cin::Forall<'c>>) =
                chain.loops.iter().partition(|forall| chain.moves_target(**forall, &relations));
            let wanted = [kept, reducing].concat();
            let vars: Vec<Val<'c>> = wanted.iter().map(|forall| forall.var()).collect();
            if self.keeps_storage_orders(&vars) {
                for loops in chains(self.compute.body()) {
                    rearrange(&loops, &wanted)?;
                }
            }
        }
        scalar_promote::promote(self.compute, Sums::AnyOrder)
    }

    /// Whether loops in this order come to the levels of every operand that is not dense in their order.
    fn keeps_storage_orders(&self, vars: &[Val<'c>]) -> bool {
        self.compute.walk::<cin::Access>().into_iter().all(|access| {
            let (tensor, indices) = point(access);
            let place = |var: Val<'c>| vars.iter().position(|other| *other == var);
            let levels = nest::in_storage_order(tensor, &indices).into_iter().map(place);
            format::of(tensor).is_dense() || levels.is_sorted()
        })
    }

    fn is_operand(&self, tensor: &str) -> bool {
        self.assigns_to(tensor).is_empty() && self.reads(tensor)
    }

    fn communicate(&mut self, command: &Command<'c>, tensor: &str, var: &str) -> Result<'c, ()> {
        if self.is_operand(tensor) {
            let message = format!("`{tensor}` is an operand, expected the result");
            let hint = format!(
                "on a chip, `communicate` says behind which loop a result leaves it; \
                 `precompute({tensor}[…], …, W : onchip …)` brings a part of an operand to it"
            );
            return Err(IrError::at(command.location(), message).hint(hint));
        }
        for forall in self.uncut_loops(command, var)? {
            forall.set_communicated(Some(tensor));
        }
        Ok(())
    }

    fn map(&mut self, command: &Command<'c>, mapped: &Mapped) -> Result<'c, ()> {
        for forall in self.uncut_loops(command, &mapped.var)? {
            if forall.parent().is_some_and(|parent| parent.is::<cin::Map>()) {
                let message = format!("the loop over `{}` is mapped already", mapped.var);
                return Err(IrError::at(command.location(), message).hint("leave one of the two out"));
            }
            self.check_function(command, mapped, forall)?;
            let b = Builder::before(forall);
            let factor = mapped.factor.unwrap_or(1);
            let map = cin::Map::build(b, &mapped.backend, &mapped.function, factor)?;
            map.set_command(Some(place_of(command))).set_setting(command.setting.as_deref());
            forall.move_to_end(map.body());
        }
        Ok(())
    }

    /// A loop can be what its function is.
    fn check_function(
        &self,
        command: &Command<'c>,
        mapped: &Mapped,
        forall: cin::Forall<'c>,
    ) -> Result<'c, ()> {
        let error = |message: String, hint: &str| Err(IrError::at(command.location(), message).hint(hint));
        if mapped.backend != "spatial" {
            let message = format!("`{}` is no back end of an accelerator", mapped.backend);
            return error(message, "write `spatial`");
        }
        if mapped.function != "reduction" {
            let message = format!("`{}` is no function of `spatial`, expected `reduction`", mapped.function);
            return error(message, "`parallelize(i, spatial, n)` runs iterations of any loop at once");
        }
        let assigns = forall.walk::<cin::Assign>();
        let is_scalar =
            |assign: &cin::Assign<'c>| nest::is_temporary(assign.tensor()) && assign.indices().is_empty();
        if assigns.iter().all(is_scalar) {
            return Ok(());
        }
        let message = format!("the loop over `{}` does not reduce into a scalar", mapped.var);
        let hint = "write `scalar_promote()` before this command, or an order of loops in which it can come innermost";
        error(message, hint)
    }

    /// Copies dense operands to the chip that the loop over a variable goes through in order, element by
    /// element.
    fn copy_to_chip(&mut self, command: &Command<'c>, mapped: &Mapped) -> Result<'c, ()> {
        let Some(var) = self.var(&mapped.var) else { return Ok(()) };
        if nest::is_sparse_at(&nest::relations(self.compute), self.compute, var) {
            return Ok(());
        }
        let mut copied: Vec<(String, Vec<String>)> = Vec::new();
        for access in self.accesses_in(var) {
            let (tensor, indices) = point(access);
            let is_row = nest::in_storage_order(tensor, &indices).last() == Some(&var);
            let is_there = format::memory_of_type(tensor.r#type()) == format::Memory::OnChip;
            let is_dense = format::of(tensor).is_dense();
            if nest::is_temporary(tensor) || !is_dense || !is_row || is_there {
                continue;
            }
            let named = (nest::name(tensor), indices.iter().map(|var| nest::name(*var)).collect());
            if !copied.contains(&named) {
                copied.push(named);
            }
        }
        for (tensor, indices) in copied {
            self.precompute(
                command,
                &Precompute {
                    expression: Expression::Access(tensor.clone(), indices),
                    vars: vec![mapped.var.clone()],
                    inner: vec![mapped.var.clone()],
                    workspace: format!("{tensor}_on"),
                    format: format::dense(1),
                    memory: format::Memory::OnChip,
                },
            )?;
        }
        Ok(())
    }

    fn accesses_in(&self, var: Val<'c>) -> Vec<cin::Access<'c>> {
        let loops = self.compute.walk::<cin::Forall>().into_iter();
        let loops = loops.filter(|forall| forall.var() == var);
        loops.flat_map(|forall| forall.walk::<cin::Access>()).collect()
    }
}
