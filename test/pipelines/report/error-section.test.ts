import {describe, expect, test} from 'vitest'
import type {ErrorClass} from '../../../datasets/schema/error-class.ts'
import {errorSection} from '../../../pipelines/report/error-section.ts'
import type {ErrorExample, FailureGroup} from '../../../pipelines/report/input.ts'

const group = (author: string, failures: [ErrorClass, string, number][], run = 'candidates'): FailureGroup => ({
  run,
  author,
  failures: failures.map(([name, rule, count]) => ({class: name, rule, count})),
})

const example = (over: Partial<ErrorExample> = {}): ErrorExample => ({
  class: 'api-signature-and-overload',
  rule: '',
  signature: "no matching function for call to '…'",
  api: 'Add',
  count: 1,
  outcome: 'compile-failed',
  task: 'Scale',
  author: 'a-model',
  error: {message: "no matching function for call to 'Add'", file: 'k.cpp', line: 7, column: 3, code: '  Add(x);'},
  ...over,
})

const page = (groups: FailureGroup[], examples: ErrorExample[] = []) => errorSection({groups, examples}).html
/** The tables as lines of cells, what is faint in brackets. */
const tables = (text: string) =>
  [...text.matchAll(/<table>(.*?)<\/table>/gs)].map(([, table = '']) =>
    [...table.matchAll(/<tr>(.*?)<\/tr>/gs)].map(([, row = '']) =>
      [...row.matchAll(/<t[hd] (.*?)>(.*?)<\/t[hd]>/gs)]
        .map(
          ([, kind, cell = '']) => (kind === '' ? '' : '#') + cell.replace(/<span class="quiet">(.*?)<\/span>/, '$1'),
        )
        .join('|'),
    ),
  )

describe('the table of code that does not compile', () => {
  test('has the classes of the paper and its shares, and those of each author of what did not compile', () => {
    const groups = [
      group('a', [
        ['data-type-and-conversion', '', 1],
        ['syntax-and-structure', '', 2],
        ['accuracy', '', 5],
      ]),
      group('b', [['memory-and-object-usage', '', 1000]], 'bench'),
      group('c', [['crash', '', 1]]),
    ]
    expect(tables(page(groups))[0]).toEqual([
      'class|#paper|#a|#b, bench',
      'api-signature-and-overload|#51.9|#–|#–',
      'data-type-and-conversion|#19.8|#33.3 (1)|#–',
      'variable-scope-and-lifetime|#16.4|#–|#–',
      'memory-and-object-usage|#8.1|#–|#100.0 (1\u202f000)',
      'syntax-and-structure|#3.7|#66.7 (2)|#–',
      'macro-and-preprocessing|#–|#–|#–',
    ])
  })

  test('has a row for messages that no rule knows where there is one', () => {
    const rows = (failures: [ErrorClass, string, number][]) => tables(page([group('a', failures)]))[0]
    expect(rows([['unclassified', '', 1]])?.at(-1)).toBe('unclassified|#–|#100.0 (1)')
    expect(rows([['syntax-and-structure', '', 3]])?.at(-1)).toBe('macro-and-preprocessing|#–|#–')
  })

  test('is a sentence where everything compiled', () => {
    expect(page([group('a', [['accuracy', '', 1]])])).toContain('<p>Everything that was judged compiled.</p>')
    expect(page([group('a', [['syntax-and-structure', '', 1]])])).not.toContain('Everything')
  })
})

describe('the table of code that compiles and fails', () => {
  test('goes by outcome, the most frequent rule first, equal ones by name, and adds up over authors', () => {
    const groups = [
      group('a', [
        ['accuracy', '', 1],
        ['rule-violation', 'tensor-leak', 1],
        ['rule-violation', 'deque-empty', 2],
        ['cheat', 'reads-answer', 1],
        ['syntax-and-structure', '', 9],
      ]),
      group('b', [
        ['rule-violation', 'tensor-leak', 4],
        ['rule-violation', 'gm-overlap', 2],
        ['no-answer', '', 2],
      ]),
      group('c', [['syntax-and-structure', '', 1]]),
    ]
    expect(tables(page(groups))[1]).toEqual([
      'outcome|rule|#a|#b',
      'no-answer||#–|#25.0 (2)',
      'rule-violation|tensor-leak|#20.0 (1)|#50.0 (4)',
      'rule-violation|deque-empty|#40.0 (2)|#–',
      'rule-violation|gm-overlap|#–|#25.0 (2)',
      'accuracy||#20.0 (1)|#–',
      'cheat|reads-answer|#20.0 (1)|#–',
    ])
  })

  test('is left out where nothing that compiled failed', () => {
    expect(tables(page([group('a', [['syntax-and-structure', '', 1]])]))).toHaveLength(1)
  })
})

const heads = ['Compiler messages', 'Device and judge messages']
const details = (text: string) => [...text.matchAll(/<details>\n(.*?)\n<\/details>/gs)].map(([, inner]) => inner)

describe('examples', () => {
  test('stand below what said it: a compiler, or device and judge', () => {
    const ran = example({class: 'crash', outcome: 'crashed'})
    const shown = (...examples: ErrorExample[]) => heads.map((head) => page([], examples).includes(`<h3>${head}</h3>`))
    expect(shown()).toEqual([false, false])
    expect(shown(example())).toEqual([true, false])
    expect(shown(ran)).toEqual([false, true])
    expect(shown(ran, example())).toEqual([true, true])
  })

  test('tell the kind, how often, one message, its place and its line', () => {
    expect(details(page([], [example({count: 1234})]))).toEqual([
      `<summary>api-signature-and-overload<span class="quiet">1\u202f234</span></summary>
<h4><code>no matching function for call to '…'</code>
<span class="quiet">Add · 1\u202f234 candidates</span></h4>
<p>no matching function for call to 'Add'</p>
<p class="quiet">Scale, by a-model: k.cpp:7</p>
<pre><code><span class="a">Add</span>(x);</code></pre>
`,
    ])
  })

  test('of a broken rule begin with what it means', () => {
    const [broken = ''] = details(page([], [example({class: 'rule-violation', rule: 'queue-depth'})]))
    expect(broken).toMatch(/<\/summary>\n<p>EnQue exceeds the depth of the queue\. Typical cause: Two EnQue/)
    expect(details(page([], [example({class: 'cheat', rule: 'of-later'})])).join()).not.toContain('Typical cause')
  })

  test('without place, line and signature tell the outcome', () => {
    const error = {message: 'stopped', file: '', line: 0, column: 0, code: ''}
    const ran = example({class: 'crash', outcome: 'crashed', signature: '', api: '', error})
    expect(details(page([], [ran]))).toEqual([
      `<summary>crash<span class="quiet">1</span></summary>
<h4>crashed
<span class="quiet">1 candidate</span></h4>
<p>stopped</p>
<p class="quiet">Scale, by a-model: crashed</p>

`,
    ])
  })

  test('of one class and rule stand together', () => {
    const broken = (rule: string, count: number) => example({class: 'rule-violation', rule, count})
    const text = page([], [broken('tensor-leak', 3), broken('deque-empty', 1), broken('tensor-leak', 2)])
    expect([...text.matchAll(/<summary>(.*?)<span class="quiet">(.*?)</g)].map(([, ...told]) => told)).toEqual([
      ['rule-violation: tensor-leak', '5 in the 2 most frequent kinds'],
      ['rule-violation: deque-empty', '1'],
    ])
  })
})
