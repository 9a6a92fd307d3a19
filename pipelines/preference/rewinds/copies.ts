import {madeOf, pattern} from '../../../cpp/pattern.ts'
import {foundIn, type Call, type Range, type SourceView} from '../../../cpp/source-view.ts'
import {everywhere, somewhere, statementEdit, type Edit, type Step} from './step.ts'

/** How global tensors are named: `xGm_`, `inTensorsGM`, `out_global_`. */
const global = /^\w*(?:G[mM]|[gG]lobal|_gm)\w*/

/** A copy between GM and UB that is a statement. */
interface Copy {
  call: Call
  statement: Range
  to: string
  from: string
  params: string
  /** The text after the parameters: `, padParams`. */
  rest: string
}

function copiesOf({calls}: SourceView): Copy[] {
  return calls.flatMap((call) => {
    const [to, from, params, ...rest] = call.args
    if (!/^DataCopy(?:Pad)?$/.test(call.name) || !call.statement || !to || !from || !params) return []
    if (global.test(to.text) === global.test(from.text)) return []
    const texts = {to: to.text, from: from.text, params: params.text}
    return [{call, statement: call.statement, ...texts, rest: rest.map(({text}) => `, ${text}`).join('')}]
  })
}

/** `DataCopyExtParams p{rows, static_cast<uint32_t>(count * sizeof(T)), 0, 0, 0};`, the last one above the copy. */
interface CopyShape {
  rows: string
  count: string
  type: string
}

/** Rows or 1, elements of a row by their size, and no gaps; else any other. */
const shapes = ['1', 'static_cast<uint16_t>($rows)']
  .map((rows) => `{${rows}, static_cast<uint32_t>($$count * sizeof($type)), 0, 0, 0};`)
  .concat('')
  .map((shape) => pattern(`DataCopyExtParams $params${shape}`, {count: madeOf('.')}))

function shapeOf(source: SourceView, {params, call}: Copy): CopyShape | undefined {
  const above = foundIn(source, ...shapes).filter(({end, hole}) => end < call.start && hole('params') === params)
  const hole = above.at(-1)?.hole
  return hole?.('count') ? {rows: hole('rows') || '1', count: hole('count'), type: hole('type')} : undefined
}

/** Elements: 256 bytes of the smallest type, so that every piece starts at a whole block of UB. */
const pieceLengths = [256, 512]

/** One copy becomes a loop of short ones. */
const splitCopies = everywhere('split-copies', 'op_kernel', (source, random) => {
  const piece = random.pick(pieceLengths)
  return copiesOf(source).flatMap((copy): Edit[] => {
    const {call, statement, to, from, params, rest} = copy
    const shape = shapeOf(source, copy)
    const count = call.name === 'DataCopy' ? params : (shape?.count ?? '')
    if ((shape && shape.rows !== '1') || !/^(?:\w+\.)*\w+$/.test(count) || /Params/i.test(count)) return []
    const left = `${count} - part < ${piece} ? ${count} - part : ${piece}`
    const moved = shape
      ? [
          `    const uint32_t length = ${left};`,
          `    const DataCopyExtParams partParams{1, static_cast<uint32_t>(length * sizeof(${shape.type})), 0, 0, 0};`,
          `    DataCopyPad(${to}[part], ${from}[part], partParams${rest});`,
        ]
      : [`    DataCopy(${to}[part], ${from}[part], ${left});`]
    const head = `for (uint32_t part = 0; part < ${count}; part += ${piece}) {`
    return [statementEdit(source, statement, [head, ...moved, '}'])]
  })
})

/** A copy of many rows becomes a loop of copies of one row. */
const rowByRow = everywhere('copies-row-by-row', 'op_kernel', (source) =>
  copiesOf(source).flatMap((copy): Edit[] => {
    const shape = shapeOf(source, copy)
    if (copy.call.name !== 'DataCopyPad' || !shape || shape.rows === '1') return []
    const {rows, count, type} = shape
    const inUb = `line * ((${count} * sizeof(${type}) + 31) / 32 * 32 / sizeof(${type}))`
    const inGm = `static_cast<uint64_t>(line) * ${count}`
    const [to, from] = global.test(copy.to) ? [inGm, inUb] : [inUb, inGm]
    return [
      statementEdit(source, copy.statement, [
        `for (uint32_t line = 0; line < ${rows}; ++line) {`,
        `    const DataCopyExtParams lineParams{1, static_cast<uint32_t>(${count} * sizeof(${type})), 0, 0, 0};`,
        `    DataCopyPad(${copy.to}[${to}], ${copy.from}[${from}], lineParams${copy.rest});`,
        '}',
      ]),
    ]
  }),
)

/** The same tile comes twice; copies to the same place need a barrier between. */
const copiedInTwice = somewhere('copied-in-twice', 'op_kernel', (source) =>
  copiesOf(source)
    .filter(({from}) => global.test(from))
    .map(({statement}) => {
      const copy = source.text.slice(statement.start, statement.end)
      return statementEdit(source, statement, [copy, 'PipeBarrier<PIPE_MTE2>();', copy])
    }),
)

export const copySteps: readonly Step[] = [splitCopies, rowByRow, copiedInTwice]
