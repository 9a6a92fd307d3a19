import {describe, expect, test} from 'vitest'
import exportGate from '../../datasets/gates/export-gate.ts'
import type {Config, RecordOf} from '../../datasets/schema/export.ts'
import type {CotSample, PreferenceSide} from '../../datasets/schema/sample.ts'
import {
  collect,
  executor,
  kernelSample,
  kernelText,
  modelledCost,
  optimisationPair,
  pair,
  recordingContext,
  sample,
  side,
  stream,
  unpairedReply,
} from './rows.ts'

/** What the gate says of a record, or that it passed. */
async function said<C extends Config>(config: C, record: RecordOf[C]): Promise<string> {
  const context = recordingContext()
  const passed = await collect(exportGate({config}).run(stream([record]), context))
  const drops = context.drops.map(({reason, detail}) => `${reason}: ${detail}`)
  return [...passed.map(() => 'passed'), ...drops].join('; ')
}

const nameless = {...executor, name: ' \u200b'}
const compiled = {outcome: 'compiled' as const, executor}
const failed = {outcome: 'compile-failed' as const, executor, log: '', diagnostics: []}
const hardened = (...passes: boolean[]): PreferenceSide['verdict'] => ({
  outcome: 'correct',
  executor,
  cases: passes.map((passed, at) => ({
    case: String(at),
    literal: true,
    hardened: passed,
    worstAbsolute: 0,
    worstRelative: 0,
    reason: '',
  })),
})

function without(record: CotSample, ...names: (keyof CotSample)[]): CotSample {
  return Object.fromEntries(
    Object.entries(record).filter(([name]) => !names.includes(name as keyof CotSample)),
  ) as never
}

describe('code of a sample', () => {
  const listing = `\`\`\`cpp\n${kernelText}\n\`\`\``
  const files = [{path: 'a.cpp', text: kernelText}]
  const unjudged = without(kernelSample(), 'verdict')

  test.each<[string, CotSample, string]>([
    ['compiled', kernelSample(), 'passed'],
    ['correct', kernelSample({verdict: hardened(true) as never}), 'passed'],
    ['that failed', kernelSample({verdict: failed as never}), 'unproven-code: outcome compile-failed'],
    ['without a verdict', unjudged, 'unproven-code: no verdict'],
    ['that was parsed', {...unjudged, proof: 'parsed'}, 'passed'],
    [
      'that was parsed, and then failed',
      kernelSample({proof: 'parsed', verdict: failed as never}),
      'unproven-code: outcome compile-failed',
    ],
    [
      'of an executor without a name',
      kernelSample({verdict: {...compiled, executor: nameless}}),
      'unproven-code: the executor is not named',
    ],
    [
      'of an executor without a fingerprint',
      kernelSample({verdict: {...compiled, executor: {...executor, fingerprint: ''}}}),
      'unproven-code: the executor is not named',
    ],
    [
      'of a kernel without files',
      kernelSample({files: [], answer: 'In words.'}),
      'unproven-code: a kernel sample without files',
    ],
    ['none, of documentation', sample(), 'passed'],
    ['of documentation, with files and a verdict', sample({answer: listing, files, verdict: compiled}), 'passed'],
    ['of documentation, with files alone', sample({answer: listing, files}), 'unproven-code: no verdict'],
    [
      'of which one listing is not among the files',
      kernelSample({answer: `${listing}\n\n\`\`\`cpp\nint other = 1;\n\`\`\``}),
      'unproven-code: the answer holds a listing that no executor was shown',
    ],
    [
      'that differs in comments and layout from its file',
      kernelSample({answer: `\`\`\`cpp\n// A kernel.\n${kernelText.replaceAll('\n', '\n\n')}\n\`\`\``}),
      'passed',
    ],
    [
      'of a project that was not run',
      kernelSample({kind: 'project', proof: 'compiled'}),
      'unproven-code: a project sample whose code was not run',
    ],
    ['of a project that ran', kernelSample({kind: 'project', proof: 'ran'}), 'passed'],
    [
      'of a project that ran, told in words',
      kernelSample({kind: 'project', proof: 'ran', files: [], answer: 'So.'}),
      'passed',
    ],
    [
      'of a project that ran, without its verdict',
      without(kernelSample({kind: 'project', proof: 'ran', files: [], answer: 'So.'}), 'verdict'),
      'unproven-code: no verdict',
    ],
    ['and nothing said', kernelSample({reasoning: '\n\u200d '}), 'empty-side: prompt, reasoning or answer is blank'],
  ])('%s', async (_, record, verdict) => {
    expect(await said('sft', record)).toBe(verdict)
  })
})

