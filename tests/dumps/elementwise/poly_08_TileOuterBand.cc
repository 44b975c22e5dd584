domain: "{ S_2[cc2] : 0 <= cc2 <= 4194303;"
          "S_0[cc0] : 0 <= cc0 <= 4194303;"
          "S_1[cc1] : 0 <= cc1 <= 4194303 }"
child:
  mark: "realize_UB"
  child:
    schedule: "[{ S_2[cc2] -> [(floor((cc2)/16384))];"
                 "S_1[cc1] -> [(floor((cc1)/16384))];"
                 "S_0[cc0] -> [(floor((cc0)/16384))] }]"
    permutable: 1
    coincident: [ 1 ]
    options: "{ isolate[[] -> [i0]] : 0 <= i0 <= 255 }"
    child:
      schedule: "[{ S_2[cc2] -> [((cc2) mod 16384)];"
                   "S_1[cc1] -> [((cc1) mod 16384)];"
                   "S_0[cc0] -> [((cc0) mod 16384)] }]"
      permutable: 1
      coincident: [ 1 ]
      child:
        sequence:
        - filter: "{ S_0[cc0] }"
        - filter: "{ S_1[cc1] }"
        - filter: "{ S_2[cc2] }"
