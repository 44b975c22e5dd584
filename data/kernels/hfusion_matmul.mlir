// A matrix product that HFusion tiles for the cube: the blocks can be chosen, their sizes in order
// M, N, K of a core's block, M, N, K of one step, split of K, direction, offset.
// parameters: block-dim = 24, 20, 8; cube-tiling-tuning = "128,256,64,128,256,64,0,1,1", "128,128,64,128,128,64,0,1,1", "256,128,64,256,128,64,0,1,1", "64,64,64,64,64,64,0,1,1"

module {
  func.func @matmul(%a: tensor<?x2048xf16>, %b: tensor<3072x2048xf16>, %c: tensor<?x3072xf16> {hacc.arg_type = #hacc.arg_type<output>, hacc.output_idx = #hacc.output_idx<0>}) -> tensor<?x3072xf16>
      attributes {hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hfusion.fusion_kind = #hfusion.fusion_kind<SINGLE_CUBE>} {
    %product = linalg.matmul_transpose_b ins(%a, %b : tensor<?x2048xf16>, tensor<3072x2048xf16>) outs(%c : tensor<?x3072xf16>) -> tensor<?x3072xf16>
    return %product : tensor<?x3072xf16>
  }
}
