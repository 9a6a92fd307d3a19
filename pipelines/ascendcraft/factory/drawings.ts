import type {CraftDesign, Expression} from '../../../datasets/schema/crafted-operator.ts'
import type {Draft} from './design-draft.ts'
import type {Ranged} from './draw-expression.ts'
import type {Family} from './families.ts'
import type {FunctionName} from './functions.ts'

type Parts = Pick<CraftDesign, 'stages' | 'outputs' | 'scan' | 'window'>
type Drawing = (draft: Draft, family: Family, given: readonly string[]) => Parts | undefined

const output = (
  draft: Draft,
  {output: layout}: Family,
  value: Expression,
  name = 'out',
): CraftDesign['outputs'][number] => ({
  name,
  layout,
  type: draft.route.output,
  value,
})

export const drawings: Readonly<Record<Family['draw'], Drawing>> = {
  plain(draft, family, given) {
    const {random} = draft
    const isRowWise = family.form === 'rows' || family.form === 'all'
    const stages: CraftDesign['stages'] = []
    const count = random.integer(...family.stages)
    const read = given.filter((name) => family.form !== 'all' || draft.leaves.get(name)!.isScalar === false)
    for (let at = 1; at <= count; at += 1) {
      const stage = drawStage(
        draft,
        `s${at}`,
        [...read.slice(0, at === 1 ? undefined : 1), ...stages.map(({name}) => name)],
        isRowWise,
      )
      if (!stage) return undefined
      stages.push(stage)
    }
    const stats = stages.map(({name}) => name)
    const isReduced = family.output !== 'full'
    const over = isReduced ? stats : [...given, ...stats]
    const without: FunctionName[] = isReduced ? ['where', 'floor', 'ceil'] : []
    if (isReduced && random.unit() < 0.3 && stats.length === 1)
      return {stages, outputs: [output(draft, family, stats[0]!)]}
    const last = draft.expression(over, count === 0 ? random.integer(2, 6) : random.integer(1, 4), without)
    return last && {stages, outputs: [output(draft, family, last.value)]}
  },
  softmax(draft, family, given) {
    const {random} = draft
    const score = draft.expression(given, random.integer(1, 3))
    if (!score) return undefined
    const [low, high] = score.range
    if (high - low > 24) return undefined
    draft.found('s1', score.range, true)
    const power: Expression = ['exp', ['sub', score.value, 's1']]
    draft.found('s2', [1, 1000], true)
    const stages: CraftDesign['stages'] = [
      {name: 's1', reduce: 'max', of: score.value, made: 'found'},
      {name: 's2', reduce: 'sum', of: power, made: 'found'},
    ]
    const shared: Expression = ['div', power, 's2']
    const ends: Expression[] = [
      ['mul', shared, 'x'],
      ['sub', ['sub', score.value, 's1'], ['log', 's2']],
      ['add', shared, ['mul', 'x', 0.5]],
      ['mul', shared, ['tanh', 'x']],
      ['max', shared, ['mul', ['sigmoid', 'x'], 0.25]],
      ['sub', 1, shared],
    ]
    const end = random.pick(ends)
    draft.roots.push(['tanh', end])
    return {stages, outputs: [output(draft, family, end)]}
  },
  optimizer(draft, family, given) {
    const {random} = draft
    const [weight, gradient, ...states] = given as [string, string, ...string[]]
    const decay = draft.attribute()
    draft.attributes[0]!.value = 0.875
    draft.attributes[0]!.other = 0.75
    draft.leaves.set(decay, {...draft.leaves.get(decay)!, range: [0.75, 0.875]})
    const moved = states.map((state): Ranged | undefined => {
      const fresh =
        random.unit() < 0.4
          ? {value: gradient, range: draft.leaves.get(gradient)!.range}
          : draft.expression([gradient], random.integer(1, 2))
      if (!fresh) return undefined
      const value: Expression = ['add', ['mul', state, decay], ['mul', fresh.value, ['sub', 1, decay]]]
      draft.roots.push(value)
      const ends = [...fresh.range, ...draft.leaves.get(state)!.range]
      return {value, range: [Math.min(...ends), Math.max(...ends)]}
    })
    if (moved.some((one) => !one)) return undefined
    for (const [at, state] of states.entries()) draft.found(`${state}_next`, moved[at]!.range, false)
    const direction = draft.expression(
      [...states.map((state) => `${state}_next`), ...(random.unit() < 0.4 ? [gradient] : [])],
      random.integer(1, 4),
      ['where', 'floor', 'ceil'],
    )
    if (!direction) return undefined
    const step: Expression = ['sub', weight, ['mul', direction.value, random.pick([0.125, 0.25, 0.0625, 0.5])]]
    const inlined = (one: Expression): Expression => {
      if (typeof one === 'string') {
        const at = states.findIndex((state) => one === `${state}_next`)
        return at < 0 ? one : moved[at]!.value
      }
      return typeof one === 'number'
        ? one
        : ([one[0], ...one.slice(1).map((part) => inlined(part as Expression))] as Expression)
    }
    return {
      stages: [],
      outputs: [
        output(draft, family, inlined(step), `${weight}_out`),
        ...states.map((state, at) => output(draft, family, moved[at]!.value, `${state}_out`)),
      ],
    }
  },
  scan(draft, family, given) {
    const {random, isInteger} = draft
    const fresh = draft.expression(given, random.integer(1, 3))
    if (!fresh) return undefined
    const [low, high] = fresh.range
    const [kind, decay] = [
      random.pick(isInteger ? ['max', 'min'] : ['decay', 'decay', 'max', 'min']),
      random.pick([0.5, 0.75, 0.25]),
    ]
    const next: Expression =
      kind === 'decay' ? ['add', ['mul', 'before', decay], fresh.value] : [kind, 'before', fresh.value]
    const reach = kind === 'decay' ? 1 / (1 - decay) : 1
    draft.found('state', [Math.min(0, low * reach), Math.max(0, high * reach)], false)
    const value =
      random.unit() < 0.3
        ? {value: 'state' as Expression}
        : draft.expression(['state', ...(random.unit() < 0.5 ? [given[0]!] : [])], random.integer(1, 3))
    return value && {stages: [], scan: {start: 0, next}, outputs: [output(draft, family, value.value)]}
  },
  windows(draft, family, given) {
    const {random} = draft
    const [x, ...columns] = given as [string, ...string[]]
    const size = random.integer(2, 5)
    const of =
      random.unit() < 0.4
        ? {value: x as Expression, range: draft.leaves.get(x)!.range}
        : draft.expression([x], random.integer(1, 2))
    if (!of) return undefined
    const reduce = random.pick(['sum', 'max', 'min'] as const)
    const by = reduce === 'sum' ? size : 1
    draft.found('s1', [of.range[0] * by, of.range[1] * by], false)
    const value = draft.expression(['s1', ...columns], random.integer(1, 3), ['where', 'floor', 'ceil'])
    return (
      value && {
        stages: [{name: 's1', reduce, of: of.value, made: 'found'}],
        window: {size, step: random.integer(1, size)},
        outputs: [output(draft, family, value.value)],
      }
    )
  },
}

