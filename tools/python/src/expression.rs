//! `Expression`: a text with everything that is stated of it but the formats, and a kernel for each list of
//! formats that it has been called with.

use crate::arguments::{NumberRoom, address, address_of_room, check_writable, not_held, number_bits, scalar};
use crate::call::called;
use crate::errors;
use crate::operand::{Copying, Family, Usage, View, ViewValue, copy_of};
use crate::promotion::numpy_types;
use crate::result;
use crate::stated::{Expected, Request, element_of, flag, formats_of, literal, rank, words};
use crate::tensor::Made;
use crate::together::{Together, whole};
use comet_driver::Failure;
use comet_driver::embedded::{self, Form, KernelOptions, KernelSource, Kernels, Notice, Processes};
use comet_expression::{
    Einsum, KERNEL, NamedOperand, OperandKind, StatementText, Subscripts, Wanted, combining, combining_words,
    format_of_text, kernel, program,
};
use comet_format::{Format, IndexWidth, ValueType};
use comet_runtime::exit::Failure as CallFailure;
use comet_runtime::kernel::BorderTensor;
use comet_sema::kernel::{Parameter, ParameterKind, Role, Signature};
use parking_lot::Mutex;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use std::collections::HashMap;
use std::str::FromStr as _;
use std::sync::{Arc, OnceLock};

/// A compiled kernel, with what callers pass.
pub(crate) struct Compiled {
    kernels: Kernels,
    /// Which of the kernels of its file.
    number: usize,
}

impl Compiled {
    fn signature(&self) -> &Signature {
        self.kernels.signatures().nth(self.number).expect("the kernel has a signature")
    }
}

/// The formats and types that a kernel is compiled for.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Formats {
    operands: Vec<OperandKind>,
    wanted: Wanted,
    processes: Processes,
}

/// An expression with its kernels.
#[pyclass(module = "comet_sparse._comet", name = "Expression", frozen)]
pub(crate) struct KernelsOfExpression {
    request: Request,
    names: Vec<String>,
    /// How the text uses them.
    usages: Vec<Usage>,
    /// The operand that the last statement assigns: a copy of it is the result.
    updated: Option<usize>,
    format: Option<String>,
    element: Option<ValueType>,
    /// The width of the indices of a sparse result, where it is stated.
    index: Option<IndexWidth>,
    schedule: Option<String>,
    options: KernelOptions,
    kernels: Mutex<HashMap<Formats, Arc<Compiled>>>,
    expected: OnceLock<Expected>,
}

/// A failure of the front end, which knows its text.
pub(crate) fn in_source((source, errors): (comet_diag::Source, Vec<comet_diag::Diagnostic>)) -> Failure {
    Failure::in_source(errors, &source)
}

#[pymethods]
impl KernelsOfExpression {
    /// An expression of statements.
    #[staticmethod]
    fn statements(
        py: Python<'_>,
        text: String,
        names: Vec<String>,
        settings: &Bound<'_, PyDict>,
    ) -> PyResult<Self> {
        let parsed =
            StatementText::parse(&text).map_err(|failed| errors::of_compilation(py, &in_source(failed)))?;
        let interface = parsed.interface();
        let is_scalar = |name: &String| interface.operands.contains(&(name.clone(), None));
        let usage = |name: &String| if is_scalar(name) { Usage::Scalar } else { Usage::Tensor };
        let usages: Vec<Usage> = names.iter().map(usage).collect();
        let result = interface.result.clone();
        let updated = names.iter().position(|name| result.as_ref() == Some(name));
        if let Some(place) = updated.filter(|place| usages[*place] == Usage::Scalar) {
            let message =
                format!("the last statement assigns the operand `{}`, which is a number", names[place]);
            return Err(errors::not_supported(py, format!("{message}: give the result another name")));
        }
        let made = Self::new(Request::Statements(text), names, usages, settings)?;
        Ok(Self { updated, ..made })
    }

