import {mkdtemp, rm, stat} from 'node:fs/promises'
import {randomBytes} from 'node:crypto'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {z} from 'zod'
import {receivedResult, sentResult} from '../../engine/elsewhere/hands.ts'
import {envelopeOf} from '../../engine/ids.ts'
import {openLedger} from '../../engine/ledger.ts'
import type {AnyStage} from '../../engine/pipeline.ts'
import {each} from '../../engine/stage.ts'

const Text = z.strictObject({number: z.int(), text: z.string()})
const stage: AnyStage = {name: 'stub', version: 1, input: Text, output: Text, run: each((one) => [one])}

/** Seconds of a verdict of the twin. */
const workSeconds = 0.33

/**
 * What a record costs the run that hands it out, by size, measured with results that a stub made; and how many a second
 * come back from 1, 10 and 1,000 workers by a simulation of such a run, in which every worker always has a record.
 */
export async function benchLimits(): Promise<void> {
  for (const [bytes, records] of [
    [1_000, 20_000],
    [100_000, 1_000],
  ] as const) {
    const {seconds, disk} = await cost(bytes, records)
    const rates = [1, 10, 1000].map((workers) => `${workers}: ${simulated(workers, seconds).toFixed(0)}`)
    console.log(
      `records of ${bytes} bytes: ${(seconds * 1000).toFixed(2)} ms of CPU and ${disk} bytes of ledger each; ` +
        `records a second by workers: ${rates.join(', ')}`,
    )
  }
}

async function cost(bytes: number, records: number): Promise<{seconds: number; disk: number}> {
  const folder = await mkdtemp(join(tmpdir(), 'ascend-cot-bench-'))
  const file = join(folder, 'ledger.db')
  const ledger = openLedger(file)
  const kept = ledger.stage('stub', 'key')
  const sent = Array.from({length: records}, (_, number) => {
    const record = envelopeOf({number, text: randomBytes(bytes / 2).toString('hex')})
    return {id: record.id, text: sentResult({input: record, outcome: {outputs: [record], drops: []}})}
  })
  const before = process.cpuUsage()
  for (const {id, text} of sent) {
    const {input, outcome} = receivedResult(text, stage, new Set([id]))
    kept.put(input, outcome)
  }
  ledger.flush()
  const {user, system} = process.cpuUsage(before)
  ledger.close()
  const {size} = await stat(file)
  await rm(folder, {recursive: true})
  return {seconds: (user + system) / 1e6 / records, disk: Math.round(size / records)}
}

/** Results that the run takes one after another, in a minute of simulated time. */
function simulated(workers: number, costSeconds: number): number {
  const due = Array.from({length: workers}, (_, at) => (workSeconds * (at + 1)) / workers)
  let [now, done] = [0, 0]
  // The worker whose result comes first is the one that was given its record first.
  for (let at = 0; now < 60; at = (at + 1) % workers) {
    now = Math.max(now, due[at]!) + costSeconds
    due[at] = now + workSeconds
    done += 1
  }
  return done / 60
}
