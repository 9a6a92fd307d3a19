import {type Api, type ApiEntry, family} from './row.ts'

/** Those of which no text says what they do: by their names alone. */
const named = (name: Api['family'], pipes: string, names: string): ApiEntry[] =>
  family(name, {pipes}, [[names, '', '']])

/** Between memories of a core and global memory. The vendor's table of APIs and pipes says what each runs on. */
const movement: readonly ApiEntry[] = [
  ...family('movement', {pipes: 'MTE2 MTE3 V', unit: 32}, [['DataCopy', '', '']]),
  ...named('movement', 'MTE2 MTE3', 'DataCopyPad'),
  ...named('movement', 'MTE1 MTE2', 'LoadData'),
  ...named('movement', 'MTE1', 'LoadDataWithTranspose LoadDataWithSparse'),
  ...named('movement', 'FIX', 'Fixpipe'),
  ...named('movement', 'MTE3', 'InitGlobalMemory'),
  ...named('movement', 'S', 'DataCacheCleanAndInvalid'),
]

const matrix: readonly ApiEntry[] = [
  ...named('matrix', 'M', 'Mmad MmadWithSparse Matmul Iterate IterateAll IterateBatch'),
  ...named('matrix', 'S', 'IterateNBatch REGIST_MATMUL_OBJ SetTensorA SetTensorB SetBias SetTail GetTensorC End'),
]

/** Within a core, and between blocks. */
const synchronisation: readonly ApiEntry[] = [
  ...named('synchronisation', 'S', 'PipeBarrier SetFlag WaitFlag FetchEventID AllocEventID ReleaseEventID'),
  ...family('synchronisation', {pipes: 'S', meets: true}, [['SyncAll IBWait WaitPreBlock', '', '']]),
  ...named('synchronisation', 'S', 'CrossCoreSetFlag CrossCoreWaitFlag IBSet'),
  ...named('synchronisation', 'S', 'InitDetermineComputeWorkspace NotifyNextBlock'),
]

/** Of TPipe, TQue, TBuf and tensors. */
const members: readonly ApiEntry[] = [
  ...family('member', {pipes: 'S'}, [
    ['InitBuffer', 'gives memory to a queue or buffer', '为队列或临时空间分配内存'],
    [
      'SetGlobalBuffer',
      'binds a GlobalTensor to an address that the kernel received',
      '把GlobalTensor绑定到核函数的入参地址',
    ],
    ['AllocTensor', 'takes a free block from a queue', '从队列取得空闲内存'],
    ['EnQue', 'hands a tensor to the next stage', '把张量交给下一个任务'],
    ['DeQue', 'takes the tensor that the stage before handed over', '取出上一个任务交来的张量'],
    ['FreeTensor', 'gives the block back', '归还内存'],
  ]),
  ...named(
    'member',
    'S',
    'GetValue SetValue Get GetWithOffset GetSize SetSize GetPhyAddr ReinterpretCast SetShapeInfo',
  ),
]

const resources: readonly ApiEntry[] = [
  ...family('resource', {pipes: 'S'}, [
    ['GetBlockIdx', 'tells which core this is, from which its offset follows', '得到当前核的编号，用来计算偏移'],
    ['SetBlockDim', 'sets how many cores run', '设置使用的核数'],
    ['SaveToBuffer', 'serialises the tiling structure', '把tiling结构序列化'],
  ]),
  ...family('resource', {pipes: 'S'}, [
    [
      'SetDeqScale',
      'sets the scale that int32_t is multiplied by on its way to half',
      '设置 int32_t 转换为 half 时所乘的系数',
    ],
    ['SetPadValue', 'sets what DataCopyPad fills up with', '设置 DataCopyPad 补齐时填充的值'],
    [
      'SetCmpMask',
      'sets the register of bits by which Select chooses',
      '设置 Select 据以选择的比较掩码寄存器',
      {pipes: 'V'},
    ],
    ['GetCmpMask', 'writes the bits of the last comparison to a tensor', '把最近一次比较的比特写入张量', {pipes: 'V'}],
    [
      'BinaryRepeatParams',
      'holds how far apart blocks and repeats of a destination and two sources are, in blocks of 32 bytes',
      '以 32 字节数据块为单位，给出目的操作数和两个源操作数的块间与迭代间步长',
    ],
    [
      'UnaryRepeatParams',
      'holds how far apart blocks and repeats of a destination and a source are, in blocks of 32 bytes',
      '以 32 字节数据块为单位，给出目的操作数和源操作数的块间与迭代间步长',
    ],
    ['ShapeInfo', 'tells the shape of a tensor, as it lies and as it was', '描述张量现有的与原始的形状'],
    ['Fill', 'sets a tensor in global memory to one value', '把 Global Memory 上的张量初始化为一个值'],
  ]),
  ...family('resource', {pipes: 'S', types: 'float32 float16 bfloat16 int32 int16 int8'}, [
    ['SetAtomicAdd SetAtomicMax SetAtomicMin', '', ''],
  ]),
  ...named(
    'resource',
    'S',
    'GetTPipePtr GetUserWorkspace GetSysWorkSpacePtr SetSysWorkspace GetBlockNum GetSubBlockIdx ' +
      'GetTaskRation GetTaskRatio SetMaskCount SetMaskNorm SetVectorMask ResetMask ' +
      'SetAtomicNone TILING_KEY_IS GET_TILING_DATA ' +
      'GET_TILING_DATA_WITH_STRUCT GET_TILING_DATA_MEMBER KERNEL_TASK_TYPE_DEFAULT REGISTER_TILING_DEFAULT ' +
      'ToFloat ToBfloat16 printf ASSERT',
  ),
]

/** Operations of the core outside its vector unit, and of the host when code is described step by step. */
export const coreRows = [...movement, ...matrix, ...synchronisation, ...members, ...resources]

const types =
  'TPipe TQue TQueBind TBuf TBufPool LocalTensor GlobalTensor QuePosition TPosition HardEvent RoundMode ' +
  'CMPMODE SELMODE DataCopyParams DataCopyExtParams DataCopyPadParams DataCopyPadExtParams ' +
  'BinaryRepeatParams UnaryRepeatParams TilingContext PlatformAscendC OpDef AscendC VECIN VECOUT ' +
  'VECCALC CO1 CO2 TSCM GM_ADDR BLOCK_CUBE DTYPE_X SetPadValue GRAPH_SUCCESS GRAPH_FAILED ICPU_RUN_KF ' +
  'VSEL_CMPMASK_SPR VSEL_TENSOR_SCALAR_MODE VSEL_TENSOR_TENSOR_MODE'
const host =
  'GetInputShape GetStorageShape GetOriginShape GetShapeSize GetDim GetDimNum GetInputDesc GetDataType ' +
  'GetInputTensor GetAttrs GetAttrPointer GetCoreNumAiv GetCoreNumAic GetCoreNum GetCoreMemSize ' +
  'GetLibApiWorkSpaceSize GetPlatformInfo GetRawTilingData GetWorkspaceSizes SetDataSize SetTilingKey ' +
  'SetScheduleMode GetCapacity GetData GetDataSize GetCompileInfo SetInferShape SetInferDataType ' +
  'AddConfig AICore SetTiling GetOptionalInputDesc GetOptionalInputShape SetOutputDataType'

/** Types, constants and names of the host, of which the table knows nothing else. */
export const otherNames: readonly string[] = `${types} ${host}`.split(' ')
