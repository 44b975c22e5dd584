// attr [0] device_scope = 0
// attr [input_0_red_local_UB] storage_scope = "local.UB"
allocate input_0_red_local_UB[float16 * 16 * 1]
// attr [input_0_local_UB] storage_scope = "local.UB"
allocate input_0_local_UB[float16 * 16 * 1024]
// attr [T_subtract_input_0_input_0_red_local_UB] storage_scope = "local.UB"
allocate T_subtract_input_0_input_0_red_local_UB[float16 * 16 * 1024]
// attr [T_exp_local_UB] storage_scope = "local.UB"
allocate T_exp_local_UB[float16 * 16 * 1024]
// attr [T_divide_T_exp_T_exp_red_local_UB] storage_scope = "local.UB"
allocate T_divide_T_exp_T_exp_red_local_UB[float16 * 16 * 1024]
// attr [input_0_red_local_UB_dst_tmp] storage_scope = "local.UB"
allocate input_0_red_local_UB_dst_tmp[float16 * 256]
// attr [input_0_red_local_UB_src_tmp] storage_scope = "local.UB"
allocate input_0_red_local_UB_src_tmp[float16 * 1024]
// attr [T_subtract_input_0_input_0_red_0_local_UB] storage_scope = "local.UB"
allocate T_subtract_input_0_input_0_red_0_local_UB[float16 * 16 * 1024]
// attr [fp32_T_exp_local_UB] storage_scope = "local.UB"
allocate fp32_T_exp_local_UB[float32 * 16 * 1024]
// attr [fp32_T_exp_red_local_UB] storage_scope = "local.UB"
allocate fp32_T_exp_red_local_UB[float32 * 16 * 1]
// attr [T_exp_red_local_UB] storage_scope = "local.UB"
allocate T_exp_red_local_UB[float16 * 16 * 1]
// attr [fp32_T_exp_red_local_UB_dst_tmp] storage_scope = "local.UB"
allocate fp32_T_exp_red_local_UB_dst_tmp[float32 * 128]
// attr [fp32_T_exp_red_local_UB_src_tmp] storage_scope = "local.UB"
allocate fp32_T_exp_red_local_UB_src_tmp[float32 * 256]
// attr [T_divide_T_exp_T_exp_red_4_local_UB] storage_scope = "local.UB"
allocate T_divide_T_exp_T_exp_red_4_local_UB[float16 * 16 * 1024]
// attr [iter_var(blockIdx.x, , blockIdx.x)] thread_extent = 16
// attr [0] alloc_out = 1
// attr [0] isolate_range = 2
// attr [0] coproc_scope = 2
set_vector_mask((uint64)0, (uint64)65535):float16:EX
// attr [0] coproc_scope = 2
vector_dup(tvm_address_of(input_0_red_local_UB[0]):handle:PI, -65504h, 1, 1, 1, 0, 0):handle:EX
// attr [0] coproc_scope = 5
copy_gm_to_ubuf(tvm_address_of(input_0_local_UB[0]):handle:PI, tvm_address_of(input_0[(blockIdx.x*16384)]):handle:PI, 0, 1, 1024, 0, 0):handle:EX
cce.coproc_dep_push(5, 2, 0):int32:I
// attr [0] coproc_scope = 2
set_vector_mask((uint64)18446744073709551615, (uint64)18446744073709551615):float16:EX
// attr [0] coproc_scope = 2
vector_dup(tvm_address_of(input_0_red_local_UB_dst_tmp[0]):handle:PI, -65504h, 2, 1, 1, 8, 8):handle:EX
// attr [0] coproc_scope = 2
cce.coproc_dep_pop(5, 2, 0):int32:I
for (cc2, 0, 16) {
  vcgmax(tvm_address_of(input_0_red_local_UB_src_tmp[(cc2*64)]):handle:PI, tvm_address_of(input_0_local_UB[(cc2*1024)]):handle:PI, 8, 1, 1, 8):handle:EX
}
// attr [0] coproc_scope = 2
set_vector_mask((uint64)0, (uint64)18446744073709551615):float16:EX
for (ii1, 0, 16) {
  // attr [0] coproc_scope = 2
  vcgmax(tvm_address_of(input_0_red_local_UB_src_tmp[(ii1*64)]):handle:PI, tvm_address_of(input_0_red_local_UB_src_tmp[(ii1*64)]):handle:PI, 1, 1, 1, 8):handle:EX
  cce.coproc_sync(2):int32:I
}
// attr [0] coproc_scope = 2
set_vector_mask((uint64)0, (uint64)15):float16:EX
// attr [0] coproc_scope = 2
for (ii2, 0, 16) {
  vcgmax(tvm_address_of(input_0_red_local_UB_dst_tmp[(ii2*16)]):handle:PI, tvm_address_of(input_0_red_local_UB_src_tmp[(ii2*64)]):handle:PI, 1, 1, 1, 8):handle:EX
}
// attr [0] coproc_scope = 2
set_vector_mask((uint64)18446744073709551615, (uint64)18446744073709551615):float16:EX
// attr [0] coproc_scope = 2
vcgmax(tvm_address_of(input_0_red_local_UB_dst_tmp[0]):handle:PI, tvm_address_of(input_0_red_local_UB_dst_tmp[0]):handle:PI, 2, 1, 1, 8):float16:EX
// attr [0] coproc_scope = 2
set_vector_mask((uint64)0, (uint64)65535):float16:EX
// attr [0] coproc_scope = 2
vmax(tvm_address_of(input_0_red_local_UB[0]):handle:PI, tvm_address_of(input_0_red_local_UB_dst_tmp[0]):handle:PI, tvm_address_of(input_0_red_local_UB[0]):handle:PI, 1, 1, 1, 1, 0, 0, 0):float16:EX
cce.coproc_dep_push(2, 1, 0):int32:I
// attr [0] coproc_scope = 2
set_vector_mask((uint64)18446744073709551615, (uint64)18446744073709551615):float16:EX
// attr [0] coproc_scope = 1
cce.coproc_dep_pop(2, 1, 0):int32:I
// attr [0] coproc_scope = 2
for (cc2, 0, 16) {
  vector_dup(tvm_address_of(T_subtract_input_0_input_0_red_0_local_UB[(cc2*1024)]):handle:PI, input_0_red_local_UB[cc2] if -2, 8, 1, 1, 8, 8):handle:EX
}
// attr [0] coproc_scope = 2
cce.coproc_sync(2):int32:I
vsub(tvm_address_of(T_subtract_input_0_input_0_red_local_UB[0]):handle:PI, tvm_address_of(input_0_local_UB[0]):handle:PI, tvm_address_of(T_subtract_input_0_input_0_red_0_local_UB[0]):handle:PI, 128, 1, 1, 1, 8, 8, 8):handle:EX
// attr [0] coproc_scope = 2
cce.coproc_sync(2):int32:I
vexp(tvm_address_of(T_exp_local_UB[0]):handle:PI, tvm_address_of(T_subtract_input_0_input_0_red_local_UB[0]):handle:PI, 128, 1, 1, 8, 8):handle:EX
// attr [0] coproc_scope = 2
set_vector_mask((uint64)0, (uint64)18446744073709551615):float32:EX
// attr [0] pragma_insn_partition = 0
// attr [0] coproc_scope = 2
vconv_f162f32(tvm_address_of(fp32_T_exp_local_UB[0]):handle:PI, tvm_address_of(T_exp_local_UB[0]):handle:PI, 255, 1, 1, 8, 4):handle:EX
// attr [0] coproc_scope = 2
vconv_f162f32(tvm_address_of(fp32_T_exp_local_UB[16320]):handle:PI, tvm_address_of(T_exp_local_UB[16320]):handle:PI, 1, 1, 1, 8, 4):handle:EX
// attr [0] coproc_scope = 2
set_vector_mask((uint64)0, (uint64)65535):float32:EX
// attr [0] coproc_scope = 2
vector_dup(tvm_address_of(fp32_T_exp_red_local_UB[0]):handle:PI, 0f, 1, 1, 1, 0, 0):handle:EX
// attr [0] coproc_scope = 2
set_vector_mask((uint64)0, (uint64)18446744073709551615):float32:EX
// attr [0] coproc_scope = 2
vector_dup(tvm_address_of(fp32_T_exp_red_local_UB_dst_tmp[0]):handle:PI, 0f, 2, 1, 1, 8, 8):handle:EX
for (cc2, 0, 16) {
  // attr [0] coproc_scope = 2
  vcadd(tvm_address_of(fp32_T_exp_red_local_UB_src_tmp[(cc2*16)]):handle:PI, tvm_address_of(fp32_T_exp_local_UB[(cc2*1024)]):handle:PI, 16, 1, 1, 8):handle:EX
  cce.coproc_sync(2):int32:I
}
// attr [0] coproc_scope = 2
set_vector_mask((uint64)0, (uint64)65535):float32:EX
for (ii3, 0, 16) {
  // attr [0] coproc_scope = 2
  vcadd(tvm_address_of(fp32_T_exp_red_local_UB_dst_tmp[ii3]):handle:PI, tvm_address_of(fp32_T_exp_red_local_UB_src_tmp[(ii3*16)]):handle:PI, 1, 1, 1, 8):handle:EX
  cce.coproc_sync(2):int32:I
}
// attr [0] coproc_scope = 2
cce.coproc_sync(2):int32:I
vadd(tvm_address_of(fp32_T_exp_red_local_UB[0]):handle:PI, tvm_address_of(fp32_T_exp_red_local_UB_dst_tmp[0]):handle:PI, tvm_address_of(fp32_T_exp_red_local_UB[0]):handle:PI, 1, 1, 1, 1, 0, 0, 0):float32:EX
// attr [0] coproc_scope = 2
cce.coproc_sync(2):int32:I
vconv_f322f16(tvm_address_of(T_exp_red_local_UB[0]):handle:PI, tvm_address_of(fp32_T_exp_red_local_UB[0]):handle:PI, 1, 1, 1, 0, 0):handle:EX
cce.coproc_dep_push(2, 1, 0):int32:I
// attr [0] coproc_scope = 2
set_vector_mask((uint64)18446744073709551615, (uint64)18446744073709551615):float16:EX
// attr [0] coproc_scope = 1
cce.coproc_dep_pop(2, 1, 0):int32:I
// attr [0] coproc_scope = 2
for (cc2, 0, 16) {
  vector_dup(tvm_address_of(T_divide_T_exp_T_exp_red_4_local_UB[(cc2*1024)]):handle:PI, T_exp_red_local_UB[cc2] if -2, 8, 1, 1, 8, 8):handle:EX
}
// attr [0] coproc_scope = 2
cce.coproc_sync(2):int32:I
vdiv(tvm_address_of(T_divide_T_exp_T_exp_red_local_UB[0]):handle:PI, tvm_address_of(T_exp_local_UB[0]):handle:PI, tvm_address_of(T_divide_T_exp_T_exp_red_4_local_UB[0]):handle:PI, 128, 1, 1, 1, 8, 8, 8):handle:EX
cce.coproc_dep_push(2, 6, 0):int32:I
// attr [0] coproc_scope = 6
cce.coproc_dep_pop(2, 6, 0):int32:I
copy_ubuf_to_gm(tvm_address_of(T_divide_T_exp_T_exp_red[(blockIdx.x*16384)]):handle:PI, tvm_address_of(T_divide_T_exp_T_exp_red_local_UB[0]):handle:PI, 0, 1, 1024, 0, 0):handle:EX
cce.coproc_sync(7):int32:I
