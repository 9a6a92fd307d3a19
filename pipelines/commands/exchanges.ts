import {inThousands} from '../../engine/counted.ts'
import {join, resolve} from 'node:path'
import {askedName, readAsked, type AskedEntry} from '../../engine/asked-file.ts'
import {PipelineError} from '../../engine/errors.ts'
import {messagesOf} from '../../engine/llm/asked.ts'
import {openRun, type OpenRun} from '../../engine/run.ts'
import {Config} from '../workspace/config.ts'
import {sightings, stepsFrom, stepsTo, wholeId} from './inspect.ts'
import type {Step} from './pair-way.ts'
import type {World} from './world.ts'

const mostShown = 10

/** `ascend-cot asked <run> [id]`: a teacher's requests for a record, or for the first ten, and its replies. */
export async function asked(
  {run: name, id, out, json}: {run: string; id: string | undefined; out: string; json: boolean},
  {terminal}: World,
): Promise<number> {
  const run = await openRun(join(resolve(out), name))
  if (!run) throw missingRun(name, out)
  try {
    const wanted = id === undefined ? undefined : new Set(stepsOf(id, [run]).map(keyOfStep))
    const config = Config.safeParse(run.record.config)
    const records = new Set<string>()
    for await (const entry of readAsked(join(run.directory, askedName))) {
      const key = keyOfStep(entry)
      if (wanted && !wanted.has(key)) continue
      if (!wanted && !records.has(key) && records.size === mostShown) {
        terminal.say(`These are the first ${mostShown} records; give the first digits of another record's id.`)
        break
      }
      records.add(key)
      terminal.print(shownExchange(entry, config.data, json))
    }
    if (records.size === 0) throw nobodyAsked(name, id)
    return 0
  } finally {
    run.close()
  }
}

/** The request, with what the teacher's profile adds to it, and its outcome. */
export function shownExchange(entry: AskedEntry, config: Config | undefined, json: boolean): string {
  const profile = config?.teachers[entry.teacher]
  const whole = profile ? {...entry, messages: messagesOf(profile, entry)} : entry
  return json ? JSON.stringify(whole) : told(whole)
}

/** The steps that led to a record and those that it went through, within one run. */
function stepsOf(prefix: string, runs: readonly OpenRun[]): Step[] {
  const id = wholeId(prefix, sightings(runs, prefix))
  return [...stepsTo(id, runs), ...stepsFrom(id, runs)]
}

const keyOfStep = ({stage, input}: {stage: string; input: string}) => `${stage} ${input}`

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
    fix: 'List the runs with `ascend-cot status`, or give the folder with --out.',
  })
}

function nobodyAsked(name: string, id: string | undefined): PipelineError {
  const what = id === undefined ? `The run "${name}"` : `The record ${id} of the run "${name}"`
  return new PipelineError('input-missing', `${what} was made without a teacher.`, {
    fix: 'Choose a run made with a teacher; `ascend-cot inspect <id>` shows what each stage did with a record.',
  })
}
