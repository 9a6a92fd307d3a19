import type {FinishedRun} from '../engine/run.ts'
import {each, type Stage} from '../engine/stage.ts'
import {recordSchemas, type Config, type RecordOf} from './schema/export.ts'

interface StampOptions<C extends Config> {
  config: C
  /** The runs that the records were read from. */
  runs: readonly Pick<FinishedRun, 'stages'>[]
}

/**
 * Completes the stage versions of records. A record names the stages that wrote it. Earlier stages, which read, split
 * or checked its source, are known from the run that made it, which has all of its stages. The record's own entries are
 * kept.
 */
export default function stamp<C extends Config>({config, runs}: StampOptions<C>): Stage<RecordOf[C], RecordOf[C]> {
  const made = runs.map(({stages = {}}) => stages)
  return {
    name: 'stamp',
    version: 2,
    options: {config, runs: made.map((stages) => ({...stages}))},
    input: recordSchemas[config],
    output: recordSchemas[config],
    run: each((record) => {
      const own = Object.keys(record.stages)
      const behind = own.length === 0 ? undefined : made.find((stages) => own.every((name) => name in stages))
      return [{...record, stages: {...behind, ...record.stages}}]
    }),
  }
}
