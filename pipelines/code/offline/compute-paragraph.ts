import type {KernelFacts} from '../../../datasets/schema/code-facts.ts'
import {vectorApis} from '../../../cpp/interfaces.ts'
import {branchText, isSamePlace} from './branch-text.ts'
import {code, codeList, paragraph, some, type Voice} from '../../../datasets/voice.ts'

/** Methods that are told step by step; the others only by their number. */
const mostMethods = 6

/** The vector instructions in order, method by method, with what each does. */
export function computeParagraph({steps, matrixCalls}: KernelFacts, voice: Voice): string {
  const byMethod = new Map<string, Steps>()
  for (const one of steps) byMethod.set(one.method, [...(byMethod.get(one.method) ?? []), one])
  const described = new Set<string>()
  const sentences = [...byMethod]
    .slice(0, mostMethods)
    .map(([method, calls]) => methodSentence(method, merge(calls), described, voice))
  return paragraph(voice, [
    sentences.length > 0 ? openingSentence(voice) : '',
    ...sentences,
    restSentence(
      [...byMethod]
        .slice(mostMethods)
        .filter(isVector)
        .map(([method]) => method),
      voice,
    ),
    matrixCalls.length > 0 ? matrixSentence(matrixCalls, voice) : '',
  ])
}

function openingSentence(voice: Voice): string {
  return voice.say(
    ['The computation itself, function by function.', 'What the vector unit does, function by function.'],
    ['计算过程按函数说明如下。', '各函数中矢量单元的工作如下。'],
  )
}

/** Of what others only hand on to included files, nothing is said here. */
function isVector([, steps]: readonly [string, Steps]): boolean {
  return steps.some(({from}) => from === undefined)
}

function restSentence(methods: readonly string[], voice: Voice): string {
  if (methods.length === 0) return ''
  const list = codeList(methods, voice)
  return voice.say(`Vector instructions stand in ${list} as well.`, `${list} 中同样有矢量指令。`)
}

function matrixSentence(calls: readonly string[], voice: Voice): string {
  const {shown, more} = some(calls, 8)
  const list = codeList(shown, voice)
  return voice.say(
    `The matrix part goes through ${list}${more > 0 ? ` and ${more} more ${more > 1 ? 'calls' : 'call'}` : ''}.`,
    `矩阵部分使用 ${list}${more > 0 ? ` 等 ${calls.length} 个接口` : ''}。`,
  )
}

type Steps = KernelFacts['steps']
type Call = Steps[number]['call']

interface Step {
  call: Call
  from: string | undefined
}

/** Steps that are told with their arguments; the others only by their names. */
const mostSteps = 10

/** @param described names whose meaning has been told; those that are told here join it */
function methodSentence(method: string, steps: readonly Step[], described: Set<string>, voice: Voice): string {
  const {shown} = some(steps, mostSteps)
  const text = `${chain(shown, described, voice)}${restText(shown.at(-1), steps.slice(mostSteps), voice)}`
  return voice.say(`In ${code(method)}: ${text}.`, `${code(method)} 中:${text}。`)
}

/** What follows in the same place, apart from what only runs in another. */
function restText(last: Step | undefined, rest: readonly Step[], voice: Voice): string {
  const isHere = ({call}: Step) => isSamePlace(call.branches, last?.call.branches ?? [])
  const end = rest.findIndex((one) => !isHere(one))
  const [same, other] = end < 0 ? [rest, []] : [rest.slice(0, end), rest.slice(end)]
  const [here, there] = [same, other].map((steps) => codeList([...new Set(steps.map(({call}) => call.name))], voice))
  const isBranch = other.every(({call}) => call.branches.length > 0)
  return [
    same.length > 0 ? voice.say(`; after these come ${here}`, `;此后还有 ${here}`) : '',
    other.length > 0 && isBranch ? voice.say(`; other branches use ${there}`, `;其他分支使用 ${there}`) : '',
    other.length > 0 && !isBranch ? voice.say(`; further on it uses ${there}`, `;其后使用 ${there}`) : '',
  ].join('')
}

/** Steps in order; those of a branch are told as such, as only one arm of it runs. */
function chain(steps: readonly Step[], described: Set<string>, voice: Voice): string {
  let place = ''
  return steps
    .map((step, index) => {
      const here = branchText(step.call.branches, voice)
      const text = stepText(step, described, voice)
      const isSame = here === place
      place = here
      if (isSame) return `${index === 0 ? '' : voice.say(', then ', ',随后 ')}${text}`
      const opening = here === '' ? voice.say('outside of these branches', '分支之外') : here
      return `${index === 0 ? '' : voice.say('; ', ';')}${opening}${voice.say(': ', ':')}${text}`
    })
    .join('')
}

function stepText({call, from}: Step, described: Set<string>, voice: Voice): string {
  const text = code(written(call))
  if (from === '') return voice.say(`${text}, a function of this file`, `调用本文件的 ${text}`)
  if (from !== undefined) return voice.say(`${text} from ${code(from)}`, `${code(from)} 中的 ${text}`)
  const meaning = described.has(call.name) ? undefined : vectorApis.get(call.name)
  described.add(call.name)
  return meaning ? voice.say(`${text} ${meaning.en}`, `${text} ${meaning.zh}`) : text
}

/** Equal calls that follow each other say nothing new. */
function merge(calls: Steps): Step[] {
  const steps: Step[] = []
  for (const {call, from} of calls) {
    const last = steps.at(-1)
    const isSame = last && written(last.call) === written(call) && isSamePlace(last.call.branches, call.branches)
    if (!isSame) steps.push({call, from})
  }
  return steps
}

function written({name, args}: Call): string {
  const text = `${name}(${args.join(', ')})`
  return text.length <= 90 ? text : `${name}(${args.slice(0, 2).join(', ')}, …)`
}
