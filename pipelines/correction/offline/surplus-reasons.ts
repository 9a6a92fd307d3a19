import type {CodeStatement as Statement, Edit} from '../../../datasets/schema/edit-facts.ts'
import {type Bracketed, callsOf} from '../../facts/bracketed.ts'
import {isMissing} from './name-reasons.ts'
import {failedStatements, kindOf, type Kind, type Reason, reasons, type Scene, statementsOfFile} from './reason.ts'

const because = reasons('surplus-reasons')

type Removed = Extract<Edit, {kind: 'removed'}>

/** Statements that the right code does not have. */
export function surplusReason({path, statements}: Removed, scene: Scene): Reason | undefined {
  const [first] = statements as [Statement, ...Statement[]]
  const all = failedStatements(path, scene)
  const elsewhere = scene.failed.filter((file) => file.path !== path).flatMap(statementsOfFile)
  const call = callsOf(first).find(({name}) => !/^(?:for|if|while)$/.test(name))
  const loop = statements.length > 1 && /^for /.test(first.text) && statements.at(-1)?.text === '}'
  const inner = loop ? callsOf(statements[1]!)[0] : undefined
  if (loop && statements.length === 3 && inner) return leftover(inner, statements[1]!, [...all, ...elsewhere], scene)
  if (statements.length > 1) return undefined
  const pipe = /^TPipe (\w+);$/.exec(first.text)?.[1]
  if (pipe !== undefined) return because('pipe', {name: pipe})
  return call ? (twice(first, call, all) ?? surplusCall(first, call, {all, elsewhere}, scene)) : undefined
}

function twice(one: Statement, {name, args, receiver}: Bracketed, all: readonly Statement[]): Reason | undefined {
  const before = all.filter((each) => each.key === one.key && apart(each, one) <= 1)
  const isFlag = /^(?:Wait|Set)Flag$/.test(name)
  if (before.length < 2 || !(isFlag || (receiver !== '' && /^(?:FreeTensor|EnQue)$/.test(name)))) return undefined
  const values = {name, tensor: isFlag ? 'none' : (args[0] ?? 'none'), queue: receiver}
  return because('twice', values, {why: because.says(`twice-${name}`, values)})
}

function surplusCall(
  one: Statement,
  call: Bracketed,
  {all, elsewhere}: {all: readonly Statement[]; elsewhere: readonly Statement[]},
  scene: Scene,
): Reason | undefined {
  const {name, args, templates} = call
  const {text} = one
  const event = `${templates}|${args.join()}`
  if (/^(?:Set|Wait)Flag$/.test(name)) {
    const partner = name === 'SetFlag' ? 'WaitFlag' : 'SetFlag'
    const has = [...all, ...elsewhere].some((each) =>
      callsOf(each).some((other) => other.name === partner && `${other.templates}|${other.args.join()}` === event),
    )
    if (has) return undefined
    const why = because.says(name === 'WaitFlag' ? 'lone-wait-why' : 'lone-set-why', {queues: orders(scene)})
    return because('lone-flag', {text, partner}, {why})
  }
  const atomic = /^SetAtomic(\w+)$/.exec(name)?.[1]
  if (atomic !== undefined && atomic !== 'None') {
    // Which of several is one too many is not in the code.
    const combines = scene.right.some((file) => /\bSetAtomic/.test(file.text))
    return combines ? undefined : because('atomic', {text, how: atomic.toLowerCase(), on: templates || 'none'})
  }
  if (/^CrossCore(?:Set|Wait)Flag$/.test(name)) return leftover(call, one, [...all, ...elsewhere], scene)
  return surplusTensor(one, call, all) ?? noMember(one, call, scene) ?? looseCopy(one, call, all, scene)
}

/** Queues order the pipes only if the kernel has queues and no flags. */
function orders({right}: Scene): string {
  const text = right.map((file) => file.text).join('\n')
  return /\bDeQue\b/.test(text) && !/\b(?:Set|Wait)Flag\b/.test(text) ? 'yes' : 'no'
}

