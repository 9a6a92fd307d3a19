import type {KernelFacts} from '../../../datasets/schema/code-facts.ts'
import type {FunctionSyntax} from '../../../cpp/syntax.ts'
import {branchText, isSamePlace} from './branch-text.ts'
import {code, codeList, paragraph, some, type Voice} from '../../../datasets/voice.ts'

/** The loops over tiles, and what becomes of the last one. */
export function loopParagraph({methods}: KernelFacts, voice: Voice): string {
  const process = methods.find(({role, syntax}) => role === 'process' && syntax.loops.length > 0)?.syntax
  if (!process) return ''
  const stages = new Set(
    methods.filter(({syntax}) => syntax.owner === process.owner && syntax !== process).map(({syntax}) => syntax.name),
  )
  return paragraph(voice, [...loopSentences(process, stages, voice), tailSentence(process, voice)])
}

/** Each outermost loop with the methods that it calls; those outside of every loop run once. */
function loopSentences(process: FunctionSyntax, stages: ReadonlySet<string>, voice: Voice): string[] {
  const calls = process.calls.filter(({name}) => stages.has(name))
  const byLoop = new Map<number, string[]>()
  for (const {name, loops} of calls) {
    const [outermost] = loops
    if (outermost !== undefined) byLoop.set(outermost, [...(byLoop.get(outermost) ?? []), name])
  }
  const [method, sentences] = [code(`${process.name}()`), [] as string[]]
  for (const [index, names] of byLoop) {
    const header = code(process.loops[index]?.header ?? '')
    const list = codeList([...new Set(names)], voice)
    sentences.push(
      sentences.length === 0
        ? voice.say(`${method} runs ${header} and calls ${list} in it.`, `${method} 在 ${header} 中调用 ${list}。`)
        : voice.say(`Another loop, ${header}, calls ${list}.`, `另一处循环 ${header} 调用 ${list}。`),
    )
  }
  return [...sentences.slice(0, 3), afterSentence(process, calls, voice)]
}

/** What the last piece goes through, where it stands after the loop over the others. */
function afterSentence({loops}: FunctionSyntax, calls: FunctionSyntax['calls'], voice: Voice): string {
  const lastLoop = Math.max(0, ...calls.flatMap((one) => one.loops.map((index) => loops[index]?.line ?? 0)))
  const after = calls.filter((one) => one.loops.length === 0 && one.branches.length === 0 && one.line > lastLoop)
  if (lastLoop === 0 || after.length === 0) return ''
  const looped = new Set(calls.filter((one) => one.loops.length > 0).map(({name}) => name))
  const again = after.every(({name}) => looped.has(name))
  const list = codeList([...new Set(after.map(({name}) => name))], voice)
  return again
    ? voice.say(`After the loop it calls ${list} once more.`, `循环之后再调用一次 ${list}。`)
    : voice.say(`After the loop it calls ${list}.`, `循环之后调用 ${list}。`)
}

const choosesLength = / < .* \? |\?.*(?:tail|remain)|\bmin\(/i
/** A length that must not fall below zero is no length of a last piece. */
const boundsByZero = / < 0\)? \? 0 : /
const asksForTail = /tail|remain/i
/** Which core or piece comes last is no length. */
const namesPlace = /(?:core(?:s|num|number|idx|id)?|idx|index|key)_?\d*$/i

/** The statement that gives the last piece its length, or else the condition on which it is treated apart. */
function tailSentence({assignments, conditions}: FunctionSyntax, voice: Voice): string {
  const isShort = (text: string) => text.length <= 120
  const chosen = assignments.find(
    ({name, value}) =>
      isShort(value) && choosesLength.test(value) && !boundsByZero.test(value) && !namesPlace.test(name),
  )
  if (chosen) {
    const statement = code(`${chosen.name} ${chosen.operator} ${chosen.value}`)
    return voice.say(
      `The last piece may be shorter, which ${statement} takes into account.`,
      `最后一块可能更短,由 ${statement} 处理。`,
    )
  }
  const asked = conditions.find(({text}) => isShort(text) && asksForTail.test(text))
  if (!asked) return ''
  const condition = code(asked.text)
  return voice.say(
    `What is left over is treated apart when ${condition} holds.`,
    `${condition} 成立时单独处理尾部数据。`,
  )
}

