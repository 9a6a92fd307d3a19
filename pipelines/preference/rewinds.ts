import type {SourceFile} from '../../datasets/schema/operator.ts'
import {canonicalJson} from '../../engine/ids.ts'
import {randomFrom, type Random} from '../../engine/random.ts'
import {copySteps} from './rewinds/copies.ts'
import {type Step, everywhere, type Edit, somewhere, statementEdit} from './rewinds/step.ts'
import {isTwo} from '../../cpp/kernel-forms.ts'
import {pattern} from '../../cpp/pattern.ts'
import {foundIn, type SourceView, tokenAt, type Range, type Call} from '../../cpp/source-view.ts'
import {vectorApis} from '../../cpp/interfaces.ts'

interface Rewind {
  files: SourceFile[]
  /**
   * What was taken, in order; of one list the same steps are the same operator. The one with all steps but the last
   * precedes it in the list, if there is more than one.
   */
  steps: string[]
}

const longestChain = 4

/**
 * Up to `count` slower versions of an operator, step by step in chains of at most four that share their beginnings.
 * Every kind of step comes first in turn, so that a few chains have them all. The same files and the same random stream
 * give the same versions.
 */
export function rewindsOf(files: readonly SourceFile[], count: number, random: Random): Rewind[] {
  const rewinds: Rewind[] = []
  const seen = new Set([canonicalJson(files)])
  const seed = random.integer(0, 0x7fffffff)
  const order = random.shuffle(rewindSteps)
  for (let first = 0; first < order.length && rewinds.length < count; first += longestChain) {
    const turn = [...order.slice(first), ...order.slice(0, first)]
    let version: Rewind = {files: [...files], steps: []}
    for (const step of chainOf(turn, files, random)) {
      const steps = [...version.steps, step.name]
      const slower = step.take(version.files, randomFrom(seed, ...steps))
      if (!slower || rewinds.length === count) continue
      version = {files: slower, steps}
      const id = canonicalJson(slower)
      if (!seen.has(id)) rewinds.push(version)
      seen.add(id)
    }
  }
  return rewinds
}

/** One of these: the repair of the second would leave the first, another number of cores than there are. */
const ofCores = new Set(['fewer-cores', 'one-core'])

/** The first steps in turn that the operator offers a place for, from light to heavy. */
function chainOf(turn: readonly Step[], files: readonly SourceFile[], random: Random): Step[] {
  const offered = turn.filter((step) => step.take(files, random) !== undefined)
  const first = offered.find(({name}) => ofCores.has(name))
  const possible = offered.filter((step) => step === first || !ofCores.has(step.name)).slice(0, longestChain)
  return rewindSteps.filter((step) => possible.includes(step))
}

/** Queues of a position by the name that they are declared with. */
function queuesAt(source: SourceView, position: 'VECIN' | 'VECOUT'): ReadonlySet<string> {
  return new Set(foundIn(source, pattern(`TQue<$$_::${position}, $$_> $name;`)).map(({hole}) => hole('name')))
}

function singleBlocks(source: SourceView, position: 'VECIN' | 'VECOUT'): Edit[] {
  const queues = queuesAt(source, position)
  return source.calls
    .filter(({name, args}) => name === 'InitBuffer' && args.length === 3 && queues.has(args[0]?.text ?? ''))
    .flatMap(({args: [, blocks]}) =>
      blocks && isTwo(source, blocks.text) ? [{start: blocks.start, end: blocks.end, replacement: '1'}] : [],
    )
}

/** No double buffering: a tile is copied in when the one before it was computed. */
const singleBufferIn = everywhere('single-buffer-in', 'op_kernel', (source) => singleBlocks(source, 'VECIN'))

/** A tile is computed when the one before it was copied out. */
const singleBufferOut = everywhere('single-buffer-out', 'op_kernel', (source) => singleBlocks(source, 'VECOUT'))

export const bufferSteps: readonly Step[] = [singleBufferIn, singleBufferOut]

/** `platform.GetCoreNumAiv()` with everything before the call, and what an earlier step divides it by. */
function coreNumbers(source: SourceView): (Range & {divided: boolean})[] {
  return source.calls
    .filter(({name}) => name === 'GetCoreNumAiv' || name === 'GetCoreNum')
    .map(({start, end}) => {
      const divisor = /^\s*\/\s*\d+/.exec(source.code.slice(end))?.[0] ?? ''
      return {start: receiverStart(source, start), end: end + divisor.length, divided: divisor !== ''}
    })
}

const marks = new Set(['.', '->', '::', ')'])

/** Names, `.`, `->`, `::` and calls, backwards from a name. */
function receiverStart({tokens, partners}: SourceView, name: number): number {
  let at = tokenAt(tokens, name)
  for (;;) {
    const [before, here] = [tokens[at - 1], tokens[at]]
    const isPart = before && (before.kind === 'word' || marks.has(before.text)) && !here?.spaced && !here?.leads
    const from = before?.text === ')' ? (partners[at - 1] as number) : at - 1
    if (!isPart || from < 0) return here?.start ?? name
    at = from
  }
}

/** The host splits the work over as many cores as it takes to be there, so it comes out even. */
const fewerCores = everywhere('fewer-cores', 'op_host', (source) =>
  coreNumbers(source).flatMap(({end, divided}): Edit[] => (divided ? [] : [{start: end, end, replacement: ' / 4'}])),
)

