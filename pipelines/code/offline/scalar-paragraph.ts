import type {KernelFacts} from '../../../datasets/schema/code-facts.ts'
import {flowSentence} from './flow-paragraph.ts'
import {paragraph, type Voice} from '../../../datasets/voice.ts'

const mostFunctions = 8

/** What a file does that gives the vector unit nothing to do: indices, sizes, choices; '' for other files. */
export function scalarParagraph({scalar}: KernelFacts, voice: Voice): string {
  const sentences = scalar.slice(0, mostFunctions).map((flow) => flowSentence(flow, voice, {most: 12}))
  const told = sentences.filter((one) => one !== '')
  if (told.length === 0) return ''
  return paragraph(voice, [
    voice.say(
      'All of it is scalar work, control flow and arithmetic on single values:',
      '文件中都是标量运算与流程控制,作用于单个值:',
    ),
    ...told,
  ])
}