    /// An expression of subscripts for operands with those names.
    #[staticmethod]
    #[pyo3(signature = (subscripts, names, semiring, mask, path, settings))]
    fn einsum(
        subscripts: String,
        names: Vec<String>,
        semiring: Option<(String, String)>,
        mask: Option<bool>,
        path: Option<Vec<Vec<usize>>>,
        settings: &Bound<'_, PyDict>,
    ) -> PyResult<Self> {
        let accumulates = flag(settings, "accumulate")?;
        let operator = |word: &str| {
            combining(word).ok_or_else(|| {
                let known = combining_words().join(", ");
                PyValueError::new_err(format!("`{word}` is no operator of a semiring; there are {known}"))
            })
        };
        let semiring = match semiring {
            Some((reduce, combine)) => Some((operator(&reduce)?, operator(&combine)?)),
            None => None,
        };
        let einsum = Einsum {
            names: names.clone(),
            result: "out".to_owned(),
            semiring,
            mask: mask.map(|complement| ("mask".to_owned(), complement)),
            accumulates,
            conversions: Vec::new(),
            path,
        };
        let mut all = names;
        all.extend(mask.map(|_| "mask".to_owned()));
        all.extend(accumulates.then(|| "out".to_owned()));
        let usages = vec![Usage::Tensor; all.len()];
        Self::new(Request::Einsum { subscripts, einsum: Box::new(einsum) }, all, usages, settings)
    }

    /// A function of a file.
    #[staticmethod]
    fn function(
        name: String,
        text: String,
        function: String,
        names: Vec<String>,
        scalars: Vec<bool>,
        settings: &Bound<'_, PyDict>,
    ) -> PyResult<Self> {
        let usages =
            scalars.iter().map(|scalar| if *scalar { Usage::Scalar } else { Usage::Tensor }).collect();
        Self::new(Request::File { name, text, function }, names, usages, settings)
    }

