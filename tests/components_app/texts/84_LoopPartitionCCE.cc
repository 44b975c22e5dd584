// attr [iter_var(blockIdx.x, , blockIdx.x)] thread_extent = 32
unrolled (cc0.db, 0, 1) {
  // attr [0] alloc_out = 1
  // attr [input_0_red_local_UB] storage_scope = "local.UB"
  allocate input_0_red_local_UB[float16 * 16 * 1]
  // attr [0] isolate_range = 2
  // attr [0] coproc_scope = 2
  set_vector_mask((uint64)0, (uint64)65535):float16:EX
  // attr [0] coproc_scope = 2
  vector_dup(tvm_access_ptr(type_annotation():float16:PI, input_0_red_local_UB, 0, 16, 2, 1, 0, 8, 32, 32):handle:I, -65504h, 1, 1, 1, 0, 0):handle:EX
  // attr [input_0_local_UB] storage_scope = "local.UB"
  allocate input_0_local_UB[float16 * 16 * 512]
  // attr [0] coproc_scope = 5
  copy_gm_to_ubuf(tvm_access_ptr(type_annotation():float16:PI, input_0_local_UB, 0, 8192, 2, 1, 16384, 1, 16384, 16384):handle:I, tvm_access_ptr(type_annotation():float16:PI, input_0, ((blockIdx.x*16384) + (cc0.db*16384)), 8192, 1, 1, 16384, 1, 16384, 16384):handle:I, 0, 1, 512, 0, 0):handle:EX
  // attr [input_0_red_local_UB_dst_tmp] storage_scope = "local.UB"
  allocate input_0_red_local_UB_dst_tmp[float16 * 256]
  // attr [input_0_red_local_UB_src_tmp] storage_scope = "local.UB"
  allocate input_0_red_local_UB_src_tmp[float16 * 512]
  // attr [0] coproc_scope = 2
  set_vector_mask((uint64)18446744073709551615, (uint64)18446744073709551615):float16:EX
  // attr [0] coproc_scope = 2
  vector_dup(tvm_access_ptr(type_annotation():float16:PI, input_0_red_local_UB_dst_tmp, 0, 16, 2, 2, 256, 8, 32, 32):handle:I, -65504h, 2, 1, 1, 8, 8):handle:EX
  // attr [0] coproc_scope = 2
  for (cc2, 0, 16) {
    vcgmax(tvm_access_ptr(type_annotation():float16:PI, input_0_red_local_UB_src_tmp, (cc2*32), (512 - (cc2*32)), 2, 4, 32, 8, 4, 32):handle:I, tvm_access_ptr(type_annotation():float16:PI, input_0_local_UB, (cc2*512), (8192 - (cc2*512)), 1, 4, 256, 8, 32, 32):handle:I, 4, 1, 1, 8):handle:EX
  }
  // attr [0] coproc_scope = 2
  set_vector_mask((uint64)0, (uint64)4294967295):float16:EX
  for (ii1, 0, 16) {
    // attr [0] coproc_scope = 2
    vcgmax(tvm_access_ptr(type_annotation():float16:PI, input_0_red_local_UB_src_tmp, (ii1*32), (512 - (ii1*32)), 2, 1, 32, 8, 4, 32):handle:I, tvm_access_ptr(type_annotation():float16:PI, input_0_red_local_UB_src_tmp, (ii1*32), (512 - (ii1*32)), 1, 1, 256, 8, 32, 32):handle:I, 1, 1, 1, 8):handle:EX
  }
  // attr [0] coproc_scope = 2
  set_vector_mask((uint64)0, (uint64)3):float16:EX
  // attr [0] coproc_scope = 2
  for (ii2, 0, 16) {
    vcgmax(tvm_access_ptr(type_annotation():float16:PI, input_0_red_local_UB_dst_tmp, (ii2*16), (256 - (ii2*16)), 2, 1, 32, 8, 4, 32):handle:I, tvm_access_ptr(type_annotation():float16:PI, input_0_red_local_UB_src_tmp, (ii2*32), (512 - (ii2*32)), 1, 1, 256, 8, 32, 32):handle:I, 1, 1, 1, 8):handle:EX
  }
  // attr [0] coproc_scope = 2
  set_vector_mask((uint64)18446744073709551615, (uint64)18446744073709551615):float16:EX
  // attr [0] coproc_scope = 2
  vcgmax(tvm_access_ptr(type_annotation():float16:PI, input_0_red_local_UB_dst_tmp, 0, 256, 2, 2, 32, 8, 4, 32):handle:I, tvm_access_ptr(type_annotation():float16:PI, input_0_red_local_UB_dst_tmp, 0, 256, 1, 2, 256, 8, 32, 32):handle:I, 2, 1, 1, 8):float16:EX
  // attr [0] coproc_scope = 2
  set_vector_mask((uint64)0, (uint64)65535):float16:EX
  // attr [0] coproc_scope = 2
  vmax(tvm_access_ptr(type_annotation():float16:PI, input_0_red_local_UB, 0, 16, 2, 1, 0, 8, 32, 32):handle:I, tvm_access_ptr(type_annotation():float16:PI, input_0_red_local_UB_dst_tmp, 0, 256, 1, 1, 0, 8, 32, 32):handle:I, tvm_access_ptr(type_annotation():float16:PI, input_0_red_local_UB, 0, 16, 1, 1, 0, 8, 32, 32):handle:I, 1, 1, 1, 1, 0, 0, 0):float16:EX
  // attr [T_subtract_input_0_input_0_red_0_local_UB] storage_scope = "local.UB"
  allocate T_subtract_input_0_input_0_red_0_local_UB[float16 * 16 * 512]
  // attr [0] coproc_scope = 2
  set_vector_mask((uint64)18446744073709551615, (uint64)18446744073709551615):float16:EX
  // attr [0] coproc_scope = 1
  // attr [0] coproc_scope = 2
  for (cc2, 0, 16) {
    vector_dup(tvm_access_ptr(type_annotation():float16:PI, T_subtract_input_0_input_0_red_0_local_UB, (cc2*512), 512, 2, 4, 256, 8, 32, 32):handle:I, input_0_red_local_UB[cc2] if -2, 4, 1, 1, 8, 8):handle:EX
  }
  // attr [T_subtract_input_0_input_0_red_local_UB] storage_scope = "local.UB"
  allocate T_subtract_input_0_input_0_red_local_UB[float16 * 16 * 512]
  // attr [0] coproc_scope = 2
  vsub(tvm_access_ptr(type_annotation():float16:PI, T_subtract_input_0_input_0_red_local_UB, 0, 8192, 2, 64, 256, 8, 32, 32):handle:I, tvm_access_ptr(type_annotation():float16:PI, input_0_local_UB, 0, 8192, 1, 64, 256, 8, 32, 32):handle:I, tvm_access_ptr(type_annotation():float16:PI, T_subtract_input_0_input_0_red_0_local_UB, 0, 8192, 1, 64, 256, 8, 32, 32):handle:I, 64, 1, 1, 1, 8, 8, 8):handle:EX
  // attr [T_exp_local_UB] storage_scope = "local.UB"
  allocate T_exp_local_UB[float16 * 16 * 512]
  // attr [0] coproc_scope = 2
  vexp(tvm_access_ptr(type_annotation():float16:PI, T_exp_local_UB, 0, 8192, 2, 64, 256, 8, 32, 32):handle:I, tvm_access_ptr(type_annotation():float16:PI, T_subtract_input_0_input_0_red_local_UB, 0, 8192, 1, 64, 256, 8, 32, 32):handle:I, 64, 1, 1, 8, 8):handle:EX
  // attr [fp32_T_exp_local_UB] storage_scope = "local.UB"
  allocate fp32_T_exp_local_UB[float32 * 16 * 512]
  // attr [0] coproc_scope = 2
  set_vector_mask((uint64)0, (uint64)18446744073709551615):float32:EX
  // attr [0] coproc_scope = 2
  vconv_f162f32(tvm_access_ptr(type_annotation():float32:PI, fp32_T_exp_local_UB, 0, 8192, 2, 128, 256, 8, 32, 32):handle:I, tvm_access_ptr(type_annotation():float16:PI, T_exp_local_UB, 0, 8192, 1, 128, 128, 8, 32, 32):handle:I, 128, 1, 1, 8, 4):handle:EX
  // attr [fp32_T_exp_red_local_UB] storage_scope = "local.UB"
  allocate fp32_T_exp_red_local_UB[float32 * 16 * 1]
  // attr [0] coproc_scope = 2
  set_vector_mask((uint64)0, (uint64)65535):float32:EX
  // attr [0] coproc_scope = 2
  vector_dup(tvm_access_ptr(type_annotation():float32:PI, fp32_T_exp_red_local_UB, 0, 16, 2, 1, 0, 8, 32, 32):handle:I, 0f, 1, 1, 1, 0, 0):handle:EX
  // attr [fp32_T_exp_red_local_UB_dst_tmp] storage_scope = "local.UB"
  allocate fp32_T_exp_red_local_UB_dst_tmp[float32 * 128]
  // attr [fp32_T_exp_red_local_UB_src_tmp] storage_scope = "local.UB"
  allocate fp32_T_exp_red_local_UB_src_tmp[float32 * 128]
  // attr [0] coproc_scope = 2
  set_vector_mask((uint64)0, (uint64)18446744073709551615):float32:EX
  // attr [0] coproc_scope = 2
  vector_dup(tvm_access_ptr(type_annotation():float32:PI, fp32_T_exp_red_local_UB_dst_tmp, 0, 16, 2, 2, 256, 8, 32, 32):handle:I, 0f, 2, 1, 1, 8, 8):handle:EX
  for (cc2, 0, 16) {
    // attr [0] coproc_scope = 2
    vcadd(tvm_access_ptr(type_annotation():float32:PI, fp32_T_exp_red_local_UB_src_tmp, (cc2*8), (128 - (cc2*8)), 2, 8, 256, 8, 32, 32):handle:I, tvm_access_ptr(type_annotation():float32:PI, fp32_T_exp_local_UB, (cc2*512), (8192 - (cc2*512)), 1, 8, 256, 8, 32, 32):handle:I, 8, 1, 1, 8):handle:EX
  }
  // attr [0] coproc_scope = 2
  set_vector_mask((uint64)0, (uint64)255):float32:EX
  for (ii3, 0, 16) {
    // attr [0] coproc_scope = 2
    vcadd(tvm_access_ptr(type_annotation():float32:PI, fp32_T_exp_red_local_UB_dst_tmp, ii3, (128 - ii3), 2, 1, 256, 8, 32, 32):handle:I, tvm_access_ptr(type_annotation():float32:PI, fp32_T_exp_red_local_UB_src_tmp, (ii3*8), (128 - (ii3*8)), 1, 1, 256, 8, 32, 32):handle:I, 1, 1, 1, 8):handle:EX
  }
  // attr [0] coproc_scope = 2
  set_vector_mask((uint64)0, (uint64)65535):float32:EX
  // attr [0] coproc_scope = 2
  vadd(tvm_access_ptr(type_annotation():float32:PI, fp32_T_exp_red_local_UB, 0, 16, 2, 1, 0, 8, 32, 32):handle:I, tvm_access_ptr(type_annotation():float32:PI, fp32_T_exp_red_local_UB_dst_tmp, 0, 128, 1, 1, 0, 8, 32, 32):handle:I, tvm_access_ptr(type_annotation():float32:PI, fp32_T_exp_red_local_UB, 0, 16, 1, 1, 0, 8, 32, 32):handle:I, 1, 1, 1, 1, 0, 0, 0):float32:EX
  // attr [T_exp_red_local_UB] storage_scope = "local.UB"
  allocate T_exp_red_local_UB[float16 * 16 * 1]
  // attr [0] coproc_scope = 2
  vconv_f322f16(tvm_access_ptr(type_annotation():float16:PI, T_exp_red_local_UB, 0, 16, 2, 1, 0, 8, 32, 32):handle:I, tvm_access_ptr(type_annotation():float32:PI, fp32_T_exp_red_local_UB, 0, 16, 1, 1, 0, 8, 32, 32):handle:I, 1, 1, 1, 0, 0):handle:EX
  // attr [T_divide_T_exp_T_exp_red_4_local_UB] storage_scope = "local.UB"
  allocate T_divide_T_exp_T_exp_red_4_local_UB[float16 * 16 * 512]
  // attr [0] coproc_scope = 2
  set_vector_mask((uint64)18446744073709551615, (uint64)18446744073709551615):float16:EX
  // attr [0] coproc_scope = 1
  // attr [0] coproc_scope = 2
  for (cc2, 0, 16) {
    vector_dup(tvm_access_ptr(type_annotation():float16:PI, T_divide_T_exp_T_exp_red_4_local_UB, (cc2*512), 512, 2, 4, 256, 8, 32, 32):handle:I, T_exp_red_local_UB[cc2] if -2, 4, 1, 1, 8, 8):handle:EX
  }
  // attr [T_divide_T_exp_T_exp_red_local_UB] storage_scope = "local.UB"
  allocate T_divide_T_exp_T_exp_red_local_UB[float16 * 16 * 512]
  // attr [0] coproc_scope = 2
  vdiv(tvm_access_ptr(type_annotation():float16:PI, T_divide_T_exp_T_exp_red_local_UB, 0, 8192, 2, 64, 256, 8, 32, 32):handle:I, tvm_access_ptr(type_annotation():float16:PI, T_exp_local_UB, 0, 8192, 1, 64, 256, 8, 32, 32):handle:I, tvm_access_ptr(type_annotation():float16:PI, T_divide_T_exp_T_exp_red_4_local_UB, 0, 8192, 1, 64, 256, 8, 32, 32):handle:I, 64, 1, 1, 1, 8, 8, 8):handle:EX
  // attr [0] coproc_scope = 6
  copy_ubuf_to_gm(tvm_access_ptr(type_annotation():float16:PI, T_divide_T_exp_T_exp_red, ((blockIdx.x*16384) + (cc0.db*16384)), 8192, 2, 1, 16384, 1, 16384, 16384):handle:I, tvm_access_ptr(type_annotation():float16:PI, T_divide_T_exp_T_exp_red_local_UB, 0, 8192, 1, 1, 16384, 1, 16384, 16384):handle:I, 0, 1, 512, 0, 0):handle:EX
  // attr [0] alloc_out = 1
  // attr [input_0_red_local_UB] storage_scope = "local.UB"
  allocate input_0_red_local_UB[float16 * 16 * 1]
  // attr [0] isolate_range = 2
  // attr [0] coproc_scope = 2
  set_vector_mask((uint64)0, (uint64)65535):float16:EX
  // attr [0] coproc_scope = 2
  vector_dup(tvm_access_ptr(type_annotation():float16:PI, input_0_red_local_UB, 0, 16, 2, 1, 0, 8, 32, 32):handle:I, -65504h, 1, 1, 1, 0, 0):handle:EX
  // attr [input_0_local_UB] storage_scope = "local.UB"
  allocate input_0_local_UB[float16 * 16 * 512]
  // attr [0] coproc_scope = 5
  copy_gm_to_ubuf(tvm_access_ptr(type_annotation():float16:PI, input_0_local_UB, 0, 8192, 2, 1, 16384, 1, 16384, 16384):handle:I, tvm_access_ptr(type_annotation():float16:PI, input_0, (((blockIdx.x*16384) + (cc0.db*16384)) + 8192), 8192, 1, 1, 16384, 1, 16384, 16384):handle:I, 0, 1, 512, 0, 0):handle:EX
  // attr [input_0_red_local_UB_dst_tmp] storage_scope = "local.UB"
  allocate input_0_red_local_UB_dst_tmp[float16 * 256]
  // attr [input_0_red_local_UB_src_tmp] storage_scope = "local.UB"
  allocate input_0_red_local_UB_src_tmp[float16 * 512]
  // attr [0] coproc_scope = 2
  set_vector_mask((uint64)18446744073709551615, (uint64)18446744073709551615):float16:EX
  // attr [0] coproc_scope = 2
  vector_dup(tvm_access_ptr(type_annotation():float16:PI, input_0_red_local_UB_dst_tmp, 0, 16, 2, 2, 256, 8, 32, 32):handle:I, -65504h, 2, 1, 1, 8, 8):handle:EX
  // attr [0] coproc_scope = 2
  for (cc2, 0, 16) {
    vcgmax(tvm_access_ptr(type_annotation():float16:PI, input_0_red_local_UB_src_tmp, (cc2*32), (512 - (cc2*32)), 2, 4, 32, 8, 4, 32):handle:I, tvm_access_ptr(type_annotation():float16:PI, input_0_local_UB, (cc2*512), (8192 - (cc2*512)), 1, 4, 256, 8, 32, 32):handle:I, 4, 1, 1, 8):handle:EX
  }
  // attr [0] coproc_scope = 2
  set_vector_mask((uint64)0, (uint64)4294967295):float16:EX
  for (ii1, 0, 16) {
    // attr [0] coproc_scope = 2
    vcgmax(tvm_access_ptr(type_annotation():float16:PI, input_0_red_local_UB_src_tmp, (ii1*32), (512 - (ii1*32)), 2, 1, 32, 8, 4, 32):handle:I, tvm_access_ptr(type_annotation():float16:PI, input_0_red_local_UB_src_tmp, (ii1*32), (512 - (ii1*32)), 1, 1, 256, 8, 32, 32):handle:I, 1, 1, 1, 8):handle:EX
  }
  // attr [0] coproc_scope = 2
  set_vector_mask((uint64)0, (uint64)3):float16:EX
  // attr [0] coproc_scope = 2
  for (ii2, 0, 16) {
    vcgmax(tvm_access_ptr(type_annotation():float16:PI, input_0_red_local_UB_dst_tmp, (ii2*16), (256 - (ii2*16)), 2, 1, 32, 8, 4, 32):handle:I, tvm_access_ptr(type_annotation():float16:PI, input_0_red_local_UB_src_tmp, (ii2*32), (512 - (ii2*32)), 1, 1, 256, 8, 32, 32):handle:I, 1, 1, 1, 8):handle:EX
  }
  // attr [0] coproc_scope = 2
  set_vector_mask((uint64)18446744073709551615, (uint64)18446744073709551615):float16:EX
  // attr [0] coproc_scope = 2
  vcgmax(tvm_access_ptr(type_annotation():float16:PI, input_0_red_local_UB_dst_tmp, 0, 256, 2, 2, 32, 8, 4, 32):handle:I, tvm_access_ptr(type_annotation():float16:PI, input_0_red_local_UB_dst_tmp, 0, 256, 1, 2, 256, 8, 32, 32):handle:I, 2, 1, 1, 8):float16:EX
  // attr [0] coproc_scope = 2
  set_vector_mask((uint64)0, (uint64)65535):float16:EX
  // attr [0] coproc_scope = 2
  vmax(tvm_access_ptr(type_annotation():float16:PI, input_0_red_local_UB, 0, 16, 2, 1, 0, 8, 32, 32):handle:I, tvm_access_ptr(type_annotation():float16:PI, input_0_red_local_UB_dst_tmp, 0, 256, 1, 1, 0, 8, 32, 32):handle:I, tvm_access_ptr(type_annotation():float16:PI, input_0_red_local_UB, 0, 16, 1, 1, 0, 8, 32, 32):handle:I, 1, 1, 1, 1, 0, 0, 0):float16:EX
  // attr [T_subtract_input_0_input_0_red_0_local_UB] storage_scope = "local.UB"
  allocate T_subtract_input_0_input_0_red_0_local_UB[float16 * 16 * 512]
  // attr [0] coproc_scope = 2
  set_vector_mask((uint64)18446744073709551615, (uint64)18446744073709551615):float16:EX
  // attr [0] coproc_scope = 1
  // attr [0] coproc_scope = 2
  for (cc2, 0, 16) {
    vector_dup(tvm_access_ptr(type_annotation():float16:PI, T_subtract_input_0_input_0_red_0_local_UB, (cc2*512), 512, 2, 4, 256, 8, 32, 32):handle:I, input_0_red_local_UB[cc2] if -2, 4, 1, 1, 8, 8):handle:EX
  }
  // attr [T_subtract_input_0_input_0_red_local_UB] storage_scope = "local.UB"
  allocate T_subtract_input_0_input_0_red_local_UB[float16 * 16 * 512]
  // attr [0] coproc_scope = 2
  vsub(tvm_access_ptr(type_annotation():float16:PI, T_subtract_input_0_input_0_red_local_UB, 0, 8192, 2, 64, 256, 8, 32, 32):handle:I, tvm_access_ptr(type_annotation():float16:PI, input_0_local_UB, 0, 8192, 1, 64, 256, 8, 32, 32):handle:I, tvm_access_ptr(type_annotation():float16:PI, T_subtract_input_0_input_0_red_0_local_UB, 0, 8192, 1, 64, 256, 8, 32, 32):handle:I, 64, 1, 1, 1, 8, 8, 8):handle:EX
  // attr [T_exp_local_UB] storage_scope = "local.UB"
  allocate T_exp_local_UB[float16 * 16 * 512]
  // attr [0] coproc_scope = 2
  vexp(tvm_access_ptr(type_annotation():float16:PI, T_exp_local_UB, 0, 8192, 2, 64, 256, 8, 32, 32):handle:I, tvm_access_ptr(type_annotation():float16:PI, T_subtract_input_0_input_0_red_local_UB, 0, 8192, 1, 64, 256, 8, 32, 32):handle:I, 64, 1, 1, 8, 8):handle:EX
  // attr [fp32_T_exp_local_UB] storage_scope = "local.UB"
  allocate fp32_T_exp_local_UB[float32 * 16 * 512]
  // attr [0] coproc_scope = 2
  set_vector_mask((uint64)0, (uint64)18446744073709551615):float32:EX
  // attr [0] coproc_scope = 2
  vconv_f162f32(tvm_access_ptr(type_annotation():float32:PI, fp32_T_exp_local_UB, 0, 8192, 2, 128, 256, 8, 32, 32):handle:I, tvm_access_ptr(type_annotation():float16:PI, T_exp_local_UB, 0, 8192, 1, 128, 128, 8, 32, 32):handle:I, 128, 1, 1, 8, 4):handle:EX
  // attr [fp32_T_exp_red_local_UB] storage_scope = "local.UB"
  allocate fp32_T_exp_red_local_UB[float32 * 16 * 1]
  // attr [0] coproc_scope = 2
  set_vector_mask((uint64)0, (uint64)65535):float32:EX
  // attr [0] coproc_scope = 2
  vector_dup(tvm_access_ptr(type_annotation():float32:PI, fp32_T_exp_red_local_UB, 0, 16, 2, 1, 0, 8, 32, 32):handle:I, 0f, 1, 1, 1, 0, 0):handle:EX
  // attr [fp32_T_exp_red_local_UB_dst_tmp] storage_scope = "local.UB"
  allocate fp32_T_exp_red_local_UB_dst_tmp[float32 * 128]
  // attr [fp32_T_exp_red_local_UB_src_tmp] storage_scope = "local.UB"
  allocate fp32_T_exp_red_local_UB_src_tmp[float32 * 128]
  // attr [0] coproc_scope = 2
  set_vector_mask((uint64)0, (uint64)18446744073709551615):float32:EX
  // attr [0] coproc_scope = 2
  vector_dup(tvm_access_ptr(type_annotation():float32:PI, fp32_T_exp_red_local_UB_dst_tmp, 0, 16, 2, 2, 256, 8, 32, 32):handle:I, 0f, 2, 1, 1, 8, 8):handle:EX
  for (cc2, 0, 16) {
    // attr [0] coproc_scope = 2
    vcadd(tvm_access_ptr(type_annotation():float32:PI, fp32_T_exp_red_local_UB_src_tmp, (cc2*8), (128 - (cc2*8)), 2, 8, 256, 8, 32, 32):handle:I, tvm_access_ptr(type_annotation():float32:PI, fp32_T_exp_local_UB, (cc2*512), (8192 - (cc2*512)), 1, 8, 256, 8, 32, 32):handle:I, 8, 1, 1, 8):handle:EX
  }
  // attr [0] coproc_scope = 2
  set_vector_mask((uint64)0, (uint64)255):float32:EX
  for (ii3, 0, 16) {
    // attr [0] coproc_scope = 2
    vcadd(tvm_access_ptr(type_annotation():float32:PI, fp32_T_exp_red_local_UB_dst_tmp, ii3, (128 - ii3), 2, 1, 256, 8, 32, 32):handle:I, tvm_access_ptr(type_annotation():float32:PI, fp32_T_exp_red_local_UB_src_tmp, (ii3*8), (128 - (ii3*8)), 1, 1, 256, 8, 32, 32):handle:I, 1, 1, 1, 8):handle:EX
  }
  // attr [0] coproc_scope = 2
  set_vector_mask((uint64)0, (uint64)65535):float32:EX
  // attr [0] coproc_scope = 2
  vadd(tvm_access_ptr(type_annotation():float32:PI, fp32_T_exp_red_local_UB, 0, 16, 2, 1, 0, 8, 32, 32):handle:I, tvm_access_ptr(type_annotation():float32:PI, fp32_T_exp_red_local_UB_dst_tmp, 0, 128, 1, 1, 0, 8, 32, 32):handle:I, tvm_access_ptr(type_annotation():float32:PI, fp32_T_exp_red_local_UB, 0, 16, 1, 1, 0, 8, 32, 32):handle:I, 1, 1, 1, 1, 0, 0, 0):float32:EX
  // attr [T_exp_red_local_UB] storage_scope = "local.UB"
  allocate T_exp_red_local_UB[float16 * 16 * 1]
  // attr [0] coproc_scope = 2
  vconv_f322f16(tvm_access_ptr(type_annotation():float16:PI, T_exp_red_local_UB, 0, 16, 2, 1, 0, 8, 32, 32):handle:I, tvm_access_ptr(type_annotation():float32:PI, fp32_T_exp_red_local_UB, 0, 16, 1, 1, 0, 8, 32, 32):handle:I, 1, 1, 1, 0, 0):handle:EX
  // attr [T_divide_T_exp_T_exp_red_4_local_UB] storage_scope = "local.UB"
  allocate T_divide_T_exp_T_exp_red_4_local_UB[float16 * 16 * 512]
  // attr [0] coproc_scope = 2
  set_vector_mask((uint64)18446744073709551615, (uint64)18446744073709551615):float16:EX
  // attr [0] coproc_scope = 1
  // attr [0] coproc_scope = 2
  for (cc2, 0, 16) {
    vector_dup(tvm_access_ptr(type_annotation():float16:PI, T_divide_T_exp_T_exp_red_4_local_UB, (cc2*512), 512, 2, 4, 256, 8, 32, 32):handle:I, T_exp_red_local_UB[cc2] if -2, 4, 1, 1, 8, 8):handle:EX
  }
  // attr [T_divide_T_exp_T_exp_red_local_UB] storage_scope = "local.UB"
  allocate T_divide_T_exp_T_exp_red_local_UB[float16 * 16 * 512]
  // attr [0] coproc_scope = 2
  vdiv(tvm_access_ptr(type_annotation():float16:PI, T_divide_T_exp_T_exp_red_local_UB, 0, 8192, 2, 64, 256, 8, 32, 32):handle:I, tvm_access_ptr(type_annotation():float16:PI, T_exp_local_UB, 0, 8192, 1, 64, 256, 8, 32, 32):handle:I, tvm_access_ptr(type_annotation():float16:PI, T_divide_T_exp_T_exp_red_4_local_UB, 0, 8192, 1, 64, 256, 8, 32, 32):handle:I, 64, 1, 1, 1, 8, 8, 8):handle:EX
  // attr [0] coproc_scope = 6
  copy_ubuf_to_gm(tvm_access_ptr(type_annotation():float16:PI, T_divide_T_exp_T_exp_red, (((blockIdx.x*16384) + (cc0.db*16384)) + 8192), 8192, 2, 1, 16384, 1, 16384, 16384):handle:I, tvm_access_ptr(type_annotation():float16:PI, T_divide_T_exp_T_exp_red_local_UB, 0, 8192, 1, 1, 16384, 1, 16384, 16384):handle:I, 0, 1, 512, 0, 0):handle:EX
}
