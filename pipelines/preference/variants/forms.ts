import type {Random} from '../../../engine/random.ts'
import type {Edit} from '../../../cpp/edit.ts'
import {enclosing, matching, type SourceView} from '../mutations/source.ts'
import {editsOf, fileRewrite, indentAt, indented, someOf, startsLine, wordPattern, type Rewrite} from './rewrite.ts'

const both = ['op_host', 'op_kernel'] as const
const integer = 'u?int(?:8|16|32|64)_t'

const loop = new RegExp(
  String.raw`\bfor \((${integer}) (\w+) = ([\w.]+); \2 < ([\w.]+); (?:\+\+\2|\2\+\+|\2 \+= ([\w.]+))\) \{`,
  'g',
)

const loopForm = fileRewrite('loop-form', both, (source, random) =>
  editsOf(source, loop, ([whole = '', type, name, from, bound, step = '']) => {
    if (step !== '') return undefined
    const next = random.pick([`${name}++`, `${name} += 1`, `++${name}`].filter((one) => !whole.includes(one)))
    const test = random.pick([`${name} < ${bound}`, `${bound} > ${name}`])
    return `for (${type} ${name} = ${from}; ${test}; ${next}) {`
  }),
)

/** A `for` becomes a `while`, with its variable before it. */
const loopToWhile = fileRewrite('loop-to-while', both, (source, random) =>
  someOf(
    [...source.code.matchAll(loop)].flatMap((match): Edit[] => {
      const [whole, type, name = '', from, bound, step] = match
      const open = match.index + whole.length - 1
      const close = matching(source, open)
      if (close === undefined || !startsLine(source.text, match.index) || !startsLine(source.text, close)) return []
      const body = source.code.slice(open + 1, close)
      const isPlain = !/\bcontinue\b/.test(body) && declarations(source, name) === 1 && !/\bfor \(/.test(body)
      if (!isPlain) return []
      const indent = indentAt(source.text, match.index)
      const next = step ? `${name} += ${step}` : `++${name}`
      const inner = source.text.slice(open + 1, close).trimEnd()
      const head = `${type} ${name} = ${from};\n${indent}while (${name} < ${bound}) {`
      return [{start: match.index, end: close + 1, text: `${head}${inner}\n${indent}    ${next};\n${indent}}`}]
    }),
    random,
  ),
)

function declarations({code}: SourceView, name: string): number {
  return [...code.matchAll(new RegExp(String.raw`\b(?:${integer}|auto|int|float)\s+${name}\b`, 'g'))].length
}

const autoType = fileRewrite('auto-type', ['op_kernel'], (source, random) =>
  someOf(
    editsOf(
      source,
      /\b(?:AscendC::)?LocalTensor<\w+> (\w+) = (\w+\.(?:template )?(?:AllocTensor|DeQue|Get)<\w+>\(\);)/g,
      ([, name, value]) => `auto ${name} = ${value}`,
    ),
    random,
  ),
)

const cast = /\bstatic_cast<(u?int(?:8|16|32|64)_t|float)>\(/g

/** `static_cast<uint32_t>(x)` → `(uint32_t)(x)` or `uint32_t(x)`, everywhere alike. */
const castForm = fileRewrite('cast-form', both, (source, random) => {
  const isFunctional = random.pick([true, false])
  return editsOf(source, cast, ([, type]) => (isFunctional ? `${type}(` : `(${type})(`))
})

const addressCast = fileRewrite('address-cast', ['op_kernel'], (source) =>
  editsOf(source, /\((__gm__ [\w:]+\s?\*)\)(\w+)\b(?!\()/g, ([, type, name]) => `reinterpret_cast<${type}>(${name})`),
)

const dropConst = fileRewrite('drop-const', both, (source, random) =>
  someOf(
    editsOf(
      source,
      new RegExp(String.raw`(?<=\n[ \t]+)const (${integer}|auto|float) (\w+ = )`, 'g'),
      ([, type, rest]) => {
        return `${type} ${rest}`
      },
    ),
    random,
  ),
)

const plainTerm = String.raw`[\w.>()+-]+(?: [+\-*%] [\w.>()]+)*`
const comparison = String.raw`[\w.]+(?: [-+*%] [\w.]+)* (?:<|>|==|!=|<=|>=) [\w.:]+`
const choice = new RegExp(
  [
    String.raw`^([ \t]+)(?:const )?(?:(${integer}|float) )?(\w+) = (${comparison})`,
    String.raw`\? (${plainTerm}) : (${plainTerm});$`,
  ].join(' '),
  'gm',
)

/** `x = c ? a : b;` → `if (c) { x = a; } else { x = b; }`. */
const choiceToBranch = fileRewrite('choice-to-branch', both, (source, random) =>
  someOf(
    editsOf(source, choice, ([, indent = '', type = '', name, condition, one, other]) => {
      const arms = [
        `${indent}if (${condition}) {`,
        `${indent}    ${name} = ${one};`,
        `${indent}} else {`,
        `${indent}    ${name} = ${other};`,
        `${indent}}`,
      ]
      return [...(type ? [`${indent}${type} ${name} = 0;`] : []), ...arms].join('\n')
    }),
    random,
  ),
)

/** `if (c) { return; }` and the rest of the function → the rest under the opposite condition. */
const guardToBlock = fileRewrite('guard-to-block', ['op_kernel'], (source) =>
  [...source.code.matchAll(/^([ \t]+)if \(([^(){}\n]+)\) \{\s*return;\s*\}\n/gm)].flatMap((match): Edit[] => {
    const [whole, indent = '', condition = ''] = match
    const end = match.index + whole.length
    const close = enclosing(source, match.index)
    if (close === undefined || /&&|\|\|/.test(condition) || !startsLine(source.text, close)) return []
    const rest = source.text.slice(end, close).replace(/\s+$/, '')
    if (rest.trim() === '' || /^[ \t]*#/m.test(rest)) return []
    const bare = opposite(condition, source)
    return [
      {
        start: match.index,
        end: close,
        text: `${indent}if (${bare}) {\n${indented(rest, '    ')}\n${indent}}\n${indentAt(source.text, close)}`,
      },
    ]
  }),
)

const opposites: Readonly<Record<string, string>> = {'==': '!=', '!=': '==', '<': '>=', '>=': '<', '>': '<=', '<=': '>'}

/** With a NaN, `a < b` and `a >= b` are both false: only numbers without one have an opposite by sign. */
function opposite(condition: string, {code}: SourceView): string {
  const match = /^([\w.]+) (==|!=|<=|>=|<|>) ([\w.]+)$/.exec(condition.trim())
  const [, left = '', sign = '', right = ''] = match ?? []
  const isCount = [left, right].every(
    (one) => /^\d+u?$/.test(one) || new RegExp(String.raw`\b${integer}\s+${one}\b`).test(code),
  )
  return match && isCount ? `${left} ${opposites[sign]} ${right}` : `!(${condition.trim()})`
}

/** `if (c) A else B` → `if (!c) B else A`. */
const swapBranches = fileRewrite('swap-branches', ['op_kernel'], (source, random) =>
  someOf(
    [...source.code.matchAll(/\bif (constexpr )?\(((?:[^(){};]|\([^(){};]*\))+)\) \{/g)].flatMap((match): Edit[] => {
      const [whole, constant = '', condition = ''] = match
      const open = match.index + whole.length - 1
      const close = matching(source, open)
      const next = close === undefined ? null : /^ else \{/.exec(source.code.slice(close + 1, close + 10))
      if (close === undefined || !next || /TILING_KEY_IS/.test(condition)) return []
      const otherOpen = close + next[0].length
      const otherClose = matching(source, otherOpen)
      if (otherClose === undefined) return []
      const [one, other] = [source.text.slice(open, close + 1), source.text.slice(otherOpen, otherClose + 1)]
      const bare = /^\w+$/.test(condition) ? `!${condition}` : opposite(condition, source)
      return [{start: match.index, end: otherClose + 1, text: `if ${constant}(${bare}) ${other} else ${one}`}]
    }),
    random,
  ),
)

const compareForm = fileRewrite('compare-form', both, (source) =>
  editsOf(source, /\bif \((\w+) (> 0|!= 0)\)/g, ([, name = '', sign]) => {
    const isUnsigned = new RegExp(String.raw`\buint(?:8|16|32|64)_t\s+${name}\b`).test(source.code)
    return isUnsigned ? `if (${name} ${sign === '> 0' ? '!= 0' : '> 0'})` : undefined
  }),
)

const compoundAssignment = fileRewrite('compound-assignment', both, (source) =>
  editsOf(source, /(?<=[;{}]\s*)(\w+) (?:([-+*]?)= (?:\1 ([-+*]) )?)([\w.]+);/g, ([, name, compound, plain, value]) => {
    if (compound && !plain) return `${name} = ${name} ${compound} ${value};`
    return plain && !compound ? `${name} ${plain}= ${value};` : undefined
  }),
)

/** Sum and product of two numbers do not depend on their order, to the bit. */
const commuteOperands = fileRewrite('commute-operands', ['op_kernel'], (source, random) =>
  someOf(
    source.calls.flatMap(({name, args, statement}): Edit[] => {
      const [, one, other] = args
      if (!/^(?:Add|Mul)$/.test(name) || !statement || args.length !== 4 || !one || !other) return []
      if (one.text === other.text) return []
      return [{start: one.start, end: other.end, text: `${other.text}, ${one.text}`}]
    }),
    random,
  ),
)

/** `n = a / b; r = a % b;` → `r = a - n * b`. */
const remainderForm = fileRewrite('remainder-form', both, (source) =>
  editsOf(
    source,
    /\b(\w+) = ([\w.]+) \/ ([\w.]+);(\s+(?:const )?(?:\w+ )?)(\w+) = \2 % \3;/g,
    ([, quotient, whole, part, between, rest]) =>
      `${quotient} = ${whole} / ${part};${between}${rest} = ${whole} - ${quotient} * ${part};`,
  ),
)

function anyForm(source: SourceView, random: Random, name: string): Edit[] {
  return someOf(
    source.calls.flatMap((call): Edit[] => {
      const [one, other] = call.args
      if (call.name !== name || call.args.length !== 2 || !one || !other || one.text === other.text) return []
      return [{start: one.start, end: other.end, text: `${other.text}, ${one.text}`}]
    }),
    random,
  )
}

/** The smaller and the larger of two whole numbers, the other way round. */
const boundsSwapped = fileRewrite('bounds-swapped', ['op_host'], (source, random) => [
  ...anyForm(source, random, 'min'),
  ...anyForm(source, random, 'max'),
])

const roundingForm = fileRewrite('rounding-form', ['op_host'], (source, random) => {
  const form = random.pick([
    (value: string, unit: string) => `(${value} / ${unit} + (${value} % ${unit} == 0 ? 0 : 1))`,
    (value: string, unit: string) => `(${value} == 0 ? 0 : (${value} - 1) / ${unit} + 1)`,
  ])
  return editsOf(source, /\((\w+) \+ (\w+) - 1\) \/ \2\b/g, ([, value = '', unit = '']) => form(value, unit))
})

/** How many tiles a core's share is cut into, where the host says it with a number. */
const tileCount = fileRewrite('tile-count', ['op_host'], (source, random) =>
  editsOf(
    source,
    /\bCeilDiv\((\w+), ([248])\)/g,
    ([, length, count]) => `CeilDiv(${length}, ${random.pick(['2', '3', '6', '8'].filter((one) => one !== count))})`,
  ),
)

const braceInitialisers = fileRewrite('brace-initialisers', ['op_kernel'], (source) =>
  editsOf(source, new RegExp(String.raw`(?<=\n[ \t]+)(${integer}) (\w+_) = (\w+);`, 'g'), ([, type, name, value]) => {
    return `${type} ${name}{${value}};`
  }),
)

/** The bytes of a buffer under a name, where several are as long. */
const hoistBytes = fileRewrite('hoist-bytes', ['op_kernel'], (source, random) => {
  // Several groups of lines may stand in one block: none of them shares its name.
  const names = random.shuffle(['bufferBytes', 'bytesPerBuffer', 'bytesEach'])
  return [...source.code.matchAll(/(?:^[ \t]+\w+\.InitBuffer\([^;\n]*\);\n){2,}/gm)].flatMap((match): Edit[] => {
    const sizes = [...match[0].matchAll(/, ([\w.]+ \* sizeof\(\w+\))\);/g)].map(([, size = '']) => size)
    const size = sizes.find((one, at) => sizes.indexOf(one) !== at)
    const name = size === undefined ? undefined : names.pop()
    if (size === undefined || name === undefined || wordPattern(name).test(source.code)) return []
    const [start, end] = [match.index, match.index + match[0].length]
    const lines = source.text.slice(start, end).replaceAll(`, ${size});`, `, ${name});`)
    return [{start, end, text: `${/^[ \t]*/.exec(match[0])?.[0]}const uint32_t ${name} = ${size};\n${lines}`}]
  })
})

export const formRewrites: readonly Rewrite[] = [
  loopForm,
  loopToWhile,
  autoType,
  castForm,
  addressCast,
  dropConst,
  choiceToBranch,
  guardToBlock,
  swapBranches,
  compareForm,
  compoundAssignment,
  commuteOperands,
  remainderForm,
  boundsSwapped,
  roundingForm,
  tileCount,
  braceInitialisers,
  hoistBytes,
]
