import {expect, test} from 'vitest'
import {eventMutations} from '../../../../pipelines/preference/mutations/events.ts'
import {madeBy} from './places.ts'

const kernelHead = 'LocalTensor<T> a;\nLocalTensor<T> b;\n'
const inKernel = madeBy(eventMutations, 'op_kernel/a.cpp', kernelHead)

test.each<[string, string, [string, string][]]>([
  [
    'flag-set-twice',
    'SetFlag<HardEvent::V_S>(e);\nAscendC::WaitFlag<HardEvent::V_S>(e);',
    [
      [
        'SetFlag<HardEvent::V_S>(e); SetFlag<HardEvent::V_S>(e);\nAscendC::WaitFlag<HardEvent::V_S>(e);',
        'SetFlag of one event twice',
      ],
      [
        'SetFlag<HardEvent::V_S>(e);\nAscendC::WaitFlag<HardEvent::V_S>(e); AscendC::WaitFlag<HardEvent::V_S>(e);',
        'WaitFlag of one event twice',
      ],
    ],
  ],
  ['flag-set-twice', 'CrossCoreSetFlag(e); x = SetFlag(e);', []],
  [
    'wait-before-set',
    'SetFlag<X>(e);\n  WaitFlag<X>(e);',
    [['WaitFlag<X>(e);\n  SetFlag<X>(e);', 'WaitFlag before SetFlag']],
  ],
  ['wait-before-set', 'SetFlag<X>(e); f(); WaitFlag<X>(e); SetFlag<X>(e);', []],
  [
    'wrong-event-id',
    'SetFlag<X>(e);',
    [
      ['SetFlag<X>(EVENT_ID7);', 'SetFlag(EVENT_ID7)'],
      ['SetFlag<X>(static_cast<event_t>(8));', 'SetFlag(static_cast<event_t>(8))'],
      ['SetFlag<X>(static_cast<event_t>(255));', 'SetFlag(static_cast<event_t>(255))'],
    ],
  ],
  [
    'wrong-event-id',
    'WaitFlag<X>(EVENT_ID7);',
    [
      ['WaitFlag<X>(static_cast<event_t>(8));', 'WaitFlag(static_cast<event_t>(8))'],
      ['WaitFlag<X>(static_cast<event_t>(255));', 'WaitFlag(static_cast<event_t>(255))'],
    ],
  ],
  [
    'wrong-event-id',
    'event_t e = EVENT_ID0;',
    [
      ['event_t e = static_cast<event_t>(8);', 'e is static_cast<event_t>(8)'],
      ['event_t e = static_cast<event_t>(-1);', 'e is static_cast<event_t>(-1)'],
    ],
  ],
  ['wrong-event-id', 'event_t e;\nint f = 1;\nSetFlag();', []],
  [
    'barrier-instead-of-enqueue',
    'q.EnQue(x);\nx = q.EnQue(x);',
    [
      ['AscendC::PipeBarrier<PIPE_ALL>();\nx = q.EnQue(x);', 'PipeBarrier<PIPE_ALL>(); where x goes into its queue'],
      ['AscendC::PipeBarrier<PIPE_V>();\nx = q.EnQue(x);', 'PipeBarrier<PIPE_V>(); where x goes into its queue'],
    ],
  ],
  [
    'wrong-event-pipes',
    'f(HardEvent::V_S, HardEvent::S_V, HardEvent::MTE2_V);',
    [
      ['f(HardEvent::S_V, HardEvent::S_V, HardEvent::MTE2_V);', 'S_V for V_S'],
      ['f(HardEvent::V_S, HardEvent::V_S, HardEvent::MTE2_V);', 'V_S for S_V'],
      ['f(HardEvent::V_S, HardEvent::S_V, HardEvent::V_MTE2);', 'V_MTE2 for MTE2_V'],
    ],
  ],
  [
    'wrong-event-pipes',
    'f(HardEvent::V_MTE3, HardEvent::MTE3_MTE2, HardEvent::M_V, HardEvent::V_MTE2);',
    [
      ['f(HardEvent::MTE3_V, HardEvent::MTE3_MTE2, HardEvent::M_V, HardEvent::V_MTE2);', 'MTE3_V for V_MTE3'],
      ['f(HardEvent::V_MTE3, HardEvent::MTE2_MTE3, HardEvent::M_V, HardEvent::V_MTE2);', 'MTE2_MTE3 for MTE3_MTE2'],
    ],
  ],
])('%s: %j', (name, text, expected) => {
  expect(inKernel(name, text)).toEqual(expected)
  expect(madeBy(eventMutations, 'op_host/a.cpp', kernelHead)(name, text)).toEqual([])
})

const unpaired = [
  'AscendC::SetFlag<AscendC::HardEvent::MTE2_V>(EVENT_ID0);',
  'AscendC::WaitFlag<AscendC::HardEvent::MTE2_V>(EVENT_ID0);',
  'AscendC::SetFlag<AscendC::HardEvent::V_MTE3>(EVENT_ID1);',
  'AscendC::WaitFlag<AscendC::HardEvent::MTE3_MTE2>(EVENT_ID2);',
]
const barriers = [
  'if (AscendC::GetBlockIdx() == 0) { AscendC::SyncAll(); }',
  'AscendC::CrossCoreWaitFlag(3);',
  'AscendC::CrossCoreSetFlag<2, PIPE_MTE3>(3);',
]
const bare = (text: string) => text.replaceAll('AscendC::', '')

test.each<[string, string, string, string[]]>([
  ['flag-without-partner', 'int F() {', 'q.DeQue<T>(); } int G() { f(); }', unpaired],
  ['flag-without-partner', 'int F() {', 'DataCopyPad(a, b); }', unpaired],
  ['flag-without-partner', 'int F() {', 'q.EnQue(a); }', unpaired],
  ['flag-without-partner', 'int F() {', 'f(); }', []],
  ['barrier-not-met', 'int Process() {', 'f(); }', barriers],
  ['barrier-not-met', 'int F() {', 'q.EnQue(a); }', barriers],
  ['barrier-not-met', 'int F() {', 'q.DeQue<T>(); }', []],
])('%s begins a function with a line of its own: %s %s', (name, head, body, lines) => {
  const said = name === 'barrier-not-met' ? '' : ' has no partner'
  const [, called] = head.split(/[ (]/)
  const using = 'using namespace AscendC; '
  const made = lines.map((line) => [`${head}\n        ${line}${body}`, `${bare(line)} in ${called}${said}`])
  expect(inKernel(name, head + body)).toEqual(made)
  expect(inKernel(name, using + head + body)).toEqual(made.map(([text = '', says]) => [using + bare(text), says]))
  expect(madeBy(eventMutations, 'op_host/a.cpp', kernelHead)(name, head + body)).toEqual([])
})
