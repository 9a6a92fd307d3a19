import type {Random} from '../../../engine/random.ts'
import {elementTypesOf} from '../element-types.ts'
import type {Facts} from '../section-facts.ts'
import type {Ask} from './ask.ts'
import {type Base, hasWord, mostBinding} from './ask-base.ts'
import {elementBytes} from './element-bytes.ts'

export function constraintAsks(own: Facts, page: Facts, base: Base, random: Random): Ask[] {
  const said = own.said.constraints ?? []
  if (said.length === 0) return []
  const names = new Set(page.parameters.flatMap((parameter) => parameter.names).filter((name) => name.length > 1))
  const items = mostBinding(said, 6).map((text) => ({text, about: [...names].filter((name) => hasWord(text, name))}))
  return [
    {kind: 'constraints', ...base, isCall: base.subject.kind === 'api', items, dtypes: elementTypesOf(page)},
    ...multipleAsk(said, page, base.api, random),
  ]
}

// Number and demand stand right behind the amount: a rule about another buffer in the same sentence is not this rule.
const amount = String.raw`(?:count\s*\*\s*sizeof\(T\)|数据量)`
const demand = '(?:必须|需要|需|应|要)(?:是|为)?'
const wholeUnits = String.raw`(\d+)\s*(?:字节|B)\s*(?:的?(?:整数)?倍|对齐)`
const englishRule = String.raw`count \* sizeof\(T\) must be a multiple of (\d+) bytes`
const multipleRule = new RegExp(String.raw`${amount}\s*${demand}\s*${wholeUnits}|${englishRule}`)

/** The rule that the amount of data is a multiple of some bytes, and how many. */
export function amountRule(lines: readonly string[]): {sentence: string; unitBytes: number} | undefined {
  const sentence = lines.find((line) => multipleRule.test(line))
  const unit = sentence === undefined ? undefined : multipleRule.exec(sentence)
  return sentence === undefined || !unit ? undefined : {sentence, unitBytes: Number(unit[1] ?? unit[2])}
}

/** "Is this count allowed?" where the page demands that `count * sizeof(T)` is a multiple of some bytes. */
function multipleAsk(said: readonly string[], page: Facts, api: string, random: Random): Ask[] {
  const rule = amountRule([...said, ...page.parameters.flatMap((parameter) => parameter.meaning)])
  if (!rule) return []
  const {sentence, unitBytes} = rule
  const dtype = random.pick(['half', 'float'])
  const dtypeBytes = elementBytes[dtype]!
  const whole = random.integer(2, 20) * (unitBytes / dtypeBytes)
  const count = random.integer(0, 1) === 0 ? whole : whole + random.integer(1, unitBytes / dtypeBytes - 1)
  return [{kind: 'multiple', api, sentence, unitBytes, dtype, dtypeBytes, count}]
}
