import type {Decision} from '../../datasets/schema/decision.ts'
import {CotSample} from '../../datasets/schema/sample.ts'
import {textId} from '../../engine/ids.ts'
import type {Context, Stage} from '../../engine/stage.ts'

interface AlikeFunctionsOptions {
  /** Functions of a repository that decide the same by the same instructions. Default 2. */
  most?: number
}

/**
 * Keeps the first functions of those that take the same decisions: operators are written by copying, and descriptions
 * of the copies only differ in names. Uses 100 bytes per function. Text written by a model is always kept. Drops:
 * `alike`, with how many are kept.
 */
export default function alikeFunctions({most = 2}: AlikeFunctionsOptions = {}): Stage<CotSample, CotSample> {
  async function* run(samples: AsyncIterable<CotSample>, context: Context): AsyncIterable<CotSample> {
    const kept = new Map<string, number>()
    for await (const sample of samples) {
      const key = keyOf(sample)
      const before = key === undefined ? 0 : (kept.get(key) ?? 0)
      if (before >= most) {
        context.drop(sample, 'alike', `${sample.origin.path}: ${before} that decide the same are kept`)
        continue
      }
      if (key !== undefined) kept.set(key, before + 1)
      yield sample
    }
  }

  return {
    name: 'alike-functions',
    version: 1,
    options: {most},
    input: CotSample,
    output: CotSample,
    run,
  }
}

/** What a function decides; undefined for files, and for functions of which no decision is known. */
function keyOf({asks, teacher, origin, decisions = []}: CotSample): string | undefined {
  if (asks !== 'function' || teacher.kind !== 'offline' || decisions.length === 0) return undefined
  return textId([origin.repository, ...decisions.map(textOf)].join('\n'))
}

const textOf = ({topic, situation, values}: Decision) => `${topic} ${situation} ${String(values['chain'] ?? '')}`
