import {interfaces} from '../../cpp/interfaces.ts'
import {partsAt} from './prototype.ts'

/** Element types of tensors by role: destination, other tensors, scratch space and bit masks. */
export interface ElementTypes {
  destination: string
  source: string
  scratch: string
  bits: string
}

/** What the tensors of a listing may hold, the likeliest first. */
export function elementTypes(bare: string): ElementTypes[] {
  const named = /[<,]\s*(half|float|bfloat16_t|u?int(?:8|16|32)_t)\s*[>,]/.exec(bare)?.[1]
  const tries = [same(named ?? 'half'), ...(named === undefined ? [] : [same(named, 'uint8_t')]), ...commonTypes]
  const keys = tries.map((types) => JSON.stringify(types))
  return tries.filter((_, index) => keys.indexOf(keys[index]!) === index)
}

function same(type: string, scratch = type): ElementTypes {
  return {destination: type, source: type, scratch, bits: 'uint8_t'}
}

const commonTypes: readonly ElementTypes[] = [
  same('half'),
  same('float'),
  same('float', 'uint8_t'),
  same('half', 'uint8_t'),
  {...same('half'), destination: 'float'},
  {...same('float'), destination: 'half'},
  {...same('float'), destination: 'int32_t'},
  {...same('half'), destination: 'uint8_t'},
  {...same('half'), destination: 'int8_t'},
  {...same('half', 'uint8_t'), destination: 'int8_t'},
  {...same('float', 'uint8_t'), destination: 'int8_t'},
  same('int16_t'),
  same('int16_t', 'uint8_t'),
  same('int32_t'),
  {...same('int32_t', 'uint8_t'), destination: 'half'},
  {...same('int16_t'), destination: 'uint8_t'},
]

/** The type that a name has by custom and by its use; '' for an object of a class that nothing tells. */
export function typeOf(name: string, bare: string, types: ElementTypes): string {
  const isUsed = (pattern: string) => new RegExp(String.raw`(?<![\w])${name}\s*${pattern}`).test(bare)
  return objectType(name, bare, isUsed) ?? valueType(name, bare, types, isUsed) ?? tensorType(name, types, isUsed)
}

/** Whether the name precedes the pattern's match. */
type IsUsed = (pattern: string) => boolean

const queueMethods = 'AllocTensor|DeQue|EnQue|FreeTensor|VacantInQue|HasTensorInQue|HasIdleBuffer'
const queueUse = String.raw`\.\s*(?:template\s+)?(?:${queueMethods})\b`
const bufferUse = String.raw`\.\s*(?:template\s+)?(?:Get|GetWithOffset)\s*[<(]`
const pipeUse = String.raw`\.\s*(?:InitBuffer|FetchEventID|AllocEventID|ReleaseEventID|Destroy|Init)\b`
const buffer = 'TBuf<TPosition::VECCALC>&'

/** Queues, buffers and pipes, by the methods that are called on them. */
function objectType(name: string, bare: string, isUsed: IsUsed): string | undefined {
  const queue = `TQue<TPosition::${/out/i.test(name) ? 'VECOUT' : 'VECIN'}, 1>&`
  if (isUsed(queueUse)) return queue
  if (isUsed(bufferUse)) return buffer
  if (isUsed(pipeUse)) return 'TPipe&'
  const initialised = new RegExp(String.raw`InitBuffer\s*(\(\s*${name}\b)`).exec(bare)
  if (!initialised) return undefined
  const open = initialised.index + initialised[0].indexOf('(')
  return partsAt(bare, open).length >= 3 ? queue : buffer
}

/** Addresses, masks, parameter structures and scalars, by their names for the most part. */
function valueType(name: string, bare: string, types: ElementTypes, isUsed: IsUsed): string | undefined {
  if (new RegExp(String.raw`__gm__\s+\w+\s*\*\s*[)>]\s*\(?\s*${name}\b`).test(bare)) return 'GM_ADDR'
  if (isOfCApi(bare) && isInGm(name, bare)) return `__gm__ ${rawElement(bare, types)}*`
  if (/(?:gm|global)$/i.test(name) || isUsed(String.raw`\.\s*SetGlobalBuffer\b`)) return `GlobalTensor<${types.source}>`
  if (/^mask$/i.test(name)) return isUsed(String.raw`\[`) ? 'uint64_t*' : 'uint64_t'
  if (/params?$/i.test(name)) return parametersType(name, bare)
  if (isUsedAsType(name, bare)) return 'typename'
  if (/tiling$/i.test(name)) return libraryTiling(name, bare)
  if (/^(?:is|has|need|enable)[A-Z]\w*$/.test(name)) return 'bool'
  if (isOfCApi(bare) && tensorNames.test(name)) return rawPointer(name, bare, types)
  if (/event|flag/i.test(name)) return 'int32_t'
  return /scalar|value$|^(?:epsilon|alpha)$/i.test(name) ? types.source : undefined
}

