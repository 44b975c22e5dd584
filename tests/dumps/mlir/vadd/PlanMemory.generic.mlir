"builtin.module"() ({
  "func.func"() <{function_type = (memref<1048576xf32, #hivm.address_space<gm>>, memref<1048576xf32, #hivm.address_space<gm>>, memref<1048576xf32, #hivm.address_space<gm>>) -> (), sym_name = "vadd"}> ({
  ^bb0(%arg0: memref<1048576xf32, #hivm.address_space<gm>>, %arg1: memref<1048576xf32, #hivm.address_space<gm>>, %arg2: memref<1048576xf32, #hivm.address_space<gm>>):
    %0 = "arith.constant"() <{value = 4096 : i64}> : () -> i64
    %1 = "arith.constant"() <{value = 0 : i64}> : () -> i64
    %2 = "arith.constant"() <{value = 1024 : index}> : () -> index
    %3 = "arith.constant"() <{value = 1048576 : index}> : () -> index
    %4 = "arith.constant"() <{value = 0 : index}> : () -> index
    "hivm.hir.set_mask_norm"() : () -> ()
    "scf.for"(%4, %3, %2) ({
    ^bb0(%arg3: index):
      %5 = "memref.subview"(%arg0, %arg3) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 1024>, static_strides = array<i64: 1>}> : (memref<1048576xf32, #hivm.address_space<gm>>, index) -> memref<1024xf32, strided<[1], offset: ?>, #hivm.address_space<gm>>
      %6 = "memref.subview"(%arg1, %arg3) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 1024>, static_strides = array<i64: 1>}> : (memref<1048576xf32, #hivm.address_space<gm>>, index) -> memref<1024xf32, strided<[1], offset: ?>, #hivm.address_space<gm>>
      %7 = "memref.subview"(%arg2, %arg3) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 1024>, static_strides = array<i64: 1>}> : (memref<1048576xf32, #hivm.address_space<gm>>, index) -> memref<1024xf32, strided<[1], offset: ?>, #hivm.address_space<gm>>
      %8 = "hivm.hir.pointer_cast"(%1) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<1024xf32, #hivm.address_space<ub>>
      "hivm.hir.load"(%5, %8) <{operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0>}> : (memref<1024xf32, strided<[1], offset: ?>, #hivm.address_space<gm>>, memref<1024xf32, #hivm.address_space<ub>>) -> ()
      %9 = "hivm.hir.pointer_cast"(%0) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<1024xf32, #hivm.address_space<ub>>
      "hivm.hir.load"(%6, %9) <{operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0>}> : (memref<1024xf32, strided<[1], offset: ?>, #hivm.address_space<gm>>, memref<1024xf32, #hivm.address_space<ub>>) -> ()
      %10 = "hivm.hir.pointer_cast"(%1) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<1024xf32, #hivm.address_space<ub>>
      "hivm.hir.vadd"(%8, %9, %10) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 2, 1, 0>, transpose = array<i64>}> : (memref<1024xf32, #hivm.address_space<ub>>, memref<1024xf32, #hivm.address_space<ub>>, memref<1024xf32, #hivm.address_space<ub>>) -> ()
      "hivm.hir.store"(%10, %7) : (memref<1024xf32, #hivm.address_space<ub>>, memref<1024xf32, strided<[1], offset: ?>, #hivm.address_space<gm>>) -> ()
      "scf.yield"() : () -> ()
    }) : (index, index, index) -> ()
    "func.return"() : () -> ()
  }) {hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIV>, hivm.storage_aligned} : () -> ()
}) {dlti.target_system_spec = #dlti.target_system_spec<"NPU" : #hacc.target_device_spec<#dlti.dl_entry<"AI_CORE_COUNT", 24 : i32>, #dlti.dl_entry<"CUBE_CORE_COUNT", 24 : i32>, #dlti.dl_entry<"VECTOR_CORE_COUNT", 48 : i32>, #dlti.dl_entry<"UB_SIZE", 1572864 : i32>, #dlti.dl_entry<"L1_SIZE", 4194304 : i32>, #dlti.dl_entry<"L0A_SIZE", 524288 : i32>, #dlti.dl_entry<"L0B_SIZE", 524288 : i32>, #dlti.dl_entry<"L0C_SIZE", 1048576 : i32>, #dlti.dl_entry<"UB_ALIGN_SIZE", 256 : i32>, #dlti.dl_entry<"L1_ALIGN_SIZE", 256 : i32>, #dlti.dl_entry<"L0C_ALIGN_SIZE", 4096 : i32>>>, hacc.hivmc_compatible_print = false, hacc.hivmc_version = #hacc.hivmc_version<"0.2.0">, hivm.module_core_type = #hivm.module_core_type<AIV>} : () -> ()
