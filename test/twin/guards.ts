import type {Compiler} from '../../eval/executors/toolchain.ts'

/**
 * Flags under which the device side of the twin ends at an access outside of an array, a vector or a variable, where it
 * would go on with whatever lies there.
 */
export function guards({kind}: Pick<Compiler, 'kind'>): string[] {
  const bounds = kind === 'clang' ? ['-fsanitize=bounds', '-fsanitize-trap=bounds'] : []
  return ['-D_GLIBCXX_ASSERTIONS', '-U_FORTIFY_SOURCE', '-D_FORTIFY_SOURCE=2', ...bounds]
}
