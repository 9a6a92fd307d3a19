import {itemsBetween} from '../../../cpp/brackets.ts'
import type {OperatorDefinition} from '../../../cpp/op-def.ts'
import {matchesOf, pattern} from '../../../cpp/pattern.ts'
import {inBrackets, textOf, tokenized} from '../../../cpp/tokenized.ts'
import type {ContractExample, ExampleTensor} from '../../../datasets/schema/contract.ts'
import {
  attributeOf,
  bodiesOf,
  dtypeOf,
  isExpectedToRun,
  itemsAt,
  mostValues,
  shapeOf,
  sitesIn,
  tensorOf,
  wordAt,
  type Site,
  type TestBody,
} from './test-code.ts'
import {itemsIn, numbersOf, valueOf, type Written} from './written-values.ts'

/** Parameters of a function of the interface in C, those before the workspace. */
export type Signature = readonly {name: string; kind: 'input' | 'output' | 'value'}[]

const isFirst = (name: string) => /^aclnn\w+GetWorkspaceSize$/.test(name)
const declared = pattern('$call($$$parameters)', {call: isFirst})

/** Functions that a header or a page declares. */
export function signaturesIn(text: string): Map<string, Signature> {
  const source = tokenized(text, /\baclnn\w+GetWorkspaceSize\b/)
  const found = new Map<string, Signature>()
  for (const {holes} of matchesOf(source, [declared])) {
    const {call, parameters} = holes
    if (!call || !parameters) continue
    const all = itemsBetween(source.tokens, source.partners, parameters).map((item) => {
      const words = source.tokens.slice(item.from, item.to).map(({text: word}) => word)
      const isTensor = words.includes('aclTensor') || words.includes('aclTensorList')
      const side = words.includes('const') ? 'input' : 'output'
      return {name: words.at(-1) ?? '', kind: isTensor ? side : 'value', isTyped: words.length > 1} as const
    })
    const end = all.findIndex(({name}) => name === 'workspaceSize')
    const name = textOf(source, call)
    if (end > 0 && all.every(({isTyped}) => isTyped) && !found.has(name)) found.set(name, all.slice(0, end))
  }
  return found
}

/**
 * Calls of the interface in C. Without a header, it is the generated one: inputs, attributes and outputs in the order
 * of the definition.
 */
export function interfaceCalls(
  text: string,
  path: string,
  signatures: ReadonlyMap<string, Signature>,
  definition: OperatorDefinition | undefined,
): ContractExample[] {
  const known = {path, signatures, generated: definition && generatedSignature(definition)}
  return bodiesOf(text, /\baclnn\w+/).flatMap((body) => {
    const tensors = tensorsOf(body)
    return [...sitesIn(body, calls)].flatMap((site) => callAt(site, tensors, known))
  })
}

interface Known {
  path: string
  signatures: ReadonlyMap<string, Signature>
  generated: Signature | undefined
}

function generatedSignature({inputs, attributes, outputs}: OperatorDefinition): Signature {
  return [
    ...inputs.map(({name}) => ({name, kind: 'input' as const})),
    ...attributes.map(({name}) => ({name, kind: 'value' as const})),
    ...outputs.map(({name}) => ({name, kind: 'output' as const})),
  ]
}

const created = pattern('$create($$$items, & $tensor)', {create: (name) => /^Create\w*Tensor\w*$/.test(name)})

/** Tensors by the names of variables: `CreateAclTensor(data, shape, &address, ACL_FLOAT, &self)`. */
function tensorsOf(body: TestBody): Map<string, ExampleTensor> {
  const found = new Map<string, ExampleTensor>()
  for (const site of sitesIn(body, [created])) {
    const items = itemsAt(site, 'items')
    const dtype = items.map(dtypeOf).find((one) => one !== undefined)
    const [first, second] = items
    const sizes = shapeOf(second) ?? shapeOf(first)
    const values = shapeOf(second) === undefined ? undefined : numbersOf(first, mostValues)
    const name = wordAt(site, 'tensor')
    if (dtype && sizes) found.set(name, tensorOf(name, dtype, sizes, values))
    else found.delete(name)
  }
  return found
}

