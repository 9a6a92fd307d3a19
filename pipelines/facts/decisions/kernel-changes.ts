import type {Edit} from '../../../cpp/edit.ts'
import {interfaces} from '../../../cpp/interfaces.ts'
import {declarationsOf, interfaceCalls, partOf, statementCalls, tensorsOf} from '../../../cpp/declarations.ts'
import {elementsOf, isTwo, lengthByCase} from '../../../cpp/kernel-forms.ts'
import {pattern} from '../../../cpp/pattern.ts'
import {foundIn, wholeLines, type Call, type Range, type SourceView} from '../../../cpp/source-view.ts'
import {edit, quoted, together, type Change, type ChangeKind} from './change.ts'

/** `DataCopy` moves whole blocks of 32 bytes: what is left over is not copied, or too much is. */
function plainCopies(source: SourceView): Change[] {
  const edits = statementCalls(source, 'DataCopyPad').flatMap(({start, end, args: [to, from, params]}) => {
    const count = params && elementsOf(source, params.text, start)
    return to && from && count ? [edit({start, end}, `DataCopy(${to.text}, ${from.text}, ${count})`)] : []
  })
  return together('DataCopyPad', edits)
}

const least = ['Min', 'std::min', 'min'].map((name) =>
  pattern(`$type $length = ${name}($$one, $$other);`, lengthByCase.takes),
)

/** The last tile is as long as all others. */
function wholeTiles(source: SourceView): Change[] {
  const choices = foundIn(source, lengthByCase).map(({at, hole}) => ({
    start: at('is').start,
    end: at('other').end,
    whole: hole('other'),
  }))
  const minima = foundIn(source, ...least).map(({start, at, hole}) => ({
    start: source.text.indexOf('=', start) + 2,
    end: source.text.indexOf(')', at('other').end) + 1,
    whole: hole('other'),
  }))
  return [...choices, ...minima]
    .filter(({start}) => inLoop(source, start))
    .map(({start, end, whole}) => ({
      subject: quoted(source.text.slice(start, end)),
      edits: [edit({start, end}, whole)],
    }))
}

