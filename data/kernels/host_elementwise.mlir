// An elementwise function of the host: the compiler outlines a kernel from it, then dies of SIGSEGV.
// parameters: block-dim = 24

module {
  func.func @add_exp(%a: tensor<512x384xf32>, %b: tensor<512x384xf32>, %out: tensor<512x384xf32>) -> tensor<512x384xf32>
      attributes {hacc.entry, hacc.function_kind = #hacc.function_kind<HOST>} {
    %empty = tensor.empty() : tensor<512x384xf32>
    %sum = linalg.elemwise_binary {fun = #linalg.binary_fn<add>} ins(%a, %b : tensor<512x384xf32>, tensor<512x384xf32>) outs(%empty : tensor<512x384xf32>) -> tensor<512x384xf32>
    %powers = linalg.elemwise_unary {fun = #linalg.unary_fn<exp>} ins(%sum : tensor<512x384xf32>) outs(%out : tensor<512x384xf32>) -> tensor<512x384xf32>
    return %powers : tensor<512x384xf32>
  }
}
