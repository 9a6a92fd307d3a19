import {withoutComments} from './code-pieces.ts'
import {truthOf} from './evaluator.ts'
import {guardLines} from './include-guard.ts'

/** What a compilation says of a macro: its value, or `null` when it does not define it. Other names may be anything. */
export type Macros = ReadonlyMap<string, number | null>

const otherChips = [
  '__DAV_M200__',
  '__DAV_M300__',
  '__DAV_M310__',
  '__DAV_310R6__',
  '__DAV_C310__',
  '__DAV_35_FAMILY__',
]
const emulators = ['__CCE_KT_TEST__', '__CCE_UT_TEST__', 'ASCENDC_CPU_DEBUG', '__DAV_FPGA__']
const absent = [...otherChips, ...emulators].map((name) => [name, null] as const)

/** Macros of the two sides of an operator for Atlas A2; the host's compiler defines nothing of the device. */
export const chipMacros: Readonly<Record<'kernel' | 'host', Macros>> = {
  kernel: new Map<string, number | null>([...absent, ['__CCE_AICORE__', 220], ['__NPU_ARCH__', 2201]]),
  host: new Map<string, number | null>([...absent, ['__CCE_AICORE__', null], ['__NPU_ARCH__', null]]),
}

/**
 * The text without comments, and without what stands in branches that the macros rule out; lines keep their numbers.
 * A branch whose condition cannot be told stays.
 * Numbers that the text itself defines on the way count as well.
 */
export function activeText(text: string, given: Macros): string {
  const branches: Branch[] = []
  const macros = new Map(given)
  const lines = withoutComments(text).split('\n')
  const guard = guardLines(lines)
  /** The lines so far of a directive that goes on in the next one; it is read as a whole where it ends. */
  let parts: string[] = []
  return lines
    .map((line, index) => {
      if (parts.length > 0 || /^\s*#/.test(line)) parts.push(line.replace(/\\\s*$/, ' '))
      if (parts.length > 0 && /\\\s*$/.test(line) && index < lines.length - 1) return isActive(branches) ? line : ''
      const whole = parts.length > 0 ? parts.join('') : line
      parts = []
      const directive = /^\s*#\s*(if|ifdef|ifndef|elif|else|endif)\b(.*)$/.exec(whole)
      if (index === guard?.open) branches.push({active: true, sure: true, taken: true, open: false})
      else if (directive) follow(branches, directive[1] as string, directive[2] ?? '', macros)
      if (!directive && isActive(branches))
        define(
          whole,
          branches.every(({sure}) => sure),
          macros,
        )
      return directive || isActive(branches) ? line : ''
    })
    .join('\n')
}

/** After a definition in a branch that may be taken or not, nothing is known of the name. */
export function define(line: string, sure: boolean, macros: Map<string, number | null>): void {
  const [, word, name] = /^\s*#\s*(define|undef)\s+(\w+)/.exec(line) ?? []
  if (word === undefined || name === undefined) return
  const value = /^\s*#\s*define\s+\w+\s+(\d+)\s*$/.exec(line)?.[1]
  if (sure && word === 'undef') macros.set(name, null)
  else if (sure && value !== undefined) macros.set(name, Number(value))
  else macros.delete(name)
}

interface Branch {
  /** Whether the lines here may be compiled. */
  active: boolean
  /** Whether they are compiled for sure. */
  sure: boolean
  /** Whether an earlier branch is taken for sure, so that none that follows is. */
  taken: boolean
  /** Whether an earlier branch may be taken. */
  open: boolean
}

function isActive(branches: readonly Branch[]): boolean {
  return branches.every(({active}) => active)
}

function follow(branches: Branch[], directive: string, rest: string, macros: Macros): void {
  if (directive === 'endif') {
    branches.pop()
    return
  }
  const last = branches.at(-1)
  if (directive === 'else' || directive === 'elif') {
    if (!last) return
    const value = directive === 'else' ? true : conditionValue(rest, macros)
    last.active = !last.taken && value !== false
    last.sure = last.active && value === true && !last.open
    last.open ||= value === undefined
    last.taken ||= value === true
    return
  }
  const name = rest.trim()
  const condition = {if: rest, ifdef: `defined(${name})`, ifndef: `!defined(${name})`}[directive] ?? ''
  const value = conditionValue(condition, macros)
  const taken = value === true
  branches.push({active: value !== false, sure: taken, taken, open: value === undefined})
}

/** Whether a condition of the preprocessor holds; undefined when the macros do not settle it. */
export function conditionValue(text: string, macros: Macros): boolean | undefined {
  return truthOf(text, {
    name(macro) {
      const value = macros.get(macro)
      return value === null ? 0 : value
    },
    call(name, [macro = '']) {
      const value = macros.get(macro)
      return name !== 'defined' || value === undefined ? undefined : Number(value !== null)
    },
  })
}
