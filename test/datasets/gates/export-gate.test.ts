import {describe, expect, test} from 'vitest'
import {qwen3} from '../../../datasets/tokens/chat-format.ts'
import {completion} from '../../../datasets/tokens/chat-turns.ts'
import exportGate from '../../../datasets/gates/export-gate.ts'
import {readChatFormat} from '../../../datasets/tokens/read-chat-format.ts'
import type {CotSample, PreferencePair} from '../../../datasets/schema/sample.ts'
import {apiEntry, collect, errorEntry, executor, kernelSample, pair, recordingContext, sample, stream} from '../rows.ts'

async function reasonsOf(record: CotSample): Promise<string[]> {
  const context = recordingContext()
  const passed = await collect(exportGate({config: 'sft'}).run(stream([record]), context))
  expect(passed.length + context.drops.length).toBe(1)
  return context.drops.map(({reason}) => reason)
}

const code = 'uint32_t tiles = total / length;\nDataCopy(local, source[0], length);'

test.each([
  ['a bare fence', `\`\`\`\n${code}\n\`\`\``],
  ['a fence of a header', `\`\`\`h\n${code}\n\`\`\``],
  ['a fence of tildes', `~~~cpp\n${code}\n~~~`],
  ['an indented block', `so:\n\n    ${code.replace('\n', '\n    ')}`],
  ['a pre element', `<pre>${code}</pre>`],
])('code in %s passes only with its verdict', async (_, listing) => {
  const answer = `Copy a tile:\n\n${listing}\n`
  const files = [{path: 'example.cpp', text: `#include "kernel_operator.h"\n${code}\n`}]
  expect(await reasonsOf(sample({answer}))).toEqual(['unproven-code'])
  expect(await reasonsOf(sample({answer, files}))).toEqual(['unproven-code'])
  expect(await reasonsOf(sample({answer, files, verdict: {outcome: 'compiled', executor}}))).toEqual([])
  expect(
    await reasonsOf(
      sample({answer, files: [{path: 'a.cpp', text: 'int other;'}], verdict: {outcome: 'compiled', executor}}),
    ),
  ).toEqual(['unproven-code'])
})

test('listings that are no C++ need no verdict', async () => {
  for (const answer of [
    '```bash\nmake -j;\n```',
    '```cmake\nadd_executable(a a.cpp)\n```',
    '```text\nresult: 1 2 3\n```',
    'Only words; nothing else (of course).',
  ]) {
    expect(await reasonsOf(sample({answer}))).toEqual([])
  }
})

test('a kernel without files is unproven', async () => {
  expect(await reasonsOf(kernelSample({files: [], answer: 'prose'}))).toEqual(['unproven-code'])
  expect(await reasonsOf(kernelSample())).toEqual([])
})

test('a project sample passes only when its code ran, and parsed code needs no verdict', async () => {
  const project = {kind: 'project' as const, files: [], verdict: {outcome: 'compiled' as const, executor}}
  expect(await reasonsOf(sample({...project, proof: 'ran'}))).toEqual([])
  expect(await reasonsOf(sample({...project, proof: 'compiled'}))).toEqual(['unproven-code'])
  expect(await reasonsOf(sample(project))).toEqual(['unproven-code'])
  const {verdict: _, ...unjudged} = kernelSample()
  expect(await reasonsOf({...unjudged, proof: 'parsed'})).toEqual([])
  expect(await reasonsOf({...unjudged, proof: 'compiled'})).toEqual(['unproven-code'])
})

async function refusal(record: CotSample, options: Partial<Parameters<typeof exportGate>[0]> = {}) {
  const context = recordingContext()
  await collect(exportGate({...options, config: 'sft'}).run(stream([record]), context))
  return context.drops[0] && `${context.drops[0].reason}: ${context.drops[0].detail}`
}

async function pairRefusal(over: Partial<PreferencePair>) {
  const context = recordingContext()
  await collect(exportGate({config: 'dpo'}).run(stream([pair(over)]), context))
  return context.drops[0]?.reason
}

