import {operatorKey, type Content} from './content.ts'
import {splitCode} from './contamination/normalize.ts'

/**
 * Finds the operator that a record teaches to write: the first whose whole code its prompt requests and its reply
 * contains. An operator is requested if its name, in any spelling, is next to the word "operator" or after the
 * request's verb, or anywhere in the prompt if the code also has the name.
 * @param keys of operators, by `operatorKey`
 * @param api names of interfaces: `Exp` may be requested as a call
 * @returns a function of a record and its code's names, which are only read if they decide
 */
export function operatorRequests(
  keys: ReadonlySet<string>,
  api: Iterable<string> = [],
): (content: Pick<Content, 'prompt' | 'replies' | 'files'>, named: () => Iterable<string>) => string | undefined {
  const interfaces = new Set([...api].map(operatorKey))
  const beginnings = beginningsOf(keys)
  return ({prompt, replies, files}, named) => {
    if (![...replies, ...files.map(({text}) => text)].some((text) => operatorCode.test(text))) return undefined
    const tokens = splitCode(prompt).prose.match(token) ?? []
    let names: ReadonlySet<string> | undefined
    for (const mention of mentions(tokens, keys, beginnings)) {
      const isWord = mention.isWord || interfaces.has(mention.key)
      names ??= new Set(named())
      if (names.has(mention.key) || isAsked(tokens, {...mention, isWord})) return mention.key
    }
    return undefined
  }
}

/** Device code, and code that registers, tiles or calls an operator. */
const operatorCode = /__aicore__|\b(?:OP_ADD|IMPL_OP\w*)\s*\(|\bBEGIN_TILING_DATA_DEF\b|\baclnnStatus\b/

const token = /[A-Za-z][A-Za-z0-9_]*|\d+|\p{Script=Han}+|\S/gu

/** A name in the prompt: its first token, and the one after it. */
interface Mention {
  key: string
  start: number
  end: number
  /** A name that could be an ordinary word: `add`. */
  isWord: boolean
}

/** `layer norm grad` is `LayerNormGrad`; the longest names of benchmarks have eleven words. */
const mostWords = 12

/** First words of operators' names, in any spelling. */
function beginningsOf(keys: ReadonlySet<string>): Set<string> {
  const beginnings = new Set<string>()
  for (const key of keys)
    for (const name of [`${key}custom`, `aclnn${key}custom`])
      for (let length = 1; length <= name.length; length += 1) beginnings.add(name.slice(0, length))
  return beginnings
}

function* mentions(
  tokens: readonly string[],
  keys: ReadonlySet<string>,
  beginnings: ReadonlySet<string>,
): Generator<Mention> {
  for (let start = 0; start < tokens.length; start += 1) {
    if (!/^[A-Za-z]/.test(tokens[start] ?? '')) continue
    let joined = ''
    for (let end = start + 1; end <= Math.min(tokens.length, start + mostWords); end += 1) {
      const last = tokens[end - 1] ?? ''
      if (!/^[A-Za-z\d]/.test(last)) break
      joined += last
      if (!beginnings.has(joined.toLowerCase().replaceAll('_', ''))) break
      const key = operatorKey(joined.replace(/^aclnn(?=[A-Z])/, ''))
      if (keys.has(key)) yield {key, start, end, isWord: end === start + 1 && /^[A-Z]?[a-z]+$/.test(last)}
    }
  }
}

const thing = /^(?:operators?|kernels?|ops?|implementation|算子|核函数)$/i
const hanThing = /^的?(?:昇腾|自定义|融合|矢量|向量|高性能|高效|完整)*的?(?:算子|核函数|内核|实现)/
const hanThingBefore = /(?:算子|核函数|名为|名称为|叫做|称为)$/
const hanVerb = /(?:实现|编写|写|开发|设计|生成|完成|移植|优化)(?:出|一个|一下|一份|完整的|高效的|自定义的?|的)*$/
const verb = new RegExp(
  '^(?:implement|write|code|develop|build|port|create|provide|give|need|want|run|design|make|compute|optimi[sz]e|' +
    'generate)s?$',
  'i',
)
const filler = new RegExp(
  '^(?:an?|the|me|us|our|my|for|of|to|complete|whole|full|custom|fused|fast|efficient|named|called|ascend|c|' +
    '(?:py)?torch|s)$',
  'i',
)
const mark = /^[`"'“”‘’*()（）《》「」:：]$/
const sentenceEnd = /^[.;!?。；！？]$/
const call = /^(?:interfaces?|apis?|calls?|instructions?|functions?|接口|指令|函数|的?(?:接口|指令|函数|调用))/i

/** Words allowed between a verb and a name that is not an ordinary word. */
const mostBetween = 4
/** A request this short is about the operator that it names. */
const shortRequest = 40

function isAsked(tokens: readonly string[], {start, end, isWord}: Mention): boolean {
  const after = tokens.slice(end, end + 5).filter((one) => !mark.test(one))
  if (call.test(after[0] ?? '')) return false
  if (start === 0 && /^[:：]$/.test(tokens[end] ?? '')) return true
  if (
    hanThing.test(after[0] ?? '') ||
    after
      .slice(0, 3)
      .find((one) => !filler.test(one))
      ?.match(thing)
  )
    return true
  const sentence = sentenceBefore(tokens, start)
  const close = sentence.filter((one) => !filler.test(one)).at(-1) ?? ''
  if (hanThingBefore.test(close) || thing.test(close) || verb.test(close) || hanVerb.test(close)) return true
  if (isWord) return false
  return sentence.slice(-mostBetween).some((one) => verb.test(one)) || tokens.length <= shortRequest
}

/** The text before a name in its sentence; for `torch.nn.relu`, the text before `torch`. */
function sentenceBefore(tokens: readonly string[], start: number): string[] {
  let first = start
  while (tokens[first - 1] === '.' && /^[a-z]/i.test(tokens[first - 2] ?? '')) first -= 2
  const before = tokens.slice(Math.max(0, first - 12), first)
  return before.slice(before.findLastIndex((one) => sentenceEnd.test(one)) + 1).filter((one) => !mark.test(one))
}
