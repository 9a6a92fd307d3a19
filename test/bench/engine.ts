import {mkdtemp, rm, stat} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {z} from 'zod'
import {silentLog} from '../../engine/log.ts'
import {Pipeline} from '../../engine/pipeline.ts'
import {ledgerFile} from '../../engine/run.ts'
import {runPipeline} from '../../engine/runner.ts'
import {each, type Stage} from '../../engine/stage.ts'

const Tiny = z.strictObject({number: z.int(), text: z.string()})
type Tiny = z.infer<typeof Tiny>

const source: Stage<number, Tiny> = {
  name: 'count-up',
  version: 1,
  input: z.int(),
  output: Tiny,
  async *run(totals) {
    for await (const total of totals)
      for (let number = 0; number < total; number += 1) yield {number, text: `record ${number}`}
  },
}

const step = (name: string): Stage<Tiny, Tiny> => ({
  name,
  version: 1,
  input: Tiny,
  output: Tiny,
  run: each(({number, text}) => [{number: number + 1, text}]),
})

/** Runs `records` tiny records through five stages in a run directory; prints one JSON line. */
export async function benchEngine(records: number): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'ascend-cot-bench-'))
  const pipeline = ['b', 'c', 'd', 'e'].reduce(
    (line, name) => line.via(step(`step-${name}`)),
    Pipeline.from('bench', [records], source),
  )
  const started = performance.now()
  const record = await runPipeline({
    pipeline,
    directory,
    model: () => undefined,
    seed: 'bench',
    now: () => Date.now(),
    signal: new AbortController().signal,
    log: silentLog,
  })
  const seconds = (performance.now() - started) / 1000
  const written = record.counts.at(-1)?.written
  const {userCPUTime, systemCPUTime, maxRSS} = process.resourceUsage()
  const {size} = await stat(ledgerFile(directory))
  await rm(directory, {recursive: true, force: true})
  console.log(
    JSON.stringify({
      records,
      written,
      seconds: round(seconds),
      cpuSeconds: round((userCPUTime + systemCPUTime) / 1e6),
      ledgerBytes: size,
      recordsPerSecond: Math.round(records / seconds),
      peakRssMb: Math.round(maxRSS / 1024),
    }),
  )
}

const round = (value: number) => Math.round(value * 100) / 100
