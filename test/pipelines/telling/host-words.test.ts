import {readdirSync, readFileSync} from 'node:fs'
import {IntlMessageFormat} from 'intl-messageformat'
import {describe, expect, test} from 'vitest'
import type {Decision} from '../../../datasets/schema/decision.ts'
import {voice, type Language, type Voice} from '../../../datasets/voice.ts'
import {randomFrom} from '../../../engine/random.ts'
import {catalogue} from '../../../pipelines/telling/catalogue.ts'
import {tellDecisions} from '../../../pipelines/telling/tell-decisions.ts'
import {decidedIn} from '../../helpers/file-decided.ts'

const languages = ['en', 'zh'] as const
const ofHostFiles = /^(?:host|inference|definition)-/
const topics = (language: Language) =>
  Object.entries(catalogue(language).topics).filter(([topic]) => ofHostFiles.test(topic))
const wordings = (language: Language) =>
  topics(language).flatMap(([topic, {situations}]) =>
    Object.entries(situations).map(([situation, words]) => [`${topic}/${situation}`, words] as const),
  )
/** Of every list of wordings one, by its place. */
const nth = (language: Language, at: number): Voice => {
  const pick = (words: string | readonly string[]) =>
    typeof words === 'string' ? words : (words[at % words.length] ?? '')
  return {...voice(language, randomFrom('a')), say: (en, zh) => pick(language === 'en' ? en : zh)}
}

/** A value for every name that a message may ask for, of each kind that the name has anywhere. */
const values: Decision['values'] = {
  ...Object.fromEntries(
    ['name', 'last', 'type', 'of', 'by', 'total', 'cores', 'unit', 'rest', 'group', 'slices', 'rows', 'work'].map(
      (one) => [one, `${one}Value`],
    ),
  ),
  ...Object.fromEntries(
    ['fits', 'other', 'taken', 'share', 'variable', 'source', 'after', 'first', 'end'].map((one) => [one, one]),
  ),
  ...{
    least: 'yes',
    loop: 'yes',
    all: 'no',
    ranks: 'yes',
    dtype: 'float16',
    formula: '2 * n',
    constant: 'TILE',
    key: '1',
  },
  ...{two: 128, four: 256, grain: 2048},
  ...{
    condition: 'a',
    yes: '1',
    no: '0',
    call: 'F',
    m: 'm',
    n: 7,
    k: 'k',
    product: 'a * b',
    ratio: 'a / b',
    size: 'n',
    mode: '1',
  },
  ...{index: '0', output: '0', steps: 3, count: 2, half: 16, float: 8, bytes: 196_352, limit: 64, parts: 4, value: 9},
  ...{most: 47, kept: 8192, mb: 16, fields: 3, cols: 9, without: 1, outputs: 1, rank: 2, place: 1, operators: 2},
  ...{
    second: 2,
    apart: 1,
    distinct: 2,
    lists: 2,
    groups: 2,
    combinations: 3,
    builds: 6,
    room: 196352,
    fitsFloat: 4,
    width: 4,
    each: 24,
  },
  ...Object.fromEntries(
    [
      'users',
      'numbers',
      'counts',
      'conditions',
      'keys',
      'axes',
      'names',
      'sizes',
      'types',
      'wide',
      'narrow',
      'nested',
    ].map((one) => [one, ['a', 'b']]),
  ),
  ...Object.fromEntries(
    [
      'shapes',
      'attributes',
      'dims',
      'copied',
      'given',
      'fixed',
      'forms',
      'sources',
      'targets',
      'reads',
      'writes',
      'asks',
    ].map((one) => [one, ['a', 'b']]),
  ),
  ...Object.fromEntries(
    [
      'asked',
      'formulas',
      'units',
      'dtypes',
      'varied',
      'others',
      'formats',
      'kinds',
      'defaults',
      'chips',
      'lost',
      'gained',
      'files',
      'flags',
    ].map((one) => [one, ['a', 'b']]),
  ),
}
/** Values that are a list in one topic and a name or a number in another. */
const inTopic: Readonly<Record<string, Decision['values']>> = {
  'host-order': {chain: ['a', 'b', 'c']},
  'host-key': {parts: ['a', 'b']},
  'host-handed': {fields: ['a', 'b'], lists: ['a', 'b']},
  'host-struct': {operators: ['a']},
  'inference-shape/operators': {operators: ['a', 'b']},
  'inference-types': {outputs: ['0', '1']},
  'definition-types': {first: 2},
  'definition-types/one-mixed': {all: ['a', 'b']},
}

