import {contentId, textId} from '../engine/ids.ts'
import {each, type Stage} from '../engine/stage.ts'
import {operatorKey} from './content.ts'
import {normalForm} from './contamination/normalize.ts'
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
    version: 4,
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

/**
 * What may not stand on both sides: the operator that a record is about, however its name is spelled; else its page, or
 * the question of a row from elsewhere.
 */
export function groupOf(record: RecordOf[Config]): string {
  if ('task' in record) return `operator\n${operatorKey(record.task)}`
  // Of a table with a hundred thousand questions, each is an origin of its own; what repeats one stays with it.
  if ('kind' in record && record.kind === 'general') return `question\n${textId(normalForm(record.prompt))}`
  return isAboutOperator(record) ? `operator\n${operatorKey(operatorOf(record))}` : originGroup(record.origin)
}

function isAboutOperator(record: RecordOf[Config]): record is CotSample {
  return 'kind' in record && 'reasoning' in record && record.kind !== 'documentation'
}

/**
 * The project's folder, or the task's; outside of both the kernel's entry, else the file's name without the words that
 * tell its role.
 */
function operatorOf({origin, files}: CotSample): string {
  const folder = /([^/]+)\/(?:op_host|op_kernel)(?:\/.*)?$/.exec(origin.path)?.[1]
  const name = origin.path.replace(/^.*\//, '')
  if (folder === undefined && !name.includes('.')) return name
  const entry = files
    .map(({text}) => /__global__\s+__aicore__\s+void\s+(\w+)/.exec(text)?.[1])
    .find((name) => name !== undefined)
  return folder ?? entry ?? name.replace(/\.\w+$/, '').replace(/_(?:tiling|def|proto|infershape)$/, '')
}

/** One page; outside of records about operators, the files of a project belong together. */
function originGroup({repository, path}: Origin): string {
  const project = path.replace(/(^|\/)(?:op_host|op_kernel)(?:\/.*)?$/, '')
  return `${repository}\n${project}`
}
