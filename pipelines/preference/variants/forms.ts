import {madeOf, pattern} from '../../../cpp/pattern.ts'
import type {Edit} from '../../../cpp/edit.ts'
import type {Random} from '../../../engine/random.ts'
import {hasWord} from '../../../cpp/declarations.ts'
import {withComments} from './definitions.ts'
import {
  endsStatement,
  enclosing,
  foundIn,
  matching,
  spanOf,
  type Range,
  type SourceView,
} from '../../../cpp/source-view.ts'
import {
  editsOf,
  fileRewrite,
  indentAt,
  indented,
  integerTypes,
  isBare,
  isBreak,
  namesBehind,
  numberTypes,
  runsOfLines,
  someOf,
  startsLine,
  type Rewrite,
  unsignedTypes,
  variableTypes,
} from './rewrite.ts'

const both = ['op_host', 'op_kernel'] as const
/** `n`, `4`, `tiling.n`. */
const member = madeOf('.')

const stepped = (step: string) => `for ($type $i = $$from; $i < $$bound; ${step}) {`
const ofLoop = {type: integerTypes, from: member, bound: member, step: member}
const steps = ['$i++', '$i += 1', '++$i']

const loopForm = fileRewrite('loop-form', both, (source, random) => {
  const otherwise = (step: string) => () => {
    const next = random.pick(steps.filter((one) => one !== step))
    return stepped(next).replace('$i < $$bound', random.pick(['$$i < $$$$bound', '$$$$bound > $$i']))
  }
  return editsOf(source, {[stepped('++$i')]: otherwise('++$i'), [stepped('$i++')]: otherwise('$i++')}, ofLoop)
})

const loops = ['++$i', '$i++', '$i += $$step'].map((step) => pattern(stepped(step), ofLoop))

/** A `for` becomes a `while`, with its variable before it. */
const loopToWhile = fileRewrite('loop-to-while', both, (source, random) =>
  someOf(
    foundIn(source, ...loops).flatMap(({start, end, hole}): Edit[] => {
      const close = matching(source, end - 1)
      if (close === undefined || !startsLine(source.text, start) || !startsLine(source.text, close)) return []
      const name = hole('i')
      const isPlain = ['continue', 'for'].every((word) => !hasWord(source, word, {start: end, end: close}))
      if (
        !isPlain ||
        namesBehind(source, new Set([...variableTypes, 'int'])).filter((one) => one === name).length !== 1
      )
        return []
      const indent = indentAt(source.text, start)
      const next = hole('step') ? `${name} += ${hole('step')}` : `++${name}`
      const inner = source.text.slice(end, close).trimEnd()
      const head = `${hole('type')} ${name} = ${hole('from')};\n${indent}while (${name} < ${hole('bound')}) {`
      return [{start, end: close + 1, text: `${head}${inner}\n${indent}    ${next};\n${indent}}`}]
    }),
    random,
  ),
)

const autoForms = ['', 'AscendC::'].flatMap((scope) =>
  ['$get', 'template $get'].map((get) => [
    `${scope}LocalTensor<$type> $name = $queue.${get}<$type>();`,
    `auto $name = $queue.${get}<$type>();`,
  ]),
)

const autoType = fileRewrite('auto-type', ['op_kernel'], (source, random) =>
  someOf(editsOf(source, Object.fromEntries(autoForms), {get: new Set(['AllocTensor', 'DeQue', 'Get'])}), random),
)

/** `static_cast<uint32_t>(x)` → `(uint32_t)(x)` or `uint32_t(x)`, everywhere alike. */
const castForm = fileRewrite('cast-form', both, (source, random) =>
  editsOf(source, {'static_cast<$type>(': random.pick(['$type(', '($type)('])}, {type: numberTypes}),
)

/** A cast in C's form is of all that is reached behind the name as well. */
const reaching = new Set(['(', '[', '.', '->'])
const globalPointer = (text: string) => text.startsWith('__gm__ ') && text.endsWith(' *') && !text.includes(',')

const addressCast = fileRewrite('address-cast', ['op_kernel'], (source) => {
  const cast = 'reinterpret_cast<$$type>($name)'
  const put = ({to}: {to: number}) => (reaching.has(source.tokens[to]?.text ?? '') ? undefined : cast)
  return editsOf(source, {'($$type)$name': put}, {type: globalPointer})
})

const isInside = ({text}: SourceView, {start}: Range) => startsLine(text, start) && indentAt(text, start) !== ''

const dropConst = fileRewrite('drop-const', both, (source, random) => {
  const put = (found: Range) => (isInside(source, found) ? '$type $name =' : undefined)
  return someOf(editsOf(source, {'const $type $name =': put}, {type: variableTypes}), random)
})

const comparisons = new Set(['<', '>', '==', '!=', '<=', '>='])
const comparable = madeOf(`. :: + - * % ${[...comparisons].join(' ')}`)
const isComparison = (text: string) =>
  comparable(text) && text.split(' ').filter((one) => comparisons.has(one)).length === 1
const term = madeOf('. -> ( ) + - * %')
const choice = '$name = $$is ? $$one : $$other;'

