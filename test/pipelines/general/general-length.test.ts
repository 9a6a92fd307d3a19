import {describe, expect, test} from 'vitest'
import generalLength from '../../../pipelines/general/general-length.ts'
import {sample} from '../../datasets/rows.ts'
import {runStage} from '../../helpers/run-stage.ts'

/** So many words, a token each, of four characters, so that a cut between pieces cuts no word. */
const words = (count: number) => Array.from({length: count}, () => ' the').join('')
type Options = Parameters<typeof generalLength>[0]

async function outcome(options: Options, prompt: number, reply: number): Promise<string> {
  // The line break between thought and answer is a token as well.
  const one = sample({kind: 'general', prompt: words(prompt), reasoning: words(reply - 2), answer: ' the'})
  const {dropped} = await runStage(generalLength(options), [one])
  return dropped.map(({reason, detail}) => `${reason}: ${detail}`)[0] ?? 'kept'
}

describe('thought and answer are long enough', () => {
  test('by a limit', async () => {
    expect(await outcome({minTokens: 10}, 1, 10)).toBe('kept')
    expect(await outcome({minTokens: 10}, 1, 9)).toBe('too-short: 9 tokens, at least 10')
    expect(await outcome({minTokens: 10}, 100, 9)).toBe('too-short: 9 tokens, at least 10')
  })
  test('by default of 64 tokens', async () => {
    expect([await outcome({}, 1, 64), await outcome({}, 1, 63)]).toEqual(['kept', 'too-short: 63 tokens, at least 64'])
  })
})

describe('question, thought and answer fit together', () => {
  const options = {minTokens: 1, maxTokens: 100}
  test.each([
    [50, 50, 'kept'],
    [51, 50, 'too-long: more than 100 tokens'],
    [50, 51, 'too-long: more than 100 tokens'],
    [1, 100, 'too-long: more than 100 tokens'],
    [1, 99, 'kept'],
    [200, 3, 'too-long: more than 100 tokens'],
  ])('%i and %i tokens: %s', async (prompt, reply, expected) => {
    expect(await outcome(options, prompt, reply)).toBe(expected)
  })
  test('by default in 32,768 tokens', async () => {
    expect(generalLength().options).toEqual({minTokens: 64, maxTokens: 32_768})
    expect(await outcome({}, 32_668, 100)).toBe('kept')
    expect(await outcome({}, 32_669, 100)).toBe('too-long: more than 32768 tokens')
  })
})
