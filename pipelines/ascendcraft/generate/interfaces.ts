import type {CraftStep} from '../../../datasets/schema/crafted.ts'

/** Interfaces that a step of lowering needs, for its prompt when no index of interfaces is available. */
const host = [
  'context->GetInputShape(i)->GetStorageShape().GetDim(axis), .GetDimNum(), .GetShapeSize()',
  'context->GetAttrs()->GetFloat(i), ->GetInt(i), ->GetBool(i): pointers',
  'context->SetBlockDim(uint32_t), context->GetWorkspaceSizes(1): size_t *',
  'tiling.SaveToBuffer(context->GetRawTilingData()->GetData(), context->GetRawTilingData()->GetCapacity())',
  'platform_ascendc::PlatformAscendC(context->GetPlatformInfo()).GetLibApiWorkSpaceSize()',
  'this->Input("x").ParamType(REQUIRED).DataType({ge::DT_FLOAT}).Format({ge::FORMAT_ND}), Output, Attr("a").Float(1.0)',
]

const memory = [
  'GlobalTensor<T>::SetGlobalBuffer((__gm__ T *)address, elements)',
  'TPipe::InitBuffer(queue, depth, bytes), TPipe::InitBuffer(buffer, bytes)',
  'TQue<TPosition::VECIN, depth>, TQue<TPosition::VECOUT, depth>, TBuf<TPosition::VECCALC>',
  'GetBlockIdx(), GetBlockNum(), GetUserWorkspace(workspace)',
]

const compute = [
  'queue.AllocTensor<T>(), EnQue(tensor), DeQue<T>(), FreeTensor(tensor); buffer.Get<T>()',
  'DataCopy(dst, src, elements): a multiple of 32 bytes',
  'Exp, Ln, Sqrt, Abs, Reciprocal, Relu(dst, src, count); Add, Sub, Mul, Div, Max, Min, MulAddDst(dst, a, b, count)',
  'Adds, Muls, Maxs, Mins, LeakyRelu, Axpy(dst, src, scalar, count); Duplicate(dst, scalar, count)',
  'Tanh, Erf, Sigmoid(dst, src, tmp, count), tmp of uint8_t; ReduceSum, ReduceMax, ReduceMin(dst, src, tmp, count)',
  'Compare(mask, a, b, CMPMODE::LT, count), CompareScalar(mask, a, scalar, CMPMODE::LT, count)',
  'Select(dst, mask, a, b, SELMODE::VSEL_TENSOR_TENSOR_MODE, count), or a scalar with VSEL_TENSOR_SCALAR_MODE',
  'Cast(dst, src, RoundMode::CAST_RINT, count); CAST_NONE where nothing is lost',
  'CreateVecIndex(dst, first, count); Gather(dst, src, offsets of uint32_t in bytes, 0, count)',
  'tensor.GetValue(i), tensor.SetValue(i, value); SetFlag<HardEvent::V_S>(id), WaitFlag<HardEvent::V_S>(id)',
  'SyncAll(); SetAtomicAdd<T>(), SetAtomicNone()',
]

const alignment = [
  'DataCopyPad(ub, gm, DataCopyExtParams{rows, bytes, gmGap, ubGap, 0}, ' +
    'DataCopyPadExtParams<T>{isPad, left, right, value})',
  'DataCopyPad(gm, ub, DataCopyExtParams{rows, bytes, ubGap, gmGap, 0})',
]

const byStep: Record<CraftStep, readonly string[]> = {
  program: [],
  host,
  init: memory,
  compute: [...memory, ...compute],
  aligned: alignment,
  lowering: [...host, ...memory, ...compute, ...alignment],
  direct: [...host, ...memory, ...compute, ...alignment],
}

/** The interfaces of a step as a list. */
export function interfacesOf(step: CraftStep): string {
  return byStep[step].map((line) => `- \`${line}\``).join('\n')
}
