//! The variables of one call of a function.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use comet_diag::Span;
use comet_syntax::ast::{Function, Ident};

use crate::declarations::{coordinates, declarations, declared_labels};
use crate::error::{OracleError, Result};
use crate::layout;
use crate::number::{TypedNumber, wider};
use crate::sizes::{ExtentClasses, SizedThing};
use crate::tensor::DenseTensor;
use crate::term::Shared;

/// A scalar variable.
#[derive(Clone, Copy)]
pub(crate) struct Scalar {
    /// Its value, in the widest type it has had.
    pub(crate) value: TypedNumber,
    /// Whether its first value is a `SUM`, `MAX` or `MIN`: only such a scalar prints bare.
    pub(crate) bare: bool,
}

/// The variables.
#[derive(Default)]
pub(crate) struct Variables {
    /// By name; parameters are shared with the caller.
    pub(crate) tensors: BTreeMap<String, Shared>,
    pub(crate) scalars: BTreeMap<String, Scalar>,
    /// The extents of labels, as far as they are known.
    label_extents: BTreeMap<String, usize>,
    /// The scalars that no label has the name of: in an index they are coordinates.
    coordinates: BTreeSet<String>,
}

impl Variables {
    /// All tensors of a function: those passed, and new ones for the other declarations.
    pub(crate) fn new(
        function: &Function,
        passed: BTreeMap<String, Shared>,
        sizes: &ExtentClasses,
    ) -> Result<Self> {
        let mut tensors = passed;
        for decl in declarations(function) {
            if tensors.contains_key(&decl.name.name) {
                continue;
            }
            let extent = |mode| sizes.get(&SizedThing::Mode(0, decl.name.name.clone(), mode));
            let dims = (0..decl.dims.len()).map(extent).collect::<Result<Option<Vec<_>>>>();
            let dims = dims.map_err(|error| error.placed(decl.span))?;
            let dims = dims.ok_or_else(|| OracleError::at(decl.span, "no size for this tensor"))?;
            let tensor = DenseTensor::new(decl.element, dims, layout::of_declaration(decl)?);
            let tensor = tensor.map_err(|error| error.placed(decl.span))?;
            tensors.insert(decl.name.name.clone(), Rc::new(RefCell::new(tensor)));
        }
        let mut label_extents = BTreeMap::new();
        for label in declared_labels(function) {
            if let Some(extent) = sizes.get(&SizedThing::Label(0, label.clone()))? {
                label_extents.insert(label, extent);
            }
        }
        let coordinates = coordinates(function);
        Ok(Self { tensors, scalars: BTreeMap::new(), label_extents, coordinates })
    }

    /// Whether a word in an index is the value of a scalar.
    pub(crate) fn is_coordinate(&self, name: &str) -> bool {
        self.coordinates.contains(name)
    }

    pub(crate) fn label_extent(&self, label: &Ident) -> Result<usize> {
        let extent = self.label_extents.get(&label.name).copied();
        extent.ok_or_else(|| OracleError::at(label.span, format!("no size for `{}`", label.name)))
    }

    /// The tensor of that name.
    pub(crate) fn tensor(&self, name: &str, span: Span) -> Result<Shared> {
        let tensor = self.tensors.get(name).cloned();
        tensor.ok_or_else(|| OracleError::at(span, format!("`{name}` is no tensor")))
    }

    /// Sets a scalar; its type only ever becomes wider.
    pub(crate) fn set(&mut self, name: &str, given: Scalar) {
        let scalar = self.scalars.entry(name.to_string()).or_insert(given);
        scalar.value = given.value.to(wider(scalar.value.element(), given.value.element()));
    }

    /// Declares a scalar, anew where a loop comes to its declaration again.
    pub(crate) fn declare(&mut self, name: &str, scalar: Scalar) {
        self.scalars.insert(name.to_string(), scalar);
    }
}
