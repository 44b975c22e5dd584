domain: "{ S_6[ax0] : 0 <= ax0 <= 255;"
          "S_10[ax0, ax1] : 0 <= ax0 <= 255 and 0 <= ax1 <= 1023;"
          "S_8[ax0] : 0 <= ax0 <= 255;"
          "S_3[ax0, ax1] : 0 <= ax0 <= 255 and 0 <= ax1 <= 1023;"
          "S_9[ax0, ax1] : 0 <= ax0 <= 255 and 0 <= ax1 <= 1023;"
          "S_2[ax0, ax1] : 0 <= ax0 <= 255 and 0 <= ax1 <= 1023;"
          "S_7[ax0, k1] : 0 <= ax0 <= 255 and 0 <= k1 <= 1023;"
          "S_4[ax0, ax1] : 0 <= ax0 <= 255 and 0 <= ax1 <= 1023;"
          "S_0[ax0] : 0 <= ax0 <= 255;"
          "S_5[ax0, k1] : 0 <= ax0 <= 255 and 0 <= k1 <= 1023;"
          "S_1[ax0, k1] : 0 <= ax0 <= 255 and 0 <= k1 <= 1023 }"
child:
  mark: "reschedule"
  child:
    mark: "multicore_coincident_1"
    child:
      schedule: "[{ S_8[ax0] -> [(floor((ax0)/16))];"
                   "S_7[ax0, k1] -> [(floor((ax0)/16))];"
                   "S_10[ax0, ax1] -> [(floor((ax0)/16))];"
                   "S_3[ax0, ax1] -> [(floor((ax0)/16))];"
                   "S_9[ax0, ax1] -> [(floor((ax0)/16))];"
                   "S_6[ax0] -> [(floor((ax0)/16))];"
                   "S_4[ax0, ax1] -> [(floor((ax0)/16))];"
                   "S_0[ax0] -> [(floor((ax0)/16))];"
                   "S_1[ax0, k1] -> [(floor((ax0)/16))];"
                   "S_2[ax0, ax1] -> [(floor((ax0)/16))];"
                   "S_5[ax0, k1] -> [(floor((ax0)/16))] }]"
      permutable: 1
      coincident: [ 1 ]
      child:
        mark: "alloc_out"
        child:
          schedule: "[{ S_8[ax0] -> [(0)];"
                       "S_7[ax0, k1] -> [(floor((1023 + k1)/3072))];"
                       "S_10[ax0, ax1] -> [(1 + floor((-1026 + ax1)/3072))];"
                       "S_3[ax0, ax1] -> [(floor((1023 + ax1)/3072))];"
                       "S_9[ax0, ax1] -> [(1 + floor((-1026 + ax1)/3072))];"
                       "S_6[ax0] -> [(0)];"
                       "S_4[ax0, ax1] -> [(floor((1023 + ax1)/3072))];"
                       "S_0[ax0] -> [(0)];"
                       "S_1[ax0, k1] -> [(floor((k1)/3072))];"
                       "S_2[ax0, ax1] -> [(floor((1023 + ax1)/3072))];"
                       "S_5[ax0, k1] -> [(floor((1023 + k1)/3072))] }]"
          permutable: 1
          child:
            mark: "realize_UB"
            child:
              sequence:
              - filter: "{ S_0[ax0] }"
                child:
                  schedule: "[{ S_0[ax0] -> [(ax0)] }]"
                  permutable: 1
                  coincident: [ 1 ]
              - filter: "{ S_1[ax0, k1] }"
                child:
                  extension: "{ [i0, i1] -> GMread[[[i0, i1] -> input_0[arg0, arg1]] -> input_0_local_UB[arg0' = -16i0 + arg0, arg1' = arg1]] : arg0 >= 16i0 and 0 <= arg0 <= 255 and arg0 <= 15 + 16i0 and arg1 >= -1023 + 3072i1 and 0 <= arg1 <= 1023 and arg1 <= 3071 + 3072i1 and (arg1 >= 3072i1 or arg1 <= 2048 + 3072i1) }"
                  child:
                    sequence:
                    - filter: "{ GMread[[[i0, i1] -> input_0[arg0, arg1]] -> input_0_local_UB[arg0', arg1']] }"
                      child:
                        schedule: "[{ GMread[[[i0, i1] -> input_0[arg0, arg1]] -> input_0_local_UB[arg0', arg1']] -> [(arg0')] },"
                                   "{ GMread[[[i0, i1] -> input_0[arg0, arg1]] -> input_0_local_UB[arg0', arg1']] -> [(arg1')] }]"
                    - filter: "{ S_1[ax0, k1] }"
                      child:
                        schedule: "[{ S_1[ax0, k1] -> [(ax0)] },"
                                   "{ S_1[ax0, k1] -> [(k1)] }]"
                        permutable: 1
                        coincident: [ 1, 0 ]
              - filter: "{ S_2[ax0, ax1] }"
                child:
                  schedule: "[{ S_2[ax0, ax1] -> [(ax0)] },"
                             "{ S_2[ax0, ax1] -> [(ax1)] }]"
                  permutable: 1
                  coincident: [ 1, 1 ]
              - filter: "{ S_3[ax0, ax1] }"
                child:
                  schedule: "[{ S_3[ax0, ax1] -> [(ax0)] },"
                             "{ S_3[ax0, ax1] -> [(ax1)] }]"
                  permutable: 1
                  coincident: [ 1, 1 ]
              - filter: "{ S_4[ax0, ax1] }"
                child:
                  schedule: "[{ S_4[ax0, ax1] -> [(ax0)] },"
                             "{ S_4[ax0, ax1] -> [(ax1)] }]"
                  permutable: 1
                  coincident: [ 1, 1 ]
              - filter: "{ S_5[ax0, k1] }"
                child:
                  schedule: "[{ S_5[ax0, k1] -> [(ax0)] },"
                             "{ S_5[ax0, k1] -> [(k1)] }]"
                  permutable: 1
                  coincident: [ 1, 1 ]
              - filter: "{ S_6[ax0] }"
                child:
                  schedule: "[{ S_6[ax0] -> [(ax0)] }]"
                  permutable: 1
                  coincident: [ 1 ]
              - filter: "{ S_7[ax0, k1] }"
                child:
                  schedule: "[{ S_7[ax0, k1] -> [(ax0)] },"
                             "{ S_7[ax0, k1] -> [(k1)] }]"
                  permutable: 1
                  coincident: [ 1, 0 ]
              - filter: "{ S_8[ax0] }"
                child:
                  schedule: "[{ S_8[ax0] -> [(ax0)] }]"
                  permutable: 1
                  coincident: [ 1 ]
              - filter: "{ S_9[ax0, ax1] }"
                child:
                  schedule: "[{ S_9[ax0, ax1] -> [(ax0)] },"
                             "{ S_9[ax0, ax1] -> [(ax1)] }]"
                  permutable: 1
                  coincident: [ 1, 1 ]
              - filter: "{ S_10[ax0, ax1] }"
                child:
                  extension: "{ [i0, i1] -> GMwrite[[[i0, i1] -> T_divide_T_exp_T_exp_red[arg0, arg1]] -> T_divide_T_exp_T_exp_red_local_UB[arg0' = -16i0 + arg0, arg1' = arg1]] : arg0 >= 16i0 and 0 <= arg0 <= 255 and arg0 <= 15 + 16i0 and arg1 >= -2046 + 3072i1 and 0 <= arg1 <= 1023 and arg1 <= 1025 + 3072i1 }"
                  child:
                    sequence:
                    - filter: "{ S_10[ax0, ax1] }"
                      child:
                        schedule: "[{ S_10[ax0, ax1] -> [(ax0)] },"
                                   "{ S_10[ax0, ax1] -> [(ax1)] }]"
                        permutable: 1
                        coincident: [ 1, 1 ]
                    - filter: "{ GMwrite[[[i0, i1] -> T_divide_T_exp_T_exp_red[arg0, arg1]] -> T_divide_T_exp_T_exp_red_local_UB[arg0', arg1']] }"
                      child:
                        schedule: "[{ GMwrite[[[i0, i1] -> T_divide_T_exp_T_exp_red[arg0, arg1]] -> T_divide_T_exp_T_exp_red_local_UB[arg0', arg1']] -> [(arg0')] },"
                                   "{ GMwrite[[[i0, i1] -> T_divide_T_exp_T_exp_red[arg0, arg1]] -> T_divide_T_exp_T_exp_red_local_UB[arg0', arg1']] -> [(arg1')] }]"
