import {type Check, checkOf, isSilent} from '../../facts/checks.ts'
import type {FunctionFlow, Statement} from '../../../cpp/syntax.ts'
import {branchText, isSamePlace} from './branch-text.ts'
import {isReadable} from './purpose-sentence.ts'
import {code, codeList, some, type Voice} from '../../../datasets/voice.ts'

interface FlowOptions {
  /** Statements that are told; the rest only by number. */
  most?: number
  isApi?: boolean
  /** Which statements are told at all. */
  keep?: (statement: Statement) => boolean
}

/** ``In `F`: …`` with its statements in order, those of a branch or a loop told as such; '' when none is left. */
export function flowSentence(flow: FunctionFlow, voice: Voice, options: FlowOptions = {}): string {
  const {most = 14, isApi = false, keep = () => true} = options
  if (hasDeadCode(flow)) return ''
  const told = merge(
    flow.statements.filter((one) => !isSilent(one) && keep(one)),
    isApi,
  )
  if (told.length === 0) return ''
  const {shown, more} = some(told, most)
  const rest = more > 0 ? restText(told.slice(most), voice) : ''
  // A specialisation's arguments fill a line; the class is known by its name.
  const owner = flow.owner.replace(/<[^]*$/, '').trim()
  const name = code(owner === '' ? flow.name : `${owner}::${flow.name}`)
  const text = `${chain(shown, voice)}${rest}`
  return voice.say(`In ${name}: ${text}.`, `${name} 中:${text}。`)
}

/** Statements after a return in any case: the condition was hidden by a macro, so the order told would be false. */
function hasDeadCode({statements}: FunctionFlow): boolean {
  const end = statements.findIndex(
    ({kind, branches, loops}) => kind === 'return' && branches.length === 0 && loops.length === 0,
  )
  return end >= 0 && end < statements.length - 1
}

/** A statement, or null checks that follow each other. */
interface Told {
  statement: Statement
  check: Check | undefined
}

function merge(statements: readonly Statement[], isApi: boolean): Told[] {
  const told: Told[] = []
  for (const statement of statements) {
    const check = checkOf(statement, {isApi})
    const last = told.at(-1)
    const joins = check?.kind === 'not-null' && last?.check?.kind === 'not-null' && last.check.result === check.result
    if (last?.check && check && joins && isSame(last.statement, statement)) last.check.subjects.push(...check.subjects)
    else if (!last || written(last.statement) !== written(statement) || !isSame(last.statement, statement))
      told.push({statement, check})
  }
  return told
}

function isSame(a: Statement, b: Statement): boolean {
  return isSamePlace(a.branches, b.branches) && a.loops.join() === b.loops.join()
}

function chain(told: readonly Told[], voice: Voice): string {
  let place = ''
  return told
    .map((one, index) => {
      const here = placeText(one.statement, voice)
      const text = toldText(one, voice)
      const isSameAsBefore = here === place
      place = here
      if (isSameAsBefore) return `${index === 0 ? '' : voice.say(', then ', ',随后 ')}${text}`
      const opening = here === '' ? voice.say('after that', '之后') : here
      return `${index === 0 ? '' : voice.say('; ', ';')}${opening}${voice.say(': ', ':')}${text}`
    })
    .join('')
}

/** Loops and conditions from the outside in: a condition before a loop is asked once, one in it every time. */
function placeText({branches, loops, depths}: Statement, voice: Voice): string {
  const short = branches.map((one) => ({...one, condition: shortened(one.condition)}))
  const cuts = [...new Set([0, ...depths, branches.length])]
  const parts = cuts.flatMap((depth, index) => {
    const conditions = branchText(short.slice(cuts[index - 1] ?? 0, depth), voice)
    const list = codeList(
      loops.filter((_, loop) => depths[loop] === depth).map((one) => shortened(one)),
      voice,
    )
    return [conditions, list === '' ? '' : voice.say(`in ${list}`, `在 ${list} 循环内`)]
  })
  return parts.filter((one) => one !== '').join(voice.say(', ', ','))
}

