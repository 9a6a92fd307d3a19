import {vectorApis} from '../../../cpp/interfaces.ts'
import {pattern} from '../../../cpp/pattern.ts'
import {foundIn, type Call, type SourceView} from '../../../cpp/source-view.ts'
import {somewhere, statementEdit, type Edit, type Step} from './step.ts'

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

export const instructionSteps: readonly Step[] = [barrier, scalarLoops]
