import type {Expression} from '../../../cpp/evaluator.ts'
import {readExpression} from '../../../cpp/evaluator.ts'
import type {Decision} from '../../../datasets/schema/decision.ts'
import {lastName} from '../settled-values.ts'
import {
  decided,
  fact,
  factOf,
  few,
  launchedName,
  namesInside,
  rule,
  wordsOf,
  type HostView,
  type Size,
} from './host-view.ts'
import {formNames, formOf, written, type Form} from './size-forms.ts'

/** How many cores are launched, and why not all or always one more. */
export function coresDecision(view: HostView): Decision[] {
  const {launch, blockDim} = view.facts
  const [only, ...others] = blockDim
  if (only === undefined) return []
  const set = launch.cores.map(({text}) => fact(text))
  if (others.length > 0) return branchedLaunch(view, set)
  if (only === '1') return [decided('host-cores', 'one', 'SetBlockDim', {}, [...set, rule('SetBlockDim', 'cores')])]
  const name = launchedName(only)
  const found = view.of(name).filter(({form, expression}) => form !== undefined || expression.kind !== 'number')
  const whole = found.length === 0 ? [readExpression(only)] : found.map(({expression}) => expression)
  const because = [...found.slice(0, 3).map(factOf), ...set.slice(0, 1)]
  const [first, ...more] = whole
  if (!first) return []
  if (more.length > 0 || found[0]?.statement.branches.length) return branchedCount(name, view.of(name), because)
  const form = formOf(first, formNames(view.facts.flows))
  const {inner, isAtLeastOne} = withoutLeast(form)
  const least = isAtLeastOne ? 'yes' : 'no'
  if (view.isCores(written(first))) return [decided('host-cores', 'all', name, {name, cores: written(first)}, because)]
  if (!inner) return []
  const [of, by] = [written(inner.of), written(inner.by)]
  if (inner.kind === 'min') {
    const cores = [of, by].find((one) => view.isCores(one))
    if (cores === undefined) return []
    const work = cores === of ? by : of
    const pieces = formOf(readExpression(work))
    const grain = pieces?.kind === 'ceil' ? (view.number(written(pieces.by)) ?? 0) : 0
    return [decided('host-cores', 'bounded', name, {name, work, cores, least, grain}, because)]
  }
  if (inner.kind !== 'ceil' || view.isCores(by) || view.number(by) !== undefined) return []
  return [decided('host-cores', 'shares', name, {name, total: of, share: by, least}, because)]
}

/** `max(x, 1)` is never none. */
function withoutLeast(form: Form | undefined): {inner: Form | undefined; isAtLeastOne: boolean} {
  if (form?.kind !== 'max') return {inner: form, isAtLeastOne: false}
  const sides = [form.of, form.by]
  const inner = sides.find(({kind}) => kind !== 'number')
  const isAtLeastOne = sides.some(({kind, text}) => kind === 'number' && text === '1')
  return {inner: isAtLeastOne && inner ? formOf(inner) : undefined, isAtLeastOne}
}

function branchedLaunch({facts: {launch}}: HostView, because: Decision['because']): Decision[] {
  const conditions = few(launch.cores.flatMap(({branches}) => branches.slice(-1).map(({condition}) => condition)))
  const counts = few(launch.cores.flatMap(({call}) => call?.args[0] ?? []))
  if (conditions.length === 0 || counts.length < 2) return []
  return [decided('host-cores', 'launches', 'SetBlockDim', {conditions, counts}, because)]
}

function branchedCount(name: string, found: readonly Size[], because: Decision['because']): Decision[] {
  const inBranches = found.filter(({statement: {branches, loops}}) => branches.length > 0 && loops.length === 0)
  const counts = few(inBranches.map(({text}) => text).filter((one) => one !== name))
  const conditions = few(inBranches.flatMap(({statement}) => statement.branches.slice(-1).map((one) => one.condition)))
  if (counts.length < 2 || conditions.length === 0) return []
  return [decided('host-cores', 'cases', name, {name, counts, conditions}, because)]
}

