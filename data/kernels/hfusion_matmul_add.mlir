// A matrix product, then an addition and a product by element: cube and vector cores in one kernel.
// parameters: block-dim = 24, 20, 8; hfusion-max-buffer-count-tuning = 0, 2, 4, 8

module {
  func.func @matmul_add_mul(%a: tensor<1024x512xf16>, %b: tensor<512x768xf16>, %c: tensor<1024x768xf16>, %d: tensor<1024x768xf16>, %out: tensor<1024x768xf16>) -> tensor<1024x768xf16>
      attributes {hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hfusion.fusion_kind = #hfusion.fusion_kind<SHALLOW_CV>} {
    %empty = tensor.empty() : tensor<1024x768xf16>
    %product = linalg.matmul ins(%a, %b : tensor<1024x512xf16>, tensor<512x768xf16>) outs(%empty : tensor<1024x768xf16>) -> tensor<1024x768xf16>
    %sum = linalg.elemwise_binary {fun = #linalg.binary_fn<add>} ins(%product, %c : tensor<1024x768xf16>, tensor<1024x768xf16>) outs(%empty : tensor<1024x768xf16>) -> tensor<1024x768xf16>
    %scaled = linalg.elemwise_binary {fun = #linalg.binary_fn<mul>} ins(%sum, %d : tensor<1024x768xf16>, tensor<1024x768xf16>) outs(%out : tensor<1024x768xf16>) -> tensor<1024x768xf16>
    return %scaled : tensor<1024x768xf16>
  }
}
