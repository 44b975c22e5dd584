domain: "{ S_2[cc2] : 0 <= cc2 <= 4194303;"
          "S_0[cc0] : 0 <= cc0 <= 4194303;"
          "S_1[cc1] : 0 <= cc1 <= 4194303 }"
child:
  schedule: "[{ S_2[cc2] -> [(cc2)];"
               "S_0[cc0] -> [(cc0)];"
               "S_1[cc1] -> [(cc1)] }]"
  permutable: 1
  coincident: [ 1 ]
  child:
    sequence:
    - filter: "{ S_0[cc0] }"
    - filter: "{ S_1[cc1] }"
    - filter: "{ S_2[cc2] }"
