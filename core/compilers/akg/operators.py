"""The operators that AKG 1.10 knows by name in a composite kernel.

Read from the running compiler: each is a function registered under that name with its runtime
(`tvm._ffi.function.list_global_func_names`, by composite_topi.cc of libakg.so and by
akg/composite/topi.py), which is where AKG looks an operator up before it says "Akg topi has no op".
MatMul and BatchMatMul are looked up under a name with the chip in front; Concat is taken apart in
akg/composite/split_pass_through.py.
"""

from __future__ import annotations

_NAMES = """
    ACos Abs Acosh Add AddMinValue AddN AicoreBatchMatMul Argmax Argmin Asin Asinh Assign Atan Atan2
    BatchMatMul BroadcastTo CImag COO2CSR CReal CSR2COO CSRDiv CSRGather CSRMM CSRMV CSRMul
    CSRReduceSum Cast Complex Concat Conv2D Cos CpuBatchMatMul CudaBatchMatMul CumProd CumSum Custom
    Div ElemAll ElemAny Equal EquivFormat Erf Exp ExpandDims Expm1 Floor FloorDiv FloorMod Gather
    GatherNd Greater GreaterEqual InplaceAssign IsFinite IsInf IsNan LayoutTransform Less LessEqual
    Log LogicalAnd LogicalNot LogicalOr MatMul Maximum Minimum Mod Mul Neg NotEqual OneHot PadAkg
    Pool2D Pow Range RealDiv Reciprocal ReduceMax ReduceMin ReduceProd ReduceSum Reshape Round Rsqrt
    Select SelectGE SelectGT SelectLE SelectLT Sign Sin Sqrt StandardNormal StridedSlice Sub Tanh
    TensorAdd TensorScatterAdd Tile TransData Transpose UnPadAkg UnsortedSegmentSum ZerosLike
"""
OPERATORS = frozenset(_NAMES.split())

#: Operators of two tensors that AKG broadcasts against each other, as numpy does. Each was given
#: [32, 64] with [7, 64] ("Incompatible broadcast dims") and float16 with float32 ("Cannot match
#: type").
_TWO_TENSORS = """
    Add Div Equal FloorDiv FloorMod Greater GreaterEqual Less LessEqual Maximum Minimum Mod Mul
    NotEqual Pow RealDiv Sub TensorAdd
"""
BROADCASTING = frozenset(_TWO_TENSORS.split())