describe('texts that a template or a viewer would spoil', () => {
  test.each([
    ['an end tag inside code', {answer: 'Write `auto end = "</think>";`.'}, 'template-mark: </think> inside the reply'],
    ['a tag in the reasoning', {reasoning: 'Then <think> again.'}, 'template-mark: <think> inside the reply'],
    ['the end of a turn', {prompt: 'What does <|im_end|> do?'}, 'template-mark: <|im_end|> inside the prompt'],
    [
      'a mark of another model',
      {answer: 'It ends with <｜end▁of▁sentence｜>.'},
      'template-mark: <｜end▁of▁sentence｜> inside',
    ],
    ['a switch of reasoning', {prompt: 'Why? /no_think'}, 'template-mark: /no_think inside the prompt'],
    ['a blank reasoning', {reasoning: ' \n\u200B'}, 'empty-side'],
    ['a blank question', {prompt: '\u3000\n'}, 'empty-side'],
    ['a blank answer', {answer: '\t'}, 'empty-side'],
    ['the response of a tool', {prompt: '<tool_response>3</tool_response>'}, 'template-loses-text: the reasoning'],
  ])('%s is refused', async (_, over, words) => {
    expect(await refusal(sample(over))).toContain(words)
  })

  test.each([
    ['a comparison of pointers', {answer: 'It holds for a<b|c>d and a <| b.'}],
    ['a path of that name', {prompt: 'What is in src/think and a/no_think/b?'}],
    ['indents and line breaks', {answer: '\n\n  indented\n\n', reasoning: '\n  first\n\nsecond\n'}],
    ['a 60-digit integer', {answer: `The value is ${'123456'.repeat(10)}.`}],
    ['words for no number', {answer: 'The sum is NaN, the largest one Infinity.'}],
  ])('%s passes', async (_, over) => {
    expect(await refusal(sample(over))).toBeUndefined()
  })

  test('a row above 2 MB is refused though none of its cells is', async () => {
    const words = 'a kernel copies tiles in and out. '
    const long = (bytes: number) => words.repeat(Math.ceil(bytes / words.length))
    const near = sample({prompt: long(950_000), reasoning: long(900_000), answer: long(200_000)})
    expect(await refusal(near, {maxTokens: 1e9})).toMatch(/^row-too-large: \d+ bytes, limit 2000000; completion has 11/)
    expect(await refusal(sample({reasoning: long(400_000)}), {maxTokens: 1e9})).toBeUndefined()
    expect(await refusal(sample({answer: long(5_000_000)}), {maxTokens: 1e9})).toContain('row-too-large')
  })

  test('a tokenizer that is given decides on the length, and its marks are looked for', async () => {
    const format = await readChatFormat('test/fixtures/tokenizer')
    const answer = '搬运长度必须是三十二字节的整数倍。'.repeat(20)
    expect(await refusal(sample({answer}), {maxTokens: 700})).toBeUndefined()
    expect(await refusal(sample({answer}), {maxTokens: 700, format})).toMatch(/^too-long: \d{4} tokens, limit 700$/)
    const marked = sample({answer: 'It begins with <|fim_prefix|>.'})
    expect(await refusal(marked, {format})).toContain('template-mark')
  })

  test('the limit is met to the token', async () => {
    const record = sample({answer: '词 '.repeat(500)})
    const tokens = qwen3.tokens(record.prompt, completion(record.reasoning, record.answer))
    expect(await refusal(record, {maxTokens: tokens})).toBeUndefined()
    expect(await refusal(record, {maxTokens: tokens - 1})).toBe(`too-long: ${tokens} tokens, limit ${tokens - 1}`)
  })
})

