import type {ChatReply, ChatRequest, LanguageModel} from '../../engine/llm/model.ts'

/** Answers with recorded replies, one after another; a request too many fails and prints what was asked. */
export function replayModel(
  replies: readonly Partial<ChatReply>[],
  profile = 'replay',
): LanguageModel & {requests: ChatRequest[]} {
  const requests: ChatRequest[] = []
  return {
    profile,
    model: 'replay',
    fingerprint: 'replay',
    requests,
    async complete(request) {
      const reply = replies[requests.length]
      requests.push(request)
      if (!reply)
        throw new Error(
          `no recorded reply for request ${requests.length}:\n${request.messages.map(({role, content}) => `[${role}]\n${content}`).join('\n')}`,
        )
      return {
        text: '',
        reasoning: '',
        finishReason: 'stop',
        model: 'replay',
        usage: {promptTokens: 0, completionTokens: 0},
        ...reply,
      }
    },
  }
}
