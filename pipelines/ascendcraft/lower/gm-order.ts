import type {KernelStatement} from '../language/ast.ts'
import {bodiesOf, namesIn, type Stage} from './mentions.ts'

/**
 * Copyin stages that may read what the same core stored to GM before, with no barrier in between: the copy unit that
 * writes and the one that reads run side by side, so such a load waits for the stores.
 */
export function loadsBehindStores(body: readonly KernelStatement[], isPointer: (name: string) => boolean): Set<Stage> {
  const waiting = new Set<Stage>()
  const walk = (statements: readonly KernelStatement[], stored: ReadonlySet<string>): ReadonlySet<string> =>
    statements.reduce((before, statement) => step(statement, before), stored)
  const step = (statement: KernelStatement, stored: ReadonlySet<string>): ReadonlySet<string> => {
    if (statement.kind === 'sync_all') return new Set()
    if (statement.kind === 'stage') return passStage(statement, stored)
    if (statement.kind === 'for') {
      // The second time round, the first has stored.
      const once = walk(statement.body, stored)
      return new Set([...stored, ...walk(statement.body, new Set([...stored, ...once]))])
    }
    const ends = bodiesOf(statement).map((one) => walk(one, stored))
    return new Set([stored, ...ends].flatMap((one) => [...one]))
  }
  const passStage = (stage: Stage, stored: ReadonlySet<string>): ReadonlySet<string> => {
    const pointers = pointersOf(stage, isPointer)
    if (stage.stage === 'copyout') return new Set([...stored, ...pointers])
    if (stage.stage !== 'copyin' || !pointers.some((one) => stored.has(one))) return stored
    waiting.add(stage)
    return new Set()
  }
  walk(body, new Set())
  return waiting
}

/** GM parameters that a stage loads or stores, in the order of its text. */
export function pointersOf(stage: Stage, isPointer: (name: string) => boolean): string[] {
  const visit = (statements: readonly KernelStatement[]): string[] =>
    statements.flatMap((one) => [
      ...(one.kind === 'operation' ? namesIn(one.arguments).filter(isPointer) : []),
      ...bodiesOf(one).flatMap(visit),
    ])
  return [...new Set(visit(stage.body))]
}
