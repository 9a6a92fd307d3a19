import {describe, expect, test} from 'vitest'
import {findingCodes, type FindingCode} from '../../trainers/preflight/finding.ts'
import {findingsPage} from '../../trainers/preflight/findings-page.ts'
import {preflight} from '../../trainers/preflight/preflight.ts'
import {golden} from '../helpers/golden.ts'
import {checked, pairs, planned, rows, sftRow, sound, traps, user, usual, with1} from './checked-jobs.ts'
import {plantedJobs} from './planted-jobs.ts'
import {plantedRows} from './planted-rows.ts'

const planted = [...plantedRows, ...plantedJobs]

test.each([{}, {name: 'starter-dpo', set: {'tuning.kind': 'lora'}}])(
  'a sound job has nothing to say for itself: %o',
  async (given) => {
    expect(await traps(given)).toEqual({})
  },
)

describe('what would waste a run is found', () => {
  test.each(planted)('%s: %s', async (_, code, severity, given, words = '') => {
    const {findings} = await checked(given)
    const found = findings.filter((one) => one.code === code)
    expect(
      found.map((one) => one.severity),
      findingsPage({findings, allowed: []}),
    ).toEqual([severity])
    expect(`${found[0]?.message} ${found[0]?.fix}`).toContain(words)
    if (severity !== 'note') expect(found[0]?.fix).not.toBe('')
  })

  test('and nothing else that asks for a person', async () => {
    for (const [what, code, severity, given] of planted.filter(([, one]) => solo.includes(one))) {
      const found = Object.entries(await traps(given)).filter(([, one]) => one !== 'note')
      expect(Object.fromEntries(found), what).toEqual(severity === 'note' ? {} : {[code]: severity})
    }
  })

  test('each code of a finding has something planted for it', () => {
    const covered = new Set<string>([...planted.map(([, code]) => code), ...usual, 'shape-unknown', 'resume-differs'])
    expect(findingCodes.filter((code) => !covered.has(code))).toEqual(['labels-one-sided'])
  })

  /** Findings that nothing else goes with. */
  const solo: readonly FindingCode[] = [
    ...(['prompt-empty', 'rows-repeated', 'think-missing', 'rows-cut', 'labels-reversed', 'length-tells'] as const),
    ...(['benchmark-leak', 'not-decontaminated', 'pairs-repeated', 'task-dominates', 'checkpoint-late'] as const),
    ...(['disk-short', 'number-as-text', 'output-occupied', 'adapter-rank', 'trainer-missing', 'sides-equal'] as const),
  ]
})

describe('a job that is taken up again', () => {
  const resume = '/jobs/job-0/output/checkpoint-2'
  const changed: [string, Record<string, string>, string][] = [
    ['batch', {'hyperparameters.globalBatch': '4'}, 'global batch 4, was 2'],
    ['schedule', {'hyperparameters.schedule': 'constant'}, 'schedule constant, was cosine'],
    ['steps', {'hyperparameters.steps': '6'}, 'steps 6, was 4'],
    ['rate', {'hyperparameters.learningRate': '1.0e-3'}, 'learning rate 0.001, was 0.0001'],
    ['warm-up', {'hyperparameters.warmupRatio': '0.5'}, 'warm-up steps 2, was 0'],
    ['seed', {'hyperparameters.seed': '7'}, 'seed 7, was 42'],
    ['devices', {'hardware.devicesPerNode': '2'}, 'data-parallel devices 2, was 1'],
  ]
  const facts = async () => ({checkpoints: ['checkpoint-2'], before: (await planned({})).plan})

  test.each(changed)('is refused with another %s', async (_, set, words) => {
    const {findings} = await checked({set, resume, facts: await facts()})
    expect(findings.find(({code}) => code === 'resume-differs')).toMatchObject({
      severity: 'error',
      message: expect.stringContaining(words) as string,
    })
  })

  test('is refused with other rows, and goes on with the same', async () => {
    expect(await traps({resume, facts: await facts()})).toEqual({})
    const {before} = await facts()
    const other = {...before, data: {...before.data, sha256: 'b'.repeat(64)}}
    expect(await traps({resume, facts: {...(await facts()), before: other}})).toEqual({'resume-differs': 'error'})
  })
})

