import {z} from 'zod'
import {contentId} from '../ids.ts'

/** What a teacher charges. Discounts for cached prompts are ignored, so that a budget errs on the safe side. */
export const Price = z.strictObject({
  /** Price of a million prompt tokens. */
  promptPerMillion: z.number().min(0),
  /** Price of a million completion tokens, reasoning included. */
  completionPerMillion: z.number().min(0),
  /** ISO 4217, e.g. `USD` or `CNY`. All teachers of one configuration use the same. */
  currency: z.string().regex(/^[A-Z]{3}$/, 'expected three capital letters, e.g. USD'),
})
export type Price = z.infer<typeof Price>

type UrlRule = [holds: (url: string) => boolean, message: string]

/** Whether these parts of the URL are empty; text that is not a URL has been refused already. */
const without = (parts: readonly ('username' | 'password' | 'search' | 'hash')[]) => (text: string) =>
  !URL.canParse(text) || parts.every((part) => new URL(text)[part] === '')

const sendKey = 'put the key in an environment variable and name it in apiKeyEnv; it is sent as a Bearer token'
const withoutLogin: UrlRule = [
  without(['username', 'password']),
  `expected no user or password before the host: ${sendKey}`,
]
const withoutQuery: UrlRule = [
  without(['search', 'hash']),
  `expected nothing after the path, no ? and no #: ${sendKey}`,
]

const nameWanted = 'expected the name of an environment variable, such as DEEPSEEK_API_KEY, never the key itself'

/** Keys contain long runs of lower-case letters and digits, names of variables do not. */
function noKey(name: string): boolean {
  return !name.split('_').some((part) => part.length >= 16 && /\d/.test(part) && /[a-z]/.test(part))
}

/** One configured teacher: a model behind an OpenAI-compatible endpoint, and its limits. */
export const TeacherProfile = z.strictObject({
  /** Model name that the endpoint uses, e.g. `deepseek-reasoner`. */
  model: z.string().min(1),
  /** Up to and including the version, e.g. `https://api.deepseek.com/v1`; run.json and messages repeat it. */
  baseUrl: z
    .url({protocol: /^https?$/})
    .refine(...withoutLogin)
    .refine(...withoutQuery),
  /**
   * Name of the environment variable that holds the key; the key itself is never configured. Absent for local servers.
   */
  apiKeyEnv: z
    .string()
    .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, nameWanted)
    .refine(noKey, nameWanted)
    .optional(),
  /** Sampling temperature; not sent when absent. */
  temperature: z.number().min(0).max(2).optional(),
  /** Nucleus sampling; not sent when absent. */
  topP: z.number().gt(0).max(1).optional(),
  /**
   * Longest completion in tokens, reasoning included. Always sent: endpoints' own defaults differ, and a budget needs a
   * bound.
   */
  maxTokens: z.int().positive().default(16_384),
  /** Put before the system message of every request. */
  systemPrompt: z.string().min(1).optional(),
  /**
   * Further fields of the request body, e.g. `{reasoning_effort: high}`; they override ours. `null` removes one of
   * ours.
   */
  extraBody: z.record(z.string(), z.json()).default({}),
  /** Off only for endpoints that cannot stream: without a stream, a stall is noticed only after `timeoutSeconds`. */
  stream: z.boolean().default(true),
  /** Requests in flight at once, at most. */
  concurrency: z.int().positive().default(16),
  /** Rate limit of the endpoint. */
  requestsPerMinute: z.number().positive().optional(),
  /** Rate limit of the endpoint, prompt and completion together. */
  tokensPerMinute: z.number().positive().optional(),
  /** From sending to the first byte of the reply. Node's own limit of 300 s to the headers stays above it. */
  timeoutSeconds: z.number().positive().max(300).default(180),
  /** Longest silence inside a reply; keep-alive comments count as signs of life. Node's own limit is 300 s. */
  idleSeconds: z.number().positive().max(300).default(90),
  /** Failed attempts per request. 429 answers do not count. */
  maxAttempts: z.int().positive().default(6),
  /** Longest time for one request, all attempts and waits together. */
  patienceSeconds: z.number().positive().default(3600),
  /** How long the endpoint may be down before the run stops. One that never answered gets 15 s at most. */
  outageSeconds: z.number().positive().default(180),
  price: Price.optional(),
  /** Typical completion in tokens, reasoning included; for the forecast and for `tokensPerMinute`. */
  expectedCompletionTokens: z.int().positive().default(4096),
})
export type TeacherProfile = z.infer<typeof TeacherProfile>

/** What all teachers together may spend; a request that could exceed a limit is not sent. */
export const Budget = z.strictObject({
  /** Most tokens, prompt and completion together. */
  tokens: z.int().positive().optional(),
  /** Most money, in the currency of the teachers' prices. */
  cost: z.number().positive().optional(),
})
export type Budget = z.infer<typeof Budget>

/** The URL as it appears in keys and messages: without a slash at its end, and without the path that is asked below. */
export function endpointOf({baseUrl}: Pick<TeacherProfile, 'baseUrl'>): string {
  return baseUrl.replace(/\/+$/, '').replace(/\/chat\/completions$/, '')
}

/** Hash of everything in a profile that shapes a reply; limits, retries and prices are excluded. */
export function fingerprint(profile: TeacherProfile): string {
  const {model, temperature, topP, maxTokens, systemPrompt, extraBody} = profile
  return contentId({model, baseUrl: endpointOf(profile), temperature, topP, maxTokens, systemPrompt, extraBody})
}
