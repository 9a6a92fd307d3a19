import {readFileSync} from 'node:fs'
import {describe, expect, test} from 'vitest'
import type {ReportSample} from '../../../pipelines/report/input.ts'
import {sampleBrowser} from '../../../pipelines/report/sample-section.ts'

type Side = ReportSample['sides'][number]
const side = (over: Partial<Side> = {}): Side => ({
  title: 'answer',
  reasoning: '',
  answer: 'Yes.',
  verdict: '',
  said: [],
  ...over,
})
const sample = (over: Partial<ReportSample> = {}): ReportSample => ({
  id: 'c0ffee',
  config: 'sft',
  split: 'train',
  kind: 'documentation',
  prompt: 'What is a block?',
  sides: [side()],
  source: 'starter docs/block.html:1–9',
  licence: 'Apache-2.0',
  author: 'offline',
  ...over,
})
const html = (...samples: ReportSample[]) => sampleBrowser(samples).html
const between = (text: string, from: string, to: string) => text.split(from)[1]?.split(to)[0]
const options = (text: string, name: string) =>
  [...(between(text, `<select id="${name}">`, '</select>') ?? '').matchAll(/<option[^>]*>(.*?)</g)].map(
    ([, one]) => one,
  )

const pair = (better: string, worse: string, over: Partial<ReportSample> = {}) =>
  sample({
    kind: 'preference',
    sides: [
      side({title: 'chosen', label: 'green', answer: better}),
      side({title: 'rejected', label: 'purple', answer: worse}),
    ],
    ...over,
  })

