/** A section of a YAML file. */
export type Values = Record<string, unknown>

const isSection = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** With its source beside it; such a value is replaced as a whole. */
const isTagged = (value: unknown) => isSection(value) && Object.hasOwn(value, 'value')

/** Only one of them may be given, so who gives one takes the other away. */
const exclusive: Readonly<Record<string, string>> = {steps: 'epochs', epochs: 'steps'}

/** Values over those of a base: sections key by key, all else as a whole; `null` takes a key away. */
export function mergeValues(base: Values, over: Values): Values {
  const merged = {...base}
  for (const [key, value] of Object.entries(over)) {
    const before = merged[key]
    const other = exclusive[key]
    if (other !== undefined && value !== null) delete merged[other]
    if (value === null) delete merged[key]
    else if (isSection(value) && !isTagged(value) && isSection(before) && !isOfOtherKind(before, value))
      merged[key] = mergeValues(before, value)
    else merged[key] = value
  }
  return merged
}

/** Sections told apart by `kind` share no other key. */
function isOfOtherKind(before: Values, value: Values): boolean {
  const {kind} = value
  return typeof kind === 'string' && typeof before['kind'] === 'string' && before['kind'] !== kind
}

/** Paths of all values that are no sections, with dots between their keys. */
export function leafPaths(values: Values): string[] {
  return Object.entries(values).flatMap(([key, value]) =>
    isSection(value) ? leafPaths(value).map((path) => `${key}.${path}`) : [key],
  )
}
