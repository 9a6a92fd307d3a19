import {readExpression, type Expression} from '../../../cpp/evaluator.ts'
import type {Branch, Statement} from '../../../cpp/syntax.ts'
import type {Decision} from '../../../datasets/schema/decision.ts'
import {decided, fact, few, rule, type HostView} from './host-view.ts'
import {written} from './size-forms.ts'

/** What the tiling key distinguishes, where it has more than one value. */
export function keyDecision(view: HostView): Decision[] {
  const {keys} = view.facts.launch
  if (keys.length === 0) return []
  const because: Decision['because'] = [...keys.slice(0, 4).map(keyFact), rule('SetTilingKey', 'one-binary-a-key')]
  const summed = keys.filter(({operator, kind}) => kind === 'value' && operator === '+=')
  const parts = few(
    summed.map(({text}) => bare(text)),
    6,
  )
  // The arms of one `if` exclude each other; sums are in several.
  if (parts.length >= 3 && new Set(summed.map(({branches}) => branches[0]?.line)).size > 1) {
    const conditions = few(
      summed.flatMap(({branches}) => asked(branches)),
      5,
    )
    return [decided('host-key', 'sum', 'SetTilingKey', {parts, conditions}, because)]
  }
  // A number that something is added to is not a key yet.
  if (summed.length > 0) return []
  const targets = new Set(keys.map(({target}) => target))
  const branched = keys.filter((one) => one.branches.length > 0 && !targets.has(keyText(one)))
  if (new Set(branched.map(keyText)).size >= 2) return [branchedKey(branched, because)]
  return keys.flatMap((one) => oneKey(view, one, because)).slice(0, 1)
}

const keyFact = ({text}: Statement) => fact(text)

function keyText({kind, call, text}: Statement): string {
  return bare(kind === 'call' ? (call?.args[0] ?? text) : text)
}

const bare = (text: string) => written(readExpression(text))

function branchedKey(branched: readonly Statement[], because: Decision['because']): Decision {
  const keys = few(
    branched.map(keyText).filter((one) => one !== '?'),
    5,
  )
  const conditions = few(
    branched.flatMap(({branches}) => asked(branches)),
    5,
  )
  const isByType = conditions.length > 0 && conditions.every((one) => /\bDT_|[dD](?:ata)?[tT]ype/.test(one))
  const isOfTypes = conditions.some((one) => /\bDT_|[dD](?:ata)?[tT]ype/.test(one))
  const values = {keys, conditions, count: new Set(branched.map(keyText)).size}
  const mixed = isOfTypes ? 'types-and-cases' : 'cases'
  return decided('host-key', isByType ? 'types' : mixed, 'SetTilingKey', values, because)
}

/** Conditions that decide; of a `switch`, what it looks at with the value. */
function asked(branches: readonly Branch[]): string[] {
  return branches
    .slice(-1)
    .map(({condition, arm}) => (typeof arm === 'string' ? condition : `${condition} == ${arm.case}`))
}

function oneKey(view: HostView, statement: Statement, because: Decision['because']): Decision[] {
  const text = keyText(statement)
  const expression = readExpression(text)
  const getter = expression.kind === 'call' && expression.parts.length < 2 ? returnedKeys(view, expression.text) : []
  if (getter.length >= 2) return [branchedKey(getter, because)]
  if (text.length > 110) return []
  if (expression.text === '?' && expression.parts[0]) {
    const [condition, yes, no] = expression.parts.map((one) => written(one))
    const values = {condition: condition ?? '', yes: yes ?? '', no: no ?? ''}
    return [decided('host-key', 'choice', 'SetTilingKey', values, because)]
  }
  const axes = argumentsOf(expression)
  if (axes.length >= 2) return [decided('host-key', 'axes', 'SetTilingKey', {axes, call: expression.text}, because)]
  return view.number(text) !== undefined && view.facts.launch.keys.length === 1
    ? [decided('host-key', 'one', 'SetTilingKey', {key: text}, because)]
    : []
}

function returnedKeys({facts: {flows}}: HostView, name: string): Statement[] {
  const own = flows.filter((one) => one.name === name).flatMap(({statements}) => statements)
  return own.filter(({kind, text, branches}) => kind === 'return' && branches.length > 0 && !/^0\w*$/.test(text))
}

/** Names that a key is composed of. */
function argumentsOf({kind, parts}: Expression): string[] {
  return kind === 'call'
    ? few(
        parts
          .filter(({kind: own, text: name}) => own === 'name' && !/^(?:true|false)$/.test(name))
          .map((one) => written(one)),
        8,
      )
    : []
}
