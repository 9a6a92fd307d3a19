import type {compileClasses} from '../../../datasets/schema/error-class.ts'

/** What a fault gets wrong: a class of Appendix C of the paper when it does not compile, else a part of the kernel. */
export type FaultClass = CompileFault | RunFault
type CompileFault = Exclude<(typeof compileClasses)[number], 'unclassified'>
export type RunFault = (typeof runFaults)[number]

export const runFaults = ['logic', 'tiling', 'queue-life', 'synchronisation', 'copies', 'hardware-limits'] as const

/**
 * How often models made each mistake: Figure 6 of the AscendKernelGen paper, in per cent. Its shares leave 0.1 for
 * macros.
 */
export const paperShares: Readonly<Record<CompileFault, number>> = {
  'api-signature-and-overload': 51.9,
  'data-type-and-conversion': 19.8,
  'variable-scope-and-lifetime': 16.4,
  'memory-and-object-usage': 8.1,
  'syntax-and-structure': 3.7,
  'macro-and-preprocessing': 0.1,
}
