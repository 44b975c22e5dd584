// attr [iter_var(blockIdx.x, , blockIdx.x)] thread_extent = 32
for (cc0, 0, 8) {
  // attr [input_1_local_UB] storage_scope = "local.UB"
  allocate input_1_local_UB[float16 * 16384]
  // attr [0] isolate_range = 2
  // attr [0] gm_addr_rw = input_1
  copy_gm_to_ubuf(tvm_access_ptr(type_annotation():float16:PI, input_1_local_UB, 0, 16384, 2):handle:I, tvm_access_ptr(type_annotation():float16:PI, input_1, ((blockIdx.x*131072) + (cc0*16384)), 16384, 1):handle:I, 0, 1, 1024, 0, 0):handle:EX
  // attr [input_0_local_UB] storage_scope = "local.UB"
  allocate input_0_local_UB[float16 * 16384]
  // attr [0] gm_addr_rw = input_0
  copy_gm_to_ubuf(tvm_access_ptr(type_annotation():float16:PI, input_0_local_UB, 0, 16384, 2):handle:I, tvm_access_ptr(type_annotation():float16:PI, input_0, ((blockIdx.x*131072) + (cc0*16384)), 16384, 1):handle:I, 0, 1, 1024, 0, 0):handle:EX
  // attr [T_add_input_0_input_1_local_UB] storage_scope = "local.UB"
  allocate T_add_input_0_input_1_local_UB[float16 * 16384]
  set_vector_mask((uint64)18446744073709551615, (uint64)18446744073709551615):float16:EX
  vadd(tvm_access_ptr(type_annotation():float16:PI, T_add_input_0_input_1_local_UB, 0, 16384, 2):handle:I, tvm_access_ptr(type_annotation():float16:PI, input_0_local_UB, 0, 16384, 1):handle:I, tvm_access_ptr(type_annotation():float16:PI, input_1_local_UB, 0, 16384, 1):handle:I, 128, 1, 1, 1, 8, 8, 8):handle:EX
  set_vector_mask((uint64)18446744073709551615, (uint64)18446744073709551615):float16:EX
  // attr [T_multiply_T_add_input_0_input_1_input_1_local_UB] storage_scope = "local.UB"
  allocate T_multiply_T_add_input_0_input_1_input_1_local_UB[float16 * 16384]
  set_vector_mask((uint64)18446744073709551615, (uint64)18446744073709551615):float16:EX
  vmul(tvm_access_ptr(type_annotation():float16:PI, T_multiply_T_add_input_0_input_1_input_1_local_UB, 0, 16384, 2):handle:I, tvm_access_ptr(type_annotation():float16:PI, T_add_input_0_input_1_local_UB, 0, 16384, 1):handle:I, tvm_access_ptr(type_annotation():float16:PI, input_1_local_UB, 0, 16384, 1):handle:I, 128, 1, 1, 1, 8, 8, 8):handle:EX
  set_vector_mask((uint64)18446744073709551615, (uint64)18446744073709551615):float16:EX
  // attr [T_maximum_T_multiply_T_add_input_0_input_1_input_1_local_UB] storage_scope = "local.UB"
  allocate T_maximum_T_multiply_T_add_input_0_input_1_input_1_local_UB[float16 * 16384]
  set_vector_mask((uint64)18446744073709551615, (uint64)18446744073709551615):float16:EX
  vrelu(tvm_access_ptr(type_annotation():float16:PI, T_maximum_T_multiply_T_add_input_0_input_1_input_1_local_UB, 0, 16384, 2):handle:I, tvm_access_ptr(type_annotation():float16:PI, T_multiply_T_add_input_0_input_1_input_1_local_UB, 0, 16384, 1):handle:I, 128, 1, 1, 8, 8):handle:EX
  set_vector_mask((uint64)18446744073709551615, (uint64)18446744073709551615):float16:EX
  // attr [0] gm_addr = T_maximum_T_multiply_T_add_input_0_input_1_input_1
  // attr [0] external_for_loop = (cc0 - 8)
  // attr [0] internal_for_loop = (cc1 - 16384)
  // attr [0] intrin_args = ((((((nBurst - 1)*(lenBurst - 1024))*(srcStride - 0))*(dstStride - 0))*(blockSize - 16))*(realBlockSize - 16384))
  // attr [0] dst_var_stride = ((blockIdx.x*131072) + (cc0*16384))
  // attr [0] src_var_stride = 0
  copy_ubuf_to_gm(tvm_access_ptr(type_annotation():float16:PI, T_maximum_T_multiply_T_add_input_0_input_1_input_1, ((blockIdx.x*131072) + (cc0*16384)), 16384, 2):handle:I, tvm_access_ptr(type_annotation():float16:PI, T_maximum_T_multiply_T_add_input_0_input_1_input_1_local_UB, 0, 16384, 1):handle:I, 0, 1, 1024, 0, 0):handle:EX
}
