import type {CodeStatement as Statement, Edit} from '../../../datasets/schema/edit-facts.ts'
import {type Bracketed, callsOf} from '../../facts/bracketed.ts'
import {isOperation, operation} from './operations.ts'
import {declarationOf, failedStatements, kindOf, type Reason, reasons, type Scene} from './reason.ts'
import {escaped} from './text-relations.ts'

const because = reasons('missing-reasons')

type Added = Extract<Edit, {kind: 'added'}>

/** Statements that the failed code lacks. */
export function missingReason({path, line, statements}: Added, scene: Scene): Reason | undefined {
  const [first, ...others] = statements as [Statement, ...Statement[]]
  if (others.length > 0)
    return missingFunction(path, statements, scene) ?? missingSteps({path, line, statements}, scene)
  const call = callsOf(first)[0]
  return (
    missingDeclaration({path, line}, first, scene) ??
    (call
      ? (missingCall(call) ?? missingSynchronisation(call, first) ?? missingResult({path, line}, call, scene))
      : undefined)
  )
}

/** Several statements, each with its own reason. */
function missingSteps({statements, ...edit}: Omit<Added, 'kind'>, scene: Scene): Reason | undefined {
  const all = statements.map((one) => missingReason({...edit, kind: 'added', statements: [one]}, scene))
  const known = all.filter((one) => one !== undefined)
  if (known.length < all.length || known.length > mostSteps) return undefined
  const whys = new Map(known.flatMap(({why}) => why).map((one) => [JSON.stringify(one), one]))
  return {
    fault: known.flatMap(({fault}) => fault),
    why: [...whys.values()],
    fromCode: known.every(({fromCode}) => fromCode),
  }
}

const mostSteps = 3

