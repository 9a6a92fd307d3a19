import {interfaces} from '../../../cpp/interfaces.ts'
import {functionsOf, interfaceCalls, isTensor, objectsOf} from '../../../cpp/declarations.ts'
import {inserted, replaced, siteMutation, type Mutation, type Site} from './mutation.ts'
import type {Call, SourceView} from '../../../cpp/source-view.ts'

// Calls with the wrong list of arguments: what a model writes that remembers an interface by its name alone.

type Argument = Call['args'][number]

/** A site for each call of the interface and each of its arguments. */
function eachArgument(
  name: string,
  change: (call: Call, index: number, source: SourceView) => Site | readonly Site[] | undefined,
): Mutation {
  return siteMutation(name, 'op_kernel', (source) =>
    interfaceCalls(source).flatMap((call) => call.args.flatMap((_, index) => change(call, index, source) ?? [])),
  )
}

/** The argument with the comma that parts it from its neighbour. */
function withoutArgument({name, args}: Call, index: number): Site | undefined {
  const [here, before, after] = [args[index], args[index - 1], args[index + 1]]
  if (!here || args.length < 2) return undefined
  const says = `${name} without its argument ${here.text}`
  if (before) return {start: before.end, end: here.end, replacement: '', says}
  return after && {start: here.start, end: after.start, replacement: '', says}
}

/** Structures of parameters and sizes in the way of a scalar are other operators' matter. */
const isScalar = (source: SourceView, {text}: Argument) =>
  !isTensor(source, text) && !/Params?$|^RoundMode|::/.test(text)

const missingArgument = eachArgument('missing-argument', (call, index) => withoutArgument(call, index))

const extraArguments = ['0', '1', 'false', 'nullptr']

/** Reductions may be asked for the index as well. */
const takesOneMore = (name: string) => interfaces.get(name)?.operands.at(-1)?.kind === 'flag'

const extraArgument = siteMutation('extra-argument', 'op_kernel', (source) =>
  interfaceCalls(source).flatMap(({name, end, args}) =>
    (takesOneMore(name) ? ['nullptr'] : [...extraArguments, ...args.slice(-1).map(({text}) => text)]).map((extra) =>
      inserted(end - 1, `, ${extra}`, `${name} with ${extra} for an argument too many`),
    ),
  ),
)

/** A third operand for what takes two, a fourth for what takes three. */
const extraTensor = eachArgument('extra-tensor', (call, index, source) => {
  const argument = call.args[index]
  if (!argument || index === 0 || !isTensor(source, argument.text)) return undefined
  return inserted(argument.end, `, ${argument.text}`, `${call.name} with the tensor ${argument.text} twice`)
})

const tensorForScalar = eachArgument('tensor-for-scalar', (call, index, source) => {
  const argument = call.args[index]
  if (!argument || index < 2 || !isScalar(source, argument)) return undefined
  return call.args
    .filter(({text}) => isTensor(source, text))
    .map(({text}) => replaced(argument, text, `${call.name} with the tensor ${text} for ${argument.text}`))
})

const scalarForTensor = eachArgument('scalar-for-tensor', (call, index, source) => {
  const argument = call.args[index]
  if (!argument || !isTensor(source, argument.text)) return undefined
  const element = `${argument.text}.GetValue(0)`
  return ['0.0f', element].map((scalar) =>
    replaced(argument, scalar, `${call.name} with ${scalar} for the tensor ${argument.text}`),
  )
})

const globalForLocal = eachArgument('global-for-local', (call, index, source) => {
  const argument = call.args[index]
  const global = objectsOf(source, 'GlobalTensor')[0]?.name
  if (!argument || !global || !isTensor(source, argument.text) || call.name.startsWith('DataCopy')) return undefined
  return replaced(argument, global, `${call.name} computes on ${global} in global memory`)
})

const addressForTensor = eachArgument('address-for-tensor', (call, index, source) => {
  const argument = call.args[index]
  if (!argument || !/^\w+$/.test(argument.text) || !isTensor(source, argument.text)) return undefined
  return [`${argument.text}.GetPhyAddr()`, `&${argument.text}`].map((address) =>
    replaced(argument, address, `${call.name} with the address ${address} for a tensor`),
  )
})

const argumentOrder = eachArgument('wrong-argument-order', (call, index, source) => {
  const [here, next] = [call.args[index], call.args[index + 1]]
  if (!here || !next || isTensor(source, here.text) === isTensor(source, next.text)) return undefined
  return {
    start: here.start,
    end: next.end,
    replacement: `${next.text}, ${here.text}`,
    says: `${call.name} with ${here.text} and ${next.text} in the wrong order`,
  }
})

