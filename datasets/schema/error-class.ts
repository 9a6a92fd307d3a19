import {z} from 'zod'

/**
 * Code that does not compile: the six classes of Appendix C of the AscendKernelGen paper; `unclassified` is a compiler
 * message without a matching rule.
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
 * How a candidate failed. Classes after those of compile errors are not in the paper's figure. `timeout`: exceeded a
 * limit of all candidates, at run time or, for time, memory or file size, at compile time.
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
