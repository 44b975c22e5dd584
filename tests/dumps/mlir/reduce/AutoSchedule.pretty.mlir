#map = affine_map<()[s0, s1] -> (-s0 + 768 ceildiv s1)>
#map1 = affine_map<()[s0, s1] -> (s0 * s1)>
#map2 = affine_map<()[s0, s1] -> (-(s1 * s0) + 768, s0)>
module attributes {dlti.target_system_spec = #dlti.target_system_spec<"NPU" : #hacc.target_device_spec<#dlti.dl_entry<"AI_CORE_COUNT", 24 : i32>, #dlti.dl_entry<"CUBE_CORE_COUNT", 24 : i32>, #dlti.dl_entry<"VECTOR_CORE_COUNT", 48 : i32>, #dlti.dl_entry<"UB_SIZE", 1572864 : i32>, #dlti.dl_entry<"L1_SIZE", 4194304 : i32>, #dlti.dl_entry<"L0A_SIZE", 524288 : i32>, #dlti.dl_entry<"L0B_SIZE", 524288 : i32>, #dlti.dl_entry<"L0C_SIZE", 1048576 : i32>, #dlti.dl_entry<"UB_ALIGN_SIZE", 256 : i32>, #dlti.dl_entry<"L1_ALIGN_SIZE", 256 : i32>, #dlti.dl_entry<"L0C_ALIGN_SIZE", 4096 : i32>>>, hacc.hivmc_compatible_print = false, hacc.hivmc_version = #hacc.hivmc_version<"0.2.0">} {
  func.func @row_sum_exp_tiling_function(%arg0: tensor<768x2048xf32> {hacc.arg_type = #hacc.arg_type<input>, hacc.input_idx = #hacc.input_idx<0>}, %arg1: tensor<768xf32> {hacc.arg_type = #hacc.arg_type<input>, hacc.input_idx = #hacc.input_idx<1>}, %arg2: tensor<768xf32> {hacc.arg_type = #hacc.arg_type<output>, hacc.output_idx = #hacc.output_idx<0>}) -> (i64 {hacc.arg_type = #hacc.arg_type<tiling_key>}, i64 {hacc.arg_type = #hacc.arg_type<tiling_data>}, i64 {hacc.arg_type = #hacc.arg_type<tiling_data>}, i64 {hacc.arg_type = #hacc.arg_type<tiling_data>}, i64 {hacc.arg_type = #hacc.arg_type<tiling_data>}, i64 {hacc.arg_type = #hacc.arg_type<tiling_data>}) attributes {hacc.function_kind = #hacc.function_kind<HOST>, hacc.host_func_type = #hacc.host_func_type<tiling_function>} {
    %c65504_i64 = arith.constant 65504 : i64
    %c1_i64 = arith.constant 1 : i64
    %c24_i64 = arith.constant 24 : i64
    %c2048_i64 = arith.constant 2048 : i64
    %c7_i64 = arith.constant 7 : i64
    %c0_i64 = arith.constant 0 : i64
    return %c0_i64, %c7_i64, %c2048_i64, %c24_i64, %c1_i64, %c65504_i64 : i64, i64, i64, i64, i64, i64
  }
  func.func @row_sum_exp(%arg0: tensor<768x2048xf32> {hacc.arg_type = #hacc.arg_type<input>, hacc.input_idx = #hacc.input_idx<0>}, %arg1: tensor<768xf32> {hacc.arg_type = #hacc.arg_type<input>, hacc.input_idx = #hacc.input_idx<1>}, %arg2: tensor<768xf32> {hacc.arg_type = #hacc.arg_type<output>, hacc.output_idx = #hacc.output_idx<0>}, %arg3: i64 {hacc.arg_type = #hacc.arg_type<tiling_key>}, %arg4: i64 {hacc.arg_type = #hacc.arg_type<tiling_data>}, %arg5: i64 {hacc.arg_type = #hacc.arg_type<tiling_data>}, %arg6: i64 {hacc.arg_type = #hacc.arg_type<tiling_data>}, %arg7: i64 {hacc.arg_type = #hacc.arg_type<tiling_data>}, %arg8: i64 {hacc.arg_type = #hacc.arg_type<tiling_data>}) -> tensor<768xf32> attributes {enable_auto_mark_buffer_size, hacc.block_dim = 24 : i64, hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hacc.tiling_function = #hacc.tiling_function<@row_sum_exp_tiling_function>, hfusion.fusion_kind = #hfusion.fusion_kind<LAST_AXIS_PBR>} {
    %c24 = arith.constant 24 : index
    %c1 = arith.constant 1 : index
    %c0 = arith.constant 0 : index
    %0 = tensor.empty() : tensor<768xf32>
    %1 = tensor.empty() : tensor<768x2048xf32>
    %2 = arith.index_cast %arg4 : i64 to index
    %3 = scf.for %arg9 = %c0 to %c24 step %c1 iter_args(%arg10 = %arg2) -> (tensor<768xf32>) {
      %4 = affine.apply #map()[%arg9, %2]
      %5 = scf.for %arg11 = %c0 to %4 step %c24 iter_args(%arg12 = %arg10) -> (tensor<768xf32>) {
        %6 = arith.addi %arg9, %arg11 : index
        %7 = affine.apply #map1()[%6, %2]
        %8 = affine.min #map2()[%2, %6]
        %extracted_slice = tensor.extract_slice %arg0[%7, 0] [%8, 2048] [1, 1] : tensor<768x2048xf32> to tensor<?x2048xf32>
        %extracted_slice_0 = tensor.extract_slice %1[%7, 0] [%8, 2048] [1, 1] : tensor<768x2048xf32> to tensor<?x2048xf32>
        %9 = hfusion.load {__intermediate_producer__, __reduction0_axis1_fusible_producer__} ins(%extracted_slice : tensor<?x2048xf32>) outs(%extracted_slice_0 : tensor<?x2048xf32>) -> tensor<?x2048xf32>
        annotation.mark %9 {buffer_size_in_byte = 65504 : i64} : tensor<?x2048xf32>
        %10 = linalg.elemwise_unary {__intermediate_producer__, __reduction0_axis1_fusible_producer__, fun = #linalg.unary_fn<exp>} ins(%9 : tensor<?x2048xf32>) outs(%extracted_slice_0 : tensor<?x2048xf32>) -> tensor<?x2048xf32>
        annotation.mark %10 {buffer_size_in_byte = 65504 : i64} : tensor<?x2048xf32>
        %extracted_slice_1 = tensor.extract_slice %0[%7] [%8] [1] : tensor<768xf32> to tensor<?xf32>
        %reduced = linalg.reduce { arith.addf } ins(%10 : tensor<?x2048xf32>) outs(%extracted_slice_1 : tensor<?xf32>) dimensions = [1]  {__intermediate_producer__, __reduction0__}
        annotation.mark %reduced {buffer_size_in_byte = 65504 : i64} : tensor<?xf32>
        %extracted_slice_2 = tensor.extract_slice %arg12[%7] [%8] [1] : tensor<768xf32> to tensor<?xf32>
        %11 = hfusion.store {hfusion.return_operand_num = 0 : i64} ins(%reduced : tensor<?xf32>) outs(%extracted_slice_2 : tensor<?xf32>) -> tensor<?xf32>
        %inserted_slice = tensor.insert_slice %11 into %arg12[%7] [%8] [1] : tensor<?xf32> into tensor<768xf32>
        scf.yield %inserted_slice : tensor<768xf32>
      } {__tiled_for___2}
      scf.yield %5 : tensor<768xf32>
    } {__tiled_for___1, map_for_to_forall, mapping = [#hivm.block]}
    return %3 : tensor<768xf32>
  }
}
