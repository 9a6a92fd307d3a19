import type {FunctionFlow} from '../../../cpp/syntax.ts'
import type {ApiFacts} from '../../../datasets/schema/code-facts.ts'
import type {Decision} from '../../../datasets/schema/decision.ts'
import type {OperatorSource} from '../../../datasets/schema/operator.ts'
import {plansOf, runsOf} from '../api-facts.ts'
import {checkDecisions} from './api-checks.ts'
import {launchDecisions} from './api-launch.ts'
import {castDecision} from './api-casts.ts'
import {ApiView, areAlternatives, argumentNames, asksChip, bare, isWork, mentions, type LowCall} from './api-view.ts'
import {decided, fact, few, rule} from './host-view.ts'

/** Most paragraphs of one file. */
const mostDecisions = 8

/** What most interfaces decide alike, from last to first in the description. */
const common = [
  ...['api-unit/failure', 'api-plan/phases', 'api-checks/null', 'api-checks/null-first', 'api-steps/one'],
  ...['api-shapes/at-most-general', 'api-checks/inner', 'api-memory/dense-both', 'api-memory/empty'],
]

/** Why a file of an operator's C interface checks, prepares and launches what it does, in that order. */
export function apiDecisions({operator}: OperatorSource, facts: ApiFacts): Decision[] {
  const view = new ApiView(facts)
  const all = [
    ...planDecisions(view),
    ...checkDecisions(view),
    ...memoryDecisions(view),
    ...layoutDecisions(view),
    ...argumentDecisions(view),
    ...stepDecisions(view),
    ...launchDecisions(view),
    ...innerDecision(view),
  ]
  return kept(all, operator)
}

/** Limits the decisions: common ones only if there is room, and a different selection in each operator. */
function kept(all: readonly Decision[], operator: string): Decision[] {
  const rank = ({topic, situation}: Decision) => common.indexOf(`${topic}/${situation}`)
  const own = all.filter((one) => rank(one) < 0).slice(0, mostDecisions)
  const seed = [...operator].reduce((sum, one) => sum * 31 + one.charCodeAt(0), 7)
  const shared = all.filter((one) => rank(one) >= 0)
  const turned = shared.map((_, at) => shared[(at + seed) % shared.length])
  const room = Math.max(1, Math.min(3, mostDecisions - 1 - own.length))
  const told = new Set([...own, ...turned.slice(0, own.length < 2 ? shared.length : room)])
  return all.filter((one) => told.has(one))
}

/** Two phases, and interfaces that share a plan or hand it on. */
function planDecisions(view: ApiView): Decision[] {
  const {facts} = view
  const plans = plansOf(facts)
  const [first] = plans
  if (!first) return []
  const handed = handing(first, facts)
  if (handed) return [handed]
  const shared = sharedPlan(plans, facts)
  const ends = view.statements.filter(
    ({target, text}) => /^\*\s*\w*[wW]orkspaceSize$/.test(target) && /WorkspaceSize\(\)/.test(text),
  )
  const [end] = ends
  const tasks = view.calls.length
  const values = {plan: first.name, run: runName(view), tasks, end: end ? `${end.target} = ${end.text}` : ''}
  const because = [fact(values.end), rule('aclOpExecutor', 'two-phases')]
  return [...shared, ...(end && tasks > 1 ? [decided('api-plan', 'phases', first.name, values, because)] : [])]
}

/** The function of the second phase, which another file may hold. */
const runName = ({facts}: ApiView) =>
  runsOf(facts)[0]?.name ?? plansOf(facts)[0]?.name.replace(/GetWorkspaceSize$/, '') ?? 'aclnn'

type Called = NonNullable<FunctionFlow['statements'][number]['call']>

const callsOf = ({statements}: FunctionFlow): Called[] => statements.flatMap(({call}) => call ?? [])

