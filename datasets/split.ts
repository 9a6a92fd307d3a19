import {contentId, textId} from '../engine/ids.ts'
import {each, type Stage} from '../engine/stage.ts'
import {operatorKey} from './content.ts'
import {recordSchemas, SplitRow, type Config, type RecordOf, type Split} from './schema/export.ts'
import type {Origin} from './schema/origin.ts'
import type {CotSample} from './schema/sample.ts'

interface SplitOptions<C extends Config> {
  config: C
  /** Share of the origins, not of the rows, that goes to the test split. Default 0.05. */
  testFraction?: number
}

/**
 * Puts every record into train or test by a hash of its operator, or else of where it comes from, so that rows of one
 * page or one operator never stand on both sides, in either configuration, and a row keeps its side when others come
 * and go. Independent of the run's seed for the same reason.
 */
export default function split<C extends Config>(options: SplitOptions<C>): Stage<RecordOf[C], SplitRow> {
  const {config, testFraction = 0.05} = options
  return {
    name: 'split',
    version: 2,
    options: {config, testFraction},
    input: recordSchemas[config],
    output: SplitRow,
    run: each((record) => [
      SplitRow.parse({config, id: contentId(record), split: sideOf(groupOf(record), testFraction), record}),
    ]),
  }
}

export function sideOf(group: string, testFraction: number): Split {
  const fraction = Number.parseInt(textId(group).slice(0, 12), 16) / 2 ** 48
  return fraction < testFraction ? 'test' : 'train'
}

/** The operator's name, however it is spelled, if a record is about one; else its page. */
export function groupOf(record: RecordOf[Config]): string {
  if ('task' in record) return `operator\n${operatorKey(record.task)}`
  return record.kind === 'kernel' ? `operator\n${operatorKey(operatorOf(record))}` : originGroup(record.origin)
}

/**
 * The project's folder; outside of projects the kernel's entry, else the file's name without the words that tell its
 * role.
 */
function operatorOf({origin, files}: CotSample): string {
  const folder = /([^/]+)\/(?:op_host|op_kernel)(?:\/.*)?$/.exec(origin.path)?.[1]
  const entry = files
    .map(({text}) => /__global__\s+__aicore__\s+void\s+(\w+)/.exec(text)?.[1])
    .find((name) => name !== undefined)
  return (
    folder ??
    entry ??
    origin.path
      .replace(/^.*\//, '')
      .replace(/\.\w+$/, '')
      .replace(/_(?:tiling|def|proto|infershape)$/, '')
  )
}

/** One page, or one operator: the host and kernel files of a project, and its tiling, belong together. */
function originGroup({repository, path}: Origin): string {
  const project = path.replace(/(^|\/)(?:op_host|op_kernel)(?:\/.*)?$/, '')
  return `${repository}\n${project}`
}
