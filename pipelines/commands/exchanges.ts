import {join, resolve} from 'node:path'
import {askedName, readAsked, type AskedEntry} from '../../engine/asked-file.ts'
import {PipelineError} from '../../engine/errors.ts'
import {messagesOf} from '../../engine/llm/asked.ts'
import {openRun, type OpenRun} from '../../engine/run.ts'
import {Config} from '../workspace/config.ts'
import {unclear} from './inspect.ts'
import type {Step} from './pair-way.ts'
import {inThousands} from './stage-line.ts'
import type {World} from './world.ts'

const mostShown = 10

/** `ascend-cot asked <run> [id]`: what a teacher was asked about a record, or about the first ten, and its answers. */
export async function asked(
  {run: name, id, out, json}: {run: string; id: string | undefined; out: string; json: boolean},
  {terminal}: World,
): Promise<number> {
  const run = await openRun(join(resolve(out), name))
  if (!run) throw missingRun(name, out)
  try {
    const wanted = id === undefined ? undefined : new Set(wayOf(run, id).map(keyOfStep))
    const config = Config.safeParse(run.record.config)
    const records = new Set<string>()
    for await (const entry of readAsked(join(run.directory, askedName))) {
      const key = keyOfStep(entry)
      if (wanted && !wanted.has(key)) continue
      if (!wanted && !records.has(key) && records.size === mostShown) {
        terminal.say(`These are the first ${mostShown} records; name another by the first digits of its id.`)
        break
      }
      records.add(key)
      const profile = config.data?.teachers[entry.teacher]
      const whole = profile ? {...entry, messages: messagesOf(profile, entry)} : entry
      terminal.print(json ? JSON.stringify(whole) : told(whole))
    }
    if (records.size === 0) throw nobodyAsked(name, id)
    return 0
  } finally {
    run.close()
  }
}

const keyOfStep = ({stage, input}: {stage: string; input: string}) => `${stage} ${input}`

/** The steps that led to a record and those that it went through, within one run. */
function wayOf(run: OpenRun, prefix: string): Step[] {
  const all = (id: string) => run.sightings(id).map((sighting) => ({recipe: run.record.recipe, ...sighting}))
  const idsIn = ({input, outputs}: Step) => [input, ...outputs.map((output) => output.id)]
  const ids = [...new Set(all(prefix).flatMap(idsIn))].filter((id) => id.startsWith(prefix))
  const [whole] = ids
  if (whole === undefined || ids.length > 1) throw unclear(prefix, ids)
  const steps = new Map<string, Step>()
  const follow = (start: string, next: (id: string) => [Step, string[]][]) => {
    const seen = new Set<string>()
    for (let frontier = [start]; frontier.length > 0; ) {
      for (const id of frontier) seen.add(id)
      const found = frontier.flatMap(next)
      for (const [step] of found) steps.set(`${step.stage} ${step.input}`, step)
      frontier = [...new Set(found.flatMap(([, reached]) => reached))].filter((id) => !seen.has(id))
    }
  }
  follow(whole, (id) => all(id).flatMap((step) => (idsIn(step).slice(1).includes(id) ? [[step, [step.input]]] : [])))
  follow(whole, (id) => all(id).flatMap((step) => (step.input === id ? [[step, idsIn(step).slice(1)]] : [])))
  return [...steps.values()]
}

type Told = Omit<AskedEntry, 'messages'> & {messages: readonly {role: string; content: string}[]}

function told({stage, input, model, messages, reply, failure}: Told): string {
  return [
    `● ${stage} ${input.slice(0, 12)} asked ${model}`,
    ...messages.map(({role, content}) => `${role}: ${content}`),
    ...(reply ? replyParts(reply) : [`── failed: ${failure ?? ''}`]),
    '',
  ].join('\n')
}

function replyParts({text, reasoning, finishReason, usage}: NonNullable<AskedEntry['reply']>): string[] {
  const tokens = `${inThousands(usage.promptTokens)} + ${inThousands(usage.completionTokens)} tokens`
  const thought = reasoning === '' ? [] : ['── thought', reasoning]
  return [...thought, `── answered (${finishReason}, ${tokens})`, text]
}

function missingRun(name: string, out: string): PipelineError {
  return new PipelineError('run-missing', `There is no run "${name}" in ${resolve(out)}.`, {
    fix: 'List the runs with `ascend-cot status`, or name the folder with --out.',
    scope: 'run',
  })
}

function nobodyAsked(name: string, id: string | undefined): PipelineError {
  const what = id === undefined ? `The run "${name}"` : `The record ${id} of the run "${name}"`
  return new PipelineError('input-missing', `${what} was made without asking a teacher.`, {
    fix: 'Choose a run that was made with a teacher; `ascend-cot inspect <id>` shows what stages did with a record.',
    scope: 'run',
  })
}