function missingFunction(path: string, statements: readonly Statement[], scene: Scene): Reason | undefined {
  const head = statements[0]!.text
  const name = /(\w+)\([^()]*\)[\w\s]*\{$/.exec(head)?.[1]
  if (name === undefined || statements.at(-1)?.text !== '}') return undefined
  const calls = new RegExp(`\\b${name}(?:<[^;]*>)?\\(`)
  // A member is declared in its class; that is not a use of it.
  const declares = new RegExp(`(?:^|\\s)(?!return\\b)[\\w:<>]+[&*]*\\s+${name}\\([^;]*\\)[^=]*;$`)
  const shown = failedStatements(path, scene)
  const use = shown.find(({text}) => calls.test(text) && !declares.test(text))
  const fromCode = membersOfPassed(statements).every((one) => shown.some(({text}) => hasName(text, one)))
  return use && because('function', {name, head: head.replace(/ \{$/, '')}, {fromCode})
}

/** What a function reads of the structures that it is passed: fields of the tiling, which its file may not show. */
function membersOfPassed([head, ...body]: readonly Statement[]): string[] {
  const passed = [...head!.text.matchAll(/(\w+)(?=[,)])/g)].map(([name]) => name)
  const members = body.flatMap(({text}) => [...text.matchAll(/(?<![\w.>])(\w+)(?:\.|->)(\w+)\b(?![(<])/g)])
  return members.flatMap(([, of = '', name = '']) => (passed.includes(of) ? [name] : []))
}

const hasName = (text: string, name: string) => new RegExp(`\\b${name}\\b`).test(text)

type Place = Pick<Added, 'path' | 'line'>

function missingDeclaration({path, line}: Place, {text}: Statement, scene: Scene): Reason | undefined {
  if (text === 'using namespace AscendC;') return because('namespace', {text})
  const file = /^#include (.+)$/.exec(text)?.[1]
  if (file !== undefined) return because('include', {file})
  const name = /^(?:(?:const|constexpr|static)\s)*[\w:]+(?:<.*>)?[\s&*]+(\w+)(?:\{[^;]*\}| = [^;]*)?;$/.exec(text)?.[1]
  if (name === undefined || /^(?:return|using|delete)\b/.test(text)) return undefined
  const declares = new RegExp(`^[\\w:<>,\\s*&]+[\\s*&]${name}(?:;| = |\\{)`)
  const all = failedStatements(path, scene).filter(
    (one) => new RegExp(`(?<![\\w.>])${name}\\b|this->${name}\\b`).test(one.text) && !declares.test(one.text),
  )
  const [use, ...others] = usesOf(all, {path, line, name}, scene)
  if (!use) return undefined
  // Other functions and structures may well have one of the name.
  const elsewhere = declarationOf(name, scene.failed) === undefined ? 'no' : 'yes'
  return because('declaration', {name, text, line: use.line, more: others.length > 0 ? 'yes' : 'no', elsewhere})
}

/** From the first that the compiler complains of on; else those behind the place, or all. */
function usesOf(all: readonly Statement[], {path, line, name}: Place & {name: string}, {log}: Scene): Statement[] {
  const told = new RegExp(`(?:^|\\n)${escaped(path)}:(\\d+):\\d+: error: [^\\n]*'${name}'`)
  const first = told.exec(log)?.[1]
  const from = all.filter((one) => one.lastLine >= (first === undefined ? line : Number(first)))
  return from.length > 0 ? from : [...all]
}

/** A step of the host, of a queue or of what sets the kernel up. */
function missingCall({name, receiver, args: [first = '']}: Bracketed): Reason | undefined {
  const field = /^set_(\w+)$/.exec(name)?.[1]
  if (field !== undefined) return because('set-field', {field, owner: receiver, value: first})
  switch (name) {
    case 'SaveToBuffer':
      return because('save', {})
    case 'SetBlockDim':
      return because('block-dim', {cores: first})
    case 'FreeTensor':
      return because('free', {tensor: first, queue: receiver}, {why: because.says('free-why', {})})
    case 'EnQue':
      return because('enque', {tensor: first, queue: receiver}, {why: because.says('enque-why', {})})
    case 'InitBuffer':
      return because('init-buffer', {owner: first})
    case 'SetGlobalBuffer':
      return because('global', {tensor: receiver})
    default:
      return name.startsWith('GET_TILING_DATA') ? because('tiling', {name, structure: first}) : undefined
  }
}

function missingSynchronisation({name, templates}: Bracketed, {text}: Statement): Reason | undefined {
  const [pipes = 'none', from = '', to = ''] = /^HardEvent::(\w+?)_(\w+)$/.exec(templates) ?? []
  if (name === 'SetFlag') return because('set-flag', {text, pipes, from, to})
  if (name === 'WaitFlag') return because('wait-flag', {text, pipes, from, to})
  if (name === 'SyncAll') return because('barrier', {text}, {why: because.says('all-cores-why', {})})
  return name === 'PipeBarrier' ? because('barrier', {text}) : undefined
}

/** A computation or a copy whose result is used. */
function missingResult({path, line}: Place, call: Bracketed, scene: Scene): Reason | undefined {
  const {name, args} = call
  const [to = '', from = ''] = args
  const target = /^(?:this->)?\w+/.exec(to)?.[0] ?? to
  const isUsed = new RegExp(`(?<![\\w.>])${target.replace('this->', '(?:this->)?')}\\b`)
  const statements = failedStatements(path, scene)
  const use = statements.find((one) => one.line >= line && isUsed.test(one.text))
  // The place of the step is stated separately.
  const isThere = use?.line === line
  const next = use ? [because.says(isThere ? 'next-there' : 'next', {line: use.line, text: use.text})] : []
  const isCopy = name.startsWith('DataCopy')
  if (isCopy && kindOf(to, scene) === 'local' && use)
    return because('copy-in', {from, to}, {why: [because.says('copy-in-why', {}), ...next]})
  if (isCopy && kindOf(to, scene) === 'global') return because('copy-out', {from, to})
  const does = operation(call)
  if (!does) return undefined
  const writers = statements.filter((one) =>
    callsOf(one).some((other) => isOperation(other.name) && other.args[0] === to),
  )
  const isStep = args.slice(1).includes(to) || writers.some((one) => one.line < line)
  const how = {why: [does, ...next], fromCode: false}
  if (isStep) return because('step', {call: `${name}(${args.join(', ')})`}, how)
  return because('result', {name, to, line: writers.length > 0 && use && !isThere ? use.line : 0}, how)
}
