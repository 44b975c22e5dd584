// attr [hybrid(static_max_pool_hybrid_0, 0x564f0188bac0)for (n, 0, 1) {
  for (c1, 0, 1) {
    for (ow, 0, 8) {
      for (c0, 0, 16) {
        output(n, c1, 0, ow, c0) = -65504h
      }
    }
    for (kh, 0, 2) {
      for (kw, 0, 2) {
        for (ow, 0, 8) {
          for (c0, 0, 16) {
            if ((((0 <= kh) && (kh <= 15)) && ((0 <= ((ow*2) + kw)) && (((ow*2) + kw) <= 15)))) {
              output(n, c1, 0, ow, c0) = max(output(n, c1, 0, ow, c0), input_1(n, c1, kh, ((ow*2) + kw), c0))
            }
          }
        }
      }
    }
    for (oh, 0, 7) {
      for (ow, 0, 8) {
        for (c0, 0, 16) {
          output(n, c1, (oh + 1), ow, c0) = -65504h
        }
      }
    }
    for (kh, 0, 2) {
      for (kw, 0, 2) {
        for (oh, 0, 7) {
          for (ow, 0, 8) {
            for (c0, 0, 16) {
              if ((((0 <= (((oh + 1)*2) + kh)) && ((((oh + 1)*2) + kh) <= 15)) && ((0 <= ((ow*2) + kw)) && (((ow*2) + kw) <= 15)))) {
                output(n, c1, (oh + 1), ow, c0) = max(output(n, c1, (oh + 1), ow, c0), input_1(n, c1, (((oh*2) + kh) + 2), ((ow*2) + kw), c0))
              }
            }
          }
        }
      }
    }
  }
}

] realize_scope = ""
realize static_max_pool_hybrid_0<float16>([0, 1], [0, 1], [0, 8], [0, 8], [0, 16]) {
  produce static_max_pool_hybrid_0 {
    // attr [[buffer(buffer, 0x564f015ed2e0), Tensor(shape=[1, 1, 16, 16, 16], op.name=input_1)]] buffer_bind_scope = tvm_tuple(0, 1, 0, 1, 0, 16, 0, 16, 0, 16):handle:I
    // attr [[buffer(buffer, 0x564f01667150), Tensor(shape=[1, 1, 8, 8, 16], op.name=static_max_pool_hybrid_0)]] buffer_bind_scope = tvm_tuple(0, 1, 0, 1, 0, 8, 0, 8, 0, 16):handle:I
    // attr [0] extern_scope = 0
    for (n, 0, 1) {
      for (c1, 0, 1) {
        for (ow, 0, 8) {
          for (c0, 0, 16) {
            static_max_pool_hybrid_0(n, c1, 0, ow, c0) = -65504h
          }
        }
        for (kh, 0, 2) {
          for (kw, 0, 2) {
            for (ow, 0, 8) {
              for (c0, 0, 16) {
                if ((((0 <= kh) && (kh <= 15)) && ((0 <= ((ow*2) + kw)) && (((ow*2) + kw) <= 15)))) {
                  static_max_pool_hybrid_0(n, c1, 0, ow, c0) = max(static_max_pool_hybrid_0(n, c1, 0, ow, c0), input_1(n, c1, kh, ((ow*2) + kw), c0))
                }
              }
            }
          }
        }
        for (oh, 0, 7) {
          for (ow, 0, 8) {
            for (c0, 0, 16) {
              static_max_pool_hybrid_0(n, c1, (oh + 1), ow, c0) = -65504h
            }
          }
        }
        for (kh, 0, 2) {
          for (kw, 0, 2) {
            for (oh, 0, 7) {
              for (ow, 0, 8) {
                for (c0, 0, 16) {
                  if ((((0 <= (((oh + 1)*2) + kh)) && ((((oh + 1)*2) + kh) <= 15)) && ((0 <= ((ow*2) + kw)) && (((ow*2) + kw) <= 15)))) {
                    static_max_pool_hybrid_0(n, c1, (oh + 1), ow, c0) = max(static_max_pool_hybrid_0(n, c1, (oh + 1), ow, c0), input_1(n, c1, (((oh*2) + kh) + 2), ((ow*2) + kw), c0))
                  }
                }
              }
            }
          }
        }
      }
    }
  }
}
