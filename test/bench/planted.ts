import {appendFileSync, existsSync, mkdirSync, readFileSync} from 'node:fs'
import {dirname, join} from 'node:path'
import {parseArgs} from 'node:util'
import {contentId} from '../../engine/ids.ts'
import {randomFrom} from '../../engine/random.ts'
import {cppPlants} from './planted/cpp-places.ts'
import {openTree, type Outcome, type Tree} from './planted/tree.ts'
import {twinPrograms} from './planted/twin-programs.ts'
import {typescriptPlants, type Plant} from './planted/typescript-places.ts'

interface Judged extends Plant {
  id: string
  line: number
  outcome: Outcome
  seconds: number
}

/** A fault that changes nothing that anybody could see, and why: its `line`, what stands there, what replaces it. */
interface Equivalent {
  file: string
  line: string
  was: string
  text: string
  reason: string
}

const rooms = /^(?:engine|datasets|sources|eval|trainers|pipelines)\/.*(?<!\.d)\.ts$/
const twin = /^eval\/twin\/runtime\/device\/.*\.cpp$/

/**
 * `planted`: single faults drawn over all rooms, one at a time in a copy of the tree, and whether the tests that reach
 * the file notice. `--cpp <share>` of the sample is the twin's device (default 0.25). What was judged is kept
 * in `--out`,
 * so that the same call goes on where it was stopped; with `--again` those that nothing noticed are judged anew.
 * `--files` draws from the paths alone that match it.
 */
export async function benchPlanted(args: readonly string[]): Promise<void> {
  const {values} = parseArgs({
    args: [...args],
    options: {
      sample: {type: 'string', default: '200'},
      seed: {type: 'string', default: 'planted'},
      cpp: {type: 'string', default: '0.25'},
      tests: {type: 'string', default: '12'},
      seconds: {type: 'string', default: '300'},
      again: {type: 'boolean', default: false},
      files: {type: 'string', default: ''},
      out: {type: 'string', default: '.ascend-cot/planted'},
    },
  })
  const tree = openTree()
  const file = join(values.out, `${values.seed}.jsonl`)
  mkdirSync(dirname(file), {recursive: true})
  const before = existsSync(file) ? readLines(file) : []
  const reused = new Map(before.map((one) => [one.id, one]))
  const known = new Map([...reused].filter(([, one]) => !values.again || isNoticed(one)))
  const device = Math.round(Number(values.sample) * Number(values.cpp))
  const wanted = {within: new RegExp(values.files), seed: values.seed}
  const drawn = [
    ...draw(tree, {...wanted, matching: rooms, count: Number(values.sample) - device}, typescriptPlants),
    ...draw(tree, {...wanted, matching: twin, count: device}, cppPlants),
  ]
  const programs = device > 0 ? await twinPrograms(tree) : undefined
  const judged: Judged[] = []
  try {
    for (const plant of drawn) {
      const id = contentId(plant)
      const one = known.get(id) ?? (await judgePlant(plant, id))
      if (!known.has(id)) appendFileSync(file, `${JSON.stringify(one)}\n`)
      judged.push(one)
      console.log(
        `${judged.length}/${drawn.length} ${one.outcome} ${describe(one, tree)} (${one.seconds.toFixed(0)} s)`,
      )
    }
    report(judged, tree)
  } finally {
    tree.close()
  }

  async function judgePlant(plant: Plant, id: string): Promise<Judged> {
    const started = performance.now()
    const line = tree.read(plant.file).slice(0, plant.start).split('\n').length
    let outcome = await outcomeOf(plant)
    // Tests that fail without any fault have no say; the others are asked again.
    while (outcome === 'test' && !programs?.has(plant.file) && !(await tree.trusted(plant.file)))
      outcome = await outcomeOf(plant)
    return {...plant, id, line, outcome, seconds: (performance.now() - started) / 1000}
  }

  async function outcomeOf(plant: Plant): Promise<Outcome> {
    const original = tree.read(plant.file)
    tree.write(plant.file, original.slice(0, plant.start) + plant.text + original.slice(plant.end))
    try {
      if (programs?.has(plant.file)) return (await programs.judge(plant.file)) === 'noted' ? 'test' : 'survived'
      return await tree.judge(plant.file, {tests: Number(values.tests), seconds: Number(values.seconds)})
    } finally {
      tree.write(plant.file, original)
    }
  }
}

interface Wanted {
  matching: RegExp
  within: RegExp
  count: number
  seed: string
}

/** Files by chance first, weighed by their places, so that every place is as likely as every other. */
function draw(
  tree: Tree,
  {matching, within, count, seed}: Wanted,
  places: (file: string, text: string) => Plant[],
): Plant[] {
  const equal = equivalents()
  const files = tree.files.filter((name) => matching.test(name) && within.test(name))
  const all = files.flatMap((name) => places(name, tree.read(name)))
  // Left out only now, so that a sample stays the same when the list grows.
  const shuffled = randomFrom('planted', seed, String(matching)).shuffle(all)
  return shuffled.filter((plant) => !equal.some((one) => isSame(one, plant, tree.read(plant.file)))).slice(0, count)
}

function equivalents(): Equivalent[] {
  return JSON.parse(readFileSync('test/bench/planted/equivalent.json', 'utf8')) as Equivalent[]
}

function isSame({file, line, was, text}: Equivalent, plant: Plant, original: string): boolean {
  if (file !== plant.file || text !== plant.text || was !== original.slice(plant.start, plant.end)) return false
  const begin = original.lastIndexOf('\n', plant.start) + 1
  return original.slice(begin).split('\n', 1)[0]?.trim() === line
}

function readLines(file: string): Judged[] {
  const lines = readFileSync(file, 'utf8').split('\n')
  return lines.filter((line) => line.endsWith('}')).map((line) => JSON.parse(line) as Judged)
}

function describe({file, line, kind, text, start, end}: Judged, tree: Tree): string {
  const was = tree.read(file).slice(start, end)
  const short = (part: string) => part.trim().replaceAll(/\s+/g, ' ').slice(0, 70)
  return `${file}:${line} ${kind}: ${short(was)} -> ${short(text)}`
}

function report(judged: readonly Judged[], tree: Tree): void {
  for (const [room, ones] of [...groups(judged)].sort(([a], [b]) => (a < b ? -1 : 1)))
    console.log(`${room}: ${score(ones)}`)
  const seconds = judged.reduce((sum, one) => sum + one.seconds, 0)
  console.log(`all: ${score(judged)}, ${(seconds / 60).toFixed(1)} minutes`)
  for (const one of judged.filter((one) => !isNoticed(one))) console.log(`${one.outcome}: ${describe(one, tree)}`)
}

function groups(judged: readonly Judged[]): Map<string, Judged[]> {
  const found = new Map<string, Judged[]>()
  for (const one of judged) found.set(roomOf(one), [...(found.get(roomOf(one)) ?? []), one])
  return found
}

function roomOf({file}: Judged): string {
  if (file.startsWith('eval/twin/')) return 'eval/twin'
  return /^pipelines\/[^/]+|^[^/]+/.exec(file)?.[0] ?? file
}

function score(ones: readonly Judged[]): string {
  const noted = ones.filter(isNoticed).length
  const refused = ones.filter(({outcome}) => outcome === 'compiler').length
  const share = Math.round((100 * noted) / ones.length)
  return `${noted} of ${ones.length} noticed (${share} %), ${refused} of them by the compiler`
}

function isNoticed({outcome}: Judged): boolean {
  return outcome === 'compiler' || outcome === 'test'
}
