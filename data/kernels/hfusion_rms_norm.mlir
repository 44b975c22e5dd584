// RMS norm of 512 rows of 256 floats: a reduction, a broadcast back, and a weight for each column.
// parameters: block-dim = 24, 1, 8, 16, 40, 48; hfusion-max-buffer-count-tuning = 0, 1, 2, 4, 8, 16

module {
  func.func @rms_norm(%x: tensor<512x256xf32>, %weight: tensor<256xf32>, %out: tensor<512x256xf32>, %factor_out: tensor<512xf32>) -> (tensor<512x256xf32>, tensor<512xf32>)
      attributes {hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hfusion.fusion_kind = #hfusion.fusion_kind<ANY_PBR>} {
    %share = arith.constant 3.906250e-03 : f32
    %little = arith.constant 1.000000e-05 : f32
    %zero = arith.constant 0.000000e+00 : f32
    %row = tensor.empty() : tensor<512xf32>
    %whole = tensor.empty() : tensor<512x256xf32>
    %squares = linalg.elemwise_binary {fun = #linalg.binary_fn<mul>} ins(%x, %x : tensor<512x256xf32>, tensor<512x256xf32>) outs(%whole : tensor<512x256xf32>) -> tensor<512x256xf32>
    %start = linalg.fill ins(%zero : f32) outs(%row : tensor<512xf32>) -> tensor<512xf32>
    %total = linalg.reduce {arith.addf} ins(%squares : tensor<512x256xf32>) outs(%start : tensor<512xf32>) dimensions = [1]
    %mean = linalg.elemwise_binary {fun = #linalg.binary_fn<mul>} ins(%total, %share : tensor<512xf32>, f32) outs(%row : tensor<512xf32>) -> tensor<512xf32>
    %above = linalg.elemwise_binary {fun = #linalg.binary_fn<add>} ins(%mean, %little : tensor<512xf32>, f32) outs(%row : tensor<512xf32>) -> tensor<512xf32>
    %root = hfusion.elemwise_unary {fun = #hfusion.unary_fn<sqrt>} ins(%above : tensor<512xf32>) outs(%row : tensor<512xf32>) -> tensor<512xf32>
    %factor = hfusion.elemwise_unary {fun = #hfusion.unary_fn<rec>} ins(%root : tensor<512xf32>) outs(%factor_out : tensor<512xf32>) -> tensor<512xf32>
    %factors = linalg.broadcast ins(%factor : tensor<512xf32>) outs(%whole : tensor<512x256xf32>) dimensions = [1]
    %scaled = linalg.elemwise_binary {fun = #linalg.binary_fn<mul>} ins(%x, %factors : tensor<512x256xf32>, tensor<512x256xf32>) outs(%whole : tensor<512x256xf32>) -> tensor<512x256xf32>
    %weights = linalg.broadcast ins(%weight : tensor<256xf32>) outs(%whole : tensor<512x256xf32>) dimensions = [0]
    %weighted = linalg.elemwise_binary {fun = #linalg.binary_fn<mul>} ins(%scaled, %weights : tensor<512x256xf32>, tensor<512x256xf32>) outs(%out : tensor<512x256xf32>) -> tensor<512x256xf32>
    return %weighted, %factor : tensor<512x256xf32>, tensor<512xf32>
  }
}
