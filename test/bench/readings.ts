import {existsSync, readFileSync} from 'node:fs'
import {join} from 'node:path'
import {z} from 'zod'
import {Origin} from '../../datasets/schema/origin.ts'
import {CotSample} from '../../datasets/schema/sample.ts'
import {readJsonLines, writeWhole} from '../../engine/files.ts'
import {contentId, textId} from '../../engine/ids.ts'
import {openRun} from '../../engine/run.ts'

/** A row beside what its page says, and what a reader who knows the field found it to be. */
const Reading = z.strictObject({
  id: z.string(),
  origin: Origin,
  question: z.string(),
  reasoning: z.string(),
  answer: z.string(),
  /** The lines of the page that the row is about; '' where they are not known. */
  source: z.string(),
  /** Null until it has been read. `false`: it says what is not so; `hollow`: it teaches nothing. */
  found: z.enum(['sound', 'false', 'incomplete', 'hollow']).nullable(),
  why: z.string(),
})
type Reading = z.infer<typeof Reading>

interface Options {
  /** Root of the documentation that the run read. */
  docs: string
  draw: number
  seed: string
}

/**
 * Rows for a person to read: draws them from a finished run by the seed, writes each beside the lines of its page into
 * the run directory, and counts what the reader wrote into `found`. What was read is never drawn over.
 */
export async function benchReadings(directory: string, {docs, draw, seed}: Options): Promise<void> {
  const path = join(directory, `readings-${seed}.jsonl`)
  if (!existsSync(path)) {
    const readings = await drawn(directory, docs, draw, seed)
    await writeWhole(path, readings.map((reading) => `${JSON.stringify(reading)}\n`).join(''))
  }
  const found = new Map<string, string[]>()
  for await (const {found: as, why, id} of readJsonLines(path, Reading)) {
    const kind = as ?? 'not read yet'
    found.set(kind, [...(found.get(kind) ?? []), `${id.slice(0, 8)} ${why}`])
  }
  console.log(path)
  for (const [kind, rows] of found) {
    console.log(`${kind}: ${rows.length}`)
    if (kind !== 'sound' && kind !== 'not read yet') for (const row of rows) console.log(`  ${row}`)
  }
}

async function drawn(directory: string, docs: string, count: number, seed: string): Promise<Reading[]> {
  const run = await openRun(directory)
  if (!run) throw new Error(`There is no run in ${directory}.`)
  try {
    const places: {by: string; json: string}[] = []
    for (const {json} of run.emitted()) places.push({by: textId(`${seed} ${json}`), json})
    const chosen = places.sort((a, b) => (a.by < b.by ? -1 : 1)).slice(0, count)
    return chosen.map(({json}) => readingOf(CotSample.parse(JSON.parse(json)), docs))
  } finally {
    run.close()
  }
}

function readingOf(sample: CotSample, docs: string): Reading {
  const {origin, prompt: question, reasoning, answer} = sample
  return {
    id: contentId(sample),
    origin,
    question,
    reasoning,
    answer,
    source: sourceOf(origin, docs),
    found: null,
    why: '',
  }
}

function sourceOf({path, lines}: Origin, docs: string): string {
  const file = join(docs, path)
  if (!lines || !existsSync(file)) return ''
  return readFileSync(file, 'utf8')
    .split('\n')
    .slice(lines[0] - 1, lines[1])
    .join('\n')
}
