import {openRun} from '../../engine/run.ts'

/** 300 records of which each holds up its worker's process, as a parser does, but leaves the processor to others. */
export const halved = `
import {Pipeline} from '${process.cwd()}/dist/engine/pipeline.js'
import {each} from '${process.cwd()}/dist/engine/stage.js'
import {z} from '${process.cwd()}/node_modules/zod/index.js'

const numbers = {
  name: 'numbers', version: 1, input: z.int(), output: z.int(),
  async *run(totals) { for await (const total of totals) for (let at = 0; at < total; at += 1) yield at },
}
const halves = {
  name: 'halves', version: 1, options: {compiler: process.env.TEST_COMPILER ?? 'clang'},
  input: z.int(), output: z.strictObject({half: z.number()}),
  run: each((value, {drop}) => {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20)
    return value % 7 === 0 ? drop(value, 'by-seven', '') : [{half: value / 2}]
  }, {concurrency: 2}),
}
export default () => Pipeline.from('halved', [300], numbers).via(halves)
`

/** What the ledger of a run of it holds. */
export async function keptIn(directory: string) {
  const run = (await openRun(directory))!
  const kept = [...run.emitted()].map(({id, json}) => `${id} ${json}`)
  const drops = [...run.stage('halves')!.dropped()].map((one) => JSON.stringify(one)).sort()
  run.close()
  return {kept, drops}
}
