/** A direct launch of asc-devkit 82b89a15 that does not pass, and what settles why. */
interface Settled {
  /** End of its path below `examples/`. */
  example: string
  /** The example breaks a rule that its page states, or the twin leaves out what it needs. */
  fault: 'example' | 'twin'
  /** A page below the checkout, or a file of the example, and line. */
  at: string
  why: string
}

const cube = 'docs/zh/api/SIMD-API/高阶API/矩阵计算'
const resources = 'docs/zh/api/SIMD-API/基础API/资源管理'

const settled: readonly Settled[] = [
  {
    example: '00_matmul/matmul_fused',
    fault: 'example',
    at: `${cube}/Matmul-Kernel侧接口/REGIST_MATMUL_OBJ.md:29`,
    why: 'REGIST_MATMUL_OBJ must come before InitBuffer; Init at matmul_fused.asc:113 comes before line 202',
  },
  {
    example: '01_matrix_compute/matmul_high_performance',
    fault: 'example',
    at: `${cube}/Matmul-Kernel侧接口/SetTensorB.md:72`,
    why: 'isTransposeB may be true only with ISTRANS of the MatmulType; matmul.h:78 leaves it out, line 121 sets it',
  },
  {
    example: '06_compatibility_guide/matmul_s4',
    fault: 'example',
    at: `${cube}/Matmul-Tiling类/TCubeTiling结构体.md:19`,
    why: 'dbL0B is 1 or 2 and anything else is undefined; its script writes 0, the last of 32 words',
  },
  {
    example: '03_fusion_compute/matmul_gelu_high_performance',
    fault: 'example',
    at: 'docs/zh/api/SIMD-API/基础API/同步控制/核间同步/CrossCoreSetFlag(ISASI).md:142',
    why: 'a flag counts to 15; its cube core sets flag 8 once a tile (mmad_gelu.asc:563) and never waits for the vectors',
  },
  {
    example: '02_normalization/layernorm',
    fault: 'example',
    at: `${resources}/TQue/FreeTensor.md:97`,
    why: 'AllocTensor and FreeTensor come in pairs; the tensor of layernorm.asc:199 is never freed',
  },
  {
    example: '00_matmul/matmul_callback',
    fault: 'example',
    at: 'docs/zh/api/SIMD-API/基础API/数据结构/GlobalTensor/SetValue.md:34',
    why: 'cores write scalars at least 64 bytes apart; matmul_callback.asc:167 writes 16 bytes for each core side by side',
  },
  {
    example: '00_matmul/matmul_sparse',
    fault: 'twin',
    at: `${cube}/Matmul-Kernel侧接口/SetSparseIndex.md:29`,
    why: 'SparseMatmulType: four of eight values of B by an index matrix',
  },
  {
    example: '00_matmul/matmul_tscm',
    fault: 'twin',
    at: `${resources}/TSCM/TSCM简介.md:70`,
    why: 'the L1 of a cube core, written from its vector core: in the twin a core sees its own memories alone',
  },
  {
    example: '01_matrix_compute/matmul_basic_api_high_performance',
    fault: 'twin',
    at: 'its README_en.md:367',
    why: '8192 x 8192 x 8192, 5.5e11 multiply-adds, take longer than a program may',
  },
  {
    example: '00_framework/03_ge/triple_chevron_notation',
    fault: 'twin',
    at: 'add_custom.asc:19',
    why: 'needs the graph engine (graph/custom_op.h)',
  },
  {
    example: '00_framework/04_aclgraph',
    fault: 'twin',
    at: 'add.asc:58',
    why: 'captures a stream into a graph of acl (aclmdlRI)',
  },
]

/** What is known of an example by its name below `examples/`. */
export function settledOf(name: string): Settled | undefined {
  return settled.find(({example}) => name.endsWith(example))
}
