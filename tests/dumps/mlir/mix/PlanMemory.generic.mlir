#map = affine_map<()[s0] -> (-s0 + 74)>
#map1 = affine_map<()[s0, s1] -> (s0 * 14 + s1 * 14)>
#map2 = affine_map<()[s0, s1] -> (s0 * -14 - s1 * 14 + 1024, 14)>
"builtin.module"() ({
  "func.func"() <{function_type = () -> i64, sym_name = "matmul_add_mul_0_get_tiling_struct_size_function"}> ({
    %91 = "arith.constant"() <{value = 0 : i64}> : () -> i64
    "func.return"(%91) : (i64) -> ()
  }) {hacc.function_kind = #hacc.function_kind<HOST>, hacc.host_func_type = #hacc.host_func_type<get_tiling_struct_size_function>} : () -> ()
  "func.func"() <{arg_attrs = [{hacc.arg_type = #hacc.arg_type<input>, hacc.input_idx = #hacc.input_idx<0>}, {hacc.arg_type = #hacc.arg_type<input>, hacc.input_idx = #hacc.input_idx<1>}, {hacc.arg_type = #hacc.arg_type<input>, hacc.input_idx = #hacc.input_idx<2>}, {hacc.arg_type = #hacc.arg_type<output>, hacc.output_idx = #hacc.output_idx<0>}], function_type = (memref<1024x768xf32, #hivm.address_space<gm>>, memref<1024x768xf16, #hivm.address_space<gm>>, memref<1024x768xf16, #hivm.address_space<gm>>, memref<1024x768xf16, #hivm.address_space<gm>>) -> (), sym_name = "matmul_add_mul_0_0"}> ({
  ^bb0(%arg20: memref<1024x768xf32, #hivm.address_space<gm>>, %arg21: memref<1024x768xf16, #hivm.address_space<gm>>, %arg22: memref<1024x768xf16, #hivm.address_space<gm>>, %arg23: memref<1024x768xf16, #hivm.address_space<gm>>):
    %48 = "arith.constant"() <{value = 21824 : i64}> : () -> i64
    %49 = "arith.constant"() <{value = 174592 : i64}> : () -> i64
    %50 = "arith.constant"() <{value = 152768 : i64}> : () -> i64
    %51 = "arith.constant"() <{value = 130944 : i64}> : () -> i64
    %52 = "arith.constant"() <{value = 109120 : i64}> : () -> i64
    %53 = "arith.constant"() <{value = 87296 : i64}> : () -> i64
    %54 = "arith.constant"() <{value = 43648 : i64}> : () -> i64
    %55 = "arith.constant"() <{value = 0 : i64}> : () -> i64
    %56 = "arith.constant"() <{value = 12 : index}> : () -> index
    %57 = "arith.constant"() <{value = 0 : index}> : () -> index
    %58 = "hivm.hir.get_block_idx"() : () -> i64
    %59 = "arith.index_cast"(%58) : (i64) -> index
    %60 = "affine.apply"(%59) <{map = #map}> : (index) -> index
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE3>, static_event_id = #hivm.event<EVENT_ID1>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "scf.for"(%57, %60, %56) ({
    ^bb0(%arg24: index):
      %61 = "hivm.hir.pointer_cast"(%55, %48) <{operandSegmentSizes = array<i32: 2, 0>}> : (i64, i64) -> memref<21824xi8, #hivm.address_space<ub>>
      "annotation.mark"(%61) {hivm.multi_buffer = 2 : i32} : (memref<21824xi8, #hivm.address_space<ub>>) -> ()
      %62 = "hivm.hir.pointer_cast"(%49, %55) <{operandSegmentSizes = array<i32: 2, 0>}> : (i64, i64) -> memref<21824xi8, #hivm.address_space<ub>>
      "annotation.mark"(%62) {hivm.multi_buffer = 2 : i32} : (memref<21824xi8, #hivm.address_space<ub>>) -> ()
      %63 = "hivm.hir.pointer_cast"(%51, %50) <{operandSegmentSizes = array<i32: 2, 0>}> : (i64, i64) -> memref<21824xi8, #hivm.address_space<ub>>
      "annotation.mark"(%63) {hivm.multi_buffer = 2 : i32} : (memref<21824xi8, #hivm.address_space<ub>>) -> ()
      %64 = "hivm.hir.pointer_cast"(%53, %52) <{operandSegmentSizes = array<i32: 2, 0>}> : (i64, i64) -> memref<21824xi8, #hivm.address_space<ub>>
      "annotation.mark"(%64) {hivm.multi_buffer = 2 : i32} : (memref<21824xi8, #hivm.address_space<ub>>) -> ()
      %65 = "hivm.hir.pointer_cast"(%55, %54) <{operandSegmentSizes = array<i32: 2, 0>}> : (i64, i64) -> memref<43648xi8, #hivm.address_space<ub>>
      "annotation.mark"(%65) {hivm.multi_buffer = 2 : i32} : (memref<43648xi8, #hivm.address_space<ub>>) -> ()
      %66 = "affine.apply"(%59, %arg24) <{map = #map1}> : (index, index) -> index
      %67 = "affine.min"(%59, %arg24) <{map = #map2}> : (index, index) -> index
      %68 = "memref.subview"(%arg20, %66, %67) <{operandSegmentSizes = array<i32: 1, 1, 1, 0>, static_offsets = array<i64: -9223372036854775808, 0>, static_sizes = array<i64: -9223372036854775808, 768>, static_strides = array<i64: 1, 1>}> : (memref<1024x768xf32, #hivm.address_space<gm>>, index, index) -> memref<?x768xf32, strided<[768, 1], offset: ?>, #hivm.address_space<gm>>
      %69 = "memref.view"(%65, %57, %67) : (memref<43648xi8, #hivm.address_space<ub>>, index, index) -> memref<?x768xf32, #hivm.address_space<ub>>
      %70 = "memref.collapse_shape"(%68) <{reassociation = [[0, 1]]}> : (memref<?x768xf32, strided<[768, 1], offset: ?>, #hivm.address_space<gm>>) -> memref<?xf32, strided<[1], offset: ?>, #hivm.address_space<gm>>
      %71 = "memref.collapse_shape"(%69) <{reassociation = [[0, 1]]}> : (memref<?x768xf32, #hivm.address_space<ub>>) -> memref<?xf32, #hivm.address_space<ub>>
      "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE3>, static_event_id = #hivm.event<EVENT_ID1>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
      "hivm.hir.load"(%70, %71) <{init_out_buffer = false, may_implicit_transpose_with_last_axis = false, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0>}> : (memref<?xf32, strided<[1], offset: ?>, #hivm.address_space<gm>>, memref<?xf32, #hivm.address_space<ub>>) -> ()
      "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID2>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
      %72 = "memref.subview"(%arg21, %66, %67) <{operandSegmentSizes = array<i32: 1, 1, 1, 0>, static_offsets = array<i64: -9223372036854775808, 0>, static_sizes = array<i64: -9223372036854775808, 768>, static_strides = array<i64: 1, 1>}> : (memref<1024x768xf16, #hivm.address_space<gm>>, index, index) -> memref<?x768xf16, strided<[768, 1], offset: ?>, #hivm.address_space<gm>>
      %73 = "memref.view"(%64, %57, %67) : (memref<21824xi8, #hivm.address_space<ub>>, index, index) -> memref<?x768xf16, #hivm.address_space<ub>>
      %74 = "memref.collapse_shape"(%72) <{reassociation = [[0, 1]]}> : (memref<?x768xf16, strided<[768, 1], offset: ?>, #hivm.address_space<gm>>) -> memref<?xf16, strided<[1], offset: ?>, #hivm.address_space<gm>>
      %75 = "memref.collapse_shape"(%73) <{reassociation = [[0, 1]]}> : (memref<?x768xf16, #hivm.address_space<ub>>) -> memref<?xf16, #hivm.address_space<ub>>
      "hivm.hir.load"(%74, %75) <{init_out_buffer = false, may_implicit_transpose_with_last_axis = false, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0>}> : (memref<?xf16, strided<[1], offset: ?>, #hivm.address_space<gm>>, memref<?xf16, #hivm.address_space<ub>>) -> ()
      "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID1>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
      %76 = "memref.subview"(%arg22, %66, %67) <{operandSegmentSizes = array<i32: 1, 1, 1, 0>, static_offsets = array<i64: -9223372036854775808, 0>, static_sizes = array<i64: -9223372036854775808, 768>, static_strides = array<i64: 1, 1>}> : (memref<1024x768xf16, #hivm.address_space<gm>>, index, index) -> memref<?x768xf16, strided<[768, 1], offset: ?>, #hivm.address_space<gm>>
      %77 = "memref.view"(%63, %57, %67) : (memref<21824xi8, #hivm.address_space<ub>>, index, index) -> memref<?x768xf16, #hivm.address_space<ub>>
      %78 = "memref.collapse_shape"(%76) <{reassociation = [[0, 1]]}> : (memref<?x768xf16, strided<[768, 1], offset: ?>, #hivm.address_space<gm>>) -> memref<?xf16, strided<[1], offset: ?>, #hivm.address_space<gm>>
      %79 = "memref.collapse_shape"(%77) <{reassociation = [[0, 1]]}> : (memref<?x768xf16, #hivm.address_space<ub>>) -> memref<?xf16, #hivm.address_space<ub>>
      "hivm.hir.load"(%78, %79) <{init_out_buffer = false, may_implicit_transpose_with_last_axis = false, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0>}> : (memref<?xf16, strided<[1], offset: ?>, #hivm.address_space<gm>>, memref<?xf16, #hivm.address_space<ub>>) -> ()
      "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
      %80 = "memref.subview"(%arg23, %66, %67) <{operandSegmentSizes = array<i32: 1, 1, 1, 0>, static_offsets = array<i64: -9223372036854775808, 0>, static_sizes = array<i64: -9223372036854775808, 768>, static_strides = array<i64: 1, 1>}> : (memref<1024x768xf16, #hivm.address_space<gm>>, index, index) -> memref<?x768xf16, strided<[768, 1], offset: ?>, #hivm.address_space<gm>>
      %81 = "hivm.hir.pointer_cast"(%55, %54) <{operandSegmentSizes = array<i32: 2, 0>}> : (i64, i64) -> memref<21824xi8, #hivm.address_space<ub>>
      %82 = "memref.view"(%81, %57, %67) : (memref<21824xi8, #hivm.address_space<ub>>, index, index) -> memref<?x768xf16, #hivm.address_space<ub>>
      %83 = "memref.collapse_shape"(%82) <{reassociation = [[0, 1]]}> : (memref<?x768xf16, #hivm.address_space<ub>>) -> memref<?xf16, #hivm.address_space<ub>>
      "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID2>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
      "hivm.hir.vcast"(%71, %83) <{broadcast = array<i64>, cast = #hivm.cast<cast_signed>, operandSegmentSizes = array<i32: 1, 1, 0>, round_mode = #hivm.round_mode<rint>, transpose = array<i64>}> : (memref<?xf32, #hivm.address_space<ub>>, memref<?xf16, #hivm.address_space<ub>>) -> ()
      %84 = "memref.view"(%64, %57, %67) : (memref<21824xi8, #hivm.address_space<ub>>, index, index) -> memref<?x768xf16, #hivm.address_space<ub>>
      %85 = "memref.collapse_shape"(%84) <{reassociation = [[0, 1]]}> : (memref<?x768xf16, #hivm.address_space<ub>>) -> memref<?xf16, #hivm.address_space<ub>>
      "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID1>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
      "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
      "hivm.hir.vadd"(%83, %75, %85) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 2, 1, 0>, transpose = array<i64>}> : (memref<?xf16, #hivm.address_space<ub>>, memref<?xf16, #hivm.address_space<ub>>, memref<?xf16, #hivm.address_space<ub>>) -> ()
      %86 = "memref.view"(%62, %57, %67) : (memref<21824xi8, #hivm.address_space<ub>>, index, index) -> memref<?x768xf16, #hivm.address_space<ub>>
      %87 = "memref.collapse_shape"(%86) <{reassociation = [[0, 1]]}> : (memref<?x768xf16, #hivm.address_space<ub>>) -> memref<?xf16, #hivm.address_space<ub>>
      "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
      "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
      "hivm.hir.vmul"(%85, %79, %87) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 2, 1, 0>, transpose = array<i64>}> : (memref<?xf16, #hivm.address_space<ub>>, memref<?xf16, #hivm.address_space<ub>>, memref<?xf16, #hivm.address_space<ub>>) -> ()
      "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE3>}> : () -> ()
      %88 = "memref.collapse_shape"(%80) <{reassociation = [[0, 1]]}> : (memref<?x768xf16, strided<[768, 1], offset: ?>, #hivm.address_space<gm>>) -> memref<?xf16, strided<[1], offset: ?>, #hivm.address_space<gm>>
      "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE3>}> : () -> ()
      "hivm.hir.store"(%87, %88) <{atomic_kind = #hivm.atomic_kind<none>, may_implicit_transpose_with_last_axis = false}> : (memref<?xf16, #hivm.address_space<ub>>, memref<?xf16, strided<[1], offset: ?>, #hivm.address_space<gm>>) -> ()
      "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE3>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
      %89 = "memref.view"(%61, %57, %67) : (memref<21824xi8, #hivm.address_space<ub>>, index, index) -> memref<?x768xf16, #hivm.address_space<ub>>
      %90 = "memref.collapse_shape"(%89) <{reassociation = [[0, 1]]}> : (memref<?x768xf16, #hivm.address_space<ub>>) -> memref<?xf16, #hivm.address_space<ub>>
      "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE3>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
      "hivm.hir.load"(%88, %90) <{init_out_buffer = false, may_implicit_transpose_with_last_axis = false, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0>}> : (memref<?xf16, strided<[1], offset: ?>, #hivm.address_space<gm>>, memref<?xf16, #hivm.address_space<ub>>) -> ()
      "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE3>}> : () -> ()
      "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE3>}> : () -> ()
      "hivm.hir.store"(%90, %88) <{may_implicit_transpose_with_last_axis = false}> : (memref<?xf16, #hivm.address_space<ub>>, memref<?xf16, strided<[1], offset: ?>, #hivm.address_space<gm>>) -> ()
      "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE3>, static_event_id = #hivm.event<EVENT_ID1>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
      "scf.yield"() : () -> ()
    }) {__tiled_for___3, pipeline.veconly} : (index, index, index) -> ()
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE3>, static_event_id = #hivm.event<EVENT_ID1>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "func.return"() : () -> ()
  }) {enable_auto_mark_buffer_size, hacc.always_inline, hacc.block_dim = 12 : i64, hacc.function_kind = #hacc.function_kind<DEVICE>, hacc.get_tiling_struct_size_function = #hacc.get_tiling_struct_size_function<@matmul_add_mul_0_get_tiling_struct_size_function>, hfusion.fusion_kind = #hfusion.fusion_kind<LAST_AXIS_PBR>, hivm.func_core_type = #hivm.func_core_type<AIV>, hivm.storage_aligned} : () -> ()
  "func.func"() <{arg_attrs = [{hacc.arg_type = #hacc.arg_type<input>, hacc.input_idx = #hacc.input_idx<0>}, {hacc.arg_type = #hacc.arg_type<input>, hacc.input_idx = #hacc.input_idx<1>}, {hacc.arg_type = #hacc.arg_type<input>, hacc.input_idx = #hacc.input_idx<2>}, {hacc.arg_type = #hacc.arg_type<input>, hacc.input_idx = #hacc.input_idx<3>}, {hacc.arg_type = #hacc.arg_type<input>, hacc.input_idx = #hacc.input_idx<4>}], function_type = (memref<1024x512xf16>, memref<512x768xf16>, memref<1024x768xf16>, memref<1024x768xf16>, memref<1024x768xf16>) -> index, sym_name = "matmul_add_mul_infer_workspace_shape_function"}> ({
  ^bb0(%arg15: memref<1024x512xf16>, %arg16: memref<512x768xf16>, %arg17: memref<1024x768xf16>, %arg18: memref<1024x768xf16>, %arg19: memref<1024x768xf16>):
    %47 = "arith.constant"() <{value = 786432 : index}> : () -> index
    "func.return"(%47) : (index) -> ()
  }) {hacc.function_kind = #hacc.function_kind<HOST>, hacc.host_func_type = #hacc.host_func_type<infer_workspace_shape_function>} : () -> ()
  "func.func"() <{arg_attrs = [{hacc.arg_type = #hacc.arg_type<ffts_base_address>}, {hacc.arg_type = #hacc.arg_type<input>, hacc.input_idx = #hacc.input_idx<0>}, {hacc.arg_type = #hacc.arg_type<input>, hacc.input_idx = #hacc.input_idx<1>}, {hacc.arg_type = #hacc.arg_type<input>, hacc.input_idx = #hacc.input_idx<2>}, {hacc.arg_type = #hacc.arg_type<input>, hacc.input_idx = #hacc.input_idx<3>}, {hacc.arg_type = #hacc.arg_type<input>, hacc.input_idx = #hacc.input_idx<4>}, {hacc.arg_type = #hacc.arg_type<workspace>}], function_type = (i64, memref<1024x512xf16, #hivm.address_space<gm>>, memref<512x768xf16, #hivm.address_space<gm>>, memref<1024x768xf16, #hivm.address_space<gm>>, memref<1024x768xf16, #hivm.address_space<gm>>, memref<1024x768xf16, #hivm.address_space<gm>>, memref<786432xf32, #hivm.address_space<gm>>) -> (), sym_name = "matmul_add_mul_mix_aic"}> ({
  ^bb0(%arg8: i64, %arg9: memref<1024x512xf16, #hivm.address_space<gm>>, %arg10: memref<512x768xf16, #hivm.address_space<gm>>, %arg11: memref<1024x768xf16, #hivm.address_space<gm>>, %arg12: memref<1024x768xf16, #hivm.address_space<gm>>, %arg13: memref<1024x768xf16, #hivm.address_space<gm>>, %arg14: memref<786432xf32, #hivm.address_space<gm>>):
    "hivm.hir.set_ffts_base_addr"(%arg8) : (i64) -> ()
    "hivm.hir.set_mask_norm"() : () -> ()
    %45 = "memref.reinterpret_cast"(%arg14) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = array<i64: 0>, static_sizes = array<i64: 1024, 768>, static_strides = array<i64: 768, 1>}> : (memref<786432xf32, #hivm.address_space<gm>>) -> memref<1024x768xf32, strided<[768, 1]>, #hivm.address_space<gm>>
    %46 = "memref.cast"(%45) : (memref<1024x768xf32, strided<[768, 1]>, #hivm.address_space<gm>>) -> memref<1024x768xf32, #hivm.address_space<gm>>
    "hivm.hir.matmul"(%arg9, %arg10, %46) <{operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1>}> : (memref<1024x512xf16, #hivm.address_space<gm>>, memref<512x768xf16, #hivm.address_space<gm>>, memref<1024x768xf32, #hivm.address_space<gm>>) -> ()
    "annotation.mark"(%46) : (memref<1024x768xf32, #hivm.address_space<gm>>) -> ()
    "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_ALL>}> : () -> ()
    "func.return"() : () -> ()
  }) {enable_auto_mark_buffer_size, hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hacc.infer_workspace_shape_function = #hacc.infer_workspace_shape_function<@matmul_add_mul_infer_workspace_shape_function>, hfusion.fusion_kind = #hfusion.fusion_kind<SHALLOW_CV>, hivm.func_core_type = #hivm.func_core_type<AIC>, hivm.part_of_mix, hivm.storage_aligned} : () -> ()
  "func.func"() <{arg_attrs = [{hacc.arg_type = #hacc.arg_type<ffts_base_address>}, {hacc.arg_type = #hacc.arg_type<input>, hacc.input_idx = #hacc.input_idx<0>}, {hacc.arg_type = #hacc.arg_type<input>, hacc.input_idx = #hacc.input_idx<1>}, {hacc.arg_type = #hacc.arg_type<input>, hacc.input_idx = #hacc.input_idx<2>}, {hacc.arg_type = #hacc.arg_type<input>, hacc.input_idx = #hacc.input_idx<3>}, {hacc.arg_type = #hacc.arg_type<input>, hacc.input_idx = #hacc.input_idx<4>}, {hacc.arg_type = #hacc.arg_type<workspace>}], function_type = (i64, memref<1024x512xf16, #hivm.address_space<gm>>, memref<512x768xf16, #hivm.address_space<gm>>, memref<1024x768xf16, #hivm.address_space<gm>>, memref<1024x768xf16, #hivm.address_space<gm>>, memref<1024x768xf16, #hivm.address_space<gm>>, memref<786432xf32, #hivm.address_space<gm>>) -> (), sym_name = "matmul_add_mul_mix_aiv"}> ({
  ^bb0(%arg0: i64, %arg1: memref<1024x512xf16, #hivm.address_space<gm>>, %arg2: memref<512x768xf16, #hivm.address_space<gm>>, %arg3: memref<1024x768xf16, #hivm.address_space<gm>>, %arg4: memref<1024x768xf16, #hivm.address_space<gm>>, %arg5: memref<1024x768xf16, #hivm.address_space<gm>>, %arg6: memref<786432xf32, #hivm.address_space<gm>>):
    %0 = "arith.constant"() <{value = 87296 : i64}> : () -> i64
    %1 = "arith.constant"() <{value = 65472 : i64}> : () -> i64
    %2 = "arith.constant"() <{value = 43648 : i64}> : () -> i64
    %3 = "arith.constant"() <{value = 0 : i64}> : () -> i64
    %4 = "arith.constant"() <{value = 0 : index}> : () -> index
    %5 = "arith.constant"() <{value = 12 : index}> : () -> index
    "hivm.hir.set_ffts_base_addr"(%arg0) : (i64) -> ()
    "hivm.hir.set_mask_norm"() : () -> ()
    %6 = "memref.reinterpret_cast"(%arg6) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = array<i64: 0>, static_sizes = array<i64: 1024, 768>, static_strides = array<i64: 768, 1>}> : (memref<786432xf32, #hivm.address_space<gm>>) -> memref<1024x768xf32, strided<[768, 1]>, #hivm.address_space<gm>>
    %7 = "hivm.hir.get_sub_block_idx"() : () -> i64
    %8 = "arith.index_cast"(%7) : (i64) -> index
    %9 = "arith.cmpi"(%8, %4) <{predicate = 0 : i64}> : (index, index) -> i1
    %10 = "hivm.hir.get_block_idx"() : () -> i64
    %11 = "arith.index_cast"(%10) : (i64) -> index
    %12 = "affine.apply"(%11) <{map = #map}> : (index) -> index
    "scf.for"(%4, %12, %5) ({
    ^bb0(%arg7: index):
      %13 = "affine.apply"(%11, %arg7) <{map = #map1}> : (index, index) -> index
      %14 = "affine.min"(%11, %arg7) <{map = #map2}> : (index, index) -> index
      %15 = "memref.subview"(%6, %13, %14) <{operandSegmentSizes = array<i32: 1, 1, 1, 0>, static_offsets = array<i64: -9223372036854775808, 0>, static_sizes = array<i64: -9223372036854775808, 768>, static_strides = array<i64: 1, 1>}> : (memref<1024x768xf32, strided<[768, 1]>, #hivm.address_space<gm>>, index, index) -> memref<?x768xf32, strided<[768, 1], offset: ?>, #hivm.address_space<gm>>
      %16 = "hivm.hir.pointer_cast"(%3) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<43648xi8, #hivm.address_space<ub>>
      %17 = "memref.view"(%16, %4, %14) : (memref<43648xi8, #hivm.address_space<ub>>, index, index) -> memref<?x768xf32, #hivm.address_space<ub>>
      %18 = "memref.collapse_shape"(%15) <{reassociation = [[0, 1]]}> : (memref<?x768xf32, strided<[768, 1], offset: ?>, #hivm.address_space<gm>>) -> memref<?xf32, strided<[1], offset: ?>, #hivm.address_space<gm>>
      %19 = "memref.collapse_shape"(%17) <{reassociation = [[0, 1]]}> : (memref<?x768xf32, #hivm.address_space<ub>>) -> memref<?xf32, #hivm.address_space<ub>>
      "hivm.hir.load"(%18, %19) <{init_out_buffer = false, may_implicit_transpose_with_last_axis = false, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0>}> : (memref<?xf32, strided<[1], offset: ?>, #hivm.address_space<gm>>, memref<?xf32, #hivm.address_space<ub>>) -> ()
      %20 = "memref.subview"(%arg3, %13, %14) <{operandSegmentSizes = array<i32: 1, 1, 1, 0>, static_offsets = array<i64: -9223372036854775808, 0>, static_sizes = array<i64: -9223372036854775808, 768>, static_strides = array<i64: 1, 1>}> : (memref<1024x768xf16, #hivm.address_space<gm>>, index, index) -> memref<?x768xf16, strided<[768, 1], offset: ?>, #hivm.address_space<gm>>
      %21 = "hivm.hir.pointer_cast"(%2) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<21824xi8, #hivm.address_space<ub>>
      %22 = "memref.view"(%21, %4, %14) : (memref<21824xi8, #hivm.address_space<ub>>, index, index) -> memref<?x768xf16, #hivm.address_space<ub>>
      %23 = "memref.collapse_shape"(%20) <{reassociation = [[0, 1]]}> : (memref<?x768xf16, strided<[768, 1], offset: ?>, #hivm.address_space<gm>>) -> memref<?xf16, strided<[1], offset: ?>, #hivm.address_space<gm>>
      %24 = "memref.collapse_shape"(%22) <{reassociation = [[0, 1]]}> : (memref<?x768xf16, #hivm.address_space<ub>>) -> memref<?xf16, #hivm.address_space<ub>>
      "hivm.hir.load"(%23, %24) <{init_out_buffer = false, may_implicit_transpose_with_last_axis = false, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0>}> : (memref<?xf16, strided<[1], offset: ?>, #hivm.address_space<gm>>, memref<?xf16, #hivm.address_space<ub>>) -> ()
      %25 = "memref.subview"(%arg4, %13, %14) <{operandSegmentSizes = array<i32: 1, 1, 1, 0>, static_offsets = array<i64: -9223372036854775808, 0>, static_sizes = array<i64: -9223372036854775808, 768>, static_strides = array<i64: 1, 1>}> : (memref<1024x768xf16, #hivm.address_space<gm>>, index, index) -> memref<?x768xf16, strided<[768, 1], offset: ?>, #hivm.address_space<gm>>
      %26 = "hivm.hir.pointer_cast"(%1) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<21824xi8, #hivm.address_space<ub>>
      %27 = "memref.view"(%26, %4, %14) : (memref<21824xi8, #hivm.address_space<ub>>, index, index) -> memref<?x768xf16, #hivm.address_space<ub>>
      %28 = "memref.collapse_shape"(%25) <{reassociation = [[0, 1]]}> : (memref<?x768xf16, strided<[768, 1], offset: ?>, #hivm.address_space<gm>>) -> memref<?xf16, strided<[1], offset: ?>, #hivm.address_space<gm>>
      %29 = "memref.collapse_shape"(%27) <{reassociation = [[0, 1]]}> : (memref<?x768xf16, #hivm.address_space<ub>>) -> memref<?xf16, #hivm.address_space<ub>>
      "hivm.hir.load"(%28, %29) <{init_out_buffer = false, may_implicit_transpose_with_last_axis = false, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0>}> : (memref<?xf16, strided<[1], offset: ?>, #hivm.address_space<gm>>, memref<?xf16, #hivm.address_space<ub>>) -> ()
      %30 = "memref.subview"(%arg5, %13, %14) <{operandSegmentSizes = array<i32: 1, 1, 1, 0>, static_offsets = array<i64: -9223372036854775808, 0>, static_sizes = array<i64: -9223372036854775808, 768>, static_strides = array<i64: 1, 1>}> : (memref<1024x768xf16, #hivm.address_space<gm>>, index, index) -> memref<?x768xf16, strided<[768, 1], offset: ?>, #hivm.address_space<gm>>
      %31 = "hivm.hir.pointer_cast"(%3) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<21824xi8, #hivm.address_space<ub>>
      %32 = "memref.view"(%31, %4, %14) : (memref<21824xi8, #hivm.address_space<ub>>, index, index) -> memref<?x768xf16, #hivm.address_space<ub>>
      %33 = "memref.collapse_shape"(%32) <{reassociation = [[0, 1]]}> : (memref<?x768xf16, #hivm.address_space<ub>>) -> memref<?xf16, #hivm.address_space<ub>>
      "hivm.hir.vcast"(%19, %33) <{broadcast = array<i64>, cast = #hivm.cast<cast_signed>, operandSegmentSizes = array<i32: 1, 1, 0>, round_mode = #hivm.round_mode<rint>, transpose = array<i64>}> : (memref<?xf32, #hivm.address_space<ub>>, memref<?xf16, #hivm.address_space<ub>>) -> ()
      %34 = "hivm.hir.pointer_cast"(%2) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<21824xi8, #hivm.address_space<ub>>
      %35 = "memref.view"(%34, %4, %14) : (memref<21824xi8, #hivm.address_space<ub>>, index, index) -> memref<?x768xf16, #hivm.address_space<ub>>
      %36 = "memref.collapse_shape"(%35) <{reassociation = [[0, 1]]}> : (memref<?x768xf16, #hivm.address_space<ub>>) -> memref<?xf16, #hivm.address_space<ub>>
      "hivm.hir.vadd"(%33, %24, %36) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 2, 1, 0>, transpose = array<i64>}> : (memref<?xf16, #hivm.address_space<ub>>, memref<?xf16, #hivm.address_space<ub>>, memref<?xf16, #hivm.address_space<ub>>) -> ()
      %37 = "hivm.hir.pointer_cast"(%1) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<21824xi8, #hivm.address_space<ub>>
      %38 = "memref.view"(%37, %4, %14) : (memref<21824xi8, #hivm.address_space<ub>>, index, index) -> memref<?x768xf16, #hivm.address_space<ub>>
      %39 = "memref.collapse_shape"(%38) <{reassociation = [[0, 1]]}> : (memref<?x768xf16, #hivm.address_space<ub>>) -> memref<?xf16, #hivm.address_space<ub>>
      "hivm.hir.vmul"(%36, %29, %39) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 2, 1, 0>, transpose = array<i64>}> : (memref<?xf16, #hivm.address_space<ub>>, memref<?xf16, #hivm.address_space<ub>>, memref<?xf16, #hivm.address_space<ub>>) -> ()
      "scf.if"(%9) ({
        %44 = "memref.collapse_shape"(%30) <{reassociation = [[0, 1]]}> : (memref<?x768xf16, strided<[768, 1], offset: ?>, #hivm.address_space<gm>>) -> memref<?xf16, strided<[1], offset: ?>, #hivm.address_space<gm>>
        "hivm.hir.store"(%39, %44) <{atomic_kind = #hivm.atomic_kind<none>, may_implicit_transpose_with_last_axis = false}> : (memref<?xf16, #hivm.address_space<ub>>, memref<?xf16, strided<[1], offset: ?>, #hivm.address_space<gm>>) -> ()
        "scf.yield"() : () -> ()
      }, {
      }) : (i1) -> ()
      %40 = "hivm.hir.pointer_cast"(%0) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<21824xi8, #hivm.address_space<ub>>
      %41 = "memref.view"(%40, %4, %14) : (memref<21824xi8, #hivm.address_space<ub>>, index, index) -> memref<?x768xf16, #hivm.address_space<ub>>
      %42 = "memref.collapse_shape"(%30) <{reassociation = [[0, 1]]}> : (memref<?x768xf16, strided<[768, 1], offset: ?>, #hivm.address_space<gm>>) -> memref<?xf16, strided<[1], offset: ?>, #hivm.address_space<gm>>
      %43 = "memref.collapse_shape"(%41) <{reassociation = [[0, 1]]}> : (memref<?x768xf16, #hivm.address_space<ub>>) -> memref<?xf16, #hivm.address_space<ub>>
      "hivm.hir.load"(%42, %43) <{init_out_buffer = false, may_implicit_transpose_with_last_axis = false, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0>}> : (memref<?xf16, strided<[1], offset: ?>, #hivm.address_space<gm>>, memref<?xf16, #hivm.address_space<ub>>) -> ()
      "hivm.hir.store"(%43, %42) <{may_implicit_transpose_with_last_axis = false}> : (memref<?xf16, #hivm.address_space<ub>>, memref<?xf16, strided<[1], offset: ?>, #hivm.address_space<gm>>) -> ()
      "scf.yield"() : () -> ()
    }) {__tiled_for___3, pipeline.veconly} : (index, index, index) -> ()
    "func.return"() : () -> ()
  }) {enable_auto_mark_buffer_size, hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hacc.infer_workspace_shape_function = #hacc.infer_workspace_shape_function<@matmul_add_mul_infer_workspace_shape_function>, hfusion.fusion_kind = #hfusion.fusion_kind<SHALLOW_CV>, hivm.func_core_type = #hivm.func_core_type<AIV>, hivm.part_of_mix, hivm.storage_aligned} : () -> ()
}) {dlti.target_system_spec = #dlti.target_system_spec<"NPU" : #hacc.target_device_spec<#dlti.dl_entry<"AI_CORE_COUNT", 24 : i32>, #dlti.dl_entry<"CUBE_CORE_COUNT", 24 : i32>, #dlti.dl_entry<"VECTOR_CORE_COUNT", 48 : i32>, #dlti.dl_entry<"UB_SIZE", 1572864 : i32>, #dlti.dl_entry<"L1_SIZE", 4194304 : i32>, #dlti.dl_entry<"L0A_SIZE", 524288 : i32>, #dlti.dl_entry<"L0B_SIZE", 524288 : i32>, #dlti.dl_entry<"L0C_SIZE", 1048576 : i32>, #dlti.dl_entry<"UB_ALIGN_SIZE", 256 : i32>, #dlti.dl_entry<"L1_ALIGN_SIZE", 256 : i32>, #dlti.dl_entry<"L0C_ALIGN_SIZE", 4096 : i32>>>, hacc.hivmc_compatible_print = false, hacc.hivmc_version = #hacc.hivmc_version<"0.2.0">, hivm.module_core_type = #hivm.module_core_type<MIX>} : () -> ()
