//! The host's part: arrays from files to memory, arguments, and results back.

use super::expr::{binary, expr, int, name, plus, read, times};
use super::nest::{Home, Nest, NestTensor, Refusal};
use super::text;
use super::{Emitter, index_type, lanes};
use crate::app::{
    self, App, AppExpr, AppParameter, ExprKind, Host, HostKind, Operator, Role, Scalar, Type, mode_of,
};
use crate::names;
use comet_diag::Span;
use comet_format::{Level, LevelExpr};
use comet_notation::free_name;
use std::collections::BTreeSet;

/// The parameters that every application has, with what they are where the environment does not say.
const PARAMETERS: [(&str, i64); 4] =
    [("bp", 2), ("ip", 16), ("nnz_max", 1 << 24), ("nnz_accel_max", 1 << 16)];

/// What Fig. 6 of the paper calls two of them.
const OTHER_NAMES: [(&str, &str); 2] = [("bp", "outerPar"), ("ip", "innerPar")];

/// The names that the host declares: settings, numbers, extents, arrays in DRAM and in its own memory.
pub(super) fn declared(nest: &Nest) -> BTreeSet<String> {
    let settings = nest.environment.iter().map(|(name, _)| name.clone());
    let usual = PARAMETERS.iter().map(|(name, _)| (*name).to_owned());
    settings.chain(usual).chain(of_data(nest)).collect()
}

/// The names of what the host has of numbers and tensors.
fn of_data(nest: &Nest) -> impl Iterator<Item = String> {
    let numbers = nest.numbers.iter().flat_map(|(name, _)| [name.clone(), format!("{name}_h")]);
    let of_tensor = |tensor: &NestTensor| {
        let extents = (0..tensor.levels.len()).map(|level| extent_name(&tensor.name, level));
        let arrays = arrays(tensor).into_iter();
        let arrays = arrays.flat_map(|array| ["d", "h", "w", "new_h"].map(|end| format!("{array}_{end}")));
        let wholes = tensor.modes.iter().map(|mode| whole_extent_name(&tensor.name, *mode));
        let counts = ["_dims_h", "1_nnz", "1_nnz_h"].map(|end| format!("{}{end}", tensor.name));
        extents.chain(wholes).chain(arrays).chain(counts).collect::<Vec<_>>()
    };
    numbers.chain(nest.tensors.iter().flat_map(of_tensor))
}

/// Refuses settings that a text cannot declare, and more lanes or copies than there can be.
pub(super) fn check_environment(nest: &Nest) -> Result<(), Refusal> {
    for (name, value) in nest.environment.iter().filter(|(_, value)| *value > lanes::MOST) {
        let what = match name.as_str() {
            "ip" | "innerPar" => "lanes of a vector",
            "bp" | "outerPar" => "copies of a loop, for as many shuffle networks",
            _ => continue,
        };
        let most = lanes::MOST;
        let refusal = Refusal::new(format!("the setting `{name}` is {value}, and there are {most} {what}"));
        return Err(refusal.hint(format!("set `environment({name}, {most})`, or less")));
    }
    if let Some((name, value)) = nest.environment.iter().find(|(_, value)| i32::try_from(*value).is_err()) {
        let error = format!("the setting `{name}` is {value}, and those of a class go up to {}", i32::MAX);
        return Err(Refusal::new(error).hint("set a smaller number"));
    }
    let is_said = |wanted: &str| nest.environment.iter().any(|(name, _)| name == wanted);
    if let Some((one, other)) = OTHER_NAMES.iter().find(|(one, other)| is_said(one) && is_said(other)) {
        let error = format!("`{one}` and `{other}` are two names of one setting, and both are set");
        return Err(Refusal::new(error).hint("leave one of them out"));
    }
    let is_parameter = |name: &str| PARAMETERS.iter().any(|(usual, _)| *usual == name);
    let mut settings = nest.environment.iter();
    let of_data: BTreeSet<String> = of_data(nest).collect();
    let is_taken = |name: &str| !names::is_free(name) || of_data.contains(name);
    match settings.find(|(name, _)| is_taken(name) && !is_parameter(name)) {
        Some((name, _)) => Err(Refusal::new(format!(
            "the setting `{name}` has a name that means something else in the application"
        ))
        .hint(format!("call it something else, such as `environment({name}_par, …)`"))),
        None => Ok(()),
    }
}

