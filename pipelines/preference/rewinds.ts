import type {SourceFile} from '../../datasets/schema/operator.ts'
import {canonicalJson} from '../../engine/ids.ts'
import {randomFrom, type Random} from '../../engine/random.ts'
import {bufferSteps} from './rewinds/buffers.ts'
import {copySteps} from './rewinds/copies.ts'
import {hostSteps} from './rewinds/host-split.ts'
import {instructionSteps} from './rewinds/instructions.ts'
import type {Step} from './rewinds/step.ts'

/**
 * From light to heavy: after a heavy step a light one is invisible. `scalar-loop` follows `one-core` because it is
 * heavier.
 */
export const rewindSteps: readonly Step[] = [
  ...bufferSteps,
  ...instructionSteps.filter(({name}) => name !== 'scalar-loop'),
  ...copySteps,
  ...hostSteps,
  ...instructionSteps.filter(({name}) => name === 'scalar-loop'),
]

interface Rewind {
  files: SourceFile[]
  /**
   * What was taken, in order; of one list the same steps are the same operator. The one with all steps but the last
   * precedes it in the list, if there is more than one.
   */
  steps: string[]
}

const longestChain = 4

/**
 * Up to `count` slower versions of an operator, step by step in chains of at most four that share their beginnings.
 * Every kind of step comes first in turn, so that a few chains have them all. The same files and the same random stream
 * give the same versions.
 */
export function rewindsOf(files: readonly SourceFile[], count: number, random: Random): Rewind[] {
  const rewinds: Rewind[] = []
  const seen = new Set([canonicalJson(files)])
  const seed = random.integer(0, 0x7fffffff)
  const order = random.shuffle(rewindSteps)
  for (let first = 0; first < order.length && rewinds.length < count; first += longestChain) {
    const turn = [...order.slice(first), ...order.slice(0, first)]
    let version: Rewind = {files: [...files], steps: []}
    for (const step of chainOf(turn, files, random)) {
      const steps = [...version.steps, step.name]
      const slower = step.take(version.files, randomFrom(seed, ...steps))
      if (!slower || rewinds.length === count) continue
      version = {files: slower, steps}
      const id = canonicalJson(slower)
      if (!seen.has(id)) rewinds.push(version)
      seen.add(id)
    }
  }
  return rewinds
}

/** One of these: the repair of the second would leave the first, another number of cores than there are. */
const ofCores = new Set(['fewer-cores', 'one-core'])

/** The first steps in turn that the operator offers a place for, from light to heavy. */
function chainOf(turn: readonly Step[], files: readonly SourceFile[], random: Random): Step[] {
  const offered = turn.filter((step) => step.take(files, random) !== undefined)
  const first = offered.find(({name}) => ofCores.has(name))
  const possible = offered.filter((step) => step === first || !ofCores.has(step.name)).slice(0, longestChain)
  return rewindSteps.filter((step) => possible.includes(step))
}
