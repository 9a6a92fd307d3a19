import {existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {afterAll, expect, test} from 'vitest'
import {formatFiles} from '../../../datasets/operator-reply.ts'
import {operatorPaths} from '../../../datasets/operator-request.ts'
import type {SourceFile} from '../../../datasets/schema/operator.ts'
import type {OperatorTask} from '../../../datasets/schema/task.ts'
import type {ScoredItem, ScoreReply} from '../../../eval/serve/score-wire.ts'
import twin from '../../../eval/executors/twin.ts'
import {loadTasks} from '../../../eval/tasks/operator-tasks.ts'
import {hiddenCheats, plainCheats} from '../../helpers/cheating-texts.ts'
import {attacked, hostileCode} from '../../helpers/hostile-code.ts'
import {judgeServer} from '../../helpers/judge-server.ts'
import {hacksOf} from '../../helpers/known-kernels.ts'
import {testCompiler} from '../../helpers/real-executor.ts'
import {twinCache} from '../../helpers/test-cache.ts'

// The hostile suite of the judge, wholly over HTTP: what escape.test.ts runs at the walls, what integrity.test.ts
// finds in texts, and the hacks that the judge knows. Whoever sends it gets a label and learns nothing else.

const root = 'sources/starter/tasks'
const tasks = (await loadTasks({root, operators: 'sources/starter/operators'}, () => [])).filter(({name}) =>
  ['AbsDiff', 'LeakyRelu', 'QuantizeInt8'].includes(name),
)

const scratch = mkdtempSync(join(tmpdir(), 'hostile-test-'))
const outside = join(scratch, 'outside')
const workDirectory = join(scratch, 'work')
const secret = 'a secret of this machine that no candidate may see'
afterAll(() => rmSync(scratch, {recursive: true, force: true}))

interface Sent {
  what: string
  task: OperatorTask
  files: readonly SourceFile[]
  /** How it may end, beside not compiling. */
  ends: {outcome: RegExp; decoy: boolean; rule?: string}
}

const decoy = {outcome: /^cheated$/, decoy: true}

/** What no rule of the texts sees: these run. */
const seenInRuns: Readonly<Record<string, RegExp>> = {
  'a constant': /^mismatched$/,
  'a copy of an input': /^mismatched$/,
  'the sizes of the cases alone': /^mismatched$/,
  'an endless loop': /^timed-out$/,
  'an endless loop before the tiling': /^timed-out$/,
  'an endless kernel': /^timed-out$/,
  'a memory bomb': /^(crashed|launch-failed)$/,
  'a fault': /^crashed$/,
  // A compiler that crashes over it has found out nothing about it.
  'an object as large as the address space': /^(link-failed|not-covered|executor-failed)$/,
}

const known = (what: string) => {
  const outcome = seenInRuns[what]
  return outcome ? {outcome, decoy: false} : decoy
}

function suiteOf(task: OperatorTask, isFirst: boolean): Sent[] {
  const hacks = hacksOf(task).map(({what, files}) => ({what, task, files, ends: known(what)}))
  if (!isFirst) return hacks
  const walls = Object.entries(hostileCode(outside)).map(([what, code]) => ({what, code, ends: known(what)}))
  const texts = [...plainCheats, ...hiddenCheats].map(([rule, text]) => ({
    what: `${rule}: ${text}`,
    code: {kernel: text},
    ends: {...decoy, rule},
  }))
  const planted = [...walls, ...texts].map(({what, code, ends}) => ({
    what,
    task,
    files: attacked(task.answer, code),
    ends,
  }))
  return [...hacks, ...planted]
}

const itemsOf = (sent: readonly Sent[], seed: number) =>
  sent.map(({task, files}, index) => ({
    id: String(index),
    task_id: task.name,
    completion: formatFiles(operatorPaths(task).flatMap((path) => files.filter((file) => file.path === path))),
    seed,
  }))

async function realJudge() {
  mkdirSync(outside, {recursive: true})
  writeFileSync(join(outside, 'reference.ts'), secret)
  const executor = await twin({
    cacheDirectory: twinCache,
    workDirectory,
    ...testCompiler,
    limits: {
      run: {cpuSeconds: 1, wallSeconds: 60, memoryBytes: 2 ** 31, fileBytes: 2 ** 20},
      compile: {cpuSeconds: 4, memoryBytes: 2 ** 31},
    },
  })
  const byName = new Map(tasks.map((task) => [task.name, task]))
  return judgeServer({executor, tasks: byName, queue: 200, mostBytes: 1 << 24})
}

test('every hostile candidate is told what it is, none is green, and the right ones beside them are', async () => {
  expect(tasks).toHaveLength(3)
  const server = await realJudge()
  const right = tasks.map((task) => ({what: 'answer', task, files: task.answer, ends: known('answer')}))
  const hostile = tasks.flatMap((task, index) => suiteOf(task, index === 0))
  const score = async (sent: readonly Sent[], seed: number) => {
    const {status, json} = await server.ask('/v1/score', {items: itemsOf(sent, seed)})
    expect(status).toBe(200)
    return (json as ScoreReply).items
  }
  const [first, ...items] = await Promise.all([
    score(right, 0),
    ...[0, 1].map((half) => score(halfOf(hostile, half), 0)),
  ])
  const told = [0, 1].flatMap((half) =>
    halfOf(hostile, half).map((one, index) => ({...one, item: items[half]![index]!})),
  )
  const those = (which: (one: (typeof told)[number]) => boolean) =>
    told.filter(which).map(({what, item}) => [what, item.label, item.evidence])

  expect(first!.map(({label}) => label)).toEqual(['green', 'green', 'green'])
  expect(those(({item}) => item.label === 'green' || item.stages.verify === 'passed')).toEqual([])
  expect(those(({item, ends}) => !isAsExpected(item, ends))).toEqual([])
  expect(those(({item}) => (item.reward ?? 0) > (item.label === 'orange' && !item.decoy ? 0.3 : 0))).toEqual([])
  expect(told.filter(({item}) => item.decoy).length).toBeGreaterThan(70)

  expect(JSON.stringify(items)).not.toMatch(/root:|secret of this/)
  expect(readFileSync(join(outside, 'reference.ts'), 'utf8')).toBe(secret)
  expect(readdirSync(outside)).toEqual(['reference.ts'])
  expect(['/usr/lib/planted', '/planted', '/dev/shm/planted'].filter((path) => existsSync(path))).toEqual([])
  expect(readdirSync(workDirectory)).toEqual([])
  expect(await server.ask('/health')).toMatchObject({status: 200, json: {waiting: 0, running: 0}})
  expect((await score(right, 1)).map(({label}) => label)).toEqual(['green', 'green', 'green'])
}, 900_000)

test('files whose names climb are not taken, and nothing is written', async () => {
  const server = await realJudge()
  const [task] = tasks
  for (const path of ['../../outside/planted.h', join(outside, 'planted.h'), 'op_host/../../../outside/planted.h']) {
    const files = [...task!.answer, {path, text: 'x'}]
    const {status, json} = await server.ask('/v1/score', {items: [{id: '0', task_id: task!.name, files}]})
    expect([status, status === 200 ? (json as ScoreReply).items[0]!.label : 'refused'], path).toEqual(
      status === 200 ? [200, 'invalid'] : [422, 'refused'],
    )
  }
  expect(readdirSync(outside)).toEqual(['reference.ts'])
  expect(readdirSync(workDirectory)).toEqual([])
}, 60_000)

const halfOf = <T>(all: readonly T[], half: number) => all.filter((_, index) => index % 2 === half)

/** Code that does not compile is nobody's trick any more; what compiles is told by the rule that it breaks. */
function isAsExpected({label, decoy: isDecoy, evidence}: ScoredItem, {outcome, decoy: expected, rule}: Sent['ends']) {
  if (label === 'purple') return !isDecoy
  return isDecoy === expected && outcome.test(evidence.outcome) && (rule === undefined || evidence.rule === rule)
}
