import {existsSync} from 'node:fs'
import {join} from 'node:path'
import {qwen3} from '../../datasets/tokens/chat-format.ts'
import {readChatFormat, readChatTemplate} from '../../datasets/tokens/read-chat-format.ts'
import type {CheckedChat} from './checked-job.ts'

/**
 * A model's chat format, from its files.
 * @throws PipelineError `config-invalid` for files that cannot be used
 */
export async function checkedChat(files: string | null): Promise<CheckedChat> {
  if (files === null || !existsSync(join(files, 'tokenizer.json'))) return {format: qwen3, exact: false, template: null}
  return {format: await readChatFormat(files, 'model.name'), exact: true, template: await readChatTemplate(files)}
}
