//! Calls of the run time: declarations and constants are made once a module.

use comet_abi::functions::{AbiFunction, ElementKind};
use comet_ir::{Attr, Builder, Op, Result, Ty, Val, location, types};
use melior::dialect::llvm;
use melior::dialect::llvm::attributes::Linkage;
use melior::ir::attribute::{FlatSymbolRefAttribute, IntegerAttribute, StringAttribute, TypeAttribute};
use melior::ir::{TypeLike, ValueLike};
use std::collections::{HashMap, HashSet};

/// What a function is called with.
#[derive(Clone)]
pub(crate) enum CallArgument<'a, 'c> {
    Value(Val<'c>),
    Int(i64),
    Text(&'a str),
    /// Numbers in memory, for a function that takes any number of them.
    Numbers(Vec<Val<'c>>),
}

impl<'c> From<Val<'c>> for CallArgument<'_, 'c> {
    fn from(value: Val<'c>) -> Self {
        Self::Value(value)
    }
}

impl<'a> From<&'a str> for CallArgument<'a, '_> {
    fn from(text: &'a str) -> Self {
        Self::Text(text)
    }
}

impl From<bool> for CallArgument<'_, '_> {
    fn from(flag: bool) -> Self {
        Self::Int(i64::from(flag))
    }
}

/// The kind of an element or number; an index is passed in 64 bits.
pub(crate) fn element_kind(ty: Ty<'_>) -> ElementKind {
    match () {
        () if ty.is_f64() => ElementKind::F64,
        () if ty.is_f32() => ElementKind::F32,
        () if ty.is_index() => ElementKind::I64,
        () => match types::width(ty) {
            1 => ElementKind::I1,
            8 => ElementKind::I8,
            16 => ElementKind::I16,
            32 => ElementKind::I32,
            _ => ElementKind::I64,
        },
    }
}

/// The type of numbers of a kind.
pub(crate) fn type_of(context: &melior::Context, element: ElementKind) -> Ty<'_> {
    match element {
        ElementKind::I1 => types::int(context, 1),
        ElementKind::I8 => types::int(context, 8),
        ElementKind::I16 => types::int(context, 16),
        ElementKind::I32 => types::int(context, 32),
        ElementKind::I64 => types::int(context, 64),
        ElementKind::F32 => Ty::float32(context),
        ElementKind::F64 => Ty::float64(context),
    }
}

/// What the module has of the run time.
pub(crate) struct Calls<'c> {
    module: Op<'c>,
    texts: HashMap<String, String>,
    tables: usize,
    declared: HashSet<&'static str>,
}

impl<'c> Calls<'c> {
    pub(crate) fn new(module: Op<'c>) -> Self {
        Self { module, texts: HashMap::new(), tables: 0, declared: HashSet::new() }
    }

    /// At the head of the module.
    fn head(&self) -> Builder<'c> {
        let body = self.module.body(0);
        match body.ops().first() {
            Some(first) => Builder::before(*first).with_location(self.module.location()),
            None => Builder::at_end(self.module.context(), body, self.module.location()),
        }
    }

    /// Calls a function of the run time, which is declared at its first call.
    pub(crate) fn emit(
        &mut self,
        b: Builder<'c>,
        function: &AbiFunction,
        arguments: &[Val<'c>],
        result: Option<Ty<'c>>,
    ) -> Result<'c, Op<'c>> {
        let results: Vec<Ty<'c>> = result.into_iter().collect();
        if self.declared.insert(function.name()) {
            let inputs: Vec<Ty<'c>> = arguments.iter().map(|argument| argument.r#type()).collect();
            let head = self.head();
            let declared = head.declare_function(function.name(), &inputs, &results)?;
            if function.has_c_interface() {
                declared.set_attribute("llvm.emit_c_interface", Attr::unit(b.context()));
            }
        }
        b.call(function.name(), arguments, &results)
    }

    /// The place of the builder's location in the source, as a C string.
    pub(crate) fn place(&mut self, b: Builder<'c>) -> Result<'c, Val<'c>> {
        self.text(b, &location::describe(b.location()))
    }

    pub(crate) fn text(&mut self, b: Builder<'c>, text: &str) -> Result<'c, Val<'c>> {
        let symbol = match self.texts.get(text) {
            Some(symbol) => symbol.clone(),
            None => self.define_text(text)?,
        };
        address(b, &symbol)
    }

    fn define_text(&mut self, text: &str) -> Result<'c, String> {
        let symbol = format!("text{}", self.texts.len());
        let context = self.module.context();
        let bytes = format!("{text}\0");
        let ty = llvm::r#type::array(types::int(context, 8), bytes.len() as u32);
        self.define(&symbol, ty, StringAttribute::new(context, &bytes).into())?;
        self.texts.insert(text.to_owned(), symbol.clone());
        Ok(symbol)
    }

    /// An array of constants, from a dense elements attribute.
    pub(crate) fn table(
        &mut self,
        b: Builder<'c>,
        elements: Attr<'c>,
        element: Ty<'c>,
        count: usize,
    ) -> Result<'c, Val<'c>> {
        let symbol = format!("table{}", self.tables);
        self.tables += 1;
        self.define(&symbol, llvm::r#type::array(element, count as u32), elements)?;
        address(b, &symbol)
    }

    fn define(&self, symbol: &str, ty: Ty<'c>, value: Attr<'c>) -> Result<'c, ()> {
        let b = self.head();
        let context = b.context();
        let attributes = [
            ("sym_name", b.attribute(symbol)),
            ("global_type", TypeAttribute::new(ty).into()),
            ("value", value),
            ("constant", Attr::unit(context)),
            ("linkage", llvm::attributes::linkage(context, Linkage::Internal)),
            ("addr_space", IntegerAttribute::new(types::int(context, 32), 0).into()),
        ];
        b.op_with_regions("llvm.mlir.global", &[], &[], &attributes, vec![melior::ir::Region::new()])
            .map(|_| ())
    }
}

fn address<'c>(b: Builder<'c>, symbol: &str) -> Result<'c, Val<'c>> {
    let name = FlatSymbolRefAttribute::new(b.context(), symbol).into();
    Ok(b.op("llvm.mlir.addressof", &[], &[types::pointer(b.context())], &[("global_name", name)])?.result(0))
}