pub(super) fn extent_name(tensor: &str, level: usize) -> String {
    format!("{tensor}{}_dim", level + 1)
}

/// The argument with the extent of a mode that tiles divide.
pub(super) fn whole_extent_name(tensor: &str, mode: usize) -> String {
    format!("{tensor}{}_mode_dim", mode + 1)
}

impl Emitter<'_> {
    pub(super) fn finish(mut self) -> App {
        let accel = self.frames.close().statements;
        let mut host = HostPart { emitter: &self, before: Vec::new(), after: Vec::new() };
        host.all();
        let statements = |kinds: Vec<HostKind>| -> Vec<Host> {
            kinds.into_iter().map(|kind| Host { kind, span: Span::default() }).collect()
        };
        let (before, after) = (statements(host.before), statements(host.after));
        let nest = self.nest;
        let mut types = vec![("T".to_owned(), Scalar::Int.into())];
        types.extend(self.values_type().map(|element| ("V".to_owned(), element.into())));
        App {
            name: nest.name.clone(),
            comment: text::lines(nest).into_iter().chain(lanes::remark(nest)).collect(),
            tensors: self.header(),
            parameters: nest.parameters(),
            types,
            arguments: Vec::new(),
            before,
            accel,
            after,
        }
    }

    /// A setting of the environment, by the name that the schedule has for it.
    pub(super) fn setting(&self, usual: &str) -> AppExpr {
        name(self.nest.setting_name(usual))
    }

    fn header(&self) -> Vec<app::Tensor> {
        let given = self.nest.tensors.iter().enumerate().filter(|(_, tensor)| !tensor.is_temporary);
        let header = given.map(|(number, tensor)| app::Tensor {
            name: tensor.name.clone(),
            element: tensor.element,
            levels: tensor
                .levels
                .iter()
                .map(|level| Level { expr: level.expr.with_mode(tensor.modes[mode_of(level)]), ..*level })
                .collect(),
            role: self.role(number),
        });
        header.collect()
    }

    fn role(&self, tensor: usize) -> Role {
        let results = self.plan.units.iter().filter_map(|unit| unit.result.as_ref());
        let mut updated = results.filter(|result| result.begins_with_elements);
        match self.nest.role(tensor) {
            Role::Result if updated.any(|result| result.target.tensor == tensor) => Role::Updated,
            role => role,
        }
    }
}

impl Nest {
    fn setting_name<'s>(&self, usual: &'s str) -> &'s str {
        let is_said = |wanted: &str| self.environment.iter().any(|(name, _)| name == wanted);
        let other = OTHER_NAMES.iter().find(|(name, _)| *name == usual);
        other.filter(|(_, other)| is_said(other)).map_or(usual, |(_, other)| other)
    }

    pub(super) fn setting_value(&self, usual: &str) -> i64 {
        let name = self.setting_name(usual);
        let parameter = self.parameters().into_iter().find(|parameter| parameter.name == name);
        parameter.expect("every application has it").value
    }

    fn parameters(&self) -> Vec<AppParameter> {
        let environment = &self.environment;
        let said = |wanted: &str| environment.iter().rev().find(|(name, _)| name == wanted);
        let usual = PARAMETERS.iter().map(|(usual, value)| {
            let name = self.setting_name(usual);
            let value = said(name).map_or(*value, |(_, value)| *value);
            let value = if *usual == "ip" { value.min(lanes::of_values(self)) } else { value };
            (name.to_owned(), value)
        });
        let mut all: Vec<(String, i64)> = usual.collect();
        for (name, _) in environment {
            if all.iter().all(|(other, _)| other != name) {
                all.extend(said(name).cloned());
            }
        }
        all.into_iter().map(|(name, value)| AppParameter { name, value, span: Span::default() }).collect()
    }
}

struct HostPart<'l, 'n> {
    emitter: &'l Emitter<'n>,
    before: Vec<HostKind>,
    after: Vec<HostKind>,
}