test('no column of the page is wider than a small screen', () => {
  const style = readFileSync(new URL('../../../eval/scores/document.css', import.meta.url), 'utf8')
  const widths = [...style.matchAll(/grid-template-columns: ([^;]*)/g)].map(([, columns = '']) => columns)
  expect(widths.length).toBeGreaterThan(4)
  const fixed = widths.filter((columns) => /minmax\([23]\d\dpx/.test(columns))
  expect(fixed).toEqual([])
})

test('without samples there is a sentence', () => {
  expect(html()).toBe('<section id="samples"><h2>Samples</h2><p>There are no samples to show.</p></section>')
})

test('the list has an entry for each sample, with what the filters ask for', () => {
  const text = html(sample(), pair('a', 'b', {split: 'test', prompt: 'Write it.', source: 'local'}))
  expect(between(text, '<div class="list">', '</div>')).toBe(
    '<button type="button" data-target="sample-0" data-kind="documentation" data-label="" data-split="train">' +
      '<span class="first">What is a block?</span> <span class="badge ">documentation</span> ' +
      '<span class="quiet">block.html:1–9</span></button>\n' +
      '<button type="button" data-target="sample-1" data-kind="preference" data-label="green purple" ' +
      'data-split="test"><span class="first">Write it.</span> <span class="badge ">preference</span> ' +
      '<span class="badge label green">green</span><span class="badge label purple">purple</span>' +
      '<span class="badge ">test</span><span class="quiet">local</span></button>\n',
  )
})

test('filters offer each value once, in order, and all', () => {
  const text = html(pair('a', 'b'), sample(), pair('c', 'd', {split: 'test'}))
  expect(options(text, 'kind')).toEqual(['all', 'documentation', 'preference'])
  expect(options(text, 'label')).toEqual(['all', 'green', 'purple'])
  expect(options(text, 'split')).toEqual(['all', 'test', 'train'])
})

describe('an entry begins with the first words of the prompt', () => {
  const first = (prompt: string) => between(html(sample({prompt})), '<span class="first">', '</span>')
  test.each([
    ['no marks of a heading', '\n\n# `Add` **two** > one\nmore', 'Add two  one'],
    ['no line of marks alone', '```\ncode\n```', 'code'],
    ['nothing of nothing', '', ''],
    ['as many as fit', 'a'.repeat(160), 'a'.repeat(160)],
    ['not one more', 'a'.repeat(161), `${'a'.repeat(160)}…`],
  ])('%s', (_, prompt, words) => expect(first(prompt)).toBe(words))
})

describe('a sample', () => {
  test('with one side has no title, label or difference', () => {
    expect(between(html(sample()), '</div>\n<div>', '</section>')).toBe(
      `<article class="sample" id="sample-0" hidden>
<h3><span class="badge ">documentation</span>  <code>c0ffee</code></h3>
<p class="quiet">starter docs/block.html:1–9 · Apache-2.0 · offline · train</p>


<h4>Prompt</h4>
<div class="text">What is a block?</div>
<div class="sides"><div>


<h4>Answer</h4>

<div class="text">Yes.</div>
</div></div>
</article>
</div>
</div>
`,
    )
  })

  test('shows the reasoning and the verdict where there are any', () => {
    const text = html(sample({sides: [side({reasoning: 'Because.', verdict: 'correct by twin'})]}))
    expect(text).toContain(
      '<h4>Reasoning</h4><div class="reasoning"><div class="text">Because.</div></div>\n<h4>Answer</h4>\n' +
        '<p class="quiet">Verdict: correct by twin</p>\n',
    )
    expect(html(sample())).not.toMatch(/Reasoning|Verdict/)
  })

  test('with two sides names each, and its label if it has one', () => {
    const sides = [side({title: 'before'}), side({title: 'after', label: 'green'})]
    expect([...html(sample({sides})).matchAll(/<div>\n<h4>(.*)<\/h4>/g)].map(([, title]) => title)).toEqual([
      'before ',
      'after <span class="badge label green">green</span>',
    ])
  })
})

describe('of two sides, what was observed', () => {
  const sides = [
    side({title: 'chosen', label: 'green', verdict: 'correct by twin'}),
    side({title: 'rejected', verdict: 'compile-failed by twin', said: ['a.cpp:6: no <member>', 'expected ;']}),
  ]
  const text = html(sample({sides}))

  test('stands before the prompt, with every message', () => {
    expect(text.indexOf('<pre class="said">a.cpp:6: no &lt;member&gt;\nexpected ;</pre>')).toBeGreaterThan(0)
    expect(text.indexOf('<pre class="said">')).toBeLessThan(text.indexOf('<h4>Prompt</h4>'))
  })

  test('stands there once', () => {
    expect(text.match(/Verdict: /g)).toHaveLength(2)
    expect(text.match(/class="said"/g)).toHaveLength(1)
  })
})

describe('what two sides differ in', () => {
  const shown = (better: string, worse: string) => between(html(pair(better, worse)), '<details', '</details>')
  const difference = (better: string, worse: string) =>
    between(shown(better, worse) ?? '', '<pre>', '</pre>')?.replace(/<span class="quiet">(.*?)<\/span>/g, '@ $1')

  test('is shown where it lies, with the lines around it', () => {
    expect(difference('1\n2\n3\n4\na\nb < c\nd', '1\n2\n3\n4\na\ne\nd')).toBe(
      '@ line 3 of chosen\n  3\n  4\n  a\n<span class="gone">− b &lt; c</span>\n<span class="came">+ e</span>\n  d\n',
    )
  })

  test('is shown where only one side has lines of its own, in two places where they are far apart', () => {
    expect(difference('a\nb', 'a')).toBe('@ line 1 of chosen\n  a\n<span class="gone">− b</span>\n')
    expect(difference('a', 'a\nb')).toBe('@ line 1 of chosen\n  a\n<span class="came">+ b</span>\n')
    const between = Array.from({length: 9}, (_, at) => `${at}`).join('\n')
    expect(difference(`a\n${between}\nb`, between)?.match(/@ line \d+/g)).toEqual(['@ line 1', '@ line 8'])
  })

  test('is not shown where there is none, and folded where it is long', () => {
    const lines = (count: number, of: string) => Array.from({length: count}, (_, at) => `${of}${at}`).join('\n')
    expect(shown('a\nb', 'a\nb')).toBeUndefined()
    expect(shown('a\nb', 'a\nb\n')).toMatch(/^ open>/)
    expect(shown(lines(40, 'a'), lines(40, 'b'))).toMatch(/^ open>.*differ, 80:/)
    expect(shown(lines(41, 'a'), lines(40, 'b'))).toMatch(/^ ?>.*differ, 81:/)
  })
})
