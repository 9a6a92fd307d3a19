import {pattern} from '../../../cpp/pattern.ts'
import {declarationsOf, interfaceCalls, isTensor, objectsOf, tensorsOf} from '../../../cpp/declarations.ts'
import {inserted, placesOf, replaced, siteMutation, type Mutation} from './mutation.ts'
import {foundIn, receiverName} from '../../../cpp/source-view.ts'

// Tensors, queues, buffers and addresses taken for something else.

/** Members as other libraries have them, and as the next class has them. */
const inventedMembers: Readonly<Record<string, readonly string[]>> = {
  EnQue: ['EnQueue', 'Push', 'Enque'],
  DeQue: ['DeQueue', 'Pop', 'Deque'],
  AllocTensor: ['Alloc', 'AllocLocalTensor', 'NewTensor'],
  FreeTensor: ['Free', 'ReleaseTensor', 'FreeBuffer'],
  InitBuffer: ['InitQueue', 'AllocBuffer', 'InitBuf'],
  SetGlobalBuffer: ['SetBuffer', 'SetAddr', 'Init'],
  Get: ['GetTensor', 'GetLocalTensor', 'Alloc'],
  GetValue: ['At', 'Item', 'Value'],
  SetValue: ['Set', 'PutValue', 'Store'],
}

const inventedMember = siteMutation('invented-member', 'op_kernel', (source) =>
  source.calls
    .filter(({receiver}) => /(?:\.|->)\s*(?:template\s+)?$/.test(receiver))
    .flatMap(({name, start}) =>
      (inventedMembers[name] ?? []).map((wrong) =>
        replaced({start, end: start + name.length}, wrong, `${wrong} is no member; ${name} was meant`),
      ),
    ),
)

/** A call on an object that its class does not have. */
const objectCalls: Readonly<Record<string, readonly string[]>> = {
  TQue: ['GetSize()', 'Size()', 'Clear()', 'SetFlag()', 'Reset()'],
  TBuf: ['SetFlag()', 'GetSize()', 'Release()', 'Fill(0)'],
  GlobalTensor: ['CopyTo(0)', 'GetLength()', 'Sync()'],
  TPipe: ['Alloc(32)', 'Flush()', 'GetUbSize()'],
}

const askedOfWrongClass = siteMutation('member-of-no-class', 'op_kernel', (source) => {
  const objects = declarationsOf(source).filter(({type}) => /^(?:TQue|TBuf|GlobalTensor|TPipe)\b/.test(type))
  return objects.flatMap(({name, type}) => {
    const use = new RegExp(`(?<=[;{}]\\s*)(?:\\w+\\s*[^;{}=]*[^=;{}]=\\s*)?${name}\\.[^;]*;|\\b${name}\\[`)
    const found = source.code.search(use)
    const call = source.calls.find(
      ({args, receiver, statement}) => statement && (receiver.startsWith(name) || args[0]?.text === name),
    )
    const at = call?.statement?.end ?? found
    if (at < 0) return []
    return (objectCalls[type.replace(/\W[\s\S]*$/, '')] ?? []).map((asked) =>
      inserted(at, ` ${name}.${asked};`, `${name}.${asked}, which ${type} does not have`),
    )
  })
})

/** A method call on a tensor that only a queue or a framework's tensor has. */
const askedOfTensor = siteMutation('member-of-no-tensor', 'op_kernel', (source) =>
  interfaceCalls(source).flatMap(({statement, args}) => {
    const [tensor] = args
    if (!tensor || !tensorsOf(source).has(tensor.text)) return []
    return ['FreeTensor()', 'EnQue()', 'Fill(0)', 'GetShape()', 'data()'].map((asked) =>
      inserted(statement.end, ` ${tensor.text}.${asked};`, `${tensor.text}.${asked}, which a tensor does not have`),
    )
  }),
)

/** Members of queues and pipes with other arguments. */
const memberArguments = siteMutation('wrong-member-arguments', 'op_kernel', (source) =>
  source.calls
    .filter(({name, receiver}) => receiver !== '' && name in inventedMembers)
    .flatMap(({name, args, end}) => {
      const [first, last] = [args[0], args.at(-1)]
      const open = first && last ? [replaced({start: first.start, end: last.end}, '', `${name} without arguments`)] : []
      const wrong = ['"ub"', '0, 0, 0']
      return [
        ...open,
        ...wrong.map((extra) =>
          inserted(end - 1, args.length === 0 ? extra : `, ${extra}`, `${name} with ${extra} besides`),
        ),
      ]
    }),
)

