import type {ApiFacts, ApiStep, DtypeList} from '../../datasets/schema/code-facts.ts'
import {withoutComments} from '../../cpp/code-pieces.ts'
import type {OperatorSource} from '../../datasets/schema/operator.ts'
import {checkOf, type Check} from './checks.ts'
import {squeeze} from '../../cpp/nodes.ts'
import {syntaxOf} from '../../cpp/read-syntax.ts'
import {scopeOf} from '../../cpp/scope.ts'
import type {FunctionFlow, Statement} from '../../cpp/syntax.ts'
import {functionFlows} from '../../cpp/statements.ts'

/** Facts of a file of an operator's C interface. */
export async function apiFacts(source: OperatorSource): Promise<ApiFacts> {
  const text = withoutComments(source.target.text)
  const flows = await functionFlows(source.target.text)
  const functions = flows.filter(({isDeclared}) => !isDeclared)
  const own = await syntaxOf(source.target.text)
  const statements = functions.flatMap((one) => one.statements)
  const defined = new Set(functions.map(({name}) => name))
  return {
    functions,
    prototypes: flows.filter(
      ({isDeclared, name, parameters}) => isDeclared && parameters.length > 0 && !/^[A-Z_\d]+$/.test(name),
    ),
    computations: computationsIn(text),
    lists: dtypeLists(text, functions),
    steps: plansOf({functions}).map((plan) => [plan.name, planSteps(plan, defined)]),
    statuses: statusesOf(statements),
    registered: [...text.matchAll(/\bOP_TYPE_REGISTER\s*\(\s*(\w+)\s*\)/g)].map(([, name]) => name!),
    launches: functions.flatMap(launchesOf),
    constants: [...scopeOf(own.declarations, own.classes, source.dtypes).constants],
  }
}

/** Functions that plan a call (`aclnn…GetWorkspaceSize`). */
export function plansOf({functions}: Pick<ApiFacts, 'functions'>): FunctionFlow[] {
  return functions.filter(({name}) => /^aclnn\w*GetWorkspaceSize$/.test(name))
}

/** Functions that run a planned call. */
export function runsOf({functions}: Pick<ApiFacts, 'functions'>): FunctionFlow[] {
  return functions.filter(
    ({name, parameters}) => /^aclnn/.test(name) && parameters.some(({type}) => /aclrtStream/.test(type)),
  )
}

const service = /^(?:Contiguous|Cast|ViewCopy|Reshape|Squeeze\w*|Unsqueeze\w*|ReFormat|TransData\w*)$/

function computationsIn(text: string): string[] {
  const names = [...text.matchAll(/\bl0op::(\w+)\s*\(/g)].map(([, name]) => name!)
  return [...new Set(names)].filter((name) => !service.test(name))
}

const list = /\b(?:initializer_list|vector|array)\s*<\s*(?:op::|ge::)?DataType\b[^>]*>\s*(\w+)\s*(?:=\s*)?\{([^{}]*)\}/g

function dtypeLists(text: string, functions: readonly FunctionFlow[]): DtypeList[] {
  return [...text.matchAll(list)].map(([, name, entries]) => ({
    name: name!,
    dtypes: entries!.match(/\bDT_\w+/g) ?? [],
    users: functions.filter((one) => mentions(one, name!)).map((one) => one.name),
  }))
}

function mentions({statements}: FunctionFlow, name: string): boolean {
  const word = new RegExp(`\\b${name}\\b`)
  return statements.some(({text, branches}) => word.test(text) || branches.some(({condition}) => word.test(condition)))
}

function planSteps({statements}: FunctionFlow, defined: ReadonlySet<string>): ApiStep[] {
  return statements.flatMap((statement) => {
    const kind = stepKind(statement) ?? ownStep(statement, defined)
    const text = stepText(statement)
    return kind === undefined
      ? []
      : [{kind, text: squeeze(text), statement, ends: kind === 'empty' && returnsIn(statements, statement)}]
  })
}

function returnsIn(statements: readonly Statement[], {branches}: Statement): boolean {
  const place = JSON.stringify(branches)
  return statements.some((one) => one.kind === 'return' && JSON.stringify(one.branches) === place)
}

function stepKind(statement: Statement): ApiStep['kind'] | undefined {
  const {target, text, call, branches, kind} = statement
  if (/\bCREATE_EXECUTOR\s*\(/.test(text)) return 'executor'
  if (/^\*\s*\w*[wW]orkspaceSize$/.test(target)) {
    if (branches.length > 0) return 'empty'
    return text === '0' ? undefined : 'workspace'
  }
  if (call?.name === 'ReleaseTo') return branches.length > 0 ? undefined : 'release'
  const operation = /\bl0op::(\w+)\s*\(/.exec(text)?.[1]
  if (operation === 'Contiguous') return 'contiguous'
  if (operation === 'Cast') return 'cast'
  if (operation === 'ViewCopy') return 'view-copy'
  if (operation !== undefined) return service.test(operation) ? 'shape' : 'compute'
  if (/\bPromoteType\s*\(/.test(text) && kind === 'value') return 'type'
  if (call?.name === 'ConvertToTensor') return 'tensor'
  if (kind === 'return' && branches.length > 0 && /^ACLNN_ERR_PARAM_\w+$/.test(text)) return 'refusal'
  return kind === 'value' && /^Check\w*$/.test(call?.name ?? '') ? 'check' : undefined
}

function stepText({target, operator, text, call}: Statement): string {
  const condition = asked(call)
  if (condition !== undefined) return condition
  return target === '' ? text : `${target} ${operator} ${text}`
}

/** Calls of functions of the same file: those that get the executor work on it, bare ones in a check decide. */
function ownStep({kind, call, text}: Statement, defined: ReadonlySet<string>): ApiStep['kind'] | undefined {
  const [, name = '', inside = '', rest = ''] = /^(?:\w+::)*(\w+)\((.*)\)(.*)$/.exec(asked(call) ?? text) ?? []
  if (!defined.has(name) || kind === 'return') return undefined
  if (/\b\w*[eE]xecutor(?:\.get\(\))?(?:,|$)/.test(inside)) return 'part'
  return asked(call) !== undefined && rest === '' ? 'check' : undefined
}

/** The condition of a check, which may be a call itself. */
function asked(call: Statement['call']): string | undefined {
  return call?.name === 'CHECK_RET' ? call.args[0] : undefined
}

function statusesOf(statements: readonly Statement[]): ApiFacts['statuses'] {
  const statuses = new Map<string, string>()
  for (const one of statements) {
    const check = checkOf(one, {isApi: true})
    const name = /^(?:\w+::)*(\w+)\s*\(/.exec(check?.kind === 'holds' ? (check.subjects[0] ?? '') : '')?.[1]
    if (name !== undefined && check && /^ACLNN_\w+$/.test(check.result) && !statuses.has(name))
      statuses.set(name, check.result)
  }
  return [...statuses]
}

function launchesOf({name: method, statements}: FunctionFlow): ApiFacts['launches'] {
  return statements.flatMap(({text}) => {
    const found = /\bADD_TO_LAUNCHER_LIST_(AICORE|AICPU)\s*\([^]*$/.exec(text)
    return found
      ? [{method, unit: found[1] === 'AICORE' ? ('AI Core' as const) : ('AI CPU' as const), text: found[0]}]
      : []
  })
}

/** The checks of a function, apart from those of results. */
export function checksOf({statements}: FunctionFlow): Check[] {
  return statements.flatMap((one) => {
    const check = one.branches.length === 0 && one.loops.length === 0 ? checkOf(one, {isApi: true}) : undefined
    return check ? [check] : []
  })
}
