// attr [1] pragma_multi_core_depth = 1
for (cc0, 0, 64) {
  // attr [0] alloc_out = 1
  // attr [input_0_red_local_UB] storage_scope = "local.UB"
  allocate input_0_red_local_UB[float16 * 16 * 1]
  // attr [fp32_T_exp_red_local_UB] storage_scope = "local.UB"
  allocate fp32_T_exp_red_local_UB[float32 * 16 * 1]
  for (cc2, 0, 16) {
    input_0_red_local_UB[cc2] = -65504h
  }
  // attr [input_0_local_UB] storage_scope = "local.UB"
  allocate input_0_local_UB[float16 * 16 * 512]
  for (cc2, 0, 16) {
    for (cc3, 0, 512) {
      input_0_local_UB[((cc2*512) + cc3)] = input_0[(((cc0*8192) + (cc2*512)) + cc3)]
    }
  }
  for (cc2, 0, 16) {
    for (cc3, 0, 512) {
      input_0_red_local_UB[cc2] = max(input_0_red_local_UB[cc2], input_0_local_UB[((cc2*512) + cc3)])
    }
  }
  // attr [T_subtract_input_0_input_0_red_0_local_UB] storage_scope = "local.UB"
  allocate T_subtract_input_0_input_0_red_0_local_UB[float16 * 16 * 512]
  for (cc2, 0, 16) {
    for (cc3, 0, 512) {
      T_subtract_input_0_input_0_red_0_local_UB[((cc2*512) + cc3)] = input_0_red_local_UB[cc2]
    }
  }
  // attr [T_subtract_input_0_input_0_red_local_UB] storage_scope = "local.UB"
  allocate T_subtract_input_0_input_0_red_local_UB[float16 * 16 * 512]
  for (cc2, 0, 16) {
    for (cc3, 0, 512) {
      T_subtract_input_0_input_0_red_local_UB[((cc2*512) + cc3)] = (input_0_local_UB[((cc2*512) + cc3)] - T_subtract_input_0_input_0_red_0_local_UB[((cc2*512) + cc3)])
    }
  }
  // attr [T_exp_local_UB] storage_scope = "local.UB"
  allocate T_exp_local_UB[float16 * 16 * 512]
  for (cc2, 0, 16) {
    for (cc3, 0, 512) {
      T_exp_local_UB[((cc2*512) + cc3)] = exp(T_subtract_input_0_input_0_red_local_UB[((cc2*512) + cc3)]):float16:PI
    }
  }
  // attr [fp32_T_exp_local_UB] storage_scope = "local.UB"
  allocate fp32_T_exp_local_UB[float32 * 16 * 512]
  for (cc2, 0, 16) {
    for (cc3, 0, 512) {
      fp32_T_exp_local_UB[((cc2*512) + cc3)] = float32(T_exp_local_UB[((cc2*512) + cc3)])
    }
  }
  for (cc2, 0, 16) {
    fp32_T_exp_red_local_UB[cc2] = 0f
  }
  for (cc2, 0, 16) {
    for (cc3, 0, 512) {
      fp32_T_exp_red_local_UB[cc2] = (fp32_T_exp_red_local_UB[cc2] + fp32_T_exp_local_UB[((cc2*512) + cc3)])
    }
  }
  // attr [T_exp_red_local_UB] storage_scope = "local.UB"
  allocate T_exp_red_local_UB[float16 * 16 * 1]
  for (cc2, 0, 16) {
    T_exp_red_local_UB[cc2] = float16(fp32_T_exp_red_local_UB[cc2])
  }
  // attr [T_divide_T_exp_T_exp_red_4_local_UB] storage_scope = "local.UB"
  allocate T_divide_T_exp_T_exp_red_4_local_UB[float16 * 16 * 512]
  for (cc2, 0, 16) {
    for (cc3, 0, 512) {
      T_divide_T_exp_T_exp_red_4_local_UB[((cc2*512) + cc3)] = T_exp_red_local_UB[cc2]
    }
  }
  // attr [T_divide_T_exp_T_exp_red_local_UB] storage_scope = "local.UB"
  allocate T_divide_T_exp_T_exp_red_local_UB[float16 * 16 * 512]
  for (cc2, 0, 16) {
    for (cc3, 0, 512) {
      T_divide_T_exp_T_exp_red_local_UB[((cc2*512) + cc3)] = (T_exp_local_UB[((cc2*512) + cc3)]/T_divide_T_exp_T_exp_red_4_local_UB[((cc2*512) + cc3)])
    }
  }
  for (cc2, 0, 16) {
    for (cc3, 0, 512) {
      T_divide_T_exp_T_exp_red[(((cc0*8192) + (cc2*512)) + cc3)] = T_divide_T_exp_T_exp_red_local_UB[((cc2*512) + cc3)]
    }
  }
}
