import {CotSample} from '../../datasets/schema/sample.ts'
import {tokenCount} from '../../datasets/tokens/token-count.ts'
import {each, type Context, type Stage} from '../../engine/stage.ts'

interface GeneralLengthOptions {
  /** Tokens of reasoning and answer together. Default 64. */
  minTokens?: number
  /**
   * Tokens of question, reasoning and answer together. Default 32,768, the context that Qwen3 has without extension.
   */
  maxTokens?: number
}

/** Counted piece by piece, so that a text of five megabytes is refused after a small part. */
const pieceCharacters = 65_536

/**
 * Drops samples that are too short to show any reasoning, or too long for the target: `too-short`, `too-long`, in
 * tokens.
 */
export default function generalLength({
  minTokens = 64,
  maxTokens = 32_768,
}: GeneralLengthOptions = {}): Stage<CotSample, CotSample> {
  function check(sample: CotSample, {drop}: Context): readonly CotSample[] {
    const reply = tokensUpTo(`${sample.reasoning}\n${sample.answer}`, maxTokens)
    if (reply < minTokens) return drop(sample, 'too-short', `${reply} tokens, at least ${minTokens}`)
    const all = reply > maxTokens ? reply : reply + tokensUpTo(sample.prompt, maxTokens)
    return all > maxTokens ? drop(sample, 'too-long', `more than ${maxTokens} tokens`) : [sample]
  }

  return {
    name: 'general-length',
    version: 1,
    options: {minTokens, maxTokens},
    input: CotSample,
    output: CotSample,
    run: each(check),
  }
}

/** Tokens of a text, or any number above the limit. A cut between pieces adds at most one. */
function tokensUpTo(text: string, limit: number): number {
  let tokens = 0
  for (let start = 0; start < text.length && tokens <= limit; start += pieceCharacters)
    tokens += tokenCount(text.slice(start, start + pieceCharacters))
  return tokens
}
