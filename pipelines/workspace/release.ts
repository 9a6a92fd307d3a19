import {qwen3, type ChatFormat} from '../../datasets/tokens/chat-format.ts'
import {readChatFormat} from '../../datasets/tokens/read-chat-format.ts'
import type {Config as DataConfig} from '../../datasets/schema/export.ts'
import type {Config} from './config.ts'

/** The licences that may be exported in a configuration of the data set; undefined for the gate's own list. */
export function licencesFor(config: Config, data: DataConfig): readonly string[] | undefined {
  const {licences} = config.export
  return Array.isArray(licences) ? licences : licences?.[data]
}

/**
 * How the model that the data set is for reads a conversation.
 * @throws PipelineError `config-invalid` when `export.tokenizer` is no such model
 */
export async function chatFormat({export: {tokenizer}}: Config): Promise<ChatFormat> {
  return tokenizer === undefined ? qwen3 : readChatFormat(tokenizer)
}
