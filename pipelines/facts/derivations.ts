import type {Value} from '../../cpp/evaluator.ts'
import type {HostFacts} from '../../datasets/schema/code-facts.ts'
import {parseOperatorDefinitions} from '../../cpp/op-def.ts'
import type {HostKernelPair, Scenario} from '../../datasets/schema/scenario.ts'
import {answersOf, hardware, isAlias, type CallAnswers} from './call-answers.ts'
import {answeredValue, namesIn, plainNumber, readable, type CallOfHost, type Derivation} from './call-of-host.ts'
import {withoutCasts} from './host-expression.ts'
import {SeenCall} from './seen-call.ts'
import {lastName, settledValues, variableIn, type Placed, type Settled} from './settled-values.ts'

interface Derived {
  /** Fields in an order in which each follows what it is computed from, among the variables that they need. */
  fields: Derivation[]
  key: Derivation | undefined
  blocks: Derivation | undefined
}

/** How the numbers of a scenario's tiling, its tiling key and its number of blocks come about. */
export function derivations(facts: HostFacts, {operator, host: files, scenario, steps}: HostKernelPair): Derived {
  const {tiling, blockDim, tilingKey} = scenario.trace
  const definition = files.flatMap(({text}) => parseOperatorDefinitions(text)).find((one) => one.operator === operator)
  const answers = answersOf(definition, scenario, aliases(facts))
  const host = steps ? new SeenCall(facts, steps, answers) : new HostCall(facts, scenario, answers)
  const told = new Set<string>()
  const fields = Object.entries(tiling)
    .filter((entry): entry is [string, number] => typeof entry[1] === 'number')
    .map(([field, value]) => host.field(field, value))
  const byName = new Map([...reportedMemory(facts), ...fields].map((one) => [one.field, one]))
  const ordered = fields.flatMap((one) => inOrder(one, byName, host, told))
  const key = host.launch('SetTilingKey', tilingKey)
  const blocks = host.launch('SetBlockDim', blockDim)
  const isVariable = blocks?.worked && blocks.field !== 'SetBlockDim'
  const before = isVariable ? inOrder(blocks, byName, host, told) : []
  const workspace = workspaceOf(facts, scenario.trace.workspaceBytes, host)
  const kept = workspace ? inOrder(workspace, byName, host, told) : []
  return {fields: [...ordered, ...before, ...kept], key, blocks}
}

/** The size of the workspace, where it is more than what the library needs. */
function workspaceOf({functions}: HostFacts, value: number, host: CallOfHost): Derivation | undefined {
  const sizes = (name: string) => /\bGetWorkspaceSizes\(\w+\)\[0\]$/.test(name)
  const given = functions.flatMap((method) => {
    const own = new Set(method.assignments.filter(({value: of}) => sizes(`${of}[0]`)).map(({name}) => `${name}[0]`))
    return method.assignments.filter(({name}) => sizes(name) || own.has(name)).map((one) => ({...one, method}))
  })
  const [only, ...others] = given
  if (!only || others.length > 0 || value === 0) return undefined
  const found = host.written(only, 'workspace', value)
  return found.worked && found.known.length > 0 ? found : undefined
}

/** What the platform reports of UB, which is less than a core has. */
const reportedMemory = ({functions}: HostFacts): Derivation[] =>
  functions
    .flatMap(({calls}) => calls)
    .filter(reportsMemory)
    .map(({name, args}) => ({
      ...{field: lastName(args[1] ?? ''), value: hardware.ubBytes, expression: `${name}(${args.join(', ')})`},
      ...{branches: [], known: [], worked: true},
    }))

const reportsMemory = ({name, args: [kind = '']}: {name: string; args: readonly string[]}) =>
  name === 'GetCoreMemSize' && /\bUB$/.test(kind)

/** A derivation after those of the names in it, each stated once. */
function inOrder(
  one: Derivation,
  fields: ReadonlyMap<string, Derivation>,
  host: CallOfHost,
  told: Set<string>,
): Derivation[] {
  if (told.has(one.field)) return []
  told.add(one.field)
  const before = one.known.flatMap(([name, value]): Derivation[] => {
    if (told.has(name)) return []
    const own = fields.get(name) ?? host.variable(name, value)
    return own.worked ? inOrder(own, fields, host, told) : []
  })
  // A variable and the field that it goes to are computed once.
  const isSaid = one.worked && told.has(`= ${one.expression}`) && !fields.has(one.field)
  if (one.worked) told.add(`= ${one.expression}`)
  return isSaid ? before : [...before, one]
}

/** Host code in one call, by its text alone. */
class HostCall implements CallOfHost {
  readonly #facts: HostFacts
  readonly #constants: ReadonlyMap<string, number>
  readonly #settled: Settled
  readonly #answers: CallAnswers

  constructor(facts: HostFacts, scenario: Scenario, answers: CallAnswers) {
    this.#facts = facts
    this.#constants = new Map(facts.constants)
    this.#answers = answers
    const given = new Map<string, Value>(facts.constants)
    for (const [name, value] of observed(facts, scenario)) if (!given.has(name)) given.set(name, value)
    this.#settled = settledValues(facts.functions, given, (text, values) => this.#value(text, values))
  }

