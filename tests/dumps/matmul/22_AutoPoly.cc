[// attr [1] pragma_multi_core_depth = 1
for (cc0, 0, 2) {
  // attr [1] pragma_multi_core_depth = 2
  for (cc1, 0, 16) {
    // attr [0] alloc_C = 1
    // attr [placeholder(T_batchmatmul_input_0_input_1_local_UB, 0x564f01ce4a20)] realize_scope = "local.UB"
    realize T_batchmatmul_input_0_input_1_local_UB<float32>([0, 16], [0, 2], [0, 16], [0, 16]) {
      // attr [placeholder(T_batchmatmul_input_0_input_1_local_UB_local_L0C, 0x564f01cf0a30)] realize_scope = "local.L0C"
      realize T_batchmatmul_input_0_input_1_local_UB_local_L0C<float32>([0, 16], [0, 2], [0, 16], [0, 16]) {
        for (cc4, 0, 8) {
          // attr [0] isolated_idx = 0
          // attr [{"pragma_data_transpose_block_inner": "N", "pragma_weight_transpose": "Y", "pragma_data_transpose_block": "Y", "pragma_data_transpose": "Y", "pragma_gemm_weight": "input_1", "pragma_gemm_data": "input_0", "bias": "", "pragma_gemm_k": [32, 16], "pragma_weight_transpose_block_inner": "N", "pragma_weight_transpose_block": "N", "pragma_conv_bypass_l1": 0, "pragma_gemm_output_shape": [32, 32, 16, 16]}] pragma_attrs = 1
          // attr [placeholder(input_1_local_L1, 0x564f021ad2a0)] realize_scope = "local.L1"
          realize input_1_local_L1<float16>([0, 16], [0, 4], [0, 16], [0, 16]) {
            produce input_1_local_L1 {
              for (cc5, 0, 16) {
                for (cc6, 0, 4) {
                  for (cc7, 0, 16) {
                    for (cc8, 0, 16) {
                      input_1_local_L1(cc5, cc6, cc7, cc8) = input_1(((16*cc0) + cc5), ((4*cc4) + cc6), cc7, cc8)
                    }
                  }
                }
              }
            }
            // attr [placeholder(input_0_local_L1, 0x564f02164d50)] realize_scope = "local.L1"
            realize input_0_local_L1<float16>([0, 4], [0, 2], [0, 16], [0, 16]) {
              produce input_0_local_L1 {
                for (cc5, 0, 4) {
                  for (cc6, 0, 2) {
                    for (cc7, 0, 16) {
                      for (cc8, 0, 16) {
                        input_0_local_L1(cc5, cc6, cc7, cc8) = input_0(((4*cc4) + cc5), ((2*cc1) + cc6), cc7, cc8)
                      }
                    }
                  }
                }
              }
              // attr [placeholder(input_1_local_L1_local_L0B, 0x564f01e96a50)] realize_scope = "local.L0B"
              realize input_1_local_L1_local_L0B<float16>([0, 16], [0, 4], [0, 16], [0, 16]) {
                produce input_1_local_L1_local_L0B {
                  // attr [0] pragma_load2d_transpose_weight = 0
                  for (cc10, 0, 16) {
                    for (cc11, 0, 4) {
                      for (cc12, 0, 16) {
                        for (cc13, 0, 16) {
                          input_1_local_L1_local_L0B(cc10, cc11, cc12, cc13) = input_1_local_L1(cc10, cc11, cc12, cc13)
                        }
                      }
                    }
                  }
                }
                produce input_1_local_L1_local_L0B {
                  // attr [0] pragma_load2d_transpose_weight = 1
                  for (cc10, 0, 4) {
                    for (cc11, 0, 16) {
                      for (cc12, 0, 16) {
                        for (cc13, 0, 16) {
                          input_1_local_L1_local_L0B(cc10, cc11, cc12, cc13) = input_1_local_L1_local_L0B(cc11, cc10, cc13, cc12)
                        }
                      }
                    }
                  }
                }
                // attr [placeholder(input_0_local_L1_local_L0A, 0x564f01db6b30)] realize_scope = "local.L0A"
                realize input_0_local_L1_local_L0A<float16>([0, 4], [0, 2], [0, 16], [0, 16]) {
                  produce input_0_local_L1_local_L0A {
                    // attr [0] pragma_load2d_transpose_data = 0
                    for (cc10, 0, 4) {
                      for (cc11, 0, 2) {
                        for (cc12, 0, 16) {
                          for (cc13, 0, 16) {
                            input_0_local_L1_local_L0A(cc10, cc11, cc12, cc13) = input_0_local_L1(cc10, cc11, cc12, cc13)
                          }
                        }
                      }
                    }
                  }
                  produce input_0_local_L1_local_L0A {
                    // attr [0] pragma_load2d_transpose_data = 1
                    for (cc10, 0, 2) {
                      for (cc11, 0, 4) {
                        for (cc12, 0, 16) {
                          for (cc13, 0, 16) {
                            input_0_local_L1_local_L0A(cc10, cc11, cc12, cc13) = input_0_local_L1_local_L0A(cc11, cc10, cc12, cc13)
                          }
                        }
                      }
                    }
                  }
                  // attr [placeholder(T_batchmatmul_input_0_input_1_local_UB_local_L0C, 0x564f01ed9d10)] realize_scope = "local.L0C"
                  // attr [0] gemm_transposed = "_L1_local_L0A"
                  // attr [0] gemm_transposed = "_L1_local_L0B"
                  // attr [0] pragma_emit_insn = "mad"
                  for (cc10, 0, 16) {
                    for (cc11, 0, 2) {
                      for (cc12, 0, 16) {
                        for (cc13, 0, 16) {
                          for (cc14, 0, 4) {
                            for (cc15, 0, 16) {
                              if ((((cc4 == 0) && (cc14 == 0)) && (cc15 == 0))) {
                                T_batchmatmul_input_0_input_1_local_UB_local_L0C(cc10, cc11, cc12, cc13) = 0f
                              }
                              T_batchmatmul_input_0_input_1_local_UB_local_L0C(cc10, cc11, cc12, cc13) = mad(T_batchmatmul_input_0_input_1_local_UB_local_L0C(cc10, cc11, cc12, cc13), float32((input_0_local_L1_local_L0A(cc11, cc14, cc12, cc15)*input_1_local_L1_local_L0B(cc14, cc10, cc13, cc15)))):float32:PI
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
        // attr [0] pragma_cube_l0write = 1
        for (cc10, 0, 16) {
          for (cc11, 0, 2) {
            for (cc12, 0, 16) {
              for (cc13, 0, 16) {
                T_batchmatmul_input_0_input_1_local_UB(cc10, cc11, cc12, cc13) = T_batchmatmul_input_0_input_1_local_UB_local_L0C(cc10, cc11, cc12, cc13)
              }
            }
          }
        }
        // attr [0] pragma_fuse_vector = 1
        // attr [placeholder(T_cast_local_UB, 0x564f020b3430)] realize_scope = "local.UB"
        realize T_cast_local_UB<float16>([0, 16], [0, 2], [0, 16], [0, 16]) {
          for (cc10, (16*cc0), 16) {
            for (cc11, (2*cc1), 2) {
              for (cc12, 0, 16) {
                for (cc13, 0, 16) {
                  T_cast_local_UB(((-16*cc0) + cc10), ((-2*cc1) + cc11), cc12, cc13) = float16(T_batchmatmul_input_0_input_1_local_UB(((-16*cc0) + cc10), ((-2*cc1) + cc11), cc12, cc13))
                }
              }
            }
          }
          for (cc10, 0, 16) {
            for (cc11, 0, 2) {
              for (cc12, 0, 16) {
                for (cc13, 0, 16) {
                  T_cast(((16*cc0) + cc10), ((2*cc1) + cc11), cc12, cc13) = T_cast_local_UB(cc10, cc11, cc12, cc13)
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