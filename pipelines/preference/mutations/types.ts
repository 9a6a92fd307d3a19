import {vectorApis} from '../../../cpp/interfaces.ts'
import type {Token} from '../../../cpp/tokens.ts'
import {pattern} from '../../../cpp/pattern.ts'
import {copies} from './data-copies.ts'
import {declarationsOf, interfaceCalls, isTensor, tensorsOf} from '../../../cpp/declarations.ts'
import {operand, replaced, siteMutation, type Mutation, type Site, placesOf} from './mutation.ts'
import {type SourceView, foundIn, receiverName, spanOf} from '../../../cpp/source-view.ts'

// Element types and conversions that the compiler refuses.

const otherTypes: Readonly<Record<string, readonly string[]>> = {
  float: ['half', 'int32_t', 'uint8_t'],
  half: ['float', 'int16_t', 'uint8_t'],
}
const integers = [8, 16, 32, 64].flatMap((bits) => [`int${bits}_t`, `uint${bits}_t`])
const elements = new Set(['T', 'half', 'float', 'bfloat16_t', ...integers])
const isElement = (type: string) => elements.has(type) || type.startsWith('DTYPE_')
const othersOf = (type: string) => otherTypes[type] ?? ['int32_t', 'uint8_t', 'bool']

/** `LocalTensor<T> x = queue.DeQue<T>()` with another element type on the left. */
const wrongTensorDtype = siteMutation('wrong-tensor-dtype', 'op_kernel', (source) =>
  foundIn(source, pattern('LocalTensor<$type> $name =', {type: isElement})).flatMap(({start, hole, at}) =>
    othersOf(hole('type')).map((wrong) =>
      replaced(
        {start, end: at('type').end + 1},
        `LocalTensor<${wrong}>`,
        `LocalTensor<${wrong}> where the queue holds ${hole('type')}`,
      ),
    ),
  ),
)

const typedGets = ['', 'template '].map((word) =>
  pattern(`.${word}$get<$type>(`, {get: new Set(['Get', 'AllocTensor', 'DeQue']), type: elements}),
)

const mixedOverload = siteMutation('mixed-dtype-overload', 'op_kernel', (source) =>
  foundIn(source, ...typedGets).flatMap(({at}) =>
    othersOf(at('type').text).map((wrong) =>
      replaced(at('type'), wrong, `a tensor of ${wrong} for ${at('type').text}`),
    ),
  ),
)

/** `x = expression.Get<float>()` with both types exchanged for one that vector instructions do not take. */
const unsupportedDtype = siteMutation('unsupported-element-type', 'op_kernel', (source) =>
  declarationsOf(source).flatMap(({type, typeAt, value, end, name}) => {
    const element = /^LocalTensor<(\w+)>$/.exec(type)?.[1]
    if (!element || !value?.text.includes(`<${element}>`)) return []
    return ['bool', 'uint8_t', 'int8_t'].map((wrong) => ({
      start: typeAt.start,
      end,
      replacement: source.text.slice(typeAt.start, end).replaceAll(`<${element}>`, `<${wrong}>`),
      says: `${name} is a tensor of ${wrong}, which its instructions do not take`,
    }))
  }),
)

/** Spellings of element types from frameworks and other languages. */
const misnamed: Readonly<Record<string, readonly string[]>> = {
  half: ['fp16', 'float16', 'fp16_t', 'half_t'],
  float: ['fp32', 'float32', 'fp32_t', 'float32x'],
  bfloat16_t: ['bfloat16', 'bf16_t', 'bfloat'],
  uint32_t: ['uint32', 'uint', 'u32'],
  int32_t: ['int32', 'i32'],
  int8_t: ['int8', 's8'],
  uint8_t: ['uint8', 'byte'],
  uint64_t: ['uint64', 'ulong_t'],
  T: ['float16', 'bfloat16'],
}

/** Names that the classes of the compiler's messages know as types; others are undeclared names like any. */
const looksLikeType = /^(?:u?int\d*|b?float\d*|bfloat16|fp\d+(?:_t)?|half_t)$/

