import {appendFileSync, cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {main} from '../../../pipelines/cli.ts'
import {readRunRecord} from '../../../engine/run.ts'

import {temporaryFolder} from '../../helpers/temporary.ts'
import {recordedWorld} from '../../helpers/world.ts'
import {testCache} from '../../helpers/test-cache.ts'

const home = mkdtempSync(join(tmpdir(), 'ascend-cot-parts-'))
afterAll(() => rmSync(home, {recursive: true, force: true}))

async function command(...args: string[]) {
  const world = recordedWorld()
  const code = await main(args, world)
  return {code, said: world.said.join('\n'), printed: world.printed.join('\n')}
}

const few = ['--limit', '2', '--set', 'samples.candidatesPerTask=4']
const small = [...few, '--set', `cache=${testCache}`, '--set', 'export.testFraction=0']

const run = (out: string, ...args: string[]) => command('run', ...args, '--out', out, ...small)

const cardOf = (out: string) => readFileSync(join(out, 'dataset/README.md'), 'utf8')

interface Inspected {
  way: {recipe: string; stage: string; as?: string; input: string; outputs: {id: string}[]}[]
}

async function way(id: string, out: string): Promise<Inspected['way']> {
  const {code, printed, said} = await command('inspect', id, '--out', out, '--json')
  expect(code, said).toBe(0)
  return (JSON.parse(printed) as Inspected).way
}

const stagesOf = (steps: Inspected['way']) =>
  steps.map(({recipe, stage, as}) => `${recipe}/${stage}${as === undefined ? '' : ` ${as}`}`)

describe('a part alone makes a data set', () => {
  test.each([
    {
      recipes: ['api-index', 'worked', 'release-sft', 'card'],
      says: ['worked reads api-index', 'release-sft reads worked', 'card reads release-sft'],
      holds: /Made of \d+ documentation samples .*\. It has no kernel-level.*pairs and no documented interfaces\./,
      again: 'npx ascend-cot run api-index worked release-sft card',
      never: ['`mutation`', 'preference is based on', '| kernels |'],
    },
    {
      recipes: ['kernels', 'release-sft', 'card'],
      says: ['release-sft reads kernels', 'card reads release-sft'],
      holds: /Made of \d+ kernel-level samples .*\. It has no doc.*pairs and no documented interfaces\./,
      again: 'npx ascend-cot run kernels release-sft card',
      never: ['`mutation`', 'preference is based on', '| documentation |'],
    },
    {
      recipes: ['candidates', 'preference', 'release-dpo', 'card'],
      says: ['preference reads candidates', 'release-dpo reads preference', 'card reads release-dpo'],
      holds:
        /Made of \d+ preference pairs .*It has no doc.* samples, .* general chains of thought and no documented int/,
      again: 'npx ascend-cot run candidates preference release-dpo card',
      never: ['every code answer', 'offline teacher'],
    },
    {
      recipes: ['api-index', 'release-apis', 'card'],
      says: ['release-apis reads api-index', 'card reads release-apis'],
      holds: /Made of \d+ documented interfaces .*\. It has no doc.*, .* and no preference pairs\./,
      again: 'npx ascend-cot run api-index release-apis card',
      never: ['every code answer', 'offline teacher', 'Token counts', 'preference is based on'],
    },
  ])('$recipes', async ({recipes, says, holds, again, never}) => {
    const out = join(home, recipes.at(-3) ?? '')
    const {code, said} = await run(out, ...recipes)
    expect(code, said).toBe(0)
    for (const line of says) expect(said.split('\n')).toContain(line)
    const card = cardOf(out)
    expect(card).toMatch(holds)
    expect(card).toContain(`\n${again}\n`)
    for (const words of never) expect(card).not.toContain(words)
    const config = `config_name: ${recipes.at(-2)?.replace('release-', '')}`
    expect(card.match(/config_name: \w+/g)).toEqual([config, config])
  })

  test('none of them is a clear error, which leaves no run behind that stands in the way of others', async () => {
    const out = await temporaryFolder()
    const cases = {
      'release-sft':
        'documentation or worked or general or kernels or projects or evaluated or corrections or optimisation-samples',
      'release-apis': 'api-index',
      card: 'release-sft or release-dpo or release-apis or release-kto or release-optimisation or release-errors',
    }
    for (const [recipe, sources] of Object.entries(cases)) {
      const {code, said} = await run(out, recipe)
      expect(code).toBe(1)
      expect(said).toContain(`holds no run of ${sources}`)
      expect(said).toContain(`Run ${sources} first.`)
      expect(await readRunRecord(join(out, recipe))).toBeUndefined()
    }
  })

  test('a run that was stopped is an error, not left out', async () => {
    const out = await temporaryFolder()
    const whole = join(home, 'kernels')
    for (const name of ['kernels', 'recipes.json']) cpSync(join(whole, name), join(out, name), {recursive: true})
    cpSync(join(whole, 'kernels'), join(out, 'projects'), {recursive: true})
    const record = await readRunRecord(join(out, 'projects'))
    writeFileSync(join(out, 'projects/run.json'), JSON.stringify({...record, recipe: 'projects', state: 'stopped'}))
    const {code, said} = await run(out, 'release-sft')
    expect(code).toBe(1)
    expect(said).toContain('its run stopped before the end')
  })

  test('a part of an earlier command is described as it stands, and said to be of then', async () => {
    const out = join(home, 'both')
    cpSync(join(home, 'preference'), out, {recursive: true})
    const {code, said} = await run(out, 'kernels', 'release-sft', 'card')
    expect(code, said).toBe(0)
    expect(said).toMatch(/^card reads release-sft, release-dpo \(finished \d{4}-\d\d-\d\d \d\d:\d\d\)$/m)
    const parts = /Made of \d+ kernel-level samples \(`sft`\) and \d+ preference pairs \(`dpo`\)\. It has no doc/
    expect(cardOf(out)).toMatch(parts)
  })

  test('files that no release names are warned of', async () => {
    const out = join(home, 'stale')
    cpSync(join(home, 'preference'), out, {recursive: true})
    rmSync(join(out, 'release-dpo'), {recursive: true})
    const {code, said} = await run(out, 'kernels', 'release-sft', 'card')
    expect(code, said).toBe(0)
    expect(said).toContain(
      'warning: data/dpo/train-00000-of-00001.parquet does not belong to a release that the card describes',
    )
    expect(cardOf(out)).not.toContain('config_name: dpo')
  })
})

describe('a recipe that made nothing', () => {
  test('for want of input ends with 1 and says so', async () => {
    const [pages, out] = [await temporaryFolder(), await temporaryFolder()]
    const {code, said} = await run(out, 'api-index', '--docs', pages)
    expect(code).toBe(1)
    expect(said).toContain('api-index made nothing: documentation-pages found nothing to read.')
  })

  test('because its source refused all says why', async () => {
    const [pages, out] = [await temporaryFolder(), await temporaryFolder()]
    writeFileSync(join(pages, 'short.html'), '<html><body><h1>Add</h1><p>Adds.</p></body></html>')
    const {code, said} = await run(out, 'api-index', '--docs', pages)
    expect(code).toBe(1)
    expect(said).toContain(
      'api-index made nothing: documentation-pages could not use anything that it read (empty-page 1).',
    )
  })

  test('because a stage refused all names the stage and the reasons', async () => {
    const [projects, out] = [await temporaryFolder(), await temporaryFolder()]
    cpSync('sources/starter/operators/mul_fp16', join(projects, 'mul_fp16'), {recursive: true})
    for (const file of ['op_host/mul_fp16.cpp', 'op_kernel/mul_fp16.cpp']) {
      appendFileSync(join(projects, 'mul_fp16', file), 'int broken = undeclared;\n')
    }
    const {code, said} = await run(out, 'kernels', '--kernels', projects)
    expect(code).toBe(1)
    expect(said).toContain('kernels made nothing: compile-check passed none of its 2 records (does-not-')
  })

  test('is not one whose records were all there before', async () => {
    const {code, said} = await run(join(home, 'kernels'), 'kernels')
    expect([code, said]).toEqual([0, expect.not.stringContaining('made nothing')])
  })
})

describe('inspect of a pair', () => {
  const out = join(home, 'preference')
  const side = ['candidates/candidates', 'candidates/judge', 'candidates/label']
  const made = [
    'candidates/operator-tasks',
    'candidates/candidates',
    'candidates/judge',
    'candidates/judge',
    'candidates/label',
    'candidates/label',
    'preference/pair chosen',
    'preference/pair rejected',
  ]
  const gates = ['licence-gate', 'export-gate', 'stamp', 'split']
  const released = gates.map((stage) => `release-dpo/${stage}`)
  let pair = ''
  let row = ''

  beforeAll(async () => {
    const {openLedger} = await import('../../../engine/ledger.ts')
    const ledger = openLedger(join(out, 'preference/ledger.db'))
    pair = [...ledger.emitted()][0]?.id ?? ''
    ledger.close()
    row = (await way(pair, out)).find(({stage}) => stage === 'stamp')?.outputs[0]?.id ?? ''
  })

  test("shows the stages of both candidates, from the id of the data set's row", async () => {
    const steps = await way(row, out)
    expect(stagesOf(steps)).toEqual([...made, ...released])
    const [chosen, rejected] = steps.filter(({stage}) => stage === 'pair')
    expect(chosen?.input).not.toBe(rejected?.input)
    for (const {input} of [chosen, rejected].filter((one) => one !== undefined)) {
      expect(steps.find(({stage, outputs}) => stage === 'label' && outputs[0]?.id === input)).toBeDefined()
    }
    const {printed} = await command('inspect', row, '--out', out)
    expect(printed).toMatch(/preference\/pair {2}[0-9a-f]{12} \(rejected\) → [0-9a-f]{12}/)
  })

  test('shows them before anything was released', async () => {
    const early = join(home, 'early')
    cpSync(out, early, {recursive: true})
    for (const recipe of ['release-dpo', 'card']) rmSync(join(early, recipe), {recursive: true})
    expect(stagesOf(await way(pair.slice(0, 12), early))).toEqual(made)
  })

  test('and a candidate is followed to its pair', async () => {
    const steps = await way(row, out)
    const rejected = steps.find(({as}) => as === 'rejected')?.input ?? ''
    const pairing = ['preference/candidate-facts', 'preference/explain', 'preference/pair rejected']
    const expected = ['candidates/operator-tasks', ...side, ...pairing, ...released]
    expect(stagesOf(await way(rejected, out))).toEqual(expected)
  })
})
