import {describe, expect, test} from 'vitest'
import {holdsThought, partThought} from '../../../sources/general/part-thought.ts'

const told = (text: string, apart = '') => {
  const {reasoning, answer} = partThought(text, apart)
  return `${reasoning}|${answer}`
}

describe('thought and answer', () => {
  test.each([
    ['<think>why</think>so', 'why|so'],
    ['<|begin_of_thought|>why<|end_of_thought|>\n<|begin_of_solution|> so <|end_of_solution|>', 'why|so'],
    ['<thinking>why</thinking><answer>so</answer>', 'why|so'],
    [' <reasoning>why</reasoning>so', 'why|so'],
    ['<thought>why</thought><answer>so</answer>', 'why|so'],
    ['<think>why</think><answer>so</answer>', 'why|so'],
    ['<think>why</think><answer>so', 'why|<answer>so'],
    ['<think>why</think>so</answer>', 'why|so</answer>'],
    ['so', '|so'],
    ['<thinking>why', 'why|'],
    ['so <thinking>why</thinking>', '|so <thinking>why</thinking>'],
  ])('of %j', (text, found) => {
    expect(told(text)).toBe(found)
  })

  test('that came apart stay apart', () => {
    expect(told('so', 'why')).toBe('why|so')
  })

  test('may print tags in code', () => {
    expect(told('<think>print `</think>` first</think>so')).toBe('print `</think>` first|so')
    expect(told('<think>a\n```\n</think>\n```\nb</think>so')).toBe('a\n```\n</think>\n```\nb|so')
    expect(told('<think>a\n~~~~\n```\n</think>\n~~~~\nb</think>so')).toBe('a\n~~~~\n```\n</think>\n~~~~\nb|so')
    expect(told('<think>why</think>use `<think>`')).toBe('why|use `<think>`')
    expect(told('[THINK]print `[/THINK]` first[/THINK]so')).toBe('print `[/THINK]` first|so')
    expect(told('close it with `</thought>` or `[/THINK]`')).toBe('|close it with `</thought>` or `[/THINK]`')
  })

  test('where a fence was left open across the border, all tags count', () => {
    expect(told('<think>a\n```\nb</think>\n```\nso')).toBe('a\n```\nb|```\nso')
  })

  test('hide nothing in a text that holds the hiding signs itself', () => {
    expect(told('<think>\uE0F0 why</think>so')).toBe('\uE0F0 why|so')
    expect(told('<think>\uE0F0think\uE0F1 `</think>` b</think>so')).toBe('\uE0F0think\uE0F1 `|` b</think>so')
  })
})

test.each([
  ['</think>', true],
  ['a</thinking>', true],
  ['<|end_of_thought|>', true],
  ['<think>', false],
  ['</answer>', false],
])('%j holds thought: %s', (text, holds) => {
  expect(holdsThought(text)).toBe(holds)
})
