import {cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {describe, expect, onTestFinished, test} from 'vitest'
import type {Score} from '../../../datasets/schema/score.ts'
import {main} from '../../../pipelines/cli.ts'
import {formatFiles} from '../../../datasets/operator-reply.ts'
import {startChatServer, type ChatServerOptions} from '../../helpers/chat-server.ts'
import {temporaryFolder} from '../../helpers/temporary.ts'
import {embeddedIn} from '../../helpers/embedded-answers.ts'
import {recordedWorld} from '../../helpers/world.ts'
import {fixtureTask} from '../preference/records.ts'
import {twinCache} from '../../helpers/test-cache.ts'

const prompt = readFileSync('eval/bench/npukernelbench/kernel-only.md', 'utf8')
const good = prompt.slice(prompt.indexOf('<kernel_impl>'), prompt.indexOf('</kernel_impl>') + '</kernel_impl>'.length)
const undeclared = good.replace('op.Process();', 'op.Process(tiles);')

/** What each task is answered, sample by sample. */
const replies: Record<string, string[]> = {
  AddExample: [good, good.replace('Add(z, x, y', 'Sub(z, x, y'), undeclared, 'I would add the two.'],
  ScaleShift: [
    'Perhaps.',
    'No.',
    undeclared.replaceAll('add_example', 'scale_shift'),
    '<kernel_impl>\n#include "kernel_operator.h"\nextern "C" __global__ __aicore__ void ' +
      'scale_shift(GM_ADDR x, GM_ADDR y, GM_ADDR workspace) {}\n</kernel_impl>',
  ],
}

const operatorOf = (text: string) => /Write the kernel of the operator (\w+)\./.exec(text)?.[1] ?? ''

/** Two tasks in the benchmark's layout: one of level 1, one of level 2. */
async function benchmark(): Promise<string> {
  const root = await temporaryFolder()
  cpSync('test/fixtures/example-tasks/level1', join(root, 'tasks/level1'), {recursive: true})
  cpSync('test/fixtures/tasks/level1', join(root, 'tasks/level2'), {recursive: true})
  return root
}

async function setUp(options: ChatServerOptions = {}) {
  const server = await startChatServer({
    script: ({body, repeat}) => ({
      kind: 'words',
      content: replies[operatorOf(body.messages.at(-1)?.content ?? '')]?.[repeat] ?? 'No.',
    }),
    ...options,
  })
  onTestFinished(() => server.close())
  const [root, out] = [await benchmark(), await temporaryFolder()]
  mkdirSync(join(out, 'cache'))
  mkdirSync(twinCache, {recursive: true})
  symlinkSync(twinCache, join(out, 'cache/twin'))
  const teacher = {
    model: 'kernel-model',
    baseUrl: server.url,
    concurrency: 4,
    maxTokens: 4000,
    expectedCompletionTokens: 500,
  }
  async function run(...more: string[]) {
    const world = recordedWorld()
    const code = await main(
      [
        'eval',
        'npukernelbench',
        '--root',
        root,
        '--out',
        out,
        '--set',
        `cache=${join(out, 'cache')}`,
        '--set',
        `teachers.candidates=${JSON.stringify(teacher)}`,
        ...more,
      ],
      {...world, now: () => performance.now()},
    )
    return {code, printed: world.printed.join('\n'), said: world.said.join('\n')}
  }
  return {server, run, out, root}
}

interface Written {
  coverage: Record<string, unknown>
  results: {task: string; outcome: string; attempt: string; class: string; why: string}[]
  scores: Score[]
  exceptions?: {task: string; fault: string}[]
}

describe('an evaluation of a model that cannot be asked', () => {
  // Preparing the executor would fail at once, with words of its own.
  const noExecutor = ['--set', 'executor.compiler=/no/such/compiler']

  test('stops before anything is prepared', async () => {
    const {server, run} = await setUp()
    const keyless = JSON.stringify({model: 'kernel-model', baseUrl: server.url, apiKeyEnv: 'TEACHER_KEY'})
    const {code, said} = await run('--candidates', 'model', '--set', `teachers.candidates=${keyless}`, ...noExecutor)
    expect(code).toBe(1)
    expect(said).toContain('TEACHER_KEY is not set')
    await server.close()
    const dead = JSON.stringify({model: 'kernel-model', baseUrl: server.url, outageSeconds: 1})
    const unheard = await run('--candidates', 'model', '--set', `teachers.candidates=${dead}`, ...noExecutor)
    expect(unheard.code).toBe(1)
    expect(unheard.said).toContain(`at ${server.url} cannot be reached`)
  })
})

const writtenIn = (out: string, run: string) =>
  JSON.parse(readFileSync(join(out, `score-npukernelbench${run}`, 'score.json'), 'utf8')) as Written
const rates = ({scores}: Written, by: string, name = '') =>
  scores.flatMap((one) => (one.kind === 'rates' && one.scope.by === by && one.scope.name === name ? [one] : []))[0]
const values = (list: readonly {k: number; value: number}[] = []) => list.map(({k, value}) => [k, value])

describe('a model in kernel-only mode, static shape', () => {
  test('is asked n times a task, judged and scored, and the numbers are those counted by hand', async () => {
    const {server, run, out} = await setUp()
    const {code, printed, said} = await run('--candidates', 'model', '--samples', '4')
    expect(code).toBe(0)
    expect(server.stats.requests).toBe(8)
    expect(said).toContain('forecast 8 requests to kernel-model')
    const written = writtenIn(out, '-candidates-kernel-only-static')
    expect(written.coverage).toEqual({
      ...{tasks: 2, candidates: 8, judged: 8, cases: 8, casesJudged: 8, skipped: {}},
      // Of those whose cases were run, each was asked for one shape.
      sizes: {pinned: 3},
    })
    // AddExample: correct, wrong numbers, undeclared name, no tag. ScaleShift: no tag twice, undeclared name, nothing
    // written.
    expect(written.results.map(({outcome}) => outcome).sort()).toEqual([
      ...Array<string>(5).fill('compile-failed'),
      'correct',
      'mismatched',
      'mismatched',
    ])
    const all = rates(written, 'all')
    expect(all).toMatchObject({
      author: 'kernel-model',
      tasks: 2,
      judged: 8,
      compiled: 3,
      correct: 1,
      literal: 1,
      notCovered: 0,
    })
    expect(values(all?.compilation)).toEqual([
      [1, (2 / 4 + 1 / 4) / 2],
      [4, 1],
    ])
    expect(values(all?.execution)).toEqual([
      [1, (1 / 4 + 0) / 2],
      [4, 1 / 2],
    ])
    expect(values(all?.literalExecution)).toEqual([
      [1, 1 / 8],
      [4, 1 / 2],
    ])
    expect(rates(written, 'level', '1')).toMatchObject({tasks: 1, judged: 4, compiled: 2, correct: 1})
    expect(rates(written, 'category', '2/Math')).toMatchObject({tasks: 1, judged: 4, compiled: 1, correct: 0})
    const failures = written.scores.flatMap((one) =>
      one.kind === 'failures' && one.scope.by === 'all' ? [[one.class, one.count, one.share]] : [],
    )
    expect(failures).toEqual([
      ['variable-scope-and-lifetime', 2, 2 / 7],
      ['no-answer', 3, 3 / 7],
      ['accuracy', 2, 2 / 7],
    ])
    const classes = written.results.flatMap(({task, class: name}) => (name === '' ? [] : [`${task} ${name}`]))
    expect(classes.sort()).toEqual([
      ...['AddExample accuracy', 'AddExample no-answer', 'AddExample variable-scope-and-lifetime'],
      ...['ScaleShift accuracy', 'ScaleShift no-answer', 'ScaleShift no-answer'],
      'ScaleShift variable-scope-and-lifetime',
    ])
    for (const words of [
      'Why candidates failed:',
      "use of undeclared identifier 'tiles'",
      'Pass@k by level',
      'Level 2',
      '37.50',
      '12.50',
      'Mode kernel-only, static shape',
      'the first case of each task; 4 samples a task',
      '5 tasks cannot be passed',
      'Cases: 8 of 8 judged',
    ]) {
      expect(printed, words).toContain(words)
    }
    for (const name of ['score.md', 'score.html'])
      expect(readFileSync(join(out, 'score-npukernelbench-candidates-kernel-only-static', name), 'utf8')).toContain(
        '37.50',
      )
    const again = await run('--candidates', 'model', '--samples', '4')
    expect(again.code).toBe(0)
    expect(server.stats.requests).toBe(8)
    expect(writtenIn(out, '-candidates-kernel-only-static')).toEqual(written)
    expect(existsSync(join(out, 'score-npukernelbench-candidates-kernel-only-static/score-1.json'))).toBe(false)
  })

  test('is not asked when the forecast passes the budget', async () => {
    const {server, run} = await setUp()
    const {code, printed} = await run('--candidates', 'model', '--set', 'budget.tokens=50', '--json')
    expect(code).toBe(1)
    expect(printed).toContain('budget-exceeded')
    expect(server.stats.requests).toBe(0)
  })

  test('may have every case as a task of its own, and shows up in the report', async () => {
    const {server, run, out} = await setUp()
    const {printed} = await run('--candidates', 'model', '--cases', '3', '--tasks', 'ScaleShift', '--json')
    expect(server.stats.requests).toBe(3)
    expect(JSON.parse(printed)).toMatchObject({
      coverage: {tasks: 1, candidates: 3, cases: 3},
      request: {maxInputMib: 16},
      files: {html: join(out, 'score-npukernelbench-candidates-kernel-only-static/score.html')},
    })
    const world = recordedWorld()
    await main(['report', '--out', out], world)
    const {answers} = embeddedIn(readFileSync(join(out, 'report.html'), 'utf8'))
    expect(answers['/api/folder']).toMatchObject({opensOnOverview: true})
    expect(JSON.stringify(answers['/api/overview'])).toContain(
      'npukernelbench-candidates-kernel-only-static: Pass@k by level',
    )
  })
})

describe('an endpoint that fails one of two tasks', () => {
  test('leaves exit code 1 beside what was judged, for resume as well until the reply is there', async () => {
    let refuses = true
    const {run, out, server} = await setUp({
      script: ({body}) =>
        refuses && operatorOf(body.messages.at(-1)?.content ?? '') === 'ScaleShift'
          ? {kind: 'status', status: 400}
          : {kind: 'words', content: 'No.'},
    })
    const second = JSON.stringify({model: 'second-model', baseUrl: server.url})
    expect((await run('--candidates', 'model')).code).toBe(1)
    expect(writtenIn(out, '-candidates-kernel-only-static').coverage).toMatchObject({judged: 1})
    // An evaluation that went well stands beside it.
    const other = ['--candidates', 'second', '--tasks', 'level1/*', '--set', `teachers.second=${second}`]
    expect((await run(...other)).code).toBe(0)
    const resumed = () => main(['resume', '--out', out], recordedWorld())
    expect(await resumed()).toBe(1)
    refuses = false
    expect(await resumed()).toBe(0)
    expect(writtenIn(out, '-candidates-kernel-only-static').coverage).toMatchObject({judged: 2})
  })
})

describe('another teacher profile', () => {
  test('may be named, and its evaluation lies beside the others', async () => {
    const {server, run, out} = await setUp()
    const {code} = await run(
      '--candidates',
      'second',
      '--tasks',
      'level2/*',
      '--shape',
      'dynamic',
      '--set',
      `teachers.second=${JSON.stringify({model: 'second-model', baseUrl: server.url})}`,
    )
    expect(code).toBe(0)
    expect(server.served.map(({body}) => body.model)).toEqual(['second-model'])
    const written = writtenIn(out, '-second-kernel-only-dynamic')
    expect(rates(written, 'all')).toMatchObject({author: 'second-model', judged: 1, compiled: 0})
    expect(written.coverage).toMatchObject({cases: 3, casesJudged: 3})
  })

  test('is known to resume, which needs no flags and pays nothing again', async () => {
    const {server, run, out} = await setUp()
    await run(
      '--candidates',
      'second',
      '--tasks',
      'level2/*',
      '--set',
      `teachers.second=${JSON.stringify({model: 'second-model', baseUrl: server.url})}`,
    )
    const before = writtenIn(out, '-second-kernel-only-static')
    rmSync(join(out, 'score-npukernelbench-second-kernel-only-static'), {recursive: true})
    const world = recordedWorld()
    expect(await main(['resume', '--out', out], world)).toBe(0)
    expect(writtenIn(out, '-second-kernel-only-static')).toEqual(before)
    expect(server.stats.requests).toBe(1)
  })
})

describe('replies of a file, full mode, dynamic shape', () => {
  test('are read, judged on all cases and scored under the model that they name', async () => {
    const {server, run, out} = await setUp()
    const task = await fixtureTask()
    const whole = formatFiles([task.answer[1], task.answer[0], task.answer[2]].flatMap((file) => file ?? []))
    const file = join(out, 'from-elsewhere.jsonl')
    const rows = [
      {task: 'ScaleShift', reply: whole},
      {task: 'ScaleShift', reply: whole.replace('Muls', 'Adds')},
      {task: 'ScaleShift', reply: 'No.'},
      {task: 'Elsewhere', reply: whole},
    ]
    writeFileSync(file, rows.map((row) => `${JSON.stringify({...row, model: 'other-model'})}\n`).join(''))
    const {code, printed} = await run('--candidates', file, '--mode', 'full', '--shape', 'dynamic')
    expect(code).toBe(0)
    expect(server.stats.requests).toBe(0)
    const written = writtenIn(out, '-from-elsewhere-full-dynamic')
    expect(rates(written, 'all')).toMatchObject({author: 'other-model', tasks: 1, judged: 3, compiled: 2, correct: 1})
    expect(written.coverage).toMatchObject({tasks: 2, candidates: 3, cases: 9, casesJudged: 9})
    expect(written.results.find(({task: name}) => name === 'AddExample')).toMatchObject({
      outcome: 'not-judged',
      why: 'no-reply: from-elsewhere.jsonl holds no reply to AddExample',
    })
    expect(printed).toContain('Replies to tasks that the benchmark does not have: Elsewhere.')

    writeFileSync(file, `${JSON.stringify({...rows[1], model: 'other-model'})}\n`)
    const again = await run('--candidates', file, '--mode', 'full', '--shape', 'dynamic')
    const kept = join(out, 'score-npukernelbench-from-elsewhere-full-dynamic/score-1.json')
    expect(again.printed).toContain(`earlier scores, which these do not contain, are kept in ${kept}`)
    expect(JSON.parse(readFileSync(kept, 'utf8'))).toEqual(written)
    expect(rates(writtenIn(out, '-from-elsewhere-full-dynamic'), 'all')).toMatchObject({judged: 1, correct: 0})
  })
})

describe("the benchmark's own answers", () => {
  test('are judged on all cases, and a task without one is told', async () => {
    const {run, out} = await setUp()
    const {code, printed} = await run()
    expect(code).toBe(0)
    expect(printed).toContain(
      'Answers: 1; judged 1, correct 1 (1 by the literal rule), known faults 0, unexplained 0, not ' +
        'judged 0; tasks without an answer 1',
    )
    expect(printed).toContain('Cases: 3 of 3 judged')
    expect(printed).toMatch(/took \d+\.\d s; peak memory \d\.\d\d GiB/)
    expect(writtenIn(out, '')).toMatchObject({exceptions: []})
  })

  test('that fail are exceptions, unexplained when nothing is known of them', async () => {
    const {run, out, root} = await setUp()
    const kernel = join(root, 'tasks/level2/Math/ScaleShift/answer/0/op_kernel/scale_shift.cpp')
    writeFileSync(kernel, readFileSync(kernel, 'utf8').replace('Muls', 'Adds'))
    const {code, printed} = await run('--cases', '2')
    expect(code).toBe(0)
    expect(writtenIn(out, '').exceptions).toMatchObject([
      {task: 'ScaleShift', outcome: 'mismatched', fault: 'unexplained'},
    ])
    expect(printed).toContain('judged 1, correct 0 (0 by the literal rule), known faults 0, unexplained 1')
    expect(printed).toContain('Cases: 2 of 2 judged')
  })
})

describe('what cannot be evaluated is refused in words', () => {
  test('a glob that matches no task', async () => {
    const {run} = await setUp()
    const {code, said} = await run('--tasks', 'Nothing*')
    expect(code).toBeGreaterThan(0)
    expect(said).toContain('matches Nothing*')
  })
  test.each([
    [['--candidates', 'nobody'], 'neither a teacher profile nor a file'],
    [['--candidates', 'model', '--mode', 'half'], 'Unknown mode: --mode half.'],
    [['--candidates', 'model', '--shape', 'round'], 'Unknown shape: --shape round'],
    [['--candidates', 'model', '--samples', '0'], 'Expected a whole number above 0.'],
  ])('%j', async (flags, words) => {
    const {server, run, out} = await setUp()
    const {code, said} = await run(...flags)
    expect(code).toBeGreaterThan(0)
    expect(said).toContain(words)
    expect(server.stats.requests).toBe(0)
    expect(existsSync(join(out, 'evaluate-npukernelbench'))).toBe(false)
  })
})