/** What a core takes of the whole: how it is rounded, and where the rest goes. */
export function shareDecisions(view: HostView): Decision[] {
  const groups = groupsDecision(view)
  const isByCores = ({by}: Form) => view.isCores(written(by)) || view.isLaunched(written(by))
  const shares = view.sizes.flatMap((size) => {
    const {form, inner, unit} = unwrapped(size, view)
    return form && isByCores(form) ? [{size, form, inner, unit}] : []
  })
  const rounded = shares.find(({form}) => form.kind === 'ceil')
  if (groups.length > 0 || rounded) return [...groups, ...(rounded ? [roundedShare(view, rounded)] : [])]
  const whole = shares.find(({form}) => form.kind === 'divide')
  if (!whole) return []
  const total = written(whole.form.of)
  const rest = shares.find(({form}) => form.kind === 'rest' && written(form.of) === total)
  if (!rest) return []
  const values = {
    share: whole.size.name,
    rest: rest.size.name,
    total,
    cores: written(whole.form.by),
    most: whole.size.text,
  }
  return [decided('host-share', 'rest', whole.size.name, values, [factOf(whole.size), factOf(rest.size)])]
}

/** Slices that are left over: several cores share one, by its rows. */
function groupsDecision(view: HostView): Decision[] {
  for (const group of view.sizes) {
    const {form} = group
    if (form?.kind !== 'divide' || !view.isCores(written(form.of))) continue
    const rest = view.of(lastName(written(form.by))).find((one) => one.form?.kind === 'rest')
    const split = view.sizes.find(
      (one) =>
        unwrapped(one, view).form?.kind === 'ceil' && lastName(written(unwrapped(one, view).form!.by)) === group.name,
    )
    const rows = split && unwrapped(split, view).form
    if (!rest?.form || !split || !rows) continue
    const values = {
      group: group.name,
      rest: rest.name,
      slices: written(rest.form.of),
      cores: written(form.of),
      rows: written(rows.of),
      share: split.name,
    }
    return [decided('host-share', 'groups', group.name, values, [rest, group, split].map(factOf))]
  }
  return []
}

interface Share {
  size: Size
  form: Form
  unit: Expression | undefined
}

/** A share inside of a bound and of a rounding: `max(RoundUp(CeilDiv(total, cores), unit), unit)`. */
function unwrapped({form, expression}: Size, view: HostView) {
  const names = formNames(view.facts.flows)
  const bound = form?.kind === 'max' || form?.kind === 'min' ? form : undefined
  const inner = bound ? [bound.of, bound.by].find((one) => formOf(one, names) !== undefined) : expression
  const outer = inner && formOf(inner, names)
  if (outer?.kind === 'round-up' || outer?.kind === 'round-down') {
    const within = formOf(outer.of, names)
    return {form: within, inner, unit: outer.by}
  }
  return {form: outer, inner, unit: counted(expression, view)}
}

/** `CeilDiv(blocks, cores) * unit`. */
function counted(expression: Expression, view: HostView): Expression | undefined {
  const [count, unit] = expression.text === '*' ? expression.parts : []
  return count && unit && !view.isCores(written(unit)) ? unit : undefined
}

function roundedShare(view: HostView, {size, form, unit}: Share): Decision {
  const [total, cores] = [written(form.of), written(form.by)]
  const base = {share: size.name, total, cores}
  const counted = view.only(lastName(total))
  const because = [factOf(size)]
  if (unit && !view.isCores(written(unit))) {
    const bytes = unitBytes(view, written(unit))
    const number = view.number(written(unit)) ?? 0
    const isWhole = number % blockOfNarrow === 0
    const values = {...base, unit: written(unit), two: isWhole ? 2 * number : 0, four: isWhole ? 4 * number : 0}
    return decided('host-share', bytes === 32 ? 'whole-units' : 'multiples', size.name, values, [
      ...because,
      rule('DataCopy', 'whole-blocks'),
    ])
  }
  if (counted?.form?.kind === 'ceil')
    return decided('host-share', 'ceil', size.name, base, [...because, factOf(counted)])
  return decided('host-share', 'ceil', size.name, base, because)
}

/** Elements of 2 bytes in a block of 32; those of 4 bytes are whole blocks then as well. */
const blockOfNarrow = 16

/** Bytes of the elements in a unit, if it is a constant of bytes over those of a type. */
function unitBytes(view: HostView, unit: string): number | undefined {
  const form = view.only(lastName(unit))?.form ?? formOf(readExpression(unit))
  return form?.kind === 'divide' && view.isTypeBytes(written(form.by)) ? view.number(written(form.of)) : undefined
}

