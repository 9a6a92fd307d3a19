import {describe, expect, test} from 'vitest'
import {compareFindings, type Pairing} from '../../../eval/agreement/compare-findings.ts'
import {findingOf, inWords, publicFinding, type Finding} from '../../../eval/agreement/verdict-finding.ts'
import {wilsonInterval} from '../../../eval/metrics.ts'
import {PublicVerdict, sourcesId, taskId} from '../../../datasets/schema/public-verdict.ts'
import type {Verdict} from '../../../datasets/schema/verdict.ts'
import {bisheng, candidate, verdict} from './judged-run.ts'

type Said = [outcome: Verdict['outcome'], text?: string]

const twinSays = (name: string, [outcome, text]: Said) => findingOf(candidate(name, verdict(outcome, text)))
const cannSays = (name: string, [outcome, text]: Said) => findingOf(candidate(name, verdict(outcome, text, bisheng)))

function kindOf(a: Said, b: Said): Pairing['kind'] | undefined {
  return compareFindings([twinSays('x', a)], [cannSays('x', b)]).pairs[0]?.kind
}

describe('two verdicts on one candidate', () => {
  const cases: [Said, Said, Pairing['kind']][] = [
    [['correct'], ['correct'], 'agrees'],
    [['correct'], ['compiled'], 'agrees'],
    [['mismatched'], ['compiled'], 'agrees'],
    [['correct'], ['not-covered'], 'untold'],
    [['compile-failed'], ['not-covered'], 'untold'],
    [['correct'], ['compile-failed'], 'right-and-wrong'],
    [['compiled'], ['link-failed'], 'right-and-wrong'],
    [['correct'], ['crashed'], 'right-and-wrong'],
    [['mismatched'], ['correct'], 'right-and-wrong'],
    [['cheated'], ['correct'], 'right-and-wrong'],
    [['mismatched'], ['compile-failed'], 'step'],
    [['mismatched'], ['violated'], 'step'],
    [['crashed'], ['timed-out'], 'class'],
    [['violated', 'read-unwritten'], ['violated', 'queue-state'], 'class'],
    [['violated', 'queue-state'], ['violated', 'queue-state'], 'agrees'],
    [['compile-failed', "use of undeclared identifier 'y'"], ['compile-failed', "expected ';'"], 'class'],
    [['compile-failed', "use of undeclared identifier 'y'"], ['compile-failed', 'words of no rule'], 'agrees'],
    [['mismatched', 'a'], ['mismatched', 'b'], 'agrees'],
  ]
  test.each(cases)('%j and %j: %s', (a, b, kind) => {
    expect(kindOf(a, b)).toBe(kind)
    expect(kindOf(b, a)).toBe(kind)
  })
})

