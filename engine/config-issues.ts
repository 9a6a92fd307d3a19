import {z} from 'zod'
import {nearest} from './nearest.ts'

/** Where each value was set, by its path: `--set samples.count=x` or `ASCEND_COT_SEED`. */
type Spoken = ReadonlyMap<string, string>

interface Fault {
  /** What is wrong, and where it was set. */
  text: string
  /** What was expected. */
  advice: string
}

interface Described {
  /** The subject of messages: `The configuration`. */
  what: string
  schema: z.ZodType
  spoken: Spoken
  /** The configuration file: where a value comes from unless a flag or variable set it. */
  file: string
}

/**
 * Every fault of a configuration, each with its source and what was expected, and with the value found when the schema
 * reports its input.
 */
export function describeFaults(
  error: z.ZodError,
  {what, schema, spoken, file}: Described,
): {message: string; fix: string} {
  const faults = error.issues.flatMap((issue) => faultsOf(issue, schema, spoken, file))
  return {
    message: `${what} is not valid: ${faults.map(({text}) => text).join('; ')}`,
    fix: [...new Set(faults.map(({advice}) => advice))].join(' '),
  }
}

function faultsOf(issue: z.core.$ZodIssue, schema: z.ZodType, spoken: Spoken, file: string): Fault[] {
  const path = issue.path.map(String)
  if (isMissing(issue)) return [missingFault(path, schema, spoken, file)]
  if (issue.code !== 'unrecognized_keys') {
    const where = placeOf(path.join('.'), spoken, file)
    const what = issue.message.replace('Invalid input: ', '')
    const seen = issue.input === undefined ? '' : `, seen ${shortened(issue.input)}`
    return [{text: `${path.join('.')}: ${what}${seen}, in ${where}`, advice: `Fix ${where}.`}]
  }
  const known = keysAt(schema, path)
  return issue.keys.map((key) => {
    const whole = [...path, key].join('.')
    const guess = nearest(key, known)
    const of = path.length === 0 ? 'Known keys' : `Keys of ${path.join('.')}`
    const advice = guess === undefined ? `${of}: ${known.join(', ')}.` : `Did you mean ${[...path, guess].join('.')}?`
    return {text: `unknown key ${whole} in ${placeOf(whole, spoken, file)}`, advice}
  })
}

/** Unless the schema reports its input, a wrong value looks like a missing one. */
const isMissing = (issue: z.core.$ZodIssue) =>
  issue.code === 'invalid_type'
    ? issue.message.endsWith('received undefined')
    : issue.code === 'invalid_value' && 'input' in issue && issue.input === undefined

/** The key was not set, so a fault in its neighbour is not the user's. */
function missingFault(path: string[], schema: z.ZodType, spoken: Spoken, file: string): Fault {
  const whole = path.join('.')
  const beside = placeOf(whole, spoken, file)
  const place = beside === file ? `in ${file}` : `beside ${beside}`
  const example = String(exampleAt(schema, path) ?? '…')
  return {text: `${whole} is missing ${place}`, advice: `Set it in ${file}, or pass --set ${whole}=${example}.`}
}

/** The schema's own example, from `meta({examples})`. */
function exampleAt(schema: z.ZodType, path: readonly string[]): unknown {
  let at: z.ZodType | undefined = unwrapped(schema)
  for (const key of path) at = unwrapped(childOf(at, key))
  const {examples = []} = (at?.meta() ?? {}) as {examples?: unknown[]}
  return examples[0]
}

function shortened(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value)
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}

/**
 * The flag or variable that set this key, a part of it or the section around it, or a key next to it; otherwise the
 * file.
 */
function placeOf(path: string, spoken: Spoken, file: string): string {
  const inside = (outer: string, inner: string) => inner === outer || inner.startsWith(`${outer}.`)
  const paths = [...spoken.keys()]
  const said =
    paths.findLast((key) => inside(key, path) || inside(path, key)) ??
    paths.findLast((key) => path.includes('.') && inside(path.slice(0, path.lastIndexOf('.')), key))
  return said === undefined ? file : (spoken.get(said) ?? file)
}

/** The keys that a section of a schema takes. */
function keysAt(schema: z.ZodType, path: readonly string[]): string[] {
  let at = unwrapped(schema)
  for (const key of path) at = unwrapped(childOf(at, key))
  return at instanceof z.ZodObject ? Object.keys(at.shape) : []
}

function childOf(schema: z.ZodType | undefined, key: string): z.ZodType | undefined {
  if (schema instanceof z.ZodObject) return schema.shape[key] as z.ZodType | undefined
  if (schema instanceof z.ZodRecord) return schema.valueType as z.ZodType
  // One of several sections: the first that has the key.
  if (schema instanceof z.ZodUnion)
    return (schema.options as z.ZodType[]).map((option) => childOf(unwrapped(option), key)).find((one) => one)
  return schema instanceof z.ZodArray ? (schema.element as z.ZodType) : undefined
}

function unwrapped(schema: z.ZodType | undefined): z.ZodType | undefined {
  if (schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault || schema instanceof z.ZodOptional)
    return unwrapped(schema.unwrap() as z.ZodType)
  return schema instanceof z.ZodPipe ? unwrapped(schema.out as z.ZodType) : schema
}
