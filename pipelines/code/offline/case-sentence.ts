import type {SourceRun} from '../../../datasets/schema/code-facts.ts'
import {code, some, type Voice} from '../../../datasets/voice.ts'

/** The call that a host has to plan for. */
export function callSentence(ran: SourceRun, voice: Voice): string {
  const given = givenText(ran, voice)
  return voice.say(`One case to plan for: ${given}.`, `以如下用例为准：${given}。`)
}

/** The call that a kernel must support, with its host's values. */
export function launchSentence(ran: SourceRun, voice: Voice): string {
  const {blockDim, tilingKey, tiling} = ran
  const given = givenText(ran, voice)
  const numbers = Object.entries(tiling).filter(([, value]) => typeof value === 'number')
  const held = code(
    some(numbers, 8)
      .shown.map((field) => field.join(' = '))
      .join(', '),
  )
  const key = tilingKey > 0 ? voice.say(` with tiling key ${tilingKey}`, `，tiling key 为 ${tilingKey}`) : ''
  const fields = numbers.length > 0 ? voice.say(`; the tiling then holds ${held}`, `，tiling 数据为 ${held}`) : ''
  return voice.say(
    `One case to plan for: ${given}, launched on ${blockDim} ${blockDim === 1 ? 'block' : 'blocks'}${key}${fields}.`,
    `以如下用例为准：${given}，启动 ${blockDim} 个核${key}${fields}。`,
  )
}

function givenText({inputs, attributes}: SourceRun, voice: Voice): string {
  const tensors = inputs.map(({name, dtype, shape}) => code(`${name}: ${dtype}[${shape.join(', ')}]`))
  const settings = Object.entries(attributes).map(([name, value]) => code(`${name} = ${String(value)}`))
  return voice.list([...tensors, ...settings])
}
