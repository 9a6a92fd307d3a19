import {proseFault} from '../../../datasets/gates/row-words.ts'
import {languageOf} from '../../../datasets/voice.ts'
import {describe, expect, test} from 'vitest'
import type {Observation} from '../../../pipelines/correction/observation.ts'
import {tell, tellAll} from '../../../pipelines/telling/tell-message.ts'
import {nthWording} from '../../helpers/nth-wording.ts'
import {consequenceOf, evidenceText, readingOf} from '../../../pipelines/correction/offline/observation-text.ts'

const english = nthWording('en')

const rule = (over: Partial<Extract<Observation, {kind: 'rule'}>> = {}): Observation => ({
  kind: 'rule',
  case: '2',
  block: 3,
  api: 'DeQue',
  tensor: 'x',
  rule: 'deque-empty',
  message: 'the queue is empty',
  ...over,
})
const numbers = (reasons: string[], cases = 4, passesItsOwn = false): Observation => ({
  kind: 'numbers',
  failing: reasons.map((reason, at) => {
    const rule = /^broken (.*)$/.exec(reason)?.[1]
    return {case: `${at}`, reason, ...(rule !== undefined && {fault: {kind: 'rule' as const, rule}})}
  }),
  cases,
  passesItsOwn,
})
const stopped = (how: 'crashed' | 'timed-out' | 'launch-failed'): Observation => ({
  kind: 'stopped',
  case: '1',
  how,
  detail: 'why',
})
const link: Observation = {kind: 'link', log: 'undefined reference'}

describe('the evidence', () => {
  test.each<[string, Observation, string]>([
    ['a rule', rule(), 'case 2: a rule of the device is broken (deque-empty)\ncore 3, DeQue, x: the queue is empty'],
    [
      'without a tensor',
      rule({tensor: ''}),
      'case 2: a rule of the device is broken (deque-empty)\ncore 3, DeQue: the queue is empty',
    ],
    ['three cases', numbers(['a', 'b', 'c']), '3 of 4 cases give wrong values\ncase 0: a\ncase 1: b\ncase 2: c'],
    ['three of four', numbers(['a', 'b', 'c', 'd']), '4 of 4 cases give wrong values\ncase 0: a\ncase 1: b\ncase 2: c'],
    ['a crash', stopped('crashed'), 'case 1: crashed: why'],
    ['the linker', link, 'undefined reference'],
  ])('%s', (_, observed, text) => expect(evidenceText(observed)).toBe(text))
})

