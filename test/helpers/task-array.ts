import {join} from 'node:path'
import {runShare} from '../../engine/elsewhere/share-task.ts'
import type {TaskArray} from '../../engine/elsewhere/task-array.ts'
import {silentLog} from '../../engine/log.ts'
import type {AnyStage} from '../../engine/pipeline.ts'
import type {Context} from '../../engine/stage.ts'

/** What a share's task does at its n-th attempt. */
export type Task = (
  share: number,
  attempt: number,
  run: (stage?: AnyStage) => Promise<void>,
  done: string,
) => Promise<void>

/** A scheduler in this process; a task's end is seen at the next look. */
export function arrayOf(
  root: string,
  task: Task,
  own: () => AnyStage,
): TaskArray & {submitted: number[][]; cancelled: string[]} {
  const attempts = new Map<number, number>()
  const live = new Set<number>()
  const running: Promise<unknown>[] = []
  const submitted: number[][] = []
  const cancelled: string[] = []
  const context = (order: {seed: string}, {name, version}: AnyStage): Context => ({
    llm: undefined,
    drop: () => [],
    stages: {[name]: version},
    log: silentLog,
    seed: order.seed,
    now: () => 0,
    signal: new AbortController().signal,
    directory: root,
  })
  const runIt =
    (share: number) =>
    (stage: AnyStage = own()) =>
      runShare({
        root,
        share,
        open: () => Promise.resolve({stage, capability: 'twin, 1 at once', ready: () => Promise.resolve()}),
        context,
        now: () => 0,
        say: () => undefined,
      })
  return {
    submitted,
    cancelled,
    async submit(shares) {
      submitted.push([...shares])
      for (const share of shares) {
        const attempt = (attempts.get(share) ?? 0) + 1
        attempts.set(share, attempt)
        live.add(share)
        const done = join(root, 'done', `${String(share).padStart(5, '0')}.jsonl`)
        const ended = task(share, attempt, runIt(share), done).catch(() => undefined)
        running.push(ended.finally(() => live.delete(share)))
      }
      return [String(submitted.length)]
    },
    async live() {
      // What a task does to its result afterwards is then never overtaken by the run's look.
      await Promise.all(running)
      return new Set(live)
    },
    cancel: async (handles) => void cancelled.push(...handles),
  }
}