const misnamedType = siteMutation('misnamed-type', 'op_kernel', (source) =>
  sitesByName(source, (before, after) => ['<', '('].includes(before) && ['>', ')'].includes(after)),
)

const misnamedVariable = siteMutation('misnamed-variable-type', 'op_kernel', ({tokens, ...source}) =>
  sitesByName({tokens, ...source}, (_, after, at) => {
    const first = ['const', 'constexpr'].includes(tokens[at - 1]?.text ?? '') ? at - 1 : at
    const begins = tokens[first]?.leads || ['(', ','].includes(tokens[first - 1]?.text ?? '')
    return begins === true && /^\w/.test(after) && !['T', 'bfloat16_t'].includes(tokens[at]?.text ?? '')
  }),
)

function sitesByName(source: SourceView, fits: (before: string, after: string, at: number) => boolean): Site[] {
  const {tokens} = source
  return tokens.flatMap((token, at) => {
    const wrongs = misnamed[token.text]
    if (!wrongs || !fits(tokens[at - 1]?.text ?? '', tokens[at + 1]?.text ?? '', at)) return []
    return wrongs
      .filter((wrong) => looksLikeType.test(wrong))
      .map((wrong) => replaced(token, wrong, `${wrong} for the type ${token.text}`))
  })
}

const operatorOf = (name: string) => /^\$1 ([-+*/]) \$2$/.exec(vectorApis.get(name)?.formula ?? '')?.[1]

/** `y = x + b;`, as in a framework: tensors have no arithmetic. */
const tensorArithmetic = siteMutation('operators-on-tensors', 'op_kernel', (source) =>
  interfaceCalls(source).flatMap(({name, statement, args}) => {
    const [to, left, right] = args
    const operator = operatorOf(name)
    if (!to || !left || !right || !operator) return []
    return [`${to.text} = ${left.text} ${operator} ${right.text};`, `${to.text} ${operator}= ${right.text};`].map(
      (text) => replaced(statement, text, `${text} on tensors, for ${name}`),
    )
  }),
)

/** A scalar of another type: what an instruction deduces its element type from does not agree. */
const scalarType = siteMutation('wrong-scalar-type', 'op_kernel', (source) =>
  interfaceCalls(source).flatMap(({name, args}) =>
    args.slice(1, -1).flatMap((argument) => {
      if (copies.test(name) || isTensor(source, argument.text) || /::|Params?$/.test(argument.text)) return []
      return [`static_cast<bool>(${argument.text})`, `static_cast<uint8_t>(${argument.text})`].map((wrong) =>
        replaced(argument, wrong, `${name} with the scalar ${wrong}`),
      )
    }),
  ),
)

const arithmetic = new Set(['+', '-', '*', '/', '%'])
const assigning = new Set(['=', '+=', '-='])
const accesses = new Set(['.', '->'])

/** `{1, static_cast<uint32_t>(n * sizeof(T)), …}` without the cast: a narrowing in braces. */
const narrowing = siteMutation('missing-static-cast', 'op_kernel', (source) =>
  foundIn(source, pattern('static_cast<$type>(')).flatMap(({from, to, start, hole}) => {
    const {tokens, partners} = source
    const close = partners[to - 1] as number
    if (close <= to) return []
    const {text: inner} = spanOf(source, {from: to, to: close})
    const isOperand = [tokens[from - 1], tokens[close + 1]].some((one) => arithmetic.has(one?.text ?? ''))
    const bare = isOperand ? operand(inner) : inner
    const end = (tokens[close] as Token).end
    return [replaced({start, end}, bare, `${inner} without the cast to ${hole('type')}`)]
  }),
)

/** Through a floating type and back: the scalar unit has no such conversion of unsigned numbers. */
const floatingCount = siteMutation('count-through-float', 'op_kernel', (source) =>
  declarationsOf(source).flatMap(({type, value, name, within}) => {
    if (!within || !value || !/^u?int\d+_t$/.test(type)) return []
    const wrong = `static_cast<uint32_t>(static_cast<float>(${value.text}))`
    return [replaced(value, wrong, `${name} is computed through a float`)]
  }),
)

