import {readFileSync} from 'node:fs'
import {describe, expect, test} from 'vitest'
import {proseFault} from '../../../datasets/gates/row-words.ts'
import {type Seen, Violation} from '../../../datasets/schema/verdict.ts'
import type {Observation} from '../../../pipelines/correction/observation.ts'
import {readingOf} from '../../../pipelines/correction/offline/observation-text.ts'
import type {Scene} from '../../../pipelines/correction/offline/reason.ts'
import {reasonFor} from '../../../pipelines/correction/offline/step-reasons.ts'
import {traceOf} from '../../../pipelines/correction/offline/fault-traces.ts'
import {restOf} from '../../../pipelines/correction/offline/explanation.ts'
import {editsBetween} from '../../../pipelines/facts/edits.ts'
import {tellAll} from '../../../pipelines/telling/tell-message.ts'
import {nthWording} from '../../helpers/nth-wording.ts'
import {apis} from './told-reasons.ts'

const path = 'op_kernel/k.cpp'
const kernel = (...lines: string[]) => [{path, text: lines.join('\n')}]
type Broken = Extract<Observation, {kind: 'rule'}>
const rule = (situation: string, values: Seen['values'], over: Partial<Broken> = {}): Broken => ({
  ...{kind: 'rule', case: '0', block: 0, api: 'Add', tensor: '', rule: 'r', message: 'it is so'},
  ...{seen: {situation, values}, ...over},
})
const cases = [{case_id: '0', shape: '[3, 128]', dtype: 'float32'}]
const definition = {
  path: 'op_host/k.cpp',
  text:
    'class K : public OpDef { explicit K(const char* name) : OpDef(name) { ' +
    'this->Input("x").ParamType(REQUIRED).DataType({ge::DT_FLOAT16, ge::DT_FLOAT}); ' +
    'this->Output("y").ParamType(REQUIRED).DataType({ge::DT_FLOAT16, ge::DT_FLOAT}); } };',
}

const around = [
  'TQue<QuePosition::VECIN, 1> in_;',
  'TQue<QuePosition::VECIN, 1> other_;',
  'GlobalTensor<T> yGm_;',
  'LocalTensor<T> x;',
  'LocalTensor<T> y;',
  'void Init() {',
  '  if (rows_ == 0) {',
  '    return;',
  '  }',
  '  pipe_.InitBuffer(in_, 1, n * sizeof(T));',
  '  pipe_.InitBuffer(other_, 1, n * sizeof(T));',
  '}',
]

/** How the first step between two kernels leads to what was seen, and that nothing else is affected. */
function toldOf(failed: string[], right: string[], observed: Observation, at = 0, language: 'en' | 'zh' = 'en') {
  const [before, after] = [kernel(...failed), kernel(...right)]
  const scene: Scene = {apis, failed: before, right: [...after, definition], errors: [], log: ''}
  const edits = editsBetween(before, after)
  const reason = edits[0] && reasonFor(edits[0], scene)
  if (!edits[0] || !reason) throw new Error('nothing is explained')
  const speaker = nthWording(language, at)
  return {
    trace: tellAll(traceOf(edits[0], reason, {observed, cases}, scene), speaker),
    rest: tellAll(restOf(edits[0], edits, scene), speaker),
    read: tellAll(readingOf(observed), speaker),
  }
}

const queue = (...lines: string[]) => [...around, 'void Run() {', ...lines, '}']
const steps = ['auto a = in_.AllocTensor<T>();', 'in_.EnQue(a);', 'auto b = in_.DeQue<T>();', 'in_.FreeTensor(b);']
const [alloc = '', enque = '', deque = '', free = ''] = steps
const copy = (args: string) => `DataCopyPad(yGm_[0], x, p); DataCopyExtParams p{${args}};`
const add = (destination: string) => `Add(${destination}, y, y, 8);`

const wrongElement = {kind: 'element', output: 'y', index: 130, seen: -1, expected: 2} as const

