import type {OperatorDefinition} from '../../../cpp/op-def.ts'
import type {Dtype} from '../../../datasets/schema/tensor.ts'
import type {Dtypes} from './dtype-columns.ts'
import type {Shape} from './roles.ts'

type Attribute = OperatorDefinition['attributes'][number]
export type Attributes = Record<string, boolean | number | string | number[]>

/** Numbers of ge::DataType, by which attributes name a type. */
const typeNumbers: Readonly<Partial<Record<Dtype, number>>> = {
  float32: 0,
  float16: 1,
  int8: 2,
  int32: 3,
  uint8: 4,
  int16: 6,
  uint16: 7,
  uint32: 8,
  int64: 9,
  uint64: 10,
  float64: 11,
  bool: 12,
  bfloat16: 27,
}

/** What a call may give for its attributes: those that need a value, then others besides. */
export function attributeSets(definition: OperatorDefinition, dtypes: Dtypes, base: Shape): Attributes[] {
  const needed = definition.attributes.filter(({required, default: value}) => required || value === '')
  const output = dtypes[definition.outputs[0]?.name ?? ''] ?? 'float32'
  const sets = [0, 1, 2].map((choice) =>
    Object.fromEntries(needed.map((one) => [one.name, choose(valuesOf(one, output, base), choice)])),
  )
  return [...new Map(sets.map((one) => [JSON.stringify(one), one])).values()]
}

/** Attribute sets that differ from a set in one attribute that has a default. */
export function attributeChanges(definition: OperatorDefinition, base: Shape): Attributes[] {
  return definition.attributes.flatMap(({name, type, default: value}): Attributes[] => {
    if (type === 'Bool') return [{[name]: !/^(?:true|1)$/.test(value)}]
    if (type === 'String' && name === 'reduction') return ['none', 'mean', 'sum'].map((word) => ({[name]: word}))
    if (type === 'Int' && /axis|dim/.test(name)) return [{[name]: 0}, {[name]: base.length - 1}]
    return []
  })
}

const choose = <T>(values: readonly T[], at: number) => values[Math.min(at, values.length - 1)] as T

function valuesOf({name, type}: Attribute, output: Dtype, base: Shape): Attributes[string][] {
  const lower = name.toLowerCase()
  if (type === 'Bool') return [false, true]
  if (type === 'Float') return /eps/.test(lower) ? [1e-5] : [1, 0.5]
  if (type === 'String') return wordsFor(lower)
  if (type === 'Int') return integersFor(lower, output)
  if (type === 'ListInt') return listsFor(lower, base)
  if (type === 'ListFloat') return [base.slice(2).map(() => 1), [1]]
  if (type === 'ListBool') return [[0]]
  return [0]
}

function wordsFor(name: string): string[] {
  if (name.includes('reduction') || name === 'reduce') return ['none', 'sum', 'mean']
  if (name.includes('format') || name.includes('layout')) return ['NCHW', 'ND', 'BSND']
  if (name.includes('round')) return ['rint', 'round']
  if (name.includes('mode')) return ['constant', 'bilinear', 'none']
  return ['', 'none']
}

function integersFor(name: string, output: Dtype): number[] {
  if (/dtype|dst_type|out(?:put)?_type|data_type/.test(name)) return [typeNumbers[output] ?? 0]
  if (/axis|axes|dim/.test(name)) return [-1, 0, 1]
  if (/group/.test(name)) return [2, 1]
  return [1, 2, 0]
}

function listsFor(name: string, base: Shape): number[][] {
  const spatial = base.slice(2)
  if (/axis|axes|dim/.test(name)) return [[base.length - 1], [0], base.map((_, at) => at)]
  if (/perm/.test(name)) return [base.map((_, at) => base.length - 1 - at)]
  if (/normalized/.test(name)) return [[base.at(-1) ?? 1]]
  if (/(?:kernel|ksize|window|block)/.test(name)) return [spatial.map(() => 2), base.map((_, at) => (at > 1 ? 2 : 1))]
  if (/stride|dilation|multiple|repeat/.test(name)) return [spatial.map(() => 1), base.map(() => 1)]
  if (/output_size|out_size/.test(name)) return [spatial.map(() => 4), [4]]
  if (/pad/.test(name)) return [spatial.map(() => 0), spatial.flatMap(() => [0, 0]), base.flatMap(() => [0, 0])]
  if (/shape|size/.test(name)) return [[...base], spatial.map(() => 4)]
  if (/begin|offset|start|shift/.test(name)) return [base.map(() => 0), [1]]
  return [[1], spatial.map(() => 1), [...base]]
}
