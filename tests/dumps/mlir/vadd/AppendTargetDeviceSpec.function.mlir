module attributes {dlti.target_system_spec = #dlti.target_system_spec<"NPU" : #hacc.target_device_spec<#dlti.dl_entry<"AI_CORE_COUNT", 24 : i32>, #dlti.dl_entry<"CUBE_CORE_COUNT", 24 : i32>, #dlti.dl_entry<"VECTOR_CORE_COUNT", 48 : i32>, #dlti.dl_entry<"UB_SIZE", 1572864 : i32>, #dlti.dl_entry<"L1_SIZE", 4194304 : i32>, #dlti.dl_entry<"L0A_SIZE", 524288 : i32>, #dlti.dl_entry<"L0B_SIZE", 524288 : i32>, #dlti.dl_entry<"L0C_SIZE", 1048576 : i32>, #dlti.dl_entry<"UB_ALIGN_SIZE", 256 : i32>, #dlti.dl_entry<"L1_ALIGN_SIZE", 256 : i32>, #dlti.dl_entry<"L0C_ALIGN_SIZE", 4096 : i32>>>, hacc.hivmc_compatible_print = false, hacc.hivmc_version = #hacc.hivmc_version<"0.2.0">} {
  func.func @vadd(%arg0: memref<1048576xf32, #hivm.address_space<gm>>, %arg1: memref<1048576xf32, #hivm.address_space<gm>>, %arg2: memref<1048576xf32, #hivm.address_space<gm>>) attributes {hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>} {
    %c0 = arith.constant 0 : index
    %c1048576 = arith.constant 1048576 : index
    %c1024 = arith.constant 1024 : index
    scf.for %arg3 = %c0 to %c1048576 step %c1024 {
      %subview = memref.subview %arg0[%arg3] [1024] [1] : memref<1048576xf32, #hivm.address_space<gm>> to memref<1024xf32, strided<[1], offset: ?>, #hivm.address_space<gm>>
      %subview_0 = memref.subview %arg1[%arg3] [1024] [1] : memref<1048576xf32, #hivm.address_space<gm>> to memref<1024xf32, strided<[1], offset: ?>, #hivm.address_space<gm>>
      %subview_1 = memref.subview %arg2[%arg3] [1024] [1] : memref<1048576xf32, #hivm.address_space<gm>> to memref<1024xf32, strided<[1], offset: ?>, #hivm.address_space<gm>>
      %alloc = memref.alloc() : memref<1024xf32, #hivm.address_space<ub>>
      hivm.hir.load ins(%subview : memref<1024xf32, strided<[1], offset: ?>, #hivm.address_space<gm>>) outs(%alloc : memref<1024xf32, #hivm.address_space<ub>>)
      %alloc_2 = memref.alloc() : memref<1024xf32, #hivm.address_space<ub>>
      hivm.hir.load ins(%subview_0 : memref<1024xf32, strided<[1], offset: ?>, #hivm.address_space<gm>>) outs(%alloc_2 : memref<1024xf32, #hivm.address_space<ub>>)
      %alloc_3 = memref.alloc() : memref<1024xf32, #hivm.address_space<ub>>
      hivm.hir.vadd ins(%alloc, %alloc_2 : memref<1024xf32, #hivm.address_space<ub>>, memref<1024xf32, #hivm.address_space<ub>>) outs(%alloc_3 : memref<1024xf32, #hivm.address_space<ub>>)
      hivm.hir.store ins(%alloc_3 : memref<1024xf32, #hivm.address_space<ub>>) outs(%subview_1 : memref<1024xf32, strided<[1], offset: ?>, #hivm.address_space<gm>>)
    }
    return
  }
}
