import {elementTypes} from '../../../cpp/types.ts'
import type {OperatorDefinition} from '../../../cpp/op-def.ts'
import type {DefinedTensor, DefinitionFacts} from '../../../datasets/schema/code-facts.ts'
import type {Decision} from '../../../datasets/schema/decision.ts'
import type {OperatorSource} from '../../../datasets/schema/operator.ts'
import {columnTensors} from '../definition-facts.ts'
import {decided, fact, few, rule} from './host-view.ts'

/** Why a definition lists what it lists: types, optional tensors, attributes, chips. */
export function definitionDecisions(_: OperatorSource, facts: DefinitionFacts): Decision[] {
  return [
    ...typeDecisions(facts),
    ...formatDecision(facts),
    ...tensorDecisions(facts),
    ...propertyDecisions(facts),
    ...attributeDecisions(facts),
    ...chipDecisions(facts),
  ]
}

/** A definition in the file of its tiling, in the form of a definition's own file. */
export function definitionOf({operator, inputs, outputs, attributes, socs}: OperatorDefinition): DefinitionFacts {
  const tensor =
    (direction: DefinedTensor['direction']) =>
    (one: OperatorDefinition['inputs'][number]): DefinedTensor => ({
      ...{name: one.name, direction, kind: one.kind, formats: [], isColumn: true, properties: []},
      dtypes: one.dtypes.map((dtype) => elementTypes[dtype].constant),
    })
  const tensors = [...inputs.map(tensor('input')), ...outputs.map(tensor('output'))]
  const [first] = tensors
  const isTable = first && tensors.every(({dtypes}) => dtypes.length === first.dtypes.length)
  return {
    ...{operator, tensors, others: [], registration: '', constants: []},
    attributes: attributes.map(({name, required, type, default: value}) => ({
      ...{name, isRequired: required, type, default: value},
    })),
    columns: isTable ? first.dtypes.map((_, at) => tensors.map(({dtypes}) => dtypes[at] ?? '')) : [],
    chips: socs.map((chip) => ({chip, flags: [], tensors: []})),
  }
}

const rowOf = ({name, dtypes}: DefinedTensor) => fact(`${name}: ${dtypes.join(', ')}`)

interface Group {
  names: string[]
  dtypes: readonly string[]
}

/** Tensors whose lists are equal. */
function grouped(tensors: readonly DefinedTensor[]): Group[] {
  const groups = new Map<string, Group>()
  for (const {name, dtypes} of columnTensors(tensors)) {
    const group = groups.get(dtypes.join()) ?? {names: [], dtypes}
    if (!group.names.includes(name)) group.names.push(name)
    groups.set(dtypes.join(), group)
  }
  return [...groups.values()]
}

function typeDecisions(facts: DefinitionFacts): Decision[] {
  const {tensors, columns} = facts
  const read = columnTensors(tensors)
  // The last enumerator means the chip's own table.
  if (columns.flat().includes('DT_MAX')) return []
  if (columns.length === 0 || read.length === 0) return freeTypes(facts)
  const groups = grouped(tensors)
  const [first] = groups as [Group]
  const because = [...read.slice(0, 4).map(rowOf), rule('DataType', 'columns')]
  const kinds = [...new Set(first.dtypes)]
  const base = {count: columns.length, lists: read.length, names: few(first.names, 5), dtypes: kinds}
  const told = (situation: string, values: Decision['values'] = {}) => [
    decided('definition-types', situation, first.names[0] ?? '', {...base, ...values}, because),
  ]
  if (columns.length === 1)
    return groups.length === 1 ? told('one') : told('one-mixed', {all: few(columns[0] ?? [], 5)})
  const constant = groups.filter(({dtypes}) => new Set(dtypes).size === 1)
  const varying = groups.filter(({dtypes}) => new Set(dtypes).size > 1)
  if (groups.length === 1) return told(kinds.length === columns.length ? 'same' : 'repeated')
  const [leading, following, ...others] = varying
  if (leading && !following) return told('constant', constantValues(leading, constant))
  if (leading && following && others.length === 0) return told(...pairOf(leading, following, columns.length))
  return told('several', {
    groups: varying.length,
    varied: few(
      varying.map(({names}) => names[0] ?? ''),
      4,
    ),
  })
}

function constantValues(leading: Group, constant: readonly Group[]): Decision['values'] {
  return {
    varied: few(leading.names, 4),
    dtypes: [...new Set(leading.dtypes)],
    fixed: few(
      constant.flatMap(({names}) => names),
      4,
    ),
    types: few(
      constant.flatMap(({dtypes}) => dtypes.slice(0, 1)),
      3,
    ),
  }
}

