import {describe, expect, test} from 'vitest'
import type {ApiEntry} from '../../../datasets/schema/api-entry.ts'
import type {Candidate} from '../../../datasets/schema/candidate.ts'
import type {Failure} from '../../../datasets/schema/correction.ts'
import type {Verdict} from '../../../datasets/schema/verdict.ts'
import type {ChatReply} from '../../../engine/llm/model.ts'
import type {Context} from '../../../engine/stage.ts'
import {askForFix} from '../../../pipelines/correction/ask-for-fix.ts'
import type {CompileError} from '../../../pipelines/correction/compile-error.ts'
import type {FailureFacts} from '../../../pipelines/correction/failure-facts.ts'
import {replayModel} from '../../helpers/replay-llm.ts'
import {executor, labelled} from '../preference/records.ts'

const [kernel, host] = ['op_kernel/k.cpp', 'op_host/k.cpp']
const files = [
  {path: kernel, text: 'f(x);\ng(y);\nh(z);\n'},
  {path: host, text: 'a();\n'},
]
const right = [
  {path: kernel, text: 'f(x, 1);\ng(y);\nh(z);\n'},
  {path: host, text: 'a();\n'},
]
const shown = (text: string, path = kernel) => `================== ${path} ==================\n\`\`\`cpp\n${text}\`\`\``
const diagnostic = (message: string, line = 1) => ({severity: 'error' as const, file: kernel, line, column: 1, message})
const uncompiled = (message: string, line = 1): Verdict => ({
  outcome: 'compile-failed',
  diagnostics: [diagnostic(message, line)],
  log: `${kernel}:${line}:1: error: ${message}`,
  executor,
})
const correct: Verdict = {outcome: 'correct', cases: [], executor}
const crashed: Verdict = {outcome: 'crashed', case: '0', cause: 'signal 11', log: '', executor}

const failure: Failure = {
  ...labelled('purple', 'x', undefined, {files, written: [kernel], verdict: uncompiled('no f')}),
  reference: labelled('green', 'y', undefined, {files: right, written: [kernel]}),
}
const error = {message: 'no f'} as CompileError
const facts = (over: Partial<FailureFacts> = {}): FailureFacts => ({
  operator: 'K',
  edits: [],
  failed: files,
  right,
  error,
  observed: undefined,
  api: undefined,
  ...over,
})

interface Given {
  facts?: FailureFacts
  rounds?: number
  language?: 'en' | 'zh'
}
/** What comes of replies and of the verdicts on the code in them; what was asked, and what was judged. */
async function asked(replies: Partial<ChatReply>[], verdicts: Verdict[], given: Given = {}) {
  const llm = replayModel(replies)
  const judged: Candidate[] = []
  const check = {
    identity: 'c',
    judge: async (candidate: Candidate) => ({verdict: verdicts[judged.push(candidate) - 1] as Verdict}),
  }
  const question = {
    failure,
    facts: given.facts ?? facts(),
    request: 'Why?',
    language: given.language ?? ('en' as const),
  }
  const context = {signal: new AbortController().signal} as Context
  const outcome = await askForFix(question, {llm, check, rounds: given.rounds ?? replies.length}, context)
  return {outcome, judged, turns: llm.requests.at(-1)?.messages.map(({content}) => content) ?? []}
}

const fixed = shown('f(x, 1);\ng(y);\nh(z);\n')
const reply = (text = fixed, reasoning = 'Because.') => ({text, reasoning})

describe('a fix', () => {
  test('is the reply with the code that holds, and tells its round', async () => {
    const {outcome, judged} = await asked([reply()], [{outcome: 'compiled', executor}])
    expect(outcome).toEqual({
      reasoning: 'Because.',
      answer: fixed,
      files: [right[0]],
      teacher: {kind: 'model', model: 'replay'},
      verdict: {outcome: 'compiled', executor},
      rounds: 1,
    })
    expect(judged[0]?.files).toEqual([files[1], right[0]])
    expect(judged[0]).toMatchObject({
      sampler: {kind: 'answer'},
      reasoning: '',
      written: [kernel],
      prompt: failure.prompt,
    })
  })

  test('says before its code what it thinks, or what it says beside its thoughts', async () => {
    const text = `  Look.\n${fixed}`
    expect((await asked([{text}], [correct])).outcome).toMatchObject({reasoning: 'Look.', answer: fixed})
    expect((await asked([reply(text)], [correct])).outcome).toMatchObject({
      reasoning: 'Because.',
      answer: `Look.\n\n${fixed}`,
    })
  })

  test('may change a file that the candidate did not write', async () => {
    const {outcome} = await asked([reply(shown('b();\n', host))], [correct])
    expect(outcome).toMatchObject({files: [{path: host, text: 'b();\n'}]})
  })

  test.each<[Verdict['outcome'], boolean, boolean]>([
    ['correct', true, true],
    ['compiled', true, false],
    ['mismatched', true, false],
    ['violated', true, false],
    ['crashed', true, false],
    ['timed-out', true, false],
    ['launch-failed', true, false],
    ['link-failed', false, false],
    ['compile-failed', false, false],
    ['not-covered', false, false],
    ['cheated', false, false],
  ])('code that did not compile has to be built, a wrong operator to become correct: %s', async (outcome, ...holds) => {
    const verdict = {
      outcome,
      executor,
      cases: [],
      violation: {},
      diagnostics: [],
      log: '',
      cause: '',
      case: '0',
    } as unknown as Verdict
    const made = await Promise.all(
      [facts(), facts({error: undefined})].map((known) => asked([reply()], [verdict], {facts: known})),
    )
    expect(made.map((one) => 'rounds' in one.outcome)).toEqual(holds)
  })
})

