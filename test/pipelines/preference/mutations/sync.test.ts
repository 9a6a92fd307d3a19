import {expect, test} from 'vitest'
import {randomFrom} from '../../../../engine/random.ts'
import {syncMutations} from '../../../../pipelines/preference/mutations/sync.ts'

/** Every text that a mutation can make, without repeats. */
function variants(name: string, text: string): string[] {
  const mutation = syncMutations.find((one) => one.name === name)
  const made = Array.from(
    {length: 20},
    (_, seed) => mutation?.apply([{path: 'op_kernel/a.cpp', text}], randomFrom(seed))?.files[0]?.text,
  )
  return [...new Set(made.flatMap((one) => one ?? []))].sort()
}

const flags = `{
  SetFlag<HardEvent::MTE2_V>(id);
  WaitFlag<HardEvent::MTE2_V>(id);
  set_flag(PIPE_V, PIPE_S, EVENT_ID0);
  wait_flag(PIPE_V, PIPE_S, EVENT_ID0);
}
`

test('a flag between two queues of instructions is left out, one that the compiler sets by itself is not', () => {
  const rest = '  set_flag(PIPE_V, PIPE_S, EVENT_ID0);\n  wait_flag(PIPE_V, PIPE_S, EVENT_ID0);\n}\n'
  expect(variants('missing-set-flag', flags)).toEqual([`{\n  WaitFlag<HardEvent::MTE2_V>(id);\n${rest}`])
  expect(variants('missing-wait-flag', flags)).toEqual([`{\n  SetFlag<HardEvent::MTE2_V>(id);\n${rest}`])
  expect(variants('missing-flag', flags)).toEqual([`{\n${rest}`])
})

test('a pair goes only where nothing stands between, and only with its own wait', () => {
  expect(
    variants('missing-flag', '{ set_flag(PIPE_V, PIPE_MTE3, a); Add(x, y, z, n); wait_flag(PIPE_V, PIPE_MTE3, a); }'),
  ).toEqual([])
  expect(variants('missing-flag', '{ set_flag(PIPE_V, PIPE_MTE3, a); wait_flag(PIPE_V, PIPE_MTE3, b); }')).toEqual([])
})

test('barriers of vector instructions stay: the compiler puts its own', () => {
  expect(
    variants('missing-barrier', '{ PipeBarrier<PIPE_V>(); PipeBarrier<PIPE_ALL>(); pipe_barrier(PIPE_MTE3); }'),
  ).toEqual([
    '{ PipeBarrier<PIPE_V>();  pipe_barrier(PIPE_MTE3); }',
    '{ PipeBarrier<PIPE_V>(); PipeBarrier<PIPE_ALL>();  }',
  ])
})

test('meetings of cores are left out', () => {
  expect(
    variants('missing-sync-all', '{ SyncAll(); CrossCoreSetFlag<0, PIPE_MTE3>(1); CrossCoreWaitFlag(1); }'),
  ).toHaveLength(3)
})