function toldText({statement, check}: Told, voice: Voice): string {
  const text = check ? checkText(check, voice) : statementText(statement, voice)
  const why = statement.comment.replace(/[.。]$/, '')
  // What a macro asks for is told in words already; the number of a step counts in another list.
  const isSaid = (check && !/^(?:holds|fails)$/.test(check.kind)) || /(?:^|\s)\d+[.、]\s/.test(why)
  const isWorthSaying =
    !isSaid &&
    !bufferCount.test(why) &&
    why.length >= 6 &&
    why.length <= 70 &&
    !/[;{}`]|^\d/.test(why) &&
    isReadable(why, voice)
  return isWorthSaying ? voice.say(`${text} (${why})`, `${text}(${why})`) : text
}

/** How many buffers there are is told by constants, which comments outlive. */
const bufferCount = /(?:double|single|ping.?pong|ub).?buffer|双缓冲|(?:单|两|双)(?:个|块)?\s?buffer/i

function statementText(statement: Statement, voice: Voice): string {
  const text = written(statement)
  if (statement.kind !== 'return') return code(text)
  if (text === '') return voice.say('it returns', '返回')
  return voice.say(`it returns ${code(text)}`, `返回 ${code(text)}`)
}

const longest = 150

/** The statement as it stands; a long call keeps its first arguments, any other long text its begin. */
function written({kind, target, operator, text, call}: Statement): string {
  const before = kind === 'value' ? `${target} ${operator} ` : ''
  if (before.length + text.length <= longest) return `${before}${text}`
  if (call) {
    const receiver = text.slice(0, text.indexOf(call.name))
    if (receiver.length <= 60) return `${before}${receiver}${call.name}(${[...leading(call.args), '…'].join(', ')})`
  }
  return `${before}${shortened(text)}`
}

/** The first arguments, as far as there is room. */
function leading(args: readonly string[]): string[] {
  const long = args.findIndex((_, index) => args.slice(0, index + 1).join(', ').length > 60)
  return args.slice(0, long < 0 ? args.length - 1 : long)
}

/** Cut between two words, so that no half of a name is left. */
export function shortened(text: string, most: number = longest): string {
  if (text.length <= most) return text
  return `${text.slice(0, most).replace(/\w+$/, '').trimEnd()} …`
}

/** What a check asks for, and what it gives back otherwise. */
export function checkText({kind, subjects, result}: Check, voice: Voice): string {
  const [first = '', second = '', third = ''] = subjects.map((one) => code(shortened(one)))
  const given = code(shortened(result))
  if (kind === 'holds') {
    if (result === '') return voice.say(`unless ${first} holds, it stops`, `若 ${first} 不成立则退出`)
    if (result === 'return') return voice.say(`unless ${first} holds, it returns`, `若 ${first} 不成立则返回`)
    return voice.say(`unless ${first} holds, it returns ${given}`, `若 ${first} 不成立则返回 ${given}`)
  }
  if (kind === 'fails') {
    if (result === '') return voice.say(`where ${first} holds, it stops`, `若 ${first} 成立则退出`)
    if (result === 'return') return voice.say(`where ${first} holds, it returns`, `若 ${first} 成立则返回`)
    return voice.say(`where ${first} holds, it returns ${given}`, `若 ${first} 成立则返回 ${given}`)
  }
  const list = codeList(
    subjects.map((one) => shortened(one)),
    voice,
  )
  const demands: Readonly<Record<typeof kind, () => string>> = {
    'not-null': () => voice.say(`${list} must not be null`, `${list} 不能为空指针`),
    'dtype-in': () =>
      voice.say(`the type of ${first} must be one of ${second}`, `${first} 的数据类型须在 ${second} 中`),
    'dtype-is': () => voice.say(`the type of ${first} must be ${second}`, `${first} 的数据类型须为 ${second}`),
    'dtype-same': () =>
      voice.say(`${first} and ${second} must have one type`, `${first} 与 ${second} 的数据类型须相同`),
    'dtype-converts': () =>
      voice.say(`the type ${first} must convert to ${second}`, `类型 ${first} 须能转换为 ${second}`),
    'shape-same': () =>
      voice.say(`${first} and ${second} must have one shape`, `${first} 与 ${second} 的 shape 须相同`),
    'shape-is': () => voice.say(`the shape of ${first} must be ${second}`, `${first} 的 shape 须为 ${second}`),
    'dims-at-most': () =>
      voice.say(`${first} may have at most ${second} dimensions`, `${first} 的维数不超过 ${second}`),
    'dims-at-least': () =>
      voice.say(`${first} must have at least ${second} dimensions`, `${first} 的维数不少于 ${second}`),
    'dims-exactly': () => voice.say(`${first} must have ${second} dimensions`, `${first} 的维数须为 ${second}`),
    broadcast: () => voice.say(`${first} and ${second} must broadcast`, `${first} 与 ${second} 须能广播`),
    'broadcast-to': () =>
      voice.say(
        `${first} and ${second} must broadcast, which gives ${third}`,
        `${first} 与 ${second} 须能广播,结果 shape 记入 ${third}`,
      ),
  }
  return demands[kind]()
}

/** What is not told step by step: the names that get a value and that are called there, and how much is checked. */
function restText(rest: readonly Told[], voice: Voice): string {
  const plain = rest.flatMap(({statement, check}) => (check ? [] : statement))
  const targets = plain.flatMap(({kind, target}) => (kind === 'value' && target.length <= 40 ? target : []))
  const called = plain.flatMap(({kind, call}) => (kind === 'call' && call ? call.name : []))
  const checks = rest.filter(({statement, check}) => check !== undefined || refuses(statement)).length
  const [values, calls] = [targets, called].map((names) => listOf(names, voice))
  const parts = [
    values === '' ? '' : voice.say(`gives ${values} a value`, `为 ${values} 赋值`),
    calls === '' ? '' : voice.say(`calls ${calls}`, `调用 ${calls}`),
    checks === 0 ? '' : voice.say(`makes ${checks} more ${checks > 1 ? 'checks' : 'check'}`, `另有 ${checks} 项检查`),
  ].filter((one) => one !== '')
  if (parts.length === 0) return ''
  return voice.say(`; further on it ${voice.list(parts)}`, `;其后${parts.join(',')}`)
}

function listOf(names: readonly string[], voice: Voice): string {
  const {shown, more} = some([...new Set(names)], 8)
  return `${codeList(shown, voice)}${more > 0 ? voice.say(` and ${more} more`, ` 等`) : ''}`
}

/** A failure that is given back under a condition. */
function refuses({kind, text, branches}: Statement): boolean {
  return kind === 'return' && branches.length > 0 && /^false$|_ERR_|_FAILED$/.test(text)
}
