import type {Random} from '../../../engine/random.ts'
import {dtypesIn} from '../sentences.ts'
import type {Ask} from './ask.ts'
import {mentioning} from './ask-base.ts'

interface SaidOnTypes {
  lines: readonly string[]
  /** The template parameter that the lines are about; '' for the operands. */
  owner: string
  api: string
  constraints: readonly string[]
}

/** "Is this type supported?" where one sentence says which are; the sentence itself where it makes exceptions. */
export function dataTypeAsk({lines, owner, api, constraints}: SaidOnTypes, random: Random): Ask[] {
  const [sentence, ...others] = lines.filter(namesSupportedTypes)
  if (sentence === undefined || others.length > 0) return []
  const supported = dtypesIn(sentence)
  const asked = isPlain(sentence) ? askedType(supported, random) : undefined
  const about = asked === undefined ? [] : mentioning(constraints, [asked]).slice(0, 2)
  return [{kind: 'data-types', api, owner, sentence, supported, asked, constraints: about}]
}

function namesSupportedTypes(line: string): boolean {
  return /支持|support|element type|类型为/i.test(line) && dtypesIn(line).length > 0
}

/** "T supports half; only int32_t needs EQ" carries exceptions: a yes or no would be too simple. */
function isPlain(sentence: string): boolean {
  return !/[；;]|仅|只|除|except|only|不支持|not /.test(sentence.replace(/\bonly\b.*$/, ''))
}

const commonTypes = ['bfloat16_t', 'int8_t', 'int64_t', 'half', 'float', 'int32_t', 'int16_t']

/** One time in three a type that is supported. */
function askedType(supported: readonly string[], random: Random): string {
  const others = commonTypes.filter((dtype) => !supported.includes(dtype))
  return random.pick(random.integer(0, 2) === 0 || others.length === 0 ? supported : others)
}
