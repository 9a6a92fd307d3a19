import {connect} from 'node:net'
import {expect, onTestFinished, test, vi} from 'vitest'
import {formatFiles} from '../../../datasets/operator-reply.ts'
import {operatorPaths} from '../../../datasets/operator-request.ts'
import type {Executor} from '../../../datasets/schema/executor.ts'
import type {ScoreReply} from '../../../eval/serve/score-wire.ts'
import twin from '../../../eval/executors/twin.ts'
import {loadTasks} from '../../../eval/tasks/operator-tasks.ts'
import {attacked, type HostileCode} from '../../helpers/hostile-code.ts'
import {judgeServer} from '../../helpers/judge-server.ts'
import {testCompiler, usesClang} from '../../helpers/real-executor.ts'
import {temporaryFolder} from '../../helpers/temporary.ts'
import {twinCache} from '../../helpers/test-cache.ts'

// Candidates without an end, over HTTP: each costs a worker one limit, and none holds up a service that goes.

const folder = {root: 'sources/starter/tasks', operators: 'sources/starter/operators'}
const task = (await loadTasks(folder, () => [])).find(({name}) => name === 'AbsDiff')!

const loop = 'for (volatile int i = 0;; ++i) {}'
const endlessRuns: Readonly<Record<string, HostileCode>> = {
  kernel: {launched: loop},
  'static initialiser': {host: `static const int never = [] { ${loop} return 0; }();`},
  tiling: {tiling: loop},
  PRINTF: {launched: 'for (volatile int i = 0;; ++i) AscendC::PRINTF("still here %d\\n", i);'},
}
const wrongThenEndless: HostileCode = {
  launched: `GET_TILING_DATA(first, tiling); if (first.totalLength == 1) return; ${loop}`,
}
const timeBomb: HostileCode = {
  kernel: `template <int D, int N> struct Bomb { enum { v = Bomb<D - 1, 2 * N>::v + Bomb<D - 1, 2 * N + 1>::v }; };
template <int N> struct Bomb<0, N> { enum { v = N & 1 }; };
constexpr int bomb = Bomb<30, 1>::v;`,
}
const memoryBomb: HostileCode = {
  host: `struct Big { int a[1 << 28]; constexpr Big() : a() { a[(1 << 28) - 1] = 1; } };
constexpr int last = Big().a[1];`,
}

const limits = {
  run: {cpuSeconds: 1, wallSeconds: 300},
  compile: {cpuSeconds: 4, wallSeconds: 600, memoryBytes: 2 ** 31},
}

async function realJudge(limited: typeof limits = limits) {
  const workDirectory = await temporaryFolder()
  const real = await twin({cacheDirectory: twinCache, workDirectory, ...testCompiler, limits: limited})
  let late = 0
  const executor: Executor = {
    ...real,
    async execute(...asked) {
      const execution = await real.execute(...asked)
      if (execution.outcome === 'timed-out') late += 1
      return execution
    },
  }
  const tasks = new Map([[task.name, task]])
  const server = await judgeServer({executor, tasks, drainSeconds: 1, requestSeconds: 300})
  const ask = async (code: HostileCode) => {
    const files = attacked(task.answer, code)
    const asked = operatorPaths(task).flatMap((path) => files.filter((file) => file.path === path))
    const items = [{id: 'a', task_id: task.name, completion: formatFiles(asked)}]
    const {json} = await server.ask('/v1/score', {items})
    return (json as ScoreReply).items[0]!
  }
  return {server, ask, late: () => late}
}

test('what runs without end is timed out, once', async () => {
  const {ask, late} = await realJudge()
  for (const [index, [what, code]] of Object.entries(endlessRuns).entries()) {
    expect(await ask(code), what).toMatchObject({label: 'orange', error_class: 'timeout'})
    expect(late(), what).toBe(index + 1)
  }
  const before = late()
  expect(await ask(wrongThenEndless)).toMatchObject({evidence: {outcome: 'mismatched', passed: 0, cases: 5}})
  expect(late()).toBe(before + 1)
}, 300_000)

// Behind the driver of g++ too, in the second pass of `.ci/run`.
test('a template bomb is timed out, behind the driver of its compiler', async () => {
  const {ask} = await realJudge()
  expect(await ask(timeBomb)).toMatchObject({
    ...{label: 'purple', error_class: 'timeout'},
    evidence: {errors: [{message: 'compilation ran past its time limit'}]},
  })
}, 600_000)

// g++ computes the value without the array.
test.runIf(usesClang)(
  'one that takes all memory has the same class',
  async () => {
    const {ask} = await realJudge()
    expect(await ask(memoryBomb)).toMatchObject({
      ...{label: 'purple', error_class: 'timeout'},
      evidence: {errors: [{message: 'compilation ran past its memory limit'}]},
    })
  },
  120_000,
)

test('a service that goes tells who waits for an endless kernel, and waits for no half request', async () => {
  // Longer than the test: only the end of the service ends it.
  const {server, ask} = await realJudge({...limits, run: {cpuSeconds: 900, wallSeconds: 900}})
  expect(await ask({})).toMatchObject({label: 'green'})
  const half = connect(Number(new URL(server.url).port), '127.0.0.1')
  onTestFinished(() => void half.destroy())
  half.on('error', () => undefined)
  half.write('POST /v1/score HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 9\r\n\r\n{')
  const asked = ask(endlessRuns['kernel']!)
  await vi.waitFor(async () => expect(await server.ask('/v1/capacity')).toMatchObject({json: {running: 1}}))
  await server.close()
  expect(await asked).toMatchObject({label: 'infra_error', reward: null, evidence: {outcome: 'interrupted'}})
}, 120_000)
