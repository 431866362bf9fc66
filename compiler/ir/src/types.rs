//! Types that passes ask for and build.

use crate::{Attr, Ty, Val};
use comet_dialects::ffi;
use comet_format::ValueType;
use melior::Context;
use melior::ir::r#type::{IntegerType, MemRefType, RankedTensorType};
use melior::ir::{ShapedTypeLike, TypeLike, ValueLike};
use mlir_sys::{mlirAttributeGetNull, mlirRankedTensorTypeGet, mlirShapedTypeGetDynamicSize};

pub fn index(context: &Context) -> Ty<'_> {
    Ty::index(context)
}

/// `iN`.
pub fn int(context: &Context, bits: u32) -> Ty<'_> {
    IntegerType::new(context, bits).into()
}

/// `memref<?xT>`.
pub fn memref<'c>(element: Ty<'c>) -> Ty<'c> {
    // SAFETY: it only reads a constant.
    let dynamic = unsafe { mlirShapedTypeGetDynamicSize() };
    MemRefType::new(element, &[dynamic], None, None).into()
}

/// `memref<?xT, strided<[1], offset: ?>>`.
pub fn part_of_memref<'c>(element: Ty<'c>) -> Ty<'c> {
    // SAFETY: the context is the element's, and the numbers are as many as the type has modes.
    let layout = unsafe {
        let context = mlir_sys::mlirTypeGetContext(element.to_raw());
        Attr::from_raw(mlir_sys::mlirStridedLayoutAttrGet(context, DYNAMIC, 1, [1].as_ptr()))
    };
    MemRefType::new(element, &[DYNAMIC], Some(layout), None).into()
}

/// What stands for an extent, an offset or a stride that is not fixed in a type.
pub const DYNAMIC: i64 = i64::MIN;

/// `memref<nxT>`.
pub fn fixed_memref<'c>(count: u64, element: Ty<'c>) -> Ty<'c> {
    MemRefType::new(element, &[count as i64], None, None).into()
}

/// `memref<T>`: room for one value.
pub fn variable<'c>(element: Ty<'c>) -> Ty<'c> {
    MemRefType::new(element, &[], None, None).into()
}

/// `vector<nxT>`, or `vector<nx2xT>` of complex values.
pub fn vector<'c>(lanes: u64, element: Ty<'c>) -> Ty<'c> {
    if is_complex(element) { Ty::vector(&[lanes, 2], part(element)) } else { Ty::vector(&[lanes], element) }
}

pub fn pointer(context: &Context) -> Ty<'_> {
    melior::dialect::llvm::r#type::pointer(context, 0)
}

/// `!ta.range`.
pub fn range(context: &Context) -> Ty<'_> {
    // SAFETY: the context lives and has the dialect registered.
    unsafe { Ty::from_raw(ffi::cometTaRangeTypeGet(context.to_raw())) }
}

/// `!ta.permutation`.
pub fn permutation(context: &Context) -> Ty<'_> {
    // SAFETY: the context lives and has the dialect registered.
    unsafe { Ty::from_raw(ffi::cometTaPermutationTypeGet(context.to_raw())) }
}

/// `!ta.labeled<T>`.
pub fn labeled<'c>(element: Ty<'c>) -> Ty<'c> {
    // SAFETY: the type's context lives and has the dialect registered.
    unsafe { Ty::from_raw(ffi::cometTaLabeledTypeGet(element.to_raw())) }
}

/// T of `!ta.labeled<T>`.
pub fn labeled_element<'c>(labeled: Ty<'c>) -> Ty<'c> {
    // SAFETY: callers pass a `!ta.labeled`.
    unsafe { Ty::from_raw(ffi::cometTaLabeledTypeGetElement(labeled.to_raw())) }
}

/// `!cin.index`.
pub fn cin_index(context: &Context) -> Ty<'_> {
    // SAFETY: the context lives and has the dialect registered.
    unsafe { Ty::from_raw(ffi::cometCinIndexTypeGet(context.to_raw())) }
}

/// `tensor<…xT, encoding>`; `None` is an extent that is not known.
pub fn tensor<'c>(dims: &[Option<u64>], element: Ty<'c>, encoding: Option<Attr<'c>>) -> Ty<'c> {
    use melior::ir::AttributeLike;
    // SAFETY: it only reads a constant.
    let dynamic = unsafe { mlirShapedTypeGetDynamicSize() };
    let shape: Vec<i64> = dims.iter().map(|dim| dim.map_or(dynamic, |n| n as i64)).collect();
    // SAFETY: null stands for no encoding.
    let encoding = encoding.map_or_else(|| unsafe { mlirAttributeGetNull() }, |attribute| attribute.to_raw());
    // SAFETY: the shape's array lives through the call.
    unsafe {
        Ty::from_raw(mlirRankedTensorTypeGet(
            shape.len() as isize,
            shape.as_ptr(),
            element.to_raw(),
            encoding,
        ))
    }
}

pub fn element_of<'c>(shaped: Val<'c>) -> Ty<'c> {
    element(shaped.r#type())
}

