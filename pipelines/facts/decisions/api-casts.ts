import type {Decision} from '../../../datasets/schema/decision.ts'
import {argumentNames, isWork, type ApiView, type LowCall} from './api-view.ts'
import {negated} from './cleaned.ts'
import {decided, fact, few} from './host-view.ts'

/** Types that a computation is done in, and the one that the caller asked for. */
export function castDecision(view: ApiView): Decision[] {
  const casts = view.named(/^Cast$/)
  const isBack = (one: LowCall) =>
    view.calls
      .slice(0, view.calls.indexOf(one))
      .some(({name, statement}) => isWork(name) && statement.method === one.statement.method)
  const into = alike(casts.filter((one) => !isBack(one)))
  const condition = into[0] ? caseOf(into[0]) : undefined
  const back = casts.filter((one) => isBack(one) && caseOf(one) === (condition ?? ''))
  const types = (some: readonly LowCall[]) =>
    few(
      some.map(({args}) => short(args[1] ?? '')).filter((one) => isPlain.test(one)),
      2,
    )
  const [name] = few(
    into.map(({args}) => args[0] ?? ''),
    1,
  )
  const isFloat = types(into).includes('DT_FLOAT')
  const lower = isFloat ? types(into).filter((one) => one !== 'DT_FLOAT') : []
  const values = {
    ...{types: types(into).filter((one) => !lower.includes(one)), back: [...new Set([...types(back), ...lower])]},
    ...{names: argumentNames(into, 0), condition: condition ?? ''},
  }
  const because = [...into, ...back].slice(0, 3).map(({statement}) => fact(statement.text))
  const say = (situation: string) => [decided('api-memory', situation, name ?? '', values, because)]
  if (values.types.length === 0) return values.back.length > 0 ? say('cast-back') : []
  const isSame = values.back.every((one) => values.types.includes(one))
  const isCase = condition !== undefined && condition !== ''
  if (isFloat && values.back.length > 0) return say(isCase ? 'cast-float-case' : 'cast-float')
  if (isCase) return say('cast-case')
  return say(back.length > 0 && !isSame ? 'cast-both' : 'cast-in')
}

/** The case in which a call is planned, '' for every one; undefined where it is too long to be named. */
function caseOf({statement: {branches}}: LowCall): string | undefined {
  const texts = branches.map(({condition, arm}) => (arm === 'else' ? negated(condition) : condition))
  const text = texts.join(' && ')
  return text.length > longestCase || branches.some(({arm}) => typeof arm === 'object') ? undefined : text
}

const longestCase = 80

/** Those that are planned in every case, or else those of the case that has most. */
function alike(calls: readonly LowCall[]): LowCall[] {
  const cases = [...new Set(calls.map(caseOf))].filter((one) => one !== undefined)
  const groups = cases.map((one) => calls.filter((call) => caseOf(call) === one))
  const always = groups[cases.indexOf('')]
  return always ?? groups.sort((one, other) => other.length - one.length)[0] ?? []
}

const isPlain = /^(?:DT_)?\w+(?:->GetDataType\(\))?$/
const short = (text: string) => text.replace(/^(?:\w+::)*(DT_\w+)$/, '$1')
