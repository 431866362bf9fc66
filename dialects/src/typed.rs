//! A name for every typed operation, so that an operation can be asked what it is before it is viewed as
//! that.

use crate::{cin, sam, spatial, ta};
use melior::dialect::ods::{arith, func, memref, scf, vector};

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
    ta {
        IndexLabelStaticOperation
        IndexLabelDynamicOperation
        SolveSizeOperation
        RangeSizeOperation
        TensorDeclOperation
        ReleaseOperation
        MoveOperation
        FillOperation
        LiteralOperation
        ReadOperation
        WriteOperation
        RandomOperation
        ConvertOperation
        LabeledTensorOperation
        ScalarOperation
        CastOperation
        NegOperation
        AddOperation
        SubtractOperation
        ElementwiseOperation
        ReduceOperation
        MaskOperation
        SetOperation
        TcOperation
        GemmOperation
        ExtractOperation
        MagnitudeOperation
        CheckedDivOperation
        CheckedStepOperation
        PrintOperation
        PrintScalarOperation
        TimeOperation
        PrintElapsedOperation
        LevelSizeOperation
        PositionsOperation
        CoordinatesOperation
        ValuesOperation
        AppendBeginOperation
        AppendGrowOperation
        AppendReserveOperation
        AppendEndOperation
        SamePatternOperation
        PartsBeginOperation
        PartClaimOperation
        PartOperation
        PartEndOperation
        PartsEndOperation
        PointsBeginOperation
        PointsStateOperation
        PointsRoomOperation
        InsertOperation
        PointsNextOperation
        PointsEndOperation
        WorkspaceOperation
        WorkspacesEndOperation
        CollectMarkedOperation
        CountDenseOperation
        LaunchOperation
    }
    cin {
        ComputeOperation
        IndexVarOperation
        SplitOperation
        DivideOperation
        FuseOperation
        PosOperation
        BoundOperation
        ForallOperation
        WhereOperation
        AssignOperation
        TemporaryOperation
        MapOperation
        EnvironmentOperation
        CommandOperation
        AccessOperation
        AddOperation
        SubOperation
        CombineOperation
        MaskOperation
        NegOperation
        CastOperation
    }
    sam {
        GraphOperation
        OperandOperation
        ScalarOperation
        UniverseOperation
        ResultOperation
        ScanOperation
        IntersectOperation
        UnionOperation
        RepeatSignalOperation
        RepeatOperation
        LocateOperation
        ToWordsOperation
        ParallelizeOperation
        SerializeOperation
        FetchOperation
        ArrayOperation
        AluOperation
        ApplyOperation
        MaskOperation
        ReduceOperation
        AccumulateOperation
        DropOperation
        HoldOperation
        WriteLevelOperation
        WriteValuesOperation
    }
    spatial {
        AppOperation
        TensorOperation
        NumberOperation
        ParameterOperation
        AliasOperation
        ValOperation
        ArgInOperation
        ArgOutOperation
        DramOperation
        LoadCsvOperation
        GetMemOperation
        SetMemOperation
        SetArgOperation
        WriteCsvOperation
        PrintOperation
        PrintArrayOperation
        AssertOperation
        TabulateOperation
        LengthOperation
        ArgumentOperation
        GetArgOperation
        TextOperation
        AccelOperation
        SramOperation
        SparseSramOperation
        FifoOperation
        RegOperation
        BarrierOperation
        WriteOperation
        SetOperation
        EnqueueOperation
        ModifyOperation
        BarrierWriteOperation
        LoadOperation
        StoreOperation
        StreamLoadOperation
        StreamStoreOperation
        GenBitvectorOperation
        CounterOperation
        ScanOperation
        ScanTwoOperation
        ForeachOperation
        ReduceOperation
        MemReduceOperation
        YieldOperation
        IfOperation
        IntOperation
        FloatOperation
        BoolOperation
        ReadOperation
        BarrierReadOperation
        ModifiedOperation
        DequeueOperation
        GetOperation
        CastOperation
        NegateOperation
        NotOperation
        BinaryOperation
        JoinOperation
        MuxOperation
        CallOperation
    }
    arith { AddFOperation AddIOperation IndexCastOperation MulFOperation MulIOperation SubFOperation }
    func { FuncOperation ReturnOperation }
    memref { AllocaOperation LoadOperation PrefetchOperation StoreOperation }
    scf { ForOperation IfOperation ParallelOperation YieldOperation }
    vector { MaskedStoreOperation StoreOperation }
}
