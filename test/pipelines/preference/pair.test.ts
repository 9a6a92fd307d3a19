import {describe, expect, test} from 'vitest'
import type {LabelledCandidate} from '../../../datasets/schema/candidate.ts'
import pair, {type PairOptions} from '../../../pipelines/preference/pair.ts'
import {runStage} from '../../helpers/run-stage.ts'
import {codeNamed, executor, fixtureTask, labelled} from './records.ts'

const answer = labelled('green', 'answer', {kind: 'answer'})
const pairs = (items: LabelledCandidate[], options: PairOptions = {}) => runStage(pair(options), items)
const codes = ({files}: {files: {text: string}[]}) => /^\/\/ (.*)/.exec(files[0]?.text ?? '')?.[1]
const model = (sample: number) => ({kind: 'model', model: 'm', sample}) as const
const greens = (...names: string[]) => names.map((name, sample) => labelled('green', name, model(sample)))
const oranges = (...names: string[]) => names.map((name) => labelled('orange', name))
const withText = (candidate: LabelledCandidate, text: string): LabelledCandidate => ({
  ...candidate,
  files: [{path: 'op_kernel/scale_shift.cpp', text}],
})

test('green is preferred to orange and to purple, orange ones first', async () => {
  const {outputs, dropped} = await pairs([labelled('purple', 'p'), answer, labelled('orange', 'o')])
  expect(
    outputs.map(({strategy, chosen, rejected}) => [
      strategy,
      codes(chosen),
      chosen.label,
      codes(rejected),
      rejected.label,
    ]),
  ).toEqual([
    ['execution-fail', 'answer', 'green', 'o', 'orange'],
    ['compile-fail', 'answer', 'green', 'p', 'purple'],
  ])
  expect(dropped).toEqual([])
})

describe('strategies', () => {
  const all = [answer, ...oranges('o', 'q'), labelled('purple', 'p')]
  test.each([
    [['execution-fail'], ['answer>o', 'answer>q'], ['other-strategy']],
    [['compile-fail'], ['answer>p'], ['other-strategy', 'other-strategy']],
    [['orange-over-purple'], ['o>p'], ['other-strategy']],
    [['execution-fail', 'compile-fail', 'orange-over-purple'], ['answer>o', 'answer>p', 'o>p'], ['used-up']],
  ] as const)('%j', async (strategies, made, reasons) => {
    const {outputs, dropped} = await pairs(all, {strategies})
    expect(outputs.map(({chosen, rejected}) => `${codes(chosen)}>${codes(rejected)}`)).toEqual(made)
    expect(dropped.map(({reason}) => reason)).toEqual(reasons)
    for (const {strategy} of outputs) expect(strategies).toContain(strategy)
  })
})

test('each text, names and layout, is refused where it is preferred', async () => {
  const texts = [undefined, ['drop-const'], ['rename-locals', 'auto-type']]
  const right = texts.map((rewrites, at) =>
    labelled('green', `right ${at}`, rewrites ? {kind: 'variant', rewrites} : {kind: 'answer'}),
  )
  const wrong = texts.flatMap((rewrites, at) =>
    ['a', 'b', 'c'].map((one) => {
      const fault = {kind: 'mutation', mutation: one, detail: ''} as const
      return labelled('orange', `wrong ${at} ${one}`, {...fault, ...(rewrites && {rewrites})})
    }),
  )
  const {outputs} = await pairs([...right, ...wrong])
  const timesOf = (side: 'chosen' | 'rejected') =>
    texts.map((_, at) => outputs.filter((one) => codes(one[side])?.split(' ')[1] === String(at)).length)
  expect(timesOf('chosen')).toEqual([2, 2, 2])
  // In the order of the candidates it would be 3, 3 and 0.
  expect(timesOf('rejected').map((times) => times > 0)).toEqual([true, true, true])
})

