// attr [0] device_scope = 0
// attr [T_batchmatmul_input_0_input_1_local_UB] storage_scope = "local.UB"
allocate T_batchmatmul_input_0_input_1_local_UB[float16 * 16 * 2 * 16 * 16]
// attr [input_0_local_L1_local_L0A] storage_scope = "local.L0A"
allocate input_0_local_L1_local_L0A[float16 * 2 * 4 * 16 * 16]
// attr [input_0_local_L1_local_L0A] storage_scope = "local.L0A"
allocate input_0_local_L1_local_L0A[float16 * 2 * 4 * 16 * 16]
// attr [input_1_local_L1_local_L0B] storage_scope = "local.L0B"
allocate input_1_local_L1_local_L0B[float16 * 4 * 16 * 16 * 16]
// attr [input_1_local_L1_local_L0B] storage_scope = "local.L0B"
allocate input_1_local_L1_local_L0B[float16 * 4 * 16 * 16 * 16]
// attr [input_1_local_L1] storage_scope = "local.L1"
allocate input_1_local_L1[float16 * 16 * 4 * 16 * 16]
// attr [input_0_local_L1] storage_scope = "local.L1"
allocate input_0_local_L1[float16 * 4 * 2 * 16 * 16]
// attr [input_1_local_L1] storage_scope = "local.L1"
allocate input_1_local_L1[float16 * 16 * 4 * 16 * 16]
// attr [input_0_local_L1] storage_scope = "local.L1"
allocate input_0_local_L1[float16 * 4 * 2 * 16 * 16]
// attr [T_batchmatmul_input_0_input_1_local_UB_local_L0C] storage_scope = "local.L0C"
allocate T_batchmatmul_input_0_input_1_local_UB_local_L0C[float32 * 16 * 2 * 16 * 16]
// attr [iter_var(blockIdx.x, , blockIdx.x)] thread_extent = 32
// attr [0] alloc_C = 1
cce.coproc_dep_push(3, 4, 1):int32:I
cce.coproc_dep_push(4, 5, 3):int32:I
cce.coproc_dep_push(4, 5, 2):int32:I
cce.coproc_dep_push(3, 4, 0):int32:I
cce.coproc_dep_push(4, 5, 1):int32:I
cce.coproc_dep_push(4, 5, 0):int32:I
for (cc4.db, 0, 4) {
  // attr [0] isolated_idx = 0
  // attr [{"pragma_data_transpose_block_inner": "N", "pragma_weight_transpose": "Y", "pragma_data_transpose_block": "Y", "pragma_data_transpose": "Y", "pragma_gemm_weight": "input_1", "pragma_gemm_data": "input_0", "bias": "", "pragma_gemm_k": [32, 16], "pragma_weight_transpose_block_inner": "N", "pragma_weight_transpose_block": "N", "pragma_conv_bypass_l1": 0, "pragma_gemm_output_shape": [32, 32, 16, 16]}] pragma_attrs = 1
  produce input_1_local_L1 {
    // attr [0] coproc_scope = 5
    cce.coproc_dep_pop(4, 5, 0):int32:I
    copy_gm_to_cbuf(tvm_address_of(input_1_local_L1[0]):handle:PI, tvm_address_of(input_1[((shift_right(blockIdx.x, 4):int32:PI*131072) + (cc4.db*2048))]):handle:PI, 0, 16, 64, 448, 0, tvm_cce_string_print("PAD_NONE"):int32:PI):handle:EX
    cce.coproc_dep_push(5, 4, 0):int32:I
  }
  produce input_0_local_L1 {
    // attr [0] coproc_scope = 5
    cce.coproc_dep_pop(4, 5, 1):int32:I
    copy_gm_to_cbuf(tvm_address_of(input_0_local_L1[0]):handle:PI, tvm_address_of(input_0[((cc4.db*65536) + (bitwise_and(blockIdx.x, 15):int32:PI*512))]):handle:PI, 0, 4, 32, 480, 0, tvm_cce_string_print("PAD_NONE"):int32:PI):handle:EX
    cce.coproc_dep_push(5, 4, 1):int32:I
  }
  produce input_1_local_L1_local_L0B {
    // attr [0] coproc_scope = 4
    cce.coproc_dep_pop(3, 4, 0):int32:I
    cce.coproc_dep_pop(5, 4, 0):int32:I
    for (cc10, 0, 4) {
      load_cbuf_to_cb(tvm_address_of(input_1_local_L1_local_L0B[(cc10*4096)]):handle:PI, tvm_address_of(input_1_local_L1[(cc10*256)]):handle:PI, 0, 16, 4, 0, tvm_cce_string_print("true"):int32:PI):float16:EX
    }
    cce.coproc_dep_push(4, 5, 0):int32:I
  }
  produce input_0_local_L1_local_L0A {
    // attr [0] coproc_scope = 4
    cce.coproc_dep_pop(5, 4, 1):int32:I
    for (cc10, 0, 2) {
      load_cbuf_to_ca(tvm_address_of(input_0_local_L1_local_L0A[(cc10*1024)]):handle:PI, tvm_address_of(input_0_local_L1[(cc10*256)]):handle:PI, 0, 4, 2, 0, tvm_cce_string_print("false"):int32:PI):float16:EX
    }
    cce.coproc_dep_push(4, 3, 0):int32:I
    cce.coproc_dep_push(4, 5, 1):int32:I
  }
  // attr [0] gemm_transposed = "_L1_local_L0A"
  // attr [0] gemm_transposed = "_L1_local_L0B"
  cce.coproc_dep_pop(4, 3, 0):int32:I
  if ((cc4.db == 0)) {
    // attr [0] coproc_scope = 3
    mad(tvm_address_of(T_batchmatmul_input_0_input_1_local_UB_local_L0C[0]):handle:PI, tvm_address_of(input_0_local_L1_local_L0A[0]):handle:PI, tvm_address_of(input_1_local_L1_local_L0B[0]):handle:PI, 32, 64, 256, 1):float32:EX
  } else {
    // attr [0] coproc_scope = 3
    mad(tvm_address_of(T_batchmatmul_input_0_input_1_local_UB_local_L0C[0]):handle:PI, tvm_address_of(input_0_local_L1_local_L0A[0]):handle:PI, tvm_address_of(input_1_local_L1_local_L0B[0]):handle:PI, 32, 64, 256, 0):float32:EX
  }
  cce.coproc_dep_push(3, 4, 0):int32:I
  // attr [0] isolated_idx = 0
  // attr [{"pragma_data_transpose_block_inner": "N", "pragma_weight_transpose": "Y", "pragma_data_transpose_block": "Y", "pragma_data_transpose": "Y", "pragma_gemm_weight": "input_1", "pragma_gemm_data": "input_0", "bias": "", "pragma_gemm_k": [32, 16], "pragma_weight_transpose_block_inner": "N", "pragma_weight_transpose_block": "N", "pragma_conv_bypass_l1": 0, "pragma_gemm_output_shape": [32, 32, 16, 16]}] pragma_attrs = 1
  produce input_1_local_L1 {
    // attr [0] coproc_scope = 5
    cce.coproc_dep_pop(4, 5, 2):int32:I
    copy_gm_to_cbuf(tvm_address_of(input_1_local_L1[0]):handle:PI, tvm_address_of(input_1[(((shift_right(blockIdx.x, 4):int32:PI*131072) + (cc4.db*2048)) + 1024)]):handle:PI, 0, 16, 64, 448, 0, tvm_cce_string_print("PAD_NONE"):int32:PI):handle:EX
    cce.coproc_dep_push(5, 4, 0):int32:I
  }
  produce input_0_local_L1 {
    // attr [0] coproc_scope = 5
    cce.coproc_dep_pop(4, 5, 3):int32:I
    copy_gm_to_cbuf(tvm_address_of(input_0_local_L1[0]):handle:PI, tvm_address_of(input_0[(((cc4.db*65536) + (bitwise_and(blockIdx.x, 15):int32:PI*512)) + 32768)]):handle:PI, 0, 4, 32, 480, 0, tvm_cce_string_print("PAD_NONE"):int32:PI):handle:EX
    cce.coproc_dep_push(5, 4, 1):int32:I
  }
  produce input_1_local_L1_local_L0B {
    // attr [0] coproc_scope = 4
    cce.coproc_dep_pop(3, 4, 1):int32:I
    cce.coproc_dep_pop(5, 4, 0):int32:I
    for (cc10, 0, 4) {
      load_cbuf_to_cb(tvm_address_of(input_1_local_L1_local_L0B[(cc10*4096)]):handle:PI, tvm_address_of(input_1_local_L1[(cc10*256)]):handle:PI, 0, 16, 4, 0, tvm_cce_string_print("true"):int32:PI):float16:EX
    }
    cce.coproc_dep_push(4, 5, 2):int32:I
  }
  produce input_0_local_L1_local_L0A {
    // attr [0] coproc_scope = 4
    cce.coproc_dep_pop(5, 4, 1):int32:I
    for (cc10, 0, 2) {
      load_cbuf_to_ca(tvm_address_of(input_0_local_L1_local_L0A[(cc10*1024)]):handle:PI, tvm_address_of(input_0_local_L1[(cc10*256)]):handle:PI, 0, 4, 2, 0, tvm_cce_string_print("false"):int32:PI):float16:EX
    }
    cce.coproc_dep_push(4, 3, 0):int32:I
    cce.coproc_dep_push(4, 5, 3):int32:I
  }
  // attr [0] gemm_transposed = "_L1_local_L0A"
  // attr [0] gemm_transposed = "_L1_local_L0B"
  // attr [0] coproc_scope = 3
  cce.coproc_sync(3):int32:I
  cce.coproc_dep_pop(4, 3, 0):int32:I
  mad(tvm_address_of(T_batchmatmul_input_0_input_1_local_UB_local_L0C[0]):handle:PI, tvm_address_of(input_0_local_L1_local_L0A[0]):handle:PI, tvm_address_of(input_1_local_L1_local_L0B[0]):handle:PI, 32, 64, 256, 0):float32:EX
  cce.coproc_sync(3):int32:I
  cce.coproc_dep_push(3, 4, 1):int32:I
}
cce.coproc_dep_push(3, 2, 0):int32:I
// attr [0] pragma_cube_l0write = 1
// attr [0] coproc_scope = 2
cce.coproc_dep_pop(3, 2, 0):int32:I
copy_matrix_cc_to_ubuf(tvm_address_of(T_batchmatmul_input_0_input_1_local_UB[0]):handle:PI, tvm_address_of(T_batchmatmul_input_0_input_1_local_UB_local_L0C[0]):handle:PI, 0, 1, 32, 0, 0, tvm_cce_string_print("CRMODE_F32toF16_NONE"):int32:PI):handle:EX
cce.coproc_dep_push(2, 6, 0):int32:I
// attr [0] pragma_fuse_vector = 1
// attr [0] coproc_scope = 6
cce.coproc_dep_pop(2, 6, 0):int32:I
copy_ubuf_to_gm(tvm_address_of(T_cast[((shift_right(blockIdx.x, 4):int32:PI*131072) + (bitwise_and(blockIdx.x, 15):int32:PI*512))]):handle:PI, tvm_address_of(T_batchmatmul_input_0_input_1_local_UB[0]):handle:PI, 0, 16, 32, 0, 480):handle:EX
cce.coproc_dep_pop(4, 5, 0):int32:I
cce.coproc_dep_pop(4, 5, 1):int32:I
cce.coproc_dep_pop(3, 4, 0):int32:I
cce.coproc_dep_pop(4, 5, 2):int32:I
cce.coproc_dep_pop(4, 5, 3):int32:I
cce.coproc_dep_pop(3, 4, 1):int32:I
cce.coproc_sync(7):int32:I