/** An interface that another one serves: what it fixes, and what it does not pass on. */
function handing(plan: FunctionFlow, {functions}: ApiFacts): Decision | undefined {
  const works = plan.statements.some(({text}) => /\b(?:CREATE_EXECUTOR|l0op::\w+)\s*\(/.test(text))
  const calls = callsOf(plan).filter(({name}) => /^aclnn\w+GetWorkspaceSize$/.test(name))
  const [only, second] = calls
  if (!only || second || works || functions.some(({name}) => name === only.name)) return undefined
  const held = plan.statements.filter(({target}) => only.args.includes(target)).map(({text}) => text)
  const handed = [...only.args, ...held].join(' ')
  const unused = plan.parameters.map(({name}) => name).filter((name) => !mentions(handed, name))
  const fixed = few(only.args.filter((one) => /^(?:nullptr|true|false|-?[\d.]+\w*)$/.test(one)))
  const values = {plan: plan.name, other: only.name, fixed, unused: few(unused)}
  const situation = fixed.length > 0 ? 'handed-fixed' : 'handed'
  return decided('api-plan', situation, only.name, values, [fact(`${only.name}(${only.args.join(', ')})`)])
}

/** Several interfaces over one plan; one of them may write over what it reads. */
function sharedPlan(plans: readonly FunctionFlow[], {functions}: ApiFacts): Decision[] {
  const own = new Set(functions.map(({name}) => name))
  const shared = plans.flatMap((plan) =>
    callsOf(plan)
      .filter(({name}) => own.has(name) && !/^Check/.test(name))
      .map((call) => ({plan, call})),
  )
  const [most] = [...new Set(shared.map(({call}) => call.name))]
    .map((name) => shared.filter(({call}) => call.name === name))
    .sort((one, other) => other.length - one.length)
  const twice = most?.find(({call}) =>
    call.args.some((one, at) => /^\w+$/.test(one) && call.args.indexOf(one) !== at && one !== 'nullptr'),
  )
  const again = twice?.call.args.find((one, at, all) => all.indexOf(one) !== at && one !== 'nullptr')
  if (!most || new Set(most.map(({plan}) => plan.name)).size < 2) return []
  const names = few(most.map(({plan}) => plan.name.replace(/GetWorkspaceSize$/, '')))
  const values = {names, shared: most[0]?.call.name ?? '', again: again ?? '', inplace: twice?.plan.name ?? ''}
  const because = most.slice(0, 3).map(({call}) => fact(`${call.name}(${call.args.join(', ')})`))
  const isInPlace = again !== undefined && /[iI]nplace/.test(values.inplace)
  return [decided('api-plan', isInPlace ? 'shared-in-place' : 'shared', values.shared, values, because)]
}

/** What kernels need of memory: dense tensors, one type, and something to work on. */
function memoryDecisions(view: ApiView): Decision[] {
  return [...emptyDecision(view), ...denseDecision(view), ...castDecision(view)]
}

function emptyDecision(view: ApiView): Decision[] {
  const found = view.statements.filter(
    ({target, branches}) =>
      /^\*\s*\w*[wW]orkspaceSize$/.test(target) && /IsEmpty\(\)/.test(branches.at(-1)?.condition ?? ''),
  )
  const condition = few(
    found.map(({branches}) => branches.at(-1)?.condition ?? ''),
    1,
  )[0]
  const [first] = found
  if (!first || condition === undefined) return []
  const names = few([...condition.matchAll(/(\w+)->IsEmpty\(\)/g)].map(([, name]) => name ?? ''))
  const values = {condition, names, run: runName(view)}
  const several = names.length > 1 ? 'empty-any' : 'empty'
  const isFilled = view.calls.some(({statement: {branches}}) => branches.some((one) => one.condition === condition))
  const situation = isFilled ? 'empty-filled' : several
  return [
    decided('api-memory', situation, condition, values, [fact(condition), fact(`${first.target} = ${first.text}`)]),
  ]
}

function denseDecision(view: ApiView): Decision[] {
  const dense = view.named(/^Contiguous$/)
  const copies = view.named(/^ViewCopy$/)
  const [inputs, outputs] = [argumentNames(dense, 0), argumentNames(copies, 1)]
  const values = {inputs, outputs}
  const because = [...dense, ...copies].slice(0, 4).map(({statement}) => fact(statement.text))
  const say = (situation: string) =>
    decided('api-memory', situation, inputs[0] ?? outputs[0] ?? '', values, [...because, rule('l0op', 'dense')])
  if (inputs.length > 0 && outputs.length > 0) return [say(outputs.length > 1 ? 'dense-outputs' : 'dense-both')]
  if (inputs.length > 0) return [say('dense-in')]
  return outputs.length > 0 ? [say('dense-out')] : []
}

/** The operator that takes most arguments: others fill, slice or combine. */
function mainWork({calls}: ApiView): string {
  const work = calls.filter(({name}) => isWork(name))
  return work.reduce((best, one) => (one.args.length > (best?.args.length ?? 0) ? one : best), work[0])?.name ?? ''
}

/** Whether some of the calls precede and follow every call of an operator, under no further condition. */
function surround(some: readonly LowCall[], work: string, {calls}: ApiView): boolean {
  const all = calls.filter(({name}) => name === work)
  return (
    all.every((one) => {
      const around = new Set(one.statement.branches.map((each) => JSON.stringify(each)))
      const places = some
        .filter(({statement: {method}}) => method === one.statement.method)
        .filter(({statement: {branches}}) => branches.every((each) => around.has(JSON.stringify(each))))
        .map((each) => calls.indexOf(each) - calls.indexOf(one))
      return places.some((at) => at < 0) && places.some((at) => at > 0)
    }) && all.length > 0
  )
}

/** Axes, formats and ranks that a kernel wants otherwise than the caller gives them. */
function layoutDecisions(view: ApiView): Decision[] {
  const turns = view.named(/^Transpose$/)
  const formats = view.named(/^TransData\w*$/)
  const ranks = view.named(/^(?:Unsqueeze|Squeeze)\w*$/)
  const shapes = view.named(/^Reshape$/)
  const work = mainWork(view)
  const to = few(
    formats.flatMap(({args}) => args.filter((one) => /FORMAT_\w*C0$/.test(one)).map(bare)),
    2,
  )
  const say = (situation: string, calls: readonly LowCall[]) => {
    const values = {names: argumentNames(calls, 0), work, formats: to, count: calls.length}
    return decided(
      'api-layout',
      situation,
      calls[0]?.name ?? '',
      values,
      calls.slice(0, 3).map(({statement}) => fact(statement.text)),
    )
  }
  return [
    ...(surround(turns, work, view) ? [say('transposed', turns)] : []),
    ...(to.length > 0 && surround(formats, work, view) ? [say('formats', formats)] : []),
    ...(ranks.length > 1 ? [say('ranks', ranks)] : []),
    ...(shapes.length > 0 && ranks.length < 2 ? [say('reshaped', shapes)] : []),
  ].slice(0, 2)
}

/** Numbers of the call that outlive it: they are handed to tasks that run later. */
function argumentDecisions(view: ApiView): Decision[] {
  if (plansOf(view.facts).length === 0) return []
  const arrays = view.statements.filter(({text}) => /->Alloc(?:Int|Float|Bool)Array\(/.test(text))
  const scalars = view.statements.filter(({text}) => /->ConvertToTensor\(/.test(text))
  const named = (some: typeof arrays) =>
    few(
      some.map(({target}) => target).filter((one) => /^\w+$/.test(one)),
      3,
    )
  const of = few(
    scalars.map(({text}) => /ConvertToTensor\(\*?(\w+)/.exec(text)?.[1] ?? ''),
    3,
  )
  return [
    ...(named(arrays).length > 0
      ? [
          decided(
            'api-layout',
            'arrays',
            named(arrays)[0] ?? '',
            {names: named(arrays)},
            arrays.slice(0, 2).map(({text}) => fact(text)),
          ),
        ]
      : []),
    ...(of.length > 0
      ? [
          decided(
            'api-layout',
            'scalars',
            of[0] ?? '',
            {names: of},
            scalars.slice(0, 2).map(({text}) => fact(text)),
          ),
        ]
      : []),
  ]
}

/** Which operators of the layer below make up the result, and in which case. */
function stepDecisions(view: ApiView): Decision[] {
  const work = view.calls.filter(({name}) => isWork(name))
  const names = [...new Set(work.map(({name}) => name))]
  const choice = chosen(work)
  const chain = longest(work)
  const [only] = names
  return [
    ...choice,
    ...(chain.length > 1 ? [chainDecision(chain)] : []),
    ...(names.length === 1 && only !== undefined && choice.length === 0 && view.calls.length - work.length > 1
      ? [
          decided('api-steps', 'one', only, {name: only, count: view.calls.length - work.length}, [
            fact(`l0op::${only}`),
          ]),
        ]
      : []),
  ]
}

function chosen(work: readonly LowCall[]): Decision[] {
  for (const one of work) {
    const other = work.find(
      (each) => each.name !== one.name && areAlternatives(one.statement.branches, each.statement.branches),
    )
    const branch = one.statement.branches.find(({line, arm}) =>
      other?.statement.branches.some((each) => each.line === line && each.arm !== arm),
    )
    if (!other || !branch || branch.condition.length > 80 || typeof branch.arm === 'object') continue
    const [then, otherwise] = branch.arm === 'then' ? [one, other] : [other, one]
    const values = {condition: branch.condition, one: then.name, other: otherwise.name}
    const isType = /DT_|DataType|Dtype|CheckType|AiCore/i.test(branch.condition)
    const byCase = isType ? 'by-type' : 'by-case'
    const situation = asksChip(branch.condition) ? 'by-chip' : byCase
    return [
      decided('api-steps', situation, then.name, values, [
        fact(branch.condition),
        fact(then.name),
        fact(otherwise.name),
      ]),
    ]
  }
  return []
}

/** Operators of which each reads what the one before gives. */
function longest(work: readonly LowCall[]): LowCall[] {
  const chains = new Map<LowCall, LowCall[]>()
  for (const [at, one] of work.entries()) {
    const before = work
      .slice(0, at)
      .filter(({target, statement}) => target !== '' && reads(one, target) && statement.method === one.statement.method)
      .filter(({statement}) => !areAlternatives(statement.branches, one.statement.branches))
      .map((each) => chains.get(each) ?? [])
    chains.set(one, [...before.reduce((best, each) => (each.length > best.length ? each : best), []), one])
  }
  const all = [...chains.values()].filter((one) => new Set(one.map(({name}) => name)).size === one.length)
  return all.reduce<LowCall[]>((best, one) => (one.length > best.length ? one : best), [])
}

const reads = ({args, target}: LowCall, name: string) => name !== target && args.some((one) => mentions(one, name))

function chainDecision(chain: readonly LowCall[]): Decision {
  const shown = chain.slice(0, 6)
  const [first, last] = [shown[0], shown.at(-1)]
  const values = {
    ...{chain: shown.map(({name}) => name), count: shown.length, first: first?.name ?? '', last: last?.name ?? ''},
    between: few(
      shown.slice(0, -1).map(({target}) => target),
      3,
    ),
  }
  return decided(
    'api-steps',
    chain.length === 2 ? 'two' : 'chain',
    first?.name ?? '',
    values,
    shown.map(({statement}) => fact(statement.text)),
  )
}

/** Results of steps that may be missing. */
function innerDecision(view: ApiView): Decision[] {
  const checks = view.checks.filter(
    ({result, subjects}) => result === 'ACLNN_ERR_INNER_NULLPTR' && /nullptr/.test(subjects[0] ?? ''),
  )
  const names = few(
    checks.map(({subjects}) => subjects[0]?.split(' ')[0] ?? ''),
    2,
  )
  return checks.length < 2
    ? []
    : [decided('api-checks', 'inner', names[0] ?? '', {count: checks.length, names}, names.map(fact))]
}
