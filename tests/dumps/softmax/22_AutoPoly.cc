[// attr [1] pragma_multi_core_depth = 1
for (cc0, 0, 16) {
  // attr [0] alloc_out = 1
  // attr [placeholder(input_0_red_local_UB, 0x564f01b3a3a0)] realize_scope = "local.UB"
  realize input_0_red_local_UB<float16>([0, 16], [0, 1]) {
    // attr [placeholder(fp32_T_exp_red_local_UB, 0x564f01aeabc0)] realize_scope = "local.UB"
    realize fp32_T_exp_red_local_UB<float32>([0, 16], [0, 1]) {
      for (cc2, 0, 16) {
        input_0_red_local_UB(cc2, 0) = -65504h
      }
      // attr [placeholder(input_0_local_UB, 0x564f0124ee90)] realize_scope = "local.UB"
      realize input_0_local_UB<float16>([0, 16], [0, 1024]) {
        for (cc2, 0, 16) {
          for (cc3, 0, 1024) {
            input_0_local_UB(cc2, cc3) = input_0(((16*cc0) + cc2), cc3)
          }
        }
        for (cc2, 0, 16) {
          for (cc3, 0, 1024) {
            input_0_red_local_UB(cc2, 0) = max(input_0_red_local_UB(cc2, 0), input_0_local_UB(cc2, cc3))
          }
        }
        // attr [placeholder(T_subtract_input_0_input_0_red_0_local_UB, 0x564f01b47e30)] realize_scope = "local.UB"
        realize T_subtract_input_0_input_0_red_0_local_UB<float16>([0, 16], [0, 1024]) {
          for (cc2, 0, 16) {
            for (cc3, 0, 1024) {
              T_subtract_input_0_input_0_red_0_local_UB(cc2, cc3) = input_0_red_local_UB(cc2, 0)
            }
          }
          // attr [placeholder(T_subtract_input_0_input_0_red_local_UB, 0x564f01a5e340)] realize_scope = "local.UB"
          realize T_subtract_input_0_input_0_red_local_UB<float16>([0, 16], [0, 1024]) {
            for (cc2, 0, 16) {
              for (cc3, 0, 1024) {
                T_subtract_input_0_input_0_red_local_UB(cc2, cc3) = (input_0_local_UB(cc2, cc3) - T_subtract_input_0_input_0_red_0_local_UB(cc2, cc3))
              }
            }
            // attr [placeholder(T_exp_local_UB, 0x564f01a227d0)] realize_scope = "local.UB"
            realize T_exp_local_UB<float16>([0, 16], [0, 1024]) {
              for (cc2, 0, 16) {
                for (cc3, 0, 1024) {
                  T_exp_local_UB(cc2, cc3) = exp(T_subtract_input_0_input_0_red_local_UB(cc2, cc3)):float16:PI
                }
              }
              // attr [placeholder(fp32_T_exp_local_UB, 0x564f01cd6aa0)] realize_scope = "local.UB"
              realize fp32_T_exp_local_UB<float32>([0, 16], [0, 1024]) {
                for (cc2, 0, 16) {
                  for (cc3, 0, 1024) {
                    fp32_T_exp_local_UB(cc2, cc3) = float32(T_exp_local_UB(cc2, cc3))
                  }
                }
                for (cc2, 0, 16) {
                  fp32_T_exp_red_local_UB(cc2, 0) = 0f
                }
                for (cc2, 0, 16) {
                  for (cc3, 0, 1024) {
                    fp32_T_exp_red_local_UB(cc2, 0) = (fp32_T_exp_red_local_UB(cc2, 0) + fp32_T_exp_local_UB(cc2, cc3))
                  }
                }
                // attr [placeholder(T_exp_red_local_UB, 0x564f01b7bf20)] realize_scope = "local.UB"
                realize T_exp_red_local_UB<float16>([0, 16], [0, 1]) {
                  for (cc2, 0, 16) {
                    T_exp_red_local_UB(cc2, 0) = float16(fp32_T_exp_red_local_UB(cc2, 0))
                  }
                  // attr [placeholder(T_divide_T_exp_T_exp_red_4_local_UB, 0x564f011b7a80)] realize_scope = "local.UB"
                  realize T_divide_T_exp_T_exp_red_4_local_UB<float16>([0, 16], [0, 1024]) {
                    for (cc2, 0, 16) {
                      for (cc3, 0, 1024) {
                        T_divide_T_exp_T_exp_red_4_local_UB(cc2, cc3) = T_exp_red_local_UB(cc2, 0)
                      }
                    }
                    // attr [placeholder(T_divide_T_exp_T_exp_red_local_UB, 0x564f01bacdb0)] realize_scope = "local.UB"
                    realize T_divide_T_exp_T_exp_red_local_UB<float16>([0, 16], [0, 1024]) {
                      for (cc2, 0, 16) {
                        for (cc3, 0, 1024) {
                          T_divide_T_exp_T_exp_red_local_UB(cc2, cc3) = (T_exp_local_UB(cc2, cc3)/T_divide_T_exp_T_exp_red_4_local_UB(cc2, cc3))
                        }
                      }
                      for (cc2, 0, 16) {
                        for (cc3, 0, 1024) {
                          T_divide_T_exp_T_exp_red(((16*cc0) + cc2), cc3) = T_divide_T_exp_T_exp_red_local_UB(cc2, cc3)
                        }
                      }
                    }
                  }
                }
              }
            }
          }
        }
      }
    }
  }
}
, []]