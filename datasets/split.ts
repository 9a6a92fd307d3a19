import {contentId, textId} from '../pipelines/core/ids.ts'
import {each, type Stage} from '../pipelines/core/stage.ts'
import {recordSchemas, SplitRow, type Config, type RecordOf, type Split} from './schema/export.ts'
import type {Origin} from './schema/origin.ts'

export interface SplitOptions<C extends Config> {
  config: C
  /** Share of the origins, not of the rows, that goes to the test split. Default 0.05. */
  testFraction?: number
}

/**
 * Puts every record into train or test by a hash of where it comes from, so that rows of one page or one operator never stand
 * on both sides, and a row keeps its side when others come and go. Independent of the run's seed for the same reason.
 */
export default function split<C extends Config>(options: SplitOptions<C>): Stage<RecordOf[C], SplitRow> {
  const {config, testFraction = 0.05} = options
  return {
    name: 'split',
    version: 1,
    options: {config, testFraction},
    input: recordSchemas[config],
    output: SplitRow,
    run: each((record) => [SplitRow.parse({config, id: contentId(record), split: sideOf(record.origin, testFraction), record})]),
  }
}

export function sideOf(origin: Origin, testFraction: number): Split {
  const fraction = Number.parseInt(textId(originGroup(origin)).slice(0, 12), 16) / 2 ** 48
  return fraction < testFraction ? 'test' : 'train'
}

/** One page, or one operator: the host and kernel files of a project, and its tiling, belong together. */
export function originGroup({repository, path}: Origin): string {
  const project = path.replace(/(^|\/)(?:op_host|op_kernel)(?:\/.*)?$/, '')
  return `${repository}\n${project}`
}
