import {chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync} from 'node:fs'
import {join, resolve} from 'node:path'
import {describe, expect, test} from 'vitest'
import {main} from '../../../pipelines/cli.ts'
import {trainingTools} from '../../../pipelines/commands/train/training-tools.ts'
import {writeWhole} from '../../../engine/files.ts'
import {remainsOf} from '../../../engine/detached.ts'
import {findJobs} from '../../../trainers/job-folder.ts'
import {ascendCot} from '../../helpers/command.ts'
import {onTerminal} from '../../helpers/pty.ts'
import {temporaryFolder} from '../../helpers/temporary.ts'
import {until} from '../../helpers/until.ts'
import {recordedWorld} from '../../helpers/world.ts'
import {dataset, qwen3Config} from '../../trainers/job-world.ts'

const python = resolve('test/helpers/stand-in-python.mjs')

/** A model, a data set and a specification; the trainer's interpreter is a stand-in. */
async function workplace(changes: Record<string, unknown> = {}) {
  const folder = await temporaryFolder()
  mkdirSync(join(folder, 'dataset'))
  await dataset(join(folder, 'dataset'))
  await writeWhole(join(folder, 'model/config.json'), JSON.stringify(qwen3Config))
  const spec = {
    extends: 'starter-sft',
    name: 'small',
    model: {name: join(folder, 'model')},
    data: {source: join(folder, 'dataset')},
    hyperparameters: {maxLength: 32_768, steps: 6},
    environment: {python, variables: {STAND_IN_MILLISECONDS: '60'}},
    checkpoints: {every: 2, keep: 9},
    allow: ['template-missing', 'lengths-estimated', 'memory-short', 'disk-short'],
    ...changes,
  }
  await writeWhole(join(folder, 'small.yaml'), JSON.stringify(spec))
  const out = join(folder, 'runs')
  return {folder, out, args: (...more: string[]) => ['train', join(folder, 'small.yaml'), '--out', out, ...more]}
}

async function said(args: readonly string[], env: Record<string, string> = {}) {
  const world = {...recordedWorld(env), now: () => Date.now()}
  const code = await main(args, world)
  return {code, said: world.said.join('\n'), printed: world.printed.join('\n')}
}