const loopHead = /\b(?:for|while)\s*\([^{};]*(?:;[^{};]*){0,2}\)\s*\{[^{}]*$/

function inLoop({code}: SourceView, position: number): boolean {
  return loopHead.test(code.slice(Math.max(0, position - 400), position))
}

/** Queues with one block: a tile is not copied while another is computed. */
function singleBlocks(source: SourceView): Change[] {
  const set = source.calls.filter(
    ({name, args}) => name === 'InitBuffer' && args.length === 3 && isTwo(source, args[1]?.text ?? ''),
  )
  const [first] = set
  return together(
    first?.args[0]?.text ?? '',
    set.flatMap(({args: [, blocks]}) => (blocks ? [edit(blocks, '1')] : [])),
  )
}

const isBound = new Set(['Mins', 'Maxs'])

/** A bound that is not set: the instruction goes, or only passes its operand on. */
function withoutBounds(source: SourceView): Change[] {
  return interfaceCalls(source).flatMap((call): Change[] => {
    const gone = isGuard(source, call) ? passing(source, call) : undefined
    return together(quoted(written(source, call)), gone ? [gone] : [], boundOf(source, call))
  })
}

/** What a value is computed to be is a bound of the formula, unlike a constant of the code. */
function isGuard(source: SourceView, call: Call): boolean {
  const by = call.args[2]?.text ?? ''
  return isBound.has(call.name) && (/^-?[A-Z][A-Z\d_]*$/.test(by) || boundOf(source, call) !== undefined)
}

function boundOf(source: SourceView, {args: [, , by]}: Call): {bound: number} | undefined {
  const text = by?.text.replace(/^static_cast<\w+>\((.*)\)$/, '$1') ?? ''
  const [, sign = '', name = ''] = /^(-?)(\w+)$/.exec(text) ?? []
  const named = declarationsOf(source).find((one) => one.name === name)?.value?.text
  const bound = Number(`${named === undefined ? text : `${sign}${named}`}`.replace(/f$/i, ''))
  return text === '' || Number.isNaN(bound) ? undefined : {bound}
}

/**
 * `Adds(y, x, -largest, n)` before `Exp(y, y, n)`: what keeps the exponential in range. It cancels only where it is
 * gone everywhere.
 */
function withoutShifts(source: SourceView): Change[] {
  const calls = interfaceCalls(source)
  const shifts = calls.filter(({name, args: [, , by]}) => name === 'Adds' && by && /^-(?![\d.])/.test(by.text))
  const isExponent = (call: Call) => {
    const next = calls[calls.findIndex(({start}) => start === call.start) + 1]
    return next?.name === 'Exp' && next.args[1]?.text === call.args[0]?.text
  }
  const [first] = shifts
  const edits = shifts.flatMap((call) => passing(source, call) ?? [])
  const isOne = new Set(shifts.map(({args}) => args[2]?.text)).size === 1
  if (!first || !isOne || edits.length < shifts.length || !shifts.every(isExponent)) return []
  return together(quoted(written(source, first)), edits, {shifts: shifts.length})
}

const written = ({text}: SourceView, {start, end}: Call) => text.slice(start, end)

/** In place, it is omitted; otherwise zero is added. */
function passing(source: SourceView, {statement, args}: Call & {statement: Range}): Edit | undefined {
  const [to, from, , count] = args
  if (!to || !from || !count) return undefined
  if (to.text === from.text) return edit(wholeLines(source.text, statement), '')
  const type = tensorsOf(source).get(partOf(to.text)?.tensor ?? to.text)
  return type === undefined
    ? undefined
    : edit(statement, `Adds(${to.text}, ${from.text}, static_cast<${type}>(0), ${count.text});`)
}

/** The scalar that a bound is set at, and five times of it. */
function fartherBounds(source: SourceView): Change[] {
  return interfaceCalls(source).flatMap((call): Change[] => {
    const by = call.args[2]
    // Five times zero is zero.
    if (!isGuard(source, call) || !by || /^-?0(?:\.0*)?f?$/.test(by.text)) return []
    return [
      {
        subject: quoted(written(source, call)),
        edits: [edit(by, `(${by.text}) * 5`)],
        values: {...boundOf(source, call)},
      },
    ]
  })
}

const roundings = pattern('Cast($$to, $$from, $mode::CAST_RINT, $$count)')
const plainRounding = pattern('RoundMode::CAST_RINT')

/** Towards zero in place of to the nearest. */
function truncated(source: SourceView): Change[] {
  const places = foundIn(source, roundings).length > 0 ? foundIn(source, plainRounding) : []
  return together(
    'CAST_RINT',
    places.map((place) => edit(place, 'RoundMode::CAST_TRUNC')),
  )
}

const flagNames = {SetFlag: 'WaitFlag', set_flag: 'wait_flag'} as const

/** A flag that is set and waited for in one place. */
function withoutFlags(source: SourceView): Change[] {
  const {code, text} = source
  return statementCalls(source, ...Object.keys(flagNames)).flatMap((set): Change[] => {
    const wait = statementCalls(source, flagNames[set.name as keyof typeof flagNames]).find(
      (one) => one.statement.start >= set.statement.end && one.template === set.template,
    )
    if (!wait || code.slice(set.statement.end, wait.statement.start).trim() !== '') return []
    // The scalar unit issues all instructions, and the compiler orders what it reads.
    const event = /\bHardEvent::(\w+)/.exec(code.slice(set.start, set.end))?.[1]
    if (event === undefined || /^S_|_S$/.test(event)) return []
    const range = {start: set.statement.start, end: wait.statement.end}
    return [{subject: quoted(written(source, set)), edits: [edit(wholeLines(text, range), '')]}]
  })
}

function withoutBarriers(source: SourceView): Change[] {
  return statementCalls(source, 'PipeBarrier', 'pipe_barrier').flatMap((call): Change[] => {
    const barrier = written(source, call)
    if (!/\bPIPE_(?:ALL|MTE2|MTE3|V)\b/.test(barrier)) return []
    return [{subject: quoted(barrier), edits: [edit(wholeLines(source.text, call.statement), '')]}]
  })
}

const floatWords = ['LocalTensor<float>', '.Get<float>(', 'sizeof(float)'].map((form) => pattern(form))
const halfWords = pattern('LocalTensor<half>')

/** Arithmetic in the type of the tensor: no float copies of it. Casts between equal types become additions of zero. */
function computedInHalf(source: SourceView): Change[] {
  const places = foundIn(source, ...floatWords)
  if (places.length === 0 || foundIn(source, halfWords).length === 0) return []
  const types = tensorsOf(source)
  if (source.calls.some((call) => call.name === 'Cast' && !isConversion(call, types))) return []
  const typed = places.map(({start, end, text}) => edit({start, end}, text.replace('float', 'half')))
  const casts = source.calls.flatMap(({name, start, end, args: [to, from, , count]}) =>
    name === 'Cast' && to && from && count
      ? [edit({start, end}, `Adds(${to.text}, ${from.text}, static_cast<half>(0), ${count.text})`)]
      : [],
  )
  const scalars = interfaceCalls(source).flatMap(({name, args}) => {
    const at = (interfaces.get(name)?.operands ?? []).findIndex(({kind}) => kind === 'scalar')
    const scalar = at < 0 ? undefined : args[at]
    return scalar ? [edit(scalar, `static_cast<half>(${scalar.text})`)] : []
  })
  return types.size === 0 ? [] : together('float', [...casts, ...typed, ...scalars])
}

/** Not one that rounds to whole numbers: `Cast(y, y, RoundMode::CAST_FLOOR, n)` is a part of the formula. */
function isConversion({args: [to, from, mode]}: Call, types: ReadonlyMap<string, string>): boolean {
  const [target, origin] = [to, from].map((one) => types.get(partOf(one?.text ?? '')?.tensor ?? one?.text ?? ''))
  return mode?.text.endsWith('CAST_NONE') === true || (target === 'half' && origin === 'float')
}

/** Buffers of float that are set up with the size of the tensor's type. */
function smallBuffers(source: SourceView): Change[] {
  const isHalf =
    foundIn(source, ...['LocalTensor<half>', 'LocalTensor<bfloat16_t>'].map((form) => pattern(form))).length > 0
  const sizes = source.calls
    .filter(({name, args}) => name === 'InitBuffer' && args.length === 2)
    .flatMap(({args: [, size]}) => (size?.text.includes('sizeof(float)') ? [size] : []))
  if (!isHalf) return []
  return together(
    'sizeof(float)',
    sizes.map((size) => edit(size, size.text.replaceAll('sizeof(float)', 'sizeof(half)'))),
  )
}

/** Tensors that stay taken: their queue has a block less from tile to tile. */
function notGivenBack(source: SourceView): Change[] {
  return statementCalls(source, 'FreeTensor').map((call) => ({
    subject: quoted(written(source, call)),
    edits: [edit(wholeLines(source.text, call.statement), '')],
  }))
}

/** Tensors that go back as soon as they are there, before what reads them. */
function freedEarly(source: SourceView): Change[] {
  const {text, calls} = source
  return statementCalls(source, 'FreeTensor').flatMap((free): Change[] => {
    const tensor = free.args[0]?.text ?? ''
    const isOf = ({name, start, receiver}: Call) =>
      (name === 'DeQue' || name === 'AllocTensor') && assignedTo(source, start - receiver.length) === tensor
    const taken = calls.findLast((one) => one.end < free.start && isOf(one))
    const isRead =
      taken &&
      calls.some(({start, end, args}) => {
        const isBetween = taken.end < start && end < free.start
        return isBetween && args.some((one) => partOf(one.text)?.tensor === tensor || one.text === tensor)
      })
    if (!isRead) return []
    const end = text.indexOf(';', taken.end) + 1
    const freed = text.slice(free.statement.start, free.statement.end)
    const gone = edit(wholeLines(text, free.statement), '')
    return [{subject: quoted(written(source, free)), edits: [gone, edit({start: end, end}, ` ${freed}`)]}]
  })
}

const assignedTo = ({code}: SourceView, position: number) =>
  /(\w+)\s*=\s*$/.exec(code.slice(Math.max(0, position - 80), position))?.[1]

const wholeVectors = pattern('$type $padded = ($$count + $$unit - 1) / $$_ * $$_;')
const comparisons = ['Compare', 'CompareScalar', 'Compares']

/** Comparisons of as many elements as there are. */
function unpaddedComparisons(source: SourceView): Change[] {
  const lengths = new Map(foundIn(source, wholeVectors).map(({hole}) => [hole('padded'), hole('count')]))
  return interfaceCalls(source).flatMap((call): Change[] => {
    const last = call.args.at(-1)
    const count = comparisons.includes(call.name) && last ? lengths.get(last.text) : undefined
    return last && count !== undefined ? [{subject: quoted(written(source, call)), edits: [edit(last, count)]}] : []
  })
}

export const kernelChanges: readonly ChangeKind[] = [
  {name: 'no-bound', topic: 'range', find: withoutBounds},
  {name: 'no-shift', topic: 'range', find: withoutShifts},
  {name: 'farther-bound', topic: 'range', find: fartherBounds},
  {name: 'computed-in-half', topic: 'element-type', find: computedInHalf},
  {name: 'small-buffers', topic: 'element-type', find: smallBuffers},
  {name: 'single-blocks', topic: 'depth', find: singleBlocks},
  {name: 'plain-copy', topic: 'copy', find: plainCopies},
  {name: 'whole-tiles', topic: 'tail', find: wholeTiles},
  {name: 'no-flag', topic: 'synchronisation', find: withoutFlags},
  {name: 'no-barrier', topic: 'synchronisation', find: withoutBarriers},
  {name: 'truncated', topic: 'rounding', find: truncated},
  {name: 'not-given-back', topic: 'depth', find: notGivenBack},
  {name: 'freed-early', topic: 'synchronisation', find: freedEarly},
  {name: 'unpadded-comparison', topic: 'tail', find: unpaddedComparisons},
]
