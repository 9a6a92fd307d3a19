import {contentId} from '../../engine/ids.ts'
import {each, type Stage} from '../../engine/stage.ts'
import {recordSchemas, type Config, type RecordOf} from '../schema/export.ts'
import type {Reading} from '../schema/mark.ts'

interface MarkedGateOptions<C extends Config> {
  config: C
  /** What a reader said of rows that are to stay out, by content id. */
  marked: Readonly<Record<string, Reading>>
}

/**
 * Drops records that a reader marked in the viewer: `marked-by-reader`. A record that its stages write otherwise later
 * is another row, which nobody has read.
 */
export default function markedGate<C extends Config>(options: MarkedGateOptions<C>): Stage<RecordOf[C], RecordOf[C]> {
  const {config, marked} = options
  return {
    name: 'marked-gate',
    version: 1,
    options: {config, marked: {...marked}},
    input: recordSchemas[config],
    output: recordSchemas[config],
    run: each((record, context) => {
      const mark = marked[contentId(record)]
      return mark === undefined ? [record] : context.drop(record, 'marked-by-reader', mark)
    }),
  }
}
