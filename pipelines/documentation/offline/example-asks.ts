import type {ExampleFact, Facts} from '../section-facts.ts'
import {dtypesIn, weight} from '../sentences.ts'
import type {Ask, SizeFact} from './ask.ts'
import {type Base, hasWord, mentioning} from './ask-base.ts'
import {amountRule} from './constraint-asks.ts'
import {argumentsOf, type CallFact} from './calls.ts'
import {elementBytes} from './element-bytes.ts'
import {apisIn, isWholeCode} from './listing.ts'

export function exampleAsks(own: Facts, page: Facts, base: Base): Ask[] {
  return own.examples
    .filter((example) => isWholeCode(example.code) && mentionsApi(example.code, base.api, page))
    .filter(hasOwnLead)
    .slice(0, 3)
    .map((example) => exampleAsk(example, page, base))
}

function exampleAsk(example: ExampleFact, page: Facts, base: Base): Ask {
  const call = argumentsOf(example.code, page.prototypes, page.parameters)
  const given = call?.arguments ?? []
  const used = given.flatMap(({parameter}) => parameter?.names ?? [])
  const said = page.said.constraints ?? []
  const chosen = given.flatMap(({choice}) => choice?.name ?? [])
  const rules = mentioning(said, chosen)
  const constraints = said
    .filter((line) => !rules.includes(line) && (weight(line) >= 3 || used.some((name) => line.includes(name))))
    .slice(0, 2)
  const size = sizeOf(
    example,
    call,
    amountRule([...said, ...page.parameters.flatMap(({meaning}) => meaning)])?.unitBytes,
  )
  return {kind: 'example', ...base, example, call, size, apis: apisIn(example.code), constraints, rules}
}

/** Of examples that say nothing about themselves only the first is asked for: the questions would be the same. */
function hasOwnLead(example: ExampleFact, index: number): boolean {
  return index === 0 || (example.lead.length >= 4 && example.lead.length <= 120)
}

function mentionsApi(code: string, api: string, page: Facts): boolean {
  const names = [...(api.match(/[A-Za-z_]\w{2,}/g) ?? []), ...page.prototypes.map((prototype) => prototype.name)]
  return names.some((name) => hasWord(code, name))
}

function sizeOf(example: ExampleFact, call: CallFact | undefined, unitBytes: number | undefined): SizeFact | undefined {
  const [given, ...others] = (call?.arguments ?? []).filter(isLiteralCount)
  const [dtype, ...more] = dtypesIn(`${example.lead} ${example.code}`).filter(isElementType)
  const bytes = elementBytes[dtype ?? '']
  if (!given || others.length > 0 || dtype === undefined || more.length > 0 || bytes === undefined) return undefined
  const count = Number(given.value)
  return {count, dtype, bytes: count * bytes, unitBytes}
}

function isLiteralCount({name, value}: CallFact['arguments'][number]): boolean {
  return /^(?:count|calCount)$/.test(name) && /^\d+$/.test(value)
}

/** Integers also type counters and flags, so they do not tell what the tensors hold. */
function isElementType(dtype: string): boolean {
  return !/^(?:bool|u?int(?:8|16|32|64)_t)$/.test(dtype)
}
