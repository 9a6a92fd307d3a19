import {withoutCommentsAndLiterals} from '../../../../cpp/code-pieces.ts'
import type {Evidence} from '../../../../datasets/schema/document.ts'
import type {Prototype} from '../../prototype.ts'
import type {ExampleFact, Facts} from '../../section-facts.ts'
import {isLimitedToOthers} from '../../sentence-fate.ts'
import {dtypesIn} from '../../sentences.ts'
import {type Base, hasWord, isToldBy, mentioning, purposeOf} from '../ask-base.ts'
import {argumentsOf, type CallFact, explained} from '../calls.ts'
import {elementBytes} from '../element-bytes.ts'
import {apisIn, isWholeCode} from '../listing.ts'
import {type CalledFact, calledIn} from './called.ts'
import {amountUnit} from './check-ask.ts'
import {trimStop} from '../text.ts'
import {behaviour} from './constraints-ask.ts'

/** A listing of the page, asked for by what sets it apart, and explained argument by argument. */
export interface ExampleAsk {
  kind: 'example'
  api: string
  example: ExampleFact
  call: CallFact | undefined
  /** The interface's one form, where it takes no argument. */
  bare: Prototype | undefined
  /** Arguments with a number, by the parameter's name. */
  settings: {name: string; value: string}[]
  size: SizeFact | undefined
  /** Local variables of the listing with their element type and length. */
  arrays: {name: string; dtype: string; count: number; bytes: number}[]
  apis: string[]
  /** What its comments say is done, in order. */
  steps: string[]
  /** What the interface does, in the page's words, where no argument is explained; else ''. */
  purpose: string
  /** What other pages say that the interfaces beside it do. */
  called: CalledFact[]
  constraints: string[]
  rules: string[]
}

/** What a literal element count comes to, where the example leaves no doubt about the type. */
interface SizeFact {
  count: number
  dtype: string
  bytes: number
  /** Bytes of which the page wants a multiple; undefined where it demands none. */
  unitBytes: number | undefined
}

export function exampleAsks(own: Facts, page: Facts, base: Base, evidence: readonly Evidence[]): ExampleAsk[] {
  return own.examples
    .filter((example) => isWholeCode(example.code) && mentionsApi(example.code, base.api, page))
    .filter(({code}) => !othersOnly(page).some((name) => hasWord(code, name)))
    .filter(hasOwnLead)
    .slice(0, 3)
    .map((example) => exampleAsk(example, page, base.api, evidence))
}

function exampleAsk(example: ExampleFact, page: Facts, api: string, evidence: readonly Evidence[]): ExampleAsk {
  const call = argumentsOf(example.code, page.prototypes, page.parameters)
  const given = call?.arguments ?? []
  const said = [...(page.said.constraints ?? []), ...(page.said.function ?? []).filter(isPrerequisite)]
  const rules = mentioning(
    said,
    given.flatMap(({choice}) => choice?.name ?? []),
  )
  // What each argument is follows the code, with the rules that its own text holds.
  const isTold = (line: string) => {
    const named = explained(call).filter(({name}) => hasWord(line, name))
    return named.length > 0 && named.every(({parameter}) => isToldBy(line, parameter?.meaning ?? []))
  }
  const constraints = said.filter(
    (line) => !rules.includes(line) && bindsCall(line, example.code, call, page) && !isTold(line),
  )
  return {
    kind: 'example',
    // A page's listing may show the form that waits: `asc_exp_sync` of `asc_exp`.
    api: call?.name.startsWith(`${api}_`) ? call.name : api,
    example,
    call,
    bare: page.prototypes.every(({parameters}) => parameters.length === 0) ? page.prototypes[0] : undefined,
    settings: settingsOf(example.code, call),
    size: sizeOf(example, call, amountUnit(page)),
    arrays: arraysIn(example.code).filter(({name}) => given.some((each) => isRead(each) && hasWord(each.value, name))),
    apis: apisIn(example.code),
    called: calledIn(example.code, evidence).filter(({name}) => name !== call?.name),
    steps: stepsIn(example.code),
    purpose: explained(call).length > 0 ? '' : saysMore(purposeOf(page), api),
    constraints,
    rules,
  }
}

/** "X constructor." of the constructor of X says nothing. */
function saysMore(purpose: string, api: string): string {
  return trimStop(purpose) === api ? '' : purpose
}

/** Parameters that only other products have. */
function othersOnly({parameters}: Facts): string[] {
  return parameters.filter(({unread}) => unread.some(isLimitedToOthers)).flatMap(({names}) => names)
}

/** What a page says of the interface, but is to be done beside the call. */
function isPrerequisite(sentence: string): boolean {
  return /配合使用|才(?:可以|能)(?:调用|使用)|(?:需要|必须|应当?)(?:先|提前|预先)|之前(?:需要?|必须)/.test(sentence)
}

/** What the page does not mark as written only. */
function isRead({parameter}: CallFact['arguments'][number]): boolean {
  return parameter?.direction !== 'output'
}

const demand =
  /必须|需|应|不能|[只仅]支持|不支持|不得|要求|不允许|对齐|范围|∈|\b(?:must|needs?|cannot|not supported|range|align)/i

