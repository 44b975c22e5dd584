// attr [compute(T_add_input_0_input_1, 0x564f01974740)] realize_scope = ""
realize T_add_input_0_input_1<float16>([0, 4194304]) {
  produce T_add_input_0_input_1 {
    for (ax0, 0, 4194304) {
      T_add_input_0_input_1(ax0) = (input_0(ax0) + input_1(ax0))
    }
  }
  // attr [compute(T_multiply_T_add_input_0_input_1_input_1, 0x564f0193b910)] realize_scope = ""
  realize T_multiply_T_add_input_0_input_1_input_1<float16>([0, 4194304]) {
    produce T_multiply_T_add_input_0_input_1_input_1 {
      for (ax0, 0, 4194304) {
        T_multiply_T_add_input_0_input_1_input_1(ax0) = (T_add_input_0_input_1(ax0)*input_1(ax0))
      }
    }
    // attr [compute(T_maximum_T_multiply_T_add_input_0_input_1_input_1, 0x564f0192dbe0)] realize_scope = ""
    realize T_maximum_T_multiply_T_add_input_0_input_1_input_1<float16>([0, 4194304]) {
      produce T_maximum_T_multiply_T_add_input_0_input_1_input_1 {
        for (ax0, 0, 4194304) {
          T_maximum_T_multiply_T_add_input_0_input_1_input_1(ax0) = max(T_multiply_T_add_input_0_input_1_input_1(ax0), 0h)
        }
      }
    }
  }
}
