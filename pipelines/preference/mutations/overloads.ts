import {interfaceCalls, isTensor, objectsOf, partOf, tensorsOf} from '../../../cpp/declarations.ts'
import {elementsOf} from '../../../cpp/kernel-forms.ts'
import type {SourceView} from '../../../cpp/source-view.ts'
import {operand, placesOf, replaced, siteMutation, type Mutation} from './mutation.ts'
import {copies, swappedPadding} from './data-copies.ts'

/** Names that read like API but are not: what models write when they remember another library. */
export const imagined: Readonly<Record<string, readonly string[]>> = {
  Muls: ['MulScalar', 'Scale', 'VecMuls'],
  Adds: ['AddScalar', 'VecAdds', 'Bias'],
  Add: ['VecAdd', 'Plus', 'TensorAdd'],
  Sub: ['Subtract', 'VecSub', 'Minus'],
  Mul: ['Multiply', 'VecMul', 'ElementwiseMul'],
  Div: ['Divide', 'VecDiv', 'TrueDiv'],
  Max: ['Maximum', 'VecMax', 'ElementwiseMax'],
  Min: ['Minimum', 'VecMin', 'ElementwiseMin'],
  Maxs: ['MaxScalar', 'ClampMin', 'VecMaxs'],
  Mins: ['MinScalar', 'ClampMax', 'VecMins'],
  Exp: ['Expf', 'VecExp', 'Exponential'],
  Ln: ['Logf', 'NaturalLog', 'VecLn'],
  Sqrt: ['VecSqrt', 'SquareRootOf', 'Sqrtf'],
  Rsqrt: ['InvSqrt', 'VecRsqrt', 'ReciprocalSqrt'],
  Abs: ['Fabs', 'VecAbs', 'Absolute'],
  Cast: ['CastTo', 'Convert', 'VecConv'],
  Duplicate: ['Fill', 'Dup', 'VectorDup'],
  DataCopy: ['DataCopyTo', 'CopyData', 'MemCpy'],
  DataCopyPad: ['DataCopyPadding', 'PadCopy', 'CopyPad'],
  ReduceSum: ['ReduceAdd', 'SumReduce', 'RowReduceSum'],
  ReduceMax: ['MaxReduce', 'RowReduceMax', 'ReduceMaximum'],
  Compare: ['Greater', 'CompareTensor', 'VecCmp'],
  CompareScalar: ['GreaterThan', 'CompareS', 'VecCmps'],
  Select: ['Where', 'SelectBy', 'VecSel'],
  Axpy: ['MulAdd', 'Saxpy', 'FusedMulAdd'],
  Relu: ['ReLU', 'VecRelu', 'Rectify'],
  LeakyRelu: ['LeakyReLU', 'LRelu', 'VecLeakyRelu'],
}

const imaginedInNamespace = siteMutation('invented-interface', 'op_kernel', (source) =>
  interfaceCalls(source).flatMap(({name, start, receiver}) =>
    (imagined[name] ?? [`${name}Tensor`, `${name}Vec`]).map((wrong) => ({
      start: start - receiver.length,
      end: start + name.length,
      replacement: `AscendC::${wrong}`,
      says: `AscendC has no ${wrong}; ${name} was meant`,
    })),
  ),
)

/** Namespaces that there are in other libraries, or in older versions of this one. */
const wrongNamespace = siteMutation('wrong-namespace', 'op_kernel', (source) =>
  interfaceCalls(source).flatMap(({name, start, receiver}) =>
    ['AscendC::vec', 'AscendC::Vector', 'AscendC::ops'].map((scope) => ({
      start: start - receiver.length,
      end: start + name.length,
      replacement: `${scope}::${name}`,
      says: `${scope} is no namespace`,
    })),
  ),
)

/** Operations that come once for two tensors and once for a tensor and a scalar. */
const otherFamily: Readonly<Record<string, string>> = {
  Adds: 'Add',
  Muls: 'Mul',
  Maxs: 'Max',
  Mins: 'Min',
  Add: 'Adds',
  Mul: 'Muls',
  Max: 'Maxs',
  Min: 'Mins',
  Sub: 'Adds',
  Div: 'Muls',
  CompareScalar: 'Compare',
  Compare: 'CompareScalar',
  Axpy: 'FusedMulAdd',
  LeakyRelu: 'Relu',
  Relu: 'LeakyRelu',
  Select: 'Compare',
  Exp: 'Power',
  Duplicate: 'Adds',
  Cast: 'Adds',
  Sqrt: 'Adds',
  Abs: 'Max',
  ReduceSum: 'WholeReduceSum',
  ReduceMax: 'WholeReduceMax',
}

const scalarFamily = siteMutation('scalar-and-tensor-forms-mixed', 'op_kernel', (source) =>
  interfaceCalls(source).flatMap(({name, start}) => {
    const other = otherFamily[name]
    return other
      ? [{start, end: start + name.length, replacement: other, says: `${other} with what ${name} takes`}]
      : []
  }),
)

const isParameters = (text: string) => text.endsWith('Params') || text.endsWith('Param')

/** Element type of what a copy moves, by the first operand whose declaration gives it. */
function elementType(source: SourceView, operands: readonly string[]): string {
  const types = new Map([
    ...tensorsOf(source),
    ...objectsOf(source, 'GlobalTensor').map(({name, type}) => [name, type] as const),
  ])
  const names = operands.map((text) => (partOf(text)?.tensor ?? text).replace(/^this->/, ''))
  return names.flatMap((name) => types.get(name) ?? [])[0] ?? 'float'
}

