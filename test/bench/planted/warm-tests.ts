import {spawn, type ChildProcess} from 'node:child_process'
import {resolve} from 'node:path'
import {createInterface} from 'node:readline'
import {testCache} from '../../helpers/test-cache.ts'

export interface TestRequest {
  changed: string
  files: readonly string[]
}

export type TestTold =
  | {kind: 'begun'; file: string}
  | {kind: 'ended'; file: string; failed: boolean; seconds: number}
  | {kind: 'done'; failed: readonly string[]; thrown: number}

/** `undefined`: the time was over before all of them had run, and none had failed. */
export type Failed = readonly string[] | undefined

export interface WarmTests {
  failing(request: TestRequest, limitSeconds: number): Promise<Failed>
  /** How long a test file took when it last ran to its end. */
  secondsOf(file: string): number | undefined
  close(): void
}

/** A file that takes ten times as long as it did, and a minute at least, does not end. */
const hangs = {times: 10, seconds: 60}

/** Until the first file begins: a vitest that starts anew may find that a fault has cost it the precompiled twin. */
const startSeconds = 240

/** Test files run in one vitest that is kept from fault to fault; one that a fault has hung is started anew. */
export function warmTests(root: string): WarmTests {
  let running: ChildProcess | undefined
  const known = new Map<string, number>()
  return {
    failing: (request, limitSeconds) => ask(request, limitSeconds),
    secondsOf: (file) => known.get(file),
    close: stop,
  }

  function ask(request: TestRequest, limitSeconds: number): Promise<Failed> {
    return new Promise((end) => {
      const child = (running ??= start(root))
      const since = new Map<string, number>()
      let isFirst = true
      const lines = createInterface({input: child.stdout as NodeJS.ReadableStream})
      const watch = setInterval(() => {
        const late = request.files.filter((file) => isHung(since.get(file), known.get(file)))
        if (late.length > 0) finish(late, true)
      }, 1000)
      let clock = setTimeout(() => finish(undefined, true), startSeconds * 1000)
      const begin = () => {
        clearTimeout(clock)
        clock = setTimeout(() => finish(undefined, true), limitSeconds * 1000)
      }
      const finish = (failed: Failed, kill: boolean) => {
        clearInterval(watch)
        clearTimeout(clock)
        lines.close()
        child.off('exit', gone)
        if (kill) stop()
        end(failed)
      }
      const gone = () => {
        running = undefined
        finish(request.files, false)
      }
      child.once('exit', gone)
      lines.on('line', (line) => {
        if (!line.startsWith('{"kind"')) return
        const told = JSON.parse(line) as TestTold
        if (told.kind === 'begun') {
          if (isFirst) begin()
          isFirst = false
          since.set(told.file, performance.now())
        }
        if (told.kind === 'ended') {
          since.delete(told.file)
          if (!told.failed) known.set(told.file, told.seconds)
        }
        if (told.kind === 'done')
          finish(told.thrown > 0 && told.failed.length === 0 ? request.files : told.failed, false)
      })
      child.stdin?.write(`${JSON.stringify(request)}\n`)
    })
  }

  function stop(): void {
    const child = running
    running = undefined
    child?.removeAllListeners('exit')
    // Its workers are of its process group.
    if (child?.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
  }
}

function isHung(since: number | undefined, seconds: number | undefined): boolean {
  if (since === undefined || seconds === undefined) return false
  return (performance.now() - since) / 1000 > Math.max(hangs.seconds, hangs.times * seconds)
}

function start(root: string): ChildProcess {
  return spawn(process.execPath, ['--import', 'tsx', resolve('test/bench/planted/warm-run.ts'), root], {
    cwd: root,
    env: {...process.env, TWIN_TEST_CACHE: testCache},
    stdio: ['pipe', 'pipe', 'ignore'],
    detached: true,
  })
}