describe('many', () => {
  const plan: [Said, Said][] = [
    [
      ['compile-failed', "expected ';'"],
      ['compile-failed', "expected ';'"],
    ],
    [
      ['compile-failed', "expected ';'"],
      ['compile-failed', "expected ')'"],
    ],
    [['crashed'], ['timed-out']],
    [['mismatched'], ['crashed']],
    [['mismatched'], ['correct']],
    [['correct'], ['mismatched']],
    [['correct'], ['compile-failed', "expected ';'"]],
    [['correct'], ['correct']],
    [['correct'], ['compiled']],
  ]
  const a = plan.map(([said], at) => twinSays(`c${at}`, said))
  const b = plan.map(([, said], at) => cannSays(`c${at}`, said))
  const compared = compareFindings([...a, twinSays('alone', ['correct'])], b)

  test('are counted step by step, with the interval of Wilson', () => {
    const [compile, run, numbers] = compared.confusions
    expect(compile).toMatchObject({both: 6, onlyA: 1, onlyB: 0, neither: 2, untold: 0})
    expect(run).toMatchObject({both: 3, onlyA: 1, onlyB: 0, neither: 1, untold: 4})
    expect(numbers).toMatchObject({both: 1, onlyA: 1, onlyB: 1, neither: 0, untold: 6})
    expect(compile?.agree).toEqual({part: 8, of: 9, ...wilsonInterval(8 / 9, 9)})
    expect(compared.firstErrors.words).toMatchObject({part: 1, of: 2})
    expect(compared.firstErrors.places).toMatchObject({part: 2, of: 2})
    expect([compared.pairs.length, compared.onlyA, compared.onlyB]).toEqual([9, 1, 0])
    expect(compared.outcomes).toContainEqual({a: 'correct', b: 'compiled', count: 1})
  })

  test('stand in the order of what matters: first what A holds for right and B refutes, early steps first', () => {
    expect(compared.groups.map(({kind, pairs: [one]}) => [kind, one?.a.outcome, one?.b.outcome])).toEqual([
      ['right-and-wrong', 'correct', 'compile-failed'],
      ['right-and-wrong', 'correct', 'mismatched'],
      ['right-and-wrong', 'mismatched', 'correct'],
      ['step', 'mismatched', 'crashed'],
      ['class', 'crashed', 'timed-out'],
    ])
  })

  test('against themselves: none disagrees', () => {
    const same = compareFindings(a, a)
    expect(same.groups).toEqual([])
    expect(same.firstErrors.words).toMatchObject({part: 2, of: 2})
    for (const {onlyA, onlyB} of same.confusions) expect(onlyA + onlyB).toBe(0)
  })

  test('without a pair there is no share', () => {
    expect(compareFindings(a, []).confusions[0]?.agree).toBeUndefined()
  })
})

describe('the same candidate', () => {
  const one = candidate('x', verdict('correct'))
  const own = findingOf(one)
  const sent = (over: object): Finding =>
    publicFinding(PublicVerdict.parse({task: one.task.name, sources: one.files, verdict: {...said}, ...over}))
  const said = {outcome: 'compiled', executor: {name: 'cann-compile'}}
  const isMatched = (a: Finding, b: Finding) => compareFindings([a], [b]).pairs.length === 1

  test('is found by its texts or their hash, by the name or the id of its task, in any order of files', () => {
    const more = [...one.files, {path: 'op_host/a.cpp', text: ''}]
    expect(sourcesId(more)).toBe(sourcesId([...more].reverse()))
    expect(isMatched(own, sent({}))).toBe(true)
    expect(isMatched(own, sent({sources: sourcesId(one.files), task: taskId(one.task)}))).toBe(true)
    expect(isMatched(own, sent({sources: sourcesId(more)}))).toBe(false)
    expect(isMatched(own, sent({task: 'AnotherCustom'}))).toBe(false)
  })

  test('is another one where the task asks for another thing under the same name', () => {
    const other = findingOf({...one, task: {...one.task, cases: one.task.cases.slice(0, 1)}})
    expect(one.task.cases.length).toBeGreaterThan(1)
    expect(isMatched(own, other)).toBe(false)
    const moved = {...one.task, origin: {...one.task.origin, path: 'elsewhere'}, answer: []}
    expect(isMatched(own, findingOf({...one, task: moved}))).toBe(true)
    expect(compareFindings([own, other], [sent({})])).toMatchObject({ambiguous: 1, onlyA: 2, onlyB: 0, pairs: []})
  })
})

test("a tool's own words are read like those of the executors here", () => {
  const log = [
    "/home/me/op_kernel/scale_shift.cpp:7:3: error: use of undeclared identifier 'y'",
    '  y = 1;',
    '1 error generated.',
  ].join('\n')
  const {verdict: read, ...rest} = PublicVerdict.parse({
    task: 'ScaleShift',
    sources: sourcesId([{path: 'a', text: ''}]),
    verdict: {outcome: 'compile-failed', log, executor: {name: 'cann-compile', compiler: 'bisheng'}},
  })
  const finding = publicFinding({...rest, verdict: read})
  expect(finding).toMatchObject({
    firstError: "use of undeclared identifier 'y'",
    place: 'scale_shift.cpp:7',
    class: 'variable-scope-and-lifetime',
  })
  expect(inWords(finding)).toContain("scale_shift.cpp:7: use of undeclared identifier 'y'")
})
