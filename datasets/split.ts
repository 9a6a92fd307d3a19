import {contentId, textId} from '../engine/ids.ts'
import {each, type Stage} from '../engine/stage.ts'
import {operatorKey} from './content.ts'
import {normalForm} from './contamination/normalize.ts'
import {recordSchemas, SplitRow, type Config, type RecordOf, type Split} from './schema/export.ts'
import type {Origin} from './schema/origin.ts'
import type {CotSample} from './schema/sample.ts'

interface SplitOptions<C extends Config> {
  config: C
  /** Share of the origins, not of the rows, in the test split. Default 0.05. */
  testFraction?: number
}

/**
 * Puts every record into train or test by a hash of its operator, or of its origin if it has none, so that rows of one
 * page or operator are never on both sides, in any configuration, and a row keeps its side when others are added or
 * removed. Independent of the run's seed for the same reason.
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
 * What must not be on both sides: a record's operator, in any spelling; otherwise its page, or the question of an
 * external row.
 */
export function groupOf(record: RecordOf[Config]): string {
  if ('task' in record) return `operator\n${operatorKey(record.task)}`
  // In a table with a hundred thousand questions, each is its own origin; repetitions stay with it.
  if ('kind' in record && record.kind === 'general') return `question\n${textId(normalForm(record.prompt))}`
  return isAboutOperator(record) ? `operator\n${operatorKey(operatorOf(record))}` : originGroup(record.origin)
}

function isAboutOperator(record: RecordOf[Config]): record is CotSample {
  return 'kind' in record && 'reasoning' in record && record.kind !== 'documentation'
}

/**
 * The project's folder, or the task's; outside both, the kernel's entry, otherwise the file's name without the words
 * for its role.
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

/** One page; except in records about operators, the files of a project belong together. */
function originGroup({repository, path}: Origin): string {
  const project = path.replace(/(^|\/)(?:op_host|op_kernel)(?:\/.*)?$/, '')
  return `${repository}\n${project}`
}