/** What is set later declared as a constant. */
const constantMember = siteMutation('assigned-constant', 'op_kernel', (source) =>
  declarationsOf(source).flatMap(({type, typeAt, name, qualifier}) => {
    const own = source.tokens.filter(
      ({text}, at) =>
        text === name &&
        assigning.has(source.tokens[at + 1]?.text ?? '') &&
        !accesses.has(source.tokens[at - 1]?.text ?? ''),
    )
    if (qualifier !== '' || own.length < 2 || /Tensor|TQue|TBuf/.test(type)) return []
    return [replaced(typeAt, `const ${type}`, `${name} is declared const and assigned later`)]
  }),
)

/** The address itself instead of its global tensor. */
const addressAssigned = siteMutation('address-assigned-to-tensor', 'op_kernel', (source) =>
  source.calls.flatMap(({name, receiver, statement, args}) => {
    const [address] = args
    if (name !== 'SetGlobalBuffer' || !statement || !address) return []
    const tensor = receiverName({receiver})
    return [replaced(statement, `${tensor} = ${address.text};`, `${tensor} is assigned an address`)]
  }),
)

/** `float s = sum[0];`: a part of a tensor is a tensor. */
const elementByIndex = siteMutation('element-by-index', 'op_kernel', (source) =>
  source.calls.flatMap(({name, receiver, start, end, args}) => {
    const [index] = args
    if (name !== 'GetValue' || !index) return []
    const tensor = receiverName({receiver})
    return [
      replaced(
        {start: start - receiver.length, end},
        `${tensor}[${index.text}]`,
        `${tensor}[${index.text}] for a number`,
      ),
      replaced({start: start - receiver.length, end}, tensor, `the tensor ${tensor} for a number`),
    ]
  }),
)

/** A tensor compared, negated or given to a condition. */
const tensorCondition = siteMutation('tensor-as-number', 'op_kernel', (source) =>
  [...tensorsOf(source)].flatMap(([name]) => {
    const uses = interfaceCalls(source).filter(({args}) => args.some(({text}) => text === name))
    return uses.flatMap(({statement}) =>
      [`if (${name} > 0)`, `float scale = ${name};`].map((line) => ({
        start: statement.start,
        end: statement.start,
        replacement: line.startsWith('if') ? `${line} { return; }\n        ` : `${line}\n        `,
        says: `${line} takes a tensor for a number`,
      })),
    )
  }),
)

/** Types of the host's values: a shape is not a number, a pointer not a value. */
const hostValues = siteMutation('shape-for-number', 'op_host', (source) => [
  ...placesOf(source, '->GetStorageShape().GetShapeSize()', () => ({
    replacement: '->GetStorageShape()',
    says: 'a shape where a number is meant',
  })),
  ...placesOf(source, '*context->GetAttrs()->GetAttrPointer', ({text}) => ({
    replacement: text.slice(1),
    says: 'a pointer to an attribute where its value is meant',
  })),
  ...foundIn(source, pattern('context->GetInputDesc($input)->GetDataType() ==')).map(({from, to}) => {
    const compared = spanOf(source, {from, to: to - 1})
    return replaced(compared, compared.text.split('->', 2).join('->'), 'a description compared with a data type')
  }),
])

const hostType = siteMutation('host-variable-type', 'op_host', (source) =>
  declarationsOf(source).flatMap(({typeAt, type, name, value, within}) =>
    within && value && /^u?int\d+_t$/.test(type)
      ? ['std::string', 'ge::DataType', 'gert::Shape'].map((wrong) =>
          replaced(typeAt, wrong, `${name} is declared as ${wrong}`),
        )
      : [],
  ),
)

export const typeMutations: readonly Mutation[] = [
  wrongTensorDtype,
  mixedOverload,
  unsupportedDtype,
  misnamedType,
  misnamedVariable,
  tensorArithmetic,
  scalarType,
  narrowing,
  floatingCount,
  constantMember,
  addressAssigned,
  elementByIndex,
  tensorCondition,
  hostValues,
  hostType,
]
