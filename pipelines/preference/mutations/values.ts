import {copies} from './data-copies.ts'
import {declarationsOf, functionsOf, interfaceCalls, isTensor, tensorsOf} from './declarations.ts'
import {inFile, inserted, replaced, siteMutation, sitesOf, without, type Mutation} from './mutation.ts'

// Values and steps that compile and compute something else.

const missingCast = siteMutation('missing-cast', 'op_kernel', (source) =>
  source.calls.flatMap(({name, statement, args}) =>
    name === 'Cast' && statement
      ? [without(source, statement, `Cast(${args[0]?.text}, ${args[1]?.text}) left out`)]
      : [],
  ),
)

/**
 * Only where integers are made: in a 16-bit float, rounding the other way stays within every tolerance and is no fault.
 */
const wrongRounding = siteMutation('wrong-rounding', 'op_kernel', (source) =>
  !/\bLocalTensor<u?int(?:8|16|32)_t>/.test(source.code)
    ? []
    : sitesOf(source, /\bCAST_(RINT|ROUND)\b/g, (match) => ({
        replacement: 'CAST_FLOOR',
        says: `CAST_FLOOR where CAST_${match[1]} rounds to nearest`,
      })),
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

/** A member of the kernel's class that `Init` never sets, or sets from another field. */
const memberNotSet = siteMutation('member-not-set', 'op_kernel', (source) =>
  [...source.code.matchAll(/^[ \t]*([a-z]\w*_)\s*=\s*([^;=]+);[ \t]*\n/gm)].map((match) =>
    replaced({start: match.index, end: match.index + match[0].length}, '', `${match[1]} is never set`),
  ),
)

const shadowed = siteMutation('shadowed-member', 'op_kernel', (source) =>
  [...source.code.matchAll(/^([ \t]*)([a-z]\w*_)(?=\s*=\s*[^;=]+;)/gm)].flatMap((match) => {
    const member = declarationsOf(source).find(({name, within}) => !within && name === match[2])
    const start = match.index + (match[1] ?? '').length
    return member
      ? [inserted(start, `${member.type} `, `${match[2]} is a new variable here, and the member keeps its value`)]
      : []
  }),
)

const wrongField = siteMutation('wrong-tiling-field', 'op_kernel', (source) => {
  const fields = [...new Set([...source.code.matchAll(/\btiling\w*\.([a-z]\w*)\b(?!\s*\()/g)].map((match) => match[1]))]
  return sitesOf(source, /\b(tiling\w*)\.([a-z]\w*)\b(?!\s*\()/g, ({1: object, 2: field, index}) => {
    const others = fields.filter((one) => one !== field)
    const other = others[index % Math.max(1, others.length)]
    return other === undefined
      ? undefined
      : {replacement: `${object}.${other}`, says: `the field ${other} is read for ${field}`}
  })
})

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
const idempotent = /^(?:Max|Min|Maxs|Mins|Abs|Relu|Cast|Duplicate|Floor|Ceil|Round)$/

const stepTwice = siteMutation('step-taken-twice', 'op_kernel', (source) =>
  interfaceCalls(source)
    .filter(
      ({name, args}) =>
        !copies.test(name) && !idempotent.test(name) && args.slice(1).some(({text}) => text === args[0]?.text),
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
    // What does not read the other's result may stand in any order.
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

/** The steps of a whole function but its queues left out. */
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
  sitesOf(source, /^([ \t]*)(\w+)\s*\+=\s*([^;\n]+);/gm, (match) => ({
    replacement: `${match[1]}${match[2]} = ${match[3]};`,
    says: `${match[2]} is set where it adds up`,
  })),
)

const sign = siteMutation('wrong-sign', 'op_kernel', (source) => [
  ...sitesOf(source, /(?<=[(,]\s*)-(?=[A-Za-z_(])/g, () => ({replacement: '', says: 'a minus is missing'})),
  ...interfaceCalls(source).flatMap(({name, args}) =>
    args
      .slice(2, -1)
      .filter(
        ({text}) =>
          /^[a-z]\w*_?$/.test(text) && !isTensor(source, text) && /^(?:Muls|Adds|Maxs|Mins|Axpy|LeakyRelu)$/.test(name),
      )
      .map((argument) => inserted(argument.start, '-', `${name} with -${argument.text}`)),
  ),
])

const earlyReturn = siteMutation('returns-too-early', 'op_kernel', (source) =>
  sitesOf(source, /(?=\)\s*\{\s*return;\s*\})(?<=\bif\s*\([^()]*(?:\([^()]*\))?[^()]*)/g, () => ({
    replacement: inFile(source, ' || GetBlockIdx() == 0'),
    says: 'the first core returns without doing anything',
  })),
)

const comparison = siteMutation('wrong-comparison', 'op_kernel', (source) => [
  ...sitesOf(source, /(?<=\bCMPMODE::)\w+/g, ([mode]) => {
    const wrong = mode === 'LT' ? 'GT' : 'LT'
    return {replacement: wrong, says: `${wrong} for ${mode}`}
  }),
  ...sitesOf(source, /(?<=\w )(>=|==)(?= \w)/g, ([mark]) => ({
    replacement: mark === '>=' ? '<' : '!=',
    says: `${mark} the wrong way round`,
  })),
])

/** One of the ways that the types of a task take, computed as the other. */
const branchEmptied = siteMutation('branch-left-empty', 'op_kernel', (source) =>
  [...source.code.matchAll(/\belse\s*\{([^{}]*)\}/g)]
    .filter(([, inner = '']) => inner.trim() !== '')
    .map(({index, 0: whole, 1: inner = ''}) => {
      const start = index + whole.length - inner.length - 1
      return replaced({start, end: start + inner.length}, '\n        ', 'the other branch does nothing')
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
