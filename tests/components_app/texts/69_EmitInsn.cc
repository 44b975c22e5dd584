// attr [iter_var(blockIdx.x, , blockIdx.x)] thread_extent = 32
for (cc0, 0, 2) {
  // attr [0] alloc_out = 1
  // attr [input_0_red_local_UB] storage_scope = "local.UB"
  allocate input_0_red_local_UB[float16 * 16 * 1]
  // attr [0] isolate_range = 2
  set_vector_mask((uint64)0, (uint64)65535):float16:EX
  vector_dup(tvm_access_ptr(type_annotation():float16:PI, input_0_red_local_UB, 0, 16, 2):handle:I, -65504h, 1, 1, 1, 0, 0):handle:EX
  set_vector_mask((uint64)18446744073709551615, (uint64)18446744073709551615):float16:EX
  // attr [input_0_local_UB] storage_scope = "local.UB"
  allocate input_0_local_UB[float16 * 16 * 512]
  // attr [0] gm_addr_rw = input_0
  copy_gm_to_ubuf(tvm_access_ptr(type_annotation():float16:PI, input_0_local_UB, 0, 8192, 2):handle:I, tvm_access_ptr(type_annotation():float16:PI, input_0, ((blockIdx.x*16384) + (cc0*8192)), 8192, 1):handle:I, 0, 1, 512, 0, 0):handle:EX
  // attr [input_0_red_local_UB_dst_tmp] storage_scope = "local.UB"
  allocate input_0_red_local_UB_dst_tmp[float16 * 256]
  // attr [input_0_red_local_UB_src_tmp] storage_scope = "local.UB"
  allocate input_0_red_local_UB_src_tmp[float16 * 512]
  set_vector_mask((uint64)18446744073709551615, (uint64)18446744073709551615):float16:EX
  vector_dup(tvm_access_ptr(type_annotation():float16:PI, input_0_red_local_UB_dst_tmp, 0, 16, 2):handle:I, -65504h, 2, 1, 1, 8, 8):handle:EX
  set_vector_mask((uint64)18446744073709551615, (uint64)18446744073709551615):float16:EX
  for (cc2, 0, 16) {
    set_vector_mask((uint64)18446744073709551615, (uint64)18446744073709551615):float16:EX
    vcgmax(tvm_access_ptr(type_annotation():float16:PI, input_0_red_local_UB_src_tmp, (cc2*32), (512 - (cc2*32)), 2):handle:I, tvm_access_ptr(type_annotation():float16:PI, input_0_local_UB, (cc2*512), (8192 - (cc2*512)), 1):handle:I, 4, 1, 1, 8):handle:EX
    set_vector_mask((uint64)18446744073709551615, (uint64)18446744073709551615):float16:EX
  }
  for (ii1, 0, 16) {
    set_vector_mask((uint64)0, (uint64)4294967295):float16:EX
    vcgmax(tvm_access_ptr(type_annotation():float16:PI, input_0_red_local_UB_src_tmp, (ii1*32), (512 - (ii1*32)), 2):handle:I, tvm_access_ptr(type_annotation():float16:PI, input_0_red_local_UB_src_tmp, (ii1*32), (512 - (ii1*32)), 1):handle:I, 1, 1, 1, 8):handle:EX
    set_vector_mask((uint64)18446744073709551615, (uint64)18446744073709551615):float16:EX
  }
  for (ii2, 0, 16) {
    set_vector_mask((uint64)0, (uint64)3):float16:EX
    vcgmax(tvm_access_ptr(type_annotation():float16:PI, input_0_red_local_UB_dst_tmp, (ii2*16), (256 - (ii2*16)), 2):handle:I, tvm_access_ptr(type_annotation():float16:PI, input_0_red_local_UB_src_tmp, (ii2*32), (512 - (ii2*32)), 1):handle:I, 1, 1, 1, 8):handle:EX
    set_vector_mask((uint64)18446744073709551615, (uint64)18446744073709551615):float16:EX
  }
  set_vector_mask((uint64)18446744073709551615, (uint64)18446744073709551615):float16:EX
  vcgmax(tvm_access_ptr(type_annotation():float16:PI, input_0_red_local_UB_dst_tmp, 0, 256, 2):handle:I, tvm_access_ptr(type_annotation():float16:PI, input_0_red_local_UB_dst_tmp, 0, 256, 1):handle:I, 2, 1, 1, 8):float16:EX
  set_vector_mask((uint64)18446744073709551615, (uint64)18446744073709551615):float16:EX
  set_vector_mask((uint64)0, (uint64)65535):float16:EX
  vmax(tvm_access_ptr(type_annotation():float16:PI, input_0_red_local_UB, 0, 16, 2):handle:I, tvm_access_ptr(type_annotation():float16:PI, input_0_red_local_UB_dst_tmp, 0, 256, 1):handle:I, tvm_access_ptr(type_annotation():float16:PI, input_0_red_local_UB, 0, 16, 1):handle:I, 1, 1, 1, 1, 0, 0, 0):float16:EX
  set_vector_mask((uint64)18446744073709551615, (uint64)18446744073709551615):float16:EX
  // attr [T_subtract_input_0_input_0_red_0_local_UB] storage_scope = "local.UB"
  allocate T_subtract_input_0_input_0_red_0_local_UB[float16 * 16 * 512]
  for (cc2, 0, 16) {
    set_vector_mask((uint64)18446744073709551615, (uint64)18446744073709551615):float16:EX
    vector_dup(tvm_access_ptr(type_annotation():float16:PI, T_subtract_input_0_input_0_red_0_local_UB, (cc2*512), 512, 2):handle:I, input_0_red_local_UB[cc2] if -2, 4, 1, 1, 8, 8):handle:EX
    set_vector_mask((uint64)18446744073709551615, (uint64)18446744073709551615):float16:EX
  }
  // attr [T_subtract_input_0_input_0_red_local_UB] storage_scope = "local.UB"
  allocate T_subtract_input_0_input_0_red_local_UB[float16 * 16 * 512]
  set_vector_mask((uint64)18446744073709551615, (uint64)18446744073709551615):float16:EX
  vsub(tvm_access_ptr(type_annotation():float16:PI, T_subtract_input_0_input_0_red_local_UB, 0, 8192, 2):handle:I, tvm_access_ptr(type_annotation():float16:PI, input_0_local_UB, 0, 8192, 1):handle:I, tvm_access_ptr(type_annotation():float16:PI, T_subtract_input_0_input_0_red_0_local_UB, 0, 8192, 1):handle:I, 64, 1, 1, 1, 8, 8, 8):handle:EX
  set_vector_mask((uint64)18446744073709551615, (uint64)18446744073709551615):float16:EX
  // attr [T_exp_local_UB] storage_scope = "local.UB"
  allocate T_exp_local_UB[float16 * 16 * 512]
  set_vector_mask((uint64)18446744073709551615, (uint64)18446744073709551615):float16:EX
  vexp(tvm_access_ptr(type_annotation():float16:PI, T_exp_local_UB, 0, 8192, 2):handle:I, tvm_access_ptr(type_annotation():float16:PI, T_subtract_input_0_input_0_red_local_UB, 0, 8192, 1):handle:I, 64, 1, 1, 8, 8):handle:EX
  set_vector_mask((uint64)18446744073709551615, (uint64)18446744073709551615):float16:EX
  // attr [fp32_T_exp_local_UB] storage_scope = "local.UB"
  allocate fp32_T_exp_local_UB[float32 * 16 * 512]
  set_vector_mask((uint64)0, (uint64)18446744073709551615):float32:EX
  vconv_f162f32(tvm_access_ptr(type_annotation():float32:PI, fp32_T_exp_local_UB, 0, 8192, 2):handle:I, tvm_access_ptr(type_annotation():float16:PI, T_exp_local_UB, 0, 8192, 1):handle:I, 128, 1, 1, 8, 4):handle:EX
  set_vector_mask((uint64)0, (uint64)18446744073709551615):float32:EX
  // attr [fp32_T_exp_red_local_UB] storage_scope = "local.UB"
  allocate fp32_T_exp_red_local_UB[float32 * 16 * 1]
  set_vector_mask((uint64)0, (uint64)65535):float32:EX
  vector_dup(tvm_access_ptr(type_annotation():float32:PI, fp32_T_exp_red_local_UB, 0, 16, 2):handle:I, 0f, 1, 1, 1, 0, 0):handle:EX
  set_vector_mask((uint64)0, (uint64)18446744073709551615):float32:EX
  // attr [fp32_T_exp_red_local_UB_dst_tmp] storage_scope = "local.UB"
  allocate fp32_T_exp_red_local_UB_dst_tmp[float32 * 128]
  // attr [fp32_T_exp_red_local_UB_src_tmp] storage_scope = "local.UB"
  allocate fp32_T_exp_red_local_UB_src_tmp[float32 * 128]
  set_vector_mask((uint64)0, (uint64)18446744073709551615):float32:EX
  vector_dup(tvm_access_ptr(type_annotation():float32:PI, fp32_T_exp_red_local_UB_dst_tmp, 0, 16, 2):handle:I, 0f, 2, 1, 1, 8, 8):handle:EX
  set_vector_mask((uint64)0, (uint64)18446744073709551615):float32:EX
  for (cc2, 0, 16) {
    set_vector_mask((uint64)0, (uint64)18446744073709551615):float32:EX
    vcadd(tvm_access_ptr(type_annotation():float32:PI, fp32_T_exp_red_local_UB_src_tmp, (cc2*8), (128 - (cc2*8)), 2):handle:I, tvm_access_ptr(type_annotation():float32:PI, fp32_T_exp_local_UB, (cc2*512), (8192 - (cc2*512)), 1):handle:I, 8, 1, 1, 8):handle:EX
    set_vector_mask((uint64)0, (uint64)18446744073709551615):float32:EX
  }
  for (ii3, 0, 16) {
    set_vector_mask((uint64)0, (uint64)255):float32:EX
    vcadd(tvm_access_ptr(type_annotation():float32:PI, fp32_T_exp_red_local_UB_dst_tmp, ii3, (128 - ii3), 2):handle:I, tvm_access_ptr(type_annotation():float32:PI, fp32_T_exp_red_local_UB_src_tmp, (ii3*8), (128 - (ii3*8)), 1):handle:I, 1, 1, 1, 8):handle:EX
    set_vector_mask((uint64)0, (uint64)18446744073709551615):float32:EX
  }
  set_vector_mask((uint64)0, (uint64)65535):float32:EX
  vadd(tvm_access_ptr(type_annotation():float32:PI, fp32_T_exp_red_local_UB, 0, 16, 2):handle:I, tvm_access_ptr(type_annotation():float32:PI, fp32_T_exp_red_local_UB_dst_tmp, 0, 128, 1):handle:I, tvm_access_ptr(type_annotation():float32:PI, fp32_T_exp_red_local_UB, 0, 16, 1):handle:I, 1, 1, 1, 1, 0, 0, 0):float32:EX
  set_vector_mask((uint64)0, (uint64)18446744073709551615):float32:EX
  // attr [T_exp_red_local_UB] storage_scope = "local.UB"
  allocate T_exp_red_local_UB[float16 * 16 * 1]
  set_vector_mask((uint64)0, (uint64)65535):float16:EX
  vconv_f322f16(tvm_access_ptr(type_annotation():float16:PI, T_exp_red_local_UB, 0, 16, 2):handle:I, tvm_access_ptr(type_annotation():float32:PI, fp32_T_exp_red_local_UB, 0, 16, 1):handle:I, 1, 1, 1, 0, 0):handle:EX
  set_vector_mask((uint64)18446744073709551615, (uint64)18446744073709551615):float16:EX
  // attr [T_divide_T_exp_T_exp_red_4_local_UB] storage_scope = "local.UB"
  allocate T_divide_T_exp_T_exp_red_4_local_UB[float16 * 16 * 512]
  for (cc2, 0, 16) {
    set_vector_mask((uint64)18446744073709551615, (uint64)18446744073709551615):float16:EX
    vector_dup(tvm_access_ptr(type_annotation():float16:PI, T_divide_T_exp_T_exp_red_4_local_UB, (cc2*512), 512, 2):handle:I, T_exp_red_local_UB[cc2] if -2, 4, 1, 1, 8, 8):handle:EX
    set_vector_mask((uint64)18446744073709551615, (uint64)18446744073709551615):float16:EX
  }
  // attr [T_divide_T_exp_T_exp_red_local_UB] storage_scope = "local.UB"
  allocate T_divide_T_exp_T_exp_red_local_UB[float16 * 16 * 512]
  set_vector_mask((uint64)18446744073709551615, (uint64)18446744073709551615):float16:EX
  vdiv(tvm_access_ptr(type_annotation():float16:PI, T_divide_T_exp_T_exp_red_local_UB, 0, 8192, 2):handle:I, tvm_access_ptr(type_annotation():float16:PI, T_exp_local_UB, 0, 8192, 1):handle:I, tvm_access_ptr(type_annotation():float16:PI, T_divide_T_exp_T_exp_red_4_local_UB, 0, 8192, 1):handle:I, 64, 1, 1, 1, 8, 8, 8):handle:EX
  set_vector_mask((uint64)18446744073709551615, (uint64)18446744073709551615):float16:EX
  // attr [0] gm_addr = T_divide_T_exp_T_exp_red
  // attr [0] external_for_loop = (cc0 - 2)
  // attr [0] internal_for_loop = (cc3 - 8192)
  // attr [0] intrin_args = ((((((nBurst - 1)*(lenBurst - 512))*(srcStride - 0))*(dstStride - 0))*(blockSize - 16))*(realBlockSize - 8192))
  // attr [0] dst_var_stride = ((blockIdx.x*16384) + (cc0*8192))
  // attr [0] src_var_stride = 0
  copy_ubuf_to_gm(tvm_access_ptr(type_annotation():float16:PI, T_divide_T_exp_T_exp_red, ((blockIdx.x*16384) + (cc0*8192)), 8192, 2):handle:I, tvm_access_ptr(type_annotation():float16:PI, T_divide_T_exp_T_exp_red_local_UB, 0, 8192, 1):handle:I, 0, 1, 512, 0, 0):handle:EX
}
