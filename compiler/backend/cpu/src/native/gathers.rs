//! Which functions do without AVX-512, because they load at indices that are loaded themselves, `x[crd[p]]`.
//!
//! With AVX-512, LLVM turns them into gathers wherever it vectorizes a loop. On Zen 4, a gather takes longer
//! than as many loads. SpMV with one thread, times without over times with: bcsstk16 0.70, ship_001 0.88,
//! ca-AstroPh 0.55, memplus 0.79, Laplacian 58³ with 27 points 1.0. Without AVX-512, LLVM loads such
//! elements one by one, at addresses from general registers. LLVM's own `prefer-no-gather` still computes
//! the addresses in vectors and takes these apart: 0.87 on bcsstk16.

use super::target::Target;
use inkwell::targets::TargetData;
use inkwell::types::AnyTypeEnum;
use inkwell::values::{
    BasicValue as _, CallSiteValue, FunctionValue, InstructionOpcode, InstructionValue, Operand,
};

/// The processors that were measured, as LLVM names them. On Zen 5, loops with gathers take no longer.
const SLOW: [&str; 1] = ["znver4"];

/// The bits of the widest registers without AVX-512.
const BITS_WITHOUT_AVX512: u64 = 256;

/// How far the computation of an index is followed.
const DEPTH: u32 = 8;

/// Whether a function is faster without AVX-512.
pub(super) fn are_to_be_avoided(function: FunctionValue<'_>, target: &Target) -> bool {
    if !SLOW.contains(&target.cpu()) {
        return false;
    }
    let data = target.machine().get_target_data();
    let instructions = || function.get_basic_block_iter().flat_map(|block| block.get_instructions());
    instructions().any(is_indirect_load)
        && !instructions().any(|instruction| is_wide(instruction, &data) || is_own_call(instruction))
}

/// Whether an instruction calls a function of the module, which is compiled with AVX-512: it would not be
/// inlined, and its variants for vectors take registers of 512 bits.
fn is_own_call(instruction: InstructionValue<'_>) -> bool {
    let call = CallSiteValue::try_from(instruction).ok();
    let called = call.and_then(|call| call.get_called_fn_value());
    called.is_some_and(|called| called.count_basic_blocks() > 0)
}

/// Whether an instruction returns a vector that only AVX-512 has registers for. Calls need not be looked at:
/// what is done with wide vectors is arithmetic, too. Some return tokens, which inkwell has no type for.
fn is_wide(instruction: InstructionValue<'_>, data: &TargetData) -> bool {
    if instruction.get_opcode() == InstructionOpcode::Call {
        return false;
    }
    match instruction.get_type() {
        AnyTypeEnum::VectorType(vector) => data.get_bit_size(&vector) > BITS_WITHOUT_AVX512,
        _ => false,
    }
}

/// Whether an instruction loads a scalar at an index that is loaded itself.
fn is_indirect_load(load: InstructionValue<'_>) -> bool {
    if load.get_opcode() != InstructionOpcode::Load || matches!(load.get_type(), AnyTypeEnum::VectorType(_)) {
        return false;
    }
    let element =
        operands(load).next().filter(|address| address.get_opcode() == InstructionOpcode::GetElementPtr);
    element.is_some_and(|element| operands(element).any(|index| is_loaded(index, DEPTH)))
}

/// Whether an integer follows from one that is loaded.
fn is_loaded(value: InstructionValue<'_>, depth: u32) -> bool {
    let is_computed = matches!(
        value.get_opcode(),
        InstructionOpcode::SExt
            | InstructionOpcode::ZExt
            | InstructionOpcode::Trunc
            | InstructionOpcode::Add
            | InstructionOpcode::Mul
            | InstructionOpcode::Shl
    );
    match value.get_opcode() {
        InstructionOpcode::Load => matches!(value.get_type(), AnyTypeEnum::IntType(_)),
        _ => is_computed && depth > 0 && operands(value).any(|operand| is_loaded(operand, depth - 1)),
    }
}

/// The operands that instructions return.
fn operands(instruction: InstructionValue<'_>) -> impl Iterator<Item = InstructionValue<'_>> {
    instruction.get_operands().flatten().filter_map(|operand| match operand {
        Operand::Value(value) => value.as_instruction_value(),
        Operand::Block(_) => None,
    })
}
