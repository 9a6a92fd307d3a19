import {interfaces} from '../../../cpp/interfaces.ts'
import {pattern} from '../../../cpp/pattern.ts'
import {foundIn, type Range, type SourceView} from '../../../cpp/source-view.ts'
import {copies} from './data-copies.ts'
import {declarationsOf, functionsOf, interfaceCalls, isTensor, tensorsOf} from '../../../cpp/declarations.ts'
import {inFile, inserted, replaced, siteMutation, without, type Mutation, wordSites} from './mutation.ts'

// Values and steps that compile and compute something else.

const missingCast = siteMutation('missing-cast', 'op_kernel', (source) =>
  source.calls.flatMap(({name, statement, args}) =>
    name === 'Cast' && statement
      ? [without(source, statement, `Cast(${args[0]?.text}, ${args[1]?.text}) left out`)]
      : [],
  ),
)

const integers = new Set(['int8_t', 'uint8_t', 'int16_t', 'uint16_t', 'int32_t', 'uint32_t'])

/**
 * Only where integers are made: in a 16-bit float, rounding the other way stays within every tolerance and is not a
 * fault.
 */
const wrongRounding = siteMutation('wrong-rounding', 'op_kernel', (source) =>
  [...tensorsOf(source).values()].some((type) => integers.has(type))
    ? wordSites(source, new Set(['CAST_RINT', 'CAST_ROUND']), (mode) => ({
        replacement: 'CAST_FLOOR',
        says: `CAST_FLOOR where ${mode} rounds to nearest`,
      }))
    : [],
)

/** A number of the formula taken for another one. */
const wrongConstant = siteMutation('wrong-constant', 'op_kernel', (source) =>
  interfaceCalls(source).flatMap(({name, args}) =>
    args.slice(1).flatMap((argument) => {
      const number = /^-?\d+(?:\.\d+)?f?$/.test(argument.text)
      if (!number || copies.test(name)) return []
      const value = Number.parseFloat(argument.text)
      const suffix = argument.text.endsWith('f') ? '.0f' : ''
      return [value + 1, -value, value * 2].map((wrong) =>
        replaced(
          argument,
          `${wrong}${Number.isInteger(wrong) ? suffix : 'f'}`,
          `${name} with ${wrong} for ${argument.text}`,
        ),
      )
    }),
  ),
)

const numberInName = siteMutation('wrong-named-constant', 'op_kernel', (source) =>
  declarationsOf(source).flatMap(({type, qualifier, value, name}) =>
    type === 'float' && qualifier !== '' && value && /^-?\d+\.\d+f$/.test(value.text)
      ? ['1.5f', '-2.0f'].map((wrong) => replaced(value, wrong, `${name} is ${wrong}`))
      : [],
  ),
)

const isMember = (name: string) => /^[a-z]\w*_$/.test(name)

/** Assignments to members that begin their line. */
const membersSet = (source: SourceView) =>
  foundIn(source, pattern('$member = $$value;', {member: isMember, value: (text) => !text.includes('=')})).filter(
    ({from}) => source.tokens[from]?.leads,
  )

/** A member of the kernel's class that `Init` never sets, or sets from another field. */
const memberNotSet = siteMutation('member-not-set', 'op_kernel', (source) =>
  membersSet(source)
    .filter(({to}) => source.tokens[to]?.leads)
    .map((found) => without(source, found, `${found.hole('member')} is never set`)),
)

const shadowed = siteMutation('shadowed-member', 'op_kernel', (source) =>
  membersSet(source).flatMap(({start, hole}) => {
    const set = hole('member')
    const member = declarationsOf(source).find(({name, within}) => !within && name === set)
    return member
      ? [inserted(start, `${member.type} `, `${set} is a new variable here, and the member keeps its value`)]
      : []
  }),
)

const wrongField = siteMutation('wrong-tiling-field', 'op_kernel', (source) => {
  const read = tilingFields(source)
  const fields = [...new Set(read.map(({field}) => field))]
  return read.flatMap(({object, field, start, end}) => {
    const others = fields.filter((one) => one !== field)
    const other = others[start % Math.max(1, others.length)]
    return other === undefined
      ? []
      : [replaced({start, end}, `${object}.${other}`, `the field ${other} is read for ${field}`)]
  })
})

/** Fields of the tiling data that the kernel reads: `tiling.length`. */
export function tilingFields(source: SourceView): (Range & {object: string; field: string})[] {
  return foundIn(source, pattern('$object.$field', {object: (text) => text.startsWith('tiling')})).flatMap((found) => {
    const [object, field] = [found.hole('object'), found.hole('field')]
    return /^[a-z]/.test(field) && source.tokens[found.to]?.text !== '(' ? [{...found, object, field}] : []
  })
}

/** Another tensor of the same type for an operand. */
const wrongOperand = siteMutation('wrong-operand', 'op_kernel', (source) => {
  const tensors = tensorsOf(source)
  const locals = declarationsOf(source).filter(({name}) => tensors.has(name))
  return interfaceCalls(source).flatMap(({name, start, args}) => {
    const owner = functionsOf(source).find(({body}) => body.start < start && start < body.end)
    return args.flatMap((argument, index) => {
      const type = tensors.get(argument.text)
      if (type === undefined || copies.test(name)) return []
      return locals
        .filter((one) => one.within === owner && one.name !== argument.text && tensors.get(one.name) === type)
        .map((one) =>
          replaced(argument, one.name, `${name} ${index === 0 ? 'to' : 'of'} ${one.name}, not ${argument.text}`),
        )
    })
  })
})

