import type {HostKernelPair, Scenario} from '../../../datasets/schema/scenario.ts'
import {elementCount} from '../../../datasets/schema/tensor.ts'
import {code, codeList, paragraph, paragraphs, type Voice} from '../../../datasets/voice.ts'
import {hardware} from '../../facts/call-answers.ts'
import {tellChosen} from '../../telling/tell-chosen.ts'
import {tellOpening} from '../../telling/tell-decisions.ts'

/** From the request to the kernel: what its code decides, of the case that the request states. */
export function evaluatedReasoning(
  pair: HostKernelPair,
  {text, purpose}: {text: string; purpose: string},
  voice: Voice,
): string {
  const [used, cores] = [pair.scenario.trace.blockDim, hardware.vectorCores]
  const isIdle = used < cores && pair.kernel.text.includes('GetBlockIdx')
  return paragraphs([
    taskParagraph(pair, purpose, voice),
    isIdle && voice.random.unit() < mentioned ? tellOpening('launch', {used, cores, last: cores - 1}, voice) : '',
    ...tellChosen(pair.decisions ?? [], voice, {kernel: text}),
  ])
}

export function taskParagraph({operator, entry, scenario}: HostKernelPair, purpose: string, voice: Voice): string {
  const what = purpose
    .replace(/\$\$\s*([^$]*?)\s*\$\$/g, '$$$1$$')
    .replace(/\s+/g, ' ')
    .trim()
  const tensors = (specs: readonly {name: string; dtype: string; shape: number[]}[]) =>
    codeList(
      specs.map(({name, dtype, shape}) => `${name}: ${dtype}[${shape.join(', ')}]`),
      voice,
    )
  const values = {
    operator,
    entry,
    inputs: tensors(scenario.inputs),
    outputs: tensors(scenario.outputs),
    // Longer documentation is not repeated.
    purpose: what.length > mostPurpose ? '' : ended(what, voice.say('.', '。')),
    count: scenario.outputs.reduce((sum, {shape}) => sum + elementCount(shape), 0),
  }
  return paragraph(voice, [tellOpening('task', values, voice), attributesSentence(scenario, voice)])
}

const mostPurpose = 400

/** In most kernels idle cores return: so only one in this many rows says it. */
const mentioned = 0.4

const ended = (text: string, stop: string) => (/[.!?。]$/.test(text) ? text : `${text}${stop}`)

function attributesSentence({attributes}: Scenario, {say, list}: Voice): string {
  const given = Object.entries(attributes).map(([name, value]) => `${code(name)} = ${JSON.stringify(value)}`)
  return given.length === 0 ? '' : say(`The attributes are ${list(given)}.`, `属性取值为 ${list(given)}。`)
}
