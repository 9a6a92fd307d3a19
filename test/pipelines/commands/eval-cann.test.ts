import {appendFileSync, cpSync, readdirSync, readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {formatFiles} from '../../../datasets/operator-reply.ts'
import {readFindings} from '../../../eval/agreement/read-findings.ts'
import {main} from '../../../pipelines/cli.ts'
import {realExecutor} from '../../helpers/real-executor.ts'
import {fixtureTask} from '../preference/records.ts'
import {workingCann} from '../../helpers/stand-in-cann.ts'
import {loopbackSshd, noSshd} from '../../helpers/loopback-sshd.ts'
import {temporaryFolder} from '../../helpers/temporary.ts'
import {testCache} from '../../helpers/test-cache.ts'
import {recordedWorld} from '../../helpers/world.ts'

const soc = 'Ascend910B1'

/** One task of the benchmark through the stand-in, as a user would ask for it. */
async function evaluated(more: string[], {mark = '', remote = false} = {}) {
  await realExecutor()
  const {home, environment} = await workingCann({boards: [0], simulator: soc})
  const [root, out] = [await temporaryFolder(), await temporaryFolder()]
  cpSync('test/fixtures/tasks/level1', join(root, 'tasks/level1'), {recursive: true})
  const [answer] = readdirSync(root, {recursive: true, encoding: 'utf8'}).filter((path) =>
    /answer.*op_kernel.*cpp$/.test(path),
  )
  if (mark !== '') appendFileSync(join(root, answer ?? ''), `// stand-in: ${mark}\n`)
  const before = [home, root].map((one) => readdirSync(one, {recursive: true}).sort())
  const {ASCEND_HOME_PATH, ...elsewhere} = environment
  const host = ['executor.host=loopback', `executor.sshConfig=${remote ? await loopbackSshd({ASCEND_HOME_PATH}) : ''}`]
  const ssh = remote ? host.flatMap((one) => ['--set', one]) : []
  const world = recordedWorld(remote ? elsewhere : environment)
  const given = ['--root', root, '--out', out, '--set', `cache=${testCache}`, '--set', `executor.soc=${soc}`]
  const words = ['eval', 'npukernelbench', ...given, '--tasks', 'ScaleShift', '--cases', '1', '--executor', 'cann']
  const code = await main([...words, ...ssh, ...more], {...world, now: () => performance.now()})
  expect([home, root].map((one) => readdirSync(one, {recursive: true}).sort())).toEqual(before)
  const scores = readdirSync(out).find((name) => name.startsWith('score-'))
  const file = join(out, scores ?? '', 'score.json')
  const found = scores ? JSON.parse(readFileSync(file, 'utf8')) : undefined
  return {code, said: world.said.join('\n'), found, out, world, environment}
}

test.each(['cann-compile', 'cann-sim', 'cann-board'])(
  'the benchmark goes through %s',
  async (level) => {
    const {code, said, found} = await evaluated(['--set', `executor.level=${level}`])
    expect(code, said).toBe(0)
    expect(said).toContain(`note: code is judged by ${level} on this machine`)
    const outcome = level === 'cann-compile' ? 'compiled' : 'correct'
    expect(found.results).toMatchObject([{task: 'ScaleShift', outcome, compiled: true}])
    expect(found.scores[0].executor).toMatchObject({name: level, soc})
    expect(found.exceptions ?? []).toEqual([])
  },
  600_000,
)

/** A model's replies to the task, each with a text of its own behind the right kernel. */
async function replies(texts: readonly string[]): Promise<string> {
  const path = join(await temporaryFolder(), 'replies.jsonl')
  const {answer} = await fixtureTask()
  const lines = texts.map((text, sample) => {
    const files = answer.map((file) =>
      file.path.startsWith('op_kernel/') ? {...file, text: `${file.text}${text}\n`} : file,
    )
    return JSON.stringify({task: 'ScaleShift', sample, reply: formatFiles(files)})
  })
  writeFileSync(path, `${lines.join('\n')}\n`)
  return path
}

const mark = (words: string) => `// stand-in: ${words}`

test.each([
  [
    'cann-compile',
    {compiled: mark('takes 5'), 'compile-failed': 'int broken = nothing;', 'not-judged': mark('break build')},
  ],
  [
    'cann-sim',
    {
      correct: mark('takes 5'),
      crashed: mark('code 507015'),
      'timed-out': mark('code 507034'),
      violated: mark('code 507042'),
      'launch-failed': mark('refuse tiling'),
    },
  ],
  [
    'cann-board',
    {
      correct: mark('takes 5'),
      mismatched: mark('wrong elsewhere'),
      crashed: mark('end host'),
      violated: mark('write behind'),
      'not-judged': mark('code 507899'),
    },
  ],
] as const)(
  'a model is scored by %s, and each way of failing ends as what it is',
  async (level, ways) => {
    const file = await replies(Object.values(ways))
    const {code, said, found, out} = await evaluated([
      ...['--candidates', file, '--mode', 'full', '--shape', 'dynamic', '--set', `executor.level=${level}`],
    ])
    const outcomes = Object.keys(ways)
    expect(
      found.results.map(({outcome}: {outcome: string}) => outcome),
      said,
    ).toEqual(outcomes)
    expect(code).toBe(outcomes.includes('not-judged') ? 1 : 0)
    const [all] = found.scores.filter((one: {scope: {by: string}}) => one.scope.by === 'all')
    const table = readFileSync(
      join(out, readdirSync(out).find((name) => name.startsWith('score-')) ?? '', 'score.md'),
      'utf8',
    )
    const judged = outcomes.filter((one) => one !== 'not-judged').length
    expect(all).toMatchObject({judged, executor: {name: level}})
    const [mean = ''] = table.split('\n').filter((line) => line.includes('Mean'))
    const cells = mean.split('|').map((cell) => cell.trim())
    if (level === 'cann-compile') {
      expect(all).toMatchObject({unrun: 1, execution: []})
      expect(cells.filter((cell) => cell === '–').length).toBeGreaterThanOrEqual(2)
    }
    if (level === 'cann-board') {
      expect(all).toMatchObject({
        speedup: {value: expect.closeTo(10.5 / 5.5, 2), candidates: 1},
        fast: [0.2, 0.8, 1].map((least) => ({least, share: 1 / judged})),
      })
      expect(table).toContain('Fast0.2')
      expect(cells.slice(-5, -1)).toEqual(['1.91', '25.00', '25.00', '25.00'])
    } else expect(table).not.toMatch(/Speedup|Fast0/)
  },
  900_000,
)

test('a level that is not there, and a recipe that asks more than the compiler can do, are refused before any work', async () => {
  const {environment} = await workingCann()
  const world = recordedWorld(environment)
  const out = await temporaryFolder()
  const set = ['--out', out, '--set', `cache=${testCache}`, '--executor', 'cann']
  expect(await main(['run', 'candidates', ...set], world)).toBe(2)
  expect(world.said.join('\n')).toContain('This recipe asks more than cann-compile can do: it does not run anything.')
  expect(await main(['run', 'candidates', ...set, '--set', 'executor.level=cann-board'], world)).toBe(1)
  expect(world.said.join('\n')).toContain('cann-board cannot be used on this machine')
})

test.each([
  ['', 'correct'],
  ['code 507035', 'crashed'],
] as const)(
  'a board has the last word on what the twin finds correct (%s)',
  async (mark, outcome) => {
    const confirm = ['--executor', 'twin', '--set', 'executor.confirm=cann-board']
    const {code, said, found} = await evaluated(confirm, {mark})
    expect(code, said).toBe(0)
    expect(found.results).toMatchObject([{task: 'ScaleShift', outcome, compiled: true}])
    expect(found.scores).toMatchObject(
      found.scores.map(() => ({executor: {name: 'twin'}, confirmedBy: {name: 'cann-board'}})),
    )
    expect(said).toContain('note: code is judged by cann-board')
  },
  600_000,
)

test.skipIf(noSshd !== '')(
  `the benchmark goes through a board of another host ${noSshd}`,
  async () => {
    const {code, said, found, out} = await evaluated(['--cases', '2'], {remote: true})
    expect(code, said).toBe(0)
    expect(said).toContain('note: code is judged by cann-board on loopback')
    expect(found.results).toMatchObject([{task: 'ScaleShift', outcome: 'correct', compiled: true}])
    const [all] = found.scores.filter((one: {scope: {by: string}}) => one.scope.by === 'all')
    expect(all).toMatchObject({judged: 1, correct: 1, executor: {name: 'cann-board', soc}})
    const judged = await readFindings(readdirSync(out).find((name) => name.startsWith('evaluate-')) ?? '', out)
    expect(judged.findings).toMatchObject([{outcome: 'correct', evidence: {cases: 2, passed: 2}}])
  },
  600_000,
)
