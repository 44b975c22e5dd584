#map = affine_map<()[s0] -> (-s0 + 110)>
#map1 = affine_map<()[s0, s1] -> (s0 * 7 + s1 * 7)>
#map2 = affine_map<()[s0, s1] -> (s0 * -7 - s1 * 7 + 768, 7)>
"builtin.module"() ({
  "func.func"() <{function_type = () -> i64, sym_name = "row_sum_exp_get_tiling_struct_size_function"}> ({
    %26 = "arith.constant"() <{value = 0 : i64}> : () -> i64
    "func.return"(%26) : (i64) -> ()
  }) {hacc.function_kind = #hacc.function_kind<HOST>, hacc.host_func_type = #hacc.host_func_type<get_tiling_struct_size_function>} : () -> ()
  "func.func"() <{arg_attrs = [{hacc.arg_type = #hacc.arg_type<input>, hacc.input_idx = #hacc.input_idx<0>}, {hacc.arg_type = #hacc.arg_type<input>, hacc.input_idx = #hacc.input_idx<1>}, {hacc.arg_type = #hacc.arg_type<output>, hacc.output_idx = #hacc.output_idx<0>}], function_type = (memref<768x2048xf32, #hivm.address_space<gm>>, memref<768xf32, #hivm.address_space<gm>>, memref<768xf32, #hivm.address_space<gm>>) -> (), sym_name = "row_sum_exp"}> ({
  ^bb0(%arg0: memref<768x2048xf32, #hivm.address_space<gm>>, %arg1: memref<768xf32, #hivm.address_space<gm>>, %arg2: memref<768xf32, #hivm.address_space<gm>>):
    %0 = "arith.constant"() <{value = 131040 : i64}> : () -> i64
    %1 = "arith.constant"() <{value = 65536 : i64}> : () -> i64
    %2 = "arith.constant"() <{value = 65504 : i64}> : () -> i64
    %3 = "arith.constant"() <{value = 0 : i64}> : () -> i64
    %4 = "arith.constant"() <{value = 0 : index}> : () -> index
    %5 = "arith.constant"() <{value = 24 : index}> : () -> index
    "hivm.hir.set_mask_norm"() : () -> ()
    %6 = "hivm.hir.get_block_idx"() : () -> i64
    %7 = "arith.index_cast"(%6) : (i64) -> index
    %8 = "affine.apply"(%7) <{map = #map}> : (index) -> index
    "scf.for"(%4, %8, %5) ({
    ^bb0(%arg3: index):
      %9 = "affine.apply"(%7, %arg3) <{map = #map1}> : (index, index) -> index
      %10 = "affine.min"(%7, %arg3) <{map = #map2}> : (index, index) -> index
      %11 = "memref.subview"(%arg0, %9, %10) <{operandSegmentSizes = array<i32: 1, 1, 1, 0>, static_offsets = array<i64: -9223372036854775808, 0>, static_sizes = array<i64: -9223372036854775808, 2048>, static_strides = array<i64: 1, 1>}> : (memref<768x2048xf32, #hivm.address_space<gm>>, index, index) -> memref<?x2048xf32, strided<[2048, 1], offset: ?>, #hivm.address_space<gm>>
      %12 = "hivm.hir.pointer_cast"(%3) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<65504xi8, #hivm.address_space<ub>>
      %13 = "memref.view"(%12, %4, %10) : (memref<65504xi8, #hivm.address_space<ub>>, index, index) -> memref<?x2048xf32, #hivm.address_space<ub>>
      %14 = "memref.collapse_shape"(%11) <{reassociation = [[0, 1]]}> : (memref<?x2048xf32, strided<[2048, 1], offset: ?>, #hivm.address_space<gm>>) -> memref<?xf32, strided<[1], offset: ?>, #hivm.address_space<gm>>
      %15 = "memref.collapse_shape"(%13) <{reassociation = [[0, 1]]}> : (memref<?x2048xf32, #hivm.address_space<ub>>) -> memref<?xf32, #hivm.address_space<ub>>
      "hivm.hir.load"(%14, %15) <{init_out_buffer = false, may_implicit_transpose_with_last_axis = false, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0>}> : (memref<?xf32, strided<[1], offset: ?>, #hivm.address_space<gm>>, memref<?xf32, #hivm.address_space<ub>>) -> ()
      %16 = "memref.subview"(%arg2, %9, %10) <{operandSegmentSizes = array<i32: 1, 1, 1, 0>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: -9223372036854775808>, static_strides = array<i64: 1>}> : (memref<768xf32, #hivm.address_space<gm>>, index, index) -> memref<?xf32, strided<[1], offset: ?>, #hivm.address_space<gm>>
      %17 = "hivm.hir.pointer_cast"(%3) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<65504xi8, #hivm.address_space<ub>>
      %18 = "memref.view"(%17, %4, %10) : (memref<65504xi8, #hivm.address_space<ub>>, index, index) -> memref<?x2048xf32, #hivm.address_space<ub>>
      %19 = "memref.collapse_shape"(%18) <{reassociation = [[0, 1]]}> : (memref<?x2048xf32, #hivm.address_space<ub>>) -> memref<?xf32, #hivm.address_space<ub>>
      "hivm.hir.vexp"(%15, %19) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 1, 1, 0>, transpose = array<i64>}> : (memref<?xf32, #hivm.address_space<ub>>, memref<?xf32, #hivm.address_space<ub>>) -> ()
      %20 = "hivm.hir.pointer_cast"(%2) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<28xi8, #hivm.address_space<ub>>
      %21 = "memref.view"(%20, %4, %10) : (memref<28xi8, #hivm.address_space<ub>>, index, index) -> memref<?x1xf32, #hivm.address_space<ub>>
      %22 = "hivm.hir.pointer_cast"(%1) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<16376xf32, #hivm.address_space<ub>>
      "hivm.hir.vreduce"(%18, %21, %22) <{arith = #hivm.reduce_op<sum>, operandSegmentSizes = array<i32: 1, 1, 1, 0>, reduce_dims = array<i64: 1>}> : (memref<?x2048xf32, #hivm.address_space<ub>>, memref<?x1xf32, #hivm.address_space<ub>>, memref<16376xf32, #hivm.address_space<ub>>) -> ()
      %23 = "memref.collapse_shape"(%21) <{reassociation = [[0, 1]]}> : (memref<?x1xf32, #hivm.address_space<ub>>) -> memref<?xf32, #hivm.address_space<ub>>
      "hivm.hir.store"(%23, %16) <{atomic_kind = #hivm.atomic_kind<none>, may_implicit_transpose_with_last_axis = false}> : (memref<?xf32, #hivm.address_space<ub>>, memref<?xf32, strided<[1], offset: ?>, #hivm.address_space<gm>>) -> ()
      %24 = "hivm.hir.pointer_cast"(%0) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<28xi8, #hivm.address_space<ub>>
      %25 = "memref.view"(%24, %4, %10) : (memref<28xi8, #hivm.address_space<ub>>, index, index) -> memref<?xf32, #hivm.address_space<ub>>
      "hivm.hir.load"(%16, %25) <{init_out_buffer = false, may_implicit_transpose_with_last_axis = false, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0>}> : (memref<?xf32, strided<[1], offset: ?>, #hivm.address_space<gm>>, memref<?xf32, #hivm.address_space<ub>>) -> ()
      "hivm.hir.store"(%25, %16) <{may_implicit_transpose_with_last_axis = false}> : (memref<?xf32, #hivm.address_space<ub>>, memref<?xf32, strided<[1], offset: ?>, #hivm.address_space<gm>>) -> ()
      "scf.yield"() : () -> ()
    }) {__tiled_for___2, pipeline.veconly} : (index, index, index) -> ()
    "func.return"() : () -> ()
  }) {enable_auto_mark_buffer_size, hacc.block_dim = 24 : i64, hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hacc.get_tiling_struct_size_function = #hacc.get_tiling_struct_size_function<@row_sum_exp_get_tiling_struct_size_function>, hfusion.fusion_kind = #hfusion.fusion_kind<LAST_AXIS_PBR>, hivm.func_core_type = #hivm.func_core_type<AIV>, hivm.storage_aligned} : () -> ()
}) {dlti.target_system_spec = #dlti.target_system_spec<"NPU" : #hacc.target_device_spec<#dlti.dl_entry<"AI_CORE_COUNT", 24 : i32>, #dlti.dl_entry<"CUBE_CORE_COUNT", 24 : i32>, #dlti.dl_entry<"VECTOR_CORE_COUNT", 48 : i32>, #dlti.dl_entry<"UB_SIZE", 1572864 : i32>, #dlti.dl_entry<"L1_SIZE", 4194304 : i32>, #dlti.dl_entry<"L0A_SIZE", 524288 : i32>, #dlti.dl_entry<"L0B_SIZE", 524288 : i32>, #dlti.dl_entry<"L0C_SIZE", 1048576 : i32>, #dlti.dl_entry<"UB_ALIGN_SIZE", 256 : i32>, #dlti.dl_entry<"L1_ALIGN_SIZE", 256 : i32>, #dlti.dl_entry<"L0C_ALIGN_SIZE", 4096 : i32>>>, hacc.hivmc_compatible_print = false, hacc.hivmc_version = #hacc.hivmc_version<"0.2.0">, hivm.module_core_type = #hivm.module_core_type<AIV>} : () -> ()