type Element = ReturnType<IntlMessageFormat['getAst']>[number]

/** Values that a message asks for; what only decides on a plural is English. */
function named(words: readonly string[]): string {
  const inside = (elements: readonly Element[]): string[] =>
    elements.flatMap((one) => {
      const options = 'options' in one ? Object.values(one.options).flatMap(({value}) => inside(value)) : []
      // 0 is text, 6 a plural.
      return one.type === 0 || one.type === 6 || !('value' in one) ? options : [String(one.value), ...options]
    })
  const all = words.flatMap((text) => inside(new IntlMessageFormat(text, 'en', {}, {ignoreTag: true}).getAst()))
  return [...new Set(all)].sort().join(' ')
}

describe('words of host files', () => {
  test('are there for the same situations in both languages, four or more of each, no two alike', () => {
    expect(
      wordings('zh')
        .map(([one]) => one)
        .sort(),
    ).toEqual(
      wordings('en')
        .map(([one]) => one)
        .sort(),
    )
    for (const language of languages)
      for (const [situation, words] of wordings(language)) {
        expect(words.length, `${language} ${situation}`).toBeGreaterThanOrEqual(4)
        expect(new Set(words).size, `${language} ${situation}`).toBe(words.length)
      }
  })

  test('are there for every situation that code decides, and for no other', () => {
    const folder = 'pipelines/facts/decisions'
    const text = readdirSync(folder)
      .map((file) => readFileSync(`${folder}/${file}`, 'utf8'))
      .join('\n')
    const missing = wordings('en').filter(([one]) => {
      const [, situation = ''] = one.split('/')
      const stem = situation.replace(/-(?:alone|elements|rows)$/, '')
      return !text.includes(`'${situation}'`) && !text.includes(`'${stem}'`) && !text.includes(`\`${stem}-`)
    })
    expect(missing.map(([one]) => one)).toEqual([])
  })

  test.each(languages)('are written out in %s: nothing is left open, and no run is spoken of', (language) => {
    for (const [one, words] of wordings(language)) {
      const [topic = '', situation = ''] = one.split('/')
      const own = {...values, ...inTopic[topic], ...inTopic[one]}
      const decision = {topic, situation, subject: 'n', values: own, because: []} as unknown as Decision
      for (const at of words.keys()) {
        const text = tellDecisions([decision], nth(language, at)).join('\n')
        expect(text, one).not.toBe('')
        expect(text, one).not.toMatch(/[{}]|undefined|\[object|\b(?:we|I) (?:ran|saw|tried|observed)\b|运行后|实测/)
      }
    }
  })

  test('speak of the same values in both languages', () => {
    const zh = new Map(wordings('zh'))
    const pairs = wordings('en').map(([one, words]) => [one, named(words), named(zh.get(one) ?? [])] as const)
    expect(pairs.filter(([, en, own]) => en !== own)).toEqual([])
  })

  test('have punctuation of their language', () => {
    for (const [one, words] of wordings('zh'))
      for (const text of words)
        expect(text.replace(/`[^`]*`|\{[^{}]*\}/g, ''), one).not.toMatch(/[\u4e00-\u9fff][,;:?]/)
    for (const [one, words] of wordings('en')) expect(words.join(''), one).not.toMatch(/[\u3000-\u9fff\uff00-\uffef]/)
  })
})

test('a list of code keeps its spaces, and counts what stands behind it', async () => {
  const found = await decidedIn(
    'tiling',
    'static ge::graphStatus Tile(gert::TilingContext* context) { if (x.GetDimNum() != 4) { return ge::GRAPH_FAILED; } }',
  )
  expect(tellDecisions(found, nth('en', 0))).toEqual([
    'Dimensions are read at fixed positions, so the rank must be as expected: `x.GetDimNum() != 4` refuses anything ' +
      'else before a nonexistent position is read.',
  ])
})
