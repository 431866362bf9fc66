//! Memory that is reserved in front of the loops for the coordinates of a level of a result, so that arrays
//! seldom grow inside of them: a bound by what the operands store, the sum of what both sides of a sum do,
//! the lesser of what the factors of a product do; or a guess, where nothing bounds them. It never follows
//! from an extent.

use super::Emitter;
use super::cursor::folded;
use super::env::Env;
use crate::cin_to_scf::plan::ResultPlan;
use comet_format::{IndexWidth, LevelArray, LevelGroup};
use comet_ir::{Builder, Result, Val, ta};
use comet_notation::concrete::{Access, TensorId, Value, ValueId, Var};
use comet_notation::distinct;

impl<'c> Emitter<'_, 'c> {
    /// Reserves memory for all coordinates that a level can get, where the operands say how many that are.
    pub(super) fn reserve(&self, env: &Env<'c>, result: &ResultPlan, group: &LevelGroup) -> Result<'c, ()> {
        let b = env.b;
        let access = &result.access;
        let levels = &self.levels(access)[..group.levels.end];
        let vars = levels.iter().map(|level| self.compute.relations.level_var(*level, &access.indices));
        let vars: Vec<Var> = vars.collect::<Option<_>>().expect("loops are over the levels' variables");
        let value = self.compute.assign(result.assign).value;
        let most = match self.most_present(env, value, &vars)? {
            Some(most) => most,
            None if group.levels.end == self.levels(access).len() => self.first_guess(env)?,
            None => return Ok(()),
        };
        // A bound beyond the index width is no error: only what is stored may be.
        let most = match self.compute.format(access).index_width {
            IndexWidth::I32 => b.mini(most, self.constant(i64::from(i32::MAX) - 1)?)?,
            IndexWidth::I64 => most,
        };
        let tensor = self.stored_in(env, access.tensor);
        ta::AppendGrow::build(b, tensor, group.levels.start as i64, most)?.set_if_possible(true);
        Ok(())
    }

    /// The most values of these variables together at which a value of the compute is there; `None` where no
    /// operand says.
    fn most_present(&self, env: &Env<'c>, value: ValueId, vars: &[Var]) -> Result<'c, Option<Val<'c>>> {
        let b = env.b;
        let operands = match self.compute.value(value) {
            Value::Outside => return Ok(None),
            Value::Access(access) => {
                return match self.compute.tensor(access.tensor).workspace {
                    Some(_) => self.most_in_workspace(env, access.tensor, vars),
                    None => self.most_stored(env, access, vars),
                };
            }
            Value::Unite(..) => {
                let terms = self.terms(value).into_iter();
                let known = terms.map(|term| self.most_present(env, term, vars));
                return total(b, &known.collect::<Result<'c, Vec<_>>>()?);
            }
            Value::Mask { value, .. } | Value::Drop { value, .. } => vec![*value],
            other => other.operands(),
        };
        let known = operands.into_iter().map(|operand| self.most_present(env, operand, vars));
        let known: Vec<Val<'c>> = known.collect::<Result<'c, Vec<_>>>()?.into_iter().flatten().collect();
        match known.is_empty() {
            true => Ok(None),
            false => folded(known.into_iter().map(Ok), |least, other| b.mini(least, other)).map(Some),
        }
    }

    /// Room to begin with where nothing bounds what a result gets: some times what the sparse operands store
    /// together. What is not used of it is never touched; growing copies what is there, and touches as much.
    /// Both numbers are chosen: few products of matrices have 64 times as many entries as their operands, and
    /// any system grants addresses for 2²⁵.
    fn first_guess(&self, env: &Env<'c>) -> Result<'c, Val<'c>> {
        let b = env.b;
        const TIMES: i64 = 64;
        /// In entries.
        const MOST: i64 = 1 << 25;
        let read = self.compute.reads(&self.compute.body).into_iter().map(|access| access.tensor);
        let is_sparse = |tensor: &TensorId| self.compute.tensor(*tensor).is_sparse_of_program();
        let mut stored = self.constant(0)?;
        for operand in distinct(read.filter(is_sparse)) {
            stored = b.addi(stored, b.count_elements(self.values(env, operand)?, self.of(operand))?)?;
        }
        let guess = b.muli(stored, self.constant(TIMES)?)?;
        b.mini(guess, self.constant(MOST)?)
    }

    /// Every assignment to a workspace may have come to other values.
    fn most_in_workspace(
        &self,
        env: &Env<'c>,
        workspace: TensorId,
        vars: &[Var],
    ) -> Result<'c, Option<Val<'c>>> {
        let assigns = self.compute.assigns.iter().filter(|assign| assign.target.tensor == workspace);
        let known = assigns.map(|assign| self.most_present(env, assign.value, vars));
        total(env.b, &known.collect::<Result<'c, Vec<_>>>()?)
    }

    /// What a sparse tensor stores in the first level that, with those above, is about all the variables.
    fn most_stored(&self, env: &Env<'c>, access: &Access, vars: &[Var]) -> Result<'c, Option<Val<'c>>> {
        let levels = self.levels(access);
        let of_levels: Vec<Option<Var>> =
            levels.iter().map(|level| self.compute.relations.level_var(*level, &access.indices)).collect();
        let covers = |number: &usize| vars.iter().all(|var| of_levels[..=*number].contains(&Some(*var)));
        let Some(number) = (0..levels.len()).find(covers) else { return Ok(None) };
        match levels[number].kind.has(LevelArray::Crd) {
            true => env.b.length(self.coordinates(env, access.tensor, number)?).map(Some),
            false => Ok(None),
        }
    }

    /// The terms of a sum of sums, each access once.
    fn terms(&self, sum: ValueId) -> Vec<ValueId> {
        let mut terms: Vec<ValueId> = Vec::new();
        let mut rest = self.compute.value(sum).operands();
        while let Some(value) = rest.pop() {
            let row = self.compute.value(value);
            let is_known = |term: &ValueId| self.compute.value(*term) == row;
            match row {
                Value::Unite(_, operands) => rest.extend(operands),
                Value::Access(_) if terms.iter().any(is_known) => {}
                _ => terms.push(value),
            }
        }
        terms
    }
}

/// The sum of numbers that are all known.
fn total<'c>(b: Builder<'c>, numbers: &[Option<Val<'c>>]) -> Result<'c, Option<Val<'c>>> {
    match numbers.iter().copied().collect::<Option<Vec<Val<'c>>>>() {
        Some(numbers) if !numbers.is_empty() => {
            folded(numbers.into_iter().map(Ok), |total, number| b.addi(total, number)).map(Some)
        }
        _ => Ok(None),
    }
}