describe('ascend-cot train on a terminal', () => {
  test.each([40, 100])('of %i columns draws the curve, and leaves it there at the end', async (columns) => {
    const {args} = await workplace()
    const {code, screen, written} = await onTerminal(args(), {columns, rows: 40})
    expect(code, screen.join('\n')).toBe(0)
    const title = screen.findIndex((line) => /^✓ small-\w{8} {2}succeeded {2}\d+:\d\d$/.test(line))
    expect(title, screen.join('\n')).toBeGreaterThan(0)
    expect(screen.slice(title + 1, title + 7).join('\n')).toMatch(/^ *4 ┤[⠁-⣿][\s\S]*\n *0\.6667 ┤.*[⠁-⣿]$/)
    expect(screen[title + 7]).toContain('  step 6/6  loss 0.6667')
    expect(screen.filter((line) => /^● /.test(line))).toEqual([])
    expect(written).not.toContain('\u001b[?25l')
  })

  test('Ctrl-C ends the watching and says how to come back; the job goes on and can be followed', async () => {
    const {out, args} = await workplace({environment: {python, variables: {STAND_IN_MILLISECONDS: '1000'}}})
    const {code, screen} = await onTerminal(args(), {
      columns: 100,
      type: (written) => (/step [1-4]\/6/.test(written) ? '\u0003' : undefined),
    })
    expect(code, screen.join('\n')).toBe(130)
    const [job] = await findJobs(out)
    expect(screen).toContain(
      `detached; the job keeps running. Watch it with \`ascend-cot train logs ${job?.id} --follow\``,
    )
    expect(screen.join('\n')).not.toContain('finishing the work in progress')
    expect(remainsOf(job?.attempts[0]?.handle ?? '').alive).toBe(true)
    const followed = await said(['train', 'logs', 'small', '--follow', '--out', out])
    expect(followed.code).toBe(0)
    expect(followed.printed).toMatch(/^starting at 0\nPROGRESS \{"step":1/)
    expect((await said(['train', 'status', '--out', out])).printed).toMatch(/small-\w+ +succeeded +6\/6/)
  })

  test('a job that was killed is resumed with the same values, and with no others', async () => {
    const {out, args} = await workplace({environment: {python, variables: {STAND_IN_MILLISECONDS: '300'}}})
    expect((await said(args('--detach'))).code).toBe(0)
    const [job] = await findJobs(out)
    await until(() => existsSync(join(job!.output, 'checkpoint-2/trainer_state.json')))
    const handle = job?.attempts[0]?.handle ?? ''
    process.kill(-Number(handle.split(':')[0]), 'SIGKILL')
    await until(() => !remainsOf(handle).alive)
    const other = await said(['train', 'resume', 'small', '--out', out, '--set', 'hyperparameters.steps=12'])
    expect([other.code, other.printed], other.said).toEqual([2, expect.stringContaining('steps 12, was 6')])
    const resumed = await said(['train', 'resume', 'small', '--out', out])
    expect(resumed.code, resumed.said).toBe(0)
    const log = readFileSync(join(out, 'jobs', job!.id, 'attempts/2/log.txt'), 'utf8')
    expect(log).toMatch(/^starting at [24]\n/)
    const [after] = await findJobs(out)
    expect(after?.id).toBe(job?.id)
    expect(after?.attempts.map(({state}) => state)).toEqual(['lost', 'succeeded'])
    expect(after?.versions).toMatchObject({trl: '1.16.0'})
  })

  test('a job starts from what another one made, and says so', async () => {
    const {out, args} = await workplace({tuning: {kind: 'full'}})
    expect((await said(args())).code).toBe(0)
    const [first] = await findJobs(out)
    await writeWhole(join(first!.output, 'checkpoint-6/config.json'), JSON.stringify(qwen3Config))
    const second = await said(args('--set', 'name=next', '--set', 'model.name=job:small'))
    expect(second.code, second.said).toBe(0)
    const next = (await findJobs(out)).find(({name}) => name === 'next')
    expect(next?.base).toMatchObject({job: first?.id, path: join(first!.output, 'checkpoint-6')})
    const status = await said(['train', 'status', 'next', '--out', out, '--json'])
    expect(JSON.parse(status.printed)).toMatchObject({lineage: {base: {job: first?.id}, data: {unchanged: true}}})
  })
})

describe('what a person did wrong', () => {
  test.each([
    [['train'], "missing required argument 'spec'", 2],
    [['train', 'starter-stf'], 'Did you mean starter-sft?', 2],
    [['train', 'logs', 'nobody', '--out', '/nonexistent'], 'There is no job nobody', 1],
    [['train', 'cancel'], "missing required argument 'job'", 2],
    [['train', 'logs', 'x', '--attempt', '0'], 'Expected a whole number above 0.', 2],
    [['train', 'status', '--out', '/nonexistent'], 'Start one: `ascend-cot train <spec>`.', 0],
  ])('%j', async (args, words, code) => {
    const result = await said(args)
    expect([result.code, result.said]).toEqual([code, expect.stringContaining(words)])
  })

  test('a cluster command that is not there is named, and nothing is left half started', async () => {
    const {folder, out, args} = await workplace({backend: {kind: 'slurm', time: '1:00:00'}})
    mkdirSync(join(folder, 'bin'))
    symlinkSync(process.execPath, join(folder, 'bin/node'))
    const {code, printed} = ascendCot(folder, args(), {PATH: join(folder, 'bin')})
    expect([code, printed]).toEqual([2, expect.stringContaining('this machine has no sbatch')])
    expect(await findJobs(out)).toEqual([])
  })
})

describe('doctor', () => {
  test('says which trainers there are', async () => {
    const script = join(await temporaryFolder(), 'python')
    await writeWhole(script, '#!/bin/sh\necho \'{"trl": "1.16.0"}\'\n')
    chmodSync(script, 0o755)
    const [trainers, slurm, kubernetes] = await trainingTools(script, {PATH: '/nonexistent'})
    expect(trainers).toMatchObject({state: 'good', detail: `trl 1.16.0 in ${script}`})
    expect([slurm, kubernetes]).toMatchObject([
      {state: 'limited', detail: 'no sbatch'},
      {state: 'limited', detail: 'no kubectl'},
    ])
    expect(await trainingTools('/nonexistent/python', {})).toMatchObject([
      {state: 'limited', fix: expect.stringContaining('--python')},
      {},
      {},
    ])
  })
})
