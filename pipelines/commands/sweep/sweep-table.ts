import {join, resolve} from 'node:path'
import {writeWhole} from '../../../engine/files.ts'
import {htmlPage} from '../../../eval/scores/document.ts'
import {html, raw} from '../../../eval/scores/markup.ts'
import {markdownTable, tablePart} from '../../../eval/scores/page.ts'
import {fill} from '../../../trainers/sweep/fill.ts'
import {jobsOf, readSweep, shippedSweeps} from '../../../trainers/sweep/read-sweep.ts'
import {table, wrapped} from '../text-table.ts'
import {costText} from '../train/job-page.ts'
import type {TrainRooms} from '../train/train-rooms.ts'
import type {World} from '../world.ts'
import {scoredRows} from './scored-rows.ts'
import {sweepJobs, type SweptJob} from './sweep-jobs.ts'

interface SweepRequest {
  /** A bundled table by name, or a YAML file. */
  table: string
  out: string
  /** Values for every specification, which rows of the table may override. */
  set: Readonly<Record<string, string>>
  dryRun: boolean
  json: boolean
}

/**
 * `ascend-cot sweep <table>`: starts the jobs of a table that have not been started, and fills the paper's tables and
 * figures with the scores so far. Exit code 1 when a job was refused or failed.
 */
export async function sweepTable(request: SweepRequest, rooms: TrainRooms, world: World): Promise<number> {
  const {out, set, dryRun, json} = request
  const {terminal} = world
  const sweep = await readSweep((await shippedSweeps()).get(request.table) ?? request.table)
  const jobs = jobsOf(sweep).map((job) => ({...job, set: {...set, ...job.set}}))
  const swept = await sweepJobs(jobs, {rooms, world, dryRun})
  const filled = fill(sweep.shows, await scoredRows(sweep, swept, out))
  const files = dryRun ? [] : await written(join(resolve(out), 'sweeps', sweep.name), sweep.name, filled)
  if (json) {
    const told = swept.map(({plan: _, ...job}) => job)
    terminal.print(JSON.stringify({name: sweep.name, jobs: told, tables: filled.tables, files}))
  } else {
    terminal.print(table(['row', 'seed', 'job', 'state', ''], swept.map(lineOf), terminal.width))
    for (const why of hindrances(swept)) terminal.print(wrapped(`\n${why}`, 2, terminal.width ?? Infinity))
    for (const {title, columns, rows: cells, note} of filled.tables)
      terminal.print(`\n${title}\n${table(columns, cells, terminal.width)}\n${note}`)
    if (files.length > 0) terminal.print(`\ntables and figures in ${files.join(', ')}`)
  }
  return swept.some(({state}) => state === 'refused' || state === 'failed') ? 1 : 0
}

const unstarted = ['planned', 'refused']

const lineOf = ({row, seed, id, state, detail, cost}: SweptJob) => [
  ...[row, seed, id ?? '', state],
  // Missing tools here say nothing about the job's cost elsewhere.
  [detail, cost !== null && unstarted.includes(state) ? costText(cost) : ''].filter(Boolean).join('; '),
]

/** What blocks rows, each reason once with its rows. */
function hindrances(swept: readonly SweptJob[]): string[] {
  const rows = new Map<string, Set<string>>()
  for (const {row, hindrance} of swept)
    for (const one of hindrance) rows.set(one, (rows.get(one) ?? new Set()).add(row))
  return [...rows].map(([what, of]) => `${[...of].join('; ')}: ${what}`)
}

async function written(folder: string, title: string, {tables, figures}: ReturnType<typeof fill>): Promise<string[]> {
  const markdown = tables.map(({title: name, columns, names, rows, note}) =>
    [`## ${name}`, '', ...markdownTable(columns, rows, names), '', note, ''].join('\n'),
  )
  const pictures = figures.map(({name, svg}) => html`<figure>${raw(svg)}<figcaption>${name}</figcaption></figure>`)
  const files = [
    {name: 'tables.md', text: `${[`# ${title}`, ...markdown].join('\n\n')}\n`},
    {name: 'tables.html', text: htmlPage(title, [html`<h1>${title}</h1>`, ...tables.map(tablePart), ...pictures])},
    ...figures.map(({name, svg}) => ({name: `${name}.svg`, text: svg})),
  ]
  for (const {name, text} of files) await writeWhole(join(folder, name), text)
  return files.map(({name}) => join(folder, name))
}
