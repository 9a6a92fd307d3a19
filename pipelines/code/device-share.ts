import {waiting} from '../../datasets/dedup/dedup-scratch.ts'
import {CotSample} from '../../datasets/schema/sample.ts'
import {textId} from '../../engine/ids.ts'
import type {Context, Stage} from '../../engine/stage.ts'

interface DeviceShareOptions {
  /** Least share of samples, and of the characters of their answers, that is device code; 0 keeps all. Default 0.6. */
  least?: number
}

/** Samples that ask for a change to a file, for each one that asks for device code. */
const changes = 0.1

/**
 * Keeps as much host code as the share of device code allows, chosen by the run's seed; changes to a file, which is
 * mostly in the prompt, come last. Without any device code, everything is kept. Samples are on disk; memory use is 100
 * bytes per sample. Drops: `device-share` and `change-share`, with what was kept.
 */
export default function deviceShare({least = 0.6}: DeviceShareOptions = {}): Stage<CotSample, CotSample> {
  async function* run(samples: AsyncIterable<CotSample>, context: Context): AsyncIterable<CotSample> {
    const all: Noted[] = []
    yield* waiting<CotSample, CotSample>(context.directory, samples, {
      note: (sample, number, id) => void all.push(noted(sample, number, textId(`${context.seed}\n${id}`))),
      async *choose(records) {
        const refused = refusedOf(all, least)
        let number = 0
        for await (const sample of records) {
          const reason = refused.get(number)
          if (reason === undefined) yield sample
          else context.drop(sample, reason, `${all.length - refused.size} of ${all.length} samples are kept`)
          number += 1
        }
      },
    })
  }

  return {
    name: 'device-share',
    version: 1,
    options: {least, changes},
    input: CotSample,
    output: CotSample,
    run,
  }
}

interface Noted {
  number: number
  /** What the order of choice goes by. */
  drawn: string
  isDevice: boolean
  isChange: boolean
  characters: number
}

function noted({side, asks, answer}: CotSample, number: number, drawn: string): Noted {
  return {number, drawn, isDevice: side === 'kernel', isChange: asks === 'change', characters: answer.length}
}

type Reason = 'device-share' | 'change-share'

/** By number, which samples go, and why. */
function refusedOf(all: readonly Noted[], least: number): Map<number, Reason> {
  const refused = new Map<number, Reason>()
  const device = all.filter(({isDevice, isChange}) => isDevice && !isChange)
  if (least === 0 || device.length === 0) return refused
  // Device code before the host's, whole files before changes.
  const place = ({isDevice, isChange}: Noted) => (isChange ? 2 : 0) + (isDevice ? 0 : 1)
  const others = all
    .filter((one) => !one.isDevice || one.isChange)
    .sort((a, b) => place(a) - place(b) || (a.drawn < b.drawn ? -1 : 1))
  const kept = {rows: device.length, characters: sum(device)}
  const host = {rows: 0, characters: 0}
  let changed = 0
  for (const one of others) {
    if (one.isChange && changed + 1 > device.length * changes) refused.set(one.number, 'change-share')
    else if (!one.isDevice && !hasRoom(host, one, kept, least)) refused.set(one.number, 'device-share')
    else {
      changed += one.isChange ? 1 : 0
      count(one.isDevice ? kept : host, one)
    }
  }
  return refused
}

interface Amount {
  rows: number
  characters: number
}

function hasRoom(host: Amount, {characters}: Noted, device: Amount, least: number): boolean {
  const room = (1 - least) / least
  return host.rows + 1 <= device.rows * room && host.characters + characters <= device.characters * room
}

function count(amount: Amount, {characters}: Noted): void {
  amount.rows += 1
  amount.characters += characters
}

function sum(all: readonly Noted[]): number {
  return all.reduce((total, {characters}) => total + characters, 0)
}
