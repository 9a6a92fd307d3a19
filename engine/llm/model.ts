import {PipelineError} from '../errors.ts'

/** One message of a chat, with the field names of the API. */
export interface ChatMessage {
  role: 'system' | 'user' | 'assistant'
  content: string
  /** Pictures that the text is about, for models that see. Sent after the text, in this order. */
  images?: readonly ChatImage[]
}

interface ChatImage {
  /** E.g. `image/png`. */
  type: string
  base64: string
}

export interface ChatRequest {
  messages: readonly ChatMessage[]
  /** Distinguishes samples that would otherwise share one cached reply: n samples of a task use 0 … n−1. Default 0. */
  sample?: number
  /** Overrides of the profile's sampling parameters for this request. */
  temperature?: number
  maxTokens?: number
}

export interface Usage {
  promptTokens: number
  completionTokens: number
}

/**
 * A complete reply. `reasoning` comes from a field such as `reasoning_content`, else from a leading block such as
 * `<think>`; '' if absent.
 */
export interface ChatReply {
  text: string
  reasoning: string
  /** `stop`, or `length` where a limit ended it. */
  finishReason: string
  /** The model that answered, as the endpoint named it. */
  model: string
  usage: Usage
  /** Natural log probabilities of the prompt's tokens, when requested (vLLM: `prompt_logprobs`). */
  promptLogprobs?: {tokens: number; sum: number}
}

/**
 * The error for a recipe or stage that needs a model for every record while none is configured.
 * @param otherwise a sentence on what works without a model
 */
export function withoutTeacher(profile: string, otherwise = ''): PipelineError {
  const message = `Records of teachers.${profile} need a model, and none is configured.`
  return new PipelineError('teacher-missing', message, {
    fix: `Add teachers.${profile} to the configuration, with model and baseUrl. ${otherwise}`.trim(),
  })
}

/** A configured teacher: limits, retries, budget and the reply cache are behind this one call. */
export interface LanguageModel {
  /** The profile's name in the configuration, e.g. `documentation`. */
  readonly profile: string
  /** The model's name in requests, e.g. `deepseek-reasoner`. */
  readonly model: string
  /**
   * Everything of the profile that shapes a reply (model, base URL, sampling, system prompt): part of every cache key.
   */
  readonly fingerprint: string
  /** Requests that the teacher accepts at once: a stage works on at least this many records in parallel. Default 1. */
  readonly concurrency?: number
  /** @throws PipelineError when the endpoint cannot answer, or the budget would be exceeded */
  complete(request: ChatRequest, signal?: AbortSignal): Promise<ChatReply>
}
