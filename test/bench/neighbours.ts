import {mkdtempSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {parseArgs} from 'node:util'
import {JudgedCandidate, type Candidate} from '../../datasets/schema/candidate.ts'
import type {SourceFile} from '../../datasets/schema/operator.ts'
import type {OperatorTask} from '../../datasets/schema/task.ts'
import {PipelineError} from '../../engine/errors.ts'
import {canonicalJson} from '../../engine/ids.ts'
import {randomFrom, type Random} from '../../engine/random.ts'
import judge from '../../eval/judge.ts'
import twin from '../../eval/executors/twin.ts'
import {loadTasks} from '../../eval/tasks/operator-tasks.ts'
import {runStage} from '../helpers/run-stage.ts'
import {twinCache} from '../helpers/test-cache.ts'

type Edit = (lines: string[], random: Random) => void

const code = (lines: readonly string[]) => lines.flatMap((line, at) => (/[;{}]\s*$/.test(line) ? [at] : []))

/** Replaces one match of a pattern in one of the lines that have it. */
function replaceOne(lines: string[], random: Random, pattern: RegExp, to: (found: string) => string): void {
  const places = lines.flatMap((line, at) =>
    [...line.matchAll(pattern)].map(({index, 0: found}) => ({at, index, found})),
  )
  if (places.length === 0) return
  const {at, index, found} = random.pick(places)
  const line = lines[at] as string
  lines[at] = line.slice(0, index) + to(found) + line.slice(index + found.length)
}

/** Small edits of a right text, of which some change nothing, some the numbers, and some leave no program. */
const edits: Record<string, Edit> = {
  space: (lines, random) =>
    replaceOne(lines, random, /[ (,;]/g, (found) => random.pick([`${found} `, `${found}\n`, ` ${found}`])),
  comment: (lines, random) => replaceOne(lines, random, /;/g, () => random.pick(['; // 尾块', '; /* a\n b */', ';;'])),
  'other name': (lines, random) => {
    const names = [...new Set(lines.join('\n').match(/\b[a-z]\w*_\b|\b(?:const )?uint32_t (\w+)/g))].map(
      (one) => one.split(' ').at(-1) as string,
    )
    if (names.length === 0) return
    const name = random.pick(names)
    lines.splice(
      0,
      lines.length,
      ...lines.map((line) => line.replaceAll(new RegExp(String.raw`\b${name}\b`, 'g'), `${name}New`)),
    )
  },
  'lines in another order': (lines, random) => {
    const at = random.pick(code(lines))
    ;[lines[at], lines[at + 1]] = [lines[at + 1] ?? '', lines[at] as string]
  },
  'a line less': (lines, random) => void lines.splice(random.pick(code(lines)), 1),
  'a line twice': (lines, random) => {
    const at = random.pick(code(lines))
    lines.splice(at, 0, lines[at] as string)
  },
  'another number': (lines, random) =>
    replaceOne(lines, random, /\b\d+\b/g, (found) =>
      random.pick(['0', '1', String(Number(found) + 1), String(Number(found) * 2), '4294967295', '-1']),
    ),
  'another sign': (lines, random) =>
    replaceOne(lines, random, / (?:[-+*/<>%]|[<>=]=) /g, () =>
      random.pick([' + ', ' - ', ' * ', ' / ', ' % ', ' < ', ' >= ', ' == ']),
    ),
  'a word less': (lines, random) => replaceOne(lines, random, /\b\w+\b/g, () => ''),
  'another type': (lines, random) =>
    replaceOne(lines, random, /\b(?:u?int32_t|float|half|T)\b/g, () =>
      random.pick(['uint8_t', 'int64_t', 'half', 'float', 'bool', 'T']),
    ),
}

export interface Neighbour {
  task: OperatorTask
  edit: string
  files: SourceFile[]
}

/** A text beside a task's own answer, by one small edit of one of its files. */
export function neighbourOf(task: OperatorTask, random: Random): Neighbour {
  const edit = random.pick(Object.keys(edits))
  const chosen = random.pick(task.answer)
  const lines = chosen.text.split('\n')
  edits[edit]?.(lines, random)
  const files = task.answer.map((file) => (file === chosen ? {...file, text: lines.join('\n')} : file))
  return {task, edit: `${task.name}, ${chosen.path}: ${edit}`, files}
}

/** The same judge over the same candidate two times: what each says, or what it threw. */
export async function judgedTwice(
  executor: Parameters<typeof judge>[0]['executor'],
  {task, files}: Neighbour,
): Promise<[string, string]> {
  const candidate: Candidate = {
    task,
    sampler: {kind: 'answer'},
    prompt: 'Write it.',
    reasoning: '',
    files,
    written: files.map(({path}) => path),
  }
  const once = async () => {
    try {
      const {outputs, dropped} = await runStage(judge({executor, cases: 2}), [candidate])
      return canonicalJson([outputs.map((one) => JudgedCandidate.parse(one).verdict), dropped])
    } catch (error) {
      return `${error instanceof PipelineError ? 'failed' : 'bug'}: ${String(error)}`
    }
  }
  return [await once(), await once()]
}

/** `npm run bench -- neighbours [--count 500] [--seed text]`: verdicts that differ, failures and bugs among them. */
export async function benchNeighbours(args: readonly string[]): Promise<void> {
  const options = {count: {type: 'string', default: '500'}, seed: {type: 'string', default: 'neighbours'}} as const
  const {values} = parseArgs({args: [...args], options})
  const tasks = await loadTasks({root: 'sources/starter/tasks', operators: 'sources/starter/operators'}, () => [])
  const workDirectory = mkdtempSync(join(tmpdir(), 'neighbours-'))
  const seen: Record<string, number> = {}
  try {
    const executor = await twin({cacheDirectory: twinCache, workDirectory})
    for (let at = 0; at < Number(values.count); at += 1) {
      const random = randomFrom(values.seed, at)
      const one = neighbourOf(random.pick(tasks), random)
      const [first, second] = await judgedTwice(executor, one)
      const outcome = /"outcome":"([\w-]+)"/.exec(first)?.[1] ?? first.slice(0, 60)
      const key = first !== second ? 'differs' : outcome
      seen[key] = (seen[key] ?? 0) + 1
      if (first !== second || !first.startsWith('['))
        console.log(`${at} ${one.edit}\n  ${first.slice(0, 500)}\n  ${second.slice(0, 500)}`)
      if (at % 50 === 49) console.log(at + 1, JSON.stringify(seen))
    }
  } finally {
    rmSync(workDirectory, {recursive: true, force: true})
  }
  console.log(JSON.stringify(seen, null, 2))
}
