import {describe, expect, test} from 'vitest'
import type {ChatReply, ChatRequest, LanguageModel} from '../../../engine/llm/model.ts'
import {askTagged, parseTagged} from '../../../pipelines/code/kernel-reply.ts'

const reasonOf = (text: string) => {
  const reply = {text: `<reasoning>${text}</reasoning>`, finishReason: 'stop'} as ChatReply
  const parsed = parseTagged(reply, 'reasoning')
  return parsed.ok ? parsed.value : parsed.reason
}

test.each([
  'I ran it with one core and the result was the same.',
  'We have measured 20 microseconds.',
  'Running the kernel shows that the tail is cut.',
  'The test run confirmed it.',
  '运行结果表明尾块正确。',
  '该写法实测更快。',
])('a model cannot run code while it reasons: %s', (text) => {
  expect(reasonOf(text)).toBe('reply-claims-run')
})

test.each([
  'The loop runs three times, and each run of it copies a tile.',
  'A copy of 14 bytes would be refused; the run would end there.',
  'We run out of the unified buffer at 9817 elements.',
  '循环运行三轮，每轮执行一次搬运。',
])('what would happen is derived: %s', (text) => {
  expect(reasonOf(text)).toBe(text)
})

describe('a reply that cannot be kept', () => {
  const asked = async (...texts: string[]) => {
    const seen: string[][] = []
    const llm: LanguageModel = {
      identity: 'scripted',
      complete: ({messages}: ChatRequest) => {
        seen.push(messages.map(({content}) => String(content)))
        const cut = texts[0] === 'cut'
        return Promise.resolve({text: texts.shift() ?? '', finishReason: cut ? 'length' : 'stop', ...rest})
      },
    } as unknown as LanguageModel
    const faults = (text: string) => (text.includes('40') ? ['SIZE is 32 in the code, not 40'] : [])
    const {parsed} = await askTagged(llm, 'Why?', {tag: 'reasoning', faults}, AbortSignal.timeout(1000))
    return {seen, parsed}
  }
  const rest = {model: 'm', usage: {promptTokens: 1, completionTokens: 1}}
  const tagged = (text: string) => `<reasoning>${text}</reasoning>`
  const good = tagged('A block has 32 bytes.')

  test.each([
    ['contradicting', tagged('A block has 40 bytes.'), 'SIZE is 32 in the code, not 40'],
    ['boasting', tagged('I ran it and it was right.'), 'it claims that something was run or measured (I ran)'],
    ['out of form', 'A block has 32 bytes.', 'it has not the form that was asked for'],
    ['empty', '', 'there was no text'],
  ])('goes back once with the finding: %s', async (_, first, finding) => {
    const {seen, parsed} = await asked(first, good)
    expect(parsed).toEqual({ok: true, value: 'A block has 32 bytes.'})
    expect(seen[1]?.slice(0, 2)).toEqual(['Why?', first])
    expect(seen[1]?.[2]).toContain(finding)
  })

  test('is refused when the second is no better, by what is wrong with that', async () => {
    const {seen, parsed} = await asked(tagged('A block has 40 bytes.'), tagged('We measured 32 bytes.'), good)
    expect([seen.length, !parsed.ok && parsed.reason]).toEqual([2, 'reply-claims-run'])
  })

  test('is asked for no more where it was cut off, nor where it is good', async () => {
    expect((await asked('cut', good)).seen).toHaveLength(1)
    expect((await asked(good, good)).seen).toHaveLength(1)
  })
})
