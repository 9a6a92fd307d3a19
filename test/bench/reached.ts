import {mkdirSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import type {SourceFile} from '../../datasets/schema/operator.ts'
import {LabelledCandidate} from '../../datasets/schema/candidate.ts'
import {byCodeUnit} from '../../engine/code-unit-order.ts'
import {openRun} from '../../engine/run.ts'
import twin from '../../eval/executors/twin.ts'
import judge from '../../eval/judge.ts'
import {viewSource} from '../../cpp/source-view.ts'
import {twinCache} from '../helpers/test-cache.ts'
import {runStage} from '../helpers/run-stage.ts'

/** What is known of a mutant that was judged correct. */
type Reached = 'no core comes there' | 'runs, and changes nothing that is judged' | 'in no function'

/**
 * `reached <run of the recipe candidates>`: of each single fault that was judged correct, whether the cases come to its
 * line at all. Proof is a trap that is planted beside it: what stays correct with the trap is never run.
 */
export async function benchReached(directory: string): Promise<void> {
  const workDirectory = join(tmpdir(), 'work', String(process.pid))
  mkdirSync(workDirectory, {recursive: true})
  const executor = await twin({cacheDirectory: twinCache, workDirectory})
  const found = new Map<string, string[]>()
  for (const survivor of await survivorsOf(directory)) {
    const {task, sampler} = survivor
    if (sampler.kind !== 'mutation') continue
    const files = withTrap(survivor)
    const {verdict, label, canary, ...candidate} = survivor
    const {outputs} = files ? await runStage(judge({executor}), [{...candidate, files}]) : {outputs: []}
    const outcome = outputs[0]?.verdict.outcome
    const isPlaced = outcome !== undefined && outcome !== 'compile-failed'
    const ran: Reached = outcome === 'correct' ? 'no core comes there' : 'runs, and changes nothing that is judged'
    const key = isPlaced ? ran : 'in no function'
    found.set(key, [...(found.get(key) ?? []), `${sampler.mutation} | ${task.name} | ${sampler.detail}`])
  }
  for (const [key, all] of found) {
    console.log(`\n${key}: ${all.length}`)
    for (const line of all.sort(byCodeUnit)) console.log(`  ${line}`)
  }
}

async function survivorsOf(directory: string): Promise<LabelledCandidate[]> {
  const run = await openRun(directory)
  if (!run) throw new Error(`No run in ${directory}`)
  try {
    const found: LabelledCandidate[] = []
    for (const {json} of run.emitted()) {
      const one = LabelledCandidate.parse(JSON.parse(json))
      if (one.label === 'green' && one.sampler.kind === 'mutation' && !one.sampler.more) found.push(one)
    }
    return found
  } finally {
    run.close()
  }
}

/** Undefined where the fault stands in no function, so that nothing can be put beside it. */
function withTrap({files, sampler}: LabelledCandidate): SourceFile[] | undefined {
  const [, path, line] = /^(\S+) line (\d+):/.exec(sampler.kind === 'mutation' ? sampler.detail : '') ?? []
  const file = files.find((one) => one.path === path)
  if (!file || line === undefined) return undefined
  const at = trapPlace(file, Number(line))
  if (at === undefined) return undefined
  const text = `${file.text.slice(0, at)} __builtin_trap();${file.text.slice(at)}`
  return files.map((one) => (one === file ? {...one, text} : one))
}

/** Behind the statement before the line, or where the function begins. */
function trapPlace({path, text}: SourceFile, line: number): number | undefined {
  const {code} = viewSource(path, text)
  const start = text.split('\n', line - 1).join('\n').length + 1
  const target = start + code.slice(start).search(/\S|$/)
  const body = bodyAround(code, target)
  if (body === undefined) return undefined
  let depth = 0
  let at = body
  for (let index = body; index < target; index += 1) {
    const mark = code[index] ?? ''
    if ('(['.includes(mark)) depth += 1
    else if (')]'.includes(mark)) depth -= 1
    else if (depth === 0 && ';{}'.includes(mark)) at = index + 1
  }
  return at
}

/** Where the function around a position begins: the outermost block that stands behind a list of parameters. */
function bodyAround(code: string, target: number): number | undefined {
  const open: number[] = []
  for (let index = 0; index < target; index += 1) {
    if (code[index] === '{') open.push(index)
    else if (code[index] === '}') open.pop()
  }
  const brace = open.find((index) => /\)\s*(?:const\s*)?$/.test(code.slice(Math.max(0, index - 40), index)))
  return brace === undefined ? undefined : brace + 1
}
