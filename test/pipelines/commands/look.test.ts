import {cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {sandboxFix} from '../../../eval/executors/sandbox.ts'
import {main} from '../../../pipelines/cli.ts'
import {readConfig} from '../../../pipelines/workspace/config.ts'
import {kernelStages} from '../../helpers/command.ts'
import {temporaryFolder} from '../../helpers/temporary.ts'
import {recordedWorld} from '../../helpers/world.ts'
import {testCache} from '../../helpers/test-cache.ts'

const out = mkdtempSync(join(tmpdir(), 'ascend-cot-look-'))
afterAll(() => rmSync(out, {recursive: true, force: true}))

async function command(...args: string[]) {
  const world = recordedWorld()
  const code = await main(args, world)
  return {code, said: world.said.join('\n'), printed: world.printed.join('\n')}
}

interface Run {
  recipe: string
  state: string
  counts: {stage: string; read: number; written: number}[]
}

// One small run on the bundled corpus, looked at by every command.
beforeAll(async () => {
  const {code, said} = await command('run', 'kernels', '--limit', '2', '--out', out, '--set', `cache=${testCache}`)
  if (code !== 0) throw new Error(said)
}, 180_000)

describe('the command line', () => {
  test('says its version', async () => {
    expect((await command('--version')).printed).toMatch(/^\d+\.\d+\.\d+(?:-[0-9a-z]+(?:\.[0-9a-z]+)*)?$/)
  })

  test('says what is wrong with an option', async () => {
    const {code, said} = await command('run', 'kernels', '--set', 'nonsense')
    expect(code).not.toBe(0)
    expect(said).toContain('Expected key=value')
  })

  test('says that a stage needs options', async () => {
    const file = join(out, 'empty.jsonl')
    writeFileSync(file, '')
    expect(await command('try', 'datasets/gates/licence-gate.ts', '--in', file)).toMatchObject({
      code: 2,
      said: expect.stringContaining('--options') as string,
    })
  })

  test('gives advice that the configuration understands', async () => {
    for (const line of [sandboxFix]) {
      const [, key, value] = /--set ([\w.]+)=([\w-]+)/.exec(line) ?? []
      await expect(readConfig({env: {}, flags: {[key as string]: value as string}})).resolves.toBeDefined()
    }
  })
})

describe('commands that look into a run', () => {
  test('status names every stage with what it read and wrote', async () => {
    const {printed} = await command('status', '--out', out, '--json')
    const [run] = JSON.parse(printed) as Run[]
    expect(run).toMatchObject({recipe: 'kernels', state: 'finished'})
    expect(run?.counts.map(({stage}) => stage)).toEqual(kernelStages)
    expect((await command('status', '--out', out)).printed).toContain('kernels: finished')
  })

  test('failed says so when nothing failed', async () => {
    expect(await command('failed', '--out', out)).toMatchObject({code: 0, printed: 'No record failed.'})
  })

  test('inspect shows the way of a record through every stage, and the record', async () => {
    const id = await sampleId()
    const {code, printed} = await command('inspect', id.slice(0, 10), '--out', out)
    expect(code).toBe(0)
    for (const stage of [
      'kernels/operator-projects',
      'kernels/flatten',
      'kernels/compile-check',
      'kernels/kernel-cot',
      `● ${id}`,
    ])
      expect(printed).toContain(stage)
    expect(printed).toMatch(/^reasoning: /m)
  })

  test('inspect shows every stage once, in the order of the pipeline', async () => {
    const {printed} = await command('inspect', await sampleId(), '--out', out, '--json')
    const {way} = JSON.parse(printed) as {way: {stage: string}[]}
    // A stage over the whole set notes what it refuses, and no record else.
    expect(way.map(({stage}) => stage).slice(0, 7)).toEqual(kernelStages.slice(0, 7))
  })

  test('status knows a run whose process was killed', async () => {
    const killed = await temporaryFolder()
    cpSync(out, killed, {recursive: true})
    const file = join(killed, 'kernels/run.json')
    writeFileSync(file, readFileSync(file, 'utf8').replace('"finished"', '"running"'))
    expect((await command('status', '--out', killed)).printed).toContain('kernels: interrupted')
  })

  test('inspect asks for more digits when an id is not unique, and knows unknown ones', async () => {
    const id = await sampleId()
    const digits = [...'0123456789abcdef']
    const answers = await Promise.all(digits.map((digit) => command('inspect', digit, '--out', out)))
    const several = answers.filter(({said}) => said.includes('Give more digits'))
    expect(several.map(({code}) => code)).toContain(1)
    expect(await command('inspect', `${id}00`, '--out', out)).toMatchObject({
      code: 1,
      said: expect.stringContaining('No record has an id') as string,
    })
  })

  test('try runs one stage on records of a file', async () => {
    const {printed} = await command('inspect', await firstInput('flatten'), '--out', out, '--json')
    const file = join(out, 'one.jsonl')
    writeFileSync(file, printed)
    const tried = await command('try', 'sources/kernels/flatten.ts', '--in', file, '--json')
    expect(tried.code).toBe(0)
    expect(JSON.parse(tried.printed.split('\n')[0] as string)).toHaveProperty('flattened')
  })

  test('try refuses a record that is no input of the stage, naming the field', async () => {
    const file = join(out, 'wrong.jsonl')
    writeFileSync(file, '{"operator": 3}\n')
    expect(await command('try', 'sources/kernels/flatten.ts', '--in', file)).toMatchObject({
      code: 1,
      said: expect.stringContaining('operator: ') as string,
    })
  })

  test('doctor finds the compiler and the sandbox that the run was judged with', async () => {
    const {code, printed} = await command('doctor', '--out', out, '--set', `cache=${testCache}`)
    expect(code).toBe(0)
    expect(printed).toContain('✓ twin         a known operator compiles, runs and gives the right results')
    expect(printed).toMatch(/[✓!] compiler/)
    expect(printed).toMatch(/[✓!] sandbox/)
    expect(printed).toContain('teachers')
  })

  test('resume of a finished run reads everything and does nothing again', async () => {
    const {code, printed} = await command('resume', '--out', out, '--json')
    expect(code).toBe(0)
    const {runs} = JSON.parse(printed) as {runs: {counts: {stage: string; read: number; reused: number}[]}[]}
    // Sources read their folder again, as it may have changed; the two that choose among all of them choose again.
    const counts = (runs[0]?.counts ?? []).slice(1, -2)
    expect(counts.map(({reused}) => reused)).toEqual(counts.map(({read}) => read))
  })
})

async function sampleId(): Promise<string> {
  return (await steps('kernel-cot')).outputs[0]?.id ?? ''
}

async function firstInput(stage: string): Promise<string> {
  return (await steps(stage)).input
}

async function steps(stage: string) {
  const {openLedger} = await import('../../../engine/ledger.ts')
  const ledger = openLedger(join(out, 'kernels/ledger.db'))
  try {
    const found = ledger.sightings('').find((sighting) => sighting.stage === stage && sighting.outputs.length > 0)
    if (!found) throw new Error(`nothing went through ${stage}`)
    return found
  } finally {
    ledger.close()
  }
}
