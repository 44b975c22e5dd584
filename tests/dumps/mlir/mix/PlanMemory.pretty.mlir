#map = affine_map<()[s0] -> (-s0 + 74)>
#map1 = affine_map<()[s0, s1] -> (s0 * 14 + s1 * 14)>
#map2 = affine_map<()[s0, s1] -> (s0 * -14 - s1 * 14 + 1024, 14)>
module attributes {dlti.target_system_spec = #dlti.target_system_spec<"NPU" : #hacc.target_device_spec<#dlti.dl_entry<"AI_CORE_COUNT", 24 : i32>, #dlti.dl_entry<"CUBE_CORE_COUNT", 24 : i32>, #dlti.dl_entry<"VECTOR_CORE_COUNT", 48 : i32>, #dlti.dl_entry<"UB_SIZE", 1572864 : i32>, #dlti.dl_entry<"L1_SIZE", 4194304 : i32>, #dlti.dl_entry<"L0A_SIZE", 524288 : i32>, #dlti.dl_entry<"L0B_SIZE", 524288 : i32>, #dlti.dl_entry<"L0C_SIZE", 1048576 : i32>, #dlti.dl_entry<"UB_ALIGN_SIZE", 256 : i32>, #dlti.dl_entry<"L1_ALIGN_SIZE", 256 : i32>, #dlti.dl_entry<"L0C_ALIGN_SIZE", 4096 : i32>>>, hacc.hivmc_compatible_print = false, hacc.hivmc_version = #hacc.hivmc_version<"0.2.0">, hivm.module_core_type = #hivm.module_core_type<MIX>} {
  func.func @matmul_add_mul_0_get_tiling_struct_size_function() -> i64 attributes {hacc.function_kind = #hacc.function_kind<HOST>, hacc.host_func_type = #hacc.host_func_type<get_tiling_struct_size_function>} {
    %c0_i64 = arith.constant 0 : i64
    return %c0_i64 : i64
  }
  func.func @matmul_add_mul_0_0(%arg0: memref<1024x768xf32, #hivm.address_space<gm>> {hacc.arg_type = #hacc.arg_type<input>, hacc.input_idx = #hacc.input_idx<0>}, %arg1: memref<1024x768xf16, #hivm.address_space<gm>> {hacc.arg_type = #hacc.arg_type<input>, hacc.input_idx = #hacc.input_idx<1>}, %arg2: memref<1024x768xf16, #hivm.address_space<gm>> {hacc.arg_type = #hacc.arg_type<input>, hacc.input_idx = #hacc.input_idx<2>}, %arg3: memref<1024x768xf16, #hivm.address_space<gm>> {hacc.arg_type = #hacc.arg_type<output>, hacc.output_idx = #hacc.output_idx<0>}) attributes {enable_auto_mark_buffer_size, hacc.always_inline, hacc.block_dim = 12 : i64, hacc.function_kind = #hacc.function_kind<DEVICE>, hacc.get_tiling_struct_size_function = #hacc.get_tiling_struct_size_function<@matmul_add_mul_0_get_tiling_struct_size_function>, hfusion.fusion_kind = #hfusion.fusion_kind<LAST_AXIS_PBR>, hivm.func_core_type = #hivm.func_core_type<AIV>, hivm.storage_aligned} {
    %c21824_i64 = arith.constant 21824 : i64
    %c174592_i64 = arith.constant 174592 : i64
    %c152768_i64 = arith.constant 152768 : i64
    %c130944_i64 = arith.constant 130944 : i64
    %c109120_i64 = arith.constant 109120 : i64
    %c87296_i64 = arith.constant 87296 : i64
    %c43648_i64 = arith.constant 43648 : i64
    %c0_i64 = arith.constant 0 : i64
    %c12 = arith.constant 12 : index
    %c0 = arith.constant 0 : index
    %0 = hivm.hir.get_block_idx -> i64
    %1 = arith.index_cast %0 : i64 to index
    %2 = affine.apply #map()[%1]
    hivm.hir.set_flag[<PIPE_MTE3>, <PIPE_MTE2>, <EVENT_ID1>]
    scf.for %arg4 = %c0 to %2 step %c12 {
      %3 = hivm.hir.pointer_cast(%c0_i64, %c21824_i64) : memref<21824xi8, #hivm.address_space<ub>>
      annotation.mark %3 {hivm.multi_buffer = 2 : i32} : memref<21824xi8, #hivm.address_space<ub>>
      %4 = hivm.hir.pointer_cast(%c174592_i64, %c0_i64) : memref<21824xi8, #hivm.address_space<ub>>
      annotation.mark %4 {hivm.multi_buffer = 2 : i32} : memref<21824xi8, #hivm.address_space<ub>>
      %5 = hivm.hir.pointer_cast(%c130944_i64, %c152768_i64) : memref<21824xi8, #hivm.address_space<ub>>
      annotation.mark %5 {hivm.multi_buffer = 2 : i32} : memref<21824xi8, #hivm.address_space<ub>>
      %6 = hivm.hir.pointer_cast(%c87296_i64, %c109120_i64) : memref<21824xi8, #hivm.address_space<ub>>
      annotation.mark %6 {hivm.multi_buffer = 2 : i32} : memref<21824xi8, #hivm.address_space<ub>>
      %7 = hivm.hir.pointer_cast(%c0_i64, %c43648_i64) : memref<43648xi8, #hivm.address_space<ub>>
      annotation.mark %7 {hivm.multi_buffer = 2 : i32} : memref<43648xi8, #hivm.address_space<ub>>
      %8 = affine.apply #map1()[%1, %arg4]
      %9 = affine.min #map2()[%1, %arg4]
      %subview = memref.subview %arg0[%8, 0] [%9, 768] [1, 1] : memref<1024x768xf32, #hivm.address_space<gm>> to memref<?x768xf32, strided<[768, 1], offset: ?>, #hivm.address_space<gm>>
      %view = memref.view %7[%c0][%9] : memref<43648xi8, #hivm.address_space<ub>> to memref<?x768xf32, #hivm.address_space<ub>>
      %collapse_shape = memref.collapse_shape %subview [[0, 1]] : memref<?x768xf32, strided<[768, 1], offset: ?>, #hivm.address_space<gm>> into memref<?xf32, strided<[1], offset: ?>, #hivm.address_space<gm>>
      %collapse_shape_0 = memref.collapse_shape %view [[0, 1]] : memref<?x768xf32, #hivm.address_space<ub>> into memref<?xf32, #hivm.address_space<ub>>
      hivm.hir.wait_flag[<PIPE_MTE3>, <PIPE_MTE2>, <EVENT_ID1>]
      hivm.hir.load ins(%collapse_shape : memref<?xf32, strided<[1], offset: ?>, #hivm.address_space<gm>>) outs(%collapse_shape_0 : memref<?xf32, #hivm.address_space<ub>>) init_out_buffer = false may_implicit_transpose_with_last_axis = false
      hivm.hir.set_flag[<PIPE_MTE2>, <PIPE_V>, <EVENT_ID2>]
      %subview_1 = memref.subview %arg1[%8, 0] [%9, 768] [1, 1] : memref<1024x768xf16, #hivm.address_space<gm>> to memref<?x768xf16, strided<[768, 1], offset: ?>, #hivm.address_space<gm>>
      %view_2 = memref.view %6[%c0][%9] : memref<21824xi8, #hivm.address_space<ub>> to memref<?x768xf16, #hivm.address_space<ub>>
      %collapse_shape_3 = memref.collapse_shape %subview_1 [[0, 1]] : memref<?x768xf16, strided<[768, 1], offset: ?>, #hivm.address_space<gm>> into memref<?xf16, strided<[1], offset: ?>, #hivm.address_space<gm>>
      %collapse_shape_4 = memref.collapse_shape %view_2 [[0, 1]] : memref<?x768xf16, #hivm.address_space<ub>> into memref<?xf16, #hivm.address_space<ub>>
      hivm.hir.load ins(%collapse_shape_3 : memref<?xf16, strided<[1], offset: ?>, #hivm.address_space<gm>>) outs(%collapse_shape_4 : memref<?xf16, #hivm.address_space<ub>>) init_out_buffer = false may_implicit_transpose_with_last_axis = false
      hivm.hir.set_flag[<PIPE_MTE2>, <PIPE_V>, <EVENT_ID1>]
      %subview_5 = memref.subview %arg2[%8, 0] [%9, 768] [1, 1] : memref<1024x768xf16, #hivm.address_space<gm>> to memref<?x768xf16, strided<[768, 1], offset: ?>, #hivm.address_space<gm>>
      %view_6 = memref.view %5[%c0][%9] : memref<21824xi8, #hivm.address_space<ub>> to memref<?x768xf16, #hivm.address_space<ub>>
      %collapse_shape_7 = memref.collapse_shape %subview_5 [[0, 1]] : memref<?x768xf16, strided<[768, 1], offset: ?>, #hivm.address_space<gm>> into memref<?xf16, strided<[1], offset: ?>, #hivm.address_space<gm>>
      %collapse_shape_8 = memref.collapse_shape %view_6 [[0, 1]] : memref<?x768xf16, #hivm.address_space<ub>> into memref<?xf16, #hivm.address_space<ub>>
      hivm.hir.load ins(%collapse_shape_7 : memref<?xf16, strided<[1], offset: ?>, #hivm.address_space<gm>>) outs(%collapse_shape_8 : memref<?xf16, #hivm.address_space<ub>>) init_out_buffer = false may_implicit_transpose_with_last_axis = false
      hivm.hir.set_flag[<PIPE_MTE2>, <PIPE_V>, <EVENT_ID0>]
      %subview_9 = memref.subview %arg3[%8, 0] [%9, 768] [1, 1] : memref<1024x768xf16, #hivm.address_space<gm>> to memref<?x768xf16, strided<[768, 1], offset: ?>, #hivm.address_space<gm>>
      %10 = hivm.hir.pointer_cast(%c0_i64, %c43648_i64) : memref<21824xi8, #hivm.address_space<ub>>
      %view_10 = memref.view %10[%c0][%9] : memref<21824xi8, #hivm.address_space<ub>> to memref<?x768xf16, #hivm.address_space<ub>>
      %collapse_shape_11 = memref.collapse_shape %view_10 [[0, 1]] : memref<?x768xf16, #hivm.address_space<ub>> into memref<?xf16, #hivm.address_space<ub>>
      hivm.hir.wait_flag[<PIPE_MTE2>, <PIPE_V>, <EVENT_ID2>]
      hivm.hir.vcast ins(%collapse_shape_0 : memref<?xf32, #hivm.address_space<ub>>) outs(%collapse_shape_11 : memref<?xf16, #hivm.address_space<ub>>)
      %view_12 = memref.view %6[%c0][%9] : memref<21824xi8, #hivm.address_space<ub>> to memref<?x768xf16, #hivm.address_space<ub>>
      %collapse_shape_13 = memref.collapse_shape %view_12 [[0, 1]] : memref<?x768xf16, #hivm.address_space<ub>> into memref<?xf16, #hivm.address_space<ub>>
      hivm.hir.wait_flag[<PIPE_MTE2>, <PIPE_V>, <EVENT_ID1>]
      hivm.hir.pipe_barrier[<PIPE_V>]
      hivm.hir.vadd ins(%collapse_shape_11, %collapse_shape_4 : memref<?xf16, #hivm.address_space<ub>>, memref<?xf16, #hivm.address_space<ub>>) outs(%collapse_shape_13 : memref<?xf16, #hivm.address_space<ub>>)
      %view_14 = memref.view %4[%c0][%9] : memref<21824xi8, #hivm.address_space<ub>> to memref<?x768xf16, #hivm.address_space<ub>>
      %collapse_shape_15 = memref.collapse_shape %view_14 [[0, 1]] : memref<?x768xf16, #hivm.address_space<ub>> into memref<?xf16, #hivm.address_space<ub>>
      hivm.hir.wait_flag[<PIPE_MTE2>, <PIPE_V>, <EVENT_ID0>]
      hivm.hir.pipe_barrier[<PIPE_V>]
      hivm.hir.vmul ins(%collapse_shape_13, %collapse_shape_8 : memref<?xf16, #hivm.address_space<ub>>, memref<?xf16, #hivm.address_space<ub>>) outs(%collapse_shape_15 : memref<?xf16, #hivm.address_space<ub>>)
      hivm.hir.set_flag[<PIPE_V>, <PIPE_MTE3>, <EVENT_ID0>]
      %collapse_shape_16 = memref.collapse_shape %subview_9 [[0, 1]] : memref<?x768xf16, strided<[768, 1], offset: ?>, #hivm.address_space<gm>> into memref<?xf16, strided<[1], offset: ?>, #hivm.address_space<gm>>
      hivm.hir.wait_flag[<PIPE_V>, <PIPE_MTE3>, <EVENT_ID0>]
      hivm.hir.store ins(%collapse_shape_15 : memref<?xf16, #hivm.address_space<ub>>) outs(%collapse_shape_16 : memref<?xf16, strided<[1], offset: ?>, #hivm.address_space<gm>>) atomic = <none>
      hivm.hir.set_flag[<PIPE_MTE3>, <PIPE_MTE2>, <EVENT_ID0>]
      %view_17 = memref.view %3[%c0][%9] : memref<21824xi8, #hivm.address_space<ub>> to memref<?x768xf16, #hivm.address_space<ub>>
      %collapse_shape_18 = memref.collapse_shape %view_17 [[0, 1]] : memref<?x768xf16, #hivm.address_space<ub>> into memref<?xf16, #hivm.address_space<ub>>
      hivm.hir.wait_flag[<PIPE_MTE3>, <PIPE_MTE2>, <EVENT_ID0>]
      hivm.hir.load ins(%collapse_shape_16 : memref<?xf16, strided<[1], offset: ?>, #hivm.address_space<gm>>) outs(%collapse_shape_18 : memref<?xf16, #hivm.address_space<ub>>) init_out_buffer = false may_implicit_transpose_with_last_axis = false
      hivm.hir.set_flag[<PIPE_MTE2>, <PIPE_MTE3>, <EVENT_ID0>]
      hivm.hir.wait_flag[<PIPE_MTE2>, <PIPE_MTE3>, <EVENT_ID0>]
      hivm.hir.store ins(%collapse_shape_18 : memref<?xf16, #hivm.address_space<ub>>) outs(%collapse_shape_16 : memref<?xf16, strided<[1], offset: ?>, #hivm.address_space<gm>>)
      hivm.hir.set_flag[<PIPE_MTE3>, <PIPE_MTE2>, <EVENT_ID1>]
    } {__tiled_for___3, pipeline.veconly}
    hivm.hir.wait_flag[<PIPE_MTE3>, <PIPE_MTE2>, <EVENT_ID1>]
    return
  }
  func.func @matmul_add_mul_infer_workspace_shape_function(%arg0: memref<1024x512xf16> {hacc.arg_type = #hacc.arg_type<input>, hacc.input_idx = #hacc.input_idx<0>}, %arg1: memref<512x768xf16> {hacc.arg_type = #hacc.arg_type<input>, hacc.input_idx = #hacc.input_idx<1>}, %arg2: memref<1024x768xf16> {hacc.arg_type = #hacc.arg_type<input>, hacc.input_idx = #hacc.input_idx<2>}, %arg3: memref<1024x768xf16> {hacc.arg_type = #hacc.arg_type<input>, hacc.input_idx = #hacc.input_idx<3>}, %arg4: memref<1024x768xf16> {hacc.arg_type = #hacc.arg_type<input>, hacc.input_idx = #hacc.input_idx<4>}) -> index attributes {hacc.function_kind = #hacc.function_kind<HOST>, hacc.host_func_type = #hacc.host_func_type<infer_workspace_shape_function>} {
    %c786432 = arith.constant 786432 : index
    return %c786432 : index
  }
  func.func @matmul_add_mul_mix_aic(%arg0: i64 {hacc.arg_type = #hacc.arg_type<ffts_base_address>}, %arg1: memref<1024x512xf16, #hivm.address_space<gm>> {hacc.arg_type = #hacc.arg_type<input>, hacc.input_idx = #hacc.input_idx<0>}, %arg2: memref<512x768xf16, #hivm.address_space<gm>> {hacc.arg_type = #hacc.arg_type<input>, hacc.input_idx = #hacc.input_idx<1>}, %arg3: memref<1024x768xf16, #hivm.address_space<gm>> {hacc.arg_type = #hacc.arg_type<input>, hacc.input_idx = #hacc.input_idx<2>}, %arg4: memref<1024x768xf16, #hivm.address_space<gm>> {hacc.arg_type = #hacc.arg_type<input>, hacc.input_idx = #hacc.input_idx<3>}, %arg5: memref<1024x768xf16, #hivm.address_space<gm>> {hacc.arg_type = #hacc.arg_type<input>, hacc.input_idx = #hacc.input_idx<4>}, %arg6: memref<786432xf32, #hivm.address_space<gm>> {hacc.arg_type = #hacc.arg_type<workspace>}) attributes {enable_auto_mark_buffer_size, hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hacc.infer_workspace_shape_function = #hacc.infer_workspace_shape_function<@matmul_add_mul_infer_workspace_shape_function>, hfusion.fusion_kind = #hfusion.fusion_kind<SHALLOW_CV>, hivm.func_core_type = #hivm.func_core_type<AIC>, hivm.part_of_mix, hivm.storage_aligned} {
    hivm.hir.set_ffts_base_addr %arg0
    hivm.hir.set_mask_norm
    %reinterpret_cast = memref.reinterpret_cast %arg6 to offset: [0], sizes: [1024, 768], strides: [768, 1] : memref<786432xf32, #hivm.address_space<gm>> to memref<1024x768xf32, strided<[768, 1]>, #hivm.address_space<gm>>
    %cast = memref.cast %reinterpret_cast : memref<1024x768xf32, strided<[768, 1]>, #hivm.address_space<gm>> to memref<1024x768xf32, #hivm.address_space<gm>>
    hivm.hir.matmul ins(%arg1, %arg2 : memref<1024x512xf16, #hivm.address_space<gm>>, memref<512x768xf16, #hivm.address_space<gm>>) outs(%cast : memref<1024x768xf32, #hivm.address_space<gm>>)
    annotation.mark %cast : memref<1024x768xf32, #hivm.address_space<gm>>
    hivm.hir.pipe_barrier[<PIPE_ALL>]
    return
  }
  func.func @matmul_add_mul_mix_aiv(%arg0: i64 {hacc.arg_type = #hacc.arg_type<ffts_base_address>}, %arg1: memref<1024x512xf16, #hivm.address_space<gm>> {hacc.arg_type = #hacc.arg_type<input>, hacc.input_idx = #hacc.input_idx<0>}, %arg2: memref<512x768xf16, #hivm.address_space<gm>> {hacc.arg_type = #hacc.arg_type<input>, hacc.input_idx = #hacc.input_idx<1>}, %arg3: memref<1024x768xf16, #hivm.address_space<gm>> {hacc.arg_type = #hacc.arg_type<input>, hacc.input_idx = #hacc.input_idx<2>}, %arg4: memref<1024x768xf16, #hivm.address_space<gm>> {hacc.arg_type = #hacc.arg_type<input>, hacc.input_idx = #hacc.input_idx<3>}, %arg5: memref<1024x768xf16, #hivm.address_space<gm>> {hacc.arg_type = #hacc.arg_type<input>, hacc.input_idx = #hacc.input_idx<4>}, %arg6: memref<786432xf32, #hivm.address_space<gm>> {hacc.arg_type = #hacc.arg_type<workspace>}) attributes {enable_auto_mark_buffer_size, hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hacc.infer_workspace_shape_function = #hacc.infer_workspace_shape_function<@matmul_add_mul_infer_workspace_shape_function>, hfusion.fusion_kind = #hfusion.fusion_kind<SHALLOW_CV>, hivm.func_core_type = #hivm.func_core_type<AIV>, hivm.part_of_mix, hivm.storage_aligned} {
    %c87296_i64 = arith.constant 87296 : i64
    %c65472_i64 = arith.constant 65472 : i64
    %c43648_i64 = arith.constant 43648 : i64
    %c0_i64 = arith.constant 0 : i64
    %c0 = arith.constant 0 : index
    %c12 = arith.constant 12 : index
    hivm.hir.set_ffts_base_addr %arg0
    hivm.hir.set_mask_norm
    %reinterpret_cast = memref.reinterpret_cast %arg6 to offset: [0], sizes: [1024, 768], strides: [768, 1] : memref<786432xf32, #hivm.address_space<gm>> to memref<1024x768xf32, strided<[768, 1]>, #hivm.address_space<gm>>
    %0 = hivm.hir.get_sub_block_idx -> i64
    %1 = arith.index_cast %0 : i64 to index
    %2 = arith.cmpi eq, %1, %c0 : index
    %3 = hivm.hir.get_block_idx -> i64
    %4 = arith.index_cast %3 : i64 to index
    %5 = affine.apply #map()[%4]
    scf.for %arg7 = %c0 to %5 step %c12 {
      %6 = affine.apply #map1()[%4, %arg7]
      %7 = affine.min #map2()[%4, %arg7]
      %subview = memref.subview %reinterpret_cast[%6, 0] [%7, 768] [1, 1] : memref<1024x768xf32, strided<[768, 1]>, #hivm.address_space<gm>> to memref<?x768xf32, strided<[768, 1], offset: ?>, #hivm.address_space<gm>>
      %8 = hivm.hir.pointer_cast(%c0_i64) : memref<43648xi8, #hivm.address_space<ub>>
      %view = memref.view %8[%c0][%7] : memref<43648xi8, #hivm.address_space<ub>> to memref<?x768xf32, #hivm.address_space<ub>>
      %collapse_shape = memref.collapse_shape %subview [[0, 1]] : memref<?x768xf32, strided<[768, 1], offset: ?>, #hivm.address_space<gm>> into memref<?xf32, strided<[1], offset: ?>, #hivm.address_space<gm>>
      %collapse_shape_0 = memref.collapse_shape %view [[0, 1]] : memref<?x768xf32, #hivm.address_space<ub>> into memref<?xf32, #hivm.address_space<ub>>
      hivm.hir.load ins(%collapse_shape : memref<?xf32, strided<[1], offset: ?>, #hivm.address_space<gm>>) outs(%collapse_shape_0 : memref<?xf32, #hivm.address_space<ub>>) init_out_buffer = false may_implicit_transpose_with_last_axis = false
      %subview_1 = memref.subview %arg3[%6, 0] [%7, 768] [1, 1] : memref<1024x768xf16, #hivm.address_space<gm>> to memref<?x768xf16, strided<[768, 1], offset: ?>, #hivm.address_space<gm>>
      %9 = hivm.hir.pointer_cast(%c43648_i64) : memref<21824xi8, #hivm.address_space<ub>>
      %view_2 = memref.view %9[%c0][%7] : memref<21824xi8, #hivm.address_space<ub>> to memref<?x768xf16, #hivm.address_space<ub>>
      %collapse_shape_3 = memref.collapse_shape %subview_1 [[0, 1]] : memref<?x768xf16, strided<[768, 1], offset: ?>, #hivm.address_space<gm>> into memref<?xf16, strided<[1], offset: ?>, #hivm.address_space<gm>>
      %collapse_shape_4 = memref.collapse_shape %view_2 [[0, 1]] : memref<?x768xf16, #hivm.address_space<ub>> into memref<?xf16, #hivm.address_space<ub>>
      hivm.hir.load ins(%collapse_shape_3 : memref<?xf16, strided<[1], offset: ?>, #hivm.address_space<gm>>) outs(%collapse_shape_4 : memref<?xf16, #hivm.address_space<ub>>) init_out_buffer = false may_implicit_transpose_with_last_axis = false
      %subview_5 = memref.subview %arg4[%6, 0] [%7, 768] [1, 1] : memref<1024x768xf16, #hivm.address_space<gm>> to memref<?x768xf16, strided<[768, 1], offset: ?>, #hivm.address_space<gm>>
      %10 = hivm.hir.pointer_cast(%c65472_i64) : memref<21824xi8, #hivm.address_space<ub>>
      %view_6 = memref.view %10[%c0][%7] : memref<21824xi8, #hivm.address_space<ub>> to memref<?x768xf16, #hivm.address_space<ub>>
      %collapse_shape_7 = memref.collapse_shape %subview_5 [[0, 1]] : memref<?x768xf16, strided<[768, 1], offset: ?>, #hivm.address_space<gm>> into memref<?xf16, strided<[1], offset: ?>, #hivm.address_space<gm>>
      %collapse_shape_8 = memref.collapse_shape %view_6 [[0, 1]] : memref<?x768xf16, #hivm.address_space<ub>> into memref<?xf16, #hivm.address_space<ub>>
      hivm.hir.load ins(%collapse_shape_7 : memref<?xf16, strided<[1], offset: ?>, #hivm.address_space<gm>>) outs(%collapse_shape_8 : memref<?xf16, #hivm.address_space<ub>>) init_out_buffer = false may_implicit_transpose_with_last_axis = false
      %subview_9 = memref.subview %arg5[%6, 0] [%7, 768] [1, 1] : memref<1024x768xf16, #hivm.address_space<gm>> to memref<?x768xf16, strided<[768, 1], offset: ?>, #hivm.address_space<gm>>
      %11 = hivm.hir.pointer_cast(%c0_i64) : memref<21824xi8, #hivm.address_space<ub>>
      %view_10 = memref.view %11[%c0][%7] : memref<21824xi8, #hivm.address_space<ub>> to memref<?x768xf16, #hivm.address_space<ub>>
      %collapse_shape_11 = memref.collapse_shape %view_10 [[0, 1]] : memref<?x768xf16, #hivm.address_space<ub>> into memref<?xf16, #hivm.address_space<ub>>
      hivm.hir.vcast ins(%collapse_shape_0 : memref<?xf32, #hivm.address_space<ub>>) outs(%collapse_shape_11 : memref<?xf16, #hivm.address_space<ub>>)
      %12 = hivm.hir.pointer_cast(%c43648_i64) : memref<21824xi8, #hivm.address_space<ub>>
      %view_12 = memref.view %12[%c0][%7] : memref<21824xi8, #hivm.address_space<ub>> to memref<?x768xf16, #hivm.address_space<ub>>
      %collapse_shape_13 = memref.collapse_shape %view_12 [[0, 1]] : memref<?x768xf16, #hivm.address_space<ub>> into memref<?xf16, #hivm.address_space<ub>>
      hivm.hir.vadd ins(%collapse_shape_11, %collapse_shape_4 : memref<?xf16, #hivm.address_space<ub>>, memref<?xf16, #hivm.address_space<ub>>) outs(%collapse_shape_13 : memref<?xf16, #hivm.address_space<ub>>)
      %13 = hivm.hir.pointer_cast(%c65472_i64) : memref<21824xi8, #hivm.address_space<ub>>
      %view_14 = memref.view %13[%c0][%7] : memref<21824xi8, #hivm.address_space<ub>> to memref<?x768xf16, #hivm.address_space<ub>>
      %collapse_shape_15 = memref.collapse_shape %view_14 [[0, 1]] : memref<?x768xf16, #hivm.address_space<ub>> into memref<?xf16, #hivm.address_space<ub>>
      hivm.hir.vmul ins(%collapse_shape_13, %collapse_shape_8 : memref<?xf16, #hivm.address_space<ub>>, memref<?xf16, #hivm.address_space<ub>>) outs(%collapse_shape_15 : memref<?xf16, #hivm.address_space<ub>>)
      scf.if %2 {
        %collapse_shape_19 = memref.collapse_shape %subview_9 [[0, 1]] : memref<?x768xf16, strided<[768, 1], offset: ?>, #hivm.address_space<gm>> into memref<?xf16, strided<[1], offset: ?>, #hivm.address_space<gm>>
        hivm.hir.store ins(%collapse_shape_15 : memref<?xf16, #hivm.address_space<ub>>) outs(%collapse_shape_19 : memref<?xf16, strided<[1], offset: ?>, #hivm.address_space<gm>>) atomic = <none>
      }
      %14 = hivm.hir.pointer_cast(%c87296_i64) : memref<21824xi8, #hivm.address_space<ub>>
      %view_16 = memref.view %14[%c0][%7] : memref<21824xi8, #hivm.address_space<ub>> to memref<?x768xf16, #hivm.address_space<ub>>
      %collapse_shape_17 = memref.collapse_shape %subview_9 [[0, 1]] : memref<?x768xf16, strided<[768, 1], offset: ?>, #hivm.address_space<gm>> into memref<?xf16, strided<[1], offset: ?>, #hivm.address_space<gm>>
      %collapse_shape_18 = memref.collapse_shape %view_16 [[0, 1]] : memref<?x768xf16, #hivm.address_space<ub>> into memref<?xf16, #hivm.address_space<ub>>
      hivm.hir.load ins(%collapse_shape_17 : memref<?xf16, strided<[1], offset: ?>, #hivm.address_space<gm>>) outs(%collapse_shape_18 : memref<?xf16, #hivm.address_space<ub>>) init_out_buffer = false may_implicit_transpose_with_last_axis = false
      hivm.hir.store ins(%collapse_shape_18 : memref<?xf16, #hivm.address_space<ub>>) outs(%collapse_shape_17 : memref<?xf16, strided<[1], offset: ?>, #hivm.address_space<gm>>)
    } {__tiled_for___3, pipeline.veconly}
    return
  }
}
