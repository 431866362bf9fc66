//! The C functions of a library: each hands what it was called with to the run time, which checks it and
//! calls the kernel's body. In memory there are the bodies alone, which a caller of
//! [`comet_runtime::kernel::call_kernel`] passes.
//!
//! For `double f(A, s)` of a size i:
//! ```text
//! comet_status f(const comet_tensor *A, double s, double *result, comet_call *call) {
//!   uint64_t arguments[3] = {A, bits of s, result};
//!   return comet_rt_kernel("f…", arguments, call, f.body);
//! }
//! void f.body(const int64_t *extents, const uint64_t *arguments) {
//!   *(double *)arguments[2] = kernel.f(extents[0], s from arguments[1]);
//! }
//! ```
//! In a library for several processes, the first statement is `comet_rt_use_processes(&comet_mpi);`.

use super::dispatch::{self, Variant};
use super::lines::add_scope_as;
use super::translate::{UNWIND_TABLE_OF_CALLS, set_any_processor, set_processor};
use super::{NativeError, Processes, Unit};
use comet_abi::functions::USE_PROCESSES;
use comet_abi::kernel::{Extent, Parameter, ParameterKind, Role, Signature};
use comet_format::{ValueKind, ValueType};
use comet_runtime::distributed::TABLE;
use inkwell::attributes::{Attribute, AttributeLoc};
use inkwell::builder::{Builder, BuilderError};
use inkwell::context::ContextRef;
use inkwell::module::Linkage;
use inkwell::support::{load_visible_symbols, search_for_address_of_symbol};
use inkwell::types::{BasicMetadataTypeEnum, BasicTypeEnum, FunctionType};
use inkwell::values::{BasicMetadataValueEnum, BasicValueEnum, FunctionValue, IntValue, PointerValue};
use inkwell::{AddressSpace, IntPredicate};

/// What checks a call and runs it, in the runtime.
const RUNTIME_KERNEL: &str = "comet_rt_kernel";

/// Whether a function of that name would take the place of one of the C library.
pub fn is_in_c_library(name: &str) -> bool {
    // The C library is a part of this process.
    load_visible_symbols();
    search_for_address_of_symbol(name).is_some()
}

/// The symbols of the kernels in an object. C has the names of the functions; C++ has longer ones, so that
/// kernels of one name in two libraries are two.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KernelSymbols {
    /// Stands in front of the name of a function, for C++.
    pub cxx_prefix: String,
    pub c: CSymbols,
}

/// Whether other objects may define the symbols of C as well.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CSymbols {
    /// It is an error.
    #[default]
    Unique,
    /// The first definition counts.
    Shared,
}

impl<'llvm> Unit<'llvm> {
    /// Adds functions for C and C++ to each kernel.
    pub fn add_kernels(
        &self,
        signatures: &[Signature],
        symbols: &KernelSymbols,
        processes: Processes,
    ) -> Result<(), NativeError> {
        self.each(signatures, |kernel| {
            let body = kernel.build_body(Linkage::Internal)?;
            let callee = body.as_global_value().as_pointer_value();
            let kernel = Kernel { processes, ..*kernel };
            kernel.build_entries(symbols, (RUNTIME_KERNEL, callee), body).map(|_| ())
        })
    }

    /// Adds functions for C and C++ to each kernel, which call the body for the processor that they run on.
    pub(super) fn add_dispatching_kernels(
        &self,
        signatures: &[Signature],
        (symbols, processes): (&KernelSymbols, Processes),
        variants: &[Variant],
    ) -> Result<(), NativeError> {
        self.each(signatures, |kernel| {
            let kernel = Kernel { processes, ..*kernel };
            let (all, first) = self.variants(&kernel.signature.name, variants);
            let called = (dispatch::RUNTIME_KERNEL, all.as_pointer_value());
            kernel.build_entries(symbols, called, first)?.into_iter().for_each(set_any_processor);
            Ok(())
        })
    }

    /// Adds the body of each kernel, which [`super::KernelCode`] looks up.
    pub fn add_bodies(&self, signatures: &[Signature]) -> Result<(), NativeError> {
        self.each(signatures, |kernel| kernel.build_body(Linkage::External).map(|_| ()))
    }

    fn each(
        &self,
        signatures: &[Signature],
        build: impl Fn(&Kernel<'_, 'llvm>) -> Result<(), BuilderError>,
    ) -> Result<(), NativeError> {
        signatures.iter().try_for_each(|signature| {
            let llvm = self.module.get_context();
            let kernel = Kernel { unit: self, llvm, signature, processes: Processes::One };
            build(&kernel).map_err(|error| NativeError::Internal(error.to_string()))
        })
    }
}

/// The name of the body of a kernel.
pub(super) fn body_of(kernel: &str) -> String {
    format!("{kernel}.body")
}

