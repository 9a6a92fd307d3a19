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
      return (
        `The code compiles, but the run ends in ${code(observed.api)} on core ${observed.block}: ` +
        `${observed.message}.`
      )
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
  const broken = failing.flatMap(({case: id, reason}) => {
    const rule = /^([a-z]+(?:-[a-z]+)+) in \w+:/.exec(reason)?.[1]
    return rule === undefined ? [] : [`case ${id} (${rule})`]
  })
  return [
    broken.length === 0
      ? 'It runs to its end and breaks none of the rules that are checked; the values are wrong.'
      : `The cases do not fail alike: some give wrong values, and a rule of the device is broken in ${broken[0]}.`,
    `${failing.length} of ${cases} cases fail${some ? '; the shapes or values of the others hide the fault' : ''}.`,
    passesItsOwn ? plainPasses : '',
  ]
    .filter(Boolean)
    .join(' ')
}

/** The benchmark's own run, which the hardened one adds to. */
const plainPasses =
  'The plain run of the task passes. The stricter ones do not: they take other values and sizes, put arbitrary bytes ' +
  'into the outputs first, and want the inputs unchanged.'

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

/** What the only fault leads to in the run; '' where the fault itself tells it. */
export function consequenceOf(observed: Observation): string {
  if (observed.kind === 'numbers') return 'That is why the values are wrong.'
  return observed.kind === 'rule' ? (consequences[observed.rule] ?? '') : ''
}

const consequences: Readonly<Record<string, string>> = {
  'read-unwritten': 'So elements are read that nothing has written.',
  'gm-out-of-range': 'So an access passes the end of a tensor in global memory.',
  'out-of-buffer': 'So an access passes the end of its buffer in UB.',
  'gm-overlap': 'So two cores write the same elements.',
  'deque-empty': 'So DeQue finds nothing in its queue.',
  'tensor-leak': 'So a tensor is still taken when the kernel ends.',
  'pipe-hazard': 'So two pipes touch the same bytes, and neither waits for the other.',
  'unaligned-ub': 'So the instruction begins at an address in UB that is no multiple of 32 bytes, as it has to be.',
  'unaligned-gm': 'So the address is not aligned as the copy demands.',
  'null-tensor': 'So a tensor is used that has no memory.',
  'partial-overlap': 'So result and source overlap in a part.',
}
