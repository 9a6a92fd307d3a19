import {familyOf, interfaces} from '../../../cpp/interfaces.ts'
import {elementsOf} from '../../../cpp/kernel-forms.ts'
import {pattern} from '../../../cpp/pattern.ts'
import {copies, global} from './data-copies.ts'
import {declarationsOf, functionsOf, interfaceCalls, isTensor, partOf, usesOf} from '../../../cpp/declarations.ts'
import {inFile, inserted, operand, replaced, siteMutation, type Mutation} from './mutation.ts'
import {foundIn, type Call, type Range, type SourceView} from '../../../cpp/source-view.ts'

// What the hardware does not take: addresses, sizes, masks, repeats, strides, state left behind.

/** Calls that compute on the first `count` elements, with that count. */
function counted(
  source: SourceView,
): {call: Call & {statement: Range}; count: Call['args'][number]; tensors: number}[] {
  return interfaceCalls(source).flatMap((call) => {
    const count = call.args.at(-1)
    const tensors = call.args.filter(({text}) => isTensor(source, text)).length
    if (!count || copies.test(call.name) || isTensor(source, count.text)) return []
    return call.args.length >= 3 ? [{call, count, tensors}] : []
  })
}

/** The form with mask, repeat times and strides, one of them out of its range. */
const repeatForm = siteMutation('repeat-form-out-of-range', 'op_kernel', (source) =>
  counted(source)
    .filter(({call}) => familyOf(call.name) === 'elementwise')
    .flatMap(({call, count, tensors}) => {
      const strides = tensors > 2 ? '{1, 1, 1, 8, 8, 8}' : '{1, 1, 8, 8}'
      const wide = tensors > 2 ? '{1, 1, 1, 255, 255, 255}' : '{1, 1, 255, 255}'
      return [
        `static_cast<uint64_t>(256), 1, ${strides}`,
        `static_cast<uint64_t>(64), 255, ${strides}`,
        `static_cast<uint64_t>(64), 4, ${wide}`,
        `static_cast<uint64_t>(0), 1, ${strides}`,
        `static_cast<uint64_t>(32), (${count.text} + 63) / 64, ${strides}`,
      ].map((wrong) => replaced(count, wrong, `${call.name} with mask, repeat times and strides ${wrong}`))
    }),
)

const countBeyond = siteMutation('count-beyond-buffer', 'op_kernel', (source) =>
  counted(source).flatMap(({call, count}) =>
    [`${operand(count.text)} * sizeof(float)`, `${operand(count.text)} * 2`].map((wrong) =>
      replaced(count, wrong, `${call.name} on ${wrong} elements`),
    ),
  ),
)

const countShort = siteMutation('wrong-count', 'op_kernel', (source) =>
  counted(source).flatMap(({call, count}) =>
    [`${operand(count.text)} / 2`, `${operand(count.text)} / sizeof(float)`, '64'].map((wrong) =>
      replaced(count, wrong, `${call.name} on ${wrong} elements, not ${count.text}`),
    ),
  ),
)

const eachTensor = (name: string, parts: readonly string[], says: string) =>
  siteMutation(name, 'op_kernel', (source) =>
    interfaceCalls(source).flatMap((call) =>
      call.args
        .filter(({text}) => /^\w+$/.test(text) && isTensor(source, text) && !copies.test(call.name))
        .flatMap((argument) =>
          parts.map((part) => inserted(argument.end, part, `${call.name} at ${argument.text}${part}: ${says}`)),
        ),
    ),
  )

const unalignedOperand = eachTensor('unaligned-operand', ['[1]', '[3]'], 'not at a multiple of 32 bytes')
const operandBeyond = eachTensor('operand-out-of-buffer', ['[16384]', '[65536]'], 'behind the end of its buffer')

/** Source and destination that partly overlap. */
const overlap = siteMutation('operands-overlap', 'op_kernel', (source) =>
  counted(source).flatMap(({call}) => {
    const [to, ...rest] = call.args
    const same = to && rest.find(({text}) => text === to.text)
    if (!to || !same || !/^\w+$/.test(to.text)) return []
    return [inserted(to.end, '[8]', `${call.name} from ${to.text} to ${to.text}[8]`)]
  }),
)

const bufferSize = siteMutation('wrong-buffer-size', 'op_kernel', (source) =>
  source.calls.flatMap(({name, args}) => {
    const [buffer, size] = [args[0], args.at(-1)]
    if (name !== 'InitBuffer' || args.length < 2 || !buffer || !size) return []
    const inner = /^([\s\S]*?)\s*\*\s*sizeof\(\w+\)$/.exec(size.text)?.[1]
    return ['0', '32', '256 * 1024', `(${size.text}) / 4`, ...(inner ? [inner] : [])].map((wrong) =>
      replaced(size, wrong, `${buffer.text} gets ${wrong} bytes`),
    )
  }),
)

