import {join} from 'node:path'
import {writeWhole} from '../../engine/files.ts'
import {contentId} from '../../engine/ids.ts'
import type {Context, Stage} from '../../engine/stage.ts'
import {contaminationIndex, type Leak, type Place, type Reference} from './contamination.ts'
import {contentOf, type Content} from '../content.ts'
import {DecontaminationFile, decontaminationPath, shareOf, sweepShares, type Removed} from './decontamination-file.ts'
import {operatorIdentity, type OperatorTrait, type Recognised} from './operator-identity.ts'
import {recordSchemas, type Config, type RecordOf} from '../schema/export.ts'

interface DecontaminateOptions<C extends Config> {
  config: C
  /** What must not be learnt: held-out tasks and benchmarks, with descriptions, templates and answers as texts. */
  reference: readonly Reference[]
  /**
   * Texts of operators that are known to be different: what they share with the reference is idiom, not a leak. Needed
   * because the starter corpus has the same author as the held-out tasks: such kernels differ in only a few calls.
   */
  boilerplate?: readonly string[]
  /** Names of the API: other names in PascalCase are the author's, and renaming them does not hide a copy. */
  api?: readonly string[]
  /**
   * Traits for refusing records about a reference's operator even if they share no text with it. Default none: another
   * author's code for a benchmark's operator is not the benchmark's answer. The configuration defaults to `request`
   * (config.ts).
   */
  operators?: readonly OperatorTrait[]
  /**
   * Root of the data set, in which `decontamination/<config>.json` records what was removed. Default: nothing is
   * recorded.
   */
  directory?: string
}

/**
 * The only place where benchmarks are kept out of training data: by content first, then by operator if configured,
 * never by path. Drops `contaminated` for records that leak a reference, with the reference, how much of it, and where:
 * prompt, reasoning, answer and code are all checked, since a prompt-only check misses reference solutions in answers.
 * Drops `benchmark-operator` with the matching trait. Uses 200 bytes per removed record.
 */
export default function decontaminate<C extends Config>(
  options: DecontaminateOptions<C>,
): Stage<RecordOf[C], RecordOf[C]> {
  const {config, reference, boilerplate = [], api, operators = [], directory} = options

  async function* run(records: AsyncIterable<RecordOf[C]>, context: Context): AsyncIterable<RecordOf[C]> {
    const index = contaminationIndex(reference, boilerplate, api && new Set(api))
    const recognise = operatorIdentity(reference, operators, api)
    const removed: Removed[] = []
    const shares = sweepShares.map((share) => ({share, records: 0}))
    let checked = 0
    for await (const record of records) {
      checked += 1
      const content = contentOf(config, record)
      const {leak, near} = index.look(placesOf(content))
      const share = leak ? Math.max(near, shareOf(leak)) : near
      for (const line of shares) if (share >= line.share) line.records += 1
      const same = leak ? undefined : recognise(content)
      if (leak) context.drop(record, 'contaminated', inWords(leak))
      else if (same) context.drop(record, 'benchmark-operator', `${same.reference}, by its ${same.by}`)
      else {
        yield record
        continue
      }
      removed.push(removedAs(contentId(record), leak, same))
    }
    if (directory === undefined) return
    const told: DecontaminationFile = {
      config,
      against: reference.map(({name}) => name),
      operators: [...operators],
      checked,
      removed,
      codeShareSweep: shares,
    }
    const text = `${JSON.stringify(DecontaminationFile.parse(told), null, 2)}\n`
    await writeWhole(join(directory, decontaminationPath(config)), text)
  }

  return {
    name: 'decontaminate',
    version: 7,
    // The texts themselves may be megabytes of a benchmark; so their hash is used.
    options: {
      config,
      reference: contentId(reference),
      boilerplate: contentId(boilerplate),
      api: contentId(api ?? []),
      operators: [...operators],
      ...(directory !== undefined && {directory}),
    },
    input: recordSchemas[config],
    output: recordSchemas[config],
    run,
  }
}

function inWords({reference, place, measure}: Leak): string {
  if (measure.kind === 'words') return `${reference}: ${measure.runs} runs of ${measure.length} words in the ${place}`
  const {of, found, statements, share} = measure
  return of === 'part'
    ? `${reference}: ${found} of its statements, ${share.toFixed(2)} of the code, in the ${place}`
    : `${reference}: ${found} of the ${statements} statements of a ${of} in the ${place}`
}

function removedAs(id: string, leak: Leak | undefined, same: Recognised | undefined): Removed {
  if (same) return {id, reference: same.reference, by: same.by}
  const {reference, place, measure} = leak as Leak
  if (measure.kind === 'words') {
    const {runs, length} = measure
    return {id, reference, by: 'words', place, runs, length}
  }
  const {of, found, statements, share} = measure
  return {id, reference, by: 'code', place, of, found, statements, share: Number(share.toFixed(3))}
}

/** Code in the files is not checked again in the answer that shows them. */
function placesOf({prompt, replies, files}: Content): Place[] {
  const without = (reply: string) => files.reduce((text, file) => text.replace(file.text, '\n'), reply)
  return [
    {name: 'prompt', text: prompt, as: 'text'},
    ...replies.map((reply): Place => ({name: 'answer', text: without(reply), as: 'text'})),
    ...files.map(({path, text}): Place => ({name: path, text, as: 'code'})),
  ]
}
