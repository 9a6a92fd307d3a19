import {describe, expect, test} from 'vitest'
import {
  decisionTopics,
  type ArithmeticRole,
  type Counterfactual,
  type Decision,
} from '../../../datasets/schema/decision.ts'
import {voice, type Language, type Voice} from '../../../datasets/voice.ts'
import {randomFrom} from '../../../engine/random.ts'
import {allCores, hostChanges, largerTiles, smallerTiles} from '../../../pipelines/facts/decisions/host-changes.ts'
import {kernelChanges} from '../../../pipelines/facts/decisions/kernel-changes.ts'
import {catalogue, catalogueDigest} from '../../../pipelines/telling/catalogue.ts'
import {tellDecisions} from '../../../pipelines/telling/tell-decisions.ts'

const languages = ['en', 'zh'] as const
const speaker = (language: Language, seed = 'a') => voice(language, randomFrom(seed))
/** Of every list of wordings one, by its place. */
const nth = (language: Language, at: number): Voice => {
  const one = speaker(language)
  const pick = (words: string | readonly string[]) =>
    typeof words === 'string' ? words : (words[at % words.length] ?? '')
  return {...one, say: (en, zh) => pick(language === 'en' ? en : zh)}
}

const counterfactual = (change: string, observed: Counterfactual['observed'], more: Partial<Counterfactual> = {}) =>
  ({
    ...{kind: 'counterfactual', change, subject: 'Mins(x, x, 20.0f, n)', path: 'op_kernel/a.cpp', line: 3},
    ...{before: 'a', after: 'b', values: {larger: 192, needed: 200_000, smaller: 16, shifts: 2}, observed},
    ...more,
  }) as Counterfactual

const decision = (topic: Decision['topic'], situation: string, because: Decision['because'] = []): Decision => ({
  ...{topic, situation, subject: 'tileLength', because},
  values: {
    ...{
      total: 231,
      unit: 'elements',
      share: 16,
      full: 14,
      less: 7,
      lessCores: 1,
      blocks: 15,
      cores: 48,
      row: 33,
      bytes: 14,
    },
    ...{
      field: 'tileLength',
      tile: 128,
      perUnit: 20,
      fixed: 0,
      kept: 0,
      keeper: '',
      most: 9817,
      capacity: 196_352,
      used: 2560,
      rounds: 1,
    },
    ...{
      output: 'y',
      chain: ['Cast', 'Exp'],
      instructions: 2,
      different: 2,
      name: 'x',
      dtype: 'float16',
      lacking: ['Mul'],
    },
    ...{queues: ['inQueue_'], whole: 0, rest: 16, more: 0, elements: 7, copies: 2, perCore: 1},
  },
})

