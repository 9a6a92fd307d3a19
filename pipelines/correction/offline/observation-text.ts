import type {Seen} from '../../../datasets/schema/verdict.ts'
import type {Message} from '../../telling/tell-message.ts'
import type {Observation} from '../observation.ts'
import {part} from './reason.ts'

// The evidence is the executor's own words, which are English: it is quoted in either language.

const mostCases = 3

/** What a question about an error shows of a run: facts without interpretation. */
export function evidenceText(observed: Observation): string {
  switch (observed.kind) {
    case 'rule': {
      const {case: id, block, api, tensor, rule, message} = observed
      return [
        `case ${id}: a rule of the device is broken (${rule})`,
        `core ${block}, ${api}${tensor === '' ? '' : `, ${tensor}`}: ${message}`,
      ].join('\n')
    }
    case 'numbers': {
      const {failing, cases} = observed
      const shown = failing.slice(0, mostCases).map(({case: id, reason}) => `case ${id}: ${reason}`)
      return [`${failing.length} of ${cases} cases give wrong values`, ...shown].join('\n')
    }
    case 'stopped':
      return `case ${observed.case}: ${observed.how}: ${observed.detail}`
    case 'link':
      return observed.log
  }
}

const says = (situation: string, values: Message['values'] = {}): Message => ({topic: 'observed', situation, values})

/** What it means. */
export function readingOf(observed: Observation): Message[] {
  switch (observed.kind) {
    case 'rule': {
      const {api, block: core, message} = observed
      const situation = api === 'end of kernel' ? 'rule-at-end' : 'rule'
      return [says(situation, {api, core, message: message.replace(/, \.\.\.$/, ' and so on')}), ...meaningOf(observed)]
    }
    case 'numbers':
      return numbers(observed)
    case 'stopped':
      return [says(observed.how, {detail: observed.detail})]
    case 'link':
      return [says('link')]
  }
}

/** The rule that was broken, with the numbers of the message. */
function meaningOf({seen, block: core}: Extract<Observation, {kind: 'rule'}>): Message[] {
  // Which instruction it was is known of those that write.
  if (!seen || (seen.situation === 'pipe-hazard' && seen.values['other'] === undefined)) return []
  const values: Message['values'] = {...seen.values, ...derived(seen), core}
  const named = Object.entries(values).map(([name, value]): [string, Message['values'][string]] => {
    const isPipe = typeof value === 'string' && value.startsWith('PIPE_')
    return [name, isPipe ? part(value, {}) : value]
  })
  const situation = isDerived(seen) ? 'unwritten-derived' : seen.situation
  return [{topic: 'observed-rules', situation, values: Object.fromEntries(named)}]
}

/** A value that was made of what nothing had written, as the message says behind its first half. */
const isDerived = ({situation, values}: Seen) => situation === 'unwritten-local' && values['note'] !== undefined

/** What follows from the numbers of a message. */
function derived({situation, values}: Seen): Message['values'] {
  const n = (name: string) => Number(values[name])
  switch (situation) {
    case 'out-of-buffer': {
      const [length, over] = [n('to') - n('from'), n('to') - n('bytes')]
      return {length, over, outside: Math.min(over, length), all: over >= length ? 'yes' : 'no'}
    }
    case 'gm-out-of-range':
      return {over: Math.min(n('to') - n('has'), n('to') - n('from'))}
    case 'gm-overlap':
    case 'flag-overflow':
      return {block: part('block', {n: n('block')})}
    case 'unaligned-ub': {
      const decimal = n('address')
      return {address: `0x${decimal.toString(16)}`, decimal, whole: (decimal - n('past')) / n('multiple')}
    }
    case 'length-in-elements':
      return {whole: Math.floor(n('given') / n('size')), rest: n('given') % n('size')}
    case 'unaligned-gm':
      return {whole: Math.floor(n('byte') / n('size')), rest: n('byte') % n('size')}
    case 'ub-overflow': {
      const own = n('num') * n('len')
      return {own, earlier: n('needed') - own, over: n('needed') - n('capacity')}
    }
    default:
      return {}
  }
}

function numbers({failing, cases, passesItsOwn}: Extract<Observation, {kind: 'numbers'}>): Message[] {
  const broken = failing.flatMap(({case: id, fault}) =>
    fault?.kind === 'rule' ? [says('mixed', {case: id, rule: fault.rule})] : [],
  )
  return [
    broken[0] ?? says('wrong'),
    says('failing', {failing: failing.length, cases, some: failing.length < cases ? 'yes' : 'no'}),
    ...(passesItsOwn ? [says('passes-own')] : []),
  ]
}

/** What the only fault leads to in the run; without words where the fault itself tells it. */
export function consequenceOf(observed: Observation): Message {
  const situation = observed.kind === 'rule' ? observed.rule : observed.kind
  return {topic: 'consequences', situation, values: {}}
}
