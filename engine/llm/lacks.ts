type Body = Record<string, unknown>

/** A part of a request that some servers do not support, and what they are sent instead. */
interface Lack {
  name: string
  /** What is done about it. */
  remedy: string
  sent: (body: Body) => boolean
  refused: (words: string) => boolean
  mend: (body: Body) => Body
}

const no = /support|unsupported|only|allow|unexpected|unrecognized|unknown|extra|deprecated|permitted|both|not enabled/i
/** Then the value itself is wrong, which the user has to fix. */
const range = /between|range|less than|greater than|at most|at least|out of/i

const leftOut = (name: string): Lack => ({
  name,
  remedy: 'omitting it from now on',
  sent: (body) => name in body,
  refused: (words) => words.includes(name) && no.test(words) && !range.test(words),
  mend: ({[name]: _, ...rest}) => rest,
})

const lacks: readonly Lack[] = [
  {...leftOut('stream_options'), refused: (words) => /stream_options|include_usage/.test(words)},
  {
    name: 'max_tokens',
    remedy: 'sending max_completion_tokens from now on',
    sent: (body) => 'max_tokens' in body && !('max_completion_tokens' in body),
    refused: (words) => /max_tokens/.test(words) && /max_completion_tokens/.test(words) && no.test(words),
    mend: ({max_tokens, ...rest}) => ({...rest, max_completion_tokens: max_tokens}),
  },
  leftOut('top_p'),
  leftOut('temperature'),
  {
    name: 'the system role',
    remedy: 'putting its text before the first user message from now on',
    sent: (body) => messagesIn(body)[0]?.role === 'system' && messagesIn(body)[1]?.role === 'user',
    refused: (words) =>
      /roles must alternate/i.test(words) ||
      (/system|developer/i.test(words) && /role|instruction|message/i.test(words) && no.test(words)),
    mend: withoutSystem,
  },
  {
    name: 'streaming',
    remedy: 'requesting whole replies from now on',
    sent: (body) => body['stream'] === true,
    refused: (words) => /\bstream/i.test(words) && /support|allow|invalid/i.test(words),
    mend: ({stream_options: _, ...rest}) => ({...rest, stream: false}),
  },
]

/** Which parts of the request are unsupported, by the wording of a refusal. */
export function lackIn(words: string, sent: Body): Lack | undefined {
  return lacks.find((lack) => lack.sent(sent) && lack.refused(words))
}

/** The request in the form that a server without these features accepts. */
export function without(known: ReadonlySet<string>, body: Body): Body {
  return lacks.reduce((sofar, {name, sent, mend}) => (known.has(name) && sent(sofar) ? mend(sofar) : sofar), body)
}

interface WireMessage {
  role: string
  content: string | object[]
}

const messagesIn = (body: Body) => (body['messages'] ?? []) as WireMessage[]

function withoutSystem(body: Body): Body {
  const [system, user, ...rest] = messagesIn(body) as [WireMessage, WireMessage]
  const content =
    typeof user.content === 'string'
      ? `${system.content as string}\n\n${user.content}`
      : [{type: 'text', text: system.content}, ...user.content]
  return {...body, messages: [{...user, content}, ...rest]}
}
