import {posix} from 'node:path'

export interface Reaching {
  file: string
  /** How many imports lie between: 1 where a file is imported itself. */
  steps: number
}

/** Files that import a file, however far away, nearest first: what a fault in it can reach. */
export function importersOf(file: string, imports: ReadonlyMap<string, readonly string[]>): Reaching[] {
  const users = new Map<string, string[]>()
  for (const [from, targets] of imports) {
    for (const target of targets) users.set(target, [...(users.get(target) ?? []), from])
  }
  const steps = new Map([[file, 0]])
  for (const [one, far] of steps)
    for (const user of users.get(one) ?? []) if (!steps.has(user)) steps.set(user, far + 1)
  steps.delete(file)
  return [...steps].map(([name, far]) => ({file: name, steps: far}))
}

/** The project's own files that a TypeScript file imports, at once or later. */
export function namedFiles(file: string, text: string): string[] {
  const relative = [...text.matchAll(/(?:from|import\()\s*'(\.{1,2}\/[^']+)'/g)]
  return relative.map(([, name = '']) => posix.join(posix.dirname(file), name))
}

/**
 * Files that a test names by their path: a stage, the command line, or all that stands in a folder. What is loaded
 * by its path is imported by nobody.
 */
export function pathsIn(text: string, files: readonly string[]): string[] {
  const named = [...text.matchAll(/['"]((?:dist|engine|datasets|sources|eval|trainers|pipelines)\/[^'"]+)['"]/g)]
  return named.flatMap(([, name = '']) => {
    if (name === 'dist/pipelines/ascend-cot.js') return files.filter((one) => ofTheCommand.test(one))
    return files.filter((one) => one === name || one.startsWith(`${name}/`))
  })
}

const ofTheCommand = /^pipelines\/(?:cli\.ts$|recipes\/)/
