import {withoutComments} from './code-pieces.ts'
import {type Chain, isDirective, type Part, partsOf, wholeDirective} from './directives.ts'
import {truthOf} from './evaluator.ts'
import {guardLines} from './include-guard.ts'

/**
 * A compilation's definition of a macro: its value, or `null` when it does not define it. Other names may be anything.
 */
export type Macros = ReadonlyMap<string, number | null>

const otherChips = '__DAV_M200__ __DAV_M300__ __DAV_M310__ __DAV_310R6__ __DAV_C310__ __DAV_35_FAMILY__'.split(' ')
const emulators = ['__CCE_KT_TEST__', '__CCE_UT_TEST__', 'ASCENDC_CPU_DEBUG', '__DAV_FPGA__']
const absent = [...otherChips, ...emulators].map((name) => [name, null] as const)

/** The chip for its compiler, and for the build of CATLASS. */
const device = [
  ['__CCE_AICORE__', 220],
  ['__NPU_ARCH__', 2201],
  ['CATLASS_ARCH', 2201],
] as const

/** Macros of the two sides of an operator for Atlas A2; the host's compiler defines no device macros. */
export const chipMacros: Readonly<Record<'kernel' | 'host', Macros>> = {
  kernel: new Map<string, number | null>([...absent, ...device]),
  host: new Map<string, number | null>([...absent, ['__CCE_AICORE__', null], ['__NPU_ARCH__', null]]),
}

/**
 * The text without comments, and without branches that the macros rule out; lines keep their numbers. A branch with an
 * unknown condition is kept. Numbers that the text itself defines on the way count as well.
 */
export function activeText(text: string, given: Macros): string {
  const lines = withoutComments(text).split('\n')
  const kept = lines.map((line) => (/^\s*#\s*(?:if|ifdef|ifndef|elif|else|endif)\b/.test(line) ? line : ''))
  const macros = new Map(given)
  const parts = partsOf(lines)
  const guard = guardLines(lines, parts)?.open
  function keep(some: readonly Part[], sure: boolean): void {
    for (const part of some) {
      if (typeof part === 'object') follow(part, sure)
      else {
        kept[part] = lines[part] as string
        if (isDirective(lines, part)) define(wholeDirective(lines, part), sure, macros)
      }
    }
  }
  function follow({arms}: Chain, sure: boolean): void {
    /** Whether an earlier branch may be taken. */
    let isOpen = false
    for (const {condition, lines: all, body} of arms) {
      for (let at = all[0]; at <= all[1]; at += 1) kept[at] = lines[at] as string
      const value = condition === undefined || all[0] === guard || conditionValue(condition, macros)
      if (value !== false) keep(body, sure && value === true && !isOpen)
      if (value === true) return
      isOpen ||= value === undefined
    }
  }
  keep(parts, true)
  return kept.join('\n')
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
