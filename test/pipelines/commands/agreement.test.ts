import {existsSync, readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {load} from 'cheerio'
import {expect, test} from 'vitest'
import {parquetRows} from '../../../datasets/parquet/parquet-rows.ts'
import {sourcesId} from '../../../datasets/schema/public-verdict.ts'
import type {Verdict} from '../../../datasets/schema/verdict.ts'
import {main} from '../../../pipelines/cli.ts'
import {bisheng, candidate, judgedRun, verdict} from '../../eval/agreement/judged-run.ts'
import {temporaryFolder} from '../../helpers/temporary.ts'
import {testCache} from '../../helpers/test-cache.ts'
import {recordedWorld} from '../../helpers/world.ts'

async function command(...args: string[]) {
  const world = recordedWorld()
  const code = await main(args, world)
  return {code, said: world.said.join('\n'), printed: world.printed.join('\n')}
}

const hostile = '</pre><script>alert(1)</script><img src=x onerror=alert(1)>'

/** Two runs on the same 12 candidates, of which the second was told to disagree in four. */
async function disagreeing(): Promise<string> {
  const out = await temporaryFolder()
  const names = Array.from({length: 12}, (_, at) => `c${at}`)
  const twinSays = (at: number): Verdict => {
    if (at < 6) return verdict('correct')
    return at < 9 ? verdict('compile-failed', "expected ';'") : verdict('crashed', hostile)
  }
  const other: Record<number, Verdict> = {
    0: verdict('mismatched', hostile, bisheng),
    1: verdict('compile-failed', 'no member named Copy', bisheng),
    6: verdict('violated', 'queue-state', bisheng),
    9: verdict('timed-out', '', bisheng),
  }
  const cannSays = (at: number) => other[at] ?? {...twinSays(at), executor: bisheng}
  await judgedRun(
    out,
    'candidates',
    names.map((name, at) => candidate(name, twinSays(at))),
  )
  await judgedRun(
    out,
    'confirmed',
    names.map((name, at) => candidate(name, cannSays(at))),
  )
  return out
}

test('planted disagreements are found, ranked and explained, in the page, the table and the JSON', async () => {
  const out = await disagreeing()
  const {code, printed} = await command('agreement', 'candidates', 'confirmed', '--out', out)
  expect(code).toBe(0)
  expect(printed).toContain('12 candidates judged by both; 0 by A alone, 0 by B alone')
  expect(printed).toMatch(/^compile +8 +1 +1 +2 +0 +83\.3 % \(55\.2–95\.3\)$/m)
  expect(printed).toContain('disagreements: 2 right-and-wrong, 1 step, 1 class')
  const told = JSON.parse((await command('agreement', 'candidates', 'confirmed', '--out', out, '--json')).printed) as {
    disagreements: {kind: string; a: string; b: string}[]
  }
  expect(told.disagreements.map(({kind, b}) => `${kind}: ${b.slice(0, 28)}`)).toEqual([
    'right-and-wrong: does not compile it (syntax-',
    'right-and-wrong: finds wrong numbers in case ',
    'step: sees the rule queue-state br',
    'class: stopped it in case 0: it ran',
  ])
  expect(told.disagreements[1]?.a).toBe('finds it correct in 1 of 1 case')

  const rows: Record<string, unknown>[] = []
  const columns = ['rank', 'kind', 'outcome_a', 'outcome_b', 'says_b', 'executor_b', 'sources']
  for await (const row of parquetRows(join(out, 'agreement/agreement.parquet'), columns)) rows.push(row)
  expect(rows.length).toBe(12)
  expect(rows.map(({rank}) => rank)).toEqual([1, 2, 3, 4, ...Array<null>(8).fill(null)])
  expect(rows[1]).toMatchObject({outcome_a: 'correct', outcome_b: 'mismatched', executor_b: 'cann'})
  expect(String(rows[1]?.['says_b'])).toContain(hostile)

  const html = readFileSync(join(out, 'agreement/agreement.html'), 'utf8')
  const page = load(html)
  expect(page('script, img').length).toBe(0)
  expect(page('meta[http-equiv=Content-Security-Policy]').attr('content')).toContain("default-src 'none'")
  expect(html).not.toMatch(/(?:src|href)="?https?:/)
  expect(
    page('#disagreements h3')
      .toArray()
      .map((one) => page(one).text()),
  ).toEqual([
    'One finds it right, the other wrong: 2',
    'Both find it wrong, at different steps: 1',
    'Both find it wrong at the same step, for different causes: 1',
  ])
  const said = page('#disagreements .sides').first().text()
  expect(said).toContain('candidates finds it correct in 1 of 1 case.')
  expect(said).toContain('scale_shift.cpp:7: no member named Copy')
  expect(page('#disagreements').text()).toContain(`confirmed finds wrong numbers in case 0: ${hostile}`)
})

test('a file of verdicts is held against a run; its broken lines are named on the terminal and in the page', async () => {
  const out = await disagreeing()
  const sources = sourcesId(candidate('c0', verdict('correct')).files)
  const line = {task: 'ScaleShift', sources, verdict: {outcome: 'compiled', executor: {name: 'cann-compile'}}}
  const broken = Array.from({length: 13}, (_, at) => (at === 0 ? '{"\u001b[2J": ' : '{}'))
  writeFileSync(join(out, 'v.jsonl'), [...broken, JSON.stringify(line)].join('\n'))
  const to = join(out, 'elsewhere')
  const {code, said, printed} = await command('agreement', 'candidates', join(out, 'v.jsonl'), '--out', out, '--to', to)
  expect(code).toBe(0)
  expect(said).toMatch(/^warning: v\.jsonl line 1 is omitted: not JSON/m)
  expect(said).not.toContain('\u001b')
  expect(said).toMatch(/line 10 is omitted: task: .*; sources: .*; verdict: /)
  expect(said).toContain('3 more lines of v.jsonl left out')
  expect(said).not.toContain('line 11 ')
  expect(printed).toContain('1 candidate judged by both; 11 by A alone, 0 by B alone')
  const page = load(readFileSync(join(to, 'agreement.html'), 'utf8'))
  expect(page('section').last().find('tr').length).toBe(14)
  expect(existsSync(join(out, 'agreement'))).toBe(false)
})

test('the twin against itself: it agrees in everything, word for word', async () => {
  const out = await temporaryFolder()
  const shared = ['--set', `cache=${testCache}`, '--limit', '2', '--set', 'samples.candidatesPerTask=5']
  for (const name of ['one', 'other']) {
    const {code, said} = await command('run', 'candidates', '--out', join(out, name), ...shared)
    if (code !== 0) throw new Error(said)
  }
  const runs = ['one', 'other'].map((name) => join(out, name, 'candidates'))
  const {printed} = await command('agreement', ...runs, '--out', out)
  expect(printed).toMatch(/^[1-9]\d* candidates judged by both; 0 by A alone, 0 by B alone$/m)
  expect(printed).toMatch(/^compile +[1-9]\d* +0 +0 +[1-9]\d* +0 +100\.0 %/m)
  expect(printed).toMatch(/^first errors word for word: ([1-9]\d*) of \1, 100\.0 %/m)
  expect(printed).toContain('disagreements: 0 right-and-wrong, 0 step, 0 class')
  expect(load(readFileSync(join(out, 'agreement/agreement.html'), 'utf8'))('#disagreements').text()).toContain('none')
}, 300_000)

test('what is missing is said before anything is read', async () => {
  expect(await command('agreement')).toMatchObject({code: 2})
  expect((await command('agreement', 'candidates')).said).toContain('name two runs, a run and a file of verdicts, or')
  expect(await command('agreement', 'a', '--draw', '3')).toMatchObject({code: 2})
  expect(await command('agreement', 'a', 'b', '--out', await temporaryFolder())).toMatchObject({code: 1})
})