/** `LocalTensor<srcType>`, `sizeof(U)`, `(__gm__ outputType*)`. */
export function isUsedAsType(name: string, bare: string): boolean {
  const isTypeName = /^(?:[TU]\d?|[a-z]\w*Type|[A-Z]\w*(?:_T|Type)|[A-Z]\w*T)$/.test(name)
  const uses = String.raw`(?:[<,]\s*${name}\s*[>,]|sizeof\s*\(\s*${name}\s*\)|__gm__\s+${name}\s*\*)`
  return isTypeName && new RegExp(uses).test(bare)
}

/** The structure of the library call that takes the name, by the library's own naming; '' if it is not such a call. */
function libraryTiling(name: string, bare: string): string {
  const api = new RegExp(String.raw`(\w+)\s*(?:<[^;]*?>)?\s*\([^;]*(?<![\w.])${name}\b`).exec(bare)?.[1]
  if (api === undefined || !librariesWithTiling.test(api)) return ''
  const owner = /^S(?:implesoft|oft|impleSoft)max/i.test(api) || api === 'AdjustSoftMaxRes' ? 'SoftMax' : api
  return `${owner === 'TopK' ? 'Topk' : owner}Tiling&`
}

const norms = '(?:Batch|Deep|Group|Layer|Rms)Norm|LayerNormGrad(?:Beta)?'
const librariesWithTiling = new RegExp(`^(?:(?:Simple)?SoftMax\\w*|LogSoftMax|${norms}|(?:Un)?Pad|TopK)$`, 'i')

/** The C interface works on plain pointers. */
function isOfCApi(bare: string): boolean {
  return /\basc_[a-z]\w*\s*\(/.test(bare)
}

/** By its name, or as what a copy of the C interface reads from GM or writes to it. */
function isInGm(name: string, bare: string): boolean {
  const copies = String.raw`\basc_copy_(?:\w+2gm\w*\s*\(|gm2\w+\s*\([^;,]*,)\s*${name}\b`
  return /(?:gm|global)$/i.test(name) || new RegExp(copies).test(bare)
}

function rawElement(bare: string, types: ElementTypes): string {
  return /__ubuf__\s+(\w+)/.exec(bare)?.[1] ?? types.source
}

function rawPointer(name: string, bare: string, types: ElementTypes): string {
  return sizeNames.test(name) ? 'uint32_t' : `__ubuf__ ${rawElement(bare, types)}*`
}

const operands = 'dst|src|tmp|work|shared|input|output|gamma|beta|mean|variance|rstd'
const tensorNames = new RegExp(String.raw`local|tensor|ub$|^(?:dst|src\d?|x|y|z)$|buf(?:fer)?$|^(?:${operands})`, 'i')
const sizeNames = /(?:size|len(?:gth)?|stride|count|num|offset|rows?|cols?|height|width)$/i

/** A tensor on the core if the name or its use indicates so, otherwise a number. */
function tensorType(name: string, types: ElementTypes, isUsed: IsUsed): string {
  const isNamedSo = tensorNames.test(name) && !sizeNames.test(name)
  if (isNamedSo || isUsed(String.raw`\.\s*(?:SetValue|GetValue|ReinterpretCast|GetPhyAddr)\b`))
    return `LocalTensor<${elementOf(name, types)}>`
  return isUsed(String.raw`(?:\.|->)\s*[A-Za-z_]`) ? '' : 'uint32_t'
}

function elementOf(name: string, types: ElementTypes): string {
  if (/mask|sel|cmp|bit/i.test(name)) return types.bits
  if (/src\w*offset|offset_buf/i.test(name)) return 'uint32_t'
  if (/tmp|work|shared|buf/i.test(name)) return types.scratch
  return /^(?:dst|out|y|z)|dst|out/i.test(name) ? types.destination : types.source
}

/** Whether code calls what takes one tensor: its repeats step through one source. */
function isUnary(bare: string): boolean {
  const called = [...bare.matchAll(/\b([A-Z]\w*)\s*[(<]/g)].map(([, name]) => interfaces.get(name!)?.operands ?? [])
  return called.some((operands) => operands.filter(({kind}) => kind === 'in').length === 1)
}

function parametersType(name: string, bare: string): string {
  const isPadded = /DataCopyPad/.test(bare)
  if (/pad/i.test(name) && isPadded) return 'DataCopyPadExtParams<T>'
  if (/copy/i.test(name)) return isPadded ? 'DataCopyExtParams' : 'DataCopyParams'
  return isUnary(bare) ? 'UnaryRepeatParams' : 'BinaryRepeatParams'
}
