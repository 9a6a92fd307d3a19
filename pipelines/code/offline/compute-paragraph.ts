import {vectorApis} from '../apis.ts'
import type {KernelFacts} from '../kernel-facts.ts'
import {code, codeList, paragraph, some, type Voice} from './say.ts'

/** Methods that are told step by step; the others only by their number. */
const mostMethods = 6

/** The vector instructions in order, method by method, with what each does. */
export function computeParagraph({steps, vectorCalls, matrixCalls, methods}: KernelFacts, voice: Voice): string {
  const byMethod = new Map<string, Steps>()
  for (const one of steps) byMethod.set(one.method, [...(byMethod.get(one.method) ?? []), one])
  const described = new Set<string>()
  const sentences = [...byMethod]
    .slice(0, mostMethods)
    .map(([method, calls]) => methodSentence(method, merge(calls), described, voice))
  const isScalar =
    vectorCalls.length === 0 &&
    methods.some(({syntax}) => syntax.calls.some(({name}) => name === 'GetValue' || name === 'SetValue'))
  return paragraph(voice, [
    sentences.length > 0 ? openingSentence(voice) : '',
    ...sentences,
    byMethod.size > mostMethods ? restSentence(byMethod.size - mostMethods, voice) : '',
    isScalar ? scalarSentence(voice) : '',
    matrixCalls.length > 0 ? matrixSentence(matrixCalls, voice) : '',
  ])
}

function openingSentence(voice: Voice): string {
  return voice.say(
    [
      'The computation itself, on one tile:',
      'What happens to a tile:',
      'On each tile the vector unit works as follows.',
    ],
    ['单个 tile 上的计算过程如下。', '每个 tile 的计算步骤:', '矢量单元对每一块数据依次处理。'],
  )
}

function restSentence(count: number, voice: Voice): string {
  return voice.say(`${count} more methods compute in the same manner.`, `其余 ${count} 个方法的计算方式相同。`)
}

function scalarSentence(voice: Voice): string {
  return voice.say('The values are few, so the scalar unit handles them one by one.', '数据量很小,由标量单元逐个处理。')
}

function matrixSentence(calls: readonly string[], voice: Voice): string {
  const list = codeList(some(calls, 6).shown, voice)
  return voice.say(`The matrix part goes through ${list}.`, `矩阵部分依次使用 ${list}。`)
}

type Steps = KernelFacts['steps']
type Call = Steps[number]['call']

interface Step {
  call: Call
  /** First of a run of steps inside a branch. */
  branch: boolean
  from: string | undefined
}

/** @param described names whose meaning has been told; those that are told here join it */
function methodSentence(method: string, steps: readonly Step[], described: Set<string>, voice: Voice): string {
  const {shown, more} = some(steps, 8)
  const texts = shown.map((step) => stepText(step, described, voice))
  return voice.say(
    `In ${code(method)}: ${texts.join(', then ')}${more > 0 ? `, followed by ${more} more steps of this kind` : ''}.`,
    `${code(method)} 中:${texts.join(',随后 ')}${more > 0 ? `,之后还有 ${more} 步类似操作` : ''}。`,
  )
}

function stepText({call, branch, from}: Step, described: Set<string>, voice: Voice): string {
  const text = code(written(call))
  if (from !== undefined) return voice.say(`${text} from ${code(from)}`, `${code(from)} 中的 ${text}`)
  const meaning = described.has(call.name) ? undefined : vectorApis.get(call.name)
  described.add(call.name)
  const explained = meaning ? voice.say(`${text} ${meaning.en}`, `${text} ${meaning.zh}`) : text
  return branch ? voice.say(`${explained} (from here on by case)`, `${explained}(此处起按条件分支)`) : explained
}

/** Equal calls that follow each other say nothing new. */
function merge(calls: Steps): Step[] {
  const steps: Step[] = []
  for (const {call, from} of calls) {
    const last = steps.at(-1)
    if (last && written(last.call) === written(call)) continue
    steps.push({call, from, branch: call.conditional && !last?.call.conditional})
  }
  return steps
}

function written({name, args}: Call): string {
  const text = `${name}(${args.join(', ')})`
  return text.length <= 90 ? text : `${name}(${args.slice(0, 2).join(', ')}, …)`
}
