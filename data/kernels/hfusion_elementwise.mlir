// (a + b) * c on matrices of 2048 x 1024 floats: HFusion chooses the tile and spreads it over cores.
// parameters: block-dim = 24, 1, 8, 16, 40, 48; hfusion-max-buffer-count-tuning = 0, -2, 1, 2, 4, 8, 16

module {
  func.func @add_mul(%a: tensor<2048x1024xf32>, %b: tensor<2048x1024xf32>, %c: tensor<2048x1024xf32>, %out: tensor<2048x1024xf32>) -> tensor<2048x1024xf32>
      attributes {hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hfusion.fusion_kind = #hfusion.fusion_kind<PURE_ELEMWISE>} {
    %empty = tensor.empty() : tensor<2048x1024xf32>
    %sum = linalg.elemwise_binary {fun = #linalg.binary_fn<add>} ins(%a, %b : tensor<2048x1024xf32>, tensor<2048x1024xf32>) outs(%empty : tensor<2048x1024xf32>) -> tensor<2048x1024xf32>
    %product = linalg.elemwise_binary {fun = #linalg.binary_fn<mul>} ins(%sum, %c : tensor<2048x1024xf32>, tensor<2048x1024xf32>) outs(%out : tensor<2048x1024xf32>) -> tensor<2048x1024xf32>
    return %product : tensor<2048x1024xf32>
  }
}
