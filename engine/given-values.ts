import {readFile} from 'node:fs/promises'
import {parse as parseYaml} from 'yaml'
import {PipelineError} from './errors.ts'

/** The kind of file, for messages, and the fix when it cannot be read. */
interface Wanted {
  what: string
  fix: string
}

/**
 * A YAML file of keys and values; an empty one has none.
 * @throws PipelineError `config-invalid` when it cannot be read or is not a mapping
 */
export async function readYaml(path: string, {what, fix}: Wanted): Promise<Record<string, unknown>> {
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    throw new PipelineError('config-invalid', `The ${what} ${path} cannot be read.`, {fix, cause})
  })
  try {
    const value: unknown = parseYaml(text) ?? {}
    if (typeof value === 'object' && !Array.isArray(value)) return value as Record<string, unknown>
    throw new TypeError('it is not a mapping of keys to values')
  } catch (error) {
    throw new PipelineError('config-invalid', `${path} is not valid YAML: ${firstLine(error).replace(/:$/, '')}`, {
      fix: `Fix ${path}.`,
      cause: error,
    })
  }
}

/** A value given on the command line or in a variable; `said` quotes how it was given. */
export function parseScalar(text: string, said: string): unknown {
  try {
    return parseYaml(text) as unknown
  } catch (error) {
    throw new PipelineError('config-invalid', `${said} is not a YAML value: ${firstLine(error)}`, {
      fix: `Fix ${said}.`,
      cause: error,
    })
  }
}

/** The lines after the first quote the text, which may hold a secret. */
function firstLine(error: unknown): string {
  const [why = ''] = (error instanceof Error ? error.message : String(error)).split('\n')
  return why
}

/** Puts a value at a path of keys with dots between them; missing sections are created. */
export function setPath(target: Record<string, unknown>, path: string, value: unknown): void {
  const keys = path.split('.')
  const last = keys.pop() as string
  let place = target
  for (const key of keys) {
    const next = place[key]
    const isSection = typeof next === 'object' && next !== null && Object.hasOwn(place, key)
    // A copy: an alias of YAML is one object in two places, and only one of them is named.
    own(place, key, isSection ? copied(next) : {})
    place = place[key] as Record<string, unknown>
  }
  own(place, last, value)
}

const copied = (section: object) => (Array.isArray(section) ? [...section] : {...section})

/** Also where the key is `__proto__`, which an assignment would treat as the prototype. */
function own(place: Record<string, unknown>, key: string, value: unknown): void {
  Object.defineProperty(place, key, {value, enumerable: true, configurable: true, writable: true})
}
