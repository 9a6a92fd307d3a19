import type {Random} from '../../../../engine/random.ts'
import {elementTypesOf} from '../../element-types.ts'
import {type ParameterFact, saysRange} from '../../parameter-table.ts'
import type {Facts} from '../../section-facts.ts'
import {dtypesIn} from '../../sentences.ts'
import type {Base} from '../ask-base.ts'
import {elementBytes} from '../element-bytes.ts'
import {typeLimit} from '../text.ts'

/** A planned call, some of its values against the rules of the page: which hold, and what to change. */
export interface CheckAsk {
  kind: 'check'
  api: string
  checks: Check[]
}

export type Check =
  | {rule: 'type'; of: 'tensor' | 'template'; asked: string; supported: string[]}
  | {rule: 'range'; name: string; value: number; low: number; high: number}
  | {rule: 'width'; name: string; value: number; bits: number; most: number}
  | {rule: 'amount'; dtype: string; dtypeBytes: number; count: number; unitBytes: number}

/** Whether what is planned is allowed. */
export function holds(check: Check): boolean {
  switch (check.rule) {
    case 'type':
      return check.supported.includes(check.asked)
    case 'range':
      return check.value >= check.low && check.value <= check.high
    case 'width':
      return check.value <= check.most
    case 'amount':
      return (check.count * check.dtypeBytes) % check.unitBytes === 0
  }
}

export function checkAsk(page: Facts, {api}: Base, random: Random): CheckAsk[] {
  const type = typeCheck(page, random)
  const dtype = type.find(holds)?.asked
  const all = page.parameters.flatMap((parameter) => rangeCheck(parameter, random))
  // Tables of several functions may have a parameter of the same name each.
  const ranges = all.filter(({name}) => all.filter((other) => other.name === name).length === 1).slice(0, 2)
  const ranged = ranges.map(({name}) => name)
  const widths = widthChecks(page, random).filter(({name}) => !ranged.includes(name))
  const checks = [...type, ...ranges, ...widths.slice(0, 1), ...amountCheck(page, dtype, random)].slice(0, 3)
  // That a value is in a list or a range is no derivation; what a byte holds is known without the page.
  const isTelling = (check: Check) =>
    check.rule === 'amount' ||
    (check.rule === 'range' && (checks.length > 1 || !holds(check))) ||
    (check.rule === 'type' && !holds(check))
  return checks.some(isTelling) ? [{kind: 'check', api, checks}] : []
}

const commonTypes = ['bfloat16_t', 'int8_t', 'int64_t', 'half', 'float', 'int32_t', 'int16_t']

/** A type, where one sentence without exceptions says which are supported; half of the time one that is not. */
function typeCheck(page: Facts, random: Random): Extract<Check, {rule: 'type'}>[] {
  const ofT = page.parameters.filter(({name, structure}) => name === 'T' && structure === '')
  const lines = [...(page.said['data-types'] ?? []), ...ofT.flatMap(({meaning}) => meaning)]
  const [sentence, ...others] = lines.filter(namesSupportedTypes)
  if (sentence === undefined || others.length > 0 || !isPlain(sentence)) return []
  const supported = dtypesIn(sentence)
  const missing = commonTypes.filter((dtype) => !supported.includes(dtype))
  const takesSupported = random.integer(0, 1) === 0 || missing.length === 0
  const takesTensors = page.prototypes.some(({parameters}) => parameters.some(({type}) => /Tensor|\*/.test(type)))
  const takesTypes = page.prototypes.some(({templates}) =>
    templates.some(({type}) => /^(?:typename|class)\b/.test(type)),
  )
  // The type of a plain parameter is nothing to choose.
  if (!takesTensors && !takesTypes) return []
  const of = takesTensors ? 'tensor' : 'template'
  return [{rule: 'type', of, asked: random.pick(takesSupported ? supported : missing), supported}]
}

function namesSupportedTypes(line: string): boolean {
  return /支持|support|element type|类型为/i.test(line) && dtypesIn(line).length > 0
}

/** "T supports half; only int32_t needs EQ" carries exceptions: a yes or no would be too simple. */
function isPlain(sentence: string): boolean {
  return !/[；;]|仅|只|除|except|only|不支持|not /.test(sentence.replace(/\bonly\b.*$/, ''))
}