const calls = [
  pattern('OP_API_UT($call, INPUT($$$inputs), OUTPUT($$$outputs))'),
  pattern('$call($$$inputs)', {call: isFirst}),
]

function callAt(site: Site, tensors: ReadonlyMap<string, ExampleTensor>, known: Known): ContractExample[] {
  const name = wordAt(site, 'call').replace(/GetWorkspaceSize$/, '')
  const isTest = site.match.holes['outputs'] !== undefined
  const handed = ['inputs', 'outputs'].flatMap((hole) => writtenItems(site, hole))
  const all = isTest ? handed : handed.slice(0, -2)
  const signature = known.signatures.get(`${name}GetWorkspaceSize`) ?? namedAlike(all, known.generated, tensors)
  if (signature?.length !== all.length || (isTest && !isExpectedToRun(site))) return []
  const example: ContractExample = {inputs: [], outputs: [], attributes: [], place: {path: known.path, line: site.line}}
  for (const [at, parameter] of signature.entries()) {
    const {text: written, value} = all[at] as Handed
    if (parameter.kind === 'value') {
      const attribute = attributeOf(handedOn(value))
      if (attribute === undefined) continue
      example.attributes.push({name: parameter.name, value: attribute})
      continue
    }
    const tensor = tensors.get(written) ?? tensorAt(site, value, written)
    if (tensor === undefined) return []
    if (parameter.kind === 'input') example.inputs.push(tensor && {...tensor, name: parameter.name})
    else if (tensor) example.outputs.push({...tensor, name: parameter.name})
  }
  return [example]
}

/** An example may be older or newer than the definition: tensors tell by their order, values by their variables. */
function namedAlike(
  all: readonly Handed[],
  generated: Signature | undefined,
  tensors: ReadonlyMap<string, ExampleTensor>,
): Signature | undefined {
  if (!generated || generated.length === all.length) return generated
  const left = generated.filter(({kind}) => kind !== 'value')
  if (all.filter(({text}) => tensors.has(text)).length !== left.length) return undefined
  return all.map(({text}) => (tensors.has(text) && left.shift()) || {name: text, kind: 'value'})
}

interface Handed {
  text: string
  value: Written
}

/** The content of a pattern's hole, as written and as a value. */
function writtenItems({source, match, names}: Site, hole: string): Handed[] {
  const stretch = match.holes[hole]
  if (!stretch) return []
  return itemsBetween(source.tokens, source.partners, stretch)
    .filter(({from, to}) => from < to)
    .map((item) => ({text: textOf(source, item), value: valueOf(source, item, names)}))
}

/** Null if omitted, undefined if unknown. */
function tensorAt({source, names}: Site, value: Written, written: string): ExampleTensor | null | undefined {
  if (value.kind !== 'name') return undefined
  // A variable that begins as a null pointer holds a tensor later.
  if (value.name === 'nullptr') return written.endsWith('nullptr') ? null : undefined
  if (value.name !== 'TensorDesc') return undefined
  const [sizes, dtype] = [shapeOf(value.args[0]), dtypeOf(value.args[1])]
  if (!sizes || !dtype) return undefined
  const tensor = tensorOf('', dtype, sizes)
  const open = value.chain && source.tokens.slice(value.chain.from, value.chain.to)
  const at = open?.findIndex(({text}) => text === 'ValueRange') ?? -1
  const list = value.chain && at >= 0 ? inBrackets(source, value.chain.from + at + 1, '(') : undefined
  const range = list && numbersOf({kind: 'list', items: itemsIn(source, list, names)})
  return range?.length === 2 ? {...tensor, range: [range[0] as number, range[1] as number]} : tensor
}

/** What a list or a scalar is made of: `aclCreateIntArray(sizes.data(), 2)`, `IntArrayDesc(sizes)`. */
function handedOn(value: Written): Written {
  const isMade = value.kind === 'name' && /^(?:aclCreate\w+|\w+Desc)$/.test(value.name)
  return isMade ? (value.args[0] ?? value) : value
}