/** `x = c ? a : b;` → `if (c) { x = a; } else { x = b; }`. */
const choiceToBranch = fileRewrite('choice-to-branch', both, (source, random) => {
  const branch = (declared: string) => (found: Range) => {
    if (!isInside(source, found) || (source.code[found.end] ?? '\n') !== '\n') return undefined
    const arms = ['if ($is) {', '    $name = $one;', '} else {', '    $name = $other;', '}']
    return [declared, ...arms].filter((line) => line !== '').join(`\n${indentAt(source.text, found.start)}`)
  }
  const declared = branch('$type $name = 0;')
  const table = {[`const $type ${choice}`]: declared, [`$type ${choice}`]: declared, [choice]: branch('')}
  return someOf(editsOf(source, table, {type: numberTypes, is: isComparison, one: term, other: term}), random)
})

const plainCondition = (text: string) => ['(', '{', '&&', '||'].every((mark) => !text.includes(mark))
const guard = pattern('if ($$is) { return; }', {is: plainCondition})

/** `if (c) { return; }` and the rest of the function → the rest under the opposite condition. */
const guardToBlock = fileRewrite('guard-to-block', ['op_kernel'], (source) =>
  foundIn(source, guard).flatMap((found): Edit[] => {
    const {text} = source
    const close = enclosing(source, found.start)
    const isAlone = isInside(source, found) && text[found.end] === '\n'
    if (close === undefined || !isAlone || !startsLine(text, close)) return []
    const rest = text.slice(found.end + 1, close).trimEnd()
    const hasDirective = rest.split('\n').some((line) => line.trimStart().startsWith('#'))
    if (rest.trim() === '' || hasDirective) return []
    const indent = indentAt(text, found.start)
    const head = `if (${opposite(found.hole('is'), source)}) {\n`
    const block = `${head}${indented(rest, '    ')}\n${indent}}\n${indentAt(text, close)}`
    return [{start: found.start, end: close, text: block}]
  }),
)

const opposites: Readonly<Record<string, string>> = {'==': '!=', '!=': '==', '<': '>=', '>=': '<', '>': '<=', '<=': '>'}

/** With a NaN, `a < b` and `a >= b` are both false: only numbers without one have an opposite by sign. */
function opposite(condition: string, source: SourceView): string {
  const [left = '', sign = '', right = '', ...more] = condition.trim().split(' ')
  const counts = new Set(namesBehind(source, integerTypes))
  const isCount = [left, right].every((one) => /^\d+u?$/.test(one) || counts.has(one))
  return sign in opposites && isCount && more.length === 0
    ? `${left} ${opposites[sign]} ${right}`
    : `!(${condition.trim()})`
}

const branches = ['if ($$is) {', 'if constexpr ($$is) {'].map((form) =>
  pattern(form, {is: (text) => !text.includes('{') && !text.includes('TILING_KEY_IS')}),
)

/** `if (c) A else B` → `if (!c) B else A`. */
const swapBranches = fileRewrite('swap-branches', ['op_kernel'], (source, random) =>
  someOf(
    foundIn(source, ...branches).flatMap(({start, to, at}): Edit[] => {
      const {tokens, partners, text} = source
      const close = partners[to - 1] as number
      if (close < 0 || tokens[close + 1]?.text !== 'else' || tokens[close + 2]?.text !== '{') return []
      const otherClose = partners[close + 2] as number
      if (otherClose < 0) return []
      const [one, other] = [
        spanOf(source, {from: to - 1, to: close + 1}),
        spanOf(source, {from: close + 2, to: otherClose + 1}),
      ]
      const is = at('is')
      if (!isBare(source, {start, end: one.start}) || !isBare(source, {start: one.end, end: other.start})) return []
      const isName = /^\w+$/.test(is.text)
      const bare = isName ? `!${is.text}` : opposite(is.text, source)
      const head = `${text.slice(start, is.start)}${bare})`
      return [{start, end: other.end, text: `${head} ${other.text} else ${one.text}`}]
    }),
    random,
  ),
)

const compareForm = fileRewrite('compare-form', both, (source) => {
  const counts = new Set(namesBehind(source, unsignedTypes))
  return editsOf(
    source,
    {'if ($count > 0)': 'if ($count != 0)', 'if ($count != 0)': 'if ($count > 0)'},
    {count: counts},
  )
})

const compounds = ['+', '-', '*'].flatMap((sign) => [
  [`$x ${sign}= $$value;`, `$x = $x ${sign} $$value;`],
  [`$x = $x ${sign} $$value;`, `$x ${sign}= $$value;`],
])

const compoundAssignment = fileRewrite('compound-assignment', both, (source) =>
  editsOf(
    source,
    Object.fromEntries(
      compounds.map(([from, to]) => [from, ({from: at}) => (endsStatement(source.tokens[at - 1]) ? to : undefined)]),
    ),
    {value: member},
  ),
)

