// A program of its own, for a disk that fills up: writes ledger, events, files of a stage and Parquet.
// Ends as a command does.
// node --import tsx test/helpers/disk-run.ts <run directory> <records>
import {createHash} from 'node:crypto'
import {join} from 'node:path'
import {z} from 'zod'
import parquet from '../../datasets/parquet/parquet.ts'
import {SplitRow} from '../../datasets/schema/export.ts'
import {processTerminal, reportError} from '../../pipelines/commands/terminal.ts'
import {writeWhole} from '../../engine/files.ts'
import {contentId} from '../../engine/ids.ts'
import {silentLog} from '../../engine/log.ts'
import {Pipeline} from '../../engine/pipeline.ts'
import {runPipeline} from '../../engine/runner.ts'
import {each, type Stage} from '../../engine/stage.ts'

const [directory, records] = process.argv.slice(2) as [string, string]

const Text = z.strictObject({number: z.int(), text: z.string()})
type Text = z.infer<typeof Text>

/** Hexadecimal digits of hashes: nothing makes them smaller than half. */
const hash = (text: string) => createHash('sha256').update(text).digest('hex')
const noise = (seed: number) => Array.from({length: 16}, (_, part) => hash(`${seed} ${part}`)).join('')

const texts: Stage<number, Text> = {
  name: 'texts',
  version: 1,
  input: z.int(),
  output: Text,
  async *run(totals) {
    for await (const total of totals) {
      for (let number = 0; number < total; number += 1) yield {number, text: noise(number)}
    }
  },
}

const rows: Stage<Text, SplitRow> = {
  name: 'rows',
  version: 1,
  input: Text,
  output: SplitRow,
  run: each(async ({number, text}, {log, directory: own}) => {
    log.debug('seen', {number, text: text.slice(0, 200)})
    if (number % 50 === 0) await writeWhole(join(own, `${number}.txt`), text)
    const record = {
      kind: 'documentation' as const,
      language: 'en' as const,
      prompt: String(number),
      reasoning: text,
      answer: text.slice(0, 100),
      files: [],
      teacher: {kind: 'offline' as const},
      stages: {rows: 1},
      origin: {repository: 'disk', revision: '1', path: String(number), licence: 'Apache-2.0'},
    }
    return [{config: 'sft' as const, id: contentId(record), split: 'train' as const, record}]
  }),
}

try {
  await runPipeline({
    pipeline: Pipeline.from('disk', [Number(records)], texts)
      .via(rows)
      .via(parquet({config: 'sft', directory: join(directory, 'dataset')})),
    directory,
    model: () => undefined,
    seed: 'disk',
    now: () => 0,
    log: silentLog,
    signal: new AbortController().signal,
  })
} catch (error) {
  process.exitCode = reportError(error, processTerminal(process.env))
}