/** Names of the sides of what the cube unit multiplies at once. */
const cubeSide = /^(?:[mnk]0|BLOCK_CUBE|CUBE_BLOCK|FRACTAL\w*)$/i

/** Whether a name counts pieces or rounds: no elements, no cores. */
function isRounds(name: string): boolean {
  const words = wordsOf(name)
  const counts = words.some((one) => /^(?:loops?|times?|num|nums|count|cnt|outer|rounds?)$/.test(one))
  return counts && !words.some((one) => /^(?:cores?|data|elements?|elem|len|length|size|bytes?)$/.test(one))
}

/** Sizes in whole fractals of the cube unit, and counts of pieces that cover something else than the cores. */
export function pieceDecisions(view: HostView): Decision[] {
  const pieces = view.sizes.filter(({form}) => form?.kind === 'ceil' || form?.kind === 'round-up')
  const isCube = ({form}: Size) => form !== undefined && cubeSide.test(lastName(written(form.by)))
  const isOther = ({form}: Size) =>
    form?.kind === 'ceil' && !view.isCores(written(form.by)) && !view.isTypeBytes(written(form.by))
  const cube = pieces.filter(isCube)
  const counted = pieces.filter((one) => isOther(one) && !isCube(one) && isRounds(one.name))
  const told = (topic: 'host-unit' | 'host-share', situation: string, found: readonly Size[]) => {
    const formulas = few(
      found.map(({name, text}) => `${name} = ${text}`),
      3,
    )
    const units = few(
      found.flatMap(({form}) => (form ? [written(form.by)] : [])),
      3,
    )
    return decided(topic, situation, found[0]?.name ?? '', {formulas, units}, found.slice(0, 3).map(factOf))
  }
  return [
    ...(few(cube.map(({text}) => text)).length > 0 ? [told('host-unit', 'fractal', cube)] : []),
    ...(few(counted.map(({name, text}) => `${name} = ${text}`)).length > 0
      ? [told('host-share', 'rounds', counted)]
      : []),
  ]
}

/** How many elements are a block or a repeat, of which sizes are whole multiples. */
export function unitDecisions(view: HostView): Decision[] {
  const found = view.sizes.flatMap((size) => {
    const {form} = size
    if (form?.kind !== 'divide' || !view.isTypeBytes(written(form.by))) return []
    const bytes = view.number(written(form.of))
    return bytes === 32 || bytes === 256 ? [{size, form, bytes}] : []
  })
  const rows = view.sizes.find(({form}) => form?.kind === 'round-up' && unitBytes(view, written(form.by)) === 32)
  return [
    ...found
      .filter(({bytes}, at) => found.findIndex((one) => one.bytes === bytes) === at)
      .map(({size, form, bytes}) => {
        const users = few(
          view.sizes
            .filter((one) => one.name !== size.name && namesInside(one.expression).includes(size.name))
            .map(({name}) => name),
          3,
        )
        const [width, ...others] = view.widths as [number, ...number[]]
        const counts = {half: bytes / 2, float: bytes / 4, width, count: bytes / width}
        const values = {name: size.name, bytes, type: written(form.by), ...counts, users}
        const [unit, single] = bytes === 32 ? (['block', 'block-one'] as const) : (['repeat', 'repeat-one'] as const)
        const usual = users.length > 0 ? unit : `${unit}-alone`
        const situation = others.length === 0 ? single : usual
        return decided('host-unit', situation, size.name, values, [
          factOf(size),
          rule(bytes === 32 ? 'DataCopy' : 'vector', bytes === 32 ? 'whole-blocks' : 'whole-repeats'),
        ])
      }),
    ...(rows?.form && found.length === 0 ? [rowDecision(rows, view)] : []),
  ]
}

function rowDecision({name, form, text}: Size, {widths: [width, ...others]}: HostView): Decision {
  const of = form ? written(form.of) : ''
  const values = {name, of, half: 16, float: 8, width: width ?? 0, count: 32 / (width ?? 1)}
  return decided('host-unit', others.length === 0 ? 'row-one' : 'row', name, values, [
    factOf({name, text}),
    rule('DataCopy', 'whole-blocks'),
  ])
}
