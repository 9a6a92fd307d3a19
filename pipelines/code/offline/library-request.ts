import type {OperatorSource} from '../../../datasets/schema/operator.ts'
import type {LibraryFacts} from '../library-facts.ts'
import type {FunctionFlow} from '../statements.ts'
import {signatureOf} from './api-request.ts'
import {isReadable, purposeSentence} from './purpose-sentence.ts'
import {code, codeList, paragraph, some, type Voice} from './say.ts'

/** What a developer would ask for so that a file of a high-level API's implementation is the answer. */
export function libraryRequest(source: OperatorSource, facts: LibraryFacts, voice: Voice): string {
  return paragraph(voice, [
    opening(source, facts, voice),
    purposeSentence(source, voice),
    commentSentence(facts, voice),
    providesSentence(facts, voice),
    constantSentence(facts, voice),
  ])
}

function opening({target, operator, side}: OperatorSource, {functions}: LibraryFacts, voice: Voice): string {
  const [path, name] = [code(target.path), code(operator)]
  if (functions.length === 0)
    return voice.say(
      `Please write ${path}, which declares the high-level Ascend C API ${name}.`,
      `请编写 ${path},声明 Ascend C 高阶 API ${name}。`,
    )
  return side === 'kernel'
    ? voice.say(
        [
          `Please write ${path}, the device side of the high-level Ascend C API ${name}.`,
          `Implement ${path}: device code of the Ascend C library behind ${name}.`,
        ],
        [
          `请编写 ${path},实现 Ascend C 高阶 API ${name} 的 Kernel 侧。`,
          `请实现 Ascend C 库文件 ${path},它是 ${name} 的 Kernel 侧代码。`,
        ],
      )
    : voice.say(
        `Please write ${path}, the host-side tiling functions of the high-level Ascend C API ${name}.`,
        `请编写 ${path},实现 Ascend C 高阶 API ${name} 的 Host 侧 tiling 函数。`,
      )
}

/** What the author wrote above the functions. */
export function libraryComments({functions, prototypes, kernel}: LibraryFacts): string[] {
  const all = [...kernel.comments, ...[...functions, ...prototypes].map(({comment}) => comment)]
  return all
    .map(withoutTags)
    .filter(
      (one) =>
        one.length >= 16 &&
        one.length <= 300 &&
        !/copyright|licen[cs]e|^#|\bifdef\b|experimental|internal usage/i.test(one),
    )
}

/** The description alone: what tags say of parameters and results stands in the signature. */
function withoutTags(comment: string): string {
  const [description = ''] = comment.replace(/^[@\\](?:brief|description)\b\s*:?\s*/, '').split(/\s*[@\\]\w+|\s+: \w/)
  return description.trim()
}

function commentSentence(facts: LibraryFacts, voice: Voice): string {
  const found = [...new Set(libraryComments(facts))].filter((one) => isReadable(one, voice)).slice(0, 2)
  if (found.length === 0) return ''
  const text = found.map((one) => one.replace(/[.。]$/, '')).join('; ')
  return voice.say(`What it does: ${text}.`, `功能说明:${text}。`)
}

/** Functions that other files call: those that are no detail of another in the file. */
export function publicFunctions({functions, prototypes}: LibraryFacts): readonly FunctionFlow[] {
  const all = functions.length > 0 ? functions : prototypes
  const called = new Set(functions.flatMap(({statements}) => statements.flatMap(({call}) => call?.name ?? [])))
  const free = all.filter(({name}) => !called.has(name))
  return free.length > 0 ? free : all
}

function providesSentence(facts: LibraryFacts, voice: Voice): string {
  const {shown, more} = some(
    [...new Set(publicFunctions(facts).map(signatureOf))].filter((one) => one.length <= 260),
    4,
  )
  if (shown.length === 0) return ''
  const list = codeList(shown, voice)
  return voice.say(
    `It provides ${list}${more > 0 ? ` and ${more} more functions` : ''}.`,
    `提供 ${list}${more > 0 ? ` 等 ${more + shown.length} 个函数` : ''}。`,
  )
}

function constantSentence({constants, side}: LibraryFacts, voice: Voice): string {
  const {shown} = some(
    [...constants].filter(([name]) => name.length > 3),
    8,
  )
  if (side !== 'host' || shown.length === 0) return ''
  const list = codeList(
    shown.map(([name, value]) => `${name} = ${value}`),
    voice,
  )
  return voice.say(`Constants: ${list}.`, `常量:${list}。`)
}
