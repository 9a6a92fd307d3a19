import type {Failure} from '../../engine/ledger-records.ts'
import {openRuns} from '../workspace/runs.ts'
import type {World} from './world.ts'

/** `ascend-cot failed`: the records that failed for outside reasons; `resume` retries them. */
export async function failed({out, json}: {out: string; json: boolean}, {terminal}: World): Promise<number> {
  const found: (Failure & {recipe: string; stage: string; input: string})[] = []
  for (const run of await openRuns(out)) {
    for (const {stage, input, failure} of run.failures()) {
      if (failure) found.push({recipe: run.record.recipe, stage, input, ...failure})
    }
    run.close()
  }
  if (json) terminal.print(JSON.stringify(found))
  else {
    for (const {recipe, stage, input, code, message, fix} of found)
      terminal.print(`${recipe}/${stage} ${input}\n  ${code}: ${message}\n  → ${fix}`)
    terminal.print(
      found.length === 0 ? 'No record failed.' : `${found.length} failed; \`ascend-cot resume\` retries them.`,
    )
  }
  return 0
}