/** Done twice, these give what they gave. */
const idempotent = /^(?:(?:max|min)\(\$1, \S+\)|\|\$1\||(?:floor|ceil|trunc|round|sign)\(\$1\)|\$1)$/

const stepTwice = siteMutation('step-taken-twice', 'op_kernel', (source) =>
  interfaceCalls(source)
    .filter(
      ({name, args}) =>
        !copies.test(name) &&
        !idempotent.test(interfaces.get(name)?.formula ?? '') &&
        args.slice(1).some(({text}) => text === args[0]?.text),
    )
    .map(({name, statement, args}) =>
      inserted(
        statement.end,
        ` ${source.text.slice(statement.start, statement.end)}`,
        `${name} on ${args[0]?.text} is done twice`,
      ),
    ),
)

/** Two steps that follow each other, in the wrong order. */
const stepOrder = siteMutation('steps-in-wrong-order', 'op_kernel', (source) => {
  const steps = interfaceCalls(source).filter(({name}) => !copies.test(name))
  return steps.slice(1).flatMap((second, index) => {
    const first = steps[index]
    if (!first || source.code.slice(first.statement.end, second.statement.start).trim() !== '') return []
    const [a, b] = [first, second].map(({statement}) => source.text.slice(statement.start, statement.end))
    const between = source.text.slice(first.statement.end, second.statement.start)
    // What does not read the other's result may be in any order.
    if (!second.args.slice(1).some(({text}) => text === first.args[0]?.text)) return []
    return [
      {
        start: first.statement.start,
        end: second.statement.end,
        replacement: `${b}${between}${a}`,
        says: `${second.name} before ${first.name}, whose result it takes`,
      },
    ]
  })
})

/** The steps of a whole function, except its queues, omitted. */
const stageSkipped = siteMutation('steps-left-out', 'op_kernel', (source) =>
  functionsOf(source).flatMap(({name, body}) => {
    const inside = interfaceCalls(source).filter(
      (call) => body.start < call.start && call.end < body.end && !copies.test(call.name),
    )
    const [first, last] = [inside[0], inside.at(-1)]
    if (!first || !last || first === last || /[{}]/.test(source.code.slice(first.start, last.end))) return []
    return [
      without(source, {start: first.statement.start, end: last.statement.end}, `the steps of ${name} are left out`),
    ]
  }),
)

const accumulatorReset = siteMutation('accumulator-not-kept', 'op_kernel', (source) =>
  foundIn(source, pattern('$name += $$value;'))
    .filter(({from}) => source.tokens[from]?.leads)
    .map(({start, end, hole}) => {
      const line = source.text.lastIndexOf('\n', start) + 1
      const set = `${source.text.slice(line, start)}${hole('name')} = ${hole('value')};`
      return replaced({start: line, end}, set, `${hole('name')} is set where it adds up`)
    }),
)

const takesScalar = (name: string) => {
  const {family, operands, types} = interfaces.get(name) ?? {}
  return family === 'elementwise' && operands?.[2]?.kind === 'scalar' && types?.includes('float32')
}

const sign = siteMutation('wrong-sign', 'op_kernel', (source) => [
  ...source.tokens.flatMap((minus, at) => {
    const [before, after] = [source.tokens[at - 1]?.text ?? '', source.tokens[at + 1]]
    const isSign = minus.text === '-' && ['(', ','].includes(before) && !after?.spaced
    return isSign && (after?.kind === 'word' || after?.text === '(') ? [replaced(minus, '', 'a minus is missing')] : []
  }),
  ...interfaceCalls(source).flatMap(({name, args}) =>
    args
      .slice(2, -1)
      .filter(({text}) => /^[a-z]\w*_?$/.test(text) && !isTensor(source, text) && takesScalar(name))
      .map((argument) => inserted(argument.start, '-', `${name} with -${argument.text}`)),
  ),
])

const earlyReturn = siteMutation('returns-too-early', 'op_kernel', (source) =>
  foundIn(source, pattern('if ($$is) { return; }')).map(({at}) =>
    inserted(at('is').end, inFile(source, ' || GetBlockIdx() == 0'), 'the first core returns without doing anything'),
  ),
)

const comparison = siteMutation('wrong-comparison', 'op_kernel', (source) => [
  ...foundIn(source, pattern('CMPMODE::$mode')).map(({at}) => {
    const mode = at('mode')
    const wrong = mode.text === 'LT' ? 'GT' : 'LT'
    return replaced(mode, wrong, `${wrong} for ${mode.text}`)
  }),
  ...foundIn(source, pattern('$_ >= $_'), pattern('$_ == $_')).flatMap(({from}) => {
    const mark = source.tokens[from + 1]
    return mark ? [replaced(mark, mark.text === '>=' ? '<' : '!=', `${mark.text} the wrong way round`)] : []
  }),
])

/** One of the ways that the types of a task take, computed as the other. */
const branchEmptied = siteMutation('branch-left-empty', 'op_kernel', (source) =>
  foundIn(source, pattern('else { $$$inner }'))
    .filter(({hole}) => hole('inner') !== '' && !/[{}]/.test(hole('inner')))
    .map(({start, end}) => {
      const open = source.code.indexOf('{', start)
      return replaced({start: open + 1, end: end - 1}, '\n        ', 'the other branch does nothing')
    }),
)

export const valueMutations: readonly Mutation[] = [
  missingCast,
  wrongRounding,
  wrongConstant,
  numberInName,
  memberNotSet,
  shadowed,
  wrongField,
  wrongOperand,
  stepTwice,
  stepOrder,
  stageSkipped,
  accumulatorReset,
  sign,
  earlyReturn,
  comparison,
  branchEmptied,
]
