import {Listr, type ListrTask} from 'listr2'
import type {Spending} from '../core/llm/connect.ts'
import type {StageCounts} from '../core/progress.ts'
import type {Terminal} from './terminal.ts'

export interface ProgressView {
  start(recipe: string, counts: readonly StageCounts[]): void
  /** Ends the current recipe's display; `failed` marks the stages that did not end. */
  stop(how: {failed: boolean}): Promise<void>
}

const pollMilliseconds = 200
const plainLineSeconds = 10

/** Bars on a terminal, plain lines when piped. Counts are polled, so that drawing costs the engine nothing. */
export function progressView(terminal: Terminal, now: () => number, spending: () => Readonly<Spending>): ProgressView {
  return terminal.interactive ? bars(now, spending) : lines(terminal, now, spending)
}

function bars(now: () => number, spending: () => Readonly<Spending>): ProgressView {
  let finish: ((how: {failed: boolean}) => Promise<void>) | undefined
  return {
    start(recipe, counts) {
      const started = now()
      const settlers: {resolve: () => void; reject: (error: Error) => void}[] = []
      const retitle: (() => void)[] = []
      const tasks: ListrTask[] = counts.map((count, index) => ({
        title: count.stage,
        task: (_, task) => new Promise<void>((resolve, reject) => {
          settlers.push({resolve, reject})
          retitle.push(() => {
            task.title = describeStage(count, counts[index - 1], (now() - started) / 1000)
            if (index === counts.length - 1) task.output = describeSpending(spending())
            if (count.ended) resolve()
          })
        }),
      }))
      const list = new Listr(tasks, {concurrent: true, exitOnError: false, rendererOptions: {collapseErrors: false, showErrorMessage: false}})
      process.stderr.write(`${recipe}\n`)
      const running = list.run().catch(() => undefined)
      const timer = setInterval(() => retitle.forEach((draw) => draw()), pollMilliseconds)
      finish = async ({failed}) => {
        clearInterval(timer)
        retitle.forEach((draw) => draw())
        for (const {resolve, reject} of settlers) failed ? reject(new Error('stopped')) : resolve()
        await running
      }
    },
    async stop(how) {
      await finish?.(how)
      finish = undefined
    },
  }
}

function lines(terminal: Terminal, now: () => number, spending: () => Readonly<Spending>): ProgressView {
  let timer: NodeJS.Timeout | undefined
  let current: {recipe: string; counts: readonly StageCounts[]; started: number} | undefined
  const write = () => {
    if (!current) return
    const {recipe, counts, started} = current
    const seconds = (now() - started) / 1000
    const active = counts.filter((count) => count.read > 0)
    terminal.say(`${recipe} ${seconds.toFixed(1)}s: ${active.map((count) => describePlain(count)).join(' | ')}${describeSpending(spending(), ' | ')}`)
  }
  return {
    start(recipe, counts) {
      current = {recipe, counts, started: now()}
      timer = setInterval(write, plainLineSeconds * 1000)
    },
    async stop() {
      clearInterval(timer)
      write()
      current = undefined
    },
  }
}

/** `documentation-cot  ███████░░░  120/400  12/s  ETA 0:23  3 dropped` */
export function describeStage(count: StageCounts, upstream: StageCounts | undefined, seconds: number): string {
  const total = upstream?.ended ? upstream.written : undefined
  const rate = seconds > 0 ? count.read / seconds : 0
  const parts = [count.stage.padEnd(20), total === undefined ? `${count.read}` : `${bar(count.read, total)} ${count.read}/${total}`]
  if (!count.ended && rate > 0) parts.push(`${rate >= 10 ? rate.toFixed(0) : rate.toFixed(1)}/s`)
  if (!count.ended && total !== undefined && rate > 0) parts.push(`ETA ${clock((total - count.read) / rate)}`)
  parts.push(`→ ${count.written}`)
  if (count.dropped > 0) parts.push(`${count.dropped} dropped`)
  if (count.failed > 0) parts.push(`${count.failed} failed`)
  return parts.join('  ')
}

function describePlain(count: StageCounts): string {
  const extra = [count.dropped > 0 ? `${count.dropped} dropped` : '', count.failed > 0 ? `${count.failed} failed` : ''].filter((part) => part !== '')
  return `${count.stage} ${count.read}→${count.written}${extra.length > 0 ? ` (${extra.join(', ')})` : ''}`
}

export function describeSpending({requests, cachedReplies, tokens, cost, currency}: Readonly<Spending>, before = ''): string {
  if (requests === 0 && cachedReplies === 0) return ''
  return `${before}${requests} requests, ${cachedReplies} from cache, ${tokens} tokens${cost > 0 ? `, ${cost.toFixed(4)} ${currency}` : ''}`
}

function bar(done: number, total: number): string {
  const width = 16
  const filled = total === 0 ? width : Math.round((done / total) * width)
  return '█'.repeat(filled) + '░'.repeat(width - filled)
}

function clock(seconds: number): string {
  const whole = Math.round(seconds)
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`
}
