/** Lines that stand in pictures: of consoles, and of figures of pages. */
export const textCases: readonly (readonly string[])[] = [
  [
    '[INFO] Start to build the custom operator.',
    'The kernel was compiled in 12.5 seconds.',
    'Output written to the folder build_out.',
  ],
  [
    'Error: local memory is not large enough.',
    'Expected at most 196352 bytes, got 262144 bytes.',
    'Reduce the tile length and try again.',
  ],
  [
    'Each core copies one tile from global memory.',
    'Then the vector unit computes the result.',
    'The last tile may be shorter than the others.',
  ],
  ['算子编译成功，结果保存在输出目录。', '请检查数据类型是否支持。', '搬运长度需要32字节对齐。'],
  ['每个核处理一部分数据。', '先把数据从全局内存搬入本地内存。', '计算完成之后再把结果搬出。'],
  ['错误：本地内存空间不足。', '最大值为196352字节。', '请减小单次计算的数据量。'],
]