describe('what it means', () => {
  const ends = 'It runs to the end and breaks none of the checked rules, but the values are wrong.'
  const plain =
    "The task's own run passes. The stricter ones do not: they use other values and sizes, fill the outputs " +
    'with arbitrary bytes first, and require the inputs to stay unchanged.'
  const broken = (place: string) =>
    `The cases fail in different ways: some give wrong values, and ${place} breaks a rule of the device (gm-overlap).`
  test.each<[string, Observation, string]>([
    ['a rule', rule(), 'The code compiles, but the run ends in `DeQue` on core 3: the queue is empty.'],
    [
      'a rule at the end',
      rule({
        api: 'end of kernel',
        message: 'the kernel ends with atomic writes switched on',
        seen: {situation: 'atomic-left-on', values: {}},
      }),
      'The code compiles and core 3 reaches the end of the kernel, where the run reports: the kernel ends with ' +
        'atomic writes switched on. The write mode is a register of the core: it outlives the statement, and it ' +
        'was not reset when the kernel ended.',
    ],
    [
      'how far behind its block an access goes',
      rule({
        api: 'Add',
        message: 'dst of Add covers bytes 0 to 96 of a buffer of 64 bytes',
        seen: {situation: 'out-of-buffer', values: {operand: 'dst', api: 'Add', from: 0, to: 96, bytes: 64}},
      }),
      'The code compiles, but the run ends in `Add` on core 3: dst of Add covers bytes 0 to 96 of a buffer of 64 ' +
        'bytes. `dst` of `Add` goes from byte 0 to byte 96, 96 bytes, but the block ends at 64: 32 bytes are past ' +
        'the end.',
    ],
    [
      'that all of it is behind the block',
      rule({
        api: 'Add',
        message: 'dst of Add covers bytes 128 to 160 of a buffer of 64 bytes',
        seen: {situation: 'out-of-buffer', values: {operand: 'dst', api: 'Add', from: 128, to: 160, bytes: 64}},
      }),
      'The code compiles, but the run ends in `Add` on core 3: dst of Add covers bytes 128 to 160 of a buffer of ' +
        '64 bytes. `dst` of `Add` goes from byte 128 to byte 160, 32 bytes, but the block ends at 64: all of them ' +
        'are past the end.',
    ],
    [
      'a value of nothing',
      rule({
        api: 'Add',
        message: 'src0 of Add reads byte 4, which nothing has written',
        seen: {situation: 'unwritten-local', values: {operand: 'src0', api: 'Add', byte: 4}},
      }),
      'The code compiles, but the run ends in `Add` on core 3: src0 of Add reads byte 4, which nothing has ' +
        'written. At byte 4 the block is still as AllocTensor or Get returned it, so its contents are arbitrary.',
    ],
    [
      'a value that was made of such',
      rule({
        api: 'Add',
        message: 'src0 of Add reads byte 4, which nothing has written; Mul read src',
        seen: {situation: 'unwritten-local', values: {operand: 'src0', api: 'Add', byte: 4, note: 'Mul read src'}},
      }),
      'The code compiles, but the run ends in `Add` on core 3: src0 of Add reads byte 4, which nothing has ' +
        'written; Mul read src. The value at byte 4 has no defined origin: a step did write it, but from memory ' +
        'that nothing had filled, as the message goes on to say.',
    ],
    [
      'two cores that write the same bytes',
      rule({
        api: 'DataCopy',
        message: "DataCopy writes bytes 0 to 32 of 'y', which block 2 has written with other values",
        seen: {situation: 'gm-overlap', values: {api: 'DataCopy', from: 0, to: 32, tensor: 'y', block: 2}},
      }),
      "The code compiles, but the run ends in `DataCopy` on core 3: DataCopy writes bytes 0 to 32 of 'y', " +
        'which block 2 has written with other values. Every output element should belong to one core; bytes 0 to ' +
        '32 of `y` are written by core 3 and were written by core 2 with other values, so the final value is ' +
        'left to chance.',
    ],
    [
      'what UB lacks',
      rule({
        api: 'InitBuffer',
        message: 'InitBuffer of 2 x 65600 bytes needs 197000 bytes of UB in all; there are 196608',
        seen: {situation: 'ub-overflow', values: {num: 2, len: 65600, needed: 197000, space: 'UB', capacity: 196608}},
      }),
      'The code compiles, but the run ends in `InitBuffer` on core 3: InitBuffer of 2 x 65600 bytes needs 197000 ' +
        'bytes of UB in all; there are 196608. 2 × 65600 = 131200 bytes, plus the 65800 allocated before, make ' +
        '197000, and UB has 196608: 392 bytes are missing.',
    ],
    ['all cases', numbers(['a', 'b'], 2), `${ends} 2 of 2 cases fail.`],
    ['some cases', numbers(['a'], 2), `${ends} 1 of 2 cases fail; the shapes or values of the others hide the fault.`],
    ['all but its own', numbers(['a'], 1, true), `${ends} 1 of 1 cases fail. ${plain}`],
    [
      'a rule in a case',
      numbers(['a', 'broken gm-overlap', 'broken out-of-buffer'], 3),
      `${broken('case 1')} 3 of 3 cases fail.`,
    ],
    ['no rule by the words of a reason', numbers(['gm-overlap in DataCopy: x'], 1), `${ends} 1 of 1 cases fail.`],
    ['a crash', stopped('crashed'), "The operator's process dies: why."],
    ['no end', stopped('timed-out'), 'It does not finish within why: a loop or a wait never ends.'],
    ['no start', stopped('launch-failed'), 'The kernel never starts, because the host side fails first: why.'],
    ['the linker', link, 'Every file compiles, but the linker finds no definition for something that is used.'],
  ])('%s', (_, observed, text) => expect(tellAll(readingOf(observed), english)).toBe(text))
})

test('what the only fault leads to', () => {
  expect(tell(consequenceOf(numbers(['a'])), english)).toBe('That is why the values are wrong.')
  expect(tell(consequenceOf(rule({rule: 'tensor-leak'})), english)).toBe(
    'As a result, a tensor is still allocated when the kernel ends.',
  )
  expect(tell(consequenceOf(rule({rule: 'unheard-of'})), english)).toBe('')
  expect([stopped('crashed'), link].map((one) => tell(consequenceOf(one), english))).toEqual(['', ''])
})

test('in Chinese the words of the executor are quoted, and all others are Chinese', () => {
  const chinese = nthWording('zh')
  for (const observed of [
    rule(),
    numbers(['a']),
    stopped('crashed'),
    stopped('timed-out'),
    stopped('launch-failed'),
    link,
  ])
    for (const text of [tellAll(readingOf(observed), chinese), tell(consequenceOf(observed), chinese)])
      expect([text, proseFault(text, 'zh'), text === '' || languageOf(text) === 'zh']).toEqual([text, undefined, true])
})
