// A program of its own whose run ends in the middle of its third record, in the way it is told.
// node --import tsx test/helpers/ending-run.ts <run directory> <throw|exit|SIGKILL|SIGHUP|peace>
import {z} from 'zod'
import {silentLog} from '../../engine/log.ts'
import {Pipeline} from '../../engine/pipeline.ts'
import {runPipeline} from '../../engine/runner.ts'
import {each} from '../../engine/stage.ts'

const [directory, how] = process.argv.slice(2) as [string, string]

const endings: Record<string, () => void> = {
  throw: () =>
    setTimeout(() => {
      throw new Error('nobody catches what a timer throws')
    }),
  exit: () => process.exit(7),
  SIGKILL: () => process.kill(process.pid, 'SIGKILL'),
  SIGHUP: () => process.kill(process.pid, 'SIGHUP'),
}

await runPipeline({
  pipeline: Pipeline.from('ending', [1, 2, 3, 4], {
    name: 'numbers',
    version: 1,
    input: z.int(),
    output: z.int(),
    run: each(async (number: number) => {
      if (number !== 3 || how === 'peace') return [number]
      endings[how]?.()
      return new Promise<number[]>(() => setInterval(() => undefined, 1000))
    }),
  }),
  directory,
  model: () => undefined,
  seed: 'ending',
  now: () => 0,
  signal: new AbortController().signal,
  log: silentLog,
})
