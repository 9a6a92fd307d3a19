import {mkdirSync, readFileSync, symlinkSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {openOnBoard} from '../../../../eval/bench/submission/board-model.ts'
import type {BoardPython, PythonBuild} from '../../../../eval/executors/cann/board-python.ts'
import type {StepEnd} from '../../../../eval/executors/cann/cann-tools.ts'
import {drawnCall} from '../../../helpers/model-call.ts'
import {temporaryFolder} from '../../../helpers/temporary.ts'

interface Scripted {
  /** Lines of the report. */
  said: readonly object[]
  end?: Partial<StepEnd>
  /** What lies in the folder of the calls besides. */
  leave?(place: string): void
}

/** Two calls of a model whose process does as it is told. @returns runs, or the fault, with what the board may have */
async function concluded({said, end, leave}: Scripted) {
  const directory = await temporaryFolder()
  const ends: unknown[] = []
  const build: PythonBuild = {
    directory,
    clear: () => Promise.resolve(),
    dispose: () => Promise.resolve(),
    async run({folder, seconds, command}, read) {
      const place = join(directory, folder)
      const {calls} = JSON.parse(readFileSync(join(place, 'calls.json'), 'utf8')) as {calls: object[]}
      expect([calls.length, seconds, command.at(-1)]).toEqual([2, 14, 'calls'])
      writeFileSync(join(place, 'report.jsonl'), said.map((line) => `${JSON.stringify(line)}\n`).join(''))
      leave?.(place)
      const usual = {code: 0, signal: null, stdout: '', stderr: '', log: '', timedOut: false}
      const tried = await read({...usual, ...end} as StepEnd)
      ends.push(tried)
      return ('fault' in tried ? {runs: []} : tried) as never
    },
  }
  const python: BoardPython = {version: '0', open: () => Promise.resolve({ok: true, build})}
  const program = {operator: 'Add', files: [], dtypes: {}}
  const module = {folder: '/nowhere', path: 'csrc/op.cpp', text: ''}
  const opened = await openOnBoard({python, name: 'cann-board', program, module, model: '', seconds: 7})
  if (!opened.ok) throw new Error(opened.why)
  const call = {call: drawnCall(directory, [1]), seed: 1, poison: 'nan', order: 'forward'} as const
  await opened.submission.run([call, call])
  return ends[0]
}

const begun = [{board: true}, {loaded: true}]
const failed = (kind: string, why: unknown) => ({outcome: 'failed', kind, why})

/** What a call writes, with one output of four bytes. */
function wrote(place: string, at: number, file = 'output-0.bin', bytes = 4): void {
  const folder = join(place, `outputs-${at}`)
  mkdirSync(folder)
  const outputs = {dtype: 'float32', shape: [1], file, contiguous: true, ofInput: false}
  writeFileSync(join(folder, 'outputs.json'), JSON.stringify({outputs: [outputs, {value: 1}], inputsAfter: []}))
  writeFileSync(join(folder, 'output-0.bin'), new Uint8Array(bytes))
}

test('what was written whole ran, and nothing is known of its kernels', async () => {
  const leave = (place: string) => {
    for (const at of [0, 1]) wrote(place, at)
  }
  const ran = {outcome: 'ran', outputs: expect.stringMatching(/calls\/outputs-\d$/), traces: [], unseen: true}
  expect(await concluded({said: [...begun, {ran: true}, {ran: true}], leave})).toEqual({runs: [ran, ran]})
})

test.each<[string, (place: string) => void]>([
  ['nothing', () => undefined],
  ['a file elsewhere', (place) => wrote(place, 1, '../../../etc/passwd')],
  ['too little', (place) => wrote(place, 1, 'output-0.bin', 3)],
  [
    'a link',
    (place) => {
      mkdirSync(join(place, 'outputs-1'))
      symlinkSync('/etc/passwd', join(place, 'outputs-1/outputs.json'))
    },
  ],
])('%s in place of outputs is the fault of the model', async (_, second) => {
  const leave = (place: string) => {
    wrote(place, 0)
    second(place)
  }
  const runs = [expect.objectContaining({outcome: 'ran'}), failed('model-error', 'its outputs were not written whole')]
  expect(await concluded({said: [...begun, {ran: true}, {ran: true}], leave})).toEqual({runs})
})

test.each([
  ['ValueError: no', 'model-error', false],
  ['RuntimeError: the sum failed, error code:507015', 'crashed', true],
  ['RuntimeError: the sum failed, error code is 507034', 'timed-out', true],
  ['RuntimeError: the sum failed, error code: 507042', 'violated', true],
  ['RuntimeError: aclnnAdd failed, error code:561002', 'launch-failed', false],
])('%s is %s', async (words, kind, isSuspect) => {
  const run = failed(kind, words)
  const end = {runs: [run, run], ...(isSuspect && {suspicion: words})}
  expect(await concluded({said: [...begun, {failed: words}, {failed: words}]})).toEqual(end)
})

test.each([
  [[{board: true}, {failed: 'ModuleNotFoundError: x'}], {}, failed('model-error', 'ModuleNotFoundError: x'), false],
  [[{board: true}], {code: 139}, failed('crashed', expect.stringContaining('SIGSEGV')), true],
  [begun, {code: null, signal: 'SIGABRT'}, failed('crashed', expect.stringContaining('SIGABRT')), true],
  [begun, {timedOut: true}, failed('timed-out', 'no end within 14 s'), true],
])('after %j a process that ends with %j', async (said, end, run, isSuspect) => {
  const suspicion = isSuspect && {suspicion: run.why}
  expect(await concluded({said, end: end as Partial<StepEnd>})).toEqual({runs: [run, run], ...suspicion})
})

test.each([
  [[{fault: 'RuntimeError: error code:507033'}], {}, 'RuntimeError: error code:507033'],
  [[], {code: 1, log: 'ImportError: libascendcl.so'}, 'torch_npu does not start: ImportError: libascendcl.so'],
  [[...begun, {failed: 'RuntimeError: error code:507899'}], {}, expect.stringContaining('507899: the driver failed')],
])('%j is a fault of the board, and says nothing of the model', async (said, end, fault) => {
  expect(await concluded({said, end})).toEqual({fault})
})
