// attr [{"keep_dims": (int1)1, "axis": [1]}] attrs = 1
output_0_0(256, 1) = ReduceMax(input_0(256, 1024)):float16:PI
output_0_1(256, 1024) = Sub(input_0(256, 1024), output_0_0(256, 1)):float16:PI
output_0_2(256, 1024) = Exp(output_0_1(256, 1024)):float16:PI
// attr [{"keep_dims": (int1)1, "axis": [1]}] attrs = 1
output_0_3(256, 1) = ReduceSum(output_0_2(256, 1024)):float16:PI
output_0_4(256, 1024) = RealDiv(output_0_2(256, 1024), output_0_3(256, 1)):float16:PI