impl HostPart<'_, '_> {
    fn all(&mut self) {
        let nest = self.emitter.nest;
        for (number, tensor) in nest.tensors.iter().enumerate() {
            if tensor.home != Home::OffChip {
                continue;
            }
            if tensor.is_temporary {
                self.room(tensor);
                continue;
            }
            let role = self.emitter.role(number);
            self.extents(number, tensor);
            match role {
                Role::Operand | Role::Updated => self.arrays(number, tensor),
                Role::Result => self.room(tensor),
            }
            if role != Role::Operand {
                self.read_back(tensor, role);
            }
        }
        for (number, element) in &nest.numbers {
            let element = self.emitter.typed(*element);
            let array = format!("{number}_h");
            self.before.push(load_csv(&array, element.clone(), number));
            self.argument(number.clone(), element, read(&array, int(0)));
        }
    }

    /// Passes a value to the accelerator.
    fn argument(&mut self, name: String, element: Type, value: AppExpr) {
        self.before.push(HostKind::ArgIn(name.clone(), element));
        self.before.push(HostKind::SetArg(name, value));
    }

    /// The extents of a tensor, those that are asked for as arguments.
    fn extents(&mut self, number: usize, tensor: &NestTensor) {
        let levels =
            (0..tensor.levels.len()).filter(|level| self.emitter.needs.extents.contains(&(number, *level)));
        let levels: Vec<usize> = levels.collect();
        let wholes = self.emitter.needs.whole_extents.iter().filter(|(other, _)| *other == number);
        let wholes: Vec<usize> = wholes.map(|(_, mode)| *mode).collect();
        let is_asked = !levels.is_empty() || !wholes.is_empty();
        if tensor.levels.is_empty() || !is_asked && self.emitter.role(number) == Role::Operand {
            return;
        }
        let dims = dims(tensor);
        self.before.push(load_csv(&dims, index_type(), &format!("{}_dims", tensor.name)));
        for level in levels {
            self.argument(extent_name(&tensor.name, level), index_type(), extent(tensor, level));
        }
        for mode in wholes {
            let argument = whole_extent_name(&tensor.name, mode);
            self.argument(argument, index_type(), read(&dims, int(mode as i64)));
        }
    }

    fn arrays(&mut self, number: usize, tensor: &NestTensor) {
        for array in arrays(tensor) {
            if is_outermost_pos(tensor, &array) {
                self.count(number, tensor, &array);
                continue;
            }
            let (host, dram) = (format!("{array}_h"), format!("{array}_d"));
            let element = self.element(tensor, &array);
            self.before.push(load_csv(&host, element.clone(), &array));
            let size = expr(ExprKind::Length(host.clone()));
            self.before.push(HostKind::Dram { name: dram.clone(), element, size });
            self.before.push(HostKind::SetMem { dram, array: host });
        }
    }

    /// How many coordinates an outermost level has, as an argument.
    fn count(&mut self, number: usize, tensor: &NestTensor, array: &str) {
        if self.emitter.needs.counts.contains(&number) {
            let (host, argument) = (format!("{array}_h"), format!("{}1_nnz", tensor.name));
            self.before.push(load_csv(&host, index_type(), array));
            self.argument(argument, index_type(), read(&host, int(1)));
        }
    }

    fn room(&mut self, tensor: &NestTensor) {
        for array in arrays(tensor) {
            if is_outermost_pos(tensor, &array) && !tensor.is_temporary {
                self.before.push(HostKind::ArgOut(format!("{}1_nnz", tensor.name), index_type()));
                continue;
            }
            let element = self.element(tensor, &array);
            let size = match array.strip_prefix(&tensor.name) {
                Some("2_pos") if is_dense(tensor, 0) && !tensor.is_temporary => {
                    plus(extent(tensor, 0), int(1))
                }
                Some("_vals") if tensor.last_compressed().is_none() && !tensor.is_temporary => {
                    (0..tensor.levels.len()).fold(int(1), |size, level| times(size, extent(tensor, level)))
                }
                _ => name("nnz_max"),
            };
            let dram = format!("{array}_d");
            self.before.push(HostKind::Dram { name: dram, element, size });
        }
    }

