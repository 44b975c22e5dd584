// attr [0] device_scope = 0
// attr [input_1_local_UB] storage_scope = "local.UB"
allocate input_1_local_UB[float16 * 16384]
// attr [T_multiply_T_add_input_0_input_1_input_1_local_UB] storage_scope = "local.UB"
allocate T_multiply_T_add_input_0_input_1_input_1_local_UB[float16 * 16384]
// attr [T_maximum_T_multiply_T_add_input_0_input_1_input_1_local_UB] storage_scope = "local.UB"
allocate T_maximum_T_multiply_T_add_input_0_input_1_input_1_local_UB[float16 * 16384]
// attr [input_0_local_UB] storage_scope = "local.UB"
allocate input_0_local_UB[float16 * 16384]
// attr [T_add_input_0_input_1_local_UB] storage_scope = "local.UB"
allocate T_add_input_0_input_1_local_UB[float16 * 16384]
// attr [iter_var(blockIdx.x, , blockIdx.x)] thread_extent = 32
// attr [0] coproc_scope = 2
cce.coproc_dep_push(6, 5, 0):int32:I
set_vector_mask((uint64)18446744073709551615, (uint64)18446744073709551615):float16:EX
for (cc0, 0, 8) {
  // attr [0] isolate_range = 2
  // attr [0] coproc_scope = 5
  cce.coproc_dep_pop(6, 5, 0):int32:I
  copy_gm_to_ubuf(tvm_address_of(input_1_local_UB[0]):handle:PI, tvm_address_of(input_1[((blockIdx.x*131072) + (cc0*16384))]):handle:PI, 0, 1, 1024, 0, 0):handle:EX
  // attr [0] coproc_scope = 5
  copy_gm_to_ubuf(tvm_address_of(input_0_local_UB[0]):handle:PI, tvm_address_of(input_0[((blockIdx.x*131072) + (cc0*16384))]):handle:PI, 0, 1, 1024, 0, 0):handle:EX
  cce.coproc_dep_push(5, 2, 0):int32:I
  // attr [0] coproc_scope = 2
  cce.coproc_dep_pop(5, 2, 0):int32:I
  vadd(tvm_address_of(T_add_input_0_input_1_local_UB[0]):handle:PI, tvm_address_of(input_0_local_UB[0]):handle:PI, tvm_address_of(input_1_local_UB[0]):handle:PI, 128, 1, 1, 1, 8, 8, 8):handle:EX
  // attr [0] coproc_scope = 2
  cce.coproc_sync(2):int32:I
  vmul(tvm_address_of(T_multiply_T_add_input_0_input_1_input_1_local_UB[0]):handle:PI, tvm_address_of(T_add_input_0_input_1_local_UB[0]):handle:PI, tvm_address_of(input_1_local_UB[0]):handle:PI, 128, 1, 1, 1, 8, 8, 8):handle:EX
  // attr [0] coproc_scope = 2
  cce.coproc_sync(2):int32:I
  vrelu(tvm_address_of(T_maximum_T_multiply_T_add_input_0_input_1_input_1_local_UB[0]):handle:PI, tvm_address_of(T_multiply_T_add_input_0_input_1_input_1_local_UB[0]):handle:PI, 128, 1, 1, 8, 8):handle:EX
  cce.coproc_dep_push(2, 6, 0):int32:I
  // attr [0] coproc_scope = 6
  cce.coproc_dep_pop(2, 6, 0):int32:I
  copy_ubuf_to_gm(tvm_address_of(T_maximum_T_multiply_T_add_input_0_input_1_input_1[((blockIdx.x*131072) + (cc0*16384))]):handle:PI, tvm_address_of(T_maximum_T_multiply_T_add_input_0_input_1_input_1_local_UB[0]):handle:PI, 0, 1, 1024, 0, 0):handle:EX
  cce.coproc_dep_push(6, 5, 0):int32:I
}
cce.coproc_dep_pop(6, 5, 0):int32:I
cce.coproc_sync(7):int32:I
