"builtin.module"() ({
  "func.func"() <{function_type = (memref<1048576xf32, #hivm.address_space<gm>>, memref<1048576xf32, #hivm.address_space<gm>>, memref<1048576xf32, #hivm.address_space<gm>>) -> (), sym_name = "vadd"}> ({
  ^bb0(%arg0: memref<1048576xf32, #hivm.address_space<gm>>, %arg1: memref<1048576xf32, #hivm.address_space<gm>>, %arg2: memref<1048576xf32, #hivm.address_space<gm>>):
    %0 = "arith.constant"() <{value = 0 : index}> : () -> index
    %1 = "arith.constant"() <{value = 1048576 : index}> : () -> index
    %2 = "arith.constant"() <{value = 1024 : index}> : () -> index
    "scf.for"(%0, %1, %2) ({
    ^bb0(%arg3: index):
      %3 = "memref.subview"(%arg0, %arg3) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 1024>, static_strides = array<i64: 1>}> : (memref<1048576xf32, #hivm.address_space<gm>>, index) -> memref<1024xf32, strided<[1], offset: ?>, #hivm.address_space<gm>>
      %4 = "memref.subview"(%arg1, %arg3) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 1024>, static_strides = array<i64: 1>}> : (memref<1048576xf32, #hivm.address_space<gm>>, index) -> memref<1024xf32, strided<[1], offset: ?>, #hivm.address_space<gm>>
      %5 = "memref.subview"(%arg2, %arg3) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 1024>, static_strides = array<i64: 1>}> : (memref<1048576xf32, #hivm.address_space<gm>>, index) -> memref<1024xf32, strided<[1], offset: ?>, #hivm.address_space<gm>>
      %6 = "memref.alloc"() <{operandSegmentSizes = array<i32: 0, 0>}> : () -> memref<1024xf32, #hivm.address_space<ub>>
      "hivm.hir.load"(%3, %6) <{operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0>}> : (memref<1024xf32, strided<[1], offset: ?>, #hivm.address_space<gm>>, memref<1024xf32, #hivm.address_space<ub>>) -> ()
      %7 = "memref.alloc"() <{operandSegmentSizes = array<i32: 0, 0>}> : () -> memref<1024xf32, #hivm.address_space<ub>>
      "hivm.hir.load"(%4, %7) <{operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0>}> : (memref<1024xf32, strided<[1], offset: ?>, #hivm.address_space<gm>>, memref<1024xf32, #hivm.address_space<ub>>) -> ()
      %8 = "memref.alloc"() <{operandSegmentSizes = array<i32: 0, 0>}> : () -> memref<1024xf32, #hivm.address_space<ub>>
      "hivm.hir.vadd"(%6, %7, %8) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 2, 1, 0>, transpose = array<i64>}> : (memref<1024xf32, #hivm.address_space<ub>>, memref<1024xf32, #hivm.address_space<ub>>, memref<1024xf32, #hivm.address_space<ub>>) -> ()
      "hivm.hir.store"(%8, %5) : (memref<1024xf32, #hivm.address_space<ub>>, memref<1024xf32, strided<[1], offset: ?>, #hivm.address_space<gm>>) -> ()
      "scf.yield"() : () -> ()
    }) : (index, index, index) -> ()
    "func.return"() : () -> ()
  }) {hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>} : () -> ()
}) {dlti.target_system_spec = #dlti.target_system_spec<"NPU" : #hacc.target_device_spec<#dlti.dl_entry<"AI_CORE_COUNT", 24 : i32>, #dlti.dl_entry<"CUBE_CORE_COUNT", 24 : i32>, #dlti.dl_entry<"VECTOR_CORE_COUNT", 48 : i32>, #dlti.dl_entry<"UB_SIZE", 1572864 : i32>, #dlti.dl_entry<"L1_SIZE", 4194304 : i32>, #dlti.dl_entry<"L0A_SIZE", 524288 : i32>, #dlti.dl_entry<"L0B_SIZE", 524288 : i32>, #dlti.dl_entry<"L0C_SIZE", 1048576 : i32>, #dlti.dl_entry<"UB_ALIGN_SIZE", 256 : i32>, #dlti.dl_entry<"L1_ALIGN_SIZE", 256 : i32>, #dlti.dl_entry<"L0C_ALIGN_SIZE", 4096 : i32>>>, hacc.hivmc_compatible_print = false, hacc.hivmc_version = #hacc.hivmc_version<"0.2.0">} : () -> ()