/** A value for every name that messages speak of: lists for what is counted, numbers for what has a plural. */
function valuesFor(messages: readonly string[]): Decision['values'] {
  const found: Decision['values'] = {}
  for (const [, name = '', kind = ''] of messages.join('\n').matchAll(/\{(\w+)(?:, (plural|select))?/g)) {
    const counted = /^(\w+)_count$/.exec(name)?.[1]
    if (counted !== undefined) found[counted] = ['one', 'two']
    else if (kind === 'plural') found[name] = 2
    else found[name] ??= 'text'
  }
  return found
}

const wrong = {
  ...{outcome: 'wrong', inputs: 'large', output: 'y', index: 3, seen: 'NaN', expected: 876, differ: 5, of: 231},
  at: [['x', 876]],
} as const satisfies Counterfactual['observed']

const ofHostFiles = /^(?:host|inference|definition)-/

/** One observation of each kind. */
const observations: Readonly<Record<string, Pick<Counterfactual, 'observed' | 'modelled'>>> = {
  wrong: {observed: {...wrong, at: [['x', 876]]}},
  close: {observed: {...wrong, outcome: 'close', seen: 875, at: []}},
  equal: {observed: {outcome: 'equal', large: true}},
  slower: {observed: {outcome: 'equal', large: true}, modelled: {before: 1.5, after: 6.25, elements: 262_144}},
  level: {observed: {outcome: 'equal', large: true}, modelled: {before: 1.5, after: 1.5, elements: 262_144}},
  refused: {observed: {outcome: 'refused', rule: 'gm-race', api: 'DataCopyPad', message: ''}},
}

describe('the catalogue', () => {
  test('has the same keys in both languages, and all topics that there are', () => {
    const keys = (language: Language) =>
      Object.entries(catalogue(language).topics).map(([topic, {situations, changes}]) => [
        topic,
        Object.keys(situations).sort(),
        Object.entries(changes).map(([change, outcomes]) => [change, Object.keys(outcomes).sort()]),
      ])
    expect(keys('zh')).toEqual(keys('en'))
    // Worked questions have a topic for each situation.
    const own = decisionTopics.filter((topic) => topic !== 'worked')
    expect(Object.keys(catalogue('en').topics)).toEqual(expect.arrayContaining(own))
  })

  test('knows every change, in the topic that it is of', () => {
    const tile = {
      ...{field: 'tile', value: 64, isRows: false, isRow: false, perUnit: 12},
      fixed: 0,
      buffers: [],
      kept: 0,
      keeper: '',
    }
    const kinds = [
      ...kernelChanges,
      ...hostChanges,
      allCores({blockDim: 1}),
      largerTiles(tile, 2),
      smallerTiles(tile, 2),
    ]
    const {topics} = catalogue('en')
    expect(kinds.filter(({name, topic}) => topics[topic]?.changes[name] === undefined)).toEqual([])
    const told = Object.values(topics).flatMap(({changes}) => Object.keys(changes))
    expect(told.sort()).toEqual(kinds.map(({name}) => name).sort())
  })

  test.each(languages)(
    'every message in %s is written out: no hole is left, and none of a run is spoken of',
    (language) => {
      // Those of host files have values of their own, and a test of theirs.
      for (const topic of decisionTopics) {
        const {situations = {}, changes = {}} = catalogue(language).topics[topic] ?? {}
        for (const situation of ofHostFiles.test(topic) ? [] : Object.keys(situations)) {
          const because = Object.entries(changes).flatMap(([change, outcomes]) =>
            Object.keys(outcomes).map((key) => counterfactual(change, ...seenAs(key))),
          )
          for (let at = 0; at < 6; at += 1) {
            const one = decision(topic as Decision['topic'], situation, because)
            const given = {...valuesFor(situations[situation] ?? []), ...one.values}
            const none = Object.entries(given).map(([name, value]) => [name, typeof value === 'number' ? 0 : value])
            const texts = [given, Object.fromEntries(none) as typeof given].map((values) =>
              tellDecisions([{...one, values}], nth(language, at)).join('\n'),
            )
            const text = texts.join('\n')
            expect(text, `${topic} ${situation}`).not.toMatch(/[{}]|undefined|NaN_|\[object|\S {2,}\S/)
            expect(text).not.toMatch(/\b(?:we|I) (?:ran|saw|tried|observed)\b|运行后|实测/)
          }
        }
      }
    },
  )
})

function seenAs(key: string): [Counterfactual['observed'], Partial<Counterfactual>] {
  const {observed, modelled} = observations[key.split(' ')[0] ?? ''] as (typeof observations)[string]
  return [observed, modelled ? {modelled} : {}]
}

describe('what is told', () => {
  const english = (decisions: readonly Decision[], kernel?: string) => tellDecisions(decisions, nth('en', 0), kernel)

  test('of a bound: the value at which it matters, what would come out, and what is right', () => {
    const [text] = english([decision('range', 'observed', [counterfactual('no-bound', ...seenAs('wrong'))])])
    expect(text).toBe('Why `Mins(x, x, 20.0f, n)`? Without the bound, `x = 876` would give NaN, while 876 is right.')
  })

  test('of a conversion back only where results are narrow', () => {
    const told = (back: string) =>
      (['float16', 'bfloat16'] as const).flatMap((situation) =>
        languages.flatMap((language) =>
          Array.from({length: 12}, (_, at) => {
            const one = decision('element-type', situation, [])
            return tellDecisions(
              [{...one, values: {...one.values, name: 'x', lacking: ['Add'], back}}],
              nth(language, at),
            )
          }).flat(),
        ),
      )
    const ofBack = /\bback\b|way out|last cast|at the end|one cast|only the result|转回|最后|转换回|计算前后|舍入回/i
    expect(told('no').filter((text) => ofBack.test(text))).toEqual([])
    expect(told('yes').filter((text) => ofBack.test(text)).length).toBeGreaterThan(12)
    const {bfloat16 = []} = catalogue('en').topics['conversion']?.situations ?? {}
    expect(bfloat16.filter((text) => /\bback\b/.test(text))).toEqual([])
  })

  test('of arithmetic in half whether its range is known to be lacking', () => {
    const told = (seen: number | 'Infinity') =>
      tellDecisions(
        [decision('element-type', 'observed', [counterfactual('computed-in-half', {...wrong, seen})])],
        nth('en', 2),
      ).join()
    expect(told(1.5)).toContain('Half is not enough: for `x = 876` it would give 1.5')
    expect(told('Infinity')).toContain('The range of half is too small: for `x = 876` it would give Infinity')
  })

  test('of a place, where no input has a value for it', () => {
    const observed = {...wrong, at: []}
    const [text] = english([decision('range', 'observed', [counterfactual('no-bound', observed)])])
    expect(text).toContain('Without the bound, `y[3]` would give NaN')
  })

  test('times to four digits, and whether there is a difference at all', () => {
    const told = (key: string) =>
      english([
        decision('depth', key === 'level' ? 'level' : 'several', [counterfactual('single-blocks', ...seenAs(key))]),
      ])[0]
    expect(told('slower')).toContain('call of 262144 elements would then take 6.25 µs instead of 1.5 µs')
    expect(told('level')).toContain('1.5 µs for 262144 elements')
    const taking = (after: number) =>
      counterfactual('single-blocks', observations['equal']!.observed, {modelled: {before: 1, after, elements: 9}})
    expect(english([decision('depth', 'level', [taking(1.019)])])[0]).toContain('as fast')
    expect(english([decision('depth', 'several', [taking(1.021)])])[0]).toContain('1.021 µs instead of 1 µs')
    const ratios = [1.021, 1.2].map((after) => {
      const all = Array.from({length: 15}, (_, at) =>
        tellDecisions([decision('depth', 'several', [taking(after)])], nth('en', at)),
      )
      return all.flat().join(' ')
    })
    expect(ratios[0]).toMatch(/takes slightly longer/)
    expect(ratios[0]).not.toMatch(/\b1 times/)
    expect(ratios[1]).toContain('takes 1.2 times as long with a single block')
  })

  test('of a race and of an overrun in words of their own', () => {
    const refused = (rule: string) =>
      english([
        decision('tail', 'cut', [
          counterfactual('whole-tiles', {outcome: 'refused', rule, api: 'DataCopyPad', message: ''}),
        ]),
      ])[0]
    expect(refused('gm-race')).toContain('would read what the next core writes')
    expect(refused('gm-overlap')).toContain('two cores would write the same addresses')
    expect(refused('gm-out-of-range')).toContain('past the end of the tensor')
  })

  test('arithmetic with its numbers, or what was asked', () => {
    const because: Decision['because'] = [
      {kind: 'arithmetic', name: 'n', expression: 'GetDim(0)', values: [], result: 7},
      {kind: 'arithmetic', name: 'm', expression: 'n * 2', values: [['n', 7]], worked: '7 × 2', result: 14},
    ]
    expect(english([decision('handed-over', 'worked', because)])).toEqual([
      'Other values: `n = 7` (`GetDim(0)`); `m = 7 × 2 = 14`.',
    ])
    // Of a kernel alone, neither what its host asks nor where that stands.
    const hidden = because.map((one) => ({...one, where: [['rows > 1', true]] as [string, boolean][]}))
    expect(english([decision('handed-over', 'worked', hidden)], 'void f() { tileLength; m; n; }')).toEqual([
      'Other values: `m = 7 × 2 = 14`.',
    ])
    // What a value is computed from is shown without the host's name for it; a number alone is not.
    const led: Decision['because'] = [
      {kind: 'arithmetic', name: 'unit', expression: '32', values: [['a', 1]], worked: '32', result: 32},
      ...because,
      {
        kind: 'arithmetic',
        name: 'p',
        expression: 'm + unit',
        values: [
          ['m', 14],
          ['unit', 32],
        ],
        worked: '14 + 32',
        result: 46,
      },
      {kind: 'arithmetic', name: 'unused', expression: 'n + 1', values: [['n', 7]], worked: '7 + 1', result: 8},
    ]
    expect(english([decision('handed-over', 'worked', led)], 'void f() { tileLength; p; }')).toEqual([
      'Other values: `7 × 2 = 14`; `p = 14 + 32 = 46`.',
    ])
  })

  test('no cap of a host that is not shown', () => {
    const cap = {...decision('tile', 'cap-unsaid'), values: {...decision('tile', 'cap-unsaid').values, limit: 64}}
    const values = {...cap.values, most: 64, asked: 8, needed: 0, of: 'units', least: 'limit', capacity: 196_352}
    expect(english([{...cap, values}])).toHaveLength(1)
    expect(english([{...cap, values}], 'tileLength')).toEqual([])
  })

  test('a step without its name by what it is, and why the platform reports less memory than there is', () => {
    const step = (
      name: string,
      worked: string,
      result: number,
      role: ArithmeticRole,
      values: [string, number][] = [],
    ) => ({kind: 'arithmetic', name, expression: name, values, worked, result, role}) as const
    const because: Decision['because'] = [
      step('ub', '196608 - 256', 196_352, 'reported'),
      step('each', '3 * 8', 24, 'cost'),
      step('tileLength', '⌊196352 / 24⌋', 8181, 'fits', [
        ['ub', 196_352],
        ['each', 24],
      ]),
    ]
    const rest = "`196608 - 256 = 196352` bytes of UB that tiling may plan with, since the last 256 are the library's"
    expect(english([decision('handed-over', 'worked', because)], 'tileLength')).toEqual([
      `Other values: ${rest}; \`3 * 8 = 24\` bytes for each element of a tile; \`tileLength = ⌊196352 / 24⌋ = 8181\`.`,
    ])
    const [named] = english([decision('handed-over', 'worked', because)])
    expect(named).toContain(
      "`ub = 196608 - 256 = 196352` bytes of UB that tiling may plan with, since the last 256 are the library's; " +
        '`each = 3 * 8 = 24`;',
    )
  })

  test('of a last share that it may be shorter, as it may not', () => {
    for (const situation of ['whole-units', 'ceil'])
      for (const at of [0, 1, 2, 3, 4]) {
        const all = tellDecisions([decision('host-share', situation)], nth('en', at)).join(' ')
        expect(all).not.toMatch(/last core gets less|a shorter last share, since/)
        const chinese = tellDecisions([decision('host-share', situation)], nth('zh', at)).join(' ')
        expect(chinese).not.toMatch(/(?<!可能)(?:少一些。|偏短)/)
      }
  })

  test('of a kernel alone only what stands in it', () => {
    const because = [counterfactual('no-bound', ...seenAs('wrong'))]
    const one = {...decision('range', 'observed', because), subject: ''}
    expect(english([one], 'Mins(x,\n x, 20.0f, n);')).toHaveLength(1)
    expect(english([one], 'Maxs(x, x, 20.0f, n);')).toEqual([])
  })

  test('units in number, and Chinese without spaces between its words', () => {
    const rows = decision('cores', 'few')
    const one = {...rows, values: {...rows.values, unit: 'rows', share: 1, blocks: 7, total: 7}}
    expect(english([one])[0]).toContain('7 rows of `y` do not occupy all 48 cores: at 1 row per core')
    const [chinese] = tellDecisions([one], nth('zh', 0))
    expect(chinese).toContain('`y` 只有 7 行，用不满 48 个核：每核 1 行，')
    expect(chinese).not.toMatch(/[\u4e00-\u9fff] [\u4e00-\u9fff]/)
  })

  test('nothing of what has no words, such as a time that the model lacks', () => {
    expect(english([decision('depth', '', [counterfactual('single-blocks', ...seenAs('equal'))])])).toEqual([])
    expect(
      english([decision('range', 'observed', [counterfactual('no-bound', {outcome: 'not-built', message: ''})])]),
    ).toEqual([])
  })

  test('one rule of two queues once', () => {
    const observed = {outcome: 'refused', rule: 'tensor-leak', api: 'FreeTensor', message: ''} as const
    const kept = ['a_', 'b_', 'c_'].map((subject) => counterfactual('not-given-back', observed, {subject}))
    const decisions = [decision('depth', 'several', kept.slice(0, 2)), decision('depth', 'several', kept.slice(2))]
    const names = (text: string) => ['a_', 'b_', 'c_'].filter((one) => text.includes(`\`${one}\``))
    expect(names(english(decisions).join())).toEqual(['a_'])
    // Of one that the code does not show nothing is told, so the next one is the first.
    expect(names(english(decisions, 'void f() { tileLength; b_; c_; }').join())).toEqual(['b_'])
  })

  test('different words by different seeds', () => {
    const texts = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map((seed) =>
      tellDecisions([decision('instructions', 'several')], speaker('en', seed)).join(),
    )
    expect(new Set(texts).size).toBeGreaterThan(3)
  })
})

test('the digest is of both languages', () => {
  expect(catalogueDigest()).toMatch(/^[0-9a-f]{16}$/)
})
