//! Kernels for several processors in one object, of which the run time calls the one for the processor that
//! it runs on (`runtime/src/kernel/processor.rs`).
//!
//! For a kernel `f` and the processors `a` and `b`:
//! ```text
//! comet_status f(…, comet_call *call) {
//!   uint64_t arguments[] = {…};
//!   return comet_rt_kernel_for_processor("f…", arguments, call, &f.variants);
//! }
//! f.variants = {0, 2, f.bodies}
//! f.bodies = {{"a", "sse3,…", f.body.a}, {"b", "avx2,…", f.body.b}}
//! ```
//! Each processor's functions are optimized in a module of their own, and carry its name and features,
//! which the code generator goes by when the modules have become one. The C functions are for any processor
//! of the family.

use super::kernels::{KernelSymbols, body_of};
use super::{NativeError, Processes, Unit};
use comet_abi::kernel::Signature;
use comet_abi::processor::{DETECTED, SPEED, UNUSED};
use inkwell::AddressSpace;
use inkwell::module::Linkage;
use inkwell::values::{BasicValueEnum, FunctionValue, GlobalValue};

/// What chooses a body and calls it, in the run time.
pub(super) const RUNTIME_KERNEL: &str = "comet_rt_kernel_for_processor";

impl<'llvm> Unit<'llvm> {
    /// Joins the kernels for several processors, each with the bodies that [`Unit::add_bodies`] adds,
    /// optimized, to one unit with the C functions.
    ///
    /// # Errors
    /// What LLVM refuses.
    ///
    /// # Panics
    /// No unit.
    pub fn join(
        mut units: Vec<Self>,
        signatures: &[Signature],
        (symbols, processes): (&KernelSymbols, Processes),
    ) -> Result<Self, NativeError> {
        // The run time takes the last one that fits.
        units.sort_by_key(|unit| unit.target.detected_features().len());
        let variants: Vec<Variant> = units.iter().map(Variant::of).collect();
        units.iter().zip(&variants).for_each(|(unit, variant)| unit.name_bodies(signatures, &variant.name));
        let mut units = units.into_iter();
        let joined = units.next().expect("there is a processor");
        for unit in units {
            joined
                .module
                .link_in_module(unit.module)
                .map_err(|error| NativeError::Internal(format!("LLVM does not join modules: {error}")))?;
        }
        joined.add_dispatching_kernels(signatures, (symbols, processes), &variants)?;
        Ok(joined)
    }

    fn name_bodies(&self, signatures: &[Signature], processor: &str) {
        for signature in signatures {
            let name = body_of(&signature.name);
            let body = self.module.get_function(&name).expect("every kernel has a body");
            body.as_global_value().set_name(&variant_of(&name, processor));
        }
    }

    /// A variable with the bodies of a kernel, and the first of them.
    pub(super) fn variants(
        &self,
        kernel: &str,
        variants: &[Variant],
    ) -> (GlobalValue<'llvm>, FunctionValue<'llvm>) {
        let llvm = self.module.get_context();
        let (wide, pointer) = (llvm.i64_type(), llvm.ptr_type(AddressSpace::default()));
        let entry = llvm.struct_type(&[pointer.into(); 3], false);
        let entries: Vec<_> = variants
            .iter()
            .map(|variant| {
                let body = self.body(&variant_of(&body_of(kernel), &variant.name));
                let [name, features] = [&variant.name, &variant.features].map(|text| self.text(text));
                let body = body.as_global_value().as_pointer_value();
                entry.const_named_struct(&[name, features, body.into()])
            })
            .collect();
        let list = self.constant(&format!("{kernel}.bodies"), entry.const_array(&entries).into());
        let count = wide.const_int(variants.len() as u64, false);
        let all = [wide.const_zero().into(), count.into(), list.as_pointer_value().into()];
        let all = llvm.const_struct(&all, false);
        let global = self.module.add_global(all.get_type(), None, &format!("{kernel}.variants"));
        global.set_linkage(Linkage::Internal);
        global.set_initializer(&all);
        (global, self.body(&variant_of(&body_of(kernel), &variants[0].name)))
    }

    /// A body, which nothing else calls.
    fn body(&self, name: &str) -> FunctionValue<'llvm> {
        let body = self.module.get_function(name).expect("every processor has a body");
        body.set_linkage(Linkage::Internal);
        body
    }

    /// The address of a text that ends in zero.
    fn text(&self, text: &str) -> BasicValueEnum<'llvm> {
        let text = self.module.get_context().const_string(text.as_bytes(), true);
        self.constant("text", text.into()).as_pointer_value().into()
    }

    fn constant(&self, name: &str, value: BasicValueEnum<'llvm>) -> GlobalValue<'llvm> {
        let global = self.module.add_global(value.get_type(), None, name);
        global.set_linkage(Linkage::Private);
        global.set_constant(true);
        global.set_initializer(&value);
        global
    }
}

/// A processor that kernels were compiled for.
pub(super) struct Variant {
    name: String,
    /// The features that its code may use, separated by commas.
    features: String,
}

impl Variant {
    fn of(unit: &Unit<'_>) -> Self {
        let target = &unit.target;
        Self { name: target.cpu().to_owned(), features: target.detected_features().join(",") }
    }
}

fn variant_of(body: &str, processor: &str) -> String {
    format!("{body}.{processor}")
}

impl super::Target {
    /// Whether the run time can find out if a processor runs code for this one.
    ///
    /// # Errors
    /// The user's where the code may use instructions that the run time cannot ask for.
    pub fn check_detected(&self) -> Result<(), NativeError> {
        let is_unused = |feature: &str| {
            UNUSED.contains(&feature) || SPEED.iter().any(|beginning| feature.starts_with(beginning))
        };
        let mut unknown = self.all_features();
        unknown.retain(|feature| !DETECTED.contains(&feature.as_str()) && !is_unused(feature));
        if unknown.is_empty() {
            return Ok(());
        }
        let message = format!(
            "kernels for several processors cannot be for `{}`: they may use {}, which the run time cannot ask \
             a processor for",
            self.cpu(),
            unknown.join(", ")
        );
        Err(NativeError::user(message).hint("leave it out, or compile a library for it alone"))
    }

    /// Returns the features that code for this processor may use, and that the run time looks for.
    pub(super) fn detected_features(&self) -> Vec<String> {
        let mut features = self.all_features();
        features.retain(|feature| DETECTED.contains(&feature.as_str()));
        features.sort_unstable();
        features.dedup();
        features
    }
}