/** What the entry does, and how it chooses a variant. */
export function dispatchParagraph({tilingKeys, methods, variants}: KernelFacts, voice: Voice): string {
  const entry = methods.find(({role}) => role === 'entry')?.syntax
  if (!entry) return ''
  const starts = entry.calls.filter(({name, receiver}) => name === 'Init' && receiver !== '')
  // Where variants are set up in different ways, the first says nothing of the others.
  const [start] = new Set(starts.map(({args}) => args.join())).size === 1 ? starts : []
  const isProcessed = entry.calls.some(({name, receiver}) => name === 'Process' && receiver === start?.receiver)
  const [only] = variants.filter(({branches, text}) => branches.length === 0 && /^\w[\w:<>, ]*$/.test(text))
  const chosen = variants.filter(({branches}) => branches.length > 0)
  const isChoice = new Set(chosen.map(({text}) => text)).size >= 2
  return paragraph(voice, [
    start && isProcessed ? startSentence(start, voice) : '',
    start && isProcessed && only && variants.length === 1 ? onlySentence(start.receiver, only.text, voice) : '',
    tilingKeys.length >= 2 ? keySentence(voice) : '',
    isChoice && staticChoice.test(entry.body) ? staticSentence(voice) : '',
    isChoice ? variantsSentence(chosen, voice) : '',
    !isChoice && tilingKeys.length >= 2 ? keysSentence(tilingKeys, voice) : '',
  ])
}

function startSentence({receiver, args}: FunctionSyntax['calls'][number], voice: Voice): string {
  const [init, process] = [code(`${receiver}.Init(${args.join(', ')})`), code(`${receiver}.Process()`)]
  return voice.say(
    `${init} hands addresses and tiling over, then ${process} does the work.`,
    `入口中先用 ${init} 传入地址与 tiling,再由 ${process} 完成计算。`,
  )
}

function onlySentence(object: string, type: string, voice: Voice): string {
  const [name, text] = [code(object), code(type)]
  return voice.say(`Here ${name} is an object of ${text}.`, `其中 ${name} 是 ${text} 的对象。`)
}

function keySentence(voice: Voice): string {
  const macro = code('TILING_KEY_IS')
  return voice.say(
    [
      `The host chooses a variant by tiling key,`,
      `and ${macro} lets the compiler make one binary per key instead of a branch at run time.`,
    ].join(' '),
    `Host 侧通过 tiling key 选择实现分支,${macro} 让编译器为每个 key 单独生成二进制,运行时没有分支开销。`,
  )
}

const staticChoice = /\bif\s+constexpr\b/

function staticSentence(voice: Voice): string {
  const word = code('if constexpr')
  return voice.say(
    `${word} settles the choice while compiling, so a binary holds only the variant that it needs.`,
    `${word} 在编译期完成选择,每份二进制只含所需的分支。`,
  )
}

const keyCondition = /^(?:TILING_KEY_IS\(\s*\w+\s*\)(?:\s*\|\|\s*(?=T)|$))+$/

function keysIn(condition: string): string[] {
  return keyCondition.test(condition) ? [...condition.matchAll(/\(\s*(\w+)\s*\)/g)].map(([, key]) => key!) : []
}

/** What an entry runs in each case; '' where it always runs the same. */
export function variantsOfEntry({variants, methods}: KernelFacts, voice: Voice): string {
  const calls = methods.find(({role}) => role === 'entry')?.syntax.calls.filter(({receiver}) => receiver !== '') ?? []
  const worksOf = ({branches}: KernelFacts['variants'][number]) =>
    calls.filter((call) => !/^Init/.test(call.name) && isSamePlace(call.branches, branches)).map(({name}) => name)
  const works = new Set(variants.map((one) => worksOf(one).join()))
  const chosen = variants
    .filter(({branches}) => branches.length > 0)
    .map((one) => ({...one, text: [one.text, ...(works.size > 1 ? worksOf(one) : [])].join('.')}))
  return new Set(chosen.map(({text}) => text)).size < 2 ? '' : variantsSentence(chosen, voice, 64)
}

/** `` `7` runs `KernelA<half>` ``; under other conditions, where these hold. */
function variantsSentence(variants: KernelFacts['variants'], voice: Voice, most = 10): string {
  const texts = [...new Set(variants.map((one) => variantText(one, voice)))]
  const {shown, more} = some(texts, most)
  return voice.say(
    `The variants: ${shown.join('; ')}${more > 0 ? `; and ${more} more` : ''}.`,
    `各分支:${shown.join(';')}${more > 0 ? `;另有 ${more} 个` : ''}。`,
  )
}

function variantText({text, branches}: KernelFacts['variants'][number], voice: Voice): string {
  // That other keys do not hold follows from the one that does.
  const keys = branches.flatMap(({condition, arm}) => (arm === 'then' ? keysIn(condition) : []))
  const others = branches.filter(({condition}) => !keyCondition.test(condition))
  const where = branchText(others, voice)
  const list = keys.map((one) => code(one)).join(voice.say(' or ', ' 或 '))
  const place = [keys.length === 0 ? '' : `key ${list}`, where].filter((one) => one !== '').join(' ')
  return `${place || voice.say('otherwise', '其余情况')} → ${code(text)}`
}

function keysSentence(tilingKeys: readonly string[], voice: Voice): string {
  const {shown, more} = some(tilingKeys, 12)
  const keys = codeList(shown, voice)
  return voice.say(
    `The keys are ${keys}${more > 0 ? ` and ${more} more` : ''}.`,
    `可选的 key 有 ${keys}${more > 0 ? ` 等 ${tilingKeys.length} 个` : ''}。`,
  )
}