/** Two lists that vary: each with each, or in parallel. */
function pairOf(a: Group, b: Group, count: number): [string, Decision['values']] {
  const [first, second] = [new Set(a.dtypes), new Set(b.dtypes)]
  const pairs = new Set(a.dtypes.map((one, at) => `${one} ${b.dtypes[at]}`))
  const values = {
    varied: few(a.names, 4),
    others: few(b.names, 4),
    first: first.size,
    second: second.size,
    dtypes: [...first],
    types: [...second],
    apart: a.dtypes.filter((one, at) => one !== b.dtypes[at]).length,
    distinct: pairs.size,
  }
  if (first.size * second.size === count && pairs.size === count) return ['product', values]
  return [pairs.size < count ? 'several' : 'beside', {...values, groups: 2}]
}

function freeTypes({tensors}: DefinitionFacts): Decision[] {
  const free = tensors.filter(({isColumn, dtypes}) => !isColumn && dtypes.length > 0)
  const [first] = free
  if (!first) return []
  const values = {
    names: few(
      free.map(({name}) => name),
      5,
    ),
    dtypes: few(first.dtypes, 5),
  }
  return [
    decided('definition-types', 'free', first.name, values, [
      ...free.slice(0, 3).map(rowOf),
      rule('DataTypeList', 'free'),
    ]),
  ]
}

/** Layouts other than ND, and columns that only differ in layout. */
function formatDecision({tensors, columns}: DefinitionFacts): Decision[] {
  const kinds = few(
    tensors.flatMap(({formats}) => formats),
    6,
  )
  const others = kinds.filter((one) => one !== 'FORMAT_ND' && one !== 'FORMAT_END')
  if (others.length === 0) return []
  const isRepeated = new Set(columns.map((one) => one.join())).size < columns.length
  const names = few(
    tensors.filter(({formats}) => formats.some((one) => others.includes(one))).map(({name}) => name),
    4,
  )
  const because = [...few(others, 3).map(fact), rule('Format', 'columns')]
  const situation = isRepeated && kinds.length > 1 ? 'formats' : 'layout'
  return [decided('definition-types', situation, names[0] ?? '', {formats: others, kinds, names}, because)]
}

function tensorDecisions({tensors}: DefinitionFacts): Decision[] {
  const inputs = tensors.filter(({direction}) => direction === 'input')
  const outputs = tensors.filter(({direction}) => direction === 'output')
  const byKind = (kind: DefinedTensor['kind']) => inputs.filter((one) => one.kind === kind)
  const [optional, dynamic] = [byKind('optional'), byKind('dynamic')]
  const shared = outputs.filter(({name}) => inputs.some((one) => one.name === name))
  const skipped = outputs.filter(({kind}) => kind === 'optional')
  const place = inputs.findIndex(({kind}) => kind === 'optional')
  const isLast = place >= 0 && inputs.slice(place).every(({kind}) => kind === 'optional')
  const told = (situation: string, found: readonly DefinedTensor[], values: Decision['values'] = {}) =>
    found.length === 0
      ? []
      : [
          decided(
            'definition-tensors',
            situation,
            found[0]?.name ?? '',
            {
              names: few(
                found.map(({name}) => name),
                5,
              ),
              ...values,
            },
            [rule('ParamType', situation)],
          ),
        ]
  return [
    ...told(isLast ? 'optional-last' : 'optional-between', optional, {place, after: inputs.at(-1)?.name ?? ''}),
    ...told('dynamic', dynamic),
    ...told('in-place', shared),
    ...told('optional-output', skipped),
    ...(optional.length + dynamic.length + shared.length === 0 && inputs.length >= 2
      ? told('order', inputs, {
          count: inputs.length,
          last: inputs.length - 1,
          first: inputs[0]?.name ?? '',
          end: inputs.at(-1)?.name ?? '',
        })
      : []),
  ]
}