/** Parameters of DataCopyPad for DataCopy, and the count of DataCopy for DataCopyPad. */
const copyForm = siteMutation('wrong-copy-form', 'op_kernel', (source) =>
  source.calls
    .filter(({name, statement, args}) => copies.test(name) && statement && args.length >= 2)
    .flatMap(({name, start, end, args}) => {
      const [to, from, parameters] = args
      if (!to || !from || !parameters) return []
      const at = {start, end}
      const both = `${to.text}, ${from.text}`
      const isCount = name === 'DataCopy' && !isParameters(parameters.text)
      // What is moved stays as it was meant: only the form is that of another overload.
      const count = isCount ? parameters.text : elementsOf(source, parameters.text, start)
      if (count === undefined) return [replaced(at, `DataCopyPad(${both})`, 'DataCopyPad without parameters')]
      const bytes = `${operand(count)} * sizeof(${elementType(source, [to.text, from.text])})`
      return [
        replaced(at, `DataCopyPad(${both}, ${count})`, 'DataCopyPad with a count where it takes parameters'),
        replaced(at, `DataCopyPad(${both})`, 'DataCopyPad without parameters'),
        replaced(at, `DataCopy(${both}, {1, ${bytes}, 0, 0, 0})`, 'DataCopy with five values for its parameters'),
        replaced(at, `${name}(${both}, 1, ${bytes}, 0, 0)`, `${name} with the fields of its parameters`),
        replaced(at, `DataCopy(${to.text}, 0, ${from.text}, 0, ${count})`, 'DataCopy with offsets of its own'),
        ...(parameters && isParameters(parameters.text)
          ? [replaced({start, end: start + name.length}, 'DataCopy', 'DataCopy with the parameters of DataCopyPad')]
          : []),
      ].filter(({replacement}) => replacement !== source.text.slice(start, end))
    }),
)

const templateArgument = siteMutation('wrong-template-arguments', 'op_kernel', (source) =>
  interfaceCalls(source).flatMap(({name, start, template}) =>
    template !== ''
      ? []
      : ['<float, half, float>', '<true>', '<RoundMode::CAST_NONE>', '<2>'].map((list) => ({
          start: start + name.length,
          end: start + name.length,
          replacement: list,
          says: `${name}${list}: template arguments that it does not have`,
        })),
  ),
)

/** The queue itself where one of its tensors belongs. */
const queueForTensor = siteMutation('queue-for-tensor', 'op_kernel', (source) => {
  const objects = objectsOf(source, 'TQue', 'TBuf').map(({name}) => name)
  return interfaceCalls(source).flatMap(({name, args}) =>
    args
      .filter(({text}) => isTensor(source, text))
      .flatMap((argument) =>
        objects.slice(0, 2).map((one) => replaced(argument, one, `${name} with ${one} itself for ${argument.text}`)),
      ),
  )
})

/** A mask and repeats without strides: the form between two overloads. */
const halfOfRepeats = siteMutation('repeats-without-strides', 'op_kernel', (source) =>
  interfaceCalls(source)
    .filter(({name, args}) => !copies.test(name) && args.length >= 3)
    .flatMap(({name, args}) => {
      const count = args.at(-1)
      if (!count || isTensor(source, count.text)) return []
      return ['64, 1', '128, 4'].map((two) =>
        replaced(count, two, `${name} with mask and repeat times but without strides`),
      )
    }),
)

const hostInvented = siteMutation('invented-host-name', 'op_host', (source) => [
  ...placesOf(source, ['ge::DT_FLOAT', 'ge::DT_FLOAT16'], ({text}) => {
    const wrong = text === 'ge::DT_FLOAT' ? 'ge::DT_FLOAT32' : 'ge::DT_HALF'
    return {replacement: wrong, says: `${wrong} is no data type of ge`}
  }),
  ...placesOf(source, 'ge::GRAPH_SUCCESS', () => ({
    replacement: 'ge::SUCCESS_STATUS',
    says: 'ge::SUCCESS_STATUS does not exist',
  })),
  ...placesOf(source, 'ge::FORMAT_ND', () => ({
    replacement: 'ge::FORMAT_NONE',
    says: 'ge::FORMAT_NONE is no format of ge',
  })),
  ...placesOf(source, 'platform_ascendc::$name', ({hole}) => ({
    replacement: `platform_ascendc::${hole('name')}Info`,
    says: `platform_ascendc has no ${hole('name')}Info`,
  })),
  ...placesOf(source, 'gert::$name', ({hole}) => {
    const [kind, rest] = hole('name').split('Context')
    return kind && rest === '' ? {replacement: `gert::${kind}Ctx`, says: `gert has no ${kind}Ctx`} : undefined
  }),
])

/** `std::max(a, 1)` of an unsigned and a signed number. */
const mixedSigns = siteMutation('mixed-signs', 'op_host', (source) =>
  placesOf(
    source,
    '$number',
    ({text}) => ({
      replacement: text.slice(0, -1),
      says: `${text.slice(0, -1)} is signed, what it is compared with is not`,
    }),
    {number: (text) => /^\d+u$/.test(text)},
  ),
)

export const overloadMutations: readonly Mutation[] = [
  imaginedInNamespace,
  wrongNamespace,
  scalarFamily,
  copyForm,
  swappedPadding,
  templateArgument,
  queueForTensor,
  halfOfRepeats,
  hostInvented,
  mixedSigns,
]
