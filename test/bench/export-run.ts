import {workspaceWorld} from '../../pipelines/commands/world.ts'
import {recordedWorld} from '../helpers/world.ts'
// A program of its own, so that its peak is its own, and to be killed:
// node --import tsx test/bench/export-run.ts rows|release <folder> <rows> [--without <stage>,<stage>]
import {readFileSync, writeFileSync} from 'node:fs'
import {readdir, stat} from 'node:fs/promises'
import {join} from 'node:path'
import {parseArgs} from 'node:util'
import {z} from 'zod'
import {CotSample} from '../../datasets/schema/sample.ts'
import {silentLog} from '../../engine/log.ts'
import {Pipeline} from '../../engine/pipeline.ts'
import {openRun} from '../../engine/run.ts'
import {runPipeline} from '../../engine/runner.ts'
import type {Stage} from '../../engine/stage.ts'
import releaseSft from '../../pipelines/recipes/release-sft.ts'
import {readConfig} from '../../pipelines/workspace/config.ts'
import {openWorkspace} from '../../pipelines/workspace/workspace.ts'
import {syntheticSamples} from './export-rows.ts'
import {stageMeter} from './stage-meter.ts'

const {values, positionals} = parseArgs({options: {without: {type: 'string', default: ''}}, allowPositionals: true})
const [what, folder = '', rows = ''] = positionals

const source: Stage<number, CotSample> = {
  name: 'synthetic-samples',
  version: 1,
  input: z.int(),
  output: CotSample,
  async *run(counts) {
    for await (const count of counts) yield* syntheticSamples(count)
  },
}

const run = (pipeline: Pipeline<unknown>, directory: string) =>
  runPipeline({
    pipeline,
    directory,
    model: () => undefined,
    seed: 'bench',
    now: () => 0,
    signal: new AbortController().signal,
    log: silentLog,
  })

async function release(): Promise<void> {
  const config = await readConfig({file: undefined, env: {}, flags: {out: folder}})
  const workspace = openWorkspace(
    config,
    async () => {
      throw new TypeError('a release judges nothing')
    },
    workspaceWorld(recordedWorld()),
  )
  const {name, origins, stages} = await releaseSft(workspace)
  const meter = stageMeter()
  const left = stages.filter((stage) => !values.without.split(',').includes(stage.name))
  console.log('started')
  const started = performance.now()
  const {counts} = await run(Pipeline.of(name, origins, left.map(meter.metered)), join(folder, name))
  const {userCPUTime, systemCPUTime, maxRSS} = process.resourceUsage()
  console.log(
    JSON.stringify({
      seconds: (performance.now() - started) / 1000,
      cpuSeconds: (userCPUTime + systemCPUTime) / 1e6,
      stages: meter.seconds(),
      counts: counts.map(({stage, read, written, reasons}) => ({stage, read, written, reasons})),
      peakRssMb: maxRSS / 1024,
      heapMb: process.memoryUsage().heapTotal / 1e6,
      stateBytes: await bytesBelow(join(folder, name)),
      inputBytes: Number(readFileSync(join(folder, 'input-bytes'), 'utf8')),
    }),
  )
}

async function bytesBelow(path: string): Promise<number> {
  let bytes = 0
  // The journal of a database that was just closed may go meanwhile.
  for (const entry of await readdir(path, {recursive: true, withFileTypes: true}))
    if (entry.isFile()) bytes += (await stat(join(entry.parentPath, entry.name)).catch(() => undefined))?.size ?? 0
  return bytes
}

async function makeRows(): Promise<void> {
  const directory = join(folder, 'documentation')
  await run(Pipeline.from('documentation', [Number(rows)], source), directory)
  const made = await openRun(directory)
  let bytes = 0
  for (const {json} of made?.emitted() ?? []) bytes += Buffer.byteLength(json)
  made?.close()
  writeFileSync(join(folder, 'input-bytes'), String(bytes))
}

if (what === 'rows') await makeRows()
else await release()