  #value(expression: string, values: ReadonlyMap<string, Value>): Value | undefined {
    return answeredValue(expression, this.#answers, values)
  }

  field(field: string, value: number): Derivation {
    return this.#derived(field, value, this.#settled.source(setsOf(field, this.#facts)))
  }

  variable(name: string, value: number): Derivation {
    const isTold = !this.#constants.has(name)
    return this.#derived(name, value, isTold ? this.#settled.source(this.#settled.of(name)) : undefined)
  }

  written(placed: Placed, field: string, value: number): Derivation {
    return this.#derived(field, value, placed)
  }

  /** Arguments of a launch function; undefined if no call of it is certain. */
  launch(api: string, value: number): Derivation | undefined {
    const source = this.#settled.source(passedTo(api, this.#facts))
    if (!source) return undefined
    return this.#derived(variableIn(source.value) ?? api, value, source)
  }

  #derived(field: string, value: number, set: Placed | undefined): Derivation {
    const source = set && this.#origin(set)
    const said = source && readable(source.value)
    const bare = {field, value: plainNumber(value), branches: [], known: [], worked: false}
    if (!source || said === undefined || !this.#settled.isReadable(source)) return bare
    const others = new Map([...this.#settled.values].filter(([name]) => name !== field))
    const result = this.#value(said, others)
    // What the text gives is not what the run gave: then the text is not what was run.
    if (result !== undefined && result !== value) return bare
    const worked = result === value && (/\W/.test(said) || this.#constants.has(said))
    const known = worked ? namesIn(said).flatMap((name) => numberOf(name, others.get(name))) : []
    return {...bare, expression: said, branches: source.branches, known, worked}
  }

  /** Through variables that only pass a value on. */
  #origin(set: Placed): Placed {
    let source = set
    for (let step = 0; step < mostSteps; step += 1) {
      const plain = withoutCasts(source.value).replace(/^\((.*)\)$/, '$1')
      if (!/^[\w.>-]+$/.test(plain) || this.#constants.has(lastName(plain))) return source
      const next = this.#settled.source(this.#settled.of(lastName(plain)))
      if (!next || next === source) return source
      source = next
    }
    return source
  }
}

const mostSteps = 4

const numberOf = (name: string, value: Value | undefined) => (typeof value === 'number' ? [[name, value] as const] : [])

/** `set_x(v)`, and `tiling->x = v` for plain structures. */
function setsOf(field: string, {functions}: HostFacts): Placed[] {
  return functions.flatMap((method) => [
    ...method.calls.flatMap(({name, args: [value], branches, loops, line}) =>
      name === `set_${field}` && value !== undefined
        ? [{name: field, operator: '=', value, branches, loops, line, method}]
        : [],
    ),
    ...method.assignments.flatMap((one) =>
      lastName(one.name) === field && /tiling/i.test(one.name) ? [{...one, method}] : [],
    ),
  ])
}

function passedTo(api: string, {functions}: HostFacts): Placed[] {
  return functions.flatMap((method) =>
    method.calls.flatMap(({name, args: [value], branches, loops, line}) =>
      name === api && value !== undefined ? [{name: api, operator: '=', value, branches, loops, line, method}] : [],
    ),
  )
}

/** Variables that pass a shape, a type or an attribute on; several of one name must pass on the same. */
export function aliases({functions}: HostFacts): Map<string, string> {
  const found = new Map<string, string>()
  const differing = new Set<string>()
  for (const {name, operator, value} of functions.flatMap(({assignments}) => assignments)) {
    if (!/^\w+$/.test(name)) continue
    const held = found.get(name) ?? value
    if (operator !== '=' || !isAlias(value) || held !== value) differing.add(name)
    found.set(name, value)
  }
  return new Map([...found].filter(([name]) => !differing.has(name)))
}

/** By the fields and launch parameters that variables end in, and by what the platform answers. */
function observed(facts: HostFacts, {trace}: Scenario): Map<string, number> {
  const known = new Map<string, number>()
  const learn = (expression: string | undefined, value: number | readonly number[] | undefined) => {
    const name = expression === undefined ? '' : withoutCasts(expression)
    if (/^[A-Za-z_]\w*$/.test(name) && typeof value === 'number' && !known.has(name)) known.set(name, value)
  }
  for (const field of Object.keys(trace.tiling)) {
    const [set, ...others] = setsOf(field, facts)
    if (set && others.length === 0 && set.branches.length === 0) learn(set.value, trace.tiling[field])
  }
  const [blocks, ...others] = passedTo('SetBlockDim', facts)
  if (others.length === 0) learn(blocks?.value, trace.blockDim)
  for (const call of facts.functions.flatMap(({calls}) => calls)) {
    const {name, result, args} = call
    const variable = result === undefined ? undefined : lastName(result)
    if (name === 'GetCoreNumAiv') learn(variable, hardware.vectorCores)
    if (name === 'GetCoreNumAic') learn(variable, hardware.cubeCores)
    if (reportsMemory(call)) learn(args[1] && lastName(args[1]), hardware.ubBytes)
  }
  return known
}