test('a pair says where it comes from, what made it and how far its sides are apart', async () => {
  const [first] = (await pairs([answer, labelled('orange', 'o')])).outputs
  const task = await fixtureTask()
  expect(first).toMatchObject({
    task: 'ScaleShift',
    prompt: 'Write ScaleShift.',
    origin: task.origin,
    stages: {pair: 4},
    // Eight statements of each side; the head and the brace are common.
    changed: {lines: 16, share: 16 / 20},
  })
  expect(first?.rejected).toMatchObject({sampler: {kind: 'mutation', mutation: 'o'}, verdict: {outcome: 'mismatched'}})
  expect(first?.chosen.answer).toBe(
    `================== op_kernel/scale_shift.cpp ==================\n\`\`\`cpp\n${codeNamed('answer')}\`\`\``,
  )
})

describe('candidates of two executors', () => {
  const board = {...executor, name: 'cann-board', fingerprint: 'board'}
  const by = (candidate: LabelledCandidate) => ({...candidate, verdict: {...candidate.verdict, executor: board}})
  /** What the first found correct, with the second's verdict on it. */
  function confirmed(code: string, label: 'green' | 'orange' | 'purple', author = model(7)): LabelledCandidate {
    const [first, second] = [labelled('green', code).verdict, by(labelled(label, code)).verdict]
    return labelled(label, code, author, {verdict: second, confirmation: {first, second}})
  }

  test('are no pair where none of the two judged both', async () => {
    const {outputs, dropped} = await pairs([answer, by(labelled('orange', 'o'))])
    expect(outputs).toEqual([])
    const detail = 'ScaleShift: no executor tells it from one to pair it with'
    expect(dropped).toEqual([
      {reason: 'other-executor', detail},
      {reason: 'other-executor', detail},
    ])
  })

  test('are a pair where the second confirmed the better one, and both verdicts stay', async () => {
    const {outputs} = await pairs([confirmed('good', 'green'), labelled('orange', 'o')])
    expect(outputs).toHaveLength(1)
    expect(outputs[0]?.chosen).toMatchObject({
      verdict: {executor: board},
      confirmation: {first: {outcome: 'correct', executor}, second: {outcome: 'correct', executor: board}},
    })
    expect(outputs[0]?.rejected).not.toHaveProperty('confirmation')
  })

  test('are a pair where the second refuted the worse one that the first found correct', async () => {
    const {outputs} = await pairs([confirmed('good', 'green'), confirmed('refuted', 'purple', model(8))])
    expect(outputs.map(({chosen, rejected}) => [codes(chosen), codes(rejected)])).toEqual([['good', 'refuted']])
  })

  test('are no pair where the only executor of both finds both correct', async () => {
    const {outputs, dropped} = await pairs([answer, confirmed('refuted', 'orange')])
    expect(outputs).toEqual([])
    expect(dropped.map(({reason}) => reason)).toEqual(['other-executor', 'other-executor'])
  })

  test('are a pair where the second compiles only, and the worse one does not compile by it', async () => {
    const compiled = {outcome: 'compiled', executor: board} as const
    const first = answer.verdict
    const right = {...answer, confirmation: {first, second: compiled}}
    const {outputs} = await pairs([right, confirmed('refuted', 'purple')])
    expect(outputs.map(({strategy}) => strategy)).toEqual(['compile-fail'])
  })
})

test('equals are never paired: without green or without a negative there is no pair, and it is said why', async () => {
  expect(await pairs([labelled('orange', 'a'), labelled('purple', 'b')])).toEqual({
    outputs: [],
    dropped: [
      {reason: 'no-green', detail: 'ScaleShift: no candidate is correct'},
      {reason: 'no-green', detail: 'ScaleShift: no candidate is correct'},
    ],
  })
  expect((await pairs([answer])).dropped.map(({reason}) => reason)).toEqual(['no-negative'])
})

