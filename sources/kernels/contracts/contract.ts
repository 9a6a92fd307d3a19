import {join} from 'node:path'
import type {OperatorDefinition} from '../../../cpp/op-def.ts'
import type {Contract, ContractExample, ContractParameter} from '../../../datasets/schema/contract.ts'
import {elementCount} from '../../../datasets/schema/tensor.ts'
import {readInput} from '../../../engine/input-files.ts'
import {sourceBytes} from '../../checkout.ts'
import {decodeSource} from '../decode.ts'
import {listedCases, tableCases} from './case-tables.ts'
import {interfaceCalls, signaturesIn, type Signature} from './interface-calls.ts'
import {pageParameters} from './page-parameters.ts'
import {tilingCases} from './tiling-cases.ts'

interface OperatorPlace {
  root: string
  /** Of the operator, relative to the root. */
  path: string
  /** Every file below the root, relative to it. */
  paths: readonly string[]
}

/** Examples of an operator that are kept: of each combination of types, and in all. */
const most = {ofTypes: 6, all: 32}

/** What an operator's own tests, examples and pages say about its calls; undefined when they say nothing. */
export async function readContract(
  operator: string,
  definition: OperatorDefinition | undefined,
  {root, path, paths}: OperatorPlace,
): Promise<Contract | undefined> {
  const below = path === '' || path === '.' ? '' : `${path}/`
  const all = paths.filter((one) => one.startsWith(below)).map((one) => one.slice(below.length))
  const own = all.filter((one) => !forOthers.test(below + one))
  const read = async (pattern: RegExp, files = own) => {
    const texts = []
    for (const one of files.filter((name) => pattern.test(name)).sort()) {
      const bytes = await readInput(join(root, path, one), sourceBytes)
      const text = Buffer.isBuffer(bytes) ? decodeSource(bytes) : undefined
      if (text !== undefined) texts.push({path: one, text})
    }
    return texts
  }
  const pages = await read(/^(?:README(?:\.zh|\.en)?|docs\/[^/]*)\.md$/i)
  const signatures = new Map<string, Signature>()
  for (const {text} of [...(await read(/(?:^|\/)op_api\/[^/]*\.h$/)), ...pages])
    for (const [name, one] of signaturesIn(text)) if (!signatures.has(name)) signatures.set(name, one)
  const examples: ContractExample[] = []
  for (const {path: file, text} of await read(/^(?:examples|tests?)\/.*\.(?:cpp|cc)$/)) {
    examples.push(...interfaceCalls(text, file, signatures, definition), ...tilingCases(text, file, operator))
  }
  // Of a table, other chips' as well: sizes, types and values are an operator's, whatever runs it.
  for (const {path: file, text} of await read(/^tests?\/.*\.csv$/, all)) examples.push(...tableCases(text, file))
  for (const {path: file, text} of await read(/^tests?\/.*\.json$/, all)) examples.push(...listedCases(text, file))
  const parameters = new Map<string, ContractParameter>()
  for (const {path: file, text} of pages)
    for (const {meaning: _, ...one} of pageParameters(text, file))
      if (!parameters.has(one.name)) parameters.set(one.name, one)
  if (examples.length + parameters.size === 0) return undefined
  return {examples: chosen(examples), parameters: [...parameters.values()]}
}

/** Tests and examples for other chips, by their paths. */
const forOthers = /arch35|(?:^|[/_])(?:950|310[bp]?|regbase|kirin\w*|mc62)(?:[/_.]|$)/i

/** What most tests of a kernel that is cut into a few tiles have. */
const usualElements = 8192

/** Distinct non-empty ones, usual sizes first, limited per combination of types. */
function chosen(examples: readonly ContractExample[]): ContractExample[] {
  const held = examples.filter(({inputs}) => inputs.some((one) => one !== null))
  const different = [...new Map(held.map((one) => [JSON.stringify({...one, place: ''}), one])).values()]
  const counts = new Map<string, number>()
  return different
    .filter((one) => tensorsOf(one).every((tensor) => elementCount(tensor.shape) > 0))
    .map((one) => ({one, far: Math.abs(Math.log(elementsOf(one) / usualElements))}))
    .sort((a, b) => a.far - b.far)
    .filter(({one}) => {
      const types = [...one.inputs, ...one.outputs].map((tensor) => tensor?.dtype ?? '').join(' ')
      counts.set(types, (counts.get(types) ?? 0) + 1)
      return (counts.get(types) ?? 0) <= most.ofTypes
    })
    .slice(0, most.all)
    .map(({one}) => one)
}

const tensorsOf = ({inputs, outputs}: ContractExample) => [...inputs, ...outputs].filter((one) => one !== null)

function elementsOf(example: ContractExample): number {
  return tensorsOf(example).reduce((sum, {shape}) => sum + elementCount(shape), 0)
}
