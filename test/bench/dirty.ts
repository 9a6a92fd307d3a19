import {spawnSync} from 'node:child_process'
import {mkdirSync, mkdtempSync, readFileSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join, resolve} from 'node:path'
import {dirtyPages, nameOf, writeGoodPages} from '../helpers/dirty-pages.ts'

interface RunFile {
  state: string
  counts: {stage: string; written: number; reasons: Record<string, number>}[]
}

/**
 * `npm run bench -- dirty [pages] [--piped]`: so many pages, one in a hundred dirty, each kind equally often, through
 * `run api-index` on a terminal. Prints time, peak memory, and the reasons against what was planted.
 */
export function benchDirty(args: readonly string[]): void {
  const total = Number(args.find((arg) => /^\d+$/.test(arg)) ?? 20_000)
  const root = mkdtempSync(join(tmpdir(), 'ascend-cot-dirty-'))
  try {
    const planted = plant(join(root, 'pages'), total)
    const {seconds, megabytes, status, tail} = measure(root, !args.includes('--piped'))
    const run = JSON.parse(readFileSync(join(root, 'runs/api-index/run.json'), 'utf8')) as RunFile
    const [pages] = run.counts
    console.log(`${total} pages, ended with ${status}, ${run.state}; ${seconds.toFixed(0)} s, at most ${megabytes} MB`)
    const reasons = new Set([...Object.keys(planted.reasons), ...Object.keys(pages?.reasons ?? {})])
    const counted = (reason: string) => ({planted: planted.reasons[reason] ?? 0, dropped: pages?.reasons[reason] ?? 0})
    console.table([...reasons].sort().map((reason) => ({reason, ...counted(reason)})))
    console.log(`to arrive: ${planted.arriving}, arrived: ${pages?.written}; interfaces: ${run.counts.at(-1)?.written}`)
    if (status !== 0) console.log(tail)
  } finally {
    rmSync(root, {recursive: true, force: true})
  }
}

function plant(root: string, total: number): {arriving: number; reasons: Record<string, number>} {
  const kinds = dirtyPages.filter(({unprivileged}) => !unprivileged || process.getuid?.() !== 0)
  const dirty = Math.round(total / 100)
  writeGoodPages(root, total - dirty)
  const reasons: Record<string, number> = {}
  let arriving = total - dirty
  for (let number = 0; number < dirty; number += 1) {
    const {kind, reason, plant: add} = kinds[number % kinds.length] as (typeof kinds)[number]
    const folder = join(root, `dirt-${nameOf(number)}-${kind}`)
    mkdirSync(folder)
    add(folder)
    if (reason === undefined) arriving += 1
    else reasons[reason] = (reasons[reason] ?? 0) + 1
  }
  return {arriving, reasons}
}

interface Measured {
  seconds: number
  megabytes: number
  status: number | null
  tail: string
}

/** The command by the clock of the kernel, which counts the memory of the process and of all that it waited for. */
function measure(root: string, onTerminal: boolean): Measured {
  const [pages, out] = [join(root, 'pages'), join(root, 'runs')]
  const program = resolve('dist/pipelines/ascend-cot.js')
  const command = [process.execPath, program, 'run', 'api-index', '--docs', pages, '--out', out]
  const started = performance.now()
  const line = command.map((part) => `'${part}'`).join(' ')
  const [first = '', ...args] = onTerminal ? ['script', '-qec', line, '/dev/null'] : command
  const watched = [
    '-c',
    'import resource,subprocess,sys\nc=subprocess.call(sys.argv[1:])\n' +
      'print("peak", resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss//1024)\nsys.exit(c)',
    first,
    ...args,
  ]
  const {status, stdout, stderr} = spawnSync('python3', watched, {encoding: 'utf8', maxBuffer: 1 << 28})
  const megabytes = Number(/peak (\d+)\s*$/.exec(stdout)?.[1] ?? 0)
  return {seconds: (performance.now() - started) / 1000, megabytes, status, tail: `${stdout}\n${stderr}`.slice(-3000)}
}