const oneCore = everywhere('one-core', 'op_host', (source) =>
  coreNumbers(source).map(({start, end}) => ({start, end, replacement: '1'})),
)

/** How tiling data name the elements, and the rows, of a tile. */
const tileLength = /^tile_?(?:Len|Length|Size|DataNum|Elements)$/i
const tileRows = /^tile_?Rows$/i

/** A tile of 256 elements is whole repeats of every type. */
const smallerTiles = everywhere('smaller-tiles', 'op_host', (source, random) => {
  const [length, rows] = [random.pick([256, 512]), random.pick([1, 2])]
  return fieldsOf(source).flatMap(({name, value}): Edit[] => {
    const isRows = tileRows.test(name)
    if (!isRows && !tileLength.test(name)) return []
    const most = isRows ? rows : length
    const text = source.text.slice(value.start, value.end).trim()
    const known = /^\w+$/.test(text) ? text : `(${text})`
    return [{...value, replacement: `${known} < ${most} ? ${known} : ${most}`}]
  })
})

/** `tiling.set_tileLength(value)` and `tiling->tileLength = value;`. */
function fieldsOf({calls, code}: SourceView): {name: string; value: {start: number; end: number}}[] {
  const set = calls.flatMap(({name, args: [value]}) =>
    name.startsWith('set_') && value ? [{name: name.slice(4), value: {start: value.start, end: value.end}}] : [],
  )
  const assigned = [...code.matchAll(/(?:->|\.)\s*(\w+)\s*=(?!=)\s*([^;]+);/g)].map((match) => {
    const end = match.index + match[0].length - 1
    return {name: match[1] ?? '', value: {start: end - (match[2] ?? '').length, end}}
  })
  return [...set, ...assigned]
}

export const hostSteps: readonly Step[] = [smallerTiles, fewerCores, oneCore]

/** What one element of a vector call becomes in C++, by its formula. NaN stays NaN, as an instruction leaves it. */
const inCode = new Map([
  ...['+', '-', '*', '/'].map((sign) => [`$1 ${sign} $2`, `a ${sign} b`] as const),
  ['max($1, $2)', 'a > b ? a : b'],
  ['min($1, $2)', 'a < b ? a : b'],
  ['|$1|', 'a < 0 ? -a : a'],
  ['max($1, 0)', 'a < 0 ? 0 : a'],
])

/** The element type that the nearest declaration above gives a tensor. */
function typeOf(source: SourceView, tensor: string, before: number): string | undefined {
  const [name] = /^\w+/.exec(tensor) ?? []
  const above = foundIn(source, ...tensorForms).filter(({end, hole}) => end <= before && hole('name') === name)
  return above.at(-1)?.hole('type')
}

const tensorForms = ['LocalTensor<$type> $name', 'LocalTensor<$type>& $name'].map((form) => pattern(form))

/** One element after the other, by the scalar unit. Types narrower than float are computed in float, as it computes. */
function scalarLoop(source: SourceView, call: Call): Edit[] {
  const {name, args, statement, start} = call
  const element = inCode.get(vectorApis.get(name)?.formula ?? '')
  const [dst, ...operands] = args
  const count = operands.pop()
  if (!element || !statement || !dst || !count || operands.length !== (element.includes('b') ? 2 : 1)) return []
  const type = typeOf(source, dst.text, start)
  if (type === undefined || !/^(?:static_cast<\w+>\([\w.]+\)|[\w.]+)$/.test(count.text)) return []
  const values = operands.map(({text}) => {
    if (typeOf(source, text, start) === undefined) return type === 'float' ? text : `static_cast<float>(${text})`
    return type === 'float' ? `${text}.GetValue(index)` : `static_cast<float>(${text}.GetValue(index))`
  })
  const result = type === 'float' ? element : `static_cast<${type}>(${element})`
  return [
    statementEdit(source, statement, [
      `for (uint32_t index = 0; index < ${count.text}; ++index) {`,
      ...values.map((value, at) => `    const float ${'ab'[at]} = ${value};`),
      `    ${dst.text}.SetValue(index, ${result});`,
      '}',
    ]),
  ]
}

const scalarLoops = somewhere('scalar-loop', 'op_kernel', (source) =>
  source.calls.flatMap((call) => scalarLoop(source, call)),
)

/** Queues order what has to be ordered; this makes every pipe wait for all. */
const barrier = somewhere('barrier-in-loop', 'op_kernel', (source) =>
  source.calls.flatMap(({name, statement}) =>
    name === 'EnQue' && statement
      ? [
          statementEdit(source, statement, [
            source.text.slice(statement.start, statement.end),
            'PipeBarrier<PIPE_ALL>();',
          ]),
        ]
      : [],
  ),
)

const instructionSteps: readonly Step[] = [barrier, scalarLoops]

/**
 * From light to heavy: after a heavy step a light one is invisible. `scalar-loop` follows `one-core` because it is
 * heavier.
 */
export const rewindSteps: readonly Step[] = [
  ...bufferSteps,
  ...instructionSteps.filter(({name}) => name !== 'scalar-loop'),
  ...copySteps,
  ...hostSteps,
  ...instructionSteps.filter(({name}) => name === 'scalar-loop'),
]
