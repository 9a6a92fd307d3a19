import {deepestMessage} from './fault.ts'
import {endpointOf, type TeacherProfile} from './profile.ts'
import {redactor} from './redact.ts'

export interface EndpointProblem {
  /** `silent`: connected, but no answer in time. Only `unreachable` proves that no request can be answered now. */
  kind: 'key-missing' | 'key-refused' | 'unreachable' | 'silent' | 'model-unknown'
  what: string
  fix: string
}

const answerMilliseconds = 5000

/**
 * Asks for the list of models, at no cost: does the endpoint answer, accept the key and know the model? Undefined if
 * so.
 */
export async function probeEndpoint(
  profile: TeacherProfile,
  {
    env,
    signal,
    fetch = globalThis.fetch,
  }: {
    env: Readonly<Record<string, string | undefined>>
    signal: AbortSignal
    fetch?: typeof globalThis.fetch
  },
): Promise<EndpointProblem | undefined> {
  const {apiKeyEnv, model} = profile
  const key = apiKeyEnv === undefined ? undefined : env[apiKeyEnv]?.trim()
  if (apiKeyEnv !== undefined && !key) {
    return {kind: 'key-missing', what: `the environment variable ${apiKeyEnv} is not set`, fix: `Set ${apiKeyEnv}.`}
  }
  const redact = redactor([key])
  const timeout = AbortSignal.timeout(answerMilliseconds)
  try {
    const response = await fetch(`${endpointOf(profile)}/models`, {
      headers: key === undefined ? {} : {authorization: `Bearer ${key}`},
      signal: AbortSignal.any([signal, timeout]),
    })
    if (response.status === 401 || response.status === 403) return refusedKey(response.status, apiKeyEnv)
    if (!response.ok) return undefined // Many endpoints do not list models; the first request will tell.
    const listed = modelNames(await response.json().catch(() => undefined)).map(redact)
    if (listed.length === 0 || listed.includes(model)) return undefined
    const fix = `Use one of ${listed.slice(0, 8).join(', ')}.`
    return {kind: 'model-unknown', what: `it does not list the model ${model}`, fix}
  } catch (error) {
    if (timeout.aborted) {
      const what = `it has not answered within ${answerMilliseconds / 1000} s`
      return {kind: 'silent', what, fix: 'Check that it is working; if it is only busy, no action is needed.'}
    }
    const what = `it does not answer (${redact(deepestMessage(error))})`
    return {kind: 'unreachable', what, fix: 'Start the server, or check baseUrl and the network connection.'}
  }
}

function refusedKey(status: number, apiKeyEnv: string | undefined): EndpointProblem {
  return {
    kind: 'key-refused',
    what: `it refuses the key (${status})`,
    fix: `Check the key in ${apiKeyEnv ?? 'the configuration'}.`,
  }
}

function modelNames(value: unknown): string[] {
  const data = typeof value === 'object' && value !== null && 'data' in value ? value.data : undefined
  if (!Array.isArray(data)) return []
  return data.flatMap((entry: unknown) => {
    const id = typeof entry === 'object' && entry !== null && 'id' in entry ? entry.id : undefined
    return typeof id === 'string' ? [id] : []
  })
}
