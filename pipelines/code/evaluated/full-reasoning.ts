import type {HostFacts, KernelFacts} from '../../../datasets/schema/code-facts.ts'
import type {HostKernelPair} from '../../../datasets/schema/scenario.ts'
import {closingParagraph} from '../offline/closing-paragraph.ts'
import {computeParagraph} from '../offline/compute-paragraph.ts'
import {loopParagraph} from '../offline/control-paragraphs.ts'
import {conversionParagraph} from '../offline/conversion-paragraph.ts'
import {movementParagraph} from '../offline/movement-paragraph.ts'
import {code, codeList, paragraph, paragraphs, some, type Voice} from '../../../datasets/voice.ts'
import {synchronisationParagraph} from '../offline/synchronisation-paragraph.ts'
import {hostPlan} from '../project/host-plan.ts'
import {taskParagraph} from './evaluated-reasoning.ts'
import {buffersParagraph, placesSentence, sharesSentence} from './plan-paragraphs.ts'

/** From the request to the operator: what the host hands over and how it comes to it, then the kernel. */
export function fullReasoning(
  pair: HostKernelPair,
  {host, kernel}: {host: HostFacts; kernel: KernelFacts},
  purpose: string,
  voice: Voice,
): string {
  const isCube = kernel.matrixCalls.length > 0
  return paragraphs([
    taskParagraph(pair, purpose, voice),
    structureParagraph(pair, voice),
    hostPlan(pair, host, isCube, voice),
    placesParagraph(pair, kernel, voice),
    buffersParagraph(pair.scenario, kernel, voice),
    movementParagraph(kernel, voice),
    computeParagraph(kernel, voice),
    conversionParagraph(kernel, voice),
    synchronisationParagraph(kernel, voice),
    loopParagraph(kernel, voice),
    closingParagraph(kernel, voice),
    typesParagraph(pair, voice),
  ])
}

/** What the kernel has to be told. */
function structureParagraph({scenario}: HostKernelPair, voice: Voice): string {
  const {shown, more} = some(Object.keys(scenario.trace.tiling), 16)
  if (shown.length === 0) return ''
  const [list, left] = [codeList(shown, voice), more > 0]
  return voice.say(
    `The host works the sizes out and hands them over in the tiling data: ${list}${left ? `, and ${more} more` : ''}.`,
    `各个大小由 Host 侧计算,通过 tiling 数据下发:${list}${left ? `,另有 ${more} 个` : ''}。`,
  )
}

/** What a core finds and where, with what was seen of this case. */
function placesParagraph({entry, scenario}: HostKernelPair, kernel: KernelFacts, voice: Voice): string {
  return paragraph(voice, [
    voice.say(`Now the kernel, ${code(entry)}.`, `再看核函数 ${code(entry)}。`),
    sharesSentence(scenario.trace.blocks, voice),
    placesSentence(kernel, voice),
  ])
}

function typesParagraph({kernel, scenario}: HostKernelPair, voice: Voice): string {
  const used = [...scenario.inputs, ...scenario.outputs].flatMap(({name, dtype}) => {
    const macro = `DTYPE_${name.toUpperCase()}`
    return new RegExp(String.raw`\b${macro}\b`).test(kernel.text) ? [`${code(macro)} (${dtype})`] : []
  })
  const list = voice.list([...new Set(used)])
  if (list === '') return ''
  return voice.say(`Element types come from the definition, by ${list}.`, `元素类型取自算子定义:${list}。`)
}
