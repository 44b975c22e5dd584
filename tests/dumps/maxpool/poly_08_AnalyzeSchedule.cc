domain: "{ S_2[oh, ow, c0] : 0 <= oh <= 6 and 0 <= ow <= 7 and 0 <= c0 <= 15;"
          "S_1[kh, kw, ow, c0] : 0 <= kh <= 1 and 0 <= kw <= 1 and 0 <= ow <= 7 and 0 <= c0 <= 15;"
          "S_3[kh, kw, oh, ow, c0] : 0 <= kh <= 1 and 0 <= kw <= 1 and 0 <= oh <= 6 and 0 <= ow <= 7 and 0 <= c0 <= 15;"
          "S_0[ow, c0] : 0 <= ow <= 7 and 0 <= c0 <= 15 }"
child:
  set:
  - filter: "{ S_1[kh, kw, ow, c0];"
              "S_0[ow, c0] }"
    child:
      schedule: "[{ S_1[kh, kw, ow, c0] -> [(ow)];"
                   "S_0[ow, c0] -> [(ow)] },"
                 "{ S_1[kh, kw, ow, c0] -> [(kh)];"
                   "S_0[ow, c0] -> [(0)] }]"
      permutable: 1
      coincident: [ 1, 0 ]
      child:
        schedule: "[{ S_1[kh, kw, ow, c0] -> [(kw)];"
                     "S_0[ow, c0] -> [(0)] }]"
        permutable: 1
        child:
          sequence:
          - filter: "{ S_0[ow, c0] }"
            child:
              schedule: "[{ S_1[kh, kw, ow, c0] -> [(c0)];"
                           "S_0[ow, c0] -> [(c0)] }]"
              permutable: 1
              coincident: [ 1 ]
          - filter: "{ S_1[kh, kw, ow, c0] }"
            child:
              schedule: "[{ S_1[kh, kw, ow, c0] -> [(c0)];"
                           "S_0[ow, c0] -> [(c0)] }]"
              permutable: 1
              coincident: [ 1 ]
  - filter: "{ S_2[oh, ow, c0];"
              "S_3[kh, kw, oh, ow, c0] }"
    child:
      schedule: "[{ S_2[oh, ow, c0] -> [(oh)];"
                   "S_3[kh, kw, oh, ow, c0] -> [(oh)] },"
                 "{ S_2[oh, ow, c0] -> [(ow)];"
                   "S_3[kh, kw, oh, ow, c0] -> [(ow)] },"
                 "{ S_2[oh, ow, c0] -> [(0)];"
                   "S_3[kh, kw, oh, ow, c0] -> [(kh)] }]"
      permutable: 1
      coincident: [ 1, 1, 0 ]
      child:
        schedule: "[{ S_2[oh, ow, c0] -> [(0)];"
                     "S_3[kh, kw, oh, ow, c0] -> [(kw)] }]"
        permutable: 1
        child:
          sequence:
          - filter: "{ S_2[oh, ow, c0] }"
            child:
              schedule: "[{ S_2[oh, ow, c0] -> [(c0)];"
                           "S_3[kh, kw, oh, ow, c0] -> [(c0)] }]"
              permutable: 1
              coincident: [ 1 ]
          - filter: "{ S_3[kh, kw, oh, ow, c0] }"
            child:
              schedule: "[{ S_2[oh, ow, c0] -> [(c0)];"
                           "S_3[kh, kw, oh, ow, c0] -> [(c0)] }]"
              permutable: 1
              coincident: [ 1 ]
