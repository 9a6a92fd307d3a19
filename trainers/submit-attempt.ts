import {join} from 'node:path'
import type {JobRecord} from '../datasets/schema/job.ts'
import {makeFolder, writeWhole} from '../engine/files.ts'
import {lastStep, type Attempt, type Backend} from './backends/backend.ts'
import type {Engine, Rendering, Word} from './engines/engine.ts'
import {attemptFolder, specPath, specText, writeRecord} from './job-folder.ts'
import type {JobPlan} from './plan.ts'

interface Rooms {
  /** With the files from other modules that the job needs. */
  render(plan: JobPlan): Promise<Rendering>
  engine: Pick<Engine, 'lastCheckpoint'>
  backend: Backend
}

/** The files of an attempt; nothing is written. */
export async function attemptOf(plan: JobPlan, number: number, {render, engine, backend}: Rooms): Promise<Attempt> {
  const checkpoint = backend.name === 'local' ? null : unknownCheckpoint(plan, engine)
  return {
    plan,
    rendering: await render(plan),
    restart: checkpoint === null ? null : withLastStep(await render({...plan, resume: checkpoint})),
    number,
    folder: attemptFolder(plan.folder, number),
  }
}

/** Of seven digits, as Megatron's are; a number that no job reaches. */
const sentinel = '9876543'

/** A checkpoint as this trainer names it, whose number is the sentinel. */
function unknownCheckpoint({output}: JobPlan, engine: Rooms['engine']): string | null {
  const found = engine.lastCheckpoint([
    {path: `checkpoint-${sentinel}/trainer_state.json`},
    {path: `iter_${sentinel}/`},
    {path: 'latest_checkpointed_iteration.txt', text: sentinel},
  ])
  return found === null ? null : join(output, found)
}

function withLastStep({files, steps}: Rendering): Rendering {
  const text = (given: string) => given.replace(new RegExp(`(?<!\\d)${sentinel}(?!\\d)`, 'g'), lastStep)
  const word = (given: Word): Word => (typeof given === 'string' ? text(given) : given)
  return {
    files: files.map((file) => ({...file, text: text(file.text)})),
    steps: steps.map((step) => ({
      ...step,
      argv: step.argv.map(word),
      environment: Object.fromEntries(Object.entries(step.environment).map(([name, value]) => [name, word(value)])),
    })),
  }
}

interface Submission {
  record: JobRecord
  attempt: Attempt
  backend: Backend
  /** ISO 8601. */
  now: string
}

/**
 * Writes everything that an attempt reads, and starts it. The attempt is recorded before it starts, so that none is
 * lost if this process is killed.
 * @returns the record with the attempt
 */
export async function submitAttempt({record, attempt, backend, now}: Submission): Promise<JobRecord> {
  const {plan, rendering, number, folder} = attempt
  const scripts = backend.render(attempt)
  makeFolder(plan.output)
  await writeWhole(specPath(plan.folder), specText(plan))
  for (const {path, text} of rendering.files) await writeWhole(join(plan.folder, 'rendered', path), text)
  for (const {path, text} of scripts) await writeWhole(join(folder, path), text)
  const begun = {number, handle: null, submitted: now, state: 'queued' as const, detail: '', resumedFrom: plan.resume}
  const before = {...record, attempts: [...record.attempts, begun]}
  await writeRecord(plan.folder, before)
  const noted = async (last: Partial<JobRecord['attempts'][number]>) => {
    const after = {...record, attempts: [...record.attempts, {...begun, ...last}]}
    await writeRecord(plan.folder, after)
    return after
  }
  try {
    return await noted({handle: await backend.submit(attempt)})
  } catch (error) {
    await noted({state: 'failed', detail: 'it could not be submitted'})
    throw error
  }
}
