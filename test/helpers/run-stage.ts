import {mkdtempSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import type {LanguageModel} from '../../engine/llm/model.ts'
import {silentLog, type Log} from '../../engine/log.ts'
import type {Context, Stage} from '../../engine/stage.ts'

export interface StageResult<Out> {
  outputs: Out[]
  dropped: {reason: string; detail: string}[]
}

/** Runs a stage bare: no run directory, no ledger; inputs and outputs go through its schemas. */
export async function runStage<In, Out>(
  stage: Stage<In, Out>,
  items: readonly In[],
  {llm, seed = 'test', warn = silentLog.warn}: {llm?: LanguageModel; seed?: string; warn?: Log['warn']} = {},
): Promise<StageResult<Out>> {
  const dropped: StageResult<Out>['dropped'] = []
  const context: Context = {
    llm,
    seed,
    log: {...silentLog, warn},
    stages: {[stage.name]: stage.version},
    now: () => 0,
    signal: new AbortController().signal,
    directory: mkdtempSync(join(tmpdir(), 'ascend-cot-stage-')),
    drop(_item, reason, detail = '') {
      dropped.push({reason, detail})
      return []
    },
  }
  async function* stream() {
    for (const item of items) yield stage.input.parse(item)
  }
  const outputs: Out[] = []
  try {
    for await (const output of stage.run(stream(), context)) outputs.push(stage.output.parse(output))
  } finally {
    rmSync(context.directory, {recursive: true, force: true})
  }
  return {outputs, dropped}
}
