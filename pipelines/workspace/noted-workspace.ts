import {canonicalJson} from '../../engine/ids.ts'
import type {Workspace} from './workspace.ts'

/** Methods whose answers depend on the folders of a machine. */
const asked = ['sources', 'finished', 'found', 'records'] as const

/** Answers by method and arguments. */
export type Answers = Record<string, unknown>

/** A workspace that notes what a recipe learns while it is made. */
export function noting(workspace: Workspace): {workspace: Workspace; answers: Answers} {
  const answers: Answers = {}
  const methods = asked.map((name) => [
    name,
    async (argument: never) => {
      const answer: unknown = await workspace[name](argument)
      answers[keyOf(name, argument)] = answer
      return answer
    },
  ])
  return {workspace: {...workspace, ...Object.fromEntries(methods)} as Workspace, answers}
}

/** A workspace that gives the noted answers: the folders behind them may be on another machine. */
export function answering(workspace: Workspace, answers: Readonly<Answers>): Workspace {
  const methods = asked.map((name) => [
    name,
    async (argument: never) => {
      const key = keyOf(name, argument)
      return key in answers ? answers[key] : workspace[name](argument)
    },
  ])
  return {...workspace, ...Object.fromEntries(methods)} as Workspace
}

const keyOf = (name: string, argument: unknown) => `${name} ${canonicalJson(argument)}`
