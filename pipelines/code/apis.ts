/** What a device API does, in words and, where it has one, as a formula over its sources ($1, $2 … are the arguments after the destination). */
export interface ApiMeaning {
  en: string
  zh: string
  formula?: string
}

type Row = readonly [names: string, en: string, zh: string, formula?: string]

const vector: readonly Row[] = [
  ['Add', 'adds two tensors', '两个张量逐元素相加', '$1 + $2'],
  ['Sub', 'subtracts the second tensor from the first', '两个张量逐元素相减', '$1 - $2'],
  ['Mul', 'multiplies two tensors', '两个张量逐元素相乘', '$1 * $2'],
  ['Div', 'divides the first tensor by the second', '两个张量逐元素相除', '$1 / $2'],
  ['Max', 'keeps the larger of two values per element', '逐元素取较大值', 'max($1, $2)'],
  ['Min', 'keeps the smaller of two values per element', '逐元素取较小值', 'min($1, $2)'],
  ['Adds', 'adds a scalar', '加一个标量', '$1 + $2'],
  ['Muls', 'multiplies by a scalar', '乘一个标量', '$1 * $2'],
  ['Maxs', 'bounds values from below by a scalar', '用标量限制下界', 'max($1, $2)'],
  ['Mins', 'bounds values from above by a scalar', '用标量限制上界', 'min($1, $2)'],
  ['Subs', 'subtracts a scalar', '减一个标量', '$1 - $2'],
  ['Divs', 'divides by a scalar', '除以一个标量', '$1 / $2'],
  ['Abs', 'takes absolute values', '取绝对值', '|$1|'],
  ['Exp', 'takes the exponential', '求指数', 'exp($1)'],
  ['Ln', 'takes the natural logarithm', '求自然对数', 'ln($1)'],
  ['Log', 'takes the natural logarithm', '求自然对数', 'ln($1)'],
  ['Sqrt', 'takes the square root', '求平方根', 'sqrt($1)'],
  ['Rsqrt', 'takes the reciprocal square root (an approximation in hardware)', '求平方根的倒数(硬件近似)', '1 / sqrt($1)'],
  ['Reciprocal', 'takes the reciprocal (an approximation in hardware)', '求倒数(硬件近似)', '1 / $1'],
  ['Relu', 'sets negative values to zero', '负值置零', 'max($1, 0)'],
  ['LeakyRelu', 'scales negative values by a slope', '负值乘以斜率', '($1 >= 0 ? $1 : $1 * $2)'],
  ['Neg', 'negates', '取负', '-$1'],
  ['Not', 'inverts bits', '按位取反', '~$1'],
  ['And', 'ands bits', '按位与', '$1 & $2'],
  ['Or', 'ors bits', '按位或', '$1 | $2'],
  ['ShiftLeft', 'shifts bits left', '左移', '$1 << $2'],
  ['ShiftRight', 'shifts bits right', '右移', '$1 >> $2'],
  ['Axpy', 'adds a scaled tensor to the destination', '把缩放后的张量累加到目的张量', 'dst + $1 * $2'],
  ['MulAddDst', 'adds a product to the destination', '把乘积累加到目的张量', 'dst + $1 * $2'],
  ['FusedMulAdd', 'multiplies the destination by a tensor and adds another', '目的张量乘一个张量再加一个张量', 'dst * $1 + $2'],
  ['AddRelu', 'adds and sets negative results to zero', '相加后负值置零', 'max($1 + $2, 0)'],
  ['SubRelu', 'subtracts and sets negative results to zero', '相减后负值置零', 'max($1 - $2, 0)'],
  ['Cast', 'converts the element type', '转换数据类型', '$1'],
  ['Duplicate', 'fills a tensor with one value', '用一个值填充张量', '$1'],
  ['Brcb', 'spreads single elements over whole data blocks', '把单个元素广播成数据块'],
  ['Copy', 'copies inside the unified buffer', '在 UB 内拷贝', '$1'],
  ['Compare', 'compares two tensors into a bit mask', '比较两个张量得到比特掩码'],
  ['CompareScalar Compares', 'compares with a scalar into a bit mask', '与标量比较得到比特掩码'],
  ['Select', 'chooses per element by a bit mask', '按比特掩码逐元素选择'],
  ['Gather', 'collects elements by byte offsets', '按字节偏移收集元素'],
  ['Gatherb', 'collects data blocks by byte offsets', '按字节偏移收集数据块'],
  ['GatherMask', 'packs the elements that a mask keeps', '压缩保留掩码选中的元素'],
  ['CreateVecIndex ArithProgression', 'writes an arithmetic progression', '生成等差序列'],
  ['ReduceSum', 'sums up to one value', '归约求和', 'sum($1)'],
  ['ReduceMax', 'reduces to the largest value', '归约求最大值', 'max($1)'],
  ['ReduceMin', 'reduces to the smallest value', '归约求最小值', 'min($1)'],
  ['WholeReduceSum', 'sums within each repeat', '每个迭代内求和'],
  ['WholeReduceMax', 'takes the maximum within each repeat', '每个迭代内求最大值'],
  ['WholeReduceMin', 'takes the minimum within each repeat', '每个迭代内求最小值'],
  ['BlockReduceSum', 'sums within each data block', '每个数据块内求和'],
  ['BlockReduceMax', 'takes the maximum within each data block', '每个数据块内求最大值'],
  ['PairReduceSum', 'sums neighbouring pairs', '相邻元素两两求和'],
  ['Transpose', 'transposes 16 by 16 blocks', '转置 16×16 数据块'],
  ['TransDataTo5HD', 'rearranges blocks of 16 rows', '按 16 行重排数据块'],
  ['Sort32 Sort', 'sorts with indices', '带索引排序'],
  ['MrgSort', 'merges sorted lists', '归并有序序列'],
  ['Sin', 'takes the sine', '求正弦', 'sin($1)'],
  ['Cos', 'takes the cosine', '求余弦', 'cos($1)'],
  ['Tanh', 'takes the hyperbolic tangent', '求双曲正切', 'tanh($1)'],
  ['Sigmoid', 'takes the logistic function', '求 sigmoid', 'sigmoid($1)'],
  ['Gelu', 'takes GELU', '求 GELU', 'gelu($1)'],
  ['Erf', 'takes the error function', '求误差函数', 'erf($1)'],
  ['Power', 'raises to a power', '求幂', '$1 ^ $2'],
  ['Floor', 'rounds down', '向下取整', 'floor($1)'],
  ['Ceil', 'rounds up', '向上取整', 'ceil($1)'],
  ['Trunc', 'drops the fraction', '截断取整', 'trunc($1)'],
  ['Round', 'rounds to the nearest integer', '四舍五入', 'round($1)'],
  ['Sign', 'takes the sign', '取符号', 'sign($1)'],
  ['SoftMax', 'takes row-wise softmax', '逐行求 softmax'],
  ['Broadcast BroadCast', 'repeats along an axis', '沿一个轴广播'],
  ['Atan', 'takes the arc tangent', '求反正切', 'atan($1)'],
]

