import {createHash} from 'node:crypto'
import {join} from 'node:path'
import {z} from 'zod'
import {Artifact} from '../../datasets/schema/sample.ts'
import {fromRun} from '../../engine/from-run.ts'
import {writeWhole} from '../../engine/files.ts'
import {silentLog} from '../../engine/log.ts'
import {Pipeline} from '../../engine/pipeline.ts'
import {asFinished, readRunRecord} from '../../engine/run.ts'
import {runPipeline} from '../../engine/runner.ts'
import {each, type Stage} from '../../engine/stage.ts'

const Text = z.string()
let time = 0

/** An output folder with a data set of these files, as a release and its card leave it. */
export async function released(
  out: string,
  files: Readonly<Record<string, string | Buffer>>,
  {without = []}: {without?: readonly string[]} = {},
): Promise<string> {
  const data = Object.keys(files).filter((path) => path.startsWith('data/'))
  const gates = ['decontaminate', 'licence-gate', 'export-gate'].filter((gate) => !without.includes(gate))
  const passing = (name: string): Stage<string, string> => ({
    name,
    version: 1,
    input: Text,
    output: Text,
    run: each((path) => [path]),
  })
  const first: Stage<string, string> = {
    ...passing('source'),
    async *run(paths) {
      yield* paths
    },
  }
  const lines = gates.reduce((line, gate) => line.via(passing(gate)), Pipeline.from('release-sft', data, first))
  await runOnce(join(out, 'release-sft'), lines.via(writer(out, files)))
  await cardOf(out, files)
  return out
}

/** Runs the card alone. */
export async function cardOf(out: string, files: Readonly<Record<string, string | Buffer>>): Promise<void> {
  const directory = join(out, 'release-sft')
  const runs = [asFinished(directory, await readRunRecord(directory))]
  const texts = Object.keys(files).filter((path) => !path.startsWith('data/'))
  const card: Stage<Artifact, Artifact> = {
    name: 'card',
    version: 1,
    options: {texts},
    input: Artifact,
    output: Artifact,
    async *run(artifacts) {
      yield* artifacts
      for (const path of texts) yield await written(out, path, files[path] ?? '')
    },
  }
  await runOnce(join(out, 'card'), Pipeline.from('card', runs, fromRun(Artifact)).via(card))
}

function writer(out: string, files: Readonly<Record<string, string | Buffer>>): Stage<string, Artifact> {
  return {
    name: 'parquet',
    version: 1,
    input: Text,
    output: Artifact,
    async *run(paths) {
      for await (const path of paths) yield await written(out, path, files[path] ?? '')
    },
  }
}

async function written(out: string, path: string, content: string | Buffer): Promise<Artifact> {
  const bytes = Buffer.from(content)
  await writeWhole(join(out, 'dataset', path), bytes)
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  return {kind: path.startsWith('data/') ? 'parquet' : 'card', path, rows: 1, bytes: bytes.length, sha256}
}

async function runOnce(directory: string, pipeline: Pipeline<unknown>): Promise<void> {
  await runPipeline({
    pipeline,
    directory,
    model: () => undefined,
    seed: 'test',
    now: () => (time += 1000),
    signal: new AbortController().signal,
    log: silentLog,
  })
}
