import {TaskFolder} from '../../../datasets/schema/source-folder.ts'
import type {LanguageModel} from '../../../engine/llm/model.ts'
import {loadPrompt, renderPrompt} from '../../../engine/prompt.ts'
import {each, type Stage} from '../../../engine/stage.ts'
import type {ReplySource} from '../whole-model.ts'
import {readTasks, requestValues} from './checkout-operators.ts'
import {OperatorCandidate} from './operator-verdict.ts'

/** By the value of `--mode`. */
export const requests: Readonly<Record<string, string>> = {
  'direct-launch': loadPrompt(new URL('direct-launch.md', import.meta.url)),
}

interface PackageCandidatesOptions {
  source: ReplySource
  /** Glob over `<level>/<operator>` and names. */
  pattern: string
}

/** Checkout → replies to its operators, or those of a model that is asked; an operator without one is dropped. */
export default function packageCandidates(options: PackageCandidatesOptions): Stage<TaskFolder, OperatorCandidate> {
  const {source, pattern} = options
  const {asks} = source
  return {
    name: 'package-candidates',
    version: 1,
    options: {source: source.id, pattern, ...(asks && {prompt: requests[asks.mode] ?? '', samples: asks.samples})},
    ...(asks && {teacher: asks.profile}),
    input: TaskFolder,
    output: OperatorCandidate,
    run: each(async ({root}, context) => {
      const found: OperatorCandidate[] = []
      for (const task of await readTasks(root, pattern)) {
        const operator = task.path.split('/').at(-1) ?? ''
        const names = [task.name, operator, `${task.category}/${operator}`, task.path]
        const values = asks && (await requestValues(task))
        const rows = values
          ? await asked(context, renderPrompt(requests[asks.mode] ?? '', values), asks.samples)
          : await source.repliesTo(names)
        if (rows.length === 0) context.drop(task.path, 'no-reply', `${source.name} holds no reply to ${task.name}`)
        for (const [sample, {reply, model = source.name}] of rows.entries())
          found.push({task, sampler: {model, sample}, reply})
      }
      return found
    }),
  }
}

/** Samples of the model's reply to one prompt. */
async function asked(
  {llm, signal}: {llm: LanguageModel | undefined; signal: AbortSignal},
  prompt: string,
  count: number,
) {
  if (!llm) return []
  const samples = Array.from({length: count}, async (_, sample) => {
    const {text} = await llm.complete({messages: [{role: 'user', content: prompt}], sample}, signal)
    return {reply: text, model: llm.model}
  })
  return Promise.all(samples)
}