const movement = ['DataCopy', 'DataCopyPad', 'LoadData', 'Fixpipe', 'InitGlobalMemory', 'DataCacheCleanAndInvalid']
const matrix = ['Mmad', 'Matmul', 'SetTensorA', 'SetTensorB', 'SetBias', 'IterateAll', 'Iterate', 'GetTensorC', 'REGIST_MATMUL_OBJ', 'SetTail', 'End']
const synchronisation = ['PipeBarrier', 'SetFlag', 'WaitFlag', 'SyncAll', 'CrossCoreSetFlag', 'CrossCoreWaitFlag', 'FetchEventID', 'AllocEventID', 'ReleaseEventID', 'IBSet', 'IBWait', 'InitDetermineComputeWorkspace', 'WaitPreBlock', 'NotifyNextBlock']
const resources = ['InitBuffer', 'AllocTensor', 'FreeTensor', 'EnQue', 'DeQue', 'Get', 'GetWithOffset', 'SetGlobalBuffer', 'GetValue', 'SetValue', 'GetPhyAddr', 'ReinterpretCast', 'GetSize', 'GetTPipePtr', 'GetUserWorkspace', 'GetSysWorkSpacePtr', 'SetSysWorkspace', 'GetBlockIdx', 'GetBlockNum', 'GetSubBlockIdx', 'GetTaskRation', 'GetTaskRatio', 'SetMaskCount', 'SetMaskNorm', 'SetVectorMask', 'ResetMask', 'SetAtomicAdd', 'SetAtomicMax', 'SetAtomicMin', 'SetAtomicNone', 'SetDeqScale', 'SetPadValue', 'SetFlag', 'TILING_KEY_IS', 'GET_TILING_DATA', 'GET_TILING_DATA_WITH_STRUCT', 'GET_TILING_DATA_MEMBER', 'KERNEL_TASK_TYPE_DEFAULT', 'REGISTER_TILING_DEFAULT', 'ToFloat', 'ToBfloat16', 'printf', 'ASSERT']

