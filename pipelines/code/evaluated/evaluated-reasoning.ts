import type {KernelFacts} from '../../../datasets/schema/code-facts.ts'
import type {HostKernelPair, Scenario} from '../../../datasets/schema/scenario.ts'
import {elementCount} from '../../../datasets/schema/tensor.ts'
import {closingParagraph} from '../offline/closing-paragraph.ts'
import {computeParagraph} from '../offline/compute-paragraph.ts'
import {loopParagraph} from '../offline/control-paragraphs.ts'
import {conversionParagraph} from '../offline/conversion-paragraph.ts'
import {movementParagraph} from '../offline/movement-paragraph.ts'
import {code, paragraph, paragraphs, type Voice} from '../../../datasets/voice.ts'
import {synchronisationParagraph} from '../offline/synchronisation-paragraph.ts'
import {buffersParagraph, sharesParagraph} from './plan-paragraphs.ts'

/** From the request to the kernel: every number is of the case that the request states, and was seen in its run. */
export function evaluatedReasoning(
  pair: HostKernelPair,
  facts: KernelFacts,
  {text, purpose}: {text: string; purpose: string},
  voice: Voice,
): string {
  const {scenario} = pair
  return paragraphs([
    taskParagraph(pair, purpose, voice),
    sharesParagraph(scenario, facts, text, voice),
    buffersParagraph(scenario, facts, voice),
    movementParagraph(facts, voice),
    computeParagraph(facts, voice),
    conversionParagraph(facts, voice),
    synchronisationParagraph(facts, voice),
    loopParagraph(facts, voice),
    closingParagraph(facts, voice),
    formParagraph(text, voice),
  ])
}

export function taskParagraph({operator, entry, scenario}: HostKernelPair, purpose: string, voice: Voice): string {
  const what = purpose
    .replace(/\$\$\s*([^$]*?)\s*\$\$/g, '$$$1$$')
    .replace(/\s+/g, ' ')
    .trim()
  const tensors = (specs: readonly {name: string; dtype: string; shape: number[]}[]) =>
    voice.list(specs.map(({name, dtype, shape}) => `${code(name)} ${dtype} [${shape.join(', ')}]`))
  const [inputs, outputs] = [tensors(scenario.inputs), tensors(scenario.outputs)]
  return paragraph(voice, [
    voice.say(
      `The kernel ${code(entry)} of ${operator} has to serve one case: ${inputs} in, ${outputs} out.`,
      `${operator} 的核函数 ${code(entry)} 只需处理一个用例:输入 ${inputs},输出 ${outputs}。`,
    ),
    what.length > mostPurpose
      ? ''
      : voice.say(`What it computes: ${ended(what, '.')}`, `计算内容:${ended(what, '。')}`),
    attributesSentence(scenario, voice),
    sizeSentence(scenario, voice),
  ])
}

/** Longer documentation is not said again. */
const mostPurpose = 400

const ended = (text: string, stop: string) => (/[.!?。]$/.test(text) ? text : `${text}${stop}`)

function attributesSentence({attributes}: Scenario, {say, list}: Voice): string {
  const given = Object.entries(attributes).map(([name, value]) => `${code(name)} = ${JSON.stringify(value)}`)
  return given.length === 0 ? '' : say(`The attributes are ${list(given)}.`, `属性取值为 ${list(given)}。`)
}

function sizeSentence({outputs}: Scenario, {say, list}: Voice): string {
  const sizes = outputs.map(({name, shape}) =>
    say(`${elementCount(shape)} elements of ${code(name)}`, `${code(name)} 的 ${elementCount(shape)} 个元素`),
  )
  return say(`That is ${list(sizes)} to write.`, `共需写出 ${list(sizes)}。`)
}

/** What the form of the answer asks for beside the computation. */
function formParagraph(text: string, {say}: Voice): string {
  const usesStructure = /\bTilingDataDef::/.test(text) || /\bTilingDataDef \w+;/.test(text)
  const isGeneric = /\btemplate\s*</.test(text)
  // Code that looks for a workspace wants one to be there, even if it keeps nothing in it.
  const looksFor = /\b(?:SetSysWorkspace|GetUserWorkspace|GetSysWorkSpacePtr)\b/.test(text)
  const without = looksFor ? '' : say(' No workspace is needed.', '不需要 workspace。')
  if (isGeneric) return without.trim()
  return `${say(
    [
      'The types are written out, as the case has one of each',
      usesStructure
        ? `, and the sizes stand in ${code('TilingDataDef')} as compile-time constants, which the compiler can fold`
        : '',
      '.',
    ].join(''),
    [
      '用例中每个张量只有一种类型,直接写出即可',
      usesStructure ? `;各个大小以编译期常量放在 ${code('TilingDataDef')} 中,便于编译器折叠` : '',
      '。',
    ].join(''),
  )}${without}`
}