describe('what is asked', () => {
  const turn = async (known: FailureFacts, language: 'en' | 'zh' = 'en') =>
    (await asked([reply()], [correct], {facts: known, language})).turns[0] ?? ''
  test('names the language and the question', async () => {
    expect(await turn(facts())).toContain('write the correction, in English.')
    expect(await turn(facts(), 'zh')).toContain('write the correction, in Chinese.')
    expect(await turn(facts())).toMatch(/# The question\n\nWhy\?\n$/)
  })
  test('tells of a wrong operator what the right one writes', async () => {
    expect(await turn(facts({error: undefined}))).toContain(
      `# For you alone\n\nThis operator for the same task is correct:\n\n${fixed}\n\n# The question`,
    )
  })
  test('tells of code that does not compile how the interface is declared, where a page does', async () => {
    expect(await turn(facts())).toContain('# For you alone\n\nNo page of the documentation tells more.\n\n#')
    const api = {
      name: 'f',
      purpose: 'Does it.',
      prototypes: [{text: 'void f(T x)'}, {text: 'void f(T x, int n)'}],
      constraints: ['n is even.', 'x is aligned.'],
    } as unknown as ApiEntry
    expect(await turn(facts({api}))).toContain(
      'alone\n\nf: Does it.\n\n```cpp\nvoid f(T x);\n\nvoid f(T x, int n);\n```\n\nn is even.\n\nx is aligned.\n\n#',
    )
  })
})

describe('what is not a fix is told, and asked again', () => {
  const again = (evidence: string) =>
    `That correction fails as well. What was seen of it:\n\n\`\`\`text\n${evidence}\n\`\`\`\n`

  test('up to so many rounds', async () => {
    const {outcome, turns} = await asked([reply(), reply()], [uncompiled('no g', 2), uncompiled('no h', 3)])
    expect(outcome).toEqual({reason: 'not-fixed', detail: 'ScaleShift, round 2: compile-failed'})
    expect(turns[1]).toBe(fixed)
    expect(turns[2]).toContain(again(`${kernel}:2:1: error: no g`))
    expect((await asked([], [], {rounds: 0})).outcome).toEqual({reason: 'not-fixed', detail: 'no attempt'})
    expect((await asked([reply(), reply()], [uncompiled('no g'), correct])).outcome).toMatchObject({rounds: 2})
  })

  const evidence = async (first: Partial<ChatReply>, verdict: Verdict[], known = facts()) =>
    (await asked([first, reply()], [...verdict, correct], {facts: known})).turns[2]
  test('an error that is the same one', async () => {
    const twice = await evidence(reply(), [uncompiled('no f')])
    expect(twice).toContain(again(`The same error is still there:\n${kernel}:1:1: error: no f`))
    const elsewhere = uncompiled('no f', 9)
    expect(await evidence(reply(), [elsewhere])).toContain(
      again(`The same error is still there:\n${kernel}:9:1: error: no f`),
    )
  })
  test('what the run showed, or else the outcome', async () => {
    const wrong = facts({error: undefined})
    expect(await evidence(reply(), [crashed], wrong)).toContain(again('case 0: crashed: signal 11'))
    expect(await evidence(reply(), [{outcome: 'not-covered', missing: [], executor}])).toContain(again('not-covered'))
  })
  test('a reply without code, or without a thought', async () => {
    const none = 'The reply holds no file of the question in the demanded form, or no reasoning before it.'
    expect(await evidence({text: 'Sorry.', reasoning: 'x'}, [])).toContain(again(none))
    expect(await evidence({text: fixed}, [])).toContain(again(none))
    const cut = {text: 'Well', reasoning: 'x', finishReason: 'length'}
    expect(await evidence(cut, [])).toContain(again(`The reply was cut off before its end. ${none}`))
    const {outcome} = await asked([{text: 'w'.repeat(90), reasoning: 'x'}], [])
    expect(outcome).toEqual({reason: 'reply-without-code', detail: `ScaleShift, round 1: stop: ${'w'.repeat(80)}`})
  })
  test('code that compiles because statements were left out; what is correct may be shorter', async () => {
    const [one, two] = [shown('f(x, 1);\ng(y);\n'), shown('f(x, 1);\n')]
    const compiled: Verdict = {outcome: 'compiled', executor}
    const stays = 'than the code of the question: code that works has to stay.'
    expect(await evidence(reply(one), [compiled])).toContain(again(`It compiles, but has 1 statement fewer ${stays}`))
    expect(await evidence(reply(two), [compiled])).toContain(again(`It compiles, but has 2 statements fewer ${stays}`))
    expect((await asked([reply(one)], [compiled])).outcome).toMatchObject({
      reason: 'code-left-out',
      detail: 'ScaleShift, round 1: 1 statement fewer',
    })
    expect((await asked([reply(two)], [correct])).outcome).toMatchObject({rounds: 1})
    const longer = shown('f(x, 1);\ng(y);\nh(z);\ni();\n')
    expect((await asked([reply(longer)], [compiled])).outcome).toMatchObject({rounds: 1})
  })
})