    /// The arrays of a result as files. Those that have room for more are cut where the positions say.
    fn read_back(&mut self, tensor: &NestTensor, role: Role) {
        let mut count = int(1);
        for (level, stored) in tensor.levels.iter().enumerate() {
            if stored.is_full() {
                count = times(count, extent(tensor, level));
                continue;
            }
            let [pos, crd] = ["pos", "crd"].map(|array| format!("{}{}_{array}", tensor.name, level + 1));
            if level == 0 {
                count = self.counted(tensor, &pos);
            } else {
                self.file(&pos, "h", plus(count.clone(), int(1)), index_type());
                count = read(&format!("{pos}_h"), count);
            }
            self.file(&crd, "h", count.clone(), index_type());
        }
        let element = self.emitter.typed(tensor.element);
        // What a tensor held before has the name already.
        let suffix = if role == Role::Updated { "new_h" } else { "h" };
        self.file(&format!("{}_vals", tensor.name), suffix, count, element);
    }

    /// The positions of an outermost level: 0, and how many coordinates it has.
    fn counted(&mut self, tensor: &NestTensor, pos: &str) -> AppExpr {
        let count = format!("{}1_nnz_h", tensor.name);
        let argument = expr(ExprKind::GetArg(format!("{}1_nnz", tensor.name)));
        self.after.push(HostKind::Val(count.clone(), argument));
        self.tabulate(pos, int(2), index_type(), |place| times(place, name(&count)));
        name(count)
    }

    fn file(&mut self, array: &str, suffix: &str, size: AppExpr, element: Type) {
        let memory = format!("{array}_{suffix}");
        self.after.push(HostKind::GetMem { name: memory.clone(), dram: format!("{array}_d") });
        self.tabulate(array, size, element, |place| read(&memory, place));
    }

    /// Writes an array by what the element at a place is.
    fn tabulate(
        &mut self,
        array: &str,
        size: AppExpr,
        element: Type,
        value: impl FnOnce(AppExpr) -> AppExpr,
    ) {
        let part = format!("{array}_w");
        let declared = declared(self.emitter.nest);
        let binder = free_name("i", |binder| declared.contains(binder));
        let tabulate = ExprKind::Tabulate {
            element: Some(element),
            size: Box::new(size),
            value: Box::new(value(name(&binder))),
            binder,
        };
        self.after.push(HostKind::Val(part.clone(), expr(tabulate)));
        self.after.push(HostKind::WriteCsv { array: part, file: format!("{array}.csv") });
    }

    fn element(&self, tensor: &NestTensor, array: &str) -> Type {
        let is_values = array.ends_with("_vals");
        if is_values { self.emitter.typed(tensor.element) } else { index_type() }
    }
}

fn arrays(tensor: &NestTensor) -> Vec<String> {
    let compressed = tensor.levels.iter().enumerate().filter(|(_, level)| !level.is_full());
    let of_level = |level: usize| ["pos", "crd"].map(|array| format!("{}{}_{array}", tensor.name, level + 1));
    let mut arrays: Vec<String> = compressed.flat_map(|(level, _)| of_level(level)).collect();
    arrays.push(format!("{}_vals", tensor.name));
    arrays
}

/// `val name = loadCSV1D[T]("file.csv", "\\n")`
fn load_csv(name: &str, element: Type, file: &str) -> HostKind {
    HostKind::LoadCsv { name: name.to_owned(), element, file: format!("{file}.csv") }
}

fn dims(tensor: &NestTensor) -> String {
    format!("{}_dims_h", tensor.name)
}

fn is_dense(tensor: &NestTensor, level: usize) -> bool {
    tensor.levels[level].is_full()
}

/// The extent of a level, on the host.
fn extent(tensor: &NestTensor, level: usize) -> AppExpr {
    let of_mode = read(&dims(tensor), int(tensor.modes[mode_of(&tensor.levels[level])] as i64));
    match tensor.levels[level].expr {
        LevelExpr::Div(_, size) => {
            let size = size as i64;
            binary(Operator::Divide, plus(of_mode, int(size - 1)), int(size))
        }
        LevelExpr::Mod(_, size) => int(size as i64),
        LevelExpr::Mode(_) | LevelExpr::Slot => of_mode,
    }
}

/// Whether an array has the positions of an outermost level: 0, and how many coordinates that has.
fn is_outermost_pos(tensor: &NestTensor, array: &str) -> bool {
    array.strip_prefix(&tensor.name) == Some("1_pos")
}
