//! Calls of the run time: declarations and constants are made once a module.

use comet_ir::{Attr, Builder, Op, Result, Ty, Val, location, types};
use melior::dialect::llvm;
use melior::dialect::llvm::attributes::Linkage;
use melior::ir::ValueLike;
use melior::ir::attribute::{FlatSymbolRefAttribute, IntegerAttribute, StringAttribute, TypeAttribute};
use std::collections::{HashMap, HashSet};

/// What the module has of the run time.
pub(super) struct Calls<'c> {
    module: Op<'c>,
    texts: HashMap<String, String>,
    tables: usize,
    declared: HashSet<String>,
}

impl<'c> Calls<'c> {
    pub(super) fn new(module: Op<'c>) -> Self {
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

    /// Calls a function that gives nothing.
    pub(super) fn call(&mut self, b: Builder<'c>, name: &str, arguments: &[Val<'c>]) -> Result<'c, ()> {
        self.emit(b, name, arguments, &[], false).map(|_| ())
    }

    /// Calls a function that takes memrefs and gives nothing: `_mlir_ciface_<name>`.
    pub(super) fn call_with_memrefs(
        &mut self,
        b: Builder<'c>,
        name: &str,
        arguments: &[Val<'c>],
    ) -> Result<'c, ()> {
        self.emit(b, name, arguments, &[], true).map(|_| ())
    }

    /// Calls a function that gives a value.
    pub(super) fn value(
        &mut self,
        b: Builder<'c>,
        name: &str,
        arguments: &[Val<'c>],
        result: Ty<'c>,
    ) -> Result<'c, Val<'c>> {
        Ok(self.emit(b, name, arguments, &[result], false)?.result(0))
    }

    /// Calls a function of memrefs, or one that gives a memref, which it writes through a pointer:
    /// `_mlir_ciface_<name>`.
    pub(super) fn value_with_memrefs(
        &mut self,
        b: Builder<'c>,
        name: &str,
        arguments: &[Val<'c>],
        result: Ty<'c>,
    ) -> Result<'c, Val<'c>> {
        Ok(self.emit(b, name, arguments, &[result], true)?.result(0))
    }

    fn emit(
        &mut self,
        b: Builder<'c>,
        name: &str,
        arguments: &[Val<'c>],
        results: &[Ty<'c>],
        c_interface: bool,
    ) -> Result<'c, Op<'c>> {
        if self.declared.insert(name.to_owned()) {
            let inputs: Vec<Ty<'c>> = arguments.iter().map(|argument| argument.r#type()).collect();
            self.head().declare_function(name, &inputs, results, c_interface)?;
        }
        b.call(name, arguments, results)
    }

    /// The place of the builder's location in the source, as a C string.
    pub(super) fn place(&mut self, b: Builder<'c>) -> Result<'c, Val<'c>> {
        self.text(b, &location::describe(b.location()))
    }

    /// A C string.
    pub(super) fn text(&mut self, b: Builder<'c>, text: &str) -> Result<'c, Val<'c>> {
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
    pub(super) fn table(
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
            ("sym_name", b.string_attribute(symbol)),
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
