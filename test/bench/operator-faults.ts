import type {Dtype} from '../../datasets/schema/tensor.ts'

/** A fault of an operator of ops-math c419332 or ops-nn e5c3fa9, read in its source. */
export interface OperatorFault {
  /** Folder below the directory of the checkouts. */
  operator: string
  dtypes: readonly Dtype[]
  /** File below the folder, and line. */
  at: string
  what: string
  /** What the bench sees of it. */
  shows: RegExp
}

const wrong = /^wrong/

/** Settled one by one by reading source, README and API page; what shows otherwise is new. */
export const operatorFaults: readonly OperatorFault[] = [
  {
    operator: 'ops-math/experimental/conversion/zeros_like',
    dtypes: ['bool'],
    at: 'op_kernel/zeros_like.cpp:82',
    what: 'bytes go out as uint16_t: DataCopyPad with an odd blockLen, which must be a multiple of the element',
    shows: /copy-params/,
  },
  {
    operator: 'ops-math/experimental/math/asin_with_agent',
    dtypes: ['int32', 'bool'],
    at: 'op_host/asin_with_agent_tiling.cpp:265, 287',
    what: 'tmpBufferSize is 0 for integers, so Asin gets a temporary tensor without memory',
    shows: /null-tensor/,
  },
  {
    operator: 'ops-math/experimental/math/asinh',
    dtypes: ['float32'],
    at: 'op_host/asinh_tiling.cpp (formerCoreFormerDataNum), op_kernel/asinh.h (Process)',
    what: 'buffers hold as many elements as a small tensor has, and Compute runs over that rounded up to 256 bytes',
    shows: wrong,
  },
  {
    operator: 'ops-math/experimental/math/atan',
    dtypes: ['bfloat16'],
    at: 'op_kernel/atan.h:204',
    what: 'Cast of float to bfloat16_t with CAST_NONE, which the device has not: nothing is written',
    shows: /round-mode/,
  },
  {
    operator: 'ops-math/experimental/math/cosh',
    dtypes: ['float32'],
    at: 'op_kernel/cosh.h:114',
    what: 'Reciprocal is an estimate (float not to 1e-4, as its page says): Div is exact',
    shows: wrong,
  },
  {
    operator: 'ops-math/experimental/math/cosh',
    dtypes: ['bfloat16', 'int32'],
    at: 'op_host/cosh_def.cpp:34, op_kernel/cosh.h:112',
    what: 'the definition offers types that Exp does not take',
    shows: /^compile-failed/,
  },
  {
    operator: 'ops-math/experimental/math/dot_v2',
    dtypes: ['float32', 'float16'],
    at: 'op_kernel/dot_v2.h:114, 141',
    what: 'whole blocks come in and are summed, also what lies behind the end of the tensors',
    shows: wrong,
  },
  {
    operator: 'ops-math/experimental/math/log',
    dtypes: ['float32', 'float16', 'bfloat16'],
    at: 'op_host/log_tiling.cpp:126',
    what: 'base -1, the default and what aclnnLog gives for e, is kept as a factor: the result is -ln(x)',
    shows: wrong,
  },
  {
    operator: 'ops-math/experimental/math/reduce_mean_v2',
    dtypes: ['float16'],
    at: 'op_kernel/reduce_mean_v2.h:258, 349',
    what: 'slots of half lie 32 bytes apart, and srcStride 1 of DataCopyPad leaves out every second one',
    shows: wrong,
  },
  {
    operator: 'ops-math/experimental/math/rsqrt_grad',
    dtypes: ['int32'],
    at: 'op_kernel/rsqrt_grad.h:144',
    what: 'the result is Duplicate of int32_t(-0.5), which is 0, whatever comes in',
    shows: wrong,
  },
  {
    operator: 'ops-math/experimental/math/sinh',
    dtypes: ['float32'],
    at: 'op_kernel/sinh.h:114',
    what: 'Reciprocal is an estimate (float not to 1e-4, as its page says), and near 0 the difference shows it',
    shows: wrong,
  },
  {
    operator: 'ops-nn/experimental/activation/hard_swish_v2',
    dtypes: ['float16'],
    at: 'op_kernel/hard_swish_v2.h (Init)',
    what: 'tmpBuf1 is initialised for bfloat16_t alone, and Compute uses it for half',
    shows: /null-tensor/,
  },
  {
    operator: 'ops-nn/experimental/activation/hard_swish_v2',
    dtypes: ['bfloat16'],
    at: 'op_kernel/hard_swish_v2.h (Compute)',
    what: 'Duplicate(tmp0, 6) overwrites x, by which the last Mul should multiply: the result is relu6(x + 3)',
    shows: wrong,
  },
  {
    operator: 'ops-nn/experimental/activation/relu_grad',
    dtypes: ['bfloat16'],
    at: 'op_kernel/relu_grad.h:30',
    what: '2^38 and 2^44 are kept in an int, where they are 0, and so is every gradient',
    shows: wrong,
  },
  {
    operator: 'ops-nn/experimental/activation/soft_plus_v2',
    dtypes: ['float32', 'float16'],
    at: 'op_kernel/soft_plus_v2.h (Init)',
    what: 'tileLength is blockLength / tileNum / 2: what the divisions leave over is never computed',
    shows: wrong,
  },
  {
    operator: 'ops-nn/experimental/activation/tanh_grad',
    dtypes: ['float16', 'bfloat16'],
    at: 'op_kernel/tanh_grad.h:131',
    what: 'Cast of half and bfloat16_t to float with CAST_RINT; the device has CAST_NONE: nothing is written',
    shows: /round-mode/,
  },
  {
    operator: 'ops-nn/experimental/loss/l2_loss',
    dtypes: ['float32', 'float16', 'bfloat16'],
    at: 'op_kernel/l2_loss.h:149',
    what: 'rightPadding 0 does not pad with paddingValue: DataCopyPad repeats the first element, which is summed',
    shows: wrong,
  },
  {
    operator: 'ops-nn/experimental/loss/soft_margin_loss',
    dtypes: ['float16'],
    at: 'op_kernel/soft_margin_loss.h:185',
    what: 'a first call of ComputeLossCore, left over, overwrites the target that the second one takes',
    shows: wrong,
  },
  {
    operator: 'ops-nn/experimental/norm/group_norm',
    dtypes: ['float32'],
    at: 'op_kernel/group_norm_kernel.h:319',
    what: 'Adds starts at each channel, whose size is no multiple of 32 bytes',
    shows: /unaligned-ub/,
  },
  {
    operator: 'ops-nn/experimental/norm/group_norm',
    dtypes: ['float16', 'bfloat16'],
    at: 'op_kernel/group_norm_kernel.h (LoadScalarAsFloat)',
    what: 'gamma and beta are cast in xFloatBuf, whose first element is the tile that they are for',
    shows: wrong,
  },
  {
    operator: 'ops-nn/experimental/norm/lp_norm_v3',
    dtypes: ['float32', 'float16'],
    at: 'op_kernel/lp_norm_v3.h:218',
    what: 'whole blocks come in and are summed, also what lies behind the end of the tensor',
    shows: wrong,
  },
]
