import * as o200k from 'gpt-tokenizer/encoding/o200k_base'
import {O200K_TOKEN_SPLIT_REGEX} from 'gpt-tokenizer/encodingParams/constants'

// Measures length when no `tokenizer.json` of a model is given. The built package holds this vocabulary
// only, out of the library's six.

// Spellings of special tokens count as plain text.
const plainText = {disallowedSpecial: new Set<string>()}

/** Tokens of a text under o200k_base. */
export const o200kTokens = (text: string): number => o200k.countTokens(text, plainText)

/** How the encoding cuts a text before it looks for tokens. */
export const o200kWords: RegExp = O200K_TOKEN_SPLIT_REGEX

/** Does without the library's own table of 100,000 pieces, for callers that keep one. */
export const keepNoPieces = (): void => o200k.setMergeCacheSize(0)