// A range that holds on a condition, or for each element, or beside another one, makes a plain yes or no wrong.
const conditionWords = /长度|倍数|对齐|时|当|开启|每个|个数范围|但|若|如果|仅|模式|\b(?:when|if|each|but|only)\b/i
const closedRange = /\[\s*(-?\d+)\s*[,，]\s*(-?\d+)\s*\]/g

/** A parameter with a closed range of integers; half of the time a value just above. */
function rangeCheck({name, names, meaning}: ParameterFact, random: Random): Extract<Check, {rule: 'range'}>[] {
  const [sentence, ...others] = meaning.filter((each) => /\[\s*-?\d+\s*[,，]/.test(each))
  if (sentence === undefined || others.length > 0 || conditionWords.test(sentence)) return []
  if (!/^[A-Za-z_]\w*$/.test(name) || names.length !== 1) return []
  const [range, ...more] = [...sentence.matchAll(closedRange)]
  if (!range || more.length > 0) return []
  const low = Number(range[1])
  const high = Number(range[2])
  if (!(high > low) || high > 2 ** 31) return []
  const value = random.integer(0, 1) === 0 ? high + random.integer(1, 45) : random.integer(low, high)
  return [{rule: 'range', name, value, low, high}]
}

/** In some forms or modes a field has no effect, and no value of it is wrong. */
function isIdle(name: string, {parameters, said}: Facts): boolean {
  const texts = [...(said.constraints ?? []), ...parameters.flatMap(({meaning}) => meaning)]
  return texts.some((text) => /不生效|无效|忽略|no effect|ignored/i.test(text) && text.includes(name))
}

/** A number that the type of its parameter cannot hold: it would wrap around without a word. */
function widthChecks(page: Facts, random: Random): Extract<Check, {rule: 'width'}>[] {
  const all = page.prototypes.flatMap(({parameters}) => parameters)
  return [...new Set(all.map(({name}) => name))].flatMap((name) => {
    const limit = typeLimit(all.filter((each) => each.name === name).map(({type}) => type))
    if (
      !limit ||
      isIdle(name, page) ||
      page.parameters.some((fact) => saysRange(fact, [name])) ||
      !/repeat|time|count|num|len|size|stride/i.test(name)
    )
      return []
    const value = random.integer(0, 2) === 0 ? random.integer(2, limit.max) : limit.max + random.integer(1, 200)
    return [{rule: 'width', name, value, bits: limit.bits, most: limit.max}]
  })
}

// Number and demand stand right behind the amount: a rule about another buffer in the same sentence is not this rule.
const amount = String.raw`(?:count\s*\*\s*sizeof\(T\)|数据量)`
const demand = '(?:必须|需要|需|应|要)(?:是|为)?'
const wholeUnits = String.raw`(\d+)\s*(?:字节|B)\s*(?:的?(?:整数)?倍|对齐)`
const englishRule = String.raw`count \* sizeof\(T\) must be a multiple of (\d+) bytes`
const multipleRule = new RegExp(String.raw`${amount}\s*${demand}\s*${wholeUnits}|${englishRule}`)

/** Of how many bytes the amount of data must be a multiple; undefined where it is rounded instead of refused. */
export function amountUnit(page: Facts): number | undefined {
  const said = [...(page.said.constraints ?? []), ...page.parameters.flatMap(({meaning}) => meaning)]
  const sentence = said.find((line) => multipleRule.test(line))
  const unit = sentence === undefined ? undefined : multipleRule.exec(sentence)
  return !unit || /取整|补齐|不参与|冗余|round/i.test(sentence ?? '') ? undefined : Number(unit[1] ?? unit[2])
}

function amountCheck(page: Facts, dtype: string | undefined, random: Random): Extract<Check, {rule: 'amount'}>[] {
  const unitBytes = amountUnit(page)
  if (unitBytes === undefined) return []
  const allowed = elementTypesOf(page).filter((each) => (elementBytes[each] ?? 0) > 1)
  if (dtype === undefined && allowed.length === 0) return []
  const of = dtype ?? random.pick(allowed)
  const dtypeBytes = elementBytes[of]
  if (dtypeBytes === undefined || unitBytes <= dtypeBytes) return []
  const unit = unitBytes / dtypeBytes
  const whole = random.integer(2, 20) * unit
  const count = random.integer(0, 1) === 0 ? whole : whole + random.integer(1, unit - 1)
  return [{rule: 'amount', dtype: of, dtypeBytes, count, unitBytes}]
}
