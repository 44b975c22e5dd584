#map = affine_map<()[s0] -> (-s0 + 110)>
#map1 = affine_map<()[s0, s1] -> (s0 * 7 + s1 * 7)>
#map2 = affine_map<()[s0, s1] -> (s0 * -7 - s1 * 7 + 768, 7)>
module attributes {dlti.target_system_spec = #dlti.target_system_spec<"NPU" : #hacc.target_device_spec<#dlti.dl_entry<"AI_CORE_COUNT", 24 : i32>, #dlti.dl_entry<"CUBE_CORE_COUNT", 24 : i32>, #dlti.dl_entry<"VECTOR_CORE_COUNT", 48 : i32>, #dlti.dl_entry<"UB_SIZE", 1572864 : i32>, #dlti.dl_entry<"L1_SIZE", 4194304 : i32>, #dlti.dl_entry<"L0A_SIZE", 524288 : i32>, #dlti.dl_entry<"L0B_SIZE", 524288 : i32>, #dlti.dl_entry<"L0C_SIZE", 1048576 : i32>, #dlti.dl_entry<"UB_ALIGN_SIZE", 256 : i32>, #dlti.dl_entry<"L1_ALIGN_SIZE", 256 : i32>, #dlti.dl_entry<"L0C_ALIGN_SIZE", 4096 : i32>>>, hacc.hivmc_compatible_print = false, hacc.hivmc_version = #hacc.hivmc_version<"0.2.0">, hivm.module_core_type = #hivm.module_core_type<AIV>} {
  func.func @row_sum_exp_get_tiling_struct_size_function() -> i64 attributes {hacc.function_kind = #hacc.function_kind<HOST>, hacc.host_func_type = #hacc.host_func_type<get_tiling_struct_size_function>} {
    %c0_i64 = arith.constant 0 : i64
    return %c0_i64 : i64
  }
  func.func @row_sum_exp(%arg0: memref<768x2048xf32, #hivm.address_space<gm>> {hacc.arg_type = #hacc.arg_type<input>, hacc.input_idx = #hacc.input_idx<0>}, %arg1: memref<768xf32, #hivm.address_space<gm>> {hacc.arg_type = #hacc.arg_type<input>, hacc.input_idx = #hacc.input_idx<1>}, %arg2: memref<768xf32, #hivm.address_space<gm>> {hacc.arg_type = #hacc.arg_type<output>, hacc.output_idx = #hacc.output_idx<0>}) attributes {enable_auto_mark_buffer_size, hacc.block_dim = 24 : i64, hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hacc.get_tiling_struct_size_function = #hacc.get_tiling_struct_size_function<@row_sum_exp_get_tiling_struct_size_function>, hfusion.fusion_kind = #hfusion.fusion_kind<LAST_AXIS_PBR>, hivm.func_core_type = #hivm.func_core_type<AIV>, hivm.storage_aligned} {
    %c131040_i64 = arith.constant 131040 : i64
    %c65536_i64 = arith.constant 65536 : i64
    %c65504_i64 = arith.constant 65504 : i64
    %c0_i64 = arith.constant 0 : i64
    %c0 = arith.constant 0 : index
    %c24 = arith.constant 24 : index
    hivm.hir.set_mask_norm
    %0 = hivm.hir.get_block_idx -> i64
    %1 = arith.index_cast %0 : i64 to index
    %2 = affine.apply #map()[%1]
    scf.for %arg3 = %c0 to %2 step %c24 {
      %3 = affine.apply #map1()[%1, %arg3]
      %4 = affine.min #map2()[%1, %arg3]
      %subview = memref.subview %arg0[%3, 0] [%4, 2048] [1, 1] : memref<768x2048xf32, #hivm.address_space<gm>> to memref<?x2048xf32, strided<[2048, 1], offset: ?>, #hivm.address_space<gm>>
      %5 = hivm.hir.pointer_cast(%c0_i64) : memref<65504xi8, #hivm.address_space<ub>>
      %view = memref.view %5[%c0][%4] : memref<65504xi8, #hivm.address_space<ub>> to memref<?x2048xf32, #hivm.address_space<ub>>
      %collapse_shape = memref.collapse_shape %subview [[0, 1]] : memref<?x2048xf32, strided<[2048, 1], offset: ?>, #hivm.address_space<gm>> into memref<?xf32, strided<[1], offset: ?>, #hivm.address_space<gm>>
      %collapse_shape_0 = memref.collapse_shape %view [[0, 1]] : memref<?x2048xf32, #hivm.address_space<ub>> into memref<?xf32, #hivm.address_space<ub>>
      hivm.hir.load ins(%collapse_shape : memref<?xf32, strided<[1], offset: ?>, #hivm.address_space<gm>>) outs(%collapse_shape_0 : memref<?xf32, #hivm.address_space<ub>>) init_out_buffer = false may_implicit_transpose_with_last_axis = false
      %subview_1 = memref.subview %arg2[%3] [%4] [1] : memref<768xf32, #hivm.address_space<gm>> to memref<?xf32, strided<[1], offset: ?>, #hivm.address_space<gm>>
      %6 = hivm.hir.pointer_cast(%c0_i64) : memref<65504xi8, #hivm.address_space<ub>>
      %view_2 = memref.view %6[%c0][%4] : memref<65504xi8, #hivm.address_space<ub>> to memref<?x2048xf32, #hivm.address_space<ub>>
      %collapse_shape_3 = memref.collapse_shape %view_2 [[0, 1]] : memref<?x2048xf32, #hivm.address_space<ub>> into memref<?xf32, #hivm.address_space<ub>>
      hivm.hir.vexp ins(%collapse_shape_0 : memref<?xf32, #hivm.address_space<ub>>) outs(%collapse_shape_3 : memref<?xf32, #hivm.address_space<ub>>)
      %7 = hivm.hir.pointer_cast(%c65504_i64) : memref<28xi8, #hivm.address_space<ub>>
      %view_4 = memref.view %7[%c0][%4] : memref<28xi8, #hivm.address_space<ub>> to memref<?x1xf32, #hivm.address_space<ub>>
      %8 = hivm.hir.pointer_cast(%c65536_i64) : memref<16376xf32, #hivm.address_space<ub>>
      hivm.hir.vreduce <sum> ins(%view_2 : memref<?x2048xf32, #hivm.address_space<ub>>) outs(%view_4 : memref<?x1xf32, #hivm.address_space<ub>>) temp_buffer(%8 : memref<16376xf32, #hivm.address_space<ub>>) reduce_dims = [1]
      %collapse_shape_5 = memref.collapse_shape %view_4 [[0, 1]] : memref<?x1xf32, #hivm.address_space<ub>> into memref<?xf32, #hivm.address_space<ub>>
      hivm.hir.store ins(%collapse_shape_5 : memref<?xf32, #hivm.address_space<ub>>) outs(%subview_1 : memref<?xf32, strided<[1], offset: ?>, #hivm.address_space<gm>>) atomic = <none>
      %9 = hivm.hir.pointer_cast(%c131040_i64) : memref<28xi8, #hivm.address_space<ub>>
      %view_6 = memref.view %9[%c0][%4] : memref<28xi8, #hivm.address_space<ub>> to memref<?xf32, #hivm.address_space<ub>>
      hivm.hir.load ins(%subview_1 : memref<?xf32, strided<[1], offset: ?>, #hivm.address_space<gm>>) outs(%view_6 : memref<?xf32, #hivm.address_space<ub>>) init_out_buffer = false may_implicit_transpose_with_last_axis = false
      hivm.hir.store ins(%view_6 : memref<?xf32, #hivm.address_space<ub>>) outs(%subview_1 : memref<?xf32, strided<[1], offset: ?>, #hivm.address_space<gm>>)
    } {__tiled_for___2, pipeline.veconly}
    return
  }
}