describe('what may not be published', () => {
  const planted = `ghp_${'a1B2'.repeat(9)}`

  test.each([
    ['the prompt', {prompt: `Why does ${planted} fail?`}],
    ['the reasoning', {reasoning: `First ${planted} is read.`}],
    ['the answer', {answer: `Use ${planted}.`}],
  ])('a secret in %s is refused, and not told', async (_, over) => {
    expect(await refusal(sample(over))).toMatch(/^secret: (?!.*a1B2)/)
  })

  test('a secret in a file beside the answer is refused', async () => {
    const files = [{path: 'a.cpp', text: `// ${planted}\nint a;`}]
    expect(await refusal(sample({files, verdict: {outcome: 'compiled', executor}}))).toContain('secret')
  })

  test('personal data is refused by its kind alone', async () => {
    expect(await refusal(sample({answer: 'See /home/zhangsan/op.'}))).toBe('personal-data: home folder')
  })

  test('two languages, dead links and names of our own are refused by what is seen', async () => {
    const own = {answer: '见 twin/tensor.h:12 处的声明。'}
    expect(await refusal(sample({reasoning: `因为 ${'the page says it again and '.repeat(2)}`}))).toMatch(/^two-lang/)
    expect(await refusal(sample({prompt: '[接口](a.md)的搬运长度有什么限制？'}))).toBe('dead-link: [接口](a.md)')
    expect(await refusal(sample(own))).toBe('own-name: twin/t')
    expect(await refusal(sample({...own, kind: 'general'}))).toBeUndefined()
    const context = recordingContext()
    const english = 'First the host works out how many rows each core takes.'
    const told = pair({prompt: '请实现算子。', chosen: {...pair().chosen, reasoning: english}})
    await collect(exportGate({config: 'dpo'}).run(stream([told]), context))
    expect(context.drops.map(({reason}) => reason)).toEqual(['two-languages'])
  })

  test('in an index and in a table of errors too', async () => {
    const context = recordingContext()
    await collect(exportGate({config: 'apis'}).run(stream([apiEntry({purpose: planted})]), context))
    const error = {...errorEntry().error, code: `auto t = "${planted}";`}
    await collect(exportGate({config: 'errors'}).run(stream([errorEntry({error})]), context))
    expect(context.drops.map(({reason}) => reason)).toEqual(['secret', 'secret'])
  })
})

describe('the shape of a pair', () => {
  test('sides with no reasoning keep their empty think block', async () => {
    expect(await pairRefusal({})).toBeUndefined()
  })

  test('sides that differ in comments alone are the same', async () => {
    const {chosen, rejected} = pair()
    const files = chosen.files.map((file) => ({...file, text: `// another word\n${file.text}`}))
    expect(await pairRefusal({rejected: {...rejected, files, answer: 'Other words.'}})).toBe('same-sides')
  })

  test('a side that repeats its question is refused', async () => {
    const {prompt, chosen} = pair()
    expect(await pairRefusal({chosen: {...chosen, answer: `${prompt}\n\n${chosen.answer}`}})).toBe('prompt-in-reply')
  })

  test('a think tag in either side is refused', async () => {
    const {rejected} = pair()
    expect(await pairRefusal({rejected: {...rejected, answer: `${rejected.answer}</think>`}})).toBe('template-mark')
  })
})

test('a row of general reasoning needs no executor for its code', async () => {
  const answer = `In C++:\n\n\`\`\`cpp\n${code}\n\`\`\`\n`
  expect(await refusal(sample({answer, kind: 'general' as CotSample['kind']}))).toBeUndefined()
})

describe('the limit of a row', () => {
  const words = 'a kernel copies tiles in and out. '
  const answerOf = (bytes: number) => words.repeat(Math.ceil(bytes / words.length)).slice(0, bytes)
  const told = (bytes: number) => refusal(sample({answer: answerOf(bytes)}), {maxTokens: 1e9})

  test('is met to the byte', async () => {
    const [, all = ''] = /^row-too-large: (\d+) bytes/.exec((await told(2_100_000)) ?? '') ?? []
    const beside = Number(all) - 2_100_000
    expect(beside).toBeGreaterThan(0)
    expect(await told(2_000_000 - beside)).toBeUndefined()
    expect(await told(2_000_001 - beside)).toMatch(/^row-too-large: 2000001 bytes, limit 2000000; completion has /)
  })
})
