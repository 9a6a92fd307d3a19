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
  /** Assignments that declare their name; `only` if nothing else assigns it. */
  declares: ReadonlyMap<S, 'only' | 'first'>
  /** Names declared before a statement, because their assignments are within it. */
  before: ReadonlyMap<S, readonly string[]>
}

/** Where each local scalar of a function is declared: as far inside and as late as its uses allow. */
export function placeDeclarations<S>(body: readonly Step<S>[], locals: readonly string[]): Places<S> {
  const declares = new Map<S, 'only' | 'first'>()
  const before = new Map<S, string[]>()
  for (const name of locals) {
    for (const {step, within} of placesOf(body, name)) {
      const {statement} = step
      if (isAfresh(step, name)) declares.set(statement, assignments(within, name) === 1 ? 'only' : 'first')
      else before.set(statement, [...(before.get(statement) ?? []), name])
    }
  }
  return {declares, before}
}

/** A statement with or in front of which a name is declared, and its enclosing body. */
interface Place<S> {
  step: Step<S>
  within: readonly Step<S>[]
}

/**
 * Loops and branches that each assign the name before they read it have each a variable of their own; else it is
 * declared at the first statement of the body that names it.
 */
function placesOf<S>(body: readonly Step<S>[], name: string): Place<S>[] {
  const items = body.filter((step) => has(step, name))
  const [first] = items
  if (!first) return []
  if (items.every((step) => step.assigns !== name && !step.names.has(name))) {
    const inner = items.flatMap(({bodies}) => bodies.flatMap((one) => placesOf(one, name)))
    if (inner.every(({step}) => isAfresh(step, name))) return inner
  }
  return [{step: first, within: body}]
}

/** It assigns the name, and does not need it for that. */
function isAfresh<S>({assigns, names}: Step<S>, name: string): boolean {
  return assigns === name && !names.has(name)
}

/** Whether the name is assigned, before anything reads it, each time that the body runs. */
export function isFresh<S>(body: readonly Step<S>[], name: string): boolean {
  return placesOf(body, name).every(({step}) => isAfresh(step, name))
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
