import {describe, expect, test} from 'vitest'
import type {LabelledCandidate, Sampler} from '../../../datasets/schema/candidate.ts'
import type {ErrorClass} from '../../../datasets/schema/error-class.ts'
import type {FailureScore} from '../../../datasets/schema/score.ts'
import type {Verdict} from '../../../datasets/schema/verdict.ts'
import {collectReport} from '../../../pipelines/report/collect.ts'
import {sectionsOf} from '../../../pipelines/report/overview-sections.ts'
import {executor, labelled} from '../preference/records.ts'

const path = 'op_kernel/k.cpp'
const planted: Sampler = {kind: 'mutation', mutation: 'm', detail: 'line 1'}
const model: Sampler = {kind: 'model', model: 'a-model', sample: 0}

function uncompiled(message: string, sampler: Sampler = planted, code = 'Add(x);'): LabelledCandidate {
  const diagnostics = [{severity: 'error' as const, file: path, line: 1, column: 1, message}]
  const verdict: Verdict = {outcome: 'compile-failed', diagnostics, log: '', executor}
  return {...labelled('purple', code, sampler), files: [{path, text: code}], verdict}
}

function violated(rule: string, message = 'nothing in it'): LabelledCandidate {
  const violation = {rule, block: 0, api: 'DeQue', tensor: 'q', message, fix: ''}
  return labelled('orange', rule, planted, {verdict: {outcome: 'violated', case: '1', violation, executor}})
}

const undeclared = (name: string) => `use of undeclared identifier '${name}'`

async function pageOf(candidates: readonly LabelledCandidate[], lines: readonly FailureScore[] = []) {
  async function* stream() {
    yield* candidates
  }
  const scores = lines.length > 0 ? [{run: 'npukernelbench', lines: [...lines], types: []}] : []
  const sources = {directory: '/nonexistent', artifacts: [], jobs: [], manifest: null, paths: []}
  const sections = sectionsOf(await collectReport({...sources, candidates: stream(), scores}))
  return sections.find(({title}) => title === 'Why candidates fail')?.parts ?? []
}

type Parts = Awaited<ReturnType<typeof pageOf>>

/** The rows of a table of the section, cells joined by `|`. */
function rows(parts: Parts, table: number): string[] {
  const found = parts.filter((part) => part.kind === 'table')[table]
  return found ? [found.columns, ...found.rows].map((cells) => cells.join('|')) : []
}

const texts = (parts: Parts) =>
  parts.flatMap((part) => (part.kind === 'text' ? [`${part.title}\n${part.text}`.replace(/\s+/g, ' ')] : []))

describe('the section on errors', () => {
  test('has shares of compile errors beside those of the paper, for each author', async () => {
    const page = await pageOf([
      uncompiled(undeclared('a')),
      uncompiled(undeclared('b')),
      uncompiled("expected ';' after expression"),
      uncompiled("no matching function for call to 'Add'", model),
      violated('deque-empty'),
      labelled('green', 'g'),
    ])
    expect(rows(page, 0)).toEqual([
      'class|paper|mutation|a-model',
      'api-signature-and-overload|51.9|–|100.0 (1)',
      'data-type-and-conversion|19.8|–|–',
      'variable-scope-and-lifetime|16.4|66.7 (2)|–',
      'memory-and-object-usage|8.1|–|–',
      'syntax-and-structure|3.7|33.3 (1)|–',
      'macro-and-preprocessing|–|–|–',
    ])
    expect(rows(page, 1)).toEqual(['outcome|rule|mutation', 'rule-violation|deque-empty|100.0 (1)'])
  })

  test('counts what compiled by rule, the most frequent first, apart from compile errors', async () => {
    const rules = ['tensor-leak', 'deque-empty', 'deque-empty']
    const page = await pageOf([...rules.map((rule) => violated(rule)), uncompiled(undeclared('a'))])
    expect(rows(page, 1).slice(1)).toEqual([
      'rule-violation|deque-empty|66.7 (2)',
      'rule-violation|tensor-leak|33.3 (1)',
    ])
  })

  test('counts the failures of every evaluation under its name', async () => {
    const line = (name: ErrorClass, count: number, by: 'all' | 'level' = 'all'): FailureScore => ({
      kind: 'failures',
      author: 'a-model',
      executor,
      scope: {by, name: by === 'all' ? '' : '1'},
      class: name,
      rule: '',
      count,
      share: 0.5,
    })
    const lines = [
      line('data-type-and-conversion', 3),
      line('accuracy', 1),
      line('data-type-and-conversion', 9, 'level'),
    ]
    const page = await pageOf([uncompiled(undeclared('a'))], lines)
    expect(rows(page, 0)[0]).toBe('class|paper|mutation|a-model, npukernelbench')
    expect(rows(page, 0)).toContain('data-type-and-conversion|19.8|–|100.0 (3)')
    expect(rows(page, 1)).toEqual(['outcome|rule|a-model, npukernelbench', 'accuracy||100.0 (1)'])
  })

  test('tells each kind once, with its line and its place', async () => {
    const page = await pageOf([
      uncompiled(undeclared('first'), planted, 'Add(first, y);'),
      uncompiled(undeclared('second')),
      violated('deque-empty', 'DeQue of an empty queue'),
    ])
    const [built, run] = texts(page)
    expect(built).toContain("**use of undeclared identifier '…'** 2 candidates")
    expect(built).toContain(
      "use of undeclared identifier 'first' ScaleShift, by mutation: op_kernel/k.cpp:1 ```cpp Add(first, y); ```",
    )
    expect(built).not.toContain('second')
    expect(run).toContain('rule-violation: deque-empty, 1 ')
    expect(run).toContain('DeQue of an empty queue ScaleShift, by mutation: violated')
  })

  test('tells a few kinds of a class, the most frequent ones', async () => {
    const kinds = ['Add', 'Mul', 'Sub', 'Exp', 'Abs', 'Sqrt'].flatMap((name, at) =>
      Array.from({length: at + 1}, () => uncompiled(`no matching function for call to '${name}'`)),
    )
    const [text = ''] = texts(await pageOf(kinds))
    expect([...new Set([...text.matchAll(/ call to '(\w+)'/g)].map(([, name]) => name))]).toEqual([
      'Sqrt',
      'Abs',
      'Exp',
      'Sub',
    ])
  })

  test('of a broken rule begins with what the rule means', async () => {
    expect(texts(await pageOf([violated('queue-depth')])).join()).toContain('Typical cause: Two EnQue')
  })

  test('is left out where nothing failed', async () => {
    expect(await pageOf([labelled('green', 'g')])).toEqual([])
  })
})
