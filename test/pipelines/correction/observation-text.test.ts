import {proseFault} from '../../../datasets/gates/row-words.ts'
import {languageOf, voice} from '../../../datasets/voice.ts'
import {randomFrom} from '../../../engine/random.ts'
import {describe, expect, test} from 'vitest'
import type {Observation} from '../../../pipelines/correction/observation.ts'
import {consequenceOf, evidenceText, readingOf} from '../../../pipelines/correction/offline/observation-text.ts'

const english = voice('en', randomFrom('a'))

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
  failing: reasons.map((reason, at) => ({case: `${at}`, reason})),
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
  const ends = 'It runs to its end and breaks none of the rules that are checked; the values are wrong.'
  const plain =
    'The plain run of the task passes. The stricter ones do not: they take other values and sizes, put arbitrary ' +
    'bytes into the outputs first, and want the inputs unchanged.'
  const broken = (place: string) =>
    `The cases do not fail alike: some give wrong values, and a rule of the device is broken in ${place}.`
  test.each<[string, Observation, string]>([
    ['a rule', rule(), 'The code compiles, but the run ends in `DeQue` on core 3: the queue is empty.'],
    ['all cases', numbers(['a', 'b'], 2), `${ends} 2 of 2 cases fail.`],
    ['some cases', numbers(['a'], 2), `${ends} 1 of 2 cases fail; the shapes or values of the others hide the fault.`],
    ['all but its own', numbers(['a'], 1, true), `${ends} 1 of 1 cases fail. ${plain}`],
    [
      'a rule in a case',
      numbers(['a', 'gm-overlap in DataCopy: x', 'out-of-buffer in Add: y'], 3),
      `${broken('case 1 (gm-overlap)')} 3 of 3 cases fail.`,
    ],
    ['no rule by its name', numbers(['overlap in DataCopy: x'], 1), `${ends} 1 of 1 cases fail.`],
    ['a crash', stopped('crashed'), 'The process of the operator dies: why.'],
    ['no end', stopped('timed-out'), 'It does not come to an end within why: a loop or a wait never finishes.'],
    ['no start', stopped('launch-failed'), 'The kernel never starts, the host side fails before it: why.'],
    ['the linker', link, 'Every file compiles, and the linker finds no definition for something that is used.'],
  ])('%s', (_, observed, text) => expect(readingOf(observed, english)).toBe(text))
})

test('what the only fault leads to', () => {
  expect(consequenceOf(numbers(['a']), english)).toBe('That is why the values are wrong.')
  expect(consequenceOf(rule(), english)).toBe('So DeQue finds nothing in its queue.')
  expect(consequenceOf(rule({rule: 'unheard-of'}), english)).toBe('')
  expect([stopped('crashed'), link].map((one) => consequenceOf(one, english))).toEqual(['', ''])
})

test('in Chinese the words of the executor are quoted, and all others are Chinese', () => {
  const chinese = voice('zh', randomFrom('a'))
  for (const observed of [
    rule(),
    numbers(['a']),
    stopped('crashed'),
    stopped('timed-out'),
    stopped('launch-failed'),
    link,
  ])
    for (const text of [readingOf(observed, chinese), consequenceOf(observed, chinese)])
      expect([text, proseFault(text, 'zh'), text === '' || languageOf(text) === 'zh']).toEqual([text, undefined, true])
})
