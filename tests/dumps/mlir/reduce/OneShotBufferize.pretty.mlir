#map = affine_map<()[s0] -> (-s0 + 110)>
#map1 = affine_map<()[s0, s1] -> (s0 * 7 + s1 * 7)>
#map2 = affine_map<()[s0, s1] -> (s0 * -7 - s1 * 7 + 768, 7)>
module attributes {dlti.target_system_spec = #dlti.target_system_spec<"NPU" : #hacc.target_device_spec<#dlti.dl_entry<"AI_CORE_COUNT", 24 : i32>, #dlti.dl_entry<"CUBE_CORE_COUNT", 24 : i32>, #dlti.dl_entry<"VECTOR_CORE_COUNT", 48 : i32>, #dlti.dl_entry<"UB_SIZE", 1572864 : i32>, #dlti.dl_entry<"L1_SIZE", 4194304 : i32>, #dlti.dl_entry<"L0A_SIZE", 524288 : i32>, #dlti.dl_entry<"L0B_SIZE", 524288 : i32>, #dlti.dl_entry<"L0C_SIZE", 1048576 : i32>, #dlti.dl_entry<"UB_ALIGN_SIZE", 256 : i32>, #dlti.dl_entry<"L1_ALIGN_SIZE", 256 : i32>, #dlti.dl_entry<"L0C_ALIGN_SIZE", 4096 : i32>>>, hacc.hivmc_compatible_print = false, hacc.hivmc_version = #hacc.hivmc_version<"0.2.0">, hivm.module_core_type = #hivm.module_core_type<AIV>} {
  func.func @row_sum_exp_get_tiling_struct_size_function() -> i64 attributes {hacc.function_kind = #hacc.function_kind<HOST>, hacc.host_func_type = #hacc.host_func_type<get_tiling_struct_size_function>} {
    %c0_i64 = arith.constant 0 : i64
    return %c0_i64 : i64
  }
  func.func @row_sum_exp(%arg0: memref<768x2048xf32> {hacc.arg_type = #hacc.arg_type<input>, hacc.input_idx = #hacc.input_idx<0>}, %arg1: memref<768xf32> {hacc.arg_type = #hacc.arg_type<input>, hacc.input_idx = #hacc.input_idx<1>}, %arg2: memref<768xf32> {hacc.arg_type = #hacc.arg_type<output>, hacc.output_idx = #hacc.output_idx<0>}) -> memref<768xf32> attributes {enable_auto_mark_buffer_size, hacc.block_dim = 24 : i64, hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hacc.get_tiling_struct_size_function = #hacc.get_tiling_struct_size_function<@row_sum_exp_get_tiling_struct_size_function>, hfusion.fusion_kind = #hfusion.fusion_kind<LAST_AXIS_PBR>, hivm.func_core_type = #hivm.func_core_type<AIV>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c24 = arith.constant 24 : index
    hivm.hir.set_mask_norm
    %0 = scf.for %arg3 = %c0 to %c24 step %c1 iter_args(%arg4 = %arg2) -> (memref<768xf32>) {
      %1 = affine.apply #map()[%arg3]
      %2 = scf.for %arg5 = %c0 to %1 step %c24 iter_args(%arg6 = %arg4) -> (memref<768xf32>) {
        %3 = affine.apply #map1()[%arg3, %arg5]
        %4 = affine.min #map2()[%arg3, %arg5]
        %subview = memref.subview %arg0[%3, 0] [%4, 2048] [1, 1] : memref<768x2048xf32> to memref<?x2048xf32, strided<[2048, 1], offset: ?>>
        %alloc = memref.alloc(%4) {alignment = 64 : i64} : memref<?x2048xf32>
        hivm.hir.load ins(%subview : memref<?x2048xf32, strided<[2048, 1], offset: ?>>) outs(%alloc : memref<?x2048xf32>) init_out_buffer = false may_implicit_transpose_with_last_axis = false
        %subview_0 = memref.subview %arg6[%3] [%4] [1] : memref<768xf32> to memref<?xf32, strided<[1], offset: ?>>
        annotation.mark %alloc {buffer_size_in_byte = 65504 : i64} : memref<?x2048xf32>
        %alloc_1 = memref.alloc(%4) {alignment = 64 : i64} : memref<?x2048xf32>
        hivm.hir.vexp ins(%alloc : memref<?x2048xf32>) outs(%alloc_1 : memref<?x2048xf32>)
        annotation.mark %alloc_1 {buffer_size_in_byte = 65504 : i64} : memref<?x2048xf32>
        %alloc_2 = memref.alloc(%4) {alignment = 64 : i64} : memref<?x1xf32>
        hivm.hir.vreduce <sum> ins(%alloc_1 : memref<?x2048xf32>) outs(%alloc_2 : memref<?x1xf32>) reduce_dims = [1]
        %collapse_shape = memref.collapse_shape %alloc_2 [[0, 1]] : memref<?x1xf32> into memref<?xf32>
        annotation.mark %collapse_shape {buffer_size_in_byte = 65504 : i64} : memref<?xf32>
        hivm.hir.store ins(%collapse_shape : memref<?xf32>) outs(%subview_0 : memref<?xf32, strided<[1], offset: ?>>) atomic = <none>
        %alloc_3 = memref.alloc(%4) {alignment = 64 : i64} : memref<?xf32>
        hivm.hir.load ins(%subview_0 : memref<?xf32, strided<[1], offset: ?>>) outs(%alloc_3 : memref<?xf32>) init_out_buffer = false may_implicit_transpose_with_last_axis = false
        %subview_4 = memref.subview %arg6[%3] [%4] [1] : memref<768xf32> to memref<?xf32, strided<[1], offset: ?>>
        memref.copy %alloc_3, %subview_4 : memref<?xf32> to memref<?xf32, strided<[1], offset: ?>>
        scf.yield %arg6 : memref<768xf32>
      } {__tiled_for___2, pipeline.veconly}
      scf.yield %2 : memref<768xf32>
    } {__tiled_for___1, map_for_to_forall, mapping = [#hivm.block]}
    return %0 : memref<768xf32>
  }
}