test('a mutant that was judged correct is on neither side, nor is a correct answer made plainer', async () => {
  const rewound = labelled('green', 'plain', {kind: 'rewound', steps: ['one-buffer']})
  const {outputs, dropped} = await pairs([answer, labelled('green', 'harmless'), rewound, ...oranges('o', 'q')])
  expect(outputs.map(({chosen, rejected}) => [codes(chosen), codes(rejected)])).toEqual([
    ['answer', 'o'],
    ['answer', 'q'],
  ])
  expect(dropped).toEqual([
    {reason: 'equivalent-mutant', detail: 'harmless, harmless'},
    {reason: 'rewound', detail: 'ScaleShift: one-buffer'},
  ])
})

test('a reply without code is on no side', async () => {
  const unread = labelled('purple', 'p', model(0), {unreadable: 'no banner'})
  const {outputs, dropped} = await pairs([answer, unread, labelled('orange', 'o')])
  expect(outputs.map(({rejected}) => codes(rejected))).toEqual(['o'])
  expect(dropped).toEqual([{reason: 'reply-without-code', detail: 'no banner'}])
})

test('candidates with the same code make one pair', async () => {
  const {outputs, dropped} = await pairs([answer, labelled('orange', 'same'), labelled('orange', 'same')])
  expect(outputs).toHaveLength(1)
  expect(dropped.map(({reason}) => reason)).toEqual(['same-code'])
})

test('several correct samples take turns as the chosen side, each as often as it may', async () => {
  const worse = oranges('a', 'b', 'c', 'd', 'e')
  const {outputs, dropped} = await pairs([...greens('g0', 'g1'), ...worse])
  const uses = outputs.map(({chosen}) => codes(chosen))
  expect(uses.slice(0, 2).sort()).toEqual(['g0', 'g1'])
  expect(uses.slice(2).sort()).toEqual(['g0', 'g1'])
  expect(dropped).toEqual([{reason: 'used-up', detail: 'ScaleShift: 2 better candidates, none for this one'}])
  expect((await pairs([...greens('g0', 'g1'), ...worse], {maxPairsPerChosen: 1})).outputs).toHaveLength(2)
})

describe('sides that are nearly equal', () => {
  const long = (name: string) => [codeNamed('one'), codeNamed('two'), codeNamed('three'), codeNamed(name)].join('\n')
  const kept = withText(answer, long('four'))
  const changedIn = (text: string) => pairs([kept, withText(labelled('orange', 'o'), text)])

  test('are refused: one statement in forty', async () => {
    const {outputs, dropped} = await changedIn(long('four').replace(/value = 0x\w+;\n\}\n$/, 'value = 0;\n}\n'))
    expect(outputs).toEqual([])
    expect(dropped.map(({reason}) => reason)).toEqual(['near-equal'])
  })
  test('are refused when only names, comments and layout differ', async () => {
    const renamed = long('four').replaceAll('value', 'amount').replaceAll('\n  ', ' ').replaceAll('// ', '// so ')
    expect((await changedIn(renamed)).dropped.map(({reason}) => reason)).toEqual(['near-equal'])
  })
  test('are taken when eight of forty statements differ', async () => {
    expect((await changedIn(long('five'))).outputs).toHaveLength(1)
  })
  test('are set against another text where there is one', async () => {
    const other = labelled('green', 'other', {kind: 'variant', rewrites: ['loop-form']})
    const mutant = withText(labelled('orange', 'o'), codeNamed('answer').replace('value', '++value'))
    const {outputs} = await pairs([answer, other, mutant])
    expect(outputs.map(({chosen}) => codes(chosen))).toEqual(['other'])
  })
})

describe('length', () => {
  const ofLength = (candidate: LabelledCandidate, name: string, more: number) =>
    withText(candidate, codeNamed(name) + '  step();\n'.repeat(more))

  test('a side more than half as long again is no partner', async () => {
    const {outputs, dropped} = await pairs([answer, ofLength(labelled('orange', 'o'), 'o', 60)])
    expect(outputs).toEqual([])
    expect(dropped.map(({reason}) => reason)).toEqual(['length-ratio'])
  })
  test('chosen sides are longer as often as they are shorter', async () => {
    const better = ['long0', 'long1', 'short0', 'short1'].map((name, sample) =>
      ofLength(labelled('green', name, model(sample)), name, name.startsWith('long') ? 12 : 0),
    )
    const worse = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => ofLength(labelled('orange', name), name, 6))
    const {outputs} = await pairs([...better, ...worse])
    const longer = outputs.map(({chosen, rejected}) => chosen.answer.length > rejected.answer.length)
    expect(longer.filter(Boolean)).toHaveLength(3)
    expect(longer).toHaveLength(6)
  })
})

