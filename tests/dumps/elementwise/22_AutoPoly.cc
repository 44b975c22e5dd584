[// attr [1] pragma_multi_core_depth = 1
for (cc0, 0, 256) {
  // attr [placeholder(input_1_local_UB, 0x564f019c8230)] realize_scope = "local.UB"
  realize input_1_local_UB<float16>([0, 16384]) {
    for (cc1, 0, 16384) {
      input_1_local_UB(cc1) = input_1(((16384*cc0) + cc1))
    }
    // attr [placeholder(input_0_local_UB, 0x564f019f20f0)] realize_scope = "local.UB"
    realize input_0_local_UB<float16>([0, 16384]) {
      for (cc1, 0, 16384) {
        input_0_local_UB(cc1) = input_0(((16384*cc0) + cc1))
      }
      // attr [placeholder(T_add_input_0_input_1_local_UB, 0x564f01a32f80)] realize_scope = "local.UB"
      realize T_add_input_0_input_1_local_UB<float16>([0, 16384]) {
        for (cc1, 0, 16384) {
          T_add_input_0_input_1_local_UB(cc1) = (input_0_local_UB(cc1) + input_1_local_UB(cc1))
        }
        // attr [placeholder(T_multiply_T_add_input_0_input_1_input_1_local_UB, 0x564f0186ff40)] realize_scope = "local.UB"
        realize T_multiply_T_add_input_0_input_1_input_1_local_UB<float16>([0, 16384]) {
          for (cc1, 0, 16384) {
            T_multiply_T_add_input_0_input_1_input_1_local_UB(cc1) = (T_add_input_0_input_1_local_UB(cc1)*input_1_local_UB(cc1))
          }
          // attr [placeholder(T_maximum_T_multiply_T_add_input_0_input_1_input_1_local_UB, 0x564f01110390)] realize_scope = "local.UB"
          realize T_maximum_T_multiply_T_add_input_0_input_1_input_1_local_UB<float16>([0, 16384]) {
            for (cc1, 0, 16384) {
              T_maximum_T_multiply_T_add_input_0_input_1_input_1_local_UB(cc1) = relu(T_multiply_T_add_input_0_input_1_input_1_local_UB(cc1)):float16:PI
            }
            for (cc1, 0, 16384) {
              T_maximum_T_multiply_T_add_input_0_input_1_input_1(((16384*cc0) + cc1)) = T_maximum_T_multiply_T_add_input_0_input_1_input_1_local_UB(cc1)
            }
          }
        }
      }
    }
  }
}
, []]