struct Kernel<'a, 'llvm> {
    unit: &'a Unit<'llvm>,
    llvm: ContextRef<'llvm>,
    signature: &'a Signature,
    /// Whether several processes may call it together.
    processes: Processes,
}

impl<'llvm> Kernel<'_, 'llvm> {
    fn parameters(&self) -> &[Parameter] {
        &self.signature.parameters
    }

    fn pointer(&self) -> BasicTypeEnum<'llvm> {
        self.llvm.ptr_type(AddressSpace::default()).into()
    }

    /// The type of a number in C.
    fn scalar(&self, value: ValueType) -> BasicTypeEnum<'llvm> {
        match value {
            ValueType::F64 => self.llvm.f64_type().into(),
            ValueType::F32 => self.llvm.f32_type().into(),
            complex if complex.is_complex() => {
                let part = self.scalar(complex.part());
                self.llvm.struct_type(&[part, part], false).into()
            }
            integer => match integer.bytes() {
                1 => self.llvm.i8_type().into(),
                2 => self.llvm.i16_type().into(),
                4 => self.llvm.i32_type().into(),
                _ => self.llvm.i64_type().into(),
            },
        }
    }

    /// A number of C in the type that it is computed in.
    fn computed(
        &self,
        b: &Builder<'llvm>,
        number: BasicValueEnum<'llvm>,
        of: ValueType,
    ) -> Result<BasicValueEnum<'llvm>, BuilderError> {
        let (BasicValueEnum::IntValue(integer), wide) = (number, self.llvm.i64_type()) else {
            return Ok(number);
        };
        Ok(match of.row().kind {
            _ if of.is_computed() => number,
            ValueKind::Truth => {
                let zero = integer.get_type().const_zero();
                let truth = b.build_int_compare(IntPredicate::NE, integer, zero, "truth")?;
                b.build_int_z_extend(truth, wide, "computed")?.into()
            }
            ValueKind::Integer(0, _) => b.build_int_z_extend(integer, wide, "computed")?.into(),
            _ => b.build_int_s_extend(integer, wide, "computed")?.into(),
        })
    }

    /// A computed value as the number of C that it is passed as; the program has rounded it.
    fn passed(
        &self,
        b: &Builder<'llvm>,
        value: BasicValueEnum<'llvm>,
        to: ValueType,
    ) -> Result<BasicValueEnum<'llvm>, BuilderError> {
        match (value, self.scalar(to)) {
            (BasicValueEnum::IntValue(integer), BasicTypeEnum::IntType(ty)) if !to.is_computed() => {
                Ok(b.build_int_truncate(integer, ty, "passed")?.into())
            }
            _ => Ok(value),
        }
    }

    /// The type of a parameter in C.
    fn type_of(&self, parameter: &Parameter) -> BasicTypeEnum<'llvm> {
        match (&parameter.kind, parameter.role) {
            (ParameterKind::Scalar(value), Role::In) if !value.is_complex() => self.scalar(*value),
            _ => self.pointer(),
        }
    }

    /// A function with the processor and the tables that the others have.
    fn define(&self, name: &str, ty: FunctionType<'llvm>, linkage: Linkage) -> FunctionValue<'llvm> {
        let function = self.unit.module.add_function(name, ty, Some(linkage));
        let kind = Attribute::get_named_enum_kind_id("uwtable");
        let uwtable = self.llvm.create_enum_attribute(kind, UNWIND_TABLE_OF_CALLS);
        function.add_attribute(AttributeLoc::Function, uwtable);
        set_processor(function, &self.unit.target);
        function
    }

    /// `f.body`.
    fn build_body(&self, linkage: Linkage) -> Result<FunctionValue<'llvm>, BuilderError> {
        let name = &self.signature.name;
        let kernel = self.unit.module.get_function(&format!("kernel.{name}"));
        let kernel = kernel.expect("every kernel has been lowered");
        let inputs = [self.pointer().into(), self.pointer().into()];
        let void = self.llvm.void_type().fn_type(&inputs, false);
        let body = self.define(&body_of(name), void, linkage);
        let b = self.llvm.create_builder();
        b.position_at_end(self.llvm.append_basic_block(body, "entry"));
        let [extents, arguments] = [0, 1].map(|place| {
            body.get_nth_param(place).expect("the body has two parameters").into_pointer_value()
        });
        let mut values: Vec<BasicMetadataValueEnum<'llvm>> = Vec::new();
        for (index, size) in self.signature.sizes.iter().enumerate() {
            if size.extent == Extent::Parameters {
                let address = self.slot(&b, extents, index)?;
                values.push(b.build_load(self.llvm.i64_type(), address, &size.name)?.into());
            }
        }
        for (index, parameter) in self.parameters().iter().enumerate() {
            if let (ParameterKind::Scalar(value), Role::In) = (&parameter.kind, parameter.role) {
                let mut address = self.slot(&b, arguments, index)?;
                if value.is_complex() {
                    // C compilers differ in how they pass complex numbers: their address is passed.
                    address = b.build_load(self.pointer(), address, "address")?.into_pointer_value();
                }
                let number = b.build_load(self.scalar(*value), address, &parameter.name)?;
                values.push(self.computed(&b, number, *value)?.into());
            }
        }
        let result = b.build_call(kernel, &values, "result")?.try_as_basic_value();
        for (index, parameter) in self.parameters().iter().enumerate() {
            let (ParameterKind::Scalar(of), Role::Out) = (&parameter.kind, parameter.role) else { continue };
            let address = self.slot(&b, arguments, index)?;
            let target = b.build_load(self.pointer(), address, "target")?.into_pointer_value();
            b.build_store(target, self.passed(&b, result.unwrap_basic(), *of)?)?;
        }
        b.build_return(None)?;
        add_scope_as(body, kernel);
        Ok(body)
    }

    /// The address of an element of 64 bits.
    fn slot(
        &self,
        b: &Builder<'llvm>,
        array: PointerValue<'llvm>,
        index: usize,
    ) -> Result<PointerValue<'llvm>, BuilderError> {
        let index: IntValue<'llvm> = self.llvm.i64_type().const_int(index as u64, false);
        // SAFETY: both arrays have an element for each size, and for each parameter, of the signature.
        unsafe { b.build_gep(self.llvm.i64_type(), array, &[index], "slot") }
    }

    /// The C function, which calls a function of the run time with a signature, the arguments, the call, and
    /// what is called: a body, whose place in the source it has.
    /// The functions of C and of C++, which do the same.
    fn build_entries(
        &self,
        symbols: &KernelSymbols,
        called: (&str, PointerValue<'llvm>),
        body: FunctionValue<'llvm>,
    ) -> Result<[FunctionValue<'llvm>; 2], BuilderError> {
        let name = &self.signature.name;
        let of_c = match symbols.c {
            CSymbols::Unique => Linkage::External,
            CSymbols::Shared => Linkage::WeakODR,
        };
        let of_cxx = format!("{}{name}", symbols.cxx_prefix);
        Ok([
            self.build_entry((name, of_c), called, body)?,
            self.build_entry((&of_cxx, Linkage::External), called, body)?,
        ])
    }

    fn build_entry(
        &self,
        (name, linkage): (&str, Linkage),
        (runtime, callee): (&str, PointerValue<'llvm>),
        body: FunctionValue<'llvm>,
    ) -> Result<FunctionValue<'llvm>, BuilderError> {
        let types = self.parameters().iter().map(|parameter| self.type_of(parameter));
        let types: Vec<_> = types.chain([self.pointer()]).map(BasicMetadataTypeEnum::from).collect();
        let status = self.llvm.i32_type().fn_type(&types, false);
        let entry = self.define(name, status, linkage);
        let b = self.llvm.create_builder();
        b.position_at_end(self.llvm.append_basic_block(entry, "entry"));
        if self.processes == Processes::Several {
            self.use_processes(&b)?;
        }
        let count = self.parameters().len();
        let room = self.llvm.i64_type().array_type(count.max(1) as u32);
        let arguments = b.build_alloca(room, "arguments")?;
        let mut given = entry.get_params();
        let call = given.pop().expect("the last parameter is the call");
        for (index, value) in given.into_iter().enumerate() {
            b.build_store(self.slot(&b, arguments, index)?, value)?;
        }
        let text = b.build_global_string_ptr(&self.signature.to_string(), "signature")?.as_pointer_value();
        let passed = [text.into(), arguments.into(), call.into(), callee.into()];
        let status = b.build_call(self.runtime_entry(runtime), &passed, "status")?.try_as_basic_value();
        b.build_return(Some(&status.unwrap_basic()))?;
        add_scope_as(entry, body);
        Ok(entry)
    }

    /// Passes the functions of MPI, which the library is linked with, to the run time.
    fn use_processes(&self, b: &Builder<'llvm>) -> Result<(), BuilderError> {
        let module = &self.unit.module;
        let functions = module
            .get_global(TABLE)
            .unwrap_or_else(|| module.add_global(self.llvm.i8_type(), None, TABLE))
            .as_pointer_value();
        let callee = module.get_function(USE_PROCESSES.symbol).unwrap_or_else(|| {
            let ty = self.llvm.void_type().fn_type(&[self.pointer().into()], false);
            module.add_function(USE_PROCESSES.symbol, ty, Some(Linkage::External))
        });
        b.build_call(callee, &[functions.into()], "")?;
        Ok(())
    }

    fn runtime_entry(&self, name: &str) -> FunctionValue<'llvm> {
        self.unit.module.get_function(name).unwrap_or_else(|| {
            let ty = self.llvm.i32_type().fn_type(&[self.pointer().into(); 4], false);
            self.unit.module.add_function(name, ty, Some(Linkage::External))
        })
    }
}
