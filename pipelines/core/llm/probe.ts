import {endpointOf, type TeacherProfile} from './profile.ts'

export interface EndpointProblem {
  what: string
  fix: string
}

const answerMilliseconds = 5000

/** Whether an endpoint answers, takes the key and knows the model, by its list of models; nothing is paid. Undefined: all well. */
export async function probeEndpoint(profile: TeacherProfile, {env, signal, fetch = globalThis.fetch}: {
  env: Readonly<Record<string, string | undefined>>
  signal: AbortSignal
  fetch?: typeof globalThis.fetch
}): Promise<EndpointProblem | undefined> {
  const {apiKeyEnv, model} = profile
  const key = apiKeyEnv === undefined ? undefined : env[apiKeyEnv]
  if (apiKeyEnv !== undefined && !key) return {what: `the variable ${apiKeyEnv} is not set`, fix: `Set ${apiKeyEnv}.`}
  try {
    const response = await fetch(`${endpointOf(profile)}/models`, {
      headers: key === undefined ? {} : {authorization: `Bearer ${key}`}, signal: AbortSignal.any([signal, AbortSignal.timeout(answerMilliseconds)]),
    })
    if (response.status === 401 || response.status === 403) return {what: `it refuses the key (${response.status})`, fix: `Check the key in ${apiKeyEnv ?? 'the configuration'}.`}
    if (!response.ok) return undefined // Many endpoints have no list of models; the first request will tell.
    const listed = modelNames(await response.json().catch(() => undefined))
    if (listed.length > 0 && !listed.includes(model)) return {what: `it does not list the model ${model}`, fix: `Use one of ${listed.slice(0, 8).join(', ')}.`}
    return undefined
  } catch {
    return {what: 'it does not answer', fix: 'Start the server, or check baseUrl and the network.'}
  }
}

function modelNames(value: unknown): string[] {
  const data = typeof value === 'object' && value !== null && 'data' in value ? value.data : undefined
  if (!Array.isArray(data)) return []
  return data.flatMap((entry: unknown) => (typeof entry === 'object' && entry !== null && 'id' in entry && typeof entry.id === 'string' ? [entry.id] : []))
}