test('over the limit, repeated kinds of failure go before rare ones, and strategies take turns', async () => {
  const violated = labelled('orange', 'v', undefined, {
    verdict: {
      outcome: 'violated',
      case: '0',
      violation: {rule: 'queue-state', block: 0, api: 'EnQue', tensor: 'x', message: 'm', fix: 'f'},
      executor,
    },
  })
  const {outputs, dropped} = await pairs(
    [...greens('g0', 'g1'), ...oranges('a', 'b'), violated, labelled('purple', 'p')],
    {maxPairsPerTask: 3},
  )
  expect(outputs.map(({rejected}) => codes(rejected))).toEqual(['a', 'p', 'v'])
  expect(dropped).toEqual([
    {reason: 'over-limit', detail: 'ScaleShift has 4 candidates to refuse, at most 3 are paired'},
  ])
})

test('tasks are never mixed', async () => {
  const task = await fixtureTask()
  const other = {...task, name: 'Other', origin: {...task.origin, path: 'level1/Math/Other'}}
  const {outputs, dropped} = await pairs([
    answer,
    labelled('orange', 'a'),
    {...labelled('purple', 'b'), task: other, prompt: 'Write Other.'},
  ])
  expect(outputs.map((each) => each.task)).toEqual(['ScaleShift'])
  expect(dropped.map(({detail}) => detail)).toEqual(['Other: no candidate is correct'])
})

test('the same candidates give the same pairs', async () => {
  const items = [answer, ...greens('g0', 'g1'), ...oranges('a', 'b', 'c', 'd'), labelled('purple', 'p')]
  expect(await pairs(items)).toEqual(await pairs(structuredClone(items)))
})

describe('reasoning', () => {
  const side = (label: 'green' | 'orange', reasoning: string) => labelled(label, label, model(0), {reasoning})
  test.each([
    ['think', 'hm', ['think', 'hm']],
    ['think', '', ['', '']],
    ['', 'hm', ['', '']],
  ])('chosen %j and rejected %j become %j', async (chosen, rejected, kept) => {
    const [first] = (await pairs([side('green', chosen), side('orange', rejected)])).outputs
    expect([first?.chosen.reasoning, first?.rejected.reasoning]).toEqual(kept)
  })
  test("a model's is not set against what was composed", async () => {
    const composed = labelled('orange', 'o', undefined, {reasoning: 'composed'})
    const [first] = (await pairs([side('green', 'think'), composed])).outputs
    expect([first?.chosen.reasoning, first?.rejected.reasoning]).toEqual(['', ''])
    const [second] = (await pairs([{...answer, reasoning: 'composed too'}, composed])).outputs
    expect([second?.chosen.reasoning, second?.rejected.reasoning]).toEqual(['composed too', 'composed'])
  })
})

describe('sides of one pair answer one question', () => {
  const [good, bad] = [labelled('green', 'a', {kind: 'answer'}), labelled('orange', 'b')]
  const {task} = bad
  const origin = {...task.origin}
  test.each<[string, Partial<LabelledCandidate>, pairs: number]>([
    ['the same prompt and task', {}, 1],
    ['another prompt', {prompt: 'Write ScaleShift with one core.'}, 0],
    ['a task of another repository', {task: {...task, origin: {...origin, repository: 'another/one'}}}, 0],
    ['a task at another path', {task: {...task, origin: {...origin, path: 'another/path'}}}, 0],
  ])('%s', async (_, change, count) => {
    expect((await pairs([good, {...bad, ...change}])).outputs).toHaveLength(count)
  })
})