describe('sides of a pair', () => {
  const {chosen, rejected, prompt} = pair()
  const twoFiles = [...chosen.files, {path: 'b.cpp', text: 'int b;'}]

  test.each<[string, Parameters<typeof pair>[0], string]>([
    ['as they should be', {}, 'passed'],
    ['without a question', {prompt: '\t\u00ad'}, 'empty-side: prompt or answer is blank'],
    ['of which the chosen is blank', {chosen: {...chosen, answer: ' '}}, 'empty-side: prompt or answer is blank'],
    ['of which the rejected is blank', {rejected: {...rejected, answer: ' '}}, 'empty-side: prompt or answer is blank'],
    [
      'with the same words',
      {rejected: {...rejected, answer: chosen.answer, reasoning: chosen.reasoning}},
      'same-sides: both sides of ScaleCustom say the same',
    ],
    [
      'with the same files',
      {rejected: {...rejected, files: chosen.files}},
      'same-sides: both sides of ScaleCustom say the same',
    ],
    ['with a file more', {rejected: {...rejected, files: twoFiles}}, 'passed'],
    [
      'with a file less',
      {chosen: {...chosen, files: twoFiles}, rejected: {...rejected, files: chosen.files}},
      'passed',
    ],
    [
      'with the question in the chosen one',
      {chosen: {...chosen, answer: `So: ${prompt}`}},
      'prompt-in-reply: a side of ScaleCustom repeats its question whole',
    ],
    [
      'with the question in the rejected one',
      {rejected: {...rejected, answer: `So: ${prompt}`}},
      'prompt-in-reply: a side of ScaleCustom repeats its question whole',
    ],
    ['that are as good as each other', {chosen: {...chosen, label: 'purple'}}, 'no-preference: purple over purple'],
    [
      'the wrong way round',
      {chosen: {...chosen, label: 'purple'}, rejected: {...rejected, label: 'orange'}},
      'no-preference: purple over orange',
    ],
    ['one wrong, one that does not compile', {chosen: {...chosen, label: 'orange'}}, 'passed'],
    [
      'of which the best has no case',
      {chosen: {...chosen, verdict: hardened()}},
      'unproven-code: chosen: green without a hardened pass (correct)',
    ],
    [
      'of which the best fails a case',
      {chosen: {...chosen, verdict: hardened(true, false)}},
      'unproven-code: chosen: green without a hardened pass (correct)',
    ],
    [
      'of which the best did not compile',
      {chosen: {...chosen, verdict: rejected.verdict}},
      'unproven-code: chosen: green without a hardened pass (compile-failed)',
    ],
    [
      'of which nobody says who judged the chosen one',
      {chosen: {...chosen, verdict: {...chosen.verdict, executor: nameless}}},
      'unproven-code: chosen: the executor is not named',
    ],
    [
      'of which nobody says who judged the rejected one',
      {rejected: {...rejected, verdict: {...rejected.verdict, executor: nameless}}},
      'unproven-code: rejected: the executor is not named',
    ],
  ])('%s', async (_, over, verdict) => {
    expect(await said('dpo', pair(over))).toBe(verdict)
  })
})

describe('a step that makes a kernel faster', () => {
  const {chosen, rejected} = optimisationPair()

  test.each<[string, Parameters<typeof optimisationPair>[0], string]>([
    ['from correct to correct', {}, 'passed'],
    [
      'that changes nothing',
      {rejected: {...rejected, files: chosen.files}},
      'same-sides: both sides have the same code',
    ],
    ['to what is wrong', {chosen: {...chosen, label: 'orange'}}, 'no-preference: chosen is orange'],
    ['from what is wrong', {rejected: {...rejected, label: 'purple'}}, 'no-preference: rejected is purple'],
    [
      'to what was not judged',
      {chosen: {...chosen, verdict: hardened(false)}},
      'unproven-code: chosen: green without a hardened pass (correct)',
    ],
    [
      'from what was not judged',
      {rejected: {...rejected, verdict: hardened()}},
      'unproven-code: rejected: green without a hardened pass (correct)',
    ],
    [
      'with a mark in the slower answer',
      {rejected: {...rejected, answer: 'So <|im_end|>', cost: modelledCost(9)}},
      'template-mark: <|im_end|> inside the reply',
    ],
  ])('%s', async (_, over, verdict) => {
    expect(await said('optimisation', optimisationPair(over))).toBe(verdict)
  })
})

test.each<[string, Parameters<typeof unpairedReply>[0], string]>([
  ['that is proven', {}, 'passed'],
  ['that is wrong and says so', {label: 'purple', verdict: failed}, 'passed'],
  ['that is not proven', {verdict: hardened(false)}, 'unproven-code: reply: green without a hardened pass (correct)'],
  ['of nobody', {verdict: {...side().verdict, executor: nameless}}, 'unproven-code: reply: the executor is not named'],
  ['with a mark in its reasoning', {reasoning: 'So <think>'}, 'template-mark: <think> inside the reply'],
])('a reply alone %s', async (_, over, verdict) => {
  expect(await said('kto', unpairedReply(over))).toBe(verdict)
})

describe('marks of a template', () => {
  test.each([
    ['<think>', true],
    ['</think>', true],
    ['<|im_start|>', true],
    ['<|fim_middle|>', true],
    ['<|a|>', false],
    ['<|ab|>', true],
    ['<|AB|>', false],
    ['<|a_|>', false],
    ['<｜User｜>', true],
    [`<｜${'x'.repeat(40)}｜>`, true],
    [`<｜${'x'.repeat(41)}｜>`, false],
    ['<｜a\nb｜>', false],
    ['<thinking>', false],
  ])('%j: %s', async (mark, isOne) => {
    const verdict = isOne ? `template-mark: ${mark} inside the prompt` : 'passed'
    expect(await said('sft', sample({prompt: `What is ${mark} for?`}))).toBe(verdict)
  })

  test.each([
    ['/think', true],
    ['/no_think', true],
    ['/nothink', false],
    ['a/think', false],
    ['/think.', false],
    ['/thinking', false],
  ])('a switch %j in a question: %s', async (word, isOne) => {
    const verdict = isOne ? `template-mark: ${word} inside the prompt switches reasoning` : 'passed'
    expect(await said('sft', sample({prompt: `Why ${word} now?`}))).toBe(verdict)
    expect(await said('sft', sample({answer: `Because ${word} now.`}))).toBe('passed')
  })
})

test('the key of the gate holds its limit and the form of a conversation', () => {
  const {options} = exportGate({config: 'sft'})
  expect(options).toMatchObject({config: 'sft', maxTokens: 32_768})
})
