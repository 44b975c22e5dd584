#map = affine_map<()[s0, s1] -> (-s0 + 768 ceildiv s1)>
#map1 = affine_map<()[s0, s1] -> (s0 * s1)>
#map2 = affine_map<()[s0, s1] -> (-(s1 * s0) + 768, s0)>
"builtin.module"() ({
  "func.func"() <{arg_attrs = [{hacc.arg_type = #hacc.arg_type<input>, hacc.input_idx = #hacc.input_idx<0>}, {hacc.arg_type = #hacc.arg_type<input>, hacc.input_idx = #hacc.input_idx<1>}, {hacc.arg_type = #hacc.arg_type<output>, hacc.output_idx = #hacc.output_idx<0>}], function_type = (tensor<768x2048xf32>, tensor<768xf32>, tensor<768xf32>) -> (i64, i64, i64, i64, i64, i64), res_attrs = [{hacc.arg_type = #hacc.arg_type<tiling_key>}, {hacc.arg_type = #hacc.arg_type<tiling_data>}, {hacc.arg_type = #hacc.arg_type<tiling_data>}, {hacc.arg_type = #hacc.arg_type<tiling_data>}, {hacc.arg_type = #hacc.arg_type<tiling_data>}, {hacc.arg_type = #hacc.arg_type<tiling_data>}], sym_name = "row_sum_exp_tiling_function"}> ({
  ^bb0(%arg21: tensor<768x2048xf32>, %arg22: tensor<768xf32>, %arg23: tensor<768xf32>):
    %23 = "arith.constant"() <{value = 65504 : i64}> : () -> i64
    %24 = "arith.constant"() <{value = 1 : i64}> : () -> i64
    %25 = "arith.constant"() <{value = 24 : i64}> : () -> i64
    %26 = "arith.constant"() <{value = 2048 : i64}> : () -> i64
    %27 = "arith.constant"() <{value = 7 : i64}> : () -> i64
    %28 = "arith.constant"() <{value = 0 : i64}> : () -> i64
    "func.return"(%28, %27, %26, %25, %24, %23) : (i64, i64, i64, i64, i64, i64) -> ()
  }) {hacc.function_kind = #hacc.function_kind<HOST>, hacc.host_func_type = #hacc.host_func_type<tiling_function>} : () -> ()
  "func.func"() <{arg_attrs = [{hacc.arg_type = #hacc.arg_type<input>, hacc.input_idx = #hacc.input_idx<0>}, {hacc.arg_type = #hacc.arg_type<input>, hacc.input_idx = #hacc.input_idx<1>}, {hacc.arg_type = #hacc.arg_type<output>, hacc.output_idx = #hacc.output_idx<0>}, {hacc.arg_type = #hacc.arg_type<tiling_key>}, {hacc.arg_type = #hacc.arg_type<tiling_data>}, {hacc.arg_type = #hacc.arg_type<tiling_data>}, {hacc.arg_type = #hacc.arg_type<tiling_data>}, {hacc.arg_type = #hacc.arg_type<tiling_data>}, {hacc.arg_type = #hacc.arg_type<tiling_data>}], function_type = (tensor<768x2048xf32>, tensor<768xf32>, tensor<768xf32>, i64, i64, i64, i64, i64, i64) -> tensor<768xf32>, sym_name = "row_sum_exp"}> ({
  ^bb0(%arg0: tensor<768x2048xf32>, %arg1: tensor<768xf32>, %arg2: tensor<768xf32>, %arg3: i64, %arg4: i64, %arg5: i64, %arg6: i64, %arg7: i64, %arg8: i64):
    %0 = "arith.constant"() <{value = 24 : index}> : () -> index
    %1 = "arith.constant"() <{value = 1 : index}> : () -> index
    %2 = "arith.constant"() <{value = 0 : index}> : () -> index
    %3 = "tensor.empty"() : () -> tensor<768xf32>
    %4 = "tensor.empty"() : () -> tensor<768x2048xf32>
    %5 = "arith.index_cast"(%arg4) : (i64) -> index
    %6 = "scf.for"(%2, %0, %1, %arg2) ({
    ^bb0(%arg9: index, %arg10: tensor<768xf32>):
      %7 = "affine.apply"(%arg9, %5) <{map = #map}> : (index, index) -> index
      %8 = "scf.for"(%2, %7, %0, %arg10) ({
      ^bb0(%arg11: index, %arg12: tensor<768xf32>):
        %9 = "arith.addi"(%arg9, %arg11) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
        %10 = "affine.apply"(%9, %5) <{map = #map1}> : (index, index) -> index
        %11 = "affine.min"(%5, %9) <{map = #map2}> : (index, index) -> index
        %12 = "tensor.extract_slice"(%arg0, %10, %11) <{operandSegmentSizes = array<i32: 1, 1, 1, 0>, static_offsets = array<i64: -9223372036854775808, 0>, static_sizes = array<i64: -9223372036854775808, 2048>, static_strides = array<i64: 1, 1>}> : (tensor<768x2048xf32>, index, index) -> tensor<?x2048xf32>
        %13 = "tensor.extract_slice"(%4, %10, %11) <{operandSegmentSizes = array<i32: 1, 1, 1, 0>, static_offsets = array<i64: -9223372036854775808, 0>, static_sizes = array<i64: -9223372036854775808, 2048>, static_strides = array<i64: 1, 1>}> : (tensor<768x2048xf32>, index, index) -> tensor<?x2048xf32>
        %14 = "hfusion.load"(%12, %13) <{operandSegmentSizes = array<i32: 1, 1>}> ({
        ^bb0(%arg19: f32, %arg20: f32):
          "linalg.yield"(%arg19) : (f32) -> ()
        }) {__intermediate_producer__, __reduction0_axis1_fusible_producer__} : (tensor<?x2048xf32>, tensor<?x2048xf32>) -> tensor<?x2048xf32>
        "annotation.mark"(%14) {buffer_size_in_byte = 65504 : i64} : (tensor<?x2048xf32>) -> ()
        %15 = "linalg.elemwise_unary"(%14, %13) <{fun = #linalg.unary_fn<exp>, operandSegmentSizes = array<i32: 1, 1>}> ({
        ^bb0(%arg17: f32, %arg18: f32):
          %22 = "math.exp"(%arg17) <{fastmath = #arith.fastmath<none>}> : (f32) -> f32
          "linalg.yield"(%22) : (f32) -> ()
        }) {__intermediate_producer__, __reduction0_axis1_fusible_producer__} : (tensor<?x2048xf32>, tensor<?x2048xf32>) -> tensor<?x2048xf32>
        "annotation.mark"(%15) {buffer_size_in_byte = 65504 : i64} : (tensor<?x2048xf32>) -> ()
        %16 = "tensor.extract_slice"(%3, %10, %11) <{operandSegmentSizes = array<i32: 1, 1, 1, 0>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: -9223372036854775808>, static_strides = array<i64: 1>}> : (tensor<768xf32>, index, index) -> tensor<?xf32>
        %17 = "linalg.reduce"(%15, %16) <{dimensions = array<i64: 1>}> ({
        ^bb0(%arg15: f32, %arg16: f32):
          %21 = "arith.addf"(%arg16, %arg15) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
          "linalg.yield"(%21) : (f32) -> ()
        }) {__intermediate_producer__, __reduction0__} : (tensor<?x2048xf32>, tensor<?xf32>) -> tensor<?xf32>
        "annotation.mark"(%17) {buffer_size_in_byte = 65504 : i64} : (tensor<?xf32>) -> ()
        %18 = "tensor.extract_slice"(%arg12, %10, %11) <{operandSegmentSizes = array<i32: 1, 1, 1, 0>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: -9223372036854775808>, static_strides = array<i64: 1>}> : (tensor<768xf32>, index, index) -> tensor<?xf32>
        %19 = "hfusion.store"(%17, %18) <{operandSegmentSizes = array<i32: 1, 1>}> ({
        ^bb0(%arg13: f32, %arg14: f32):
          "linalg.yield"(%arg13) : (f32) -> ()
        }) {hfusion.return_operand_num = 0 : i64} : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
        %20 = "tensor.insert_slice"(%19, %arg12, %10, %11) <{operandSegmentSizes = array<i32: 1, 1, 1, 1, 0>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: -9223372036854775808>, static_strides = array<i64: 1>}> : (tensor<?xf32>, tensor<768xf32>, index, index) -> tensor<768xf32>
        "scf.yield"(%20) : (tensor<768xf32>) -> ()
      }) {__tiled_for___2} : (index, index, index, tensor<768xf32>) -> tensor<768xf32>
      "scf.yield"(%8) : (tensor<768xf32>) -> ()
    }) {__tiled_for___1, map_for_to_forall, mapping = [#hivm.block]} : (index, index, index, tensor<768xf32>) -> tensor<768xf32>
    "func.return"(%6) : (tensor<768xf32>) -> ()
  }) {enable_auto_mark_buffer_size, hacc.block_dim = 24 : i64, hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hacc.tiling_function = #hacc.tiling_function<@row_sum_exp_tiling_function>, hfusion.fusion_kind = #hfusion.fusion_kind<LAST_AXIS_PBR>} : () -> ()
}) {dlti.target_system_spec = #dlti.target_system_spec<"NPU" : #hacc.target_device_spec<#dlti.dl_entry<"AI_CORE_COUNT", 24 : i32>, #dlti.dl_entry<"CUBE_CORE_COUNT", 24 : i32>, #dlti.dl_entry<"VECTOR_CORE_COUNT", 48 : i32>, #dlti.dl_entry<"UB_SIZE", 1572864 : i32>, #dlti.dl_entry<"L1_SIZE", 4194304 : i32>, #dlti.dl_entry<"L0A_SIZE", 524288 : i32>, #dlti.dl_entry<"L0B_SIZE", 524288 : i32>, #dlti.dl_entry<"L0C_SIZE", 1048576 : i32>, #dlti.dl_entry<"UB_ALIGN_SIZE", 256 : i32>, #dlti.dl_entry<"L1_ALIGN_SIZE", 256 : i32>, #dlti.dl_entry<"L0C_ALIGN_SIZE", 4096 : i32>>>, hacc.hivmc_compatible_print = false, hacc.hivmc_version = #hacc.hivmc_version<"0.2.0">} : () -> ()