    /// Computes the result for operands, in the order of the names. Into `out` where there is one. `together`
    /// has the number of a communicator, whose processes call this with their rows, and the places of
    /// operands that all pass the whole of.
    #[pyo3(signature = (operands, out, copying, together=None))]
    fn call<'py>(
        &self,
        py: Python<'py>,
        operands: &Bound<'py, PyTuple>,
        out: Option<Bound<'py, PyAny>>,
        copying: Copying,
        together: Option<(i32, Vec<usize>)>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let together = together.map(|(number, replicated)| Together::new(py, number, replicated));
        let together = together.transpose()?;
        let result = self.computed(py, operands, (out, copying), together.as_ref());
        if let (Err(error), Some(together)) = (&result, &together) {
            together.refuse(py, error);
        }
        result
    }

    /// Which of the operands are scalars by the text.
    #[getter]
    fn scalars(&self) -> Vec<bool> {
        self.usages.iter().map(|usage| *usage == Usage::Scalar).collect()
    }

    /// From now on, operands in other formats are refused; with other element types and widths of indices
    /// where `stated` has `element` and `index`.
    fn expect(
        &self,
        py: Python<'_>,
        formats: Vec<(String, String, usize)>,
        stated: Vec<String>,
    ) -> PyResult<()> {
        let operands = formats_of(py, formats)?;
        let [element, index] = ["element", "index"].map(|word| stated.iter().any(|other| other == word));
        let _ = self.expected.set(Expected { operands, element, index });
        Ok(())
    }

    /// Compiles the kernel for those formats.
    fn compile(&self, py: Python<'_>, formats: Vec<(String, String, usize)>) -> PyResult<()> {
        let formats = formats_of(py, formats)?;
        self.compiled_for(py, self.formats(formats)).map(|_| ())
    }

    /// A form of the kernel for those formats, as text.
    fn form(&self, py: Python<'_>, formats: Vec<(String, String, usize)>, form: &str) -> PyResult<String> {
        let source = self.source(py, &formats_of(py, formats)?)?.0;
        let form =
            Form::from_str(form).map_err(|_| PyValueError::new_err(format!("there is no form `{form}`")))?;
        let options = self.options.clone();
        py.detach(|| embedded::text(&source, &options, form))
            .map_err(|failure| self.not_compiled(py, failure))
    }

    /// The program of the kernel for those formats, which reads its operands by `--input`; with values of
    /// scalars.
    fn program(
        &self,
        py: Python<'_>,
        formats: Vec<(String, String, usize)>,
        scalars: HashMap<String, Bound<'_, PyAny>>,
    ) -> PyResult<String> {
        let (source, _) = self.source(py, &formats_of(py, formats)?)?;
        let scalars = scalars.into_iter().map(|(name, value)| Ok((name, literal(&value)?)));
        let scalars = scalars.collect::<PyResult<_>>()?;
        let module = source.module.and_then(|module| program(&module, &scalars));
        let module =
            module.ok_or_else(|| errors::format(py, "expected an expression, found a file".to_owned()))?;
        Ok(comet_syntax::print_module(&module))
    }

    /// What the compiler has decided for those formats, and why: kind, line, column, message, hint.
    fn explain<'py>(
        &self,
        py: Python<'py>,
        formats: Vec<(String, String, usize)>,
    ) -> PyResult<Vec<Bound<'py, PyDict>>> {
        let (source, reason) = self.source(py, &formats_of(py, formats)?)?;
        let options = KernelOptions { explain: true, ..self.options.clone() };
        let kernels = py.detach(|| embedded::compile(&source, &options));
        let kernels = kernels.map_err(|failure| self.not_compiled(py, failure))?;
        let mut records = Vec::new();
        if let Some(reason) = reason {
            records.push(record(py, "decision", None, &format!("the result is {reason}"), None)?);
        }
        for Notice { kind, place, message, hint } in kernels.notices() {
            let (message, hint) = (self.known(message), hint.as_deref().map(|hint| self.known(hint)));
            records.push(record(py, (*kind).into(), *place, &message, hint.as_deref())?);
        }
        Ok(records)
    }
}

fn record<'py>(
    py: Python<'py>,
    kind: &'static str,
    place: Option<(usize, usize)>,
    message: &str,
    hint: Option<&str>,
) -> PyResult<Bound<'py, PyDict>> {
    let record = PyDict::new(py);
    record.set_item("kind", kind)?;
    record.set_item("line", place.map(|(line, _)| line))?;
    record.set_item("column", place.map(|(_, column)| column))?;
    record.set_item("message", message)?;
    record.set_item("hint", hint)?;
    Ok(record)
}

impl KernelsOfExpression {
    fn new(
        request: Request,
        names: Vec<String>,
        usages: Vec<Usage>,
        settings: &Bound<'_, PyDict>,
    ) -> PyResult<Self> {
        let text = |key: &str| -> PyResult<Option<String>> {
            settings.get_item(key)?.map_or(Ok(None), |value| value.extract())
        };
        let element = text("dtype")?.map(|word| element_of(&word)).transpose()?;
        let options = KernelOptions { ordered_sums: flag(settings, "ordered")?, ..KernelOptions::default() };
        Ok(Self {
            request,
            names,
            usages,
            updated: None,
            format: text("format")?,
            element,
            index: match text("index")?.as_deref() {
                None => None,
                Some("int32" | "i32") => Some(IndexWidth::I32),
                Some("int64" | "i64") => Some(IndexWidth::I64),
                Some(other) => {
                    let message = format!("expected the index type `int32` or `int64`, found `{other}`");
                    return Err(PyValueError::new_err(message));
                }
            },
            schedule: text("schedule")?,
            options,
            kernels: Mutex::default(),
            expected: OnceLock::new(),
        })
    }

