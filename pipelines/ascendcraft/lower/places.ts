/** A statement as far as the places of declarations go. */
export interface Step<S> {
  statement: S
  /** The scalar that it assigns. */
  assigns: string | undefined
  /** Scalars that it names outside of its bodies. */
  names: ReadonlySet<string>
  bodies: readonly (readonly Step<S>[])[]
}

export interface Places<S> {
  /** Assignments that declare their name; `only` where nothing else assigns it. */
  declares: ReadonlyMap<S, 'only' | 'first'>
  /** Names that are declared in front of a statement, because what assigns them stands within it. */
  before: ReadonlyMap<S, readonly string[]>
}

/** Where each local scalar of a function is declared: as far inside and as late as its uses allow. */
export function placeDeclarations<S>(body: readonly Step<S>[], locals: readonly string[]): Places<S> {
  const declares = new Map<S, 'only' | 'first'>()
  const before = new Map<S, string[]>()
  for (const name of locals) {
    const place = placeOf(body, name)
    if (!place) continue
    if (place.assigns === name && !place.names.has(name))
      declares.set(place.statement, assignments(body, name) === 1 ? 'only' : 'first')
    else before.set(place.statement, [...(before.get(place.statement) ?? []), name])
  }
  return {declares, before}
}

/** The first statement that has the name in the innermost body that has them all, if that assigns it afresh. */
function placeOf<S>(body: readonly Step<S>[], name: string): Step<S> | undefined {
  const items = body.filter((step) => has(step, name))
  const [first, second] = items
  if (!first) return undefined
  if (!second && !first.names.has(name) && first.assigns !== name) {
    const inner = first.bodies.filter((one) => one.some((step) => has(step, name)))
    const place = inner.length === 1 ? placeOf(inner[0] as readonly Step<S>[], name) : undefined
    if (place && place.assigns === name && !place.names.has(name)) return place
  }
  return first
}

/** Whether the name is assigned, before anything reads it, each time that the body runs. */
export function isFresh<S>(body: readonly Step<S>[], name: string): boolean {
  const place = placeOf(body, name)
  return place !== undefined && place.assigns === name && !place.names.has(name)
}

function has<S>(step: Step<S>, name: string): boolean {
  return step.assigns === name || step.names.has(name) || step.bodies.some((body) => body.some((one) => has(one, name)))
}

function assignments<S>(body: readonly Step<S>[], name: string): number {
  return body.reduce(
    (sum, step) =>
      sum + (step.assigns === name ? 1 : 0) + step.bodies.reduce((inner, one) => inner + assignments(one, name), 0),
    0,
  )
}
