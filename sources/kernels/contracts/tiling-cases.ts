import {pattern} from '../../../cpp/pattern.ts'
import type {ContractExample, ExampleTensor} from '../../../datasets/schema/contract.ts'
import {
  attributeOf,
  bodiesOf,
  dtypeOf,
  isExpectedToRun,
  itemsAt,
  shapeOf,
  sitesIn,
  tensorOf,
  type Site,
  type TestBody,
} from './test-code.ts'
import {itemsIn, type Written} from './written-values.ts'

/** Tests of tiling and of shape inference call an operator by its own inputs, in the order of its definition. */
export function tilingCases(text: string, path: string, operator: string): ContractExample[] {
  return bodiesOf(text, /\b(?:Tiling|Infershape)Context(?:Para|Faker)\b/).flatMap((body) => [
    // One by one: names have their last value before a call.
    ...Array.from(sitesIn(body, described), (site) => describedCase(body, site, {path, operator})).flat(),
    ...Array.from(sitesIn(body, faked), (site) => fakedCase(site, path)).flat(),
  ])
}

const described = [
  'TilingContextPara $_($$$items)',
  'TilingContextPara($$$items)',
  'InfershapeContextPara $_($$$items)',
  'InfershapeContextPara($$$items)',
].map((one) => pattern(one))

interface Named {
  path: string
  operator: string
}

/** `TilingContextPara("Add", {{{{2}, {2}}, ge::DT_FLOAT, ge::FORMAT_ND}}, {…}, {OpAttr("axis", …)})`. */
function describedCase(body: TestBody, site: Site, {path, operator}: Named): ContractExample[] {
  const [name, inputs, outputs, ...rest] = itemsAt(site, 'items')
  if (name?.kind !== 'text' || name.value !== operator || !isExpectedToRun(site)) return []
  const read = describedSide(inputs)
  const written = describedSide(outputs)
  if (!read || !written) return []
  const attributes = rest.flatMap((one) => (one.kind === 'list' ? attributesIn(one.items) : []))
  const isInference = site.source.tokens[site.match.from]?.text === 'InfershapeContextPara'
  const made = isInference ? inferredSide(body, site, written) : written
  return [{inputs: read, outputs: made.filter((one) => one !== null), attributes, place: {path, line: site.line}}]
}

const executed = [pattern('ExecuteTestCase($$$items)')]

/** A test of inference leaves shapes of outputs open and says what they have to become; empty if it does not. */
function inferredSide(body: TestBody, {match}: Site, written: Side): Side {
  for (const site of sitesIn(body, executed)) {
    if (site.match.from < match.to) continue
    const expected = itemsAt(site, 'items')[2]
    const shapes = expected?.kind === 'list' ? expected.items.map(shapeOf) : []
    const outputs = written.map((one, at) => one && shapes[at] && {...one, shape: shapes[at]})
    return outputs.includes(undefined) ? [] : (outputs as Side)
  }
  return []
}

type Side = (ExampleTensor | null)[]

function describedSide(list: Written | undefined): Side | undefined {
  if (list?.kind !== 'list') return undefined
  const tensors = list.items.map(describedTensor)
  return tensors.includes(undefined) ? undefined : (tensors as Side)
}

/** Null for an optional input that is omitted; undefined if something is unknown. */
function describedTensor(item: Written): ExampleTensor | null | undefined {
  const parts = item.kind === 'list' || item.kind === 'name' ? partsOf(item) : []
  const [shape, type, , , data] = parts
  const dtype = dtypeOf(type)
  const sizes = shapeOf(shape)
  if (type?.kind === 'name' && type.name === 'DT_UNDEFINED') return null
  if (!dtype || !sizes) return undefined
  const isAbsent = sizes.length === 0 && shape?.kind === 'list' && shape.items.length === 0
  return isAbsent ? null : tensorOf('', dtype, sizes, data && listOf(data))
}

const partsOf = (item: Written): readonly Written[] => {
  if (item.kind === 'list') return item.items
  return item.kind === 'name' && /^TensorDesc/.test(item.name) ? item.args : []
}

function listOf(data: Written): number[] | undefined {
  const value = attributeOf(data)
  return Array.isArray(value) ? value : undefined
}

function attributesIn(items: readonly Written[]): ContractExample['attributes'] {
  return items.flatMap((one) => {
    const [name, given] = (one.kind === 'list' && one.items) || (one.kind === 'name' && one.args) || []
    const value = attributeOf(given)
    return name?.kind === 'text' && value !== undefined ? [{name: name.value, value}] : []
  })
}

const faked = [pattern('TilingContextFaker()$$$chain.Build()')]
const shapes = {inputs: pattern('.InputShapes({$$$items})'), outputs: pattern('.OutputShapes({$$$items})')}
const types = {
  inputs: pattern('.NodeInputTd($$at, $$dtype, $$$_)'),
  outputs: pattern('.NodeOutputTd($$at, $$dtype, $$$_)'),
}
const attributeList = pattern('.NodeAttrs({$$$items})')

/** `TilingContextFaker().InputShapes({&x}).NodeInputTd(0, ge::DT_FLOAT, …).NodeAttrs({…}).Build()`. */
function fakedCase(site: Site, path: string): ContractExample[] {
  const {source, names, match} = site
  if (!isExpectedToRun(site)) return []
  const part = {source, stretch: {from: match.from, to: match.to}, globals: names}
  const side = (which: 'inputs' | 'outputs') => {
    const list = [...sitesIn(part, [shapes[which]])].flatMap((one) => itemsAt(one, 'items'))
    const dtypes = [...sitesIn(part, [types[which]])].map((one) => dtypeOf(itemsAt(one, 'dtype')[0]))
    const isNull = (one: Written) => one.kind === 'name' && one.name === 'nullptr'
    const tensors = list.map((one, at) => {
      const [sizes, dtype] = [shapeOf(one), dtypes[at]]
      if (isNull(one)) return null
      return sizes && dtype ? tensorOf('', dtype, sizes) : undefined
    })
    return tensors.includes(undefined) ? undefined : (tensors as (ExampleTensor | null)[])
  }
  const [inputs, outputs] = [side('inputs'), side('outputs')]
  if (!inputs || !outputs || inputs.length === 0) return []
  const attributes = [...sitesIn(part, [attributeList])].flatMap((one) =>
    attributesIn(one.match.holes['items'] ? itemsIn(source, one.match.holes['items'], names) : []),
  )
  return [{inputs, outputs: outputs.filter((one) => one !== null), attributes, place: {path, line: site.line}}]
}