    fn computed<'py>(
        &self,
        py: Python<'py>,
        operands: &Bound<'py, PyTuple>,
        (out, copying): (Option<Bound<'py, PyAny>>, Copying),
        together: Option<&Together>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let mut views = Vec::with_capacity(operands.len());
        if let (Some(place), None) = (self.updated, &out) {
            return self.call_on_copy(py, operands, (place, copying), together);
        }
        if let (Some(place), Some(out)) = (self.updated, &out)
            && !operands.get_item(place)?.is(out)
        {
            let message = format!("the result is the operand `{}`: expected it as `out`", self.names[place]);
            return Err(errors::format(py, message));
        }
        if let Some(out) = &out {
            check_writable(out, "out")?;
        }
        for (place, (operand, usage)) in operands.iter_borrowed().zip(&self.usages).enumerate() {
            let copying = if self.is_room(place) { Copying::Refused } else { copying };
            let view = View::of(&operand, *usage, copying);
            views.push(view.map_err(|error| errors::of_operand(py, &self.label(place), error))?);
        }
        self.check(py, &views)?;
        let room = match &out {
            Some(out) if !self.accumulates() && self.updated.is_none() => {
                let view = View::of(out, Usage::Tensor, Copying::Refused);
                Some(view.map_err(|error| errors::of_operand(py, "`out`", error))?)
            }
            _ => None,
        };
        let processes = if together.is_some() { Processes::Several } else { Processes::One };
        let compiled = self.compiled(py, &views, room.as_ref(), processes)?;
        self.check_result(py, compiled.signature(), out.as_ref())?;
        for (place, operand) in operands.iter().enumerate().filter(|(place, _)| !self.is_room(*place)) {
            if compiled.signature().parameters[place].role == Role::InOut {
                views[place] = self.written(&operand, place)?;
            }
        }
        self.run(py, &compiled, views, (room, out), together)
    }

    /// What a compilation of this expression fails with.
    fn not_compiled(&self, py: Python<'_>, failure: Failure) -> PyErr {
        errors::of_compilation(py, &failure.rewritten(|text| self.known(text)))
    }

    /// Replaces the names that were generated for the kernel in a message by words that the caller knows.
    fn known(&self, message: &str) -> String {
        let own = self.own_names().into_iter();
        own.fold(message.to_owned(), |message, (name, known)| message.replace(&name, &known))
    }

    /// What no caller has written, each with what stands for it in messages.
    fn own_names(&self) -> Vec<(String, String)> {
        let mut names = match &self.request {
            Request::File { .. } => return Vec::new(),
            Request::Statements(_) => Vec::new(),
            Request::Einsum { einsum, .. } => {
                let operands = (0..einsum.names.len())
                    .map(|place| (format!("`{}`", einsum.names[place]), self.label(place)));
                let steps = einsum.path.as_ref().map_or(0, Vec::len);
                let steps =
                    (1..=steps).map(|step| (format!("`step{step}`"), format!("step {step} of `path`")));
                operands.chain(steps).collect()
            }
        };
        if !self.names.iter().any(|name| name == KERNEL) {
            names.push((format!("`{KERNEL}`"), "the expression".to_owned()));
        }
        names.push(("declare it with `index=i64`".to_owned(), "pass `index=\"int64\"`".to_owned()));
        names
    }

    /// What messages call an operand.
    fn label(&self, place: usize) -> String {
        match &self.request {
            Request::Einsum { einsum, .. } if place < einsum.names.len() => format!("operand {place}"),
            _ => format!("`{}`", self.names[place]),
        }
    }

    /// Whether an operand is what the caller passes as `out`.
    fn is_room(&self, place: usize) -> bool {
        self.accumulates() && place + 1 == self.names.len() || self.updated == Some(place)
    }

