import {expect, test} from 'vitest'
import type {ChatReply} from '../../../engine/llm/model.ts'
import {parseTagged} from '../../../pipelines/code/kernel-reply.ts'

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
