// attr [iter_var(blockIdx.x, , blockIdx.x)] thread_extent = 32
for (cc0, 0, 2) {
  // attr [0] alloc_out = 1
  // attr [input_0_red_local_UB] storage_scope = "local.UB"
  allocate input_0_red_local_UB[float16 * 16 * 1]
  // attr [0] isolate_range = 2
  // attr [0] pragma_emit_insn = "vector_dup"
  for (cc2, 0, 16) {
    input_0_red_local_UB[cc2] = vector_dup(-65504h):float16:PI if -2
  }
  // attr [input_0_local_UB] storage_scope = "local.UB"
  allocate input_0_local_UB[float16 * 16 * 512]
  // attr [0] gm_addr_rw = input_0
  // attr [0] pragma_emit_insn = "dma_copy"
  for (cc3, 0, 8192) {
    input_0_local_UB[cc3] = input_0[((((blockIdx.x*2) + cc0)*8192) + cc3)] if -2
  }
  // attr [0] pragma_emit_insn = "vec_binary_max"
  for (cc2, 0, 16) {
    for (cc3, 0, 512) {
      input_0_red_local_UB[cc2] = max(input_0_red_local_UB[cc2] if -2, input_0_local_UB[((cc2*512) + cc3)] if -2) if -2
    }
  }
  // attr [T_subtract_input_0_input_0_red_0_local_UB] storage_scope = "local.UB"
  allocate T_subtract_input_0_input_0_red_0_local_UB[float16 * 16 * 512]
  for (cc2, 0, 16) {
    // attr [0] pragma_emit_insn = "vector_dup"
    for (cc3, 0, 512) {
      T_subtract_input_0_input_0_red_0_local_UB[((cc2*512) + cc3)] = vector_dup(input_0_red_local_UB[cc2] if -2):float16:PI if -2
    }
  }
  // attr [T_subtract_input_0_input_0_red_local_UB] storage_scope = "local.UB"
  allocate T_subtract_input_0_input_0_red_local_UB[float16 * 16 * 512]
  // attr [0] pragma_emit_insn = "vec_binary_sub"
  for (cc3, 0, 8192) {
    T_subtract_input_0_input_0_red_local_UB[cc3] = (input_0_local_UB[cc3] if -2 - T_subtract_input_0_input_0_red_0_local_UB[cc3] if -2) if -2
  }
  // attr [T_exp_local_UB] storage_scope = "local.UB"
  allocate T_exp_local_UB[float16 * 16 * 512]
  // attr [0] pragma_emit_insn = "vec_single_exp"
  for (cc3, 0, 8192) {
    T_exp_local_UB[cc3] = exp(T_subtract_input_0_input_0_red_local_UB[cc3] if -2):float16:PI if -2
  }
  // attr [fp32_T_exp_local_UB] storage_scope = "local.UB"
  allocate fp32_T_exp_local_UB[float32 * 16 * 512]
  // attr [0] pragma_emit_insn = "vec_single_cast"
  for (cc3, 0, 8192) {
    fp32_T_exp_local_UB[cc3] = float32(T_exp_local_UB[cc3] if -2) if -2
  }
  // attr [fp32_T_exp_red_local_UB] storage_scope = "local.UB"
  allocate fp32_T_exp_red_local_UB[float32 * 16 * 1]
  // attr [0] pragma_emit_insn = "vector_dup"
  for (cc2, 0, 16) {
    fp32_T_exp_red_local_UB[cc2] = vector_dup(0f):float32:PI if -2
  }
  // attr [0] pragma_emit_insn = "vec_binary_add"
  for (cc2, 0, 16) {
    for (cc3, 0, 512) {
      fp32_T_exp_red_local_UB[cc2] = (fp32_T_exp_red_local_UB[cc2] if -2 + fp32_T_exp_local_UB[((cc2*512) + cc3)] if -2) if -2
    }
  }
  // attr [T_exp_red_local_UB] storage_scope = "local.UB"
  allocate T_exp_red_local_UB[float16 * 16 * 1]
  // attr [0] pragma_emit_insn = "vec_single_cast"
  for (cc2, 0, 16) {
    T_exp_red_local_UB[cc2] = float16(fp32_T_exp_red_local_UB[cc2] if -2) if -2
  }
  // attr [T_divide_T_exp_T_exp_red_4_local_UB] storage_scope = "local.UB"
  allocate T_divide_T_exp_T_exp_red_4_local_UB[float16 * 16 * 512]
  for (cc2, 0, 16) {
    // attr [0] pragma_emit_insn = "vector_dup"
    for (cc3, 0, 512) {
      T_divide_T_exp_T_exp_red_4_local_UB[((cc2*512) + cc3)] = vector_dup(T_exp_red_local_UB[cc2] if -2):float16:PI if -2
    }
  }
  // attr [T_divide_T_exp_T_exp_red_local_UB] storage_scope = "local.UB"
  allocate T_divide_T_exp_T_exp_red_local_UB[float16 * 16 * 512]
  // attr [0] pragma_emit_insn = "vec_binary_div"
  for (cc3, 0, 8192) {
    T_divide_T_exp_T_exp_red_local_UB[cc3] = (T_exp_local_UB[cc3] if -2/T_divide_T_exp_T_exp_red_4_local_UB[cc3] if -2) if -2
  }
  // attr [0] gm_addr = T_divide_T_exp_T_exp_red
  // attr [0] external_for_loop = (cc0 - 2)
  // attr [0] internal_for_loop = (cc3 - 8192)
  // attr [0] pragma_emit_insn = "dma_copy"
  for (cc3, 0, 8192) {
    T_divide_T_exp_T_exp_red[((((blockIdx.x*2) + cc0)*8192) + cc3)] = T_divide_T_exp_T_exp_red_local_UB[cc3] if -2
  }
}