describe('what is said', () => {
  test('a code that is allowed stops nothing, and is named', async () => {
    const found = await checked({rows: with1({prompt: user('')}), set: {allow: '[prompt-empty]'}})
    expect(found.findings.map(({code}) => code)).toEqual(['lengths'])
    expect(found.allowed.map(({code}) => code)).toEqual(['prompt-empty'])
    expect(findingsPage(found)).toMatch(/0 errors, 0 warnings; allowed: prompt-empty$/)
  })

  test('a model that is not at hand is a note', async () => {
    const job = await planned({})
    const found = await preflight({...job, plan: {...job.plan, model: {...job.plan.model, shape: null}}}, sound)
    expect(found.findings.map(({code}) => code)).toEqual(['lengths', 'shape-unknown'])
  })

  test('small edits are no matter where the likelihood of the chosen reply is held', async () => {
    const given = {name: 'starter-dpo', rows: pairs(8, {changed_lines: 1})}
    expect(await traps({...given, set: {'dpo.likelihoodWeight': '0.2'}})).toEqual({})
    expect(await traps({...given, rows: pairs(8, {changed_lines: 3})})).toEqual({})
  })

  test('replies of one kind are too little for KTO', async () => {
    const kto = {method: 'kto', kto: '{beta: 0.1}'}
    const labelled = rows(8).map((row, at) => ({...row, label: at > 3}))
    expect(await traps({set: kto, rows: labelled})).toEqual({})
    expect(await traps({set: kto, rows: rows(8, {label: true})})).toEqual({'labels-one-sided': 'error'})
  })

  test('lengths are counted by the tokenizer of the model, template included', async () => {
    const {findings} = await checked({rows: [sftRow(0)], set: {'hyperparameters.steps': '1'}})
    const tokens = /1 reply, prompt included: (\d+) tokens, p50 \1, p90 \1, p99 \1, longest \1,/.exec(
      findings.find(({code}) => code === 'lengths')?.message ?? '',
    )
    expect(Number(tokens?.[1])).toBeGreaterThan(20)
  })

  test('a row of exactly the length that is cut at is whole, and one of a token more is not', async () => {
    const longest = async (set: Record<string, string>) => {
      const {findings} = await checked({rows: rows(8), set})
      const said = findings.find(({code}) => code === 'lengths')?.message ?? ''
      return {tokens: Number(/longest (\d+)/.exec(said)?.[1]), codes: findings.map(({code}) => code)}
    }
    const {tokens} = await longest({})
    expect((await longest({'hyperparameters.maxLength': String(tokens)})).codes).toEqual(['lengths'])
    expect((await longest({'hyperparameters.maxLength': String(tokens - 1)})).codes).toContain('rows-cut')
  })

  test('one page: the gravest first, wrapped, with what to do', async () => {
    const page = findingsPage(await checked({rows: with1({prompt: user('')}), facts: {probe: null}}), 72)
    expect(page.split('\n').filter((line) => line.length > 72)).toEqual([])
    expect(page).toMatch(/^✗ prompt-empty\n {2}1 row \(8 00000000\) have an empty prompt\.\n {2}→ Remove/)
    expect(page).toMatch(/! environment-unasked[\s\S]*· lengths[\s\S]*\n\n1 error, 1 warning$/)
  })
})

const placed = (text: string) => text.replace(/\S*\/ascend-cot-test-\w+/, '/data')

/** What a person reads; the lines that every sound job has as well are left out. */
test('each finding in full', async () => {
  const pages: string[] = []
  for (const [what, code, , given] of planted) {
    const {findings} = await checked(given)
    const found = findings
      .filter((one) => one.code === code)
      .map((one) => ({...one, message: placed(one.message), fix: placed(one.fix)}))
    pages.push(`# ${what}\n${findingsPage({findings: found, allowed: []})}\n`)
  }
  golden('test/fixtures/told/findings.txt', pages.join('\n'))
})
