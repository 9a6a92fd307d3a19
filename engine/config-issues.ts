import {z} from 'zod'
import {nearest} from './nearest.ts'

/** Where values came from, in the words of who gave them: path to `--set samples.count=x`, to `ASCEND_COT_SEED`. */
type Spoken = ReadonlyMap<string, string>

interface Fault {
  /** What is wrong, and where it was said. */
  text: string
  /** What would have been right. */
  advice: string
}

interface Described {
  /** What has the faults, in messages: `The configuration`. */
  what: string
  schema: z.ZodType
  spoken: Spoken
  /** Where values stand that nobody else gave. */
  file: string
}

/**
 * Every fault of a configuration, each with where it was said and what was expected there; what was seen as well, where
 * the schema was asked to report it.
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

/** Where the schema was not asked to report what it saw, a wrong word looks like none. */
const isMissing = (issue: z.core.$ZodIssue) =>
  issue.code === 'invalid_type'
    ? issue.message.endsWith('received undefined')
    : issue.code === 'invalid_value' && 'input' in issue && issue.input === undefined

/** Nobody said it, so who said something beside it said nothing wrong. */
function missingFault(path: string[], schema: z.ZodType, spoken: Spoken, file: string): Fault {
  const whole = path.join('.')
  const beside = placeOf(whole, spoken, file)
  const place = beside === file ? `in ${file}` : `beside ${beside}`
  const example = String(exampleAt(schema, path) ?? '…')
  return {text: `${whole} is missing ${place}`, advice: `Write it into ${file}, or say --set ${whole}=${example}.`}
}

/** What the schema itself gives for one, by `meta({examples})`. */
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

/** The flag or variable that set this key, a part of it or the section around it, or a key beside it; else the file. */
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
