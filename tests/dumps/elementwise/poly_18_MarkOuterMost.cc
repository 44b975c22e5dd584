domain: "{ S_2[cc2] : 0 <= cc2 <= 4194303;"
          "S_0[cc0] : 0 <= cc0 <= 4194303;"
          "S_1[cc1] : 0 <= cc1 <= 4194303 }"
child:
  mark: "reschedule"
  child:
    mark: "multicore_coincident_1"
    child:
      schedule: "[{ S_2[cc2] -> [(floor((cc2)/16384))];"
                   "S_1[cc1] -> [(floor((cc1)/16384))];"
                   "S_0[cc0] -> [(floor((cc0)/16384))] }]"
      permutable: 1
      coincident: [ 1 ]
      options: "{ isolate[[] -> [i0]] : 0 <= i0 <= 255 }"
      child:
        mark: "realize_UB"
        child:
          sequence:
          - filter: "{ S_0[cc0] }"
            child:
              extension: "{ [i0] -> GMread[[[i0] -> input_1[arg0]] -> input_1_local_UB[arg0' = -16384i0 + arg0]] : arg0 >= 16384i0 and 0 <= arg0 <= 4194303 and arg0 <= 16383 + 16384i0 }"
              child:
                sequence:
                - filter: "{ GMread[[[i0] -> input_1[arg0]] -> input_1_local_UB[arg0']] }"
                  child:
                    schedule: "[{ GMread[[[i0] -> input_1[arg0]] -> input_1_local_UB[arg0']] -> [(arg0')] }]"
                - filter: "{ S_0[cc0] }"
                  child:
                    extension: "{ [i0] -> GMread[[[i0] -> input_0[arg0]] -> input_0_local_UB[arg0' = -16384i0 + arg0]] : arg0 >= 16384i0 and 0 <= arg0 <= 4194303 and arg0 <= 16383 + 16384i0 }"
                    child:
                      sequence:
                      - filter: "{ GMread[[[i0] -> input_0[arg0]] -> input_0_local_UB[arg0']] }"
                        child:
                          schedule: "[{ GMread[[[i0] -> input_0[arg0]] -> input_0_local_UB[arg0']] -> [(arg0')] }]"
                      - filter: "{ S_0[cc0] }"
                        child:
                          schedule: "[{ S_0[cc0] -> [(cc0)] }]"
                          permutable: 1
                          coincident: [ 1 ]
          - filter: "{ S_1[cc1] }"
            child:
              schedule: "[{ S_1[cc1] -> [(cc1)] }]"
              permutable: 1
              coincident: [ 1 ]
          - filter: "{ S_2[cc2] }"
            child:
              extension: "{ [i0] -> GMwrite[[[i0] -> T_maximum_T_multiply_T_add_input_0_input_1_input_1[arg0]] -> T_maximum_T_multiply_T_add_input_0_input_1_input_1_local_UB[arg0' = -16384i0 + arg0]] : arg0 >= 16384i0 and 0 <= arg0 <= 4194303 and arg0 <= 16383 + 16384i0 }"
              child:
                sequence:
                - filter: "{ S_2[cc2] }"
                  child:
                    schedule: "[{ S_2[cc2] -> [(cc2)] }]"
                    permutable: 1
                    coincident: [ 1 ]
                - filter: "{ GMwrite[[[i0] -> T_maximum_T_multiply_T_add_input_0_input_1_input_1[arg0]] -> T_maximum_T_multiply_T_add_input_0_input_1_input_1_local_UB[arg0']] }"
                  child:
                    schedule: "[{ GMwrite[[[i0] -> T_maximum_T_multiply_T_add_input_0_input_1_input_1[arg0]] -> T_maximum_T_multiply_T_add_input_0_input_1_input_1_local_UB[arg0']] -> [(arg0')] }]"
