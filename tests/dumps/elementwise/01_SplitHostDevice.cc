---------elementwise_chain
assert((num_args == 3), "elementwise_chain: num_args should be 3")
let arg0 = tvm_struct_get(args, 0, 12):handle:PI
let arg0.code = arg_type_ids[0]
let arg1 = tvm_struct_get(args, 1, 12):handle:PI
let arg1.code = arg_type_ids[1]
let arg2 = tvm_struct_get(args, 2, 12):handle:PI
let arg2.code = arg_type_ids[2]
let input_0 = tvm_struct_get(arg0, 0, 1):handle:PI
// attr [input_0] storage_alignment = 64
let arg0.shape = tvm_struct_get(arg0, 0, 2):handle:PI
let arg0.strides = tvm_struct_get(arg0, 0, 3):handle:PI
let dev_type = tvm_struct_get(arg0, 0, 10):int32:PI
let dev_id = tvm_struct_get(arg0, 0, 9):int32:PI
let input_1 = tvm_struct_get(arg1, 0, 1):handle:PI
// attr [input_1] storage_alignment = 64
let arg1.shape = tvm_struct_get(arg1, 0, 2):handle:PI
let arg1.strides = tvm_struct_get(arg1, 0, 3):handle:PI
let T_maximum_T_multiply_T_add_input_0_input_1_input_1 = tvm_struct_get(arg2, 0, 1):handle:PI
// attr [T_maximum_T_multiply_T_add_input_0_input_1_input_1] storage_alignment = 64
let arg2.shape = tvm_struct_get(arg2, 0, 2):handle:PI
let arg2.strides = tvm_struct_get(arg2, 0, 3):handle:PI
assert(((((arg0.code == 3) || (arg0.code == 13)) || (arg0.code == 7)) || (arg0.code == 4)), "elementwise_chain: Expect arg[0] to be pointer")
assert(((((arg1.code == 3) || (arg1.code == 13)) || (arg1.code == 7)) || (arg1.code == 4)), "elementwise_chain: Expect arg[1] to be pointer")
assert(((((arg2.code == 3) || (arg2.code == 13)) || (arg2.code == 7)) || (arg2.code == 4)), "elementwise_chain: Expect arg[2] to be pointer")
// attr ["default"] device_context_id = dev_id
// attr ["default"] device_context_type = dev_type
if ((dev_type != 1)) {
  tvm_call_packed("__tvm_set_device", dev_type, dev_id):int32:I
}
// attr [0] compute_scope = "elementwise_chain_compute_"
tvm_call_packed("elementwise_chain_kernel0", input_0, input_1, T_maximum_T_multiply_T_add_input_0_input_1_input_1, 32):int32:I

---------
---------elementwise_chain_kernel0
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

---------
