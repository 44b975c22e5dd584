domain: "{ S_2[ax0, ax1, ax2, ax3] : 0 <= ax0 <= 31 and 0 <= ax1 <= 31 and 0 <= ax2 <= 15 and 0 <= ax3 <= 15;"
          "S_1[ax0, ax1, ax2, ax3, ko, ki] : 0 <= ax0 <= 31 and 0 <= ax1 <= 31 and 0 <= ax2 <= 15 and 0 <= ax3 <= 15 and 0 <= ko <= 31 and 0 <= ki <= 15;"
          "S_0[ax0, ax1, ax2, ax3] : 0 <= ax0 <= 31 and 0 <= ax1 <= 31 and 0 <= ax2 <= 15 and 0 <= ax3 <= 15 }"
child:
  schedule: "[{ S_2[ax0, ax1, ax2, ax3] -> [(ax0)];"
               "S_1[ax0, ax1, ax2, ax3, ko, ki] -> [(ax0)];"
               "S_0[ax0, ax1, ax2, ax3] -> [(ax0)] },"
             "{ S_2[ax0, ax1, ax2, ax3] -> [(ax1)];"
               "S_1[ax0, ax1, ax2, ax3, ko, ki] -> [(ax1)];"
               "S_0[ax0, ax1, ax2, ax3] -> [(ax1)] },"
             "{ S_2[ax0, ax1, ax2, ax3] -> [(ax2)];"
               "S_1[ax0, ax1, ax2, ax3, ko, ki] -> [(ax2)];"
               "S_0[ax0, ax1, ax2, ax3] -> [(ax2)] },"
             "{ S_2[ax0, ax1, ax2, ax3] -> [(ax3)];"
               "S_1[ax0, ax1, ax2, ax3, ko, ki] -> [(ax3)];"
               "S_0[ax0, ax1, ax2, ax3] -> [(ax3)] },"
             "{ S_2[ax0, ax1, ax2, ax3] -> [(31)];"
               "S_1[ax0, ax1, ax2, ax3, ko, ki] -> [(ko)];"
               "S_0[ax0, ax1, ax2, ax3] -> [(0)] }]"
  permutable: 1
  coincident: [ 1, 1, 1, 1, 0 ]
  child:
    schedule: "[{ S_2[ax0, ax1, ax2, ax3] -> [(15)];"
                 "S_1[ax0, ax1, ax2, ax3, ko, ki] -> [(ki)];"
                 "S_0[ax0, ax1, ax2, ax3] -> [(0)] }]"
    permutable: 1
    child:
      sequence:
      - filter: "{ S_0[ax0, ax1, ax2, ax3] }"
      - filter: "{ S_1[ax0, ax1, ax2, ax3, ko, ki] }"
      - filter: "{ S_2[ax0, ax1, ax2, ax3] }"
