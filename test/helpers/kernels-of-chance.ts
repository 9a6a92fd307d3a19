import type {SourceFile} from '../../datasets/schema/operator.ts'

const kernel = 'op_kernel/scale_shift.cpp'
const host = 'op_host/scale_shift.cpp'
const shift = 'shift = tiling.shift;'
const setShift = 'tiling.set_shift('

/** Adds 16 bits of a value to what ScaleShift shifts by, in the kernel. */
const shiftedBy = (value: string) =>
  [kernel, shift, `${shift} shift += (float)(int32_t)((${value}) & 0xffff);`] as const

/** The same in the tiling, where the scale is replaced. */
const scaledBy = (value: string) =>
  [host, setShift, `tiling.set_scale((float)(int32_t)((${value}) & 0xffff)); ${setShift}`] as const

/**
 * What the answer of ScaleShift becomes when its numbers depend on what differs between any two processes. Memory that
 * nobody set is not among it: two processes may well find the same there.
 */
const flaky = {
  'an address in the kernel': shiftedBy('reinterpret_cast<uint64_t>(this) >> 12'),
  'an address in the tiling': scaledBy('reinterpret_cast<uint64_t>(&tiling) >> 12'),
  'the time in the tiling': scaledBy('__builtin_ia32_rdtsc()'),
} as const

/** What it becomes when they are wrong in the same way each time. */
const steady = {
  'the answer': {outcome: 'correct', edit: [kernel, shift, shift]},
  'the number of a block': {outcome: 'mismatched', edit: shiftedBy('GetBlockIdx() + 1')},
  'the time of this processor in the kernel': {outcome: 'compile-failed', edit: shiftedBy('__builtin_ia32_rdtsc()')},
  'cycles, which the twin counts': {outcome: 'mismatched', edit: shiftedBy('GetSystemCycle() + 1')},
  'blocks that write one place in turn': {
    outcome: 'violated',
    edit: [
      kernel,
      'op.Process();',
      'op.Process(); GlobalTensor<DTYPE_X> all; all.SetGlobalBuffer((__gm__ DTYPE_X*)y, 8); ' +
        'all.SetValue(0, static_cast<DTYPE_X>(GetBlockIdx()));',
    ],
  },
} as const

function edited(answer: readonly SourceFile[], [path, from, to]: readonly [string, string, string]): SourceFile[] {
  const files = answer.map((file) => (file.path === path ? {...file, text: file.text.replace(from, to)} : file))
  if (from !== to && files.every(({text}, index) => text === answer[index]?.text))
    throw new TypeError(`${path} has no ${from}`)
  return files
}

/** Texts by what they depend on, made of the answer of the fixture task ScaleShift. */
export function kernelsOfChance(answer: readonly SourceFile[]) {
  return {
    flaky: Object.fromEntries(Object.entries(flaky).map(([name, edit]) => [name, edited(answer, edit)])),
    steady: Object.fromEntries(
      Object.entries(steady).map(([name, {outcome, edit}]) => [name, {outcome, files: edited(answer, edit)}]),
    ),
  }
}
