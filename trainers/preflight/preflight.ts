import {nearest} from '../../engine/nearest.ts'
import type {PlannedJob} from '../make-plan.ts'
import {chatTemplate, checkedChat, controlTokens} from './chat-template.ts'
import type {CheckedJob, JobFacts} from './checked-job.ts'
import {environmentChecks} from './environment-checks.ts'
import {type Severity, findingCodes, found, type Finding} from './finding.ts'
import {adapterChecks, composition, stepChecks} from './job-checks.ts'
import {leaks} from './leaks.ts'
import {outputFolder} from './output-folder.ts'
import {pairChecks, unpairedChecks} from './pair-checks.ts'
import {costOf, resourceChecks, type JobCost} from './resources.ts'
import {rowLengths} from './row-lengths.ts'
import {rowShape} from './row-shape.ts'
import {rowView, type RowCheck} from './row-view.ts'
import {thinkBlocks} from './think-blocks.ts'

const ofRows: readonly ((job: CheckedJob) => RowCheck)[] = [rowShape, thinkBlocks, controlTokens, chatTemplate, leaks]

const ofMethods: Readonly<Record<string, readonly ((job: CheckedJob) => RowCheck)[]>> = {
  dpo: [pairChecks],
  kto: [unpairedChecks],
}

const ofJob: readonly ((job: CheckedJob) => Finding[])[] = [
  composition,
  stepChecks,
  resourceChecks,
  adapterChecks,
  environmentChecks,
  outputFolder,
]

interface Preflight {
  /** Errors first. */
  findings: readonly Finding[]
  /** Findings that the specification allows; they stop nothing. */
  allowed: readonly Finding[]
  cost: JobCost
}

/** Checks for everything that would waste a run, before launch. Every row is read once. */
export async function preflight(planned: PlannedJob, facts: JobFacts): Promise<Preflight> {
  const {plan, rows, model} = planned
  const job: CheckedJob = {...planned, facts, chat: await checkedChat(model.files)}
  const lengths = rowLengths(job)
  const checks = [...[...ofRows, ...(ofMethods[plan.spec.method] ?? [])].map((check) => check(job)), lengths]
  let number = 0
  for await (const cells of rows.read()) {
    number += 1
    const view = rowView(cells, number, plan.spec.method)
    for (const check of checks) check.look(view)
  }
  const all = [...checks.flatMap((check) => check.findings()), ...ofJob.flatMap((check) => check(job))]
  const {allow} = plan.spec
  const findings = [...all.filter(({code}) => !allow.includes(code)), ...unknownCodes(allow)]
  const allowed = ordered(all.filter(({code}) => allow.includes(code)))
  return {findings: ordered(findings), allowed, cost: costOf(plan, lengths.tokens())}
}

const order: readonly Severity[] = ['error', 'warning', 'note']

const ordered = (findings: readonly Finding[]) =>
  [...findings].sort((a, b) => order.indexOf(a.severity) - order.indexOf(b.severity))

/** A misspelt code allows nothing. */
function unknownCodes(allow: readonly string[]): Finding[] {
  return allow
    .filter((code) => !(findingCodes as readonly string[]).includes(code))
    .flatMap((code) => {
      const guess = nearest(code, findingCodes)
      const fix = guess === undefined ? `Known are ${findingCodes.join(', ')}.` : `Did you mean ${guess}?`
      return found('allow-unknown', `\`allow\` contains an unknown code, ${code}.`, fix)
    })
}