/// The element type of a tensor or memref.
pub fn element<'c>(ty: Ty<'c>) -> Ty<'c> {
    // SAFETY: callers pass a shaped type.
    unsafe { Ty::from_raw(mlir_sys::mlirShapedTypeGetElementType(ty.to_raw())) }
}

pub fn is_tensor(ty: Ty<'_>) -> bool {
    RankedTensorType::try_from(ty).is_ok()
}

/// The number of modes of a tensor type.
pub fn rank(ty: Ty<'_>) -> usize {
    RankedTensorType::try_from(ty).map_or(0, |tensor| tensor.rank())
}

/// The extent of a mode, where the type fixes it.
pub fn static_dim(ty: Ty<'_>, mode: usize) -> Option<u64> {
    // SAFETY: callers pass a ranked tensor type and a mode below its rank.
    let size = unsafe { mlir_sys::mlirShapedTypeGetDimSize(ty.to_raw(), mode as isize) };
    u64::try_from(size).ok()
}

pub fn is_float(ty: Ty<'_>) -> bool {
    ty.is_f64() || ty.is_f32() || ty.is_f16() || ty.is_bf16()
}

pub fn is_integer(ty: Ty<'_>) -> bool {
    IntegerType::try_from(ty).is_ok()
}

pub fn is_complex(ty: Ty<'_>) -> bool {
    // SAFETY: the type lives.
    unsafe { mlir_sys::mlirTypeIsAComplex(ty.to_raw()) }
}

/// `complex<T>`.
pub fn complex(part: Ty<'_>) -> Ty<'_> {
    // SAFETY: the type lives, and MLIR has complex types of all integers and floats, which parts and elements
    // of vectors are.
    unsafe { Ty::from_raw(mlir_sys::mlirComplexTypeGet(part.to_raw())) }
}

/// T of `complex<T>`, and any other type itself.
pub fn part(ty: Ty<'_>) -> Ty<'_> {
    if !is_complex(ty) {
        return ty;
    }
    // SAFETY: the type is complex.
    unsafe { Ty::from_raw(mlir_sys::mlirComplexTypeGetElementType(ty.to_raw())) }
}

/// Whether values are floating-point numbers, or complex ones whose parts are.
pub fn is_inexact(ty: Ty<'_>) -> bool {
    is_float(part(ty))
}

/// The type that stands for elements of a type in tensors and in casts.
pub fn of_value(context: &Context, value: ValueType) -> Ty<'_> {
    Ty::parse(context, value.row().text).expect("the table has types of MLIR")
}

/// The element type that a type of tensors or numbers stands for; an index is computed as an `int`.
pub fn value_of(ty: Ty<'_>) -> ValueType {
    let text = ty.to_string();
    ValueType::ALL.into_iter().find(|value| value.row().text == text).unwrap_or(ValueType::I64)
}

/// The type of the numbers that elements are in memory: the bits of what arithmetic has no type for, and of
/// complex elements the parts, two for each.
pub fn stored(context: &Context, value: ValueType) -> Ty<'_> {
    match value.is_computed() {
        true => of_value(context, value.part()),
        false => int(context, 8 * value.bytes() as u32),
    }
}

/// The bits of an integer, float or complex type.
pub fn width(ty: Ty<'_>) -> u32 {
    match IntegerType::try_from(ty) {
        Ok(integer) => integer.width(),
        Err(_) if is_complex(ty) => 2 * width(part(ty)),
        Err(_) if ty.is_f64() => 64,
        Err(_) if ty.is_f32() => 32,
        Err(_) => 16,
    }
}

pub fn bits(vector: Ty<'_>) -> u64 {
    lanes(vector) * u64::from(width(scalar(vector)))
}

/// n of `vector<nxT>`, and 1 of T.
pub fn lanes(ty: Ty<'_>) -> u64 {
    if !ty.is_vector() {
        return 1;
    }
    // SAFETY: a vector type has a shape, and the first dimension of ours has a fixed size.
    unsafe { mlir_sys::mlirShapedTypeGetDimSize(ty.to_raw(), 0) }.unsigned_abs()
}

pub fn has_lanes(ty: Ty<'_>) -> bool {
    ty.is_vector()
}

/// T of `vector<nxT>`, `complex<T>` of `vector<nx2xT>`, and T of T.
pub fn scalar<'c>(ty: Ty<'c>) -> Ty<'c> {
    match ty.is_vector() {
        true if has_complex_lanes(ty) => complex(element(ty)),
        true => element(ty),
        false => ty,
    }
}

/// Whether a type is a `vector<nx2xT>`.
pub(crate) fn has_complex_lanes(ty: Ty<'_>) -> bool {
    // SAFETY: a vector type has a shape.
    ty.is_vector() && unsafe { mlir_sys::mlirShapedTypeGetRank(ty.to_raw()) } == 2
}

/// `vector<nxU>` for `vector<nxT>` and `U`, and `U` for any other type and `U`.
pub fn same_lanes<'c>(ty: Ty<'c>, element: Ty<'c>) -> Ty<'c> {
    if ty.is_vector() { vector(lanes(ty), element) } else { element }
}
