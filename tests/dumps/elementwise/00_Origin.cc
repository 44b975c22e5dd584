output_0_0(4096, 1024) = Add(input_0(4096, 1024), input_1(4096, 1024)):float16:PI
output_0_1(4096, 1024) = Mul(output_0_0(4096, 1024), input_1(4096, 1024)):float16:PI
output_0_2(4096, 1024) = Maximum(output_0_1(4096, 1024), 0h):float16:PI
