import {siteMutation, sitesOf, without, type Mutation} from './mutation.ts'

/** Names that read like API but are not: what models write when they remember another library. */
const imagined: Readonly<Record<string, string>> = {
  Muls: 'MulScalar',
  Adds: 'AddScalar',
  Add: 'VecAdd',
  Sub: 'Subtract',
  Mul: 'Multiply',
  Div: 'Divide',
  Max: 'Maximum',
  Min: 'Minimum',
  Maxs: 'MaxScalar',
  Mins: 'ClampMin',
  Exp: 'Expf',
  Ln: 'Logf',
  Sqrt: 'VecSqrt',
  Rsqrt: 'InvSqrt',
  Abs: 'Fabs',
  Cast: 'CastTo',
  Duplicate: 'Fill',
  DataCopyPad: 'DataCopyPadding',
  ReduceSum: 'ReduceAdd',
  ReduceMax: 'MaxReduce',
  Compare: 'Greater',
  CompareScalar: 'GreaterThan',
  Select: 'Where',
  Axpy: 'MulAdd',
  Relu: 'ReLU',
  LeakyRelu: 'LeakyReLU',
}

/** Vector calls whose third argument is a scalar. */
const scalarCalls = new Set(['Muls', 'Adds', 'Maxs', 'Mins', 'LeakyRelu', 'CompareScalar', 'Axpy'])

const vectorCalls = new Set(Object.keys(imagined))

const undeclaredApi = siteMutation('undeclared-api', 'op_kernel', (source) =>
  source.calls.flatMap(({name, start, statement}) => {
    const wrong = imagined[name]
    return wrong && statement
      ? [{start, end: start + name.length, replacement: wrong, says: `${wrong} does not exist; ${name} was meant`}]
      : []
  }),
)

const undeclaredName = siteMutation('undeclared-name', 'op_kernel', (source) =>
  source.calls
    .filter(({name, statement}) => vectorCalls.has(name) && statement)
    .flatMap(({args}) =>
      args
        .filter(({text}) => /^[a-z]\w*Local$/.test(text))
        .map(({start, end, text}) => {
          const replacement = text.replace(/Local$/, 'Tensor')
          return {start, end, replacement, says: `${replacement} is not declared; ${text} was meant`}
        }),
    ),
)

const otherFloat: Readonly<Record<string, string>> = {float: 'half', half: 'float'}

/** `LocalTensor<T> x = queue.DeQue<T>()` with another element type on the left. */
const wrongTensorDtype = siteMutation('wrong-tensor-dtype', 'op_kernel', (source) =>
  sitesOf(source, /\bLocalTensor<(T|half|float|bfloat16_t|int32_t|DTYPE_\w+)>(?=\s+\w+\s*=)/g, (match) => {
    const wrong = otherFloat[match[1] ?? ''] ?? 'int32_t'
    return {replacement: `LocalTensor<${wrong}>`, says: `LocalTensor<${wrong}> where the queue holds ${match[1]}`}
  }),
)

const mixedOverload = siteMutation('mixed-dtype-overload', 'op_kernel', (source) =>
  sitesOf(source, /\.(?:template\s+)?(?:Get|AllocTensor|DeQue)<(float|T|half)>(?=\s*\()/g, (match) => {
    const wrong = otherFloat[match[1] ?? ''] ?? 'uint8_t'
    return {replacement: match[0].replace(`<${match[1]}>`, `<${wrong}>`), says: `a tensor of ${wrong} for ${match[1]}`}
  }),
)

const missingArgument = siteMutation('missing-argument', 'op_kernel', (source) =>
  source.calls
    .filter(({name, statement, args}) => vectorCalls.has(name) && statement && args.length > 2)
    .map(({name, args}) => {
      const drop = scalarCalls.has(name) ? 2 : args.length - 1
      const previous = args[drop - 1]
      const dropped = args[drop]
      if (!previous || !dropped) return {start: 0, end: 0, replacement: '', says: ''}
      return {start: previous.end, end: dropped.end, replacement: '', says: `${name} without ${dropped.text}`}
    })
    .filter(({end}) => end > 0),
)

const tensorForScalar = siteMutation('tensor-for-scalar', 'op_kernel', (source) =>
  source.calls
    .filter(({name, statement, args}) => scalarCalls.has(name) && statement && args.length >= 4)
    .flatMap(({name, args}) => {
      const [, tensor, scalar] = args
      return tensor && scalar
        ? [
            {
              start: scalar.start,
              end: scalar.end,
              replacement: tensor.text,
              says: `${name} with the tensor ${tensor.text} for its scalar`,
            },
          ]
        : []
    }),
)

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

export const typeMutations: readonly Mutation[] = [
  undeclaredApi,
  undeclaredName,
  wrongTensorDtype,
  mixedOverload,
  missingArgument,
  tensorForScalar,
  missingCast,
  wrongRounding,
]