/** Calls whose first two, or second and third, arguments may change places. */
function commuted(source: SourceView, random: Random, names: readonly string[], from: 0 | 1): Edit[] {
  return someOf(
    source.calls.flatMap(({name, args, statement}): Edit[] => {
      const [one, other] = args.slice(from)
      const isWhole = from === 0 ? args.length === 2 : args.length === 4 && statement !== undefined
      if (!names.includes(name) || !isWhole || !one || !other || one.text === other.text) return []
      return [{start: one.start, end: other.end, text: `${other.text}, ${one.text}`}]
    }),
    random,
  )
}

/** Sum and product of two numbers do not depend on their order, to the bit. */
const commuteOperands = fileRewrite('commute-operands', ['op_kernel'], (source, random) =>
  commuted(source, random, ['Add', 'Mul'], 1),
)

const remainders = ['', 'const ', '$type ', 'const $type '].map((head) => [
  `$quotient = $$whole / $$part; ${head}$rest = $$whole % $$part;`,
  ({text}: {text: string}) => `${text.slice(0, text.lastIndexOf('='))}= $$whole - $quotient * $$part;`,
])

/** `n = a / b; r = a % b;` → `r = a - n * b`. */
const remainderForm = fileRewrite('remainder-form', both, (source) =>
  editsOf(source, Object.fromEntries(remainders), {whole: member, part: member}),
)

/** The smaller and the larger of two whole numbers, the other way round. */
const boundsSwapped = fileRewrite('bounds-swapped', ['op_host'], (source, random) => [
  ...commuted(source, random, ['min'], 0),
  ...commuted(source, random, ['max'], 0),
])

const roundingForm = fileRewrite('rounding-form', ['op_host'], (source, random) =>
  editsOf(source, {
    '($value + $unit - 1) / $unit': random.pick([
      '($value / $unit + ($value % $unit == 0 ? 0 : 1))',
      '($value == 0 ? 0 : ($value - 1) / $unit + 1)',
    ]),
  }),
)

/** How many tiles a core's share is cut into, where the host says it with a number, and the comment on it. */
const tileCount = fileRewrite('tile-count', ['op_host'], (source, random) =>
  foundIn(source, pattern('CeilDiv($length, $count)', {count: new Set(['2', '4', '8'])})).flatMap((found): Edit[] => {
    const [from, {start, end}] = [found.hole('count'), found.at('count')]
    const to = random.pick(['2', '3', '6', '8'].filter((one) => one !== from))
    return isBare(source, found) ? [{start, end, text: to}, ...restated(source, start, from, to)] : []
  }),
)

/** What comments call a number of pieces, and one of them. */
const counted: Readonly<Record<string, readonly [number: string, part: string]>> = {
  2: ['two', 'half of'],
  3: ['three', 'a third of'],
  4: ['four', 'a quarter of'],
  6: ['six', 'a sixth of'],
  8: ['eight', 'an eighth of'],
}

/** A number in the comment above a statement follows the code. */
function restated({text}: SourceView, at: number, from: string, to: string): Edit[] {
  const end = text.lastIndexOf('\n', at) + 1
  const start = withComments(text, end + indentAt(text, at).length)
  const before = text.slice(start, Math.max(start, end))
  const words = [from, ...(counted[from] ?? [])]
  const after = words.reduce((all, word, which) => {
    const put = [to, ...(counted[to] ?? [])][which] ?? word
    const named = (own: string) => (/^[A-Z]/.test(own) ? `${put.charAt(0).toUpperCase()}${put.slice(1)}` : put)
    return all.replace(new RegExp(`\\b${word}\\b`, 'gi'), named)
  }, before)
  return after === before ? [] : [{start, end, text: after}]
}

const braceInitialisers = fileRewrite('brace-initialisers', ['op_kernel'], (source) => {
  const put = (found: Range) => (isInside(source, found) ? '$type $name{$value};' : undefined)
  return editsOf(source, {'$type $name = $value;': put}, {type: integerTypes, name: (text) => text.endsWith('_')})
})

const initBuffers = ['$_.InitBuffer($$$_, $$length * sizeof($type));', '$_.InitBuffer($$$_);'].map((form) =>
  pattern(form, {length: member}),
)

/** The bytes of a buffer under a name, where several are as long. */
const hoistBytes = fileRewrite('hoist-bytes', ['op_kernel'], (source, random) => {
  // Several groups of lines may be in one block: names are not shared.
  const names = random.shuffle(['bufferBytes', 'bytesPerBuffer', 'bytesEach'])
  return runsOfLines(source, foundIn(source, ...initBuffers), isBreak).flatMap((run): Edit[] => {
    const sizes = run.map(({hole}) => (hole('length') ? `${hole('length')} * sizeof(${hole('type')})` : ''))
    const size = sizes.find((one, at) => one !== '' && sizes.indexOf(one) !== at)
    const name = size === undefined ? undefined : names.pop()
    const [first] = run
    if (!first || name === undefined || hasWord(source, name)) return []
    const declared = `const uint32_t ${name} = ${size};\n${indentAt(source.text, first.start)}`
    const uses = run.filter((_, at) => sizes[at] === size)
    return [
      {start: first.start, end: first.start, text: declared},
      ...uses.map(({at, to}) => ({start: at('length').start, end: source.tokens[to - 3]?.end ?? 0, text: name})),
    ]
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
