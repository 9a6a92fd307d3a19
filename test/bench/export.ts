import {spawnSync} from 'node:child_process'
import {createReadStream, createWriteStream, mkdirSync, mkdtempSync, rmSync, statSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {createInterface} from 'node:readline'
import {parseArgs} from 'node:util'
import {killedRelease} from './export-kills.ts'
import {keptPages, rowRead} from './parquet-pages.ts'

interface Usage {
  seconds: number
  cpuSeconds: number
  peakRssMb: number
}

interface Release extends Usage {
  stages: Record<string, number>
  counts: {stage: string; read: number; written: number; reasons: Record<string, number>}[]
  stateBytes: number
  inputBytes: number
}

const usage =
  'Usage: npm run bench -- export [--rows <n>] [--without <stage>,<stage>] [--kills <n>] [--python <a python>]'

/**
 * `npm run bench -- export`: so many synthetic rows as a finished run, through all gates of `release-sft` into Parquet.
 * With a Python that has pyarrow and duckdb: the same rows written by them, and what of the pages stays when a row is
 * inserted in the middle.
 */
export async function benchExport(args: string[]): Promise<void> {
  const {values} = parseArgs({
    args,
    options: {
      rows: {type: 'string', default: '20000'},
      without: {type: 'string', default: ''},
      kills: {type: 'string', default: '0'},
      python: {type: 'string'},
    },
  })
  if (!Number.isInteger(Number(values.rows))) throw new Error(usage)
  const folder = mkdtempSync(join(tmpdir(), 'ascend-cot-export-'))
  try {
    node('export-run.ts', 'rows', folder, values.rows)
    const release = node<Release>('export-run.ts', 'release', folder, '0', `--without=${values.without}`)
    print(release, Number(values.rows))
    const train = join(folder, 'dataset/data/sft/train-00000-of-00001.parquet')
    const {size} = statSync(train)
    const middle = await rowRead(train, Math.floor((release.counts.at(-1)?.read ?? 0) / 2))
    console.log(`${megabytes(size)} of train rows; one row read by page index: ${middle.bytes} bytes, ${middle.share}`)
    const kills = Number(values.kills)
    if (kills > 0) await killedRelease(folder, kills, release.seconds, [`--without=${values.without}`])
    if (values.python !== undefined) await beside(values.python, train, join(folder, 'others'))
  } finally {
    rmSync(folder, {recursive: true, force: true})
  }
}

function print({seconds, cpuSeconds, peakRssMb, stages, counts, stateBytes, inputBytes}: Release, rows: number): void {
  console.log(`${rows} rows, ${megabytes(inputBytes)} of canonical JSON; ${counts.at(-1)?.read} exported`)
  console.log(`${cpuSeconds.toFixed(0)} CPU s, ${seconds.toFixed(0)} s, at most ${peakRssMb.toFixed(0)} MB resident`)
  console.log(`${(rows / cpuSeconds).toFixed(0)} rows and ${(inputBytes / 1e6 / cpuSeconds).toFixed(2)} MB per CPU s`)
  console.log(`run state ${megabytes(stateBytes)}, ${(stateBytes / inputBytes).toFixed(2)} of the input`)
  console.table(
    [...counts.map(({stage}) => stage), 'engine'].map((stage) => {
      const {read, written, reasons} = counts.find((one) => one.stage === stage) ?? {}
      return {stage, cpuSeconds: stages[stage], read, written, reasons: reasons && JSON.stringify(reasons)}
    }),
  )
}

/** The same rows by others; and again with a row inserted in the middle. */
async function beside(python: string, train: string, folder: string): Promise<void> {
  mkdirSync(folder)
  const lines = join(folder, 'rows.jsonl')
  const changed = join(folder, 'changed.jsonl')
  run(python, 'test/bench/parquet-rows.py', 'dump', train, lines)
  const rows = await insertInTheMiddle(lines, changed)
  const table: Record<string, unknown>[] = []
  for (const writer of ['ascend-cot', 'pyarrow', 'pyarrow-fixed', 'duckdb']) {
    const write = (from: string, to: string) =>
      writer === 'ascend-cot'
        ? node('parquet-again.ts', from, to)
        : run<Usage>(python, 'test/bench/parquet-rows.py', writer, from, to, train)
    const [before, after] = [join(folder, `${writer}.parquet`), join(folder, `${writer}-changed.parquet`)]
    const {cpuSeconds, peakRssMb} = write(lines, before)
    if (writer !== 'duckdb') write(changed, after)
    const kept = writer === 'duckdb' ? undefined : await keptPages(before, after)
    table.push({
      writer,
      'rows/CPU s': Math.round(rows / cpuSeconds),
      'MB/CPU s': Math.round(statSync(lines).size / 1e6 / cpuSeconds),
      'CPU s': Math.round(cpuSeconds),
      'peak MB': Math.round(peakRssMb),
      file: megabytes(statSync(before).size),
      pages: kept?.pages,
      'kept after an insertion': kept?.share,
    })
  }
  console.log(`${rows} rows as ${megabytes(statSync(lines).size)} of JSON lines → Parquet, zstd`)
  console.table(table)
}

async function insertInTheMiddle(lines: string, changed: string): Promise<number> {
  const middle = Math.floor(statSync(lines).size / 2)
  const out = createWriteStream(changed)
  let [rows, bytes] = [0, 0]
  for await (const line of createInterface({input: createReadStream(lines, 'utf8'), crlfDelay: Infinity})) {
    if (bytes < middle && bytes + Buffer.byteLength(line) + 1 >= middle) {
      const row = JSON.parse(line) as {id: string; answer: string}
      out.write(
        `${JSON.stringify({...row, id: `${row.id.slice(0, -4)}0000`, answer: `One row more. ${row.answer}`})}\n`,
      )
    }
    bytes += Buffer.byteLength(line) + 1
    rows += 1
    if (!out.write(`${line}\n`)) await new Promise<void>((resolve) => out.once('drain', () => resolve()))
  }
  await new Promise<void>((resolve) => out.end(() => resolve()))
  return rows
}

const node = <T = Usage>(program: string, ...args: string[]): T =>
  run<T>(process.execPath, '--import', 'tsx', join('test/bench', program), ...args)

/** What a program prints last, if it is JSON. */
function run<T>(program: string, ...args: string[]): T {
  const {status, stdout} = spawnSync(program, args, {encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit']})
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${status}`)
  return JSON.parse(stdout.trim().split('\n').at(-1) || 'null') as T
}

const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`