const initBufferForm = siteMutation('wrong-init-buffer-form', 'op_kernel', (source) =>
  source.calls.flatMap(({name, args}) => {
    const [queue, second, third] = args
    if (name !== 'InitBuffer' || !queue || !second) return []
    const end = (third ?? second).end
    return [
      replaced({start: queue.start, end}, queue.text, `InitBuffer of ${queue.text} without sizes`),
      replaced(queue, `&${queue.text}`, `InitBuffer with the address of ${queue.text}`),
      ...(third
        ? [replaced({start: second.start, end}, `${third.text}, ${second.text}, 0`, 'InitBuffer with four')]
        : []),
    ]
  }),
)

/** The address space of global memory forgotten. */
const missingGm = siteMutation('address-without-gm', 'op_kernel', (source) =>
  foundIn(source, pattern('(__gm__ $type*)$name')).flatMap((found) => {
    const [type, name] = [found.hole('type'), found.hole('name')]
    const wrongs = [`(${type}*)${name}`, `reinterpret_cast<${type}*>(${name})`, `static_cast<__gm__ ${type}*>(${name})`]
    return wrongs.map((wrong) => replaced(found, wrong, `${wrong} for an address in global memory`))
  }),
)

const globalAsLocal = siteMutation('global-taken-as-local', 'op_kernel', (source) => {
  const global = objectsOf(source, 'GlobalTensor')[0]?.name
  return declarationsOf(source).flatMap(({type, typeAt, value, name}) => {
    if (!/^LocalTensor\b/.test(type) || !value) return []
    return [
      replaced(typeAt, type.replace('Local', 'Global'), `${name} is declared as a GlobalTensor`),
      replaced(typeAt, `${type}*`, `${name} is declared as a pointer to a tensor`),
      ...(global ? [replaced(value, global, `${name} is ${global} in global memory`)] : []),
    ]
  })
})

/** Rather the element at an address than the tensor. */
const dereferenced = siteMutation('tensor-dereferenced', 'op_kernel', (source) =>
  interfaceCalls(source).flatMap(({name, args}) =>
    args
      .filter(({text}) => /^\w+$/.test(text) && isTensor(source, text))
      .map((argument) => inserted(argument.start, '*', `${name} with *${argument.text}`)),
  ),
)

const rawAddress = siteMutation('address-for-element', 'op_kernel', (source) =>
  source.calls.flatMap(({name, receiver, start, end}) => {
    if (name !== 'GetValue') return []
    const tensor = receiverName({receiver})
    return [`${tensor}.GetPhyAddr()`, `*${tensor}`, `(float*)${tensor}.GetPhyAddr()`].map((wrong) =>
      replaced({start: start - receiver.length, end}, wrong, `${wrong} for an element of ${tensor}`),
    )
  }),
)

/** `.` for `->` and the other way round. */
const wrongArrow = (side: 'op_host' | 'op_kernel') =>
  siteMutation(side === 'op_host' ? 'host-wrong-member-mark' : 'wrong-member-mark', side, (source) =>
    foundIn(source, ...reaching).flatMap(({from}) => {
      const mark = source.tokens[from + 1]
      if (!mark || mark.spaced) return []
      return [mark.text === '.' ? replaced(mark, '->', '-> on an object') : replaced(mark, '.', '. on a pointer')]
    }),
  )

const reaching = ['.', '->'].flatMap((mark) =>
  ['$name(', '$name<', 'template $name(', 'template $name<'].map((member) =>
    pattern(`$object${mark}${member}`, {object: (text) => /^[a-z]/.test(text)}),
  ),
)

const pointerMember = siteMutation('member-as-pointer', 'op_kernel', (source) =>
  declarationsOf(source)
    .filter(({type, within}) => !within && /^(?:TPipe|TQue|TBuf)\b/.test(type))
    .map(({typeAt, type, name}) => replaced(typeAt, `${type}*`, `${name} is declared as a pointer`)),
)

const hostPointer = siteMutation('host-pointer-for-value', 'op_host', (source) => [
  ...placesOf(source, '->GetStorageShape().GetShapeSize()', () => ({
    replacement: '',
    says: 'a pointer to a shape where a number is meant',
  })),
  ...placesOf(source, '->GetDim($index)', () => ({replacement: '', says: 'a shape for one of its dimensions'})),
])

export const objectMutations: readonly Mutation[] = [
  inventedMember,
  askedOfWrongClass,
  askedOfTensor,
  memberArguments,
  initBufferForm,
  missingGm,
  globalAsLocal,
  dereferenced,
  rawAddress,
  wrongArrow('op_kernel'),
  wrongArrow('op_host'),
  pointerMember,
  hostPointer,
]