/** Calls on a tensor that change what the framework does with it. */
const properties: readonly [RegExp, string][] = [
  [/^ValueDepend\(/, 'value-depend'],
  [/^AutoContiguous\(/, 'contiguous'],
  [/^IgnoreContiguous\(/, 'ignore-contiguous'],
  [/^Follow\(/, 'follow'],
  [/^Scalar(?:List)?\(/, 'scalar'],
  [/^OutputShapeDependOnCompute\(/, 'from-kernel'],
  [/^InitValue\(/, 'init-value'],
]

function propertyDecisions({tensors}: DefinitionFacts): Decision[] {
  return properties.flatMap(([pattern, situation]) => {
    const found = tensors.filter((one) => one.properties.some((text) => pattern.test(text)))
    const call = found[0]?.properties.find((text) => pattern.test(text))
    if (call === undefined) return []
    const isAll = found.length === tensors.length ? 'yes' : 'no'
    const values = {
      names: few(
        found.map(({name}) => name),
        5,
      ),
      call,
      all: isAll,
    }
    return [decided('definition-tensors', situation, call, values, [fact(call), rule(situation, situation)])]
  })
}

function attributeDecisions({attributes}: DefinitionFacts): Decision[] {
  if (attributes.length === 0) return []
  const withDefault = attributes.filter(({isRequired, default: value}) => !isRequired && value !== '')
  const required = attributes.filter(({isRequired}) => isRequired)
  const defaults = few(
    withDefault.map(({name, default: value}) => `${name} = ${value}`),
    6,
  )
  const names = few(
    required.map(({name}) => name),
    5,
  )
  const because = attributes.slice(0, 4).map(({name, type, default: value}) => fact(`${name}: ${type}(${value})`))
  const values = {defaults, names, count: attributes.length}
  const told = (situation: string) => [
    decided('definition-attributes', situation, attributes[0]?.name ?? '', values, because),
  ]
  const isAll = withDefault.length + required.length === attributes.length
  if (defaults.length > 0 && !isAll) return told('some-defaults')
  if (defaults.length > 0 && names.length > 0) return told('mixed')
  if (defaults.length > 0) return told('defaults')
  return names.length > 0 ? told('required') : []
}

function chipDecisions(facts: DefinitionFacts): Decision[] {
  const {chips} = facts
  const plain = chips.filter(({flags, tensors}) => flags.length + tensors.length === 0).map(({chip}) => chip)
  const told = (situation: string, values: Decision['values'], because: Decision['because']) =>
    decided('definition-chips', situation, String(values['chips'] ?? ''), values, because)
  const combinations = facts.columns.length
  const config = rule('AddConfig', 'one-build-a-chip')
  const own = chips.filter(({tensors}) => tensors.length > 0)
  const fileNames = new Set(chips.map(({flags}) => flags.flatMap(fileOf).join()))
  const files = chips.filter(
    ({chip, flags}) => !atlasA2.has(chip) && flags.flatMap(fileOf).length > 0 && fileNames.size > 1,
  )
  return [
    ...(plain.length > 0 && combinations > 0
      ? [
          told(
            'plain',
            {chips: few(plain, 6), count: plain.length, combinations, builds: plain.length * combinations},
            [...plain.slice(0, 3).map(fact), config],
          ),
        ]
      : []),
    ...ownTypes(facts, own).map(({situation, values}) => told(situation, values, [config])),
    ...(files.length > 0
      ? [
          told(
            'own-file',
            {
              chips: few(
                files.map(({chip}) => chip),
                4,
              ),
              files: few(
                files.flatMap(({flags}) => flags.flatMap(fileOf)),
                3,
              ),
            },
            [config],
          ),
        ]
      : []),
    ...flagDecision(facts),
  ]
}

/** Chips that the kernel of the other files is written for. */
const atlasA2 = new Set(['ascend910b', 'ascend910_93'])

const fileOf = (flag: string) => /^ExtendCfgInfo\("opFile\.value", "(\w+)"/.exec(flag)?.[1] ?? []

/** A chip with its own table: what it lacks, and what it has in addition to the operator's. */
function ownTypes({tensors}: DefinitionFacts, own: DefinitionFacts['chips']) {
  const kinds = (list: readonly DefinedTensor[]) => new Set(list.flatMap(({dtypes}) => dtypes))
  const all = kinds(tensors)
  const byDifference = new Map<string, {chips: string[]; lost: string[]; gained: string[]}>()
  for (const {chip, tensors: given} of own) {
    if (given.some(({dtypes}) => dtypes.length === 0)) continue
    const mine = kinds(given)
    const [lost, gained] = [[...all].filter((one) => !mine.has(one)), [...mine].filter((one) => !all.has(one))]
    const key = `${lost.join()} ${gained.join()}`
    const group = byDifference.get(key) ?? {chips: [], lost, gained}
    group.chips.push(chip)
    byDifference.set(key, group)
  }
  return [...byDifference.values()]
    .filter(({lost, gained}) => lost.length + gained.length > 0)
    .slice(0, 2)
    .map(({chips, lost, gained}) => {
      const values = {chips: few(chips, 5), lost: few(lost, 4), gained: few(gained, 4), count: chips.length}
      if (gained.length === 0) return {situation: 'fewer-types', values}
      return {situation: lost.length === 0 ? 'more-types' : 'other-types', values}
    })
}

/** Settings that say what is known when a kernel is built. */
function flagDecision({chips}: DefinitionFacts): Decision[] {
  const flags = chips.flatMap(({flags: all}) => all)
  const isSet = (name: string) => flags.some((one) => one.startsWith(`${name}(true`))
  if (!isSet('DynamicShapeSupportFlag')) return []
  const names = few(
    chips
      .filter(({flags: own}) => own.some((one) => one.startsWith('DynamicShapeSupportFlag(true')))
      .map(({chip}) => chip),
    5,
  )
  const ranks = isSet('DynamicRankSupportFlag') ? 'yes' : 'no'
  const given = few(
    flags.filter((one) => /^Dynamic(?:Shape|Rank)SupportFlag\(true/.test(one)),
    2,
  )
  return [decided('definition-chips', 'dynamic', names[0] ?? '', {chips: names, ranks, flags: given}, given.map(fact))]
}
