import {readdir} from 'node:fs/promises'
import {PipelineError} from '../../engine/errors.ts'
import {usePromptsOf} from '../../engine/prompt.ts'

/** What teachers are asked with: files beside the stages that ask. */
export const teacherPrompts = [
  ...['kernel-cot-request.md', 'kernel-cot-reasoning.md', 'project-cot.md', 'evaluated-reply.md', 'reply-again.md'],
  ...['cot-question.md', 'cot-answer.md', 'read-formula.md', 'correct-formula.md', 'fix-request.md', 'fix-again.md'],
]

/**
 * Puts a user's prompts in the place of ours.
 * @throws PipelineError `config-invalid` where the folder cannot be read, or has a file that is named like none of ours
 */
export async function useOwnPrompts(folder: string): Promise<void> {
  const files = await readdir(folder).catch((error: unknown) => {
    const why = error instanceof Error ? error.message : String(error)
    throw invalid(`The folder of prompts ${folder} cannot be read: ${why}`, 'Name a folder that exists.')
  })
  const strange = files.filter((file) => file.endsWith('.md') && !teacherPrompts.includes(file))
  if (strange.length > 0)
    throw invalid(`No prompt of ours is named ${strange.join(', ')}.`, `Names are ${teacherPrompts.join(', ')}.`)
  usePromptsOf(folder)
}

const invalid = (message: string, fix: string) => new PipelineError('config-invalid', message, {fix, scope: 'run'})
