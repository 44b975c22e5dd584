#map = affine_map<()[s0] -> (-s0 + 110)>
#map1 = affine_map<()[s0, s1] -> (s0 * 7 + s1 * 7)>
#map2 = affine_map<()[s0, s1] -> (s0 * -7 - s1 * 7 + 768, 7)>
"builtin.module"() ({
  "func.func"() <{function_type = () -> i64, sym_name = "row_sum_exp_get_tiling_struct_size_function"}> ({
    %16 = "arith.constant"() <{value = 0 : i64}> : () -> i64
    "func.return"(%16) : (i64) -> ()
  }) {hacc.function_kind = #hacc.function_kind<HOST>, hacc.host_func_type = #hacc.host_func_type<get_tiling_struct_size_function>} : () -> ()
  "func.func"() <{arg_attrs = [{hacc.arg_type = #hacc.arg_type<input>, hacc.input_idx = #hacc.input_idx<0>}, {hacc.arg_type = #hacc.arg_type<input>, hacc.input_idx = #hacc.input_idx<1>}, {hacc.arg_type = #hacc.arg_type<output>, hacc.output_idx = #hacc.output_idx<0>}], function_type = (memref<768x2048xf32>, memref<768xf32>, memref<768xf32>) -> memref<768xf32>, sym_name = "row_sum_exp"}> ({
  ^bb0(%arg0: memref<768x2048xf32>, %arg1: memref<768xf32>, %arg2: memref<768xf32>):
    %0 = "arith.constant"() <{value = 0 : index}> : () -> index
    %1 = "arith.constant"() <{value = 1 : index}> : () -> index
    %2 = "arith.constant"() <{value = 24 : index}> : () -> index
    "hivm.hir.set_mask_norm"() : () -> ()
    %3 = "scf.for"(%0, %2, %1, %arg2) ({
    ^bb0(%arg3: index, %arg4: memref<768xf32>):
      %4 = "affine.apply"(%arg3) <{map = #map}> : (index) -> index
      %5 = "scf.for"(%0, %4, %2, %arg4) ({
      ^bb0(%arg5: index, %arg6: memref<768xf32>):
        %6 = "affine.apply"(%arg3, %arg5) <{map = #map1}> : (index, index) -> index
        %7 = "affine.min"(%arg3, %arg5) <{map = #map2}> : (index, index) -> index
        %8 = "memref.subview"(%arg0, %6, %7) <{operandSegmentSizes = array<i32: 1, 1, 1, 0>, static_offsets = array<i64: -9223372036854775808, 0>, static_sizes = array<i64: -9223372036854775808, 2048>, static_strides = array<i64: 1, 1>}> : (memref<768x2048xf32>, index, index) -> memref<?x2048xf32, strided<[2048, 1], offset: ?>>
        %9 = "memref.alloc"(%7) <{alignment = 64 : i64, operandSegmentSizes = array<i32: 1, 0>}> : (index) -> memref<?x2048xf32>
        "hivm.hir.load"(%8, %9) <{init_out_buffer = false, may_implicit_transpose_with_last_axis = false, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0>}> : (memref<?x2048xf32, strided<[2048, 1], offset: ?>>, memref<?x2048xf32>) -> ()
        %10 = "memref.subview"(%arg6, %6, %7) <{operandSegmentSizes = array<i32: 1, 1, 1, 0>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: -9223372036854775808>, static_strides = array<i64: 1>}> : (memref<768xf32>, index, index) -> memref<?xf32, strided<[1], offset: ?>>
        "annotation.mark"(%9) {buffer_size_in_byte = 65504 : i64} : (memref<?x2048xf32>) -> ()
        %11 = "memref.alloc"(%7) <{alignment = 64 : i64, operandSegmentSizes = array<i32: 1, 0>}> : (index) -> memref<?x2048xf32>
        "hivm.hir.vexp"(%9, %11) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 1, 1, 0>, transpose = array<i64>}> : (memref<?x2048xf32>, memref<?x2048xf32>) -> ()
        "annotation.mark"(%11) {buffer_size_in_byte = 65504 : i64} : (memref<?x2048xf32>) -> ()
        %12 = "memref.alloc"(%7) <{alignment = 64 : i64, operandSegmentSizes = array<i32: 1, 0>}> : (index) -> memref<?x1xf32>
        "hivm.hir.vreduce"(%11, %12) <{arith = #hivm.reduce_op<sum>, operandSegmentSizes = array<i32: 1, 1, 0, 0>, reduce_dims = array<i64: 1>}> : (memref<?x2048xf32>, memref<?x1xf32>) -> ()
        %13 = "memref.collapse_shape"(%12) <{reassociation = [[0, 1]]}> : (memref<?x1xf32>) -> memref<?xf32>
        "annotation.mark"(%13) {buffer_size_in_byte = 65504 : i64} : (memref<?xf32>) -> ()
        "hivm.hir.store"(%13, %10) <{atomic_kind = #hivm.atomic_kind<none>, may_implicit_transpose_with_last_axis = false}> : (memref<?xf32>, memref<?xf32, strided<[1], offset: ?>>) -> ()
        %14 = "memref.alloc"(%7) <{alignment = 64 : i64, operandSegmentSizes = array<i32: 1, 0>}> : (index) -> memref<?xf32>
        "hivm.hir.load"(%10, %14) <{init_out_buffer = false, may_implicit_transpose_with_last_axis = false, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0>}> : (memref<?xf32, strided<[1], offset: ?>>, memref<?xf32>) -> ()
        %15 = "memref.subview"(%arg6, %6, %7) <{operandSegmentSizes = array<i32: 1, 1, 1, 0>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: -9223372036854775808>, static_strides = array<i64: 1>}> : (memref<768xf32>, index, index) -> memref<?xf32, strided<[1], offset: ?>>
        "memref.copy"(%14, %15) : (memref<?xf32>, memref<?xf32, strided<[1], offset: ?>>) -> ()
        "scf.yield"(%arg6) : (memref<768xf32>) -> ()
      }) {__tiled_for___2, pipeline.veconly} : (index, index, index, memref<768xf32>) -> memref<768xf32>
      "scf.yield"(%5) : (memref<768xf32>) -> ()
    }) {__tiled_for___1, map_for_to_forall, mapping = [#hivm.block]} : (index, index, index, memref<768xf32>) -> memref<768xf32>
    "func.return"(%3) : (memref<768xf32>) -> ()
  }) {enable_auto_mark_buffer_size, hacc.block_dim = 24 : i64, hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hacc.get_tiling_struct_size_function = #hacc.get_tiling_struct_size_function<@row_sum_exp_get_tiling_struct_size_function>, hfusion.fusion_kind = #hfusion.fusion_kind<LAST_AXIS_PBR>, hivm.func_core_type = #hivm.func_core_type<AIV>} : () -> ()
}) {dlti.target_system_spec = #dlti.target_system_spec<"NPU" : #hacc.target_device_spec<#dlti.dl_entry<"AI_CORE_COUNT", 24 : i32>, #dlti.dl_entry<"CUBE_CORE_COUNT", 24 : i32>, #dlti.dl_entry<"VECTOR_CORE_COUNT", 48 : i32>, #dlti.dl_entry<"UB_SIZE", 1572864 : i32>, #dlti.dl_entry<"L1_SIZE", 4194304 : i32>, #dlti.dl_entry<"L0A_SIZE", 524288 : i32>, #dlti.dl_entry<"L0B_SIZE", 524288 : i32>, #dlti.dl_entry<"L0C_SIZE", 1048576 : i32>, #dlti.dl_entry<"UB_ALIGN_SIZE", 256 : i32>, #dlti.dl_entry<"L1_ALIGN_SIZE", 256 : i32>, #dlti.dl_entry<"L0C_ALIGN_SIZE", 4096 : i32>>>, hacc.hivmc_compatible_print = false, hacc.hivmc_version = #hacc.hivmc_version<"0.2.0">, hivm.module_core_type = #hivm.module_core_type<AIV>} : () -> ()
