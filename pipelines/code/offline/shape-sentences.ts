import type {InferenceFacts, InferredShape, ShapeSource} from '../../../datasets/schema/code-facts.ts'
import {paragraph, type Voice} from '../../../datasets/voice.ts'

/** What the shared rules of the operator base give, in our words. */
const sharedRules: Readonly<Record<string, {en: string; zh: string}>> = {
  InferShape4Elewise: {en: 'the output has the shape of the input', zh: '输出 shape 与输入相同'},
  InferShape4Broadcast: {
    en: 'the output has the shape to which the inputs broadcast',
    zh: '输出 shape 为各输入按广播规则合并的结果',
  },
}

/** What must come out, as far as it can be asked for without the code: shapes that no branch decides. */
export function wantedShapes({shapes, rules}: InferenceFacts, voice: Voice): string {
  const texts = shapes.filter((one) => !one.hasCases).map((one) => resultText(one, voice))
  const shared = rules.flatMap((name) => sharedRules[name] ?? []).map(({en, zh}) => capital(voice.say(en, zh)))
  const said = [...new Set([...texts, ...shared])].filter((one) => one !== '')
  return paragraph(
    voice,
    said.map((one) => voice.say(`${one}.`, `${one}。`)),
  )
}

/** '' for a shape with an expression that is not understood. */
function resultText({output, rule}: InferredShape, voice: Voice): string {
  if (rule.kind === 'scalar') return voice.say(`Output ${output} is a scalar`, `输出 ${output} 为标量`)
  if (rule.kind === 'same') {
    const noun = voice.say(`${rule.of} ${rule.index}`, `${rule.of === 'input' ? '输入' : '输出'} ${rule.index}`)
    const count = rule.without
    if (count !== undefined) {
      const last = count > 1 ? `${count} dimensions` : 'dimension'
      return voice.say(
        `Output ${output} has the shape of ${noun} without its last ${last}`,
        `输出 ${output} 的 shape 为${noun} 去掉最后 ${count} 维`,
      )
    }
    return voice.say(`Output ${output} has the shape of ${noun}`, `输出 ${output} 的 shape 与${noun} 相同`)
  }
  const {values} = rule
  const sources = values.flatMap(({source}) => source ?? [])
  if (sources.length < values.length) return ''
  const list = sources.map((source) => sourceText(source, voice)).join(', ')
  return voice.say(
    `Output ${output} has ${values.length} dimension${values.length > 1 ? 's' : ''}: (${list})`,
    `输出 ${output} 为 ${values.length} 维：(${list})`,
  )
}

function sourceText(source: ShapeSource, voice: Voice): string {
  switch (source.kind) {
    case 'number':
      return source.value
    case 'attribute':
      return voice.say(`attribute ${source.index}`, `属性 ${source.index}`)
    case 'rank':
      return voice.say(`the rank of input ${source.of}`, `输入 ${source.of} 的维数`)
    case 'dimension':
      return voice.say(`dimension ${source.index} of input ${source.of}`, `输入 ${source.of} 的第 ${source.index} 维`)
  }
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
