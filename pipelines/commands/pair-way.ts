import {LabelledCandidate} from '../../datasets/schema/candidate.ts'
import {PreferencePair, type PreferenceSide} from '../../datasets/schema/sample.ts'
import type {Envelope} from '../../engine/ids.ts'
import {canonicalJson} from '../../engine/ids.ts'
import type {Sighting} from '../../engine/ledger-records.ts'
import type {OpenRun} from '../../engine/run.ts'

export interface Step extends Sighting {
  recipe: string
  /** The role of a candidate in a pair. */
  as?: Side
}

type Side = 'chosen' | 'rejected'

/**
 * Pairs are made of whole groups, so the ledger does not record which two candidates a pair came from; the pair's own
 * content does. These are the steps from candidates to pairs.
 */
export interface PairSteps {
  /** Pairs with an id that begins with this, even if no later run has read them. */
  named(prefix: string): Step[]
  /** The steps from both candidates to the first of these ids that is a pair. */
  into(ids: ReadonlySet<string>): Step[]
  /** The steps from those of these ids that are candidates to their pairs. */
  from(ids: ReadonlySet<string>): Step[]
}

export function pairSteps(runs: readonly OpenRun[]): PairSteps {
  const having = (stage: string) => runs.filter(({record}) => record.stages.at(-1)?.name === stage)
  const emitted = function* (stage: string): Iterable<Envelope & {recipe: string}> {
    for (const run of having(stage)) {
      for (const envelope of run.emitted()) yield {...envelope, recipe: run.record.recipe}
    }
  }
  const stepsInto = ({recipe, id, json}: Envelope & {recipe: string}): Step[] => {
    const pair = PreferencePair.parse(JSON.parse(json))
    const prompt = JSON.stringify(pair.prompt)
    // Most candidates belong to other tasks and are not worth parsing.
    const likely = [...emitted('label')].filter((one) => one.json.includes(prompt))
    return (['chosen', 'rejected'] as const).flatMap((as) => {
      const matches = matcher(pair, pair[as])
      const found = likely.find((one) => matches(LabelledCandidate.parse(JSON.parse(one.json))))
      return found ? [{recipe, stage: 'pair', as, input: found.id, outputs: [{id, json}], drops: []}] : []
    })
  }
  return {
    named: (prefix) => [...emitted('pair')].filter(({id}) => id.startsWith(prefix)).flatMap(stepsInto),
    into(ids) {
      for (const pair of emitted('pair')) if (ids.has(pair.id)) return stepsInto(pair)
      return []
    },
    from(ids) {
      const candidates = [...emitted('label')].filter(({id}) => ids.has(id))
      const prompts = candidates.map(({json}) => JSON.stringify(LabelledCandidate.parse(JSON.parse(json)).prompt))
      const pairs = [...emitted('pair')].filter(({json}) => prompts.some((prompt) => json.includes(prompt)))
      return pairs.flatMap(stepsInto).filter(({input}) => ids.has(input))
    },
  }
}

function matcher(
  {task, prompt, origin}: PreferencePair,
  {label, sampler, verdict, files}: PreferenceSide,
): (candidate: LabelledCandidate) => boolean {
  const sorted = (list: PreferenceSide['files']) => [...list].sort((a, b) => (a.path < b.path ? -1 : 1))
  const wanted = canonicalJson({task, prompt, origin, label, sampler, verdict, files: sorted(files)})
  return (one) =>
    wanted ===
    canonicalJson({
      task: one.task.name,
      prompt: one.prompt,
      origin: one.task.origin,
      label: one.label,
      sampler: one.sampler,
      verdict: one.verdict,
      files: sorted(one.files.filter(({path}) => one.written.includes(path))),
    })
}
