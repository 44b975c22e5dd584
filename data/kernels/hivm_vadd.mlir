// Adds two vectors of 1,048,576 floats, TILE at a time: two buffers of UB, 24,576 floats fill it.
// parameters: TILE = 8192, 1024, 2048, 4096, 16384, 24576, 24577, 32768

#gm = #hivm.address_space<gm>
#ub = #hivm.address_space<ub>
module {
  func.func @vadd(%x: memref<1048576xf32, #gm>, %y: memref<1048576xf32, #gm>, %z: memref<1048576xf32, #gm>)
      attributes {hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>} {
    %first = arith.constant 0 : index
    %all = arith.constant 1048576 : index
    %step = arith.constant ${TILE} : index
    scf.for %i = %first to %all step %step {
      %x_part = memref.subview %x[%i] [${TILE}] [1] : memref<1048576xf32, #gm> to memref<${TILE}xf32, strided<[1], offset: ?>, #gm>
      %y_part = memref.subview %y[%i] [${TILE}] [1] : memref<1048576xf32, #gm> to memref<${TILE}xf32, strided<[1], offset: ?>, #gm>
      %z_part = memref.subview %z[%i] [${TILE}] [1] : memref<1048576xf32, #gm> to memref<${TILE}xf32, strided<[1], offset: ?>, #gm>
      %left = memref.alloc() : memref<${TILE}xf32, #ub>
      hivm.hir.load ins(%x_part : memref<${TILE}xf32, strided<[1], offset: ?>, #gm>) outs(%left : memref<${TILE}xf32, #ub>)
      %right = memref.alloc() : memref<${TILE}xf32, #ub>
      hivm.hir.load ins(%y_part : memref<${TILE}xf32, strided<[1], offset: ?>, #gm>) outs(%right : memref<${TILE}xf32, #ub>)
      %sum = memref.alloc() : memref<${TILE}xf32, #ub>
      hivm.hir.vadd ins(%left, %right : memref<${TILE}xf32, #ub>, memref<${TILE}xf32, #ub>) outs(%sum : memref<${TILE}xf32, #ub>)
      hivm.hir.store ins(%sum : memref<${TILE}xf32, #ub>) outs(%z_part : memref<${TILE}xf32, strided<[1], offset: ?>, #gm>)
    }
    return
  }
}