/** A demand on what the call passes: everything that it names is there. */
function bindsCall(rule: string, code: string, call: CallFact | undefined, page: Facts): boolean {
  if (!call || behaviour.test(rule) || !demand.test(rule)) return false
  const own = call.prototype.parameters.map(({name}) => name)
  // "Of forms without count" binds a call that gives none.
  const without = withoutParameter.exec(rule)?.[1]
  if (without !== undefined)
    return !own.includes(without) && bindsCall(rule.replace(withoutParameter, ''), code, call, page)
  const others = page.parameters.flatMap(({names}) => names).filter((name) => !own.includes(name))
  const isKnown = (name: string) => own.includes(name) || hasWord(code, name)
  const named = rule.match(/(?<![\w.])[a-z]+(?:[A-Z]\w*|_\w+)(?!\w)/g) ?? []
  const isOnCall = own.some((name) => hasWord(rule, name)) || isOnOperands(rule) || isPrerequisite(rule)
  return isOnCall && !others.some((name) => hasWord(rule, name)) && named.every(isKnown)
}

const withoutParameter = /不(?:带|含|传入|使用)\s*([A-Za-z_]\w+)/

/** Operands by what they are rather than by name. */
function isOnOperands(rule: string): boolean {
  return (
    /(?:源|目的)操作数|输入(?:源)?数据(?!类型)|(?:source|destination) operand/i.test(rule) &&
    !/场景|模式|\bmode\b/i.test(rule)
  )
}

/** Of examples that say nothing about themselves only the first is asked for: the questions would be the same. */
function hasOwnLead(example: ExampleFact, index: number): boolean {
  return index === 0 || (example.lead.length >= 4 && example.lead.length <= 120)
}

/** What a string or a comment names is not called. */
function mentionsApi(code: string, api: string, page: Facts): boolean {
  const names = [...(api.match(/[A-Za-z_]\w{2,}/g) ?? []), ...page.prototypes.map((prototype) => prototype.name)]
  return names.some((name) => hasWord(withoutCommentsAndLiterals(code), name))
}

/** Numbers among the arguments, written there or as a constant of the listing. */
function settingsOf(code: string, call: CallFact | undefined): ExampleAsk['settings'] {
  return (call?.arguments ?? [])
    .filter((_, index) => isInput(call!.prototype.parameters[index]!.type))
    .flatMap(({name, value}) => {
      const number = /^\d+$/.test(value) ? value : constantIn(code, value)
      return number === undefined ? [] : [{name, value: number}]
    })
    .slice(0, 4)
}

/** What an interface writes is set beforehand only to have a value. */
function isInput(type: string): boolean {
  return !/[&*]\s*$/.test(type) || /^const\b/.test(type)
}

/** The number that a name stands for all over the listing; undefined where it is set twice or worked out. */
function constantIn(code: string, name: string): string | undefined {
  if (!/^[A-Za-z_]\w*$/.test(name)) return undefined
  const [set, ...others] = [
    ...code.matchAll(new RegExp(String.raw`(?<![\w.])${name}\s*(?:[+*/-]?=(?!=)|\+\+|--)`, 'g')),
  ]
  if (!set || others.length > 0) return undefined
  return /^\s*(\d+)\s*;/.exec(code.slice(set.index + set[0].length))?.[1]
}

function sizeOf(example: ExampleFact, call: CallFact | undefined, unitBytes: number | undefined): SizeFact | undefined {
  const [given, ...others] = settingsOf(example.code, call).filter(({name}) => /^(?:count|calCount)$/.test(name))
  const [dtype, ...more] = dtypesIn(`${example.lead} ${example.code.replace(scalar, '')}`).filter(isElementType)
  const bytes = elementBytes[dtype ?? '']
  if (!given || others.length > 0 || dtype === undefined || more.length > 0 || bytes === undefined) return undefined
  const count = Number(given.value)
  return {count, dtype, bytes: count * bytes, unitBytes}
}

/** `half scale = 0.1;` tells nothing of the tensors. */
const scalar = /\b(?:half|float|bfloat16_t)\s+\w+\s*=[^;\n]*;/g

/** Integers also type counters and flags, so they do not tell what the tensors hold. */
function isElementType(dtype: string): boolean {
  return !/^(?:bool|u?int(?:8|16|32|64)_t)$/.test(dtype)
}

/** Comments on lines of their own that are no code: what the lines below them do. */
function stepsIn(code: string): string[] {
  const comments = [...new Set([...code.matchAll(/^[^\S\n]*\/\/\s*([^\n]+)$/gm)].map(([, text = '']) => text.trim()))]
  return comments
    .filter((text) => text.length <= 50 && opensWithVerb.test(text) && !/[;{}=[\]]|结果|如下/.test(text))
    .slice(0, 6)
}

const opensWithVerb = new RegExp(
  [
    '^(?:\\d+[.、]\\s*|步骤\\d+[:：]?\\s*)?(?:设置|分配|计算|搬运|获取|定义|创建|调用|将|把|对|从|使用|初始化|释放|等待|同步|申请',
    '拷贝|执行|根据|判断|遍历|插入|开启|关闭|注册|构造|写出|读取|实例化',
    '(?:copy|set|get|alloc|comput|init|creat|wait|call|load|store|free)\\w*\\b)',
  ].join('|'),
  'i',
)

/** `__ubuf__ half src[total];` with a length that the listing gives. */
function arraysIn(code: string): ExampleAsk['arrays'] {
  return [...code.matchAll(/__(?:ubuf|gm|cbuf|ca|cb|cc)__\s+(\w+)\s+(\w+)\[\s*(\w+)\s*\]/g)].flatMap((found) => {
    const [, dtype = '', name = '', length = ''] = found
    const count = Number(/^\d+$/.test(length) ? length : constantIn(code, length))
    const size = elementBytes[dtype]
    return size === undefined || Number.isNaN(count) ? [] : [{name, dtype, count, bytes: count * size}]
  })
}
