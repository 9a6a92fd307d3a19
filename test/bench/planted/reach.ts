import {posix} from 'node:path'

/** Files that import a file, however far away, nearest first: what a fault in it can reach. */
export function importersOf(file: string, imports: ReadonlyMap<string, readonly string[]>): string[] {
  const users = new Map<string, string[]>()
  for (const [from, targets] of imports) {
    for (const target of targets) users.set(target, [...(users.get(target) ?? []), from])
  }
  const seen = new Set([file])
  for (const one of seen) for (const user of users.get(one) ?? []) seen.add(user)
  seen.delete(file)
  return [...seen]
}

/** The project's own files that a TypeScript file names: imports, dynamic imports, and paths of stages in texts. */
export function namedFiles(file: string, text: string): string[] {
  const relative = [...text.matchAll(/(?:from|import\()\s*'(\.{1,2}\/[^']+)'/g)]
  return relative.map(([, name = '']) => posix.join(posix.dirname(file), name))
}
