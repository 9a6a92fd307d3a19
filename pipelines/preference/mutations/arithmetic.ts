import {familyOf} from '../../../cpp/interfaces.ts'
import {copies, global} from './data-copies.ts'
import {siteMutation, without, type Mutation} from './mutation.ts'

const oppositeOf: Readonly<Record<string, string>> = {
  Add: 'Sub',
  Sub: 'Add',
  Mul: 'Div',
  Div: 'Mul',
  Max: 'Min',
  Min: 'Max',
  Maxs: 'Mins',
  Mins: 'Maxs',
  Muls: 'Adds',
  Adds: 'Muls',
  ReduceMax: 'ReduceMin',
  ReduceMin: 'ReduceMax',
  Rsqrt: 'Sqrt',
}

const wrongOperation = siteMutation('wrong-operation', 'op_kernel', (source) =>
  source.calls.flatMap(({name, start, statement}) => {
    const other = oppositeOf[name]
    return other && statement
      ? [{start, end: start + name.length, replacement: other, says: `${other} for ${name}`}]
      : []
  }),
)

const swappedOperands = siteMutation('swapped-operands', 'op_kernel', (source) =>
  source.calls
    .filter(({name, statement}) => (name === 'Sub' || name === 'Div') && statement)
    .flatMap(({name, args}) => {
      const [, first, second] = args
      if (!first || !second || first.text === second.text) return []
      return [
        {
          start: first.start,
          end: second.end,
          replacement: `${second.text}, ${first.text}`,
          says: `${name} with ${first.text} and ${second.text} in the wrong order`,
        },
      ]
    }),
)

const reductionLength = siteMutation('wrong-reduction-length', 'op_kernel', (source) =>
  source.calls
    .filter(({name, statement, args}) => familyOf(name) === 'reduction' && statement && args.length >= 4)
    .flatMap(({name, args}) => {
      const count = args[3]
      return count
        ? [
            {
              start: count.start,
              end: count.end,
              replacement: `(${count.text}) / 2`,
              says: `${name} over half of the elements`,
            },
          ]
        : []
    }),
)

const computeLength = siteMutation('wrong-compute-length', 'op_kernel', (source) =>
  source.calls
    .filter(
      ({name, statement, args}) =>
        statement && (name in oppositeOf || name === 'Exp' || name === 'Cast') && args.length >= 3,
    )
    .flatMap(({name, args}) => {
      const count = args.at(-1)
      return count && /^\w+$/.test(count.text)
        ? [
            {
              start: count.start,
              end: count.end,
              replacement: `${count.text} - 1`,
              says: `${name} leaves the last element out`,
            },
          ]
        : []
    }),
)

/** The result stays in UB, or a step of it is never taken: outputs keep what was there before. */
const missingCopyOut = siteMutation('missing-copy-out', 'op_kernel', (source) =>
  source.calls.flatMap(({name, statement, args}) =>
    copies.test(name) && statement && global.test(args[0]?.text ?? '')
      ? [without(source, statement, `the copy to ${args[0]?.text} is left out`)]
      : [],
  ),
)

const missingStep = siteMutation('missing-step', 'op_kernel', (source) =>
  source.calls.flatMap(({name, statement, args}) =>
    (name in oppositeOf || name === 'Exp' || name === 'Abs') && statement && args[0]?.text === args[1]?.text
      ? [without(source, statement, `${name} on ${args[0]?.text} left out`)]
      : [],
  ),
)

/** A result that is never computed: the next step takes what its buffer held before. */
const missingResult = siteMutation('missing-result', 'op_kernel', (source) =>
  source.calls.flatMap(({name, statement, args}) =>
    (name in oppositeOf || name === 'Exp' || name === 'Abs' || name === 'Sqrt') &&
    statement &&
    args.length >= 3 &&
    args[0]?.text !== args[1]?.text
      ? [without(source, statement, `${args[0]?.text} is not computed: ${name} left out`)]
      : [],
  ),
)

export const arithmeticMutations: readonly Mutation[] = [
  wrongOperation,
  swappedOperands,
  reductionLength,
  computeLength,
  missingCopyOut,
  missingStep,
  missingResult,
]
