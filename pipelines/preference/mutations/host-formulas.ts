import {pattern} from '../../../cpp/pattern.ts'
import {declarationsOf, functionsOf, hasWord} from '../../../cpp/declarations.ts'
import {operand, placesOf, replaced, siteMutation, type Mutation, type Site} from './mutation.ts'
import {foundIn, type SourceView} from '../../../cpp/source-view.ts'

// Tiling that the host computes otherwise than the kernel takes it.

/** Formulas of `TilingFunc`: what is declared there and set from there. */
const formulas = (source: SourceView) =>
  declarationsOf(source).filter(
    ({within, value}) => within?.name.includes('Tiling') && value && /[-+*/%]|std::|\(/.test(value.text),
  )

const multiples = ['RoundUp', 'AlignUp']

const roundedDown = siteMutation('host-rounds-down', 'op_host', (source) =>
  source.calls.flatMap(({name, start, end, args, statement}) => {
    const [value, unit] = args
    if (![...multiples, 'CeilDiv', 'DivCeil'].includes(name) || !value || !unit || statement) return []
    if (/^(?:const\s+)?u?int/.test(value.text)) return []
    const quotient = `${operand(value.text)} / ${operand(unit.text)}`
    const wrong = multiples.includes(name) ? `${quotient} * ${operand(unit.text)}` : quotient
    return [
      replaced({start, end}, `(${wrong})`, `${name} without rounding up`),
      replaced({start, end}, `(${value.text})`, `${name} left out`),
    ]
  }),
)

const minForMax = siteMutation('min-for-max', 'op_host', (source) =>
  placesOf(source, ['std::min', 'std::max'], ({text}) => ({
    replacement: text === 'std::min' ? 'std::max' : 'std::min',
    says: `the other one of std::min and std::max`,
  })),
)

const wrongOperator = siteMutation('wrong-formula', 'op_host', (source) =>
  formulas(source).flatMap(({name, value}) =>
    value
      ? [...value.text.matchAll(/ ([*/%+-]) /g)].flatMap(({index, 1: mark = ''}) => {
          const start = value.start + index + 1
          const wrong = {'*': '/', '/': '*', '%': '/', '+': '-', '-': '+'}[mark] ?? mark
          return [replaced({start, end: start + 1}, wrong, `${wrong} for ${mark} in ${name}`)]
        })
      : [],
  ),
)

const scaled = siteMutation('host-size-scaled', 'op_host', (source) =>
  formulas(source).flatMap(({name, value}) =>
    value && !/GetPlatform|GetInput\w*\(\d\)$/.test(value.text)
      ? [
          replaced(value, `(${value.text}) * 2`, `${name} is twice what the kernel expects`),
          replaced(value, `(${value.text}) / 2`, `${name} is half of what the kernel expects`),
          replaced(value, `(${value.text}) + 1`, `${name} is one more than the kernel expects`),
        ]
      : [],
  ),
)

const digits = new Set('0123456789')

const typeBytes = siteMutation('wrong-type-size', 'op_host', (source) =>
  placesOf(
    source,
    '? $one : $other',
    ({hole}) => ({
      replacement: `? ${hole('other')} : ${hole('one')}`,
      says: 'the sizes of the two types change places',
    }),
    {one: digits, other: digits},
  ),
)

const baseConstant = siteMutation('wrong-host-constant', 'op_host', (source) =>
  declarationsOf(source).flatMap(({within, qualifier, value, name}) => {
    if (within || !qualifier.includes('constexpr') || !value) return []
    return [`${operand(value.text)} * 4`, `(${value.text}) / 2`, '1', `${value.text} + 3`].map((wrong) =>
      replaced(value, wrong, `${name} is ${wrong}`),
    )
  }),
)

/** Fields set from one another's values. */
const fieldsSwapped = siteMutation('tiling-fields-swapped', 'op_host', (source) => {
  const setters = source.calls.filter(({name, args}) => name.startsWith('set_') && args.length === 1)
  return setters.flatMap((call) =>
    setters
      .filter(({name}) => name !== call.name)
      .flatMap(({args}) => {
        const [mine, other] = [call.args[0], args[0]]
        return mine && other && mine.text !== other.text
          ? [replaced(mine, other.text, `${call.name.slice(4)} is set to ${other.text}`)]
          : []
      }),
  )
})

const fieldConstant = siteMutation('tiling-field-constant', 'op_host', (source) =>
  source.calls.flatMap(({name, args}) => {
    const [value] = args
    if (!name.startsWith('set_') || !value) return []
    return ['0', '1', '1024'].map((wrong) => replaced(value, wrong, `${name.slice(4)} is always ${wrong}`))
  }),
)

const coresAll = siteMutation('wrong-core-count', 'op_host', (source) =>
  source.calls.flatMap(({name, args}) => {
    const [cores] = args
    if (name !== 'SetBlockDim' || !cores) return []
    const all = hasWord(source, 'coreNum') ? ['coreNum'] : []
    return [`${cores.text} + 1`, `(${cores.text} + 1) / 2`, '48', ...all].map((wrong) =>
      replaced(cores, wrong, `${wrong} cores are launched`),
    )
  }),
)

/** What the graph asks of a host file is not what its kernel is launched with. */
const inTiling = (source: SourceView, {start}: Site) =>
  functionsOf(source).some(({name, body}) => name.includes('Tiling') && body.start < start && start < body.end)

const shapeOf = siteMutation('wrong-shape-read', 'op_host', (source) =>
  shapesRead(source).filter((site) => inTiling(source, site)),
)

const shapesRead = (source: SourceView): Site[] => [
  ...placesOf(
    source,
    'GetInputShape($index)',
    ({hole}) => ({
      replacement: `GetInputShape(${hole('index') === '0' ? '1' : '0'})`,
      says: 'the shape of another input is read',
    }),
    {index: digits},
  ),
  ...placesOf(source, 'GetDim($index)', ({hole}) => ({
    replacement: hole('index') === '0' ? 'GetDim(1)' : 'GetDim(0)',
    says: 'another dimension is read',
  })),
  ...placesOf(source, 'GetAttrPointer<$type>($index)', ({hole}) => ({
    replacement: `GetAttrPointer<${hole('type')}>(${Number(hole('index')) + 1})`,
    says: 'another attribute is read',
  })),
]

const workspace = siteMutation('tiling-size-not-told', 'op_host', (source) =>
  source.calls.flatMap(({name, args}) => {
    const [size] = args
    return name === 'SetDataSize' && size ? [replaced(size, '4', 'the tiling data is said to have four bytes')] : []
  }),
)

/** The buffer itself instead of its memory. */
const bufferItself = siteMutation('tiling-saved-elsewhere', 'op_host', (source) =>
  foundIn(source, pattern('->GetData()'))
    .filter(({from}) => source.tokens[from - 3]?.text === 'GetRawTilingData')
    .map((found) => replaced(found, '', 'the tiling data is written over the buffer object')),
)

const plainNumber = (text: string) => !/[^\d.]/.test(text)

const inferredShape = siteMutation('wrong-inferred-output', 'op_host', (source) => [
  ...placesOf(source, '.DataType({ge::$one, ge::$other', ({hole}) => ({
    replacement: `.DataType({ge::${hole('other')}, ge::${hole('one')}`,
    says: 'the data types of a parameter stand in another order than those of the others',
  })),
  ...foundIn(source, pattern('.Float($value)', {value: plainNumber})).map(({at}) => {
    const value = at('value')
    const wrong = `${Number(value.text) + 1}`
    return replaced(value, wrong.includes('.') ? wrong : `${wrong}.0`, 'another default of an attribute')
  }),
])

export const formulaMutations: readonly Mutation[] = [
  roundedDown,
  minForMax,
  wrongOperator,
  scaled,
  typeBytes,
  baseConstant,
  fieldsSwapped,
  fieldConstant,
  coresAll,
  shapeOf,
  workspace,
  bufferItself,
  inferredShape,
]
