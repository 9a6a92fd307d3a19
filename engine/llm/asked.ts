import type {ChatMessage, ChatRequest} from './model.ts'
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

/** The body as it goes over the wire, to a server that accepts every field. */
export function requestBody(profile: TeacherProfile, request: ChatRequest): Record<string, unknown> {
  const {model, temperature, topP, maxTokens, extraBody, stream} = profile
  const limit = 'max_completion_tokens' in extraBody ? {} : {max_tokens: request.maxTokens ?? maxTokens}
  const body: Record<string, unknown> = {
    model,
    messages: messagesOf(profile, request).map(onTheWire),
    temperature: request.temperature ?? temperature,
    top_p: topP,
    ...limit,
    stream,
    ...(stream ? {stream_options: {include_usage: true}} : {}),
    ...extraBody,
  }
  for (const [key, value] of Object.entries(body)) if (value === null || value === undefined) delete body[key]
  return body
}

/** Text alone stays a string: many endpoints accept nothing else. */
function onTheWire({role, content, images = []}: ChatMessage): object {
  if (images.length === 0) return {role, content}
  const urls = images.map(({type, base64}) => ({url: `data:${type};base64,${base64}`}))
  return {role, content: [{type: 'text', text: content}, ...urls.map((url) => ({type: 'image_url', image_url: url}))]}
}