/** A fault, the right code, what was seen, what the trace says and what is said of the rest. */
const traces: [name: string, failed: string[], right: string[], Observation, trace: RegExp, rest?: RegExp][] = [
  [
    'a block more than there are',
    queue(alloc, 'auto more = in_.AllocTensor<T>();', enque, deque, free),
    queue(...steps),
    rule('alloc-deadlock', {blocks: 1}),
    /`in_` hands out a block 2 times \(lines 14 and 15\) and gets one back once \(line 18\); 1 block is not enough/,
    /`in_` has 1 of each step/,
  ],
  [
    'no count where as many come back',
    queue(alloc, 'auto more = in_.AllocTensor<T>();', enque, deque, free, free.replace('(b)', '(a)')),
    queue(...steps, free.replace('(b)', '(a)')),
    rule('alloc-deadlock', {blocks: 1}),
    /^$/,
    /^$/,
  ],
  [
    'a queue that is empty',
    queue(alloc.replace('AllocTensor', 'DeQue'), enque, deque, free),
    queue(...steps),
    rule('deque-empty', {}),
    /Only line 15 puts a tensor into `in_`/,
    /`in_` has 1 of each step/,
  ],
  [
    'a tensor that went elsewhere',
    queue(alloc, enque.replace('in_', 'other_'), deque, free),
    queue(...steps),
    rule('deque-empty', {}),
    /The DeQue on `in_` in line 16 waits for a tensor that was put into `other_`/,
  ],
  [
    'a queue by its number',
    queue(alloc, enque.replace('in_', 'other_'), deque, free),
    queue(...steps),
    rule('foreign-tensor', {api: 'EnQue', owner: 'VECIN queue 0[0]'}),
    /VECIN queue 0 is the run's name for the 1st VECIN queue that InitBuffer sets up: `in_`, in line 10/,
  ],
  [
    'no queue of another number',
    queue(alloc, enque.replace('in_', 'other_'), deque, free),
    queue(...steps),
    rule('foreign-tensor', {api: 'EnQue', owner: 'VECIN queue 1[0]'}),
    /^$/,
  ],
  [
    'a use in the queue',
    queue(alloc, enque, 'Adds(a, a, 1, 8);', deque, free),
    queue(alloc, 'Adds(a, a, 1, 8);', enque, deque, free),
    rule('use-while-enqueued', {operand: 'dst', api: 'Adds'}),
    /Line 16 still uses it after this EnQue, and the DeQue comes only in line 17/,
  ],
  [
    'a use after FreeTensor',
    queue(alloc, enque, deque, free, 'Mul(x, y, b, 8);', free),
    queue(alloc, enque, deque, 'Mul(x, y, b, 8);', free),
    rule('use-after-free', {operand: 'src1', api: 'Mul'}),
    /`src1` of that `Mul` is `b`\./,
  ],
  [
    'no operand that is another',
    queue(alloc, enque, deque, free, 'Mul(x, y, b, 8);', free),
    queue(alloc, enque, deque, 'Mul(x, y, b, 8);', free),
    rule('use-after-free', {operand: 'src0', api: 'Mul'}),
    /^$/,
  ],
  [
    'bytes of an index',
    queue(add('x[3]')),
    queue(add('x')),
    rule(
      'unaligned-ub',
      {operand: 'dst', api: 'Add', space: 'UB', past: 12, multiple: 32, address: 12},
      {tensor: 'VECIN queue 0[0]+12'},
    ),
    /3 elements of 4 bytes are 12 bytes/,
  ],
  [
    'a place behind the block',
    queue(add('x[64]')),
    queue(add('x')),
    rule(
      'out-of-buffer',
      {operand: 'dst', api: 'Add', from: 256, to: 288, bytes: 256},
      {tensor: 'VECIN queue 0[0]+256'},
    ),
    /64 elements of 4 bytes are 256 bytes, and the whole block has 256: nothing of it is left there/,
  ],
  [
    'a shift',
    queue('Add(x[8], x, y, 8);'),
    queue('Add(x, x, y, 8);'),
    rule('partial-overlap', {api: 'Add', operand: 'src0', shift: 32}, {tensor: 'VECIN queue 0[0]+32'}),
    /8 elements of 4 bytes are the 32 bytes in the message/,
  ],
  [
    'no bytes that do not divide',
    queue(add('x[3]')),
    queue(add('x')),
    rule(
      'unaligned-ub',
      {operand: 'dst', api: 'Add', space: 'UB', past: 13, multiple: 32, address: 13},
      {tensor: 'VECIN queue 0[0]+13'},
    ),
    /^$/,
  ],
  [
    'half a block',
    around.map((line) => line.replace('(in_, 1, n * sizeof(T))', '(in_, 1, (n * sizeof(T)) / 2)')),
    around,
    rule('out-of-buffer', {operand: 'dst', api: 'DataCopyPad', from: 0, to: 768, bytes: 384}),
    /That statement gives the block 384 bytes, and 768 go into it: 2 times as much/,
  ],
  [
    'a setup that is left out',
    around.map((line) => line.replace('rows_ == 0', 'rows_ != 0')),
    around,
    rule('queue-not-initialised', {api: 'AllocTensor'}),
    /returns before lines 10 and 11 call InitBuffer/,
  ],
  [
    'elements for bytes',
    queue(copy('1, n, 0, 0, 0')),
    queue(copy('1, n * sizeof(T), 0, 0, 0')),
    rule('length-in-elements', {given: 3, size: 4}),
    /in bytes it is 3 × 4 = 12/,
  ],
  [
    'elements that are padded',
    queue('DataCopyPadExtParams<T> q{true, 0, 64, 0};'),
    queue('DataCopyPadExtParams<T> q{true, 0, 0, 0};'),
    rule('too-much-padding', {left: 0, right: 256}),
    /64 elements of 4 bytes are the 256 bytes in the message, 8 blocks of 32/,
  ],
  [
    'a gap in global memory that is read',
    queue(copy('2, 512, 1, 0, 0')),
    queue(copy('2, 512, 0, 0, 0')),
    rule('unaligned-gm', {operand: 'src', api: 'DataCopyPad', byte: 513, tensor: 'x', size: 4}),
    /A row of 128 elements is 128 × 4 = 512 bytes\. With a gap of 1 .* from byte 513/,
  ],
  [
    'a gap in global memory that is written',
    queue(copy('2, 512, 0, 32, 0')),
    queue(copy('2, 512, 0, 0, 0')),
    rule('gm-overlap', {api: 'DataCopyPad', from: 1024, to: 1056, tensor: 'y', block: 0}, {block: 1}),
    /the last 32 of its 512 bytes end up at bytes 1024 to 1056/,
  ],
  [
    'elements of the bytes where there is no gap',
    queue('DataCopyPad(yGm_[start * 4], x, p);'),
    queue('DataCopyPad(yGm_[start], x, p);'),
    rule('gm-overlap', {api: 'DataCopyPad', from: 1024, to: 1056, tensor: 'y', block: 0}, {block: 1}),
    /elements 256 to 263 of `y`, in row 2 when rows have 128/,
  ],
  [
    'no elements at a size that no case has',
    queue('DataCopyPad(yGm_[start * 4], x, p);'),
    queue('DataCopyPad(yGm_[start], x, p);'),
    rule('gm-overlap', {api: 'DataCopyPad', from: 1024, to: 1056, tensor: 'y', block: 0}, {otherSize: true}),
    /^$/,
  ],
  [
    'a gap in UB',
    queue(copy('2, 512, 32, 0, 0')),
    queue(copy('2, 512, 0, 0, 0')),
    rule('unwritten-output', {from: 512, to: 1024, tensor: 'y', copied: 1536}, {api: 'DataCopyPad'}),
    /A row is 512 bytes in UB\. With a gap of 32 blocks .* 512 \+ 32 × 32 = 1536/,
  ],
  [
    'a copy beside the queue',
    queue('Adds(x, y, 1, 8);', 'DataCopy(x, yGm_, 32);', 'in_.EnQue(x);'),
    queue('Adds(x, y, 1, 8);', 'in_.EnQue(x);'),
    rule(
      'pipe-hazard',
      {
        api: 'DataCopy',
        does: 'writes',
        operand: 'dst',
        late: 'PIPE_MTE2',
        early: 'PIPE_V',
        still: 'writes',
        other: 'Adds',
      },
      {
        api: 'DataCopy',
      },
    ),
    /The `Adds` in line 14 writes `x`, which is handed on only by the EnQue in line 16/,
  ],
  [
    'a flag without partner',
    queue('WaitFlag<HardEvent::V_S>(0);'),
    queue(),
    rule('wait-without-set', {from: 'PIPE_V', to: 'PIPE_S', event: 0}),
    /that event has 0 SetFlag and 1 WaitFlag/,
  ],
  [
    'a wrong value',
    queue('Adds(x, y, 1, 8);'),
    queue('Muls(x, y, 1, 8);'),
    {
      kind: 'numbers',
      failing: [
        {case: '1', reason: '', fault: {...wrongElement, index: 5, otherSize: true}},
        {case: '0', reason: '', fault: wrongElement},
      ],
      cases: 1,
      passesItsOwn: false,
    },
    /In case 0, element 130 of `y` \(row 1, column 2 of \[3, 128\]\) is -1 instead of 2\./,
  ],
]

