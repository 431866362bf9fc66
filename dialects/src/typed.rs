//! A name for every typed operation, so that an operation can be asked what it is before it is viewed as
//! that.

use melior::dialect::ods::{arith, complex, func, llvm, math, memref, scf, vector};

/// A type of operations.
pub trait TypedOp {
    /// The operation's name: `ta.fill`.
    fn op_name() -> &'static str;
}

macro_rules! typed_ops {
    ($($dialect:ident { $($op:ident)* })*) => {
        $($(
            impl TypedOp for $dialect::$op<'_> {
                fn op_name() -> &'static str {
                    Self::name()
                }
            }
        )*)*
    };
}

typed_ops! {
    complex { CreateOperation }
    arith {
        AddFOperation AddIOperation IndexCastOperation MaxNumFOperation MinNumFOperation MulFOperation
        MulIOperation SubFOperation
    }
    func { FuncOperation ReturnOperation }
    llvm { LLVMFuncOperation }
    math {
        CosOperation ExpOperation ExpM1Operation LogOperation Log1pOperation PowFOperation SinOperation TanhOperation
    }
    memref { AllocaOperation LoadOperation PrefetchOperation StoreOperation }
    scf { ForOperation IfOperation ParallelOperation YieldOperation }
    vector { MaskedStoreOperation ShapeCastOperation StoreOperation }
}
