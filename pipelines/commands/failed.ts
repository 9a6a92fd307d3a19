import {join} from 'node:path'
import {openLedger, type Failure} from '../../engine/ledger.ts'
import {findRuns} from '../workspace/runs.ts'
import type {World} from './world.ts'

/** `ascend-cot failed`: the records that the outside world failed, which `resume` will try again. */
export async function failed({out, json}: {out: string; json: boolean}, {terminal}: World): Promise<number> {
  const found: (Failure & {recipe: string; stage: string; input: string})[] = []
  for (const {directory, record} of await findRuns(out)) {
    const ledger = openLedger(join(directory, 'ledger.db'))
    const keys = new Set(record.stages.map(({name}) => name))
    for (const {stage, input, failure} of ledger.failures()) {
      if (!failure || !keys.has(stage)) continue
      found.push({recipe: record.recipe, stage, input, ...failure})
    }
    ledger.close()
  }
  if (json) terminal.print(JSON.stringify(found))
  else {
    for (const {recipe, stage, input, code, message, fix} of found)
      terminal.print(`${recipe}/${stage} ${input}\n  ${code}: ${message}\n  → ${fix}`)
    terminal.print(
      found.length === 0 ? 'No record failed.' : `${found.length} failed; \`ascend-cot resume\` tries them again.`,
    )
  }
  return 0
}
