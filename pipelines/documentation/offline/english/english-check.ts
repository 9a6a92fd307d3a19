import type {Draft} from '../draft.ts'
import {type Check, type CheckAsk, holds} from '../kinds/check-ask.ts'
import {bulletList, ifAny, lines} from '../text.ts'
import {be, counted, list, listOr} from './english-words.ts'

export function check({api, checks}: CheckAsk): Draft {
  const plan = checks.map(planned)
  const wrong = checks.filter((each) => !holds(each))
  return {
    question: question(api, plan),
    reasoning: lines(...checks.map(derived), conclusion(checks.length, wrong.length)),
    answer: lines(
      verdict(checks.length, wrong.length),
      bulletList((wrong.length > 0 ? wrong : checks).map(judged)),
      ifAny(
        wrong.length > 0 ? checks.filter(holds) : [],
        (right) => `The rest is right:\n${bulletList(right.map(judged))}`,
      ),
    ),
  }
}

function question(api: string, plan: readonly string[]): string {
  const call = `a call of ${api} of Ascend C on Atlas A2 training products`
  return plan.length === 1
    ? `Is ${call} with ${plan[0]} legal?`
    : `What is wrong, if anything, with ${call} with ${list(plan)}, and how is it mended?`
}

function planned(check: Check): string {
  switch (check.rule) {
    case 'type':
      return check.of === 'tensor' ? `tensors of ${check.asked}` : `the type ${check.asked}`
    case 'amount':
      return `${check.count} elements of ${check.dtype}`
    default:
      return `${check.name} = ${check.value}`
  }
}

function derived(check: Check): string {
  switch (check.rule) {
    case 'type':
      return elementType(check)
    case 'range':
      return holds(check)
        ? `${check.name}: ${check.low} ≤ ${check.value} ≤ ${check.high}, inside the range.`
        : `${check.name}: the largest value is ${check.high}; ${check.value} is ${check.value - check.high} more.`
    case 'width':
      return width(check)
    case 'amount':
      return amount(check)
  }
}

function elementType({of, asked, supported}: Extract<Check, {rule: 'type'}>): string {
  const what = of === 'tensor' ? 'Element type' : 'Type argument'
  if (supported.includes(asked)) return `${what}: ${asked} is among the ${supported.length} that are allowed.`
  const allowed = `only ${list(supported)} ${be(supported.length)} allowed`
  return `${what}: ${allowed}; ${asked} is none of them.`
}

function width({name, value, bits, most}: Extract<Check, {rule: 'width'}>): string {
  if (value <= most) return `${name}: an unsigned integer of ${bits} bits holds ${value}.`
  return `${name}: ${bits} bits hold ${most} at most; ${value} would become ${value % (most + 1)}.`
}

function amount({count, dtype, dtypeBytes, unitBytes}: Extract<Check, {rule: 'amount'}>): string {
  const bytes = count * dtypeBytes
  const rest = bytes % unitBytes
  return [
    `Amount: an element of ${dtype} has ${counted(dtypeBytes, 'byte')},`,
    `so it is ${count} × ${dtypeBytes} = ${bytes} bytes;`,
    `divided by ${unitBytes} that leaves ${rest}, so it is ${rest === 0 ? 'a' : 'not a'} multiple.`,
  ].join(' ')
}

function conclusion(all: number, wrong: number): string {
  if (wrong === 0) return all === 1 ? 'So it is legal.' : 'Each of them holds.'
  return wrong === all ? 'So it has to change.' : `${wrong} of the ${all} ${be(wrong)} wrong; the rest may stay.`
}

function verdict(all: number, wrong: number): string {
  if (wrong === 0) return all === 1 ? 'Yes.' : 'Nothing is wrong with it:'
  return all === 1 ? 'No.' : `${wrong} of ${all} ${be(wrong)} wrong:`
}

function judged(check: Check): string {
  const mark = holds(check) ? 'right' : 'wrong'
  switch (check.rule) {
    case 'type':
      return holds(check)
        ? `element type ${check.asked}: right, the types are ${list(check.supported)}`
        : `element type ${check.asked}: wrong, use ${listOr(check.supported)}`
    case 'range':
      return `${check.name} = ${check.value}: ${mark}, the range is [${check.low}, ${check.high}]`
    case 'width':
      return `${check.name} = ${check.value}: ${mark}, ${check.bits} bits hold ${check.most} at most${split(check)}`
    case 'amount':
      return `${check.count} elements of ${check.dtype}: ${mark}, ${fix(check)}`
  }
}

/** More repeats than one call can count are more calls. */
function split(check: Extract<Check, {rule: 'width'}>): string {
  if (holds(check) || !/repeat/i.test(check.name)) return ''
  return `, so it takes ${Math.ceil(check.value / check.most)} calls`
}

function fix(check: Extract<Check, {rule: 'amount'}>): string {
  const per = check.unitBytes / check.dtypeBytes
  if (holds(check)) return `a multiple of ${per}`
  const below = Math.floor(check.count / per) * per
  const near = below === 0 ? `${per}` : `${below} or ${below + per}`
  return `the count must be a multiple of ${per}, the nearest being ${near}`
}
