import type {Execution} from '../../../datasets/schema/executor.ts'

/** What a code of the runtime says: of the kernel, of the launch, or of the device, which is no verdict. */
type Meaning =
  | {of: 'crash' | 'time'; means: string}
  | {of: 'rule'; rule: string; means: string; fix: string}
  | {of: 'launch' | 'device'; means: string}

const trap = {
  of: 'rule',
  rule: 'assert-failed',
  fix: 'look at the conditions that the kernel itself asserts',
} as const
const bounds = {of: 'rule', rule: 'gm-out-of-range', fix: "check addresses against the tensor's length"} as const
const faulted = 'an instruction failed, mostly by an address that is not aligned or beyond its memory'

/** Codes of the runtime's C interface by number (list of return codes of acl, `ACL_ERROR_RT_…`). */
const codes: Readonly<Record<number, Meaning>> = {
  107001: {of: 'device', means: 'there is no such device'},
  207001: {of: 'device', means: 'memory of the device could not be allocated'},
  207004: {of: 'device', means: 'the device cannot be used'},
  507010: {of: 'device', means: 'the heartbeat of the task scheduler was lost'},
  507011: {of: 'crash', means: 'the execution failed'},
  507014: {of: 'time', means: 'an AI Core did not finish'},
  507015: {of: 'crash', means: `exception of an AI Core: ${faulted}`},
  507016: {...trap, means: 'an AI Core was stopped by a trap'},
  507017: {of: 'time', means: 'the AI CPU did not finish'},
  507018: {of: 'crash', means: 'exception of the AI CPU'},
  507033: {of: 'device', means: 'the device could not be set up'},
  507034: {of: 'time', means: 'a vector core did not finish'},
  507035: {of: 'crash', means: `exception of a vector core: ${faulted}`},
  507036: {...trap, means: 'a vector core was stopped by a trap'},
  507042: {...bounds, means: 'an AI Core read beyond memory'},
  507043: {...bounds, means: 'an AI Core wrote beyond memory'},
  507044: {...bounds, means: 'a vector core read beyond memory'},
  507045: {...bounds, means: 'a vector core wrote beyond memory'},
  507046: {of: 'time', means: 'the stream did not finish'},
  507053: {of: 'device', means: 'memory of the device has an error that cannot be corrected'},
  507054: {of: 'device', means: 'memory of the device has an error of several bits'},
  507899: {of: 'device', means: 'the driver failed'},
}

interface Failed {
  /** What was called when it failed. */
  step: string
  code: number
  /** The runtime's own words. */
  message: string
}

/**
 * A failed step as what it says of the candidate.
 * @returns the fault as text where it does not concern it: the device is then suspect
 */
export function meaningOf({step, code, message}: Failed, limitSeconds: number): Execution | string {
  const words = [`${step} ended with ${code}`, codes[code]?.means ?? '', message.trim()].filter((one) => one !== '')
  const all = words.join(': ')
  const meaning = codes[code]
  // Whatever the tiling function or the checks of the interface refuse, a launch comes of none of it.
  if (step === 'GetWorkspaceSize' && meaning?.of !== 'device') return {outcome: 'launch-failed', message: all}
  switch (meaning?.of) {
    case 'crash':
      return {outcome: 'crashed', cause: `${code}, ${meaning.means}`, log: message.slice(-4000)}
    case 'time':
      return {outcome: 'timed-out', limitSeconds}
    case 'rule': {
      const {rule, fix} = meaning
      return {outcome: 'violated', violation: {rule, block: -1, api: '', tensor: '', message: all, fix}}
    }
    default:
      return step === 'launch' && meaning === undefined ? {outcome: 'launch-failed', message: all} : all
  }
}
