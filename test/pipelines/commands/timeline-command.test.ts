import {mkdtempSync, readFileSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {JudgedCandidate, type Candidate} from '../../../datasets/schema/candidate.ts'
import {Optimisation} from '../../../datasets/schema/optimisation.ts'
import type {SourceFile} from '../../../datasets/schema/operator.ts'
import type {OperatorTask} from '../../../datasets/schema/task.ts'
import {Timeline} from '../../../datasets/schema/timeline.ts'
import {contentId} from '../../../engine/ids.ts'
import {silentLog} from '../../../engine/log.ts'
import {Pipeline} from '../../../engine/pipeline.ts'
import {runPipeline} from '../../../engine/runner.ts'
import {each, type Stage} from '../../../engine/stage.ts'
import {loadTasks} from '../../../eval/tasks/operator-tasks.ts'
import {main} from '../../../pipelines/cli.ts'
import {saveSequence} from '../../../pipelines/workspace/runs.ts'
import {optimisationPair} from '../../datasets/rows.ts'
import {temporaryFolder} from '../../helpers/temporary.ts'
import {testCache} from '../../helpers/test-cache.ts'
import {recordedWorld} from '../../helpers/world.ts'
import {judged} from '../preference/records.ts'

const tasks = await loadTasks(
  {root: 'sources/starter/tasks', operators: 'sources/starter/operators', licence: 'Apache-2.0'},
  () => [],
)
const task = tasks.find(({name}) => name === 'Elu') as OperatorTask
const changed = (from: string, to: string): SourceFile[] =>
  task.answer.map((file) => ({...file, text: file.text.replace(from, to)}))
const single = changed('BUFFER_NUM = 2', 'BUFFER_NUM = 1')

const files = [task.hostTemplate, task.kernelTemplate].filter(({path}) => !task.answer.some((one) => one.path === path))
const candidate: Candidate = judged({task, files: [...files, ...single], written: single.map(({path}) => path)})

const shared = {task: task.name, origin: {...optimisationPair().origin, path: task.origin.path}, step: 'one-buffer'}
const {chosen, rejected} = optimisationPair()
const pair = optimisationPair({
  ...shared,
  chosen: {...chosen, files: task.answer},
  rejected: {...rejected, files: single},
})
const sample = Optimisation.parse({
  ...{kind: 'sample', ...shared, prompt: 'Faster.', reasoning: 'Two buffers.', answer: 'code', language: 'en'},
  ...{files: task.answer, before: rejected.cost, after: chosen.cost, sizes: 'shape [8]', stages: {}},
  ...{teacher: {kind: 'offline'}, verdict: chosen.verdict},
})

async function ranWith<T>(out: string, recipe: string, records: readonly T[], name: string): Promise<void> {
  const stage: Stage<unknown, unknown> = {
    ...{name, version: 1, run: each((record) => [record])},
    ...{input: Optimisation.or(JudgedCandidate), output: Optimisation.or(JudgedCandidate)},
  }
  await runPipeline({
    pipeline: Pipeline.of(recipe, records, [stage]),
    directory: join(out, recipe),
    model: () => undefined,
    ...{seed: 's', now: () => 0, signal: new AbortController().signal, log: silentLog},
  })
}

const out = mkdtempSync(join(tmpdir(), 'ascend-cot-timeline-'))
afterAll(() => rmSync(out, {recursive: true, force: true}))

beforeAll(async () => {
  await ranWith(out, 'optimisation', [pair, sample], 'rewound-pairs')
  await ranWith(out, 'candidates', [candidate], 'label')
  await saveSequence(out, [{name: 'optimisation'}, {name: 'candidates'}])
})

async function drawn(of: string, ...more: string[]) {
  const world = recordedWorld({ASCEND_COT_CACHE: testCache})
  const svg = join(await temporaryFolder(), 'one.svg')
  const code = await main(['timeline', of, '--svg', svg, '--out', out, ...more], world)
  return {code, svg, printed: world.printed.join('\n'), said: world.said.join('\n')}
}

const titles = (svg: string) =>
  [...readFileSync(svg, 'utf8').matchAll(/class="tl-bold"[^>]*>([^<]*)</g)].map(([, title]) => title)

describe('timeline', () => {
  test('draws the answer of a task by its name', async () => {
    const {code, svg, printed, said} = await drawn('Elu')
    expect(code, said).toBe(0)
    expect(titles(svg)).toEqual(['Elu'])
    expect(printed).toMatch(
      /^Elu, shape \[1040, 1001\], dtype float16, alpha 1.0: .*longer: \d+ modelled cycles, overlap/,
    )
  })

  test.each([
    ['a pair', contentId(pair)],
    ['a sample', contentId(sample)],
  ])('draws both sides of %s, the slower one first', async (_, id) => {
    const {code, svg, printed, said} = await drawn(id.slice(0, 16))
    expect(code, said).toBe(0)
    expect(titles(svg)).toEqual(['Elu without one-buffer', 'Elu with it'])
    const [slower = 0, faster = 0] = [...printed.matchAll(/: (\d+) modelled/g)].map(([, cycles]) => Number(cycles))
    expect(slower).toBeGreaterThan(faster * 1.2)
  })

  test('draws a candidate with its own code, and gives the record', async () => {
    const {code, printed, said} = await drawn(contentId(candidate), '--json', '--core', '2')
    expect(code, said).toBe(0)
    const {timelines} = JSON.parse(printed) as {timelines: {timeline: unknown; core: number}[]}
    expect(timelines.map(({core}) => core)).toEqual([1])
    const {cores} = Timeline.parse(timelines[0]?.timeline)
    expect(cores).toHaveLength(48)
    const asked = new Set(cores.flatMap(({stalls}) => stalls.map(({cause}) => `${cause.api} ${cause.name}`)))
    expect([...asked]).toContain('AllocTensor inQueue_')
    const lines = new Set(cores[0]?.intervals.map(({api, place}) => `${api} ${place?.path}:${place?.line}`))
    expect([...lines]).toContain('Exp op_kernel/elu.cpp:69')
  })

  test.each([
    [['Elu', '--core', '49'], '--core 49: the kernel works on 48 cores'],
    [['Elu', '--project', '/tmp'], 'There is no code for Elu'],
    [['ffffffffffff'], 'No record has an id that begins with ffffffffffff'],
  ])('%s says what is wrong', async ([of = '', ...more], message) => {
    const {code, said} = await drawn(of, ...more)
    expect(code).not.toBe(0)
    expect(said).toContain(message)
  })

  test('says why a kernel has no timeline', async () => {
    const broken = judged({...candidate, files: candidate.files.map((file) => ({...file, text: 'broken('}))})
    const stopped = judged({...candidate, files: candidate.files.map(withoutWait)})
    await ranWith(out, 'faulty', [broken, stopped], 'label')
    await saveSequence(out, [{name: 'faulty'}])
    expect((await drawn(contentId(broken))).said).toContain('it does not build')
    expect((await drawn(contentId(stopped))).said).toContain('deque-empty')
  })
})

const withoutWait = (file: SourceFile) => ({
  ...file,
  text: file.text.replace('inQueue_.EnQue(xLocal);', ''),
})
