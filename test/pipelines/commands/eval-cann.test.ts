import {cpSync, readdirSync, readFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {main} from '../../../pipelines/cli.ts'
import {realExecutor} from '../../helpers/real-executor.ts'
import {workingCann} from '../../helpers/stand-in-cann.ts'
import {temporaryFolder} from '../../helpers/temporary.ts'
import {recordedWorld} from '../../helpers/world.ts'

const soc = 'Ascend910B1'

/** One task of the benchmark through the stand-in, as a user would ask for it. */
async function evaluated(...more: string[]) {
  await realExecutor()
  const {home, environment} = await workingCann({boards: [0], simulator: soc})
  const [root, out] = [await temporaryFolder(), await temporaryFolder()]
  cpSync('test/fixtures/tasks/level1', join(root, 'tasks/level1'), {recursive: true})
  const before = readdirSync(home, {recursive: true}).sort()
  const world = recordedWorld(environment)
  const given = ['--root', root, '--out', out, '--set', `cache=${join(out, 'cache')}`, '--set', `executor.soc=${soc}`]
  const words = ['eval', 'npukernelbench', ...given, '--tasks', 'ScaleShift', '--cases', '1', '--executor', 'cann']
  const code = await main([...words, ...more], {...world, now: () => performance.now()})
  expect(readdirSync(home, {recursive: true}).sort()).toEqual(before)
  const scores = readdirSync(out).find((name) => name.startsWith('score-'))
  const file = join(out, scores ?? '', 'score.json')
  const found = scores ? JSON.parse(readFileSync(file, 'utf8')) : undefined
  return {code, said: world.said.join('\n'), found, out, world, environment}
}

test.each(['cann-compile', 'cann-sim', 'cann-board'])(
  'the benchmark goes through %s',
  async (level) => {
    const {code, said, found} = await evaluated('--set', `executor.level=${level}`)
    expect(code, said).toBe(0)
    expect(said).toContain(`note: code is judged by ${level} on this machine`)
    const outcome = level === 'cann-compile' ? 'compiled' : 'correct'
    expect(found.results).toMatchObject([{task: 'ScaleShift', outcome, compiled: true}])
    expect(found.scores[0].executor).toMatchObject({name: level, soc})
    expect(found.exceptions ?? []).toEqual([])
  },
  600_000,
)

test('a level that is not there, and a recipe that asks more than the compiler can do, are refused before any work', async () => {
  const {environment} = await workingCann()
  const world = recordedWorld(environment)
  const out = await temporaryFolder()
  const set = ['--out', out, '--set', `cache=${join(out, 'cache')}`, '--executor', 'cann']
  expect(await main(['run', 'candidates', ...set], world)).toBe(2)
  expect(world.said.join('\n')).toContain('This recipe asks more than cann-compile can do: it does not run anything.')
  expect(await main(['run', 'candidates', ...set, '--set', 'executor.level=cann-board'], world)).toBe(1)
  expect(world.said.join('\n')).toContain('cann-board cannot be used on this machine')
})
