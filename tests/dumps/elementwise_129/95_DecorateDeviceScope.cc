// attr [0] device_scope = 0
// attr [input_1_local_UB] storage_scope = "local.UB"
allocate input_1_local_UB[float16 * 144]
// attr [input_0_local_UB] storage_scope = "local.UB"
allocate input_0_local_UB[float16 * 144]
// attr [T_add_input_0_input_1_local_UB] storage_scope = "local.UB"
allocate T_add_input_0_input_1_local_UB[float16 * 144]
// attr [T_multiply_T_add_input_0_input_1_input_1_local_UB] storage_scope = "local.UB"
allocate T_multiply_T_add_input_0_input_1_input_1_local_UB[float16 * 144]
// attr [T_maximum_T_multiply_T_add_input_0_input_1_input_1_local_UB] storage_scope = "local.UB"
allocate T_maximum_T_multiply_T_add_input_0_input_1_input_1_local_UB[float16 * 144]
// attr [input_1_local_UB] storage_scope = "local.UB"
allocate input_1_local_UB[float16 * 144]
// attr [input_0_local_UB] storage_scope = "local.UB"
allocate input_0_local_UB[float16 * 144]
// attr [T_add_input_0_input_1_local_UB] storage_scope = "local.UB"
allocate T_add_input_0_input_1_local_UB[float16 * 144]
// attr [T_multiply_T_add_input_0_input_1_input_1_local_UB] storage_scope = "local.UB"
allocate T_multiply_T_add_input_0_input_1_input_1_local_UB[float16 * 144]
// attr [T_maximum_T_multiply_T_add_input_0_input_1_input_1_local_UB] storage_scope = "local.UB"
allocate T_maximum_T_multiply_T_add_input_0_input_1_input_1_local_UB[float16 * 144]
// attr [input_1_local_UB] storage_scope = "local.UB"
allocate input_1_local_UB[float16 * 144]
// attr [input_0_local_UB] storage_scope = "local.UB"
allocate input_0_local_UB[float16 * 144]
// attr [T_add_input_0_input_1_local_UB] storage_scope = "local.UB"
allocate T_add_input_0_input_1_local_UB[float16 * 144]
// attr [T_multiply_T_add_input_0_input_1_input_1_local_UB] storage_scope = "local.UB"
allocate T_multiply_T_add_input_0_input_1_input_1_local_UB[float16 * 144]
// attr [T_maximum_T_multiply_T_add_input_0_input_1_input_1_local_UB] storage_scope = "local.UB"
allocate T_maximum_T_multiply_T_add_input_0_input_1_input_1_local_UB[float16 * 144]
// attr [tail_tensor_local_UB] storage_scope = "local.UB"
allocate tail_tensor_local_UB[float16 * 16]
// attr [input_1_local_UB] storage_scope = "local.UB"
allocate input_1_local_UB[float16 * 144]
// attr [input_0_local_UB] storage_scope = "local.UB"
allocate input_0_local_UB[float16 * 144]
// attr [T_add_input_0_input_1_local_UB] storage_scope = "local.UB"
allocate T_add_input_0_input_1_local_UB[float16 * 144]
// attr [T_multiply_T_add_input_0_input_1_input_1_local_UB] storage_scope = "local.UB"
allocate T_multiply_T_add_input_0_input_1_input_1_local_UB[float16 * 144]
// attr [T_maximum_T_multiply_T_add_input_0_input_1_input_1_local_UB] storage_scope = "local.UB"
allocate T_maximum_T_multiply_T_add_input_0_input_1_input_1_local_UB[float16 * 144]
// attr [input_1_local_UB] storage_scope = "local.UB"
allocate input_1_local_UB[float16 * 144]
// attr [input_0_local_UB] storage_scope = "local.UB"
allocate input_0_local_UB[float16 * 144]
// attr [T_add_input_0_input_1_local_UB] storage_scope = "local.UB"
allocate T_add_input_0_input_1_local_UB[float16 * 144]
// attr [T_multiply_T_add_input_0_input_1_input_1_local_UB] storage_scope = "local.UB"
allocate T_multiply_T_add_input_0_input_1_input_1_local_UB[float16 * 144]
// attr [T_maximum_T_multiply_T_add_input_0_input_1_input_1_local_UB] storage_scope = "local.UB"
allocate T_maximum_T_multiply_T_add_input_0_input_1_input_1_local_UB[float16 * 144]
// attr [input_1_local_UB] storage_scope = "local.UB"
allocate input_1_local_UB[float16 * 128]
// attr [T_multiply_T_add_input_0_input_1_input_1_local_UB] storage_scope = "local.UB"
allocate T_multiply_T_add_input_0_input_1_input_1_local_UB[float16 * 128]
// attr [T_maximum_T_multiply_T_add_input_0_input_1_input_1_local_UB] storage_scope = "local.UB"
allocate T_maximum_T_multiply_T_add_input_0_input_1_input_1_local_UB[float16 * 128]
// attr [input_0_local_UB] storage_scope = "local.UB"
allocate input_0_local_UB[float16 * 128]
// attr [T_add_input_0_input_1_local_UB] storage_scope = "local.UB"
allocate T_add_input_0_input_1_local_UB[float16 * 128]
// attr [tail_tensor_local_UB] storage_scope = "local.UB"
allocate tail_tensor_local_UB[float16 * 16]
// attr [iter_var(blockIdx.x, , blockIdx.x)] thread_extent = 32
if ((blockIdx.x < 31)) {
  cce.coproc_dep_push(6, 2, 1):int32:I
  cce.coproc_dep_push(2, 5, 3):int32:I
  cce.coproc_dep_push(2, 5, 2):int32:I
  cce.coproc_dep_push(6, 2, 0):int32:I
  cce.coproc_dep_push(2, 5, 1):int32:I
  cce.coproc_dep_push(2, 5, 0):int32:I
  for (cc0.db, 0, 508) {
    // attr [0] isolate_range = 2
    // attr [0] coproc_scope = 5
    cce.coproc_dep_pop(2, 5, 0):int32:I
    copy_gm_to_ubuf(tvm_address_of(input_1_local_UB[0]):handle:PI, tvm_address_of(input_1[((blockIdx.x*131193) + (cc0.db*258))]):handle:PI, 0, 1, 9, 0, 0):handle:EX
    // attr [0] coproc_scope = 5
    cce.coproc_dep_pop(2, 5, 1):int32:I
    copy_gm_to_ubuf(tvm_address_of(input_0_local_UB[0]):handle:PI, tvm_address_of(input_0[((blockIdx.x*131193) + (cc0.db*258))]):handle:PI, 0, 1, 9, 0, 0):handle:EX
    cce.coproc_dep_push(5, 2, 0):int32:I
    // attr [0] coproc_scope = 2
    set_vector_mask((uint64)18446744073709551615, (uint64)18446744073709551615):float16:EX
    // attr [0] coproc_scope = 2
    cce.coproc_dep_pop(6, 2, 0):int32:I
    cce.coproc_dep_pop(5, 2, 0):int32:I
    vadd(tvm_address_of(T_add_input_0_input_1_local_UB[0]):handle:PI, tvm_address_of(input_0_local_UB[0]):handle:PI, tvm_address_of(input_1_local_UB[0]):handle:PI, 1, 1, 1, 1, 0, 0, 0):handle:EX
    // attr [0] coproc_scope = 2
    set_vector_mask((uint64)0, (uint64)1):float16:EX
    // attr [0] coproc_scope = 2
    vadd(tvm_address_of(T_add_input_0_input_1_local_UB[128]):handle:PI, tvm_address_of(input_0_local_UB[128]):handle:PI, tvm_address_of(input_1_local_UB[128]):handle:PI, 1, 1, 1, 1, 0, 0, 0):handle:EX
    // attr [0] coproc_scope = 2
    set_vector_mask((uint64)18446744073709551615, (uint64)18446744073709551615):float16:EX
    // attr [0] coproc_scope = 2
    vmul(tvm_address_of(T_multiply_T_add_input_0_input_1_input_1_local_UB[0]):handle:PI, tvm_address_of(T_add_input_0_input_1_local_UB[0]):handle:PI, tvm_address_of(input_1_local_UB[0]):handle:PI, 1, 1, 1, 1, 0, 0, 0):handle:EX
    // attr [0] coproc_scope = 2
    set_vector_mask((uint64)0, (uint64)1):float16:EX
    // attr [0] coproc_scope = 2
    vmul(tvm_address_of(T_multiply_T_add_input_0_input_1_input_1_local_UB[128]):handle:PI, tvm_address_of(T_add_input_0_input_1_local_UB[128]):handle:PI, tvm_address_of(input_1_local_UB[128]):handle:PI, 1, 1, 1, 1, 0, 0, 0):handle:EX
    cce.coproc_dep_push(2, 5, 0):int32:I
    // attr [0] coproc_scope = 2
    set_vector_mask((uint64)18446744073709551615, (uint64)18446744073709551615):float16:EX
    // attr [0] coproc_scope = 2
    vrelu(tvm_address_of(T_maximum_T_multiply_T_add_input_0_input_1_input_1_local_UB[0]):handle:PI, tvm_address_of(T_multiply_T_add_input_0_input_1_input_1_local_UB[0]):handle:PI, 1, 1, 1, 0, 0):handle:EX
    // attr [0] coproc_scope = 2
    set_vector_mask((uint64)0, (uint64)1):float16:EX
    // attr [0] coproc_scope = 2
    vrelu(tvm_address_of(T_maximum_T_multiply_T_add_input_0_input_1_input_1_local_UB[128]):handle:PI, tvm_address_of(T_multiply_T_add_input_0_input_1_input_1_local_UB[128]):handle:PI, 1, 1, 1, 0, 0):handle:EX
    cce.coproc_dep_push(2, 6, 0):int32:I
    cce.coproc_dep_push(2, 5, 1):int32:I
    // attr [iter_var(cce, , cce)] coproc_scope = 6
    cce.coproc_dep_pop(2, 6, 0):int32:I
    copy_ubuf_to_gm(tvm_address_of(T_maximum_T_multiply_T_add_input_0_input_1_input_1[((blockIdx.x*131193) + (cc0.db*258))]):handle:PI, tvm_address_of(T_maximum_T_multiply_T_add_input_0_input_1_input_1_local_UB[0]):handle:PI, 0, 1, 9, 0, 0):handle:EX
    cce.coproc_dep_push(6, 2, 0):int32:I
    // attr [0] isolate_range = 2
    // attr [0] coproc_scope = 5
    cce.coproc_dep_pop(2, 5, 2):int32:I
    copy_gm_to_ubuf(tvm_address_of(input_1_local_UB[0]):handle:PI, tvm_address_of(input_1[(((blockIdx.x*131193) + (cc0.db*258)) + 129)]):handle:PI, 0, 1, 9, 0, 0):handle:EX
    // attr [0] coproc_scope = 5
    cce.coproc_dep_pop(2, 5, 3):int32:I
    copy_gm_to_ubuf(tvm_address_of(input_0_local_UB[0]):handle:PI, tvm_address_of(input_0[(((blockIdx.x*131193) + (cc0.db*258)) + 129)]):handle:PI, 0, 1, 9, 0, 0):handle:EX
    cce.coproc_dep_push(5, 2, 0):int32:I
    // attr [0] coproc_scope = 2
    set_vector_mask((uint64)18446744073709551615, (uint64)18446744073709551615):float16:EX
    // attr [0] coproc_scope = 2
    cce.coproc_dep_pop(6, 2, 1):int32:I
    cce.coproc_dep_pop(5, 2, 0):int32:I
    vadd(tvm_address_of(T_add_input_0_input_1_local_UB[0]):handle:PI, tvm_address_of(input_0_local_UB[0]):handle:PI, tvm_address_of(input_1_local_UB[0]):handle:PI, 1, 1, 1, 1, 0, 0, 0):handle:EX
    // attr [0] coproc_scope = 2
    set_vector_mask((uint64)0, (uint64)1):float16:EX
    // attr [0] coproc_scope = 2
    vadd(tvm_address_of(T_add_input_0_input_1_local_UB[128]):handle:PI, tvm_address_of(input_0_local_UB[128]):handle:PI, tvm_address_of(input_1_local_UB[128]):handle:PI, 1, 1, 1, 1, 0, 0, 0):handle:EX
    // attr [0] coproc_scope = 2
    set_vector_mask((uint64)18446744073709551615, (uint64)18446744073709551615):float16:EX
    // attr [0] coproc_scope = 2
    vmul(tvm_address_of(T_multiply_T_add_input_0_input_1_input_1_local_UB[0]):handle:PI, tvm_address_of(T_add_input_0_input_1_local_UB[0]):handle:PI, tvm_address_of(input_1_local_UB[0]):handle:PI, 1, 1, 1, 1, 0, 0, 0):handle:EX
    // attr [0] coproc_scope = 2
    set_vector_mask((uint64)0, (uint64)1):float16:EX
    // attr [0] coproc_scope = 2
    vmul(tvm_address_of(T_multiply_T_add_input_0_input_1_input_1_local_UB[128]):handle:PI, tvm_address_of(T_add_input_0_input_1_local_UB[128]):handle:PI, tvm_address_of(input_1_local_UB[128]):handle:PI, 1, 1, 1, 1, 0, 0, 0):handle:EX
    cce.coproc_dep_push(2, 5, 2):int32:I
    // attr [0] coproc_scope = 2
    set_vector_mask((uint64)18446744073709551615, (uint64)18446744073709551615):float16:EX
    // attr [0] coproc_scope = 2
    vrelu(tvm_address_of(T_maximum_T_multiply_T_add_input_0_input_1_input_1_local_UB[0]):handle:PI, tvm_address_of(T_multiply_T_add_input_0_input_1_input_1_local_UB[0]):handle:PI, 1, 1, 1, 0, 0):handle:EX
    // attr [0] coproc_scope = 2
    set_vector_mask((uint64)0, (uint64)1):float16:EX
    // attr [0] coproc_scope = 2
    vrelu(tvm_address_of(T_maximum_T_multiply_T_add_input_0_input_1_input_1_local_UB[128]):handle:PI, tvm_address_of(T_multiply_T_add_input_0_input_1_input_1_local_UB[128]):handle:PI, 1, 1, 1, 0, 0):handle:EX
    cce.coproc_dep_push(2, 6, 0):int32:I
    cce.coproc_dep_push(2, 5, 3):int32:I
    // attr [iter_var(cce, , cce)] coproc_scope = 6
    cce.coproc_sync(6):int32:I
    cce.coproc_dep_pop(2, 6, 0):int32:I
    copy_ubuf_to_gm(tvm_address_of(T_maximum_T_multiply_T_add_input_0_input_1_input_1[(((blockIdx.x*131193) + (cc0.db*258)) + 129)]):handle:PI, tvm_address_of(T_maximum_T_multiply_T_add_input_0_input_1_input_1_local_UB[0]):handle:PI, 0, 1, 9, 0, 0):handle:EX
    cce.coproc_sync(6):int32:I
    cce.coproc_dep_push(6, 2, 1):int32:I
  }
  // attr [0] isolate_range = 2
  // attr [0] coproc_scope = 5
  copy_gm_to_ubuf(tvm_address_of(input_1_local_UB[0]):handle:PI, tvm_address_of(input_1[((blockIdx.x*131193) + 131064)]):handle:PI, 0, 1, 9, 0, 0):handle:EX
  // attr [0] coproc_scope = 5
  copy_gm_to_ubuf(tvm_address_of(input_0_local_UB[0]):handle:PI, tvm_address_of(input_0[((blockIdx.x*131193) + 131064)]):handle:PI, 0, 1, 9, 0, 0):handle:EX
  cce.coproc_dep_push(5, 2, 0):int32:I
  // attr [0] coproc_scope = 2
  cce.coproc_dep_pop(6, 2, 0):int32:I
  set_vector_mask((uint64)18446744073709551615, (uint64)18446744073709551615):float16:EX
  // attr [0] coproc_scope = 2
  cce.coproc_dep_pop(5, 2, 0):int32:I
  vadd(tvm_address_of(T_add_input_0_input_1_local_UB[0]):handle:PI, tvm_address_of(input_0_local_UB[0]):handle:PI, tvm_address_of(input_1_local_UB[0]):handle:PI, 1, 1, 1, 1, 0, 0, 0):handle:EX
  // attr [0] coproc_scope = 2
  set_vector_mask((uint64)0, (uint64)1):float16:EX
  // attr [0] coproc_scope = 2
  vadd(tvm_address_of(T_add_input_0_input_1_local_UB[128]):handle:PI, tvm_address_of(input_0_local_UB[128]):handle:PI, tvm_address_of(input_1_local_UB[128]):handle:PI, 1, 1, 1, 1, 0, 0, 0):handle:EX
  // attr [0] coproc_scope = 2
  set_vector_mask((uint64)18446744073709551615, (uint64)18446744073709551615):float16:EX
  // attr [0] coproc_scope = 2
  vmul(tvm_address_of(T_multiply_T_add_input_0_input_1_input_1_local_UB[0]):handle:PI, tvm_address_of(T_add_input_0_input_1_local_UB[0]):handle:PI, tvm_address_of(input_1_local_UB[0]):handle:PI, 1, 1, 1, 1, 0, 0, 0):handle:EX
  // attr [0] coproc_scope = 2
  set_vector_mask((uint64)0, (uint64)1):float16:EX
  // attr [0] coproc_scope = 2
  vmul(tvm_address_of(T_multiply_T_add_input_0_input_1_input_1_local_UB[128]):handle:PI, tvm_address_of(T_add_input_0_input_1_local_UB[128]):handle:PI, tvm_address_of(input_1_local_UB[128]):handle:PI, 1, 1, 1, 1, 0, 0, 0):handle:EX
  // attr [0] coproc_scope = 2
  set_vector_mask((uint64)18446744073709551615, (uint64)18446744073709551615):float16:EX
  // attr [0] coproc_scope = 2
  cce.coproc_dep_pop(6, 2, 1):int32:I
  vrelu(tvm_address_of(T_maximum_T_multiply_T_add_input_0_input_1_input_1_local_UB[0]):handle:PI, tvm_address_of(T_multiply_T_add_input_0_input_1_input_1_local_UB[0]):handle:PI, 1, 1, 1, 0, 0):handle:EX
  // attr [0] coproc_scope = 2
  set_vector_mask((uint64)0, (uint64)1):float16:EX
  // attr [0] coproc_scope = 2
  vrelu(tvm_address_of(T_maximum_T_multiply_T_add_input_0_input_1_input_1_local_UB[128]):handle:PI, tvm_address_of(T_multiply_T_add_input_0_input_1_input_1_local_UB[128]):handle:PI, 1, 1, 1, 0, 0):handle:EX
  cce.coproc_dep_push(2, 1, 0):int32:I
  cce.coproc_dep_push(2, 6, 0):int32:I
  cce.coproc_dep_pop(2, 6, 0):int32:I
  cce.coproc_dep_pop(2, 1, 0):int32:I
  if ((((((((((((((((((((((((((((((((blockIdx.x == 0) || (blockIdx.x == 1)) || (blockIdx.x == 2)) || (blockIdx.x == 3)) || (blockIdx.x == 4)) || (blockIdx.x == 5)) || (blockIdx.x == 6)) || (blockIdx.x == 7)) || (blockIdx.x == 8)) || (blockIdx.x == 9)) || (blockIdx.x == 10)) || (blockIdx.x == 11)) || (blockIdx.x == 12)) || (blockIdx.x == 13)) || (blockIdx.x == 14)) || (blockIdx.x == 15)) || (blockIdx.x == 16)) || (blockIdx.x == 17)) || (blockIdx.x == 18)) || (blockIdx.x == 19)) || (blockIdx.x == 20)) || (blockIdx.x == 21)) || (blockIdx.x == 22)) || (blockIdx.x == 23)) || (blockIdx.x == 24)) || (blockIdx.x == 25)) || (blockIdx.x == 26)) || (blockIdx.x == 27)) || (blockIdx.x == 28)) || (blockIdx.x == 29)) || (blockIdx.x == 30))) {
    // attr [iter_var(cce, , cce)] coproc_scope = 6
    copy_ubuf_to_gm(tvm_address_of(T_maximum_T_multiply_T_add_input_0_input_1_input_1[((blockIdx.x*131193) + 131064)]):handle:PI, tvm_address_of(T_maximum_T_multiply_T_add_input_0_input_1_input_1_local_UB[0]):handle:PI, 0, 1, 8, 0, 0):handle:EX
    // attr [0] coproc_scope = 1
    for (tail_index, 0, 16) {
      tail_tensor_local_UB[tail_index] = T_maximum_T_multiply_T_add_input_0_input_1_input_1_local_UB[(tail_index + 113)]
    }
    cce.coproc_dep_push(1, 6, 0):int32:I
    // attr [iter_var(cce, , cce)] coproc_scope = 6
    cce.coproc_sync(6):int32:I
    cce.coproc_dep_pop(1, 6, 0):int32:I
    copy_ubuf_to_gm(tvm_address_of(T_maximum_T_multiply_T_add_input_0_input_1_input_1[((blockIdx.x*131193) + 131177)]):handle:PI, tvm_address_of(tail_tensor_local_UB[0]):handle:PI, 0, 1, 1, 0, 0):handle:EX
  } else {
    // attr [iter_var(cce, , cce)] coproc_scope = 6
    copy_ubuf_to_gm(tvm_address_of(T_maximum_T_multiply_T_add_input_0_input_1_input_1[((blockIdx.x*131193) + 131064)]):handle:PI, tvm_address_of(T_maximum_T_multiply_T_add_input_0_input_1_input_1_local_UB[0]):handle:PI, 0, 1, 9, 0, 0):handle:EX
  }
  cce.coproc_dep_pop(2, 5, 0):int32:I
  cce.coproc_dep_pop(2, 5, 1):int32:I
  cce.coproc_dep_pop(2, 5, 2):int32:I
  cce.coproc_dep_pop(2, 5, 3):int32:I
} else {
  cce.coproc_dep_push(6, 2, 1):int32:I
  cce.coproc_dep_push(2, 5, 1):int32:I
  cce.coproc_dep_push(6, 2, 0):int32:I
  cce.coproc_dep_push(2, 5, 0):int32:I
  for (cc0.db, 0, 493) {
    // attr [0] isolate_range = 2
    // attr [0] coproc_scope = 5
    cce.coproc_dep_pop(2, 5, 0):int32:I
    copy_gm_to_ubuf(tvm_address_of(input_1_local_UB[0]):handle:PI, tvm_address_of(input_1[((blockIdx.x*131193) + (cc0.db*258))]):handle:PI, 0, 1, 9, 0, 0):handle:EX
    // attr [0] coproc_scope = 5
    copy_gm_to_ubuf(tvm_address_of(input_0_local_UB[0]):handle:PI, tvm_address_of(input_0[((blockIdx.x*131193) + (cc0.db*258))]):handle:PI, 0, 1, 9, 0, 0):handle:EX
    cce.coproc_dep_push(5, 2, 0):int32:I
    // attr [0] coproc_scope = 2
    set_vector_mask((uint64)18446744073709551615, (uint64)18446744073709551615):float16:EX
    // attr [0] coproc_scope = 2
    cce.coproc_dep_pop(6, 2, 0):int32:I
    cce.coproc_dep_pop(5, 2, 0):int32:I
    vadd(tvm_address_of(T_add_input_0_input_1_local_UB[0]):handle:PI, tvm_address_of(input_0_local_UB[0]):handle:PI, tvm_address_of(input_1_local_UB[0]):handle:PI, 1, 1, 1, 1, 0, 0, 0):handle:EX
    // attr [0] coproc_scope = 2
    set_vector_mask((uint64)0, (uint64)1):float16:EX
    // attr [0] coproc_scope = 2
    vadd(tvm_address_of(T_add_input_0_input_1_local_UB[128]):handle:PI, tvm_address_of(input_0_local_UB[128]):handle:PI, tvm_address_of(input_1_local_UB[128]):handle:PI, 1, 1, 1, 1, 0, 0, 0):handle:EX
    // attr [0] coproc_scope = 2
    set_vector_mask((uint64)18446744073709551615, (uint64)18446744073709551615):float16:EX
    // attr [0] coproc_scope = 2
    vmul(tvm_address_of(T_multiply_T_add_input_0_input_1_input_1_local_UB[0]):handle:PI, tvm_address_of(T_add_input_0_input_1_local_UB[0]):handle:PI, tvm_address_of(input_1_local_UB[0]):handle:PI, 1, 1, 1, 1, 0, 0, 0):handle:EX
    // attr [0] coproc_scope = 2
    set_vector_mask((uint64)0, (uint64)1):float16:EX
    // attr [0] coproc_scope = 2
    vmul(tvm_address_of(T_multiply_T_add_input_0_input_1_input_1_local_UB[128]):handle:PI, tvm_address_of(T_add_input_0_input_1_local_UB[128]):handle:PI, tvm_address_of(input_1_local_UB[128]):handle:PI, 1, 1, 1, 1, 0, 0, 0):handle:EX
    cce.coproc_dep_push(2, 5, 0):int32:I
    // attr [0] coproc_scope = 2
    set_vector_mask((uint64)18446744073709551615, (uint64)18446744073709551615):float16:EX
    // attr [0] coproc_scope = 2
    vrelu(tvm_address_of(T_maximum_T_multiply_T_add_input_0_input_1_input_1_local_UB[0]):handle:PI, tvm_address_of(T_multiply_T_add_input_0_input_1_input_1_local_UB[0]):handle:PI, 1, 1, 1, 0, 0):handle:EX
    // attr [0] coproc_scope = 2
    set_vector_mask((uint64)0, (uint64)1):float16:EX
    // attr [0] coproc_scope = 2
    vrelu(tvm_address_of(T_maximum_T_multiply_T_add_input_0_input_1_input_1_local_UB[128]):handle:PI, tvm_address_of(T_multiply_T_add_input_0_input_1_input_1_local_UB[128]):handle:PI, 1, 1, 1, 0, 0):handle:EX
    cce.coproc_dep_push(2, 6, 0):int32:I
    // attr [iter_var(cce, , cce)] coproc_scope = 6
    cce.coproc_dep_pop(2, 6, 0):int32:I
    copy_ubuf_to_gm(tvm_address_of(T_maximum_T_multiply_T_add_input_0_input_1_input_1[((blockIdx.x*131193) + (cc0.db*258))]):handle:PI, tvm_address_of(T_maximum_T_multiply_T_add_input_0_input_1_input_1_local_UB[0]):handle:PI, 0, 1, 9, 0, 0):handle:EX
    cce.coproc_dep_push(6, 2, 0):int32:I
    // attr [0] isolate_range = 2
    // attr [0] coproc_scope = 5
    cce.coproc_dep_pop(2, 5, 1):int32:I
    copy_gm_to_ubuf(tvm_address_of(input_1_local_UB[0]):handle:PI, tvm_address_of(input_1[(((blockIdx.x*131193) + (cc0.db*258)) + 129)]):handle:PI, 0, 1, 9, 0, 0):handle:EX
    // attr [0] coproc_scope = 5
    copy_gm_to_ubuf(tvm_address_of(input_0_local_UB[0]):handle:PI, tvm_address_of(input_0[(((blockIdx.x*131193) + (cc0.db*258)) + 129)]):handle:PI, 0, 1, 9, 0, 0):handle:EX
    cce.coproc_dep_push(5, 2, 0):int32:I
    // attr [0] coproc_scope = 2
    set_vector_mask((uint64)18446744073709551615, (uint64)18446744073709551615):float16:EX
    // attr [0] coproc_scope = 2
    cce.coproc_dep_pop(5, 2, 0):int32:I
    vadd(tvm_address_of(T_add_input_0_input_1_local_UB[0]):handle:PI, tvm_address_of(input_0_local_UB[0]):handle:PI, tvm_address_of(input_1_local_UB[0]):handle:PI, 1, 1, 1, 1, 0, 0, 0):handle:EX
    // attr [0] coproc_scope = 2
    set_vector_mask((uint64)0, (uint64)1):float16:EX
    // attr [0] coproc_scope = 2
    vadd(tvm_address_of(T_add_input_0_input_1_local_UB[128]):handle:PI, tvm_address_of(input_0_local_UB[128]):handle:PI, tvm_address_of(input_1_local_UB[128]):handle:PI, 1, 1, 1, 1, 0, 0, 0):handle:EX
    // attr [0] coproc_scope = 2
    set_vector_mask((uint64)18446744073709551615, (uint64)18446744073709551615):float16:EX
    // attr [0] coproc_scope = 2
    vmul(tvm_address_of(T_multiply_T_add_input_0_input_1_input_1_local_UB[0]):handle:PI, tvm_address_of(T_add_input_0_input_1_local_UB[0]):handle:PI, tvm_address_of(input_1_local_UB[0]):handle:PI, 1, 1, 1, 1, 0, 0, 0):handle:EX
    // attr [0] coproc_scope = 2
    set_vector_mask((uint64)0, (uint64)1):float16:EX
    // attr [0] coproc_scope = 2
    vmul(tvm_address_of(T_multiply_T_add_input_0_input_1_input_1_local_UB[128]):handle:PI, tvm_address_of(T_add_input_0_input_1_local_UB[128]):handle:PI, tvm_address_of(input_1_local_UB[128]):handle:PI, 1, 1, 1, 1, 0, 0, 0):handle:EX
    cce.coproc_dep_push(2, 5, 1):int32:I
    // attr [0] coproc_scope = 2
    set_vector_mask((uint64)18446744073709551615, (uint64)18446744073709551615):float16:EX
    // attr [0] coproc_scope = 2
    cce.coproc_dep_pop(6, 2, 1):int32:I
    vrelu(tvm_address_of(T_maximum_T_multiply_T_add_input_0_input_1_input_1_local_UB[0]):handle:PI, tvm_address_of(T_multiply_T_add_input_0_input_1_input_1_local_UB[0]):handle:PI, 1, 1, 1, 0, 0):handle:EX
    // attr [0] coproc_scope = 2
    set_vector_mask((uint64)0, (uint64)1):float16:EX
    // attr [0] coproc_scope = 2
    vrelu(tvm_address_of(T_maximum_T_multiply_T_add_input_0_input_1_input_1_local_UB[128]):handle:PI, tvm_address_of(T_multiply_T_add_input_0_input_1_input_1_local_UB[128]):handle:PI, 1, 1, 1, 0, 0):handle:EX
    cce.coproc_dep_push(2, 6, 0):int32:I
    // attr [iter_var(cce, , cce)] coproc_scope = 6
    cce.coproc_sync(6):int32:I
    cce.coproc_dep_pop(2, 6, 0):int32:I
    copy_ubuf_to_gm(tvm_address_of(T_maximum_T_multiply_T_add_input_0_input_1_input_1[(((blockIdx.x*131193) + (cc0.db*258)) + 129)]):handle:PI, tvm_address_of(T_maximum_T_multiply_T_add_input_0_input_1_input_1_local_UB[0]):handle:PI, 0, 1, 9, 0, 0):handle:EX
    cce.coproc_sync(6):int32:I
    cce.coproc_dep_push(6, 2, 1):int32:I
  }
  // attr [0] isolate_range = 2
  // attr [0] coproc_scope = 5
  copy_gm_to_ubuf(tvm_address_of(input_1_local_UB[0]):handle:PI, tvm_address_of(input_1[4194177]):handle:PI, 0, 1, 8, 0, 0):handle:EX
  // attr [0] coproc_scope = 5
  copy_gm_to_ubuf(tvm_address_of(input_0_local_UB[0]):handle:PI, tvm_address_of(input_0[4194177]):handle:PI, 0, 1, 8, 0, 0):handle:EX
  cce.coproc_dep_push(5, 2, 0):int32:I
  // attr [0] coproc_scope = 2
  cce.coproc_dep_pop(6, 2, 0):int32:I
  set_vector_mask((uint64)18446744073709551615, (uint64)18446744073709551615):float16:EX
  // attr [0] coproc_scope = 2
  cce.coproc_dep_pop(5, 2, 0):int32:I
  vadd(tvm_address_of(T_add_input_0_input_1_local_UB[0]):handle:PI, tvm_address_of(input_0_local_UB[0]):handle:PI, tvm_address_of(input_1_local_UB[0]):handle:PI, 1, 1, 1, 1, 0, 0, 0):handle:EX
  // attr [0] coproc_scope = 2
  cce.coproc_sync(2):int32:I
  vmul(tvm_address_of(T_multiply_T_add_input_0_input_1_input_1_local_UB[0]):handle:PI, tvm_address_of(T_add_input_0_input_1_local_UB[0]):handle:PI, tvm_address_of(input_1_local_UB[0]):handle:PI, 1, 1, 1, 1, 0, 0, 0):handle:EX
  // attr [0] coproc_scope = 2
  cce.coproc_sync(2):int32:I
  vrelu(tvm_address_of(T_maximum_T_multiply_T_add_input_0_input_1_input_1_local_UB[0]):handle:PI, tvm_address_of(T_multiply_T_add_input_0_input_1_input_1_local_UB[0]):handle:PI, 1, 1, 1, 0, 0):handle:EX
  cce.coproc_dep_push(2, 6, 0):int32:I
  cce.coproc_dep_push(2, 1, 0):int32:I
  cce.coproc_sync(6):int32:I
  cce.coproc_dep_pop(2, 1, 0):int32:I
  cce.coproc_dep_pop(2, 6, 0):int32:I
  if ((blockIdx.x == 31)) {
    // attr [iter_var(cce, , cce)] coproc_scope = 6
    copy_ubuf_to_gm(tvm_address_of(T_maximum_T_multiply_T_add_input_0_input_1_input_1[4194177]):handle:PI, tvm_address_of(T_maximum_T_multiply_T_add_input_0_input_1_input_1_local_UB[0]):handle:PI, 0, 1, 7, 0, 0):handle:EX
    // attr [0] coproc_scope = 1
    for (tail_index, 0, 16) {
      tail_tensor_local_UB[tail_index] = T_maximum_T_multiply_T_add_input_0_input_1_input_1_local_UB[(tail_index + 111)]
    }
    cce.coproc_dep_push(1, 6, 0):int32:I
    // attr [iter_var(cce, , cce)] coproc_scope = 6
    cce.coproc_sync(6):int32:I
    cce.coproc_dep_pop(1, 6, 0):int32:I
    copy_ubuf_to_gm(tvm_address_of(T_maximum_T_multiply_T_add_input_0_input_1_input_1[4194288]):handle:PI, tvm_address_of(tail_tensor_local_UB[0]):handle:PI, 0, 1, 1, 0, 0):handle:EX
  } else {
    // attr [iter_var(cce, , cce)] coproc_scope = 6
    copy_ubuf_to_gm(tvm_address_of(T_maximum_T_multiply_T_add_input_0_input_1_input_1[4194177]):handle:PI, tvm_address_of(T_maximum_T_multiply_T_add_input_0_input_1_input_1_local_UB[0]):handle:PI, 0, 1, 8, 0, 0):handle:EX
  }
  cce.coproc_dep_pop(2, 5, 0):int32:I
  cce.coproc_dep_pop(2, 5, 1):int32:I
  cce.coproc_dep_pop(6, 2, 1):int32:I
}
cce.coproc_sync(7):int32:I
