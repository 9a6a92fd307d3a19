import type {LibraryFacts} from '../../../datasets/schema/code-facts.ts'
import type {OperatorSource} from '../../../datasets/schema/operator.ts'
import type {FunctionFlow} from '../../../cpp/syntax.ts'
import {signatureOf} from './api-request.ts'
import {isReadable, purposeSentence} from './purpose-sentence.ts'
import {code, codeList, paragraph, some, type Voice} from '../../../datasets/voice.ts'

/** What a developer would request to get a file of a high-level API's implementation. */
export function libraryRequest(source: OperatorSource, facts: LibraryFacts, voice: Voice): string {
  return paragraph(voice, [
    opening(source, facts, voice),
    purposeSentence(source, voice),
    commentSentence(facts, voice),
    providesSentence(facts, voice),
    constantSentence(facts, voice),
  ])
}

function opening(source: OperatorSource, {functions}: LibraryFacts, voice: Voice): string {
  const [path, what] = [code(source.target.path), behind(source, voice)]
  if (functions.length === 0)
    return voice.say(`Please write ${path}, which declares ${what}.`, `请编写 ${path}，声明${what}。`)
  return source.side === 'kernel'
    ? voice.say(
        [
          `Please write ${path}, device code of ${what}.`,
          `Implement ${path}: device code of the Ascend C library behind ${what}.`,
        ],
        [`请编写 ${path}，实现${what}的 Kernel 侧。`, `请实现 Ascend C 库文件 ${path}，它是${what}的 Kernel 侧代码。`],
      )
    : voice.say(
        `Please write ${path}, host-side tiling functions of ${what}.`,
        `请编写 ${path}，实现${what}的 Host 侧 tiling 函数。`,
      )
}

/** Folders of the library that are named after no API. */
const groups =
  /^(?:Stage|Scheduler|Resource|Param|Utils|FeatureTrait|Kfc|Common|Detail|Dfx|Math|Normalization|Activation|Index)$/i
const otherGroups = /^(?:Quantization|Filter|Select|Conv|ConvBackprop|Reduce|Transpose|KernelCheck|Pad|Sort)$/i

/** Whether the file checks what is handed to other functions, and computes nothing itself. */
export function isCheck({path}: OperatorSource['origin']): boolean {
  return /(?:^|\/)api_check\//.test(path)
}

/** What the file belongs to: one API, a group of them, or the checks of their arguments. */
export function behind({origin, operator, target}: OperatorSource, {say}: Voice): string {
  if (isCheck(origin))
    return say('the argument checks of the high-level Ascend C APIs', ' Ascend C 高阶 API 的参数检查')
  const isGroup = groups.test(operator) || otherGroups.test(operator)
  if (/(?:^|\/)matmul\//.test(origin.path))
    return say(`the high-level Ascend C API ${code('Matmul')}`, ` Ascend C 高阶 API ${code('Matmul')} `)
  if (isGroup) {
    const group = code(operator.toLowerCase())
    return say(`the group ${group} of high-level Ascend C APIs`, ` Ascend C 高阶 API 中 ${group} 一组`)
  }
  const name = code(spelled(operator, target))
  return say(`the high-level Ascend C API ${name}`, ` Ascend C 高阶 API ${name} `)
}

/** The name as the code spells it: folders are named in small letters. A name that it lacks is that of the file. */
function spelled(operator: string, {path, text}: OperatorSource['target']): string {
  const stem = /(\w+?)(?:_(?:common|impl|tiling|v\d+|\d+))*\.\w+$/.exec(path)?.[1] ?? ''
  const [name = operator] = [operator, stem].flatMap((one) => {
    const found = text.match(new RegExp(String.raw`\b${one}\b`, 'gi')) ?? []
    const written = found.filter((each) => each !== each.toUpperCase() && each !== each.toLowerCase())
    const capitals = (each: string) => each.replace(/[^A-Z]/g, '').length
    return written.sort((a, b) => capitals(b) - capitals(a)).slice(0, 1)
  })
  return name
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

/** Only the description: parameters and results are in the signature. */
function withoutTags(comment: string): string {
  const [description = ''] = comment.replace(/^[@\\](?:brief|description)\b\s*:?\s*/, '').split(/\s*[@\\]\w+|\s+: \w/)
  return description.trim()
}

function commentSentence(facts: LibraryFacts, voice: Voice): string {
  const found = [...new Set(libraryComments(facts))].filter((one) => isReadable(one, voice)).slice(0, 2)
  if (found.length === 0) return ''
  const text = found.map((one) => one.replace(/[.。]$/, '')).join('; ')
  return voice.say(`From its comments: ${text}.`, `代码注释：${text}。`)
}

/** Functions that other files call: those that are not a detail of another one in the file. */
export function publicFunctions({functions, prototypes}: LibraryFacts): readonly FunctionFlow[] {
  const isMaker = ({name, owner}: FunctionFlow) => owner.replace(/<[^]*$/, '') === name
  const all = (functions.length > 0 ? functions : prototypes).filter((one) => !isMaker(one))
  const owners = new Set(functions.map(ownerOf))
  const called = new Set(
    functions.flatMap((one) =>
      one.statements.flatMap(({call}) => {
        if (!call) return []
        const object = /(\w+)$/.exec(call.receiver)?.[1] ?? ''
        // Of an object nothing tells the class; a method of the same class is called without one.
        if (owners.has(object) && object !== '') return [`${object}::${call.name}`]
        if (call.receiver !== '' && call.receiver !== 'this') return [call.name]
        return [`${ownerOf(one)}::${call.name}`, `::${call.name}`]
      }),
    ),
  )
  const free = all.filter((one) => !called.has(one.name) && !called.has(`${ownerOf(one)}::${one.name}`))
  return free.length > 0 ? free : all
}

function ownerOf({owner}: FunctionFlow): string {
  return owner.replace(/<[^]*$/, '').trim()
}

function providesSentence(facts: LibraryFacts, voice: Voice): string {
  const {shown, more} = some(
    [...new Set(publicFunctions(facts).map(signatureOf))].filter((one) => one.length <= 260),
    4,
  )
  if (shown.length === 0) return ''
  const list = codeList(shown, voice)
  return voice.say(
    `It provides ${list}${more > 0 ? ` and ${more} more function${more > 1 ? 's' : ''}` : ''}.`,
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
  return voice.say(`Constants: ${list}.`, `常量：${list}。`)
}