/** Meanings of vector APIs by name. Source: the vendor's basic API reference, in our words. */
export const vectorApis: ReadonlyMap<string, ApiMeaning> = new Map(
  vector.flatMap(([names, en, zh, formula]) => names.split(' ').map((name) => [name, {en, zh, ...(formula === undefined ? {} : {formula})}] as const)),
)

export const movementApis: ReadonlySet<string> = new Set(movement)
export const matrixApis: ReadonlySet<string> = new Set(matrix)
export const synchronisationApis: ReadonlySet<string> = new Set(synchronisation)

const types = ['TPipe', 'TQue', 'TQueBind', 'TBuf', 'TBufPool', 'LocalTensor', 'GlobalTensor', 'QuePosition', 'TPosition', 'HardEvent', 'RoundMode', 'CMPMODE', 'SELMODE', 'DataCopyParams', 'DataCopyExtParams', 'DataCopyPadParams', 'DataCopyPadExtParams', 'BinaryRepeatParams', 'UnaryRepeatParams', 'TilingContext', 'PlatformAscendC', 'OpDef', 'AscendC', 'VECIN', 'VECOUT', 'VECCALC', 'CO1', 'CO2', 'TSCM', 'GM_ADDR', 'BLOCK_CUBE', 'DTYPE_X', 'SetPadValue', 'GRAPH_SUCCESS', 'GRAPH_FAILED', 'ICPU_RUN_KF', 'VSEL_CMPMASK_SPR', 'VSEL_TENSOR_SCALAR_MODE', 'VSEL_TENSOR_TENSOR_MODE']
const host = ['GetInputShape', 'GetStorageShape', 'GetOriginShape', 'GetShapeSize', 'GetDim', 'GetDimNum', 'GetInputDesc', 'GetDataType', 'GetInputTensor', 'GetAttrs', 'GetAttrPointer', 'GetCoreNumAiv', 'GetCoreNumAic', 'GetCoreNum', 'GetCoreMemSize', 'GetLibApiWorkSpaceSize', 'GetPlatformInfo', 'GetRawTilingData', 'GetWorkspaceSizes', 'SaveToBuffer', 'SetDataSize', 'SetBlockDim', 'SetTilingKey', 'SetScheduleMode', 'GetCapacity', 'GetData', 'GetDataSize', 'GetCompileInfo', 'SetInferShape', 'SetInferDataType', 'AddConfig', 'AICore', 'SetTiling', 'GetOptionalInputDesc', 'GetOptionalInputShape', 'SetOutputDataType']

/** Every name of the vendor's interface that a text about a kernel may use although the kernel does not. */
export const knownNames: ReadonlySet<string> = new Set([...vectorApis.keys(), ...movement, ...matrix, ...synchronisation, ...resources, ...types, ...host])