function leftover({name}: Bracketed, {text}: Statement, all: readonly Statement[], scene: Scene): Reason | undefined {
  if (!/^CrossCore(?:Set|Wait)Flag$/.test(name)) return undefined
  const meet = scene.right.some((file) => /\b(?:SyncAll|CrossCoreWaitFlag|IBWait)\b/.test(file.text)) ? 'yes' : 'no'
  const partner = name === 'CrossCoreSetFlag' ? 'CrossCoreWaitFlag' : 'CrossCoreSetFlag'
  if (all.some((one) => one.text.startsWith(partner))) return undefined
  const why = because.says(name === 'CrossCoreWaitFlag' ? 'core-wait-why' : 'core-set-why', {meet})
  return because('lone-core-flag', {text, partner}, {why})
}

/** A buffer that is taken, or given back, once too often. */
function surplusTensor(one: Statement, {name, receiver: queue, args}: Bracketed, all: readonly Statement[]) {
  const target = /(\w+) = /.exec(one.text)?.[1]
  const others = all.filter(({key}) => key !== one.key)
  const uses = (tensor: string) => others.filter(({text}) => new RegExp(`\\b${tensor}\\b`).test(text))
  if (name === 'AllocTensor' && target !== undefined)
    return uses(target).length > 0 ? undefined : because('alloc', {tensor: target, queue})
  if (name === 'DeQue' && target !== undefined) {
    const isTaken = ({text, line}: Statement) =>
      line <= one.line && /DeQue/.test(text) && text.includes(`${target} = ${queue}.`)
    return others.some(isTaken) ? because('deque', {tensor: target, queue}) : undefined
  }
  const [tensor] = args
  if (name !== 'FreeTensor' || tensor === undefined) return undefined
  const put = all.find(
    ({line, text}) => one.line - line >= 0 && one.line - line <= 1 && text.startsWith(`${queue}.EnQue`),
  )
  if (put?.text.includes(`(${tensor})`)) return because('free-in-queue', {tensor, queue})
  const use = uses(tensor).find(({line}) => line > one.line)
  const again = all.find(({line, key}) => key === one.key && line > one.line)
  return use && again && because('free-early', {tensor, queue, use: use.line, again: again.line})
}

const typeNames: Partial<Record<Kind, string>> = {local: 'LocalTensor', buffer: 'TBuf', queue: 'TQue'}

/** `tensor.GetShape();`, as the compiler says, has no such member. */
function noMember(one: Statement, {name, receiver}: Bracketed, {errors, right}: Scene): Reason | undefined {
  if (!isMissing(name, {errors}) || !/^[\w>.-]+\.\w+\(\);$/.test(one.text)) return undefined
  const kind = kindOf(receiver, {right})
  const type = kind === undefined ? undefined : typeNames[kind]
  if (type === undefined) return undefined
  const why = ['no-member-why', `member-${name}`].map((each) => because.says(each, {}))
  return because('no-member', {receiver, type, name}, {why})
}

/** Lines between two statements. */
const apart = (one: Statement, other: Statement) => Math.abs(one.line - other.line)

const copiesOf = (one: Statement) => callsOf(one).filter(({name}) => /^DataCopy/.test(name))

/** From the same tensor to another place of the same one. */
function isSameCopy({args}: Bracketed, to: string, from: string): boolean {
  const base = (text: string) => text.replace(/\[.*$/, '')
  return args[1] === from && args[0] !== to && base(args[0] ?? '') === base(to)
}

/** A copy outside the queues. */
function looseCopy(one: Statement, {name, args}: Bracketed, all: readonly Statement[], scene: Scene) {
  const [to = '', from = ''] = args
  const {text} = one
  if (name !== 'DataCopy') return undefined
  const isOut = kindOf(to, scene) === 'global'
  const tensor = isOut ? from : to
  if (kindOf(tensor, scene) !== 'local') return undefined
  const goal = /^(?:this->)?\w+/.exec(to)?.[0] ?? to
  const isGoal = (each: Statement) => copiesOf(each).some((call) => call.args[0]?.startsWith(goal))
  if (!isOut) return because('beside', {text, to})
  if (!all.some((each) => each.key !== one.key && isGoal(each))) return because('into-input', {text, from, goal})
  const [again] = all
    .filter((each) => copiesOf(each).some((call) => isSameCopy(call, to, from)))
    .sort((a, b) => apart(a, one) - apart(b, one))
  if (again) return because('again', {text, from, goal, line: again.line})
  const isHandedOn = all.some((each) => each.text.includes(`EnQue(${tensor})`) || each.text.includes(`>(${tensor})`))
  return isHandedOn ? because('while-computing', {text, tensor}) : undefined
}
