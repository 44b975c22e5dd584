// The sum of exp(x) over each row of 768 x 2048 floats: a reduction that HFusion tiles on its own.
// parameters: block-dim = 24, 1, 8, 16, 40, 48; hfusion-max-buffer-count-tuning = 0, 1, 2, 4, 8, 16

module {
  func.func @row_sum_exp(%x: tensor<768x2048xf32>, %out: tensor<768xf32>) -> tensor<768xf32>
      attributes {hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hfusion.fusion_kind = #hfusion.fusion_kind<ANY_PBR>} {
    %zero = arith.constant 0.000000e+00 : f32
    %empty = tensor.empty() : tensor<768x2048xf32>
    %powers = linalg.elemwise_unary {fun = #linalg.unary_fn<exp>} ins(%x : tensor<768x2048xf32>) outs(%empty : tensor<768x2048xf32>) -> tensor<768x2048xf32>
    %start = linalg.fill ins(%zero : f32) outs(%out : tensor<768xf32>) -> tensor<768xf32>
    %sums = linalg.reduce {arith.addf} ins(%powers : tensor<768x2048xf32>) outs(%start : tensor<768xf32>) dimensions = [1]
    return %sums : tensor<768xf32>
  }
}