const epsilons = [1e-3, 1e-4, 1e-5]

/** A reduction that stays in a range whatever the length: a mean, a root of a mean square, a largest or a smallest. */
function drawStage(
  draft: Draft,
  name: string,
  over: readonly string[],
  isScalar: boolean,
): CraftDesign['stages'][number] | undefined {
  const {random, isInteger} = draft
  const isBare = over.length === 1 && random.unit() < 0.3
  const of = isBare
    ? {value: over[0]!, range: draft.leaves.get(over[0]!)!.range}
    : draft.expression(over, random.integer(1, 3))
  if (!of) return undefined
  const mean: Expression = ['div', 'found', 'n']
  const kind = random.pick(isInteger ? ['max', 'min'] : ['mean', 'mean', 'root', 'max', 'min'])
  const [low, high] = of.range
  if (kind === 'max' || kind === 'min') {
    draft.found(name, of.range, isScalar)
    return {name, reduce: kind, of: of.value, made: 'found'}
  }
  if (kind === 'mean') {
    draft.found(name, of.range, isScalar)
    return {name, reduce: 'sum', of: of.value, made: mean}
  }
  const most = Math.max(low * low, high * high)
  // Rows of values that are all but zero have a root near that of epsilon; a divisor of a quarter is what is usual.
  draft.found(name, [0.25, Math.max(0.5, Math.sqrt(most))], isScalar)
  return {name, reduce: 'sum', of: ['square', of.value], made: ['sqrt', ['add', mean, random.pick(epsilons)]]}
}
