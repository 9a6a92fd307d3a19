import {z} from 'zod'

/**
 * Code that does not compile: the six classes of Appendix C of the AscendKernelGen paper; `unclassified` is a compiler
 * message that no rule knows.
 */
export const compileClasses = [
  'api-signature-and-overload',
  'data-type-and-conversion',
  'variable-scope-and-lifetime',
  'memory-and-object-usage',
  'syntax-and-structure',
  'macro-and-preprocessing',
  'unclassified',
] as const

/**
 * How a candidate failed. What follows the classes of compile errors is not counted in the paper's figure. `timeout`:
 * past a limit that all candidates have, when it ran or, of time, memory or file size, when it was compiled.
 */
export const errorClasses = [
  ...compileClasses,
  'no-answer',
  'link',
  'launch',
  'crash',
  'timeout',
  'rule-violation',
  'accuracy',
  'cheat',
] as const

export const ErrorClass = z.enum(errorClasses)
export type ErrorClass = z.infer<typeof ErrorClass>
