import type {ChatRequest} from './model.ts'
import type {TeacherProfile} from './profile.ts'

/** The completion limit that is sent to the endpoint, in tokens. */
export function completionLimit({maxTokens, extraBody}: TeacherProfile, request: ChatRequest): number {
  const {max_completion_tokens: newer, max_tokens: older} = extraBody
  if (typeof newer === 'number') return newer
  return typeof older === 'number' ? older : (request.maxTokens ?? maxTokens)
}

/**
 * Puts the profile's system prompt before the request's, in one message: many endpoints accept only one system message.
 */
export function messagesOf({systemPrompt}: TeacherProfile, {messages}: ChatRequest): ChatRequest['messages'] {
  if (systemPrompt === undefined) return messages
  const [first, ...rest] = messages
  if (first?.role !== 'system') return [{role: 'system', content: systemPrompt}, ...messages]
  return [{role: 'system', content: `${systemPrompt}\n\n${first.content}`}, ...rest]
}
