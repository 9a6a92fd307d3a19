import {readdir} from 'node:fs/promises'
import {PipelineError} from '../../engine/errors.ts'
import {usePromptsOf} from '../../engine/prompt.ts'

/** Built-in prompts: files next to their stages. */
export const teacherPrompts = [
  ...['kernel-cot-request.md', 'kernel-cot-reasoning.md', 'project-cot.md', 'evaluated-reply.md', 'reply-again.md'],
  ...['cot-question.md', 'cot-answer.md', 'read-formula.md', 'correct-formula.md', 'fix-request.md', 'fix-again.md'],
]

/**
 * Uses a user's prompts instead of ours.
 * @throws PipelineError `config-invalid` when the folder cannot be read, or has a file without a built-in counterpart
 */
export async function useOwnPrompts(folder: string): Promise<void> {
  const files = await readdir(folder).catch((error: unknown) => {
    const why = error instanceof Error ? error.message : String(error)
    throw invalid(`The folder of prompts ${folder} cannot be read: ${why}`, 'Give an existing folder.')
  })
  const strange = files.filter((file) => file.endsWith('.md') && !teacherPrompts.includes(file))
  if (strange.length > 0)
    throw invalid(`No built-in prompt is named ${strange.join(', ')}.`, `Names are ${teacherPrompts.join(', ')}.`)
  usePromptsOf(folder)
}

const invalid = (message: string, fix: string) => new PipelineError('config-invalid', message, {fix})
