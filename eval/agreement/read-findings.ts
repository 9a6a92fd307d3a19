import {existsSync, statSync} from 'node:fs'
import {basename, join, resolve} from 'node:path'
import {z} from 'zod'
import {JudgedCandidate} from '../../datasets/schema/candidate.ts'
import {PublicVerdict} from '../../datasets/schema/public-verdict.ts'
import type {ExecutorIdentity} from '../../datasets/schema/verdict.ts'
import {PipelineError} from '../../engine/errors.ts'
import {readLines} from '../../engine/lines.ts'
import {openRun} from '../../engine/run.ts'
import {findingOf, publicFinding, type Finding} from './verdict-finding.ts'

/** A line of a file, or a record of a run, that says nothing that can be compared. 1-based. */
interface Broken {
  line: number
  reason: string
}

/** All that one executor said. */
export interface Findings {
  name: string
  executors: ExecutorIdentity[]
  findings: Finding[]
  /** Said again of the same task and sources, and alike. */
  repeated: number
  broken: Broken[]
}

/** What is read of a candidate; labelled ones have more. */
export const JudgedOfRun = z.object(
  JudgedCandidate.pick({task: true, sampler: true, files: true, verdict: true, unreadable: true}).shape,
)

/**
 * Verdicts of a finished run (its directory, or its name below `out`) or of a file of `PublicVerdict` lines.
 * @throws PipelineError `input-missing` where there is neither; `input-invalid` where nothing there is a verdict
 */
export async function readFindings(given: string, out: string): Promise<Findings> {
  const place = [resolve(given), join(resolve(out), given)].find(existsSync)
  if (place === undefined) {
    throw new PipelineError('input-missing', `There is no run and no file ${given}.`, {
      fix: `Name a run of ${resolve(out)}, the directory of a run, or a file of verdicts (one JSON document per line).`,
      evidence: {given},
    })
  }
  const collected = new Collected()
  if (statSync(place).isDirectory()) await readRun(place, collected)
  else await readVerdictFile(place, collected)
  const found = collected.result(basename(place))
  if (found.findings.length > 0) return found
  const [first] = found.broken
  throw refused(`${place} holds no verdict${first ? `: line ${first.line}: ${first.reason}` : ''}.`, place)
}

function refused(message: string, path: string): PipelineError {
  return new PipelineError('input-invalid', message, {
    fix: 'Name a run that judged candidates, or a file whose lines hold task, sources and verdict.',
    evidence: {path},
  })
}

async function readRun(directory: string, collected: Collected): Promise<void> {
  const run = await openRun(directory)
  if (!run) throw refused(`${directory} holds no run.`, directory)
  try {
    if (run.record.state !== 'finished')
      throw refused(`The run in ${directory} is ${run.record.state}, so its verdicts are not all there.`, directory)
    let number = 0
    for (const {json} of run.emitted()) {
      number += 1
      const record = JudgedOfRun.safeParse(JSON.parse(json))
      if (record.success) collected.add(number, findingOf(record.data))
      else collected.broken.push({line: number, reason: `no judged candidate: ${reasonOf(record.error)}`})
    }
  } finally {
    run.close()
  }
}

async function readVerdictFile(path: string, collected: Collected): Promise<void> {
  let number = 0
  for await (const line of readLines(path)) {
    number += 1
    if (line.trim() === '') continue
    const read = readLine(line)
    if (typeof read === 'string') collected.broken.push({line: number, reason: read})
    else collected.add(number, publicFinding(read))
  }
}

function readLine(line: string): PublicVerdict | string {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch (error) {
    return `not JSON: ${(error as Error).message}`
  }
  const parsed = PublicVerdict.safeParse(value)
  return parsed.success ? parsed.data : reasonOf(parsed.error)
}

function reasonOf({issues}: z.ZodError): string {
  return issues.map(({path, message}) => `${path.join('.') || 'line'}: ${message}`).join('; ')
}

const saysAlike = (a: Finding, b: Finding) =>
  a.outcome === b.outcome && a.class === b.class && a.rule === b.rule && a.firstError === b.firstError

/** Two verdicts on the same sources that differ leave none: which of them holds is not for us to say. */
class Collected {
  readonly broken: Broken[] = []
  readonly #known = new Map<string, {line: number; finding: Finding; contradicted: boolean}>()
  #repeated = 0

  add(line: number, finding: Finding): void {
    const key = `${finding.taskId || finding.task} ${finding.sources}`
    const before = this.#known.get(key)
    if (!before) this.#known.set(key, {line, finding, contradicted: false})
    else if (saysAlike(before.finding, finding)) this.#repeated += 1
    else {
      before.contradicted = true
      const [now, then] = [finding.outcome, before.finding.outcome]
      this.broken.push({line, reason: `says ${now} of the sources of which line ${before.line} says ${then}`})
    }
  }

  result(name: string): Findings {
    const all = [...this.#known.values()]
    const findings = all.filter(({contradicted}) => !contradicted).map(({finding}) => finding)
    for (const {line} of all.filter(({contradicted}) => contradicted))
      this.broken.push({line, reason: 'is contradicted by a later line'})
    const executors = new Map(findings.map(({executor}) => [JSON.stringify(executor), executor]))
    return {
      name,
      executors: [...executors.values()],
      findings,
      repeated: this.#repeated,
      broken: this.broken.sort((a, b) => a.line - b.line),
    }
  }
}
