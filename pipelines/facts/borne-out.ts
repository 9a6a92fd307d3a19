import {knownNames} from '../../cpp/interfaces.ts'
import type {Decision} from '../../datasets/schema/decision.ts'
import {namesOfDecision} from '../../datasets/decision-names.ts'
import {ubBytes} from './memory-plan.ts'
import {toldSums} from './sums.ts'

/** What a model was given to write from. */
interface Given {
  /** Everything that it was shown or wrote itself: facts, evidence, request, code. */
  text: string
  decisions: readonly Decision[]
}

/**
 * What a model's reasoning lacks or makes up, one sentence each: decisions with evidence of which it holds neither a
 * name nor a number, numbers that it neither was given nor works out in a sum, interfaces in backticks that it was not
 * given.
 */
export function notBorneOut(reasoning: string, {text, decisions}: Given): string[] {
  return [
    ...unsaid(reasoning, decisions),
    ...inventedNumbers(reasoning, text).map((one) => `${one} is neither given nor worked out`),
    ...inventedInterfaces(reasoning, text).map((name) => `${name} is in neither the code nor the evidence`),
  ]
}

function unsaid(reasoning: string, decisions: readonly Decision[]): string[] {
  const said = new Set(wordsIn(reasoning))
  const numbers = new Set(numbersIn(reasoning))
  return decisions
    .filter((decision) => {
      const [names, values] = [[...namesOfDecision(decision), decision.subject], numbersOf(decision)]
      const isMarked = decision.because.length > 0 && names.length + values.length > 0
      return isMarked && !names.some((name) => said.has(name)) && !values.some((value) => numbers.has(value))
    })
    .map(({topic, subject}) => `it says nothing of the decision on ${topic} (${subject})`)
}

const wordsIn = (text: string): string[] => text.match(/[A-Za-z_]\w*/g) ?? []

/** Numbers of two digits or more: smaller ones occur in any text. */
function numbersOf({values, because}: Decision): number[] {
  const results = because.flatMap((one) => (one.kind === 'arithmetic' ? [one.result] : []))
  return [...Object.values(values).flatMap((one) => numbersIn(String(one))), ...results].filter((one) => one >= 10)
}

const decimal = String.raw`\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?(?:e[+-]?\d+)?`
const written = new RegExp(String.raw`(?<![\w.])(?:0x[\da-fA-F]+|${decimal})(?=[fFuUlL]{0,3}(?!\w))`, 'g')

function numbersIn(text: string): number[] {
  return (text.match(written) ?? []).map((one) => Number(one.replace(/,/g, '')))
}

/** Of device and types: bytes of a block, a repeat, the unified buffer; limits of fields; bits and range of floats. */
const ofDevice: readonly number[] = [11, 16, 24, 32, 64, 128, 255, 256, 512, 2048, 4095, 65_504, 65_535, ubBytes]

/** A number follows from what was given, from a sum that is written out, or from two adjacent numbers. */
function inventedNumbers(reasoning: string, text: string): number[] {
  const known = [...new Set([...numbersIn(text), ...toldSums(reasoning), ...ofDevice])]
  const sentences = reasoning.split(/(?<=[.;:])\s+|(?<=[。；：])|\n+/).map(numbersIn)
  return sentences.flatMap((own, at) => {
    const beside = [...new Set([...(sentences[at - 1] ?? []), ...own])]
    return own.filter((one) => {
      const others = beside.filter((other) => other !== one)
      return one >= 10 && !known.some((value) => isShownAs(value, one)) && !isOfTwo(one, others)
    })
  })
}

/** As it is, in KB or from KB, or rounded to the digits that are shown. */
function isShownAs(value: number, shown: number): boolean {
  const digits = String(shown).split('.')[1]?.length ?? 0
  const isRounded = digits > 0 && Math.abs(value - shown) <= 0.5 * 10 ** -digits + 1e-9
  return isRounded || value === shown || value === shown * 1024 || value * 1024 === shown
}

function isOfTwo(one: number, beside: readonly number[]): boolean {
  const isFrom = (a: number, b: number) =>
    [a + b, a - b, a * b, a % b, a / b, Math.ceil(a / b), Math.floor(a / b), (100 * a) / b].some((value) =>
      isShownAs(value, one),
    )
  return beside.some((a) => [...beside, ...ofDevice].some((b) => isFrom(a, b) || isFrom(b, a)))
}

function inventedInterfaces(reasoning: string, text: string): string[] {
  const given = new Set(wordsIn(text))
  const quoted = [...reasoning.matchAll(/`([^`\n]+)`/g)].flatMap(([, code = '']) => wordsIn(code))
  return [...new Set(quoted)].filter((name) => knownNames.has(name) && !given.has(name))
}
