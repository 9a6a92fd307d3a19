import {code} from '../../../datasets/voice.ts'
import type {Observation} from '../observation.ts'

// The evidence is the executor's own words, which are English, as is the request that a wrong operator answers.

const mostCases = 3

/** What is shown of a run to who asks for the error: facts without a reading of them. */
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

/** What it means. */
export function readingOf(observed: Observation): string {
  switch (observed.kind) {
    case 'rule':
      return [
        `The code compiles, but the run ends in ${code(observed.api)} on core ${observed.block}: ${observed.message}.`,
        `The usual way to keep this rule (${observed.rule}): ${observed.demand}.`,
      ].join(' ')
    case 'numbers':
      return numbers(observed)
    case 'stopped':
      return stopped(observed)
    case 'link':
      return 'Every file compiles, and the linker finds no definition for something that is used.'
  }
}

function numbers({failing, cases, passesItsOwn}: Extract<Observation, {kind: 'numbers'}>): string {
  const some = failing.length < cases
  return [
    'It runs to its end and breaks none of the rules that are checked; the values are wrong.',
    `${failing.length} of ${cases} cases fail${some ? '; the shapes or values of the others hide the fault' : ''}.`,
    passesItsOwn ? 'The inputs of the task itself pass; other sizes or values do not.' : '',
  ]
    .filter(Boolean)
    .join(' ')
}

function stopped({how, detail}: Extract<Observation, {kind: 'stopped'}>): string {
  switch (how) {
    case 'crashed':
      return `The process of the operator dies: ${detail}.`
    case 'timed-out':
      return `It does not come to an end within ${detail}: a loop or a wait never finishes.`
    case 'launch-failed':
      return `The kernel never starts, the host side fails before it: ${detail}.`
  }
}
