import pLimit from 'p-limit'

export async function* mapInOrder<In, Out>(
  items: AsyncIterable<In>,
  work: (item: In) => Promise<Out>,
): AsyncIterable<Out> {
  for await (const item of items) yield await work(item)
}

/** Records read ahead of the oldest unfinished one, per unit of concurrency: keeps slots busy behind a slow record. */
const readAhead = 4

/** Output order is input order. */
export async function* mapConcurrently<In, Out>(
  items: AsyncIterable<In>,
  work: (item: In) => Promise<Out>,
  concurrency: number,
): AsyncIterable<Out> {
  const limit = pLimit(concurrency)
  const iterator = items[Symbol.asyncIterator]()
  const queue: Promise<Out>[] = []
  const running = new Set<Promise<Out>>()
  const start = (item: In) => {
    const task = work(item)
    running.add(task)
    const forget = () => running.delete(task)
    task.then(forget, forget)
    return task
  }
  let arriving: Promise<IteratorResult<In>> | undefined
  let ended = false
  try {
    while (!ended || queue.length > 0) {
      if (!ended && queue.length < concurrency * readAhead) arriving ??= iterator.next()
      const head = queue[0]
      const first = await Promise.race([
        ...(arriving ? [arriving.then((result) => ({result}))] : []),
        ...(head ? [head.then((done) => ({done}))] : []),
      ])
      if ('done' in first) {
        queue.shift()
        yield first.done
      } else {
        arriving = undefined
        if (first.result.done) ended = true
        else {
          const {value} = first.result
          const started = limit(() => start(value))
          started.catch(() => undefined) // Reported when its turn comes; until then it must not count as unhandled.
          queue.push(started)
        }
      }
    }
  } finally {
    // Stopped early: running records must still store their outcomes, waiting ones must not start.
    limit.clearQueue()
    arriving?.catch(() => undefined)
    await Promise.allSettled(running)
    if (!ended) await iterator.return?.()
  }
}
