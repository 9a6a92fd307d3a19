import {spawnSync} from 'node:child_process'
import {createHash} from 'node:crypto'
import {chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {load} from 'cheerio'
import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import type {LabelledCandidate} from '../../../datasets/schema/candidate.ts'
import {PublicVerdict, sourcesId} from '../../../datasets/schema/public-verdict.ts'
import type {OperatorTask} from '../../../datasets/schema/task.ts'
import {compareFindings} from '../../../eval/agreement/compare-findings.ts'
import {readFindings} from '../../../eval/agreement/read-findings.ts'
import {loadTasks} from '../../../eval/tasks/operator-tasks.ts'
import {main} from '../../../pipelines/cli.ts'
import {saveRequest} from '../../../pipelines/commands/evaluation/request.ts'
import {readConfig} from '../../../pipelines/workspace/config.ts'
import {drawCandidates} from '../../../pipelines/workspace/draw-candidates.ts'
import {bundled} from '../../../pipelines/workspace/workspace.ts'
import {candidate, judgedRun, verdict} from '../../eval/agreement/judged-run.ts'
import {temporaryFolder} from '../../helpers/temporary.ts'
import {recordedWorld} from '../../helpers/world.ts'
import {fixtureTask} from '../preference/records.ts'

const mutation = (name: string): LabelledCandidate['sampler'] => ({kind: 'mutation', mutation: name, detail: 'line 7'})
const fixture = await fixtureTask()
const starter = await bundled('tasks')
const from = (repository: string, licence = 'Apache-2.0', over: Partial<OperatorTask> = {}) => ({
  task: {...fixture, origin: {...fixture.origin, repository, licence}, ...over},
})
const bundledTask = from(starter.repository)
const file = (text: string) => ({files: [{path: 'op_kernel/scale_shift.cpp', text}]})

/** Candidates that may be drawn: 8 right ones, 20 of planted faults (2 crash), 4 of a repository. */
function clean(): LabelledCandidate[] {
  const right = Array.from({length: 8}, (_, at) => candidate(`right${at}`, verdict('correct'), bundledTask))
  const planted = Array.from({length: 20}, (_, at) =>
    candidate(`planted${at}`, verdict(at < 2 ? 'crashed' : 'compile-failed', 'planted words'), {
      sampler: mutation('missing-enqueue'),
      ...bundledTask,
    }),
  )
  const others = Array.from({length: 4}, (_, at) =>
    candidate(`other${at}`, verdict('correct'), from('https://host/ops')),
  )
  return [...right, ...planted, ...others]
}

/** What may not be given away, by the reason. */
async function unclean(): Promise<Record<string, LabelledCandidate[]>> {
  const correct = verdict('correct')
  const pytorch = {kind: 'pytorch', path: '/somewhere/module.py'} as const
  const [held] = await loadTasks(await bundled('heldout'), () => [])
  if (!held) throw new Error('no held-out task')
  return {
    'licence-not-allowed': [
      candidate('gpl', correct, from('https://host/gpl', 'GPL-3.0-only')),
      candidate('none', correct, from('https://host/none', 'NOASSERTION')),
    ],
    'licence-contradicted': [
      candidate('mixed', correct, {...bundledTask, ...file('// SPDX-License-Identifier: GPL-2.0-only\nint a;\n')}),
    ],
    'of-a-benchmark': [
      candidate('module', correct, from(starter.repository, 'Apache-2.0', {reference: pytorch})),
      candidate('fork', correct, from('https://host/me/NPUKernelBench')),
      candidate('leaked', correct, {...bundledTask, files: held.answer}),
    ],
    'no-code': [candidate('prose', verdict('compile-failed'), {...bundledTask, unreadable: 'no fence'})],
    'not-covered-here': [candidate('printf', verdict('not-covered'), bundledTask)],
    'secret-or-personal-data': [
      candidate('mail', correct, {...bundledTask, ...file('// ask zhang.wei.secret@huawei-partner.com\nint a;\n')}),
    ],
  }
}

const request = {
  benchmark: 'npukernelbench',
  root: '/gone',
  candidates: 'answers',
  tasks: '*',
  allCases: false,
  maxInputMib: 16,
  samples: 1,
  shape: 'static',
  python: 'python3',
  json: false,
  startAnyway: false,
}

const out = mkdtempSync(join(tmpdir(), 'ascend-cot-draw-'))
afterAll(() => rmSync(out, {recursive: true, force: true}))
const configOf = (seed: string) => readConfig({env: {}, flags: {out, seed}})

const all = clean()
const refused = await unclean()

beforeAll(async () => {
  const [first, ...others] = all
  await judgedRun(out, 'candidates', [...Object.values(refused).flat(), ...others])
  await judgedRun(
    out,
    'again',
    [first, others[0]].filter((one) => one !== undefined),
  )
  await judgedRun(out, 'evaluate-npukernelbench', [candidate('benched', verdict('correct'), bundledTask)])
  await saveRequest(join(out, 'evaluate-npukernelbench'), request)
})

async function command(...args: string[]) {
  const world = recordedWorld()
  const code = await main(args, world)
  return {code, said: world.said.join('\n'), printed: world.printed.join('\n')}
}

describe('what is drawn from elsewhere', () => {
  const mined = (name: string, over: Partial<LabelledCandidate> = {}) =>
    candidate(name, verdict(over.sampler ? 'crashed' : 'correct'), {...from('https://host/ops'), ...over})

  test('is added, of runs and of folders with runs, each once, by the same gates', async () => {
    const other = await temporaryFolder()
    const records = [
      mined('a'),
      mined('b', {sampler: mutation('missing-enqueue')}),
      mined('mail', file('// zhang.wei.secret@huawei-partner.com\n')),
    ]
    await judgedRun(
      other,
      'candidates',
      [...records, clean()[0]].filter((one) => one !== undefined),
    )
    const config = await configOf('s')
    const own = await drawCandidates(config, 1000)
    for (const place of [other, join(other, 'candidates')]) {
      const {drawn, leftOut} = await drawCandidates(config, 1000, [place])
      const keys = (list: typeof drawn) => list.map(({sources}) => sources)
      const added = drawn.filter((one) => !keys(own.drawn).includes(one.sources))
      expect(added.map(({kind, candidate: {verdict: found}}) => `${kind} ${found.outcome}`).sort()).toEqual([
        'planted crashed',
        'repository correct',
      ])
      expect(leftOut).toEqual({
        ...own.leftOut,
        'drawn-from-another-run': (own.leftOut['drawn-from-another-run'] ?? 0) + 1,
        'secret-or-personal-data': (own.leftOut['secret-or-personal-data'] ?? 0) + 1,
      })
    }
    const elsewhere = await readConfig({env: {}, flags: {out: '/nowhere/at/all', seed: 's'}})
    expect((await drawCandidates(elsewhere, 1000, [other])).drawn).toHaveLength(3)
    await expect(drawCandidates(elsewhere, 1000)).rejects.toMatchObject({code: 'run-missing'})
    await expect(drawCandidates(config, 1000, ['/nowhere'])).rejects.toMatchObject({code: 'run-missing'})
  })

  test('is asked for on the command line, with --draw', async () => {
    const other = await temporaryFolder()
    await judgedRun(other, 'candidates', [mined('a')])
    const to = join(await temporaryFolder(), 'drawn')
    const drawn = await command('agreement', '--draw', '10', '--from', other, '--out', '/nowhere/at/all', '--to', to)
    expect(drawn, drawn.said).toMatchObject({
      code: 0,
      printed: expect.stringContaining('1 candidate drawn: repository 1'),
    })
    expect((await command('agreement', 'a', 'b', '--from', other)).said).toContain('--from needs --draw <count>')
  })
})

describe('what is drawn', () => {
  test('is of no benchmark, under a clean licence, and told by the reason where it is not', async () => {
    const {drawn, leftOut} = await drawCandidates(await configOf('s'), 1000)
    const counts = Object.fromEntries(Object.entries(refused).map(([reason, {length}]) => [reason, length]))
    const benched = (counts['of-a-benchmark'] ?? 0) + 1
    expect(leftOut).toEqual({...counts, 'of-a-benchmark': benched, 'drawn-from-another-run': 1})
    const expected = all.map(({files}) => sourcesId(files)).sort()
    expect(drawn.map(({sources}) => sources)).toEqual(expected)
    expect(
      drawn.filter(({kind}) => kind === 'repository').map(({candidate: one}) => one.task.origin.repository),
    ).toEqual(Array(4).fill('https://host/ops'))
  })

  test('is of each kind as much, and of a kind of each outcome, and the same for a seed', async () => {
    const {drawn} = await drawCandidates(await configOf('s'), 12)
    const count = (holds: (one: (typeof drawn)[number]) => boolean) => drawn.filter(holds).length
    for (const kind of ['right', 'planted', 'repository']) expect(count((one) => one.kind === kind)).toBe(4)
    expect(count(({candidate: one}) => one.verdict.outcome === 'crashed')).toBe(2)
    expect((await drawCandidates(await configOf('s'), 12)).drawn).toEqual(drawn)
    expect((await drawCandidates(await configOf('t'), 12)).drawn).not.toEqual(drawn)
  })
})

describe('the folder', () => {
  const to = join(out, 'to-send')
  let printed = ''
  beforeAll(async () => {
    const drawn = await command('agreement', '--draw', '500', '--out', out, '--to', to, '--seed', 's')
    if (drawn.code !== 0) throw new Error(drawn.said)
    printed = drawn.printed
    expect(drawn.said).toContain('500 were asked for, and there are no more')
  })
  const text = (name: string) => readFileSync(join(to, name), 'utf8')

  test('tells nothing of what was found or planted; our verdicts lie beside it', () => {
    expect(printed).toContain('32 candidates drawn: right 8, planted 20, repository 4')
    expect(printed).toMatch(/left out: .*licence-not-allowed 2/)
    expect(readdirSync(to).sort()).toEqual(['LICENSES', 'README.md', 'candidates.jsonl', 'judge.py', 'manifest.json'])
    for (const name of ['candidates.jsonl', 'manifest.json'])
      expect(text(name)).not.toMatch(/missing-enqueue|mutation|planted words|crashed|"outcome"|"kind"|"sampler"/)
    const verdicts = readFileSync(join(out, 'to-send-verdicts.jsonl'), 'utf8').trim().split('\n')
    const read = verdicts.map((line) => PublicVerdict.parse(JSON.parse(line)))
    expect(read.length).toBe(32)
    expect(read.filter(({author}) => author === 'planted, mutation: missing-enqueue').length).toBe(20)
  })

  test('has a manifest with source, licence and SHA-256 of each, and of every other file', () => {
    const {candidates, files, leftOut, seed} = JSON.parse(text('manifest.json')) as {
      candidates: {sources: string; licence: string; source: {repository: string}; files: {sha256: string}[]}[]
      files: Record<string, string>
      leftOut: Record<string, number>
      seed: string
    }
    const sha256 = (content: string) => createHash('sha256').update(content).digest('hex')
    const lines = text('candidates.jsonl').trim().split('\n')
    const texts = lines.map((line) => JSON.parse(line) as {sources: string; files: LabelledCandidate['files']})
    expect(candidates.length).toBe(32)
    for (const [at, one] of candidates.entries()) {
      expect(one.files.map((hashed) => hashed.sha256)).toEqual(texts[at]?.files.map((plain) => sha256(plain.text)))
      expect([one.sources, one.licence]).toEqual([sourcesId(texts[at]?.files ?? []), 'Apache-2.0'])
    }
    expect([seed, leftOut['licence-not-allowed']]).toEqual(['s', 2])
    expect(Object.keys(files).sort()).toEqual(['LICENSES/Apache-2.0.txt', 'README.md', 'candidates.jsonl', 'judge.py'])
    for (const [name, hashed] of Object.entries(files)) expect(sha256(text(name))).toBe(hashed)
    expect(text('README.md')).toMatch(/^# 32 candidates to judge$/m)
    expect(text('README.md')).toContain('| Apache License 2.0 | 32 |')
  })

  test('is not written over', async () => {
    const {code, said} = await command('agreement', '--draw', '2', '--out', out, '--to', to)
    expect(code).toBe(2)
    expect(said).toContain('is not empty')
  })

  test('has its candidates judged by a command; a tool that fails gives no verdict; what is done is not repeated', async () => {
    const tool = join(out, 'tool.sh')
    const slow = sourcesId(all[0]?.files ?? [])
    const script = [
      '#!/bin/sh',
      'test -f op_kernel/scale_shift.cpp && test -f task.json || exit 9',
      'grep -q "// right0$" op_kernel/scale_shift.cpp && sleep 30',
      'grep -q "// right1$" op_kernel/scale_shift.cpp && exit 139',
      `grep -q "// other0$" op_kernel/scale_shift.cpp && { echo '{"outcome": "correct"}' > verdict.json; exit 0; }`,
      `grep -q "// other1$" op_kernel/scale_shift.cpp && { echo '{"outc' > verdict.json; exit 0; }`,
      'grep -q "// planted" op_kernel/scale_shift.cpp || exit 0',
      'echo "$PWD/op_kernel/scale_shift.cpp:7:3: error: planted words"; exit 1',
    ]
    writeFileSync(tool, `${script.join('\n')}\n`)
    chmodSync(tool, 0o755)
    const judge = (...more: string[]) =>
      spawnSync('python3', [join(to, 'judge.py'), '--name', 'stand-in', '--command', tool, '--timeout', '2', ...more], {
        encoding: 'utf8',
      })
    expect(judge('--limit', '3', '--jobs', '2').stdout).toMatch(/: [0-3] verdicts, [0-3] without/)
    writeFileSync(join(to, 'verdicts.jsonl'), `${text('verdicts.jsonl')}{"task": "tor`)
    const whole = judge('--jobs', '4')
    expect(whole.stdout).toContain(': 29 verdicts, ')
    expect(whole.stderr).toContain('its verdict.json is no JSON')
    expect(whole.stderr).toMatch(new RegExp(`no verdict on ScaleShift ${slow}: it took more than 2 s`))
    expect(whole.stderr).toContain('it ended with 139')

    const [ours, theirs] = [join(out, 'to-send-verdicts.jsonl'), join(to, 'verdicts.jsonl')]
    const {broken, executors} = await readFindings(theirs, out)
    expect([broken, executors[0]?.name]).toEqual([[], 'stand-in'])
    const {printed: compared} = await command('agreement', ours, theirs, '--out', out)
    expect(compared).toContain('29 candidates judged by both; 3 by A alone, 0 by B alone')
    expect(load(readFileSync(join(out, 'agreement/agreement.html'), 'utf8'))('#disagreements h4').text()).toMatch(
      /^ScaleShift/,
    )
    expect(compared).toMatch(/^compile +9 +2 +0 +18 +0 /m)
    expect(compared).toMatch(/^numbers +1 +0 +0 +0 /m)
    expect(compared).toContain('first errors word for word: 18 of 18')
  }, 60_000)

  test('where the command itself is wrong nothing is judged, and it says so after a few', () => {
    const copy = join(out, 'copy')
    mkdirSync(copy)
    for (const name of ['judge.py', 'candidates.jsonl']) writeFileSync(join(copy, name), text(name))
    const args = [join(copy, 'judge.py'), '--name', 'x', '--command', 'no-such-tool', '--jobs', '3']
    const {status, stderr} = spawnSync('python3', args, {encoding: 'utf8'})
    expect([status, stderr.match(/it ended with 127/g)?.length]).toEqual([1, 6])
    expect(stderr).toContain('none of the first 6 could be judged: is the command right?')
    expect(readFileSync(join(copy, 'verdicts.jsonl'), 'utf8')).toBe('')
  })

  test('what came back is found in the runs themselves', async () => {
    const [run, kept] = [
      await readFindings('candidates', out),
      await readFindings(join(out, 'to-send-verdicts.jsonl'), out),
    ]
    const {pairs, groups} = compareFindings(run.findings, kept.findings)
    expect([pairs.length, groups]).toEqual([31, []])
  })
})

test('where nothing may be drawn, it says so', async () => {
  const empty = await temporaryFolder()
  await judgedRun(empty, 'candidates', refused['licence-not-allowed'] ?? [])
  const {code, printed} = await command('agreement', '--draw', '5', '--out', empty, '--json')
  expect(code).toBe(1)
  expect(JSON.parse(printed)).toMatchObject({
    error: {code: 'input-invalid', evidence: {leftOut: {'licence-not-allowed': 2}}},
  })
  expect(existsSync(join(empty, 'drawn'))).toBe(false)
})