const compareCount = siteMutation('unaligned-comparison', 'op_kernel', (source) =>
  interfaceCalls(source).flatMap(({name, args}) => {
    const count = args.at(-1)
    if (familyOf(name) !== 'comparison' || !count || args.length < 5) return []
    const own =
      foundIn(source, pattern('$type count', {type: (text) => text.endsWith('_t')})).length > 0 ? ['count'] : []
    return [...own, '100', '1'].map((wrong) => replaced(count, wrong, `${name} on ${wrong} elements, no whole vector`))
  }),
)

const reduceWork = siteMutation('no-room-for-reduction', 'op_kernel', (source) =>
  interfaceCalls(source).flatMap(({name, args}) => {
    const [to, from, work] = args
    if (interfaces.get(name)?.operands[2]?.kind !== 'tmp' || !to || !from || !work || !isTensor(source, work.text))
      return []
    return [to.text, `${to.text}[8]`].map((wrong) => replaced(work, wrong, `${name} with ${wrong} as its work tensor`))
  }),
)

/** Between types where one holds every value of the other, there is nothing to round, and no mode for it. */
const roundMode = siteMutation('unsupported-round-mode', 'op_kernel', (source) =>
  usesOf(source, 'CAST_NONE').flatMap((use) =>
    ['CAST_RINT', 'CAST_FLOOR', 'CAST_ODD'].map((wrong) =>
      replaced(use, wrong, `${wrong} for a conversion that does not round`),
    ),
  ),
)

/** A tensor without memory. */
const nullTensor = siteMutation('tensor-without-memory', 'op_kernel', (source) =>
  declarationsOf(source).flatMap(({type, nameAt, end, name, value}) =>
    /^LocalTensor\b/.test(type) && value
      ? [replaced({start: nameAt.end, end}, ';', `${name} is never given memory`)]
      : [],
  ),
)

const elementBeyond = siteMutation('element-never-written', 'op_kernel', (source) =>
  source.calls.flatMap(({name, args, receiver}) => {
    const [index] = args
    if (!['GetValue', 'SetValue'].includes(name) || !index) return []
    return ['1', '7', '4096', '-1'].map((wrong) => replaced(index, wrong, `${receiver}${name} at ${wrong}`))
  }),
)

/** State of the core that is set and not taken back. */
const leftovers = ['SetAtomicAdd<float>();', 'SetAtomicMax<half>();', 'SetAtomicMin<int32_t>();']

const stateLeft = siteMutation('state-left-behind', 'op_kernel', (source) =>
  functionsOf(source)
    .filter(({body}) => /\b(?:DataCopy|EnQue|DeQue)/.test(source.code.slice(body.start, body.end)))
    .flatMap(({name, body}) =>
      leftovers.map((line) =>
        inserted(body.start, `\n        ${inFile(source, line)}`, `${line} in ${name}, never taken back`),
      ),
    ),
)

/** Single elements written to global memory, by each core next to the other's. */
const scalarWrites = siteMutation('scalar-writes-to-global', 'op_kernel', (source) =>
  source.calls.flatMap(({name, statement, args}) => {
    const [to, from, parameters] = args
    if (!copies.test(name) || !statement || !to || !from || !global.test(to.text)) return []
    const {tensor, index} = partOf(to.text) ?? {tensor: to.text, index: ''}
    const local = partOf(from.text)?.tensor ?? from.text
    const count =
      parameters && (name === 'DataCopy' ? parameters.text : elementsOf(source, parameters.text, statement.start))
    const each = `${tensor}.SetValue(${index} + i, ${local}.GetValue(i));`
    const single = ['0', 'GetBlockIdx()'].map((at) => `${tensor}.SetValue(${at}, ${local}.GetValue(0));`)
    if (index !== '' && !count) return []
    return (index === '' ? single : [`for (uint32_t i = 0; i < ${count}; ++i) { ${each} }`]).map((text) =>
      replaced(statement, inFile(source, text), `${text} in the place of ${name}`),
    )
  }),
)

export const limitMutations: readonly Mutation[] = [
  repeatForm,
  countBeyond,
  countShort,
  unalignedOperand,
  operandBeyond,
  overlap,
  bufferSize,
  compareCount,
  reduceWork,
  roundMode,
  nullTensor,
  elementBeyond,
  stateLeft,
  scalarWrites,
]
