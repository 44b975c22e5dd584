"builtin.module"() ({
  "func.func"() <{function_type = (memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<gm>>, memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<ub>>, i32, f32, index) -> (), sym_name = "load_gm_to_ubuf_1d_float", sym_visibility = "private"}> ({
  }) {hacc.always_inline, hivm.func_core_type = #hivm.func_core_type<AIV>, llvm.emit_c_interface} : () -> ()
  "func.func"() <{function_type = (memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<ub>>, memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<ub>>, memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<ub>>, memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<ub>>) -> (), sym_name = "vadd_1d_float", sym_visibility = "private"}> ({
  }) {hacc.always_inline, hivm.func_core_type = #hivm.func_core_type<AIV>, llvm.emit_c_interface} : () -> ()
  "func.func"() <{function_type = (memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<ub>>, memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<gm>>, i32) -> (), sym_name = "store_ubuf_to_gm_1d_float", sym_visibility = "private"}> ({
  }) {hacc.always_inline, hivm.func_core_type = #hivm.func_core_type<AIV>, llvm.emit_c_interface} : () -> ()
  "func.func"() <{function_type = (memref<1048576xf32, #hivm.address_space<gm>>, memref<1048576xf32, #hivm.address_space<gm>>, memref<1048576xf32, #hivm.address_space<gm>>) -> (), sym_name = "vadd"}> ({
  ^bb0(%arg0: memref<1048576xf32, #hivm.address_space<gm>>, %arg1: memref<1048576xf32, #hivm.address_space<gm>>, %arg2: memref<1048576xf32, #hivm.address_space<gm>>):
    %0 = "arith.constant"() <{value = 0.000000e+00 : f32}> : () -> f32
    %1 = "arith.constant"() <{value = 0 : i32}> : () -> i32
    %2 = "arith.constant"() <{value = 4096 : i64}> : () -> i64
    %3 = "arith.constant"() <{value = 0 : i64}> : () -> i64
    %4 = "arith.constant"() <{value = 1024 : index}> : () -> index
    %5 = "arith.constant"() <{value = 1048576 : index}> : () -> index
    %6 = "arith.constant"() <{value = 0 : index}> : () -> index
    "hivm.hir.set_mask_norm"() : () -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE3>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "scf.for"(%6, %5, %4) ({
    ^bb0(%arg3: index):
      %7 = "memref.subview"(%arg0, %arg3) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 1024>, static_strides = array<i64: 1>}> : (memref<1048576xf32, #hivm.address_space<gm>>, index) -> memref<1024xf32, strided<[1], offset: ?>, #hivm.address_space<gm>>
      %8 = "memref.subview"(%arg1, %arg3) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 1024>, static_strides = array<i64: 1>}> : (memref<1048576xf32, #hivm.address_space<gm>>, index) -> memref<1024xf32, strided<[1], offset: ?>, #hivm.address_space<gm>>
      %9 = "memref.subview"(%arg2, %arg3) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 1024>, static_strides = array<i64: 1>}> : (memref<1048576xf32, #hivm.address_space<gm>>, index) -> memref<1024xf32, strided<[1], offset: ?>, #hivm.address_space<gm>>
      %10 = "hivm.hir.pointer_cast"(%3) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<1024xf32, #hivm.address_space<ub>>
      "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE3>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
      %11 = "memref.cast"(%7) : (memref<1024xf32, strided<[1], offset: ?>, #hivm.address_space<gm>>) -> memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<gm>>
      %12 = "memref.cast"(%10) : (memref<1024xf32, #hivm.address_space<ub>>) -> memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<ub>>
      "func.call"(%11, %12, %1, %0, %6) <{callee = @load_gm_to_ubuf_1d_float}> : (memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<gm>>, memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<ub>>, i32, f32, index) -> ()
      %13 = "hivm.hir.pointer_cast"(%2) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<1024xf32, #hivm.address_space<ub>>
      %14 = "memref.cast"(%8) : (memref<1024xf32, strided<[1], offset: ?>, #hivm.address_space<gm>>) -> memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<gm>>
      %15 = "memref.cast"(%13) : (memref<1024xf32, #hivm.address_space<ub>>) -> memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<ub>>
      "func.call"(%14, %15, %1, %0, %6) <{callee = @load_gm_to_ubuf_1d_float}> : (memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<gm>>, memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<ub>>, i32, f32, index) -> ()
      "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
      %16 = "hivm.hir.pointer_cast"(%3) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<1024xf32, #hivm.address_space<ub>>
      "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
      %17 = "hivm.hir.pointer_cast"(%3) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<0xf32, #hivm.address_space<ub>>
      %18 = "memref.cast"(%10) : (memref<1024xf32, #hivm.address_space<ub>>) -> memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<ub>>
      %19 = "memref.cast"(%13) : (memref<1024xf32, #hivm.address_space<ub>>) -> memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<ub>>
      %20 = "memref.cast"(%16) : (memref<1024xf32, #hivm.address_space<ub>>) -> memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<ub>>
      %21 = "memref.cast"(%17) : (memref<0xf32, #hivm.address_space<ub>>) -> memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<ub>>
      "func.call"(%18, %19, %20, %21) <{callee = @vadd_1d_float}> : (memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<ub>>, memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<ub>>, memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<ub>>, memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<ub>>) -> ()
      "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE3>}> : () -> ()
      "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE3>}> : () -> ()
      %22 = "memref.cast"(%16) : (memref<1024xf32, #hivm.address_space<ub>>) -> memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<ub>>
      %23 = "memref.cast"(%9) : (memref<1024xf32, strided<[1], offset: ?>, #hivm.address_space<gm>>) -> memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<gm>>
      "func.call"(%22, %23, %1) <{callee = @store_ubuf_to_gm_1d_float}> : (memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<ub>>, memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<gm>>, i32) -> ()
      "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE3>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
      "scf.yield"() : () -> ()
    }) : (index, index, index) -> ()
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE3>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_ALL>}> : () -> ()
    "func.return"() : () -> ()
  }) {hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIV>, hivm.storage_aligned} : () -> ()
}) {dlti.target_system_spec = #dlti.target_system_spec<"NPU" : #hacc.target_device_spec<#dlti.dl_entry<"AI_CORE_COUNT", 24 : i32>, #dlti.dl_entry<"CUBE_CORE_COUNT", 24 : i32>, #dlti.dl_entry<"VECTOR_CORE_COUNT", 48 : i32>, #dlti.dl_entry<"UB_SIZE", 1572864 : i32>, #dlti.dl_entry<"L1_SIZE", 4194304 : i32>, #dlti.dl_entry<"L0A_SIZE", 524288 : i32>, #dlti.dl_entry<"L0B_SIZE", 524288 : i32>, #dlti.dl_entry<"L0C_SIZE", 1048576 : i32>, #dlti.dl_entry<"UB_ALIGN_SIZE", 256 : i32>, #dlti.dl_entry<"L1_ALIGN_SIZE", 256 : i32>, #dlti.dl_entry<"L0C_ALIGN_SIZE", 4096 : i32>>>, hacc.hivmc_compatible_print = true, hacc.hivmc_version = #hacc.hivmc_version<"0.2.0">, hivm.module_core_type = #hivm.module_core_type<AIV>} : () -> ()