/** Count first, as memset and friends of other libraries have their sizes. */
const countInFront = siteMutation('count-in-front', 'op_kernel', (source) =>
  interfaceCalls(source).flatMap(({name, args}) => {
    const [first, last] = [args[0], args.at(-1)]
    if (!first || !last || args.length < 3 || isTensor(source, last.text)) return []
    const rest = args.slice(0, -1).map(({text}) => text)
    const replacement = [last.text, ...rest].join(', ')
    return [{start: first.start, end: last.end, replacement, says: `${name} with ${last.text} as its first argument`}]
  }),
)

/** `Exp({dst}, {src}, n)`, `Add(dst, {a, b}, n)`: operands in lists, as in frameworks. */
const listOfOperands = siteMutation('operands-in-a-list', 'op_kernel', (source) =>
  interfaceCalls(source).flatMap(({name, args}) => {
    const inputs = args.slice(1).filter(({text}) => isTensor(source, text))
    const [first, last] = [inputs[0], inputs.at(-1)]
    if (!first || !last || first === last) return []
    const list = `{${source.text.slice(first.start, last.end)}}`
    return [{start: first.start, end: last.end, replacement: list, says: `${name} with its operands in a list`}]
  }),
)

/** The result as a value, the destination no longer an argument. */
const resultReturned = siteMutation('result-returned', 'op_kernel', (source) =>
  interfaceCalls(source).flatMap(({name, start, statement, args, receiver}) => {
    const [to, next] = args
    if (!to || !next || name.startsWith('DataCopy')) return []
    const call = source.text.slice(next.start, statement.end)
    return [
      {
        ...statement,
        replacement: `${to.text} = ${receiver}${source.text.slice(start, start + name.length)}(${call}`,
        says: `${name} as if it returned ${to.text}`,
      },
    ]
  }),
)

/** Calls of functions that the operator defines itself, by one argument. */
const ownFunction = (name: string, change: (call: Call) => readonly (Site | undefined)[]) => (side: Side) =>
  siteMutation(side === 'op_host' ? `host-${name}` : name, side, (source) => {
    const own = new Set(functionsOf(source).map((one) => one.name))
    const heads = functionsOf(source)
    return source.calls
      .filter(
        ({name: called, start}) =>
          own.has(called) && !heads.some((one) => one.start <= start && start < one.body.start),
      )
      .flatMap((call) => change(call).flatMap((site) => site ?? []))
  })

type Side = 'op_host' | 'op_kernel'

const ownWithout = ownFunction('own-function-missing-argument', (call) =>
  call.args.map((_, index) => withoutArgument(call, index)),
)
const ownWith = ownFunction('own-function-extra-argument', ({name, args, end}) => [
  inserted(end - 1, args.length === 0 ? '0' : ', 0', `${name} is called with 0 besides`),
])

/** What `Init` of a kernel's class, `op.Init(…)` of the entry, is given. */
const initMissing = siteMutation('init-missing-argument', 'op_kernel', (source) =>
  source.calls
    .filter(({name, statement, args}) => name === 'Init' && statement && args.length > 1)
    .flatMap((call) => call.args.flatMap((_, index) => withoutArgument(call, index) ?? [])),
)

const isHostMember = ({name, receiver}: Call) =>
  /^[A-Z]/.test(name) && (receiver.endsWith('.') || receiver.endsWith('->'))

/** Getters and setters of the host's contexts. */
const hostCalls = siteMutation('host-missing-argument', 'op_host', (source) =>
  source.calls
    .filter((call) => isHostMember(call) && call.args.length > 0)
    .flatMap((call) => {
      const [first, last] = [call.args[0], call.args.at(-1)]
      if (!first || !last) return []
      return [{start: first.start, end: last.end, replacement: '', says: `${call.name} without arguments`}]
    }),
)

const hostExtra = siteMutation('host-extra-argument', 'op_host', (source) =>
  source.calls
    .filter(isHostMember)
    .map(({name, end, args}) =>
      inserted(end - 1, args.length === 0 ? '0' : ', 0', `${name} with an argument too many`),
    ),
)

export const argumentMutations: readonly Mutation[] = [
  missingArgument,
  extraArgument,
  extraTensor,
  tensorForScalar,
  scalarForTensor,
  globalForLocal,
  addressForTensor,
  argumentOrder,
  countInFront,
  listOfOperands,
  resultReturned,
  ownWithout('op_kernel'),
  ownWithout('op_host'),
  ownWith('op_kernel'),
  ownWith('op_host'),
  initMissing,
  hostCalls,
  hostExtra,
]