    /// Refuses `out` where the result is no tensor, and elements that no array holds.
    fn check_result(
        &self,
        py: Python<'_>,
        signature: &Signature,
        out: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        let mut parameters = signature.parameters.iter();
        let result =
            parameters.find(|parameter| parameter.role == Role::Out).map(|parameter| &parameter.kind);
        let has_out = out.is_some();
        let writes_out = self.accumulates() || self.updated.is_some();
        match result {
            Some(ParameterKind::Tensor { format, .. }) if format.value.row().numpy.is_none() => {
                let word = format.value.word();
                let message =
                    format!("NumPy has no elements of `{word}`, which the result has: state another type");
                Err(errors::not_supported(py, message))
            }
            Some(ParameterKind::Scalar(_)) if has_out => {
                Err(errors::format(py, "the result is a number: call without `out`".to_owned()))
            }
            None if has_out && !writes_out => {
                let message = "the function returns nothing: call without `out`";
                Err(errors::format(py, message.to_owned()))
            }
            _ => Ok(()),
        }
    }

    /// An operand that a kernel changes. Functions of files change the caller's; statements a copy, as their
    /// result is what the last one assigns.
    fn written<'py>(&self, operand: &Bound<'py, PyAny>, place: usize) -> PyResult<View<'py>> {
        let usage = self.usages[place];
        match self.request {
            Request::File { .. } => {
                check_writable(operand, &self.names[place])?;
                let view = View::of(operand, usage, Copying::Refused);
                view.map_err(|error| errors::of_operand(operand.py(), &self.label(place), error))
            }
            _ => View::of(&copy_of(operand)?, usage, Copying::Warned),
        }
    }

    /// Computes the new value of an operand, which stays as it is.
    fn call_on_copy<'py>(
        &self,
        py: Python<'py>,
        operands: &Bound<'py, PyTuple>,
        (place, copying): (usize, Copying),
        together: Option<&Together>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let mut all: Vec<Bound<'py, PyAny>> = operands.iter().collect();
        let copy = copy_of(&all[place])?;
        all[place] = copy.clone();
        self.computed(py, &PyTuple::new(py, all)?, (Some(copy), copying), together)
    }

    fn accumulates(&self) -> bool {
        matches!(&self.request, Request::Einsum { einsum, .. } if einsum.accumulates)
    }

    /// The kernel for these operands, compiled where there is none yet.
    fn compiled(
        &self,
        py: Python<'_>,
        views: &[View<'_>],
        room: Option<&View<'_>>,
        processes: Processes,
    ) -> PyResult<Arc<Compiled>> {
        let wanted = match room.map(|room| &room.kind) {
            Some(OperandKind::Tensor(typed)) => {
                Wanted { format: Some(typed.format.clone()), element: Some(typed.value) }
            }
            _ => self.wanted(),
        };
        let operands =
            views.iter().enumerate().map(|(place, view)| self.compiled_kind(place, view)).collect();
        self.compiled_for(py, Formats { operands, wanted, processes })
    }

    /// What a kernel is compiled for where it is called with that operand: a number is passed as the type
    /// that is stated, if that holds it.
    fn compiled_kind(&self, place: usize, view: &View<'_>) -> OperandKind {
        let stated = self.expected.get().map(|expected| &expected.operands[place]);
        match (&view.value, stated) {
            (ViewValue::ScalarValue(number), Some(OperandKind::Scalar(value)))
                if number_bits(*number, *value, &mut NumberRoom::default()).is_some() =>
            {
                OperandKind::Scalar(*value)
            }
            _ => view.kind.clone(),
        }
    }

    fn check(&self, py: Python<'_>, views: &[View<'_>]) -> PyResult<()> {
        if views.len() != self.names.len() {
            let message = format!("expected {} operands, found {}", self.names.len(), views.len());
            return Err(errors::format(py, message));
        }
        let Some(expected) = self.expected.get() else { return Ok(()) };
        let Some(place) = (0..views.len()).find(|place| !expected.has(*place, &views[*place].kind)) else {
            return Ok(());
        };
        let described = |kind: &OperandKind| {
            let (format, element, rank) = words(kind);
            let plural = if rank == 1 { "" } else { "s" };
            format!("`{format}` of `{element}` with {rank} mode{plural}")
        };
        let (name, found) = (&self.names[place], described(&views[place].kind));
        let stated = described(&expected.operands[place]);
        Err(errors::format(
            py,
            format!(
                "the operand `{name}` is {found}, expected {stated}: convert it, or compile the expression for its format"
            ),
        ))
    }

    /// What is compiled for those operands, in one process.
    fn formats(&self, operands: Vec<OperandKind>) -> Formats {
        Formats { operands, wanted: self.wanted(), processes: Processes::One }
    }

    fn wanted(&self) -> Wanted {
        Wanted { format: None, element: self.element }
    }

    fn compiled_for(&self, py: Python<'_>, formats: Formats) -> PyResult<Arc<Compiled>> {
        if let Some(found) = self.kernels.lock().get(&formats) {
            return Ok(found.clone());
        }
        let (source, _) = self.source_for(py, &formats)?;
        let options = KernelOptions { processes: formats.processes, ..self.options.clone() };
        let kernels = py.detach(|| embedded::compile(&source, &options));
        let kernels = kernels.map_err(|failure| self.not_compiled(py, failure))?;
        let number = match &self.request {
            Request::File { function, .. } => {
                kernels.signatures().position(|signature| signature.name == *function)
            }
            _ => Some(0),
        };
        let number = number.ok_or_else(|| PyValueError::new_err("the file has no such function"))?;
        let compiled = Arc::new(Compiled { kernels, number });
        self.kernels.lock().insert(formats, compiled.clone());
        Ok(compiled)
    }

    fn source(&self, py: Python<'_>, operands: &[OperandKind]) -> PyResult<(KernelSource, Option<String>)> {
        self.source_for(py, &self.formats(operands.to_vec()))
    }

    fn source_for(&self, py: Python<'_>, formats: &Formats) -> PyResult<(KernelSource, Option<String>)> {
        let failed = |failure: Failure| self.not_compiled(py, failure);
        let (text, wanted) = match &self.request {
            Request::File { name, text, .. } => {
                let source = KernelSource::of_text(name, text);
                return Ok((self.scheduled(source), None));
            }
            Request::Statements(text) => (
                StatementText::parse(text).map_err(|error| failed(in_source(error)))?,
                formats.wanted.clone(),
            ),
            Request::Einsum { subscripts, einsum } => {
                let count = einsum.names.len();
                let ranks: Vec<usize> = formats.operands[..count].iter().map(rank).collect();
                let parsed =
                    Subscripts::parse(subscripts, &ranks).map_err(|error| failed(in_source(error)))?;
                let (element, conversions) =
                    numpy_types(&formats.operands[..count], formats.wanted.element, einsum);
                let einsum = Einsum { conversions, ..(**einsum).clone() };
                let text = parsed.expression(&einsum).map_err(|error| failed(in_source(error)))?;
                let element = formats.wanted.element.or(element);
                (text, Wanted { element, ..formats.wanted.clone() })
            }
        };
        let operands: Vec<NamedOperand> = self
            .names
            .iter()
            .zip(&formats.operands)
            .map(|(name, kind)| NamedOperand { name: name.clone(), kind: kind.clone() })
            .collect();
        let made = kernel(&text, &operands, &wanted)
            .map_err(|errors| failed(Failure::in_source(errors, &text.source)))?;
        // A stated format is one for the rank that the result turns out to have.
        let made = match (&made.choice, &wanted.format) {
            (Some(choice), None) if self.format.is_some() || self.index.is_some() => {
                let chosen = choice.format.clone();
                let format = match &self.format {
                    Some(stated) => {
                        let parsed = format_of_text(stated, chosen.rank);
                        parsed.map_err(|(_, found)| errors::of_format(py, stated, &found))?
                    }
                    None => chosen,
                };
                let index_width = self.index.unwrap_or(format.index_width);
                let format = Format { index_width, ..format };
                let wanted = Wanted { format: Some(format), element: wanted.element };
                kernel(&text, &operands, &wanted)
                    .map_err(|errors| failed(Failure::in_source(errors, &text.source)))?
            }
            _ => made,
        };
        let reason = made.choice.as_ref().map(|choice| choice.reason.clone());
        let source = KernelSource { source: text.source, module: Some(made.module) };
        Ok((self.scheduled(source), reason))
    }

    fn scheduled(&self, source: KernelSource) -> KernelSource {
        match &self.schedule {
            Some(commands) => source.with_schedule(commands),
            None => source,
        }
    }

    fn run<'py>(
        &self,
        py: Python<'py>,
        compiled: &Compiled,
        views: Vec<View<'py>>,
        (room, out): (Option<View<'py>>, Option<Bound<'py, PyAny>>),
        together: Option<&Together>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let signature = compiled.signature();
        let mut numbers = vec![NumberRoom::default(); signature.parameters.len()];
        let (mut made, mut operands) = (None, Vec::new());
        let mut arguments: Vec<u64> = Vec::with_capacity(signature.parameters.len());
        for (place, parameter) in signature.parameters.iter().enumerate() {
            let Parameter { role, kind, .. } = parameter;
            arguments.push(match (role, kind) {
                (Role::Out, ParameterKind::Tensor { format, .. }) => {
                    let tensor = match &room {
                        Some(View { value: ViewValue::Tensor(tensor), .. }) => **tensor,
                        _ => BorderTensor::of_format(format),
                    };
                    let passed = together.map(|together| together.passed(tensor, None));
                    address_of_room(&mut **made.insert(passed.unwrap_or_else(|| whole(tensor))))
                }
                (Role::Out, ParameterKind::Scalar(_)) => address_of_room(&mut numbers[place]),
                (_, ParameterKind::Scalar(value)) => match views[place].value {
                    ViewValue::ScalarValue(number) => number_bits(number, *value, &mut numbers[place])
                        .ok_or_else(|| not_held(py, &parameter.name, number, *value))?,
                    ViewValue::Tensor(_) => unreachable!("the kernel was compiled for these operands"),
                },
                (_, ParameterKind::Tensor { .. }) => match &views[place].value {
                    ViewValue::Tensor(tensor) => match together {
                        None => address(&**tensor),
                        Some(together) => {
                            operands.push(together.passed(**tensor, Some(place)));
                            operands.last_mut().map_or(0, |operand| address_of_room(&mut **operand))
                        }
                    },
                    ViewValue::ScalarValue(_) => unreachable!("the kernel was compiled for these operands"),
                },
            });
        }
        let Compiled { kernels, number } = compiled;
        let communicator = together.map(|together| {
            together.has_called.set(true);
            together.communicator
        });
        let done = py.detach(|| called(kernels.code(), *number, &arguments, communicator));
        done.map_err(|failure| {
            let message = self.known(&failure.message);
            errors::of_call(py, CallFailure { message, ..failure })
        })?;
        if let Some(out) = out {
            return Ok(out);
        }
        let families: Vec<Family> = views.iter().map(|view| view.family).collect();
        let result =
            signature.parameters.iter().enumerate().find(|(_, parameter)| parameter.role == Role::Out);
        match (result, &made) {
            (Some((_, Parameter { kind: ParameterKind::Tensor { format, .. }, .. })), Some(border)) => {
                result::object(py, &Made { format, border: &border.tensor }, &families)
            }
            (Some((place, Parameter { kind: ParameterKind::Scalar(value), .. })), _) => {
                scalar(py, *value, numbers[place])
            }
            _ => Ok(py.None().into_bound(py)),
        }
    }
}