describe('a fault leads to what was seen', () => {
  test.each(traces)('%s', (_, failed, right, observed, trace, rest = /^/) => {
    const told = toldOf(failed, right, observed)
    expect(told.trace).toMatch(trace)
    expect(told.rest).toMatch(rest)
  })

  test.each(traces)('%s, in all words', (_, failed, right, observed) => {
    for (const language of ['en', 'zh'] as const)
      for (let at = 0; at < 6; at += 1)
        for (const [part, text] of Object.entries(toldOf(failed, right, observed, at, language))) {
          // What the executor said begins as it likes.
          if (part !== 'read' && language === 'en') expect(text.replace(/`[^`]*`/g, 'C')).not.toMatch(/(?:^|[.] )[a-z]/)
          expect([text, proseFault(text, language), /undefined|NaN|\{\w+[,}]/.test(text)]).toEqual([
            text,
            undefined,
            false,
          ])
        }
  })
})

const violations = readFileSync('test/fixtures/violations.jsonl', 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => Violation.parse(JSON.parse(line)))

test.each(violations)('$message has a meaning, in all words', (violation) => {
  const hasMeaning = violation.seen?.situation !== 'pipe-hazard' || 'other' in violation.seen.values
  for (const language of ['en', 'zh'] as const)
    for (let at = 0; at < 6; at += 1) {
      const [, meaning] = readingOf({kind: 'rule', case: '0', ...violation})
      const text = meaning ? tellAll([meaning], nthWording(language, at)) : ''
      expect([text !== '', proseFault(text, language)]).toEqual([hasMeaning, undefined])
      expect(text).not.toMatch(/undefined|NaN|PIPE_|\{\w+[,}]/)
    }
})

describe('that nothing else is affected', () => {
  const seen = rule('other', {})
  test.each<[string, string[], string[], RegExp]>([
    [
      'calls with as many arguments as are right',
      queue('Adds(x, y, 8);', 'Adds(y, x, 1, 8);'),
      queue('Adds(x, y, 1, 8);', 'Adds(y, x, 1, 8);'),
      /Line 15 calls `Adds` with 4 arguments and can stay/,
    ],
    [
      'a structure that has the value',
      queue('DataCopyExtParams p{1, n, 0, 0, 0};', 'DataCopyExtParams q{2, n * sizeof(T), 0, 0, 0};'),
      queue('DataCopyExtParams p{1, n * sizeof(T), 0, 0, 0};', 'DataCopyExtParams q{2, n * sizeof(T), 0, 0, 0};'),
      /Line 15 already has `n \* sizeof\(T\)`/,
    ],
    ['nothing where others are wrong as well', queue('Adds(x, y, 8);'), queue('Adds(x, y, 1, 8);'), /^$/],
  ])('%s', (_, failed, right, rest) => expect(toldOf(failed, right, seen).rest).toMatch(rest))
})
