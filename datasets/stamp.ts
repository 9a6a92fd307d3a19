import {each, type Stage} from '../engine/stage.ts'
import {recordSchemas, type Config, type RecordOf} from './schema/export.ts'
import type {CotSample, PreferencePair} from './schema/sample.ts'

/** Stages of the runs that made a record, with their versions: by kind of sample, and of pairs. */
export type RunVersions = Readonly<Partial<Record<CotSample['kind'] | 'pair', Readonly<Record<string, number>>>>>

export interface StampOptions<C extends Config> {
  config: C
  versions: RunVersions
}

/**
 * Completes the stage versions of records. A record knows the stages that wrote in it; those before, which read, cut or checked its
 * source, are known to the runs only. What the record says itself stays.
 */
export default function stamp<C extends Config>({config, versions}: StampOptions<C>): Stage<RecordOf[C], RecordOf[C]> {
  return {
    name: 'stamp',
    version: 1,
    options: {
      config,
      versions: Object.fromEntries(Object.entries(versions).map(([kind, stages]) => [kind, {...stages}])),
    },
    input: recordSchemas[config],
    output: recordSchemas[config],
    run: each((record) => [{...record, stages: {...versions[kindOf(record)], ...record.stages}}]),
  }
}

function kindOf(record: CotSample | PreferencePair): CotSample['kind'] | 'pair' {
  return 'task' in record ? 'pair' : record.kind
}
