import type {AnyStage} from '../../engine/pipeline.ts'
import {perRecord, type Context, type PerRecordRun} from '../../engine/stage.ts'

/** CPU seconds by stage; what no stage used is the engine's: checks, ids, the ledger. */
export interface StageMeter {
  metered(stage: AnyStage): AnyStage
  seconds(): Record<string, number>
}

/**
 * Charges the CPU time of the process, that of its garbage collection included, by the share of the time in which a
 * stage had control: to ask for CPU time itself takes as long as a stage. Right for stages that do one record at a
 * time, as those of the releases do; waiting for the disk counts as well.
 */
export function stageMeter(): StageMeter {
  const spent = new Map<string, number>()
  const started = process.cpuUsage()
  let owner = 'engine'
  let since = performance.now()

  function hand(next: string): void {
    const now = performance.now()
    spent.set(owner, (spent.get(owner) ?? 0) + now - since)
    since = now
    owner = next
  }

  async function* between(items: AsyncIterable<unknown>, inside: string, outside: string): AsyncIterable<unknown> {
    const iterator = items[Symbol.asyncIterator]()
    try {
      for (;;) {
        hand(inside)
        const next = await iterator.next()
        hand(outside)
        if (next.done) return
        yield next.value
      }
    } finally {
      await iterator.return?.()
    }
  }

  function metered(stage: AnyStage): AnyStage {
    if (perRecord in stage.run)
      return {...stage, run: meteredEach(stage.name, stage.run as PerRecordRun<unknown, unknown>)}
    const run = (items: AsyncIterable<unknown>, context: Context) =>
      between(stage.run(between(items, 'engine', stage.name), context), stage.name, 'engine')
    return {...stage, run}
  }

  function meteredEach(name: string, run: PerRecordRun<unknown, unknown>): PerRecordRun<unknown, unknown> {
    const {fn, ...rest} = run[perRecord]
    const timed = async (item: unknown, context: Context) => {
      hand(name)
      try {
        return await fn(item, context)
      } finally {
        hand('engine')
      }
    }
    const whole = (items: AsyncIterable<unknown>, context: Context) => run(items, context)
    return Object.assign(whole, {[perRecord]: {fn: timed, ...rest}})
  }

  return {
    metered,
    seconds() {
      hand(owner)
      const {user, system} = process.cpuUsage(started)
      const all = [...spent.values()].reduce((sum, time) => sum + time, 0)
      const share = (time: number) => Math.round(((time / all) * (user + system)) / 1e5) / 10
      return Object.fromEntries([...spent].map(([name, time]) => [name, share(time)]))
    },
  }
}
