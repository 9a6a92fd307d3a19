import type {InferenceFacts, InferredShape, ShapeSource} from '../../../datasets/schema/code-facts.ts'
import {code, paragraph, type Voice} from '../../../datasets/voice.ts'

/** What the shared rules of the operator base give, in our words. */
export const sharedRules: Readonly<Record<string, {en: string; zh: string}>> = {
  InferShape4Elewise: {en: 'the output has the shape of the input', zh: '输出 shape 与输入相同'},
  InferShape4Broadcast: {
    en: 'the output has the shape to which the inputs broadcast',
    zh: '输出 shape 为各输入按广播规则合并的结果',
  },
}

/** What must come out, as far as it can be asked for without the code: shapes that no branch decides. */
export function wantedShapes({shapes, rules}: InferenceFacts, voice: Voice): string {
  const texts = shapes.filter((one) => !one.hasCases).map((one) => resultText(one, voice, false))
  const shared = rules.flatMap((name) => sharedRules[name] ?? []).map(({en, zh}) => capital(voice.say(en, zh)))
  const said = [...new Set([...texts, ...shared])].filter((one) => one !== '')
  return paragraph(
    voice,
    said.map((one) => voice.say(`${one}.`, `${one}。`)),
  )
}

/** The rule of each output, before the steps that carry it out. */
export function decidedShapes({shapes}: InferenceFacts, voice: Voice): string {
  const sentences = shapes
    .map((one, index) => decisionSentence(one, shapes.slice(0, index), voice))
    .filter((one) => one !== '')
  if (sentences.length === 0) return ''
  return paragraph(voice, [voice.say('What has to come out?', '先确定结果。'), ...new Set(sentences)])
}

/** @param before what was told already: one way is explained once */
function decisionSentence(shape: InferredShape, before: readonly InferredShape[], voice: Voice): string {
  const {rule, hasCases, variable} = shape
  const text = resultText(shape, voice, true)
  if (text === '') return ''
  const isCopy = (one: InferredShape) => one.rule.kind === 'same' && !one.rule.isLooped
  const way = isCopy(shape) && before.some(isCopy) ? '' : wayText(rule, variable, voice)
  return hasCases
    ? voice.say(
        `In the case without a special branch, ${lower(text)}${way}; the branches below come first.`,
        `不进入特殊分支时,${text}${way};下面的分支先于它判断。`,
      )
    : voice.say(`${text}${way}.`, `${text}${way}。`)
}

/** How the file does it, and why that is enough. */
function wayText(rule: InferredShape['rule'], variable: string, voice: Voice): string {
  if (rule.kind === 'scalar')
    return voice.say(`: rank 0, by ${code('SetScalar')}`, `,即 0 维,用 ${code('SetScalar')} 设置`)
  if (rule.kind === 'dimensions')
    return voice.say(
      `; the rank of ${code(variable)} does not depend on the inputs`,
      `;${code(variable)} 的维数不随输入变化`,
    )
  if (rule.isLooped)
    return voice.say(
      `; ${code(variable)} first gets that rank, then each dimension in a loop`,
      `;先设置 ${code(variable)} 的维数,再在循环中逐维拷贝`,
    )
  return voice.say(
    `: one assignment to ${code(`*${variable}`)} copies rank and dimensions, whatever the rank is`,
    `:对 ${code(`*${variable}`)} 赋值一次即拷贝维数与各维大小,与维数无关`,
  )
}

/** @param isRaw whether expressions that are not understood may be quoted; without, such a shape is '' */
function resultText({output, rule}: InferredShape, voice: Voice, isRaw: boolean): string {
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
  if (!isRaw && values.some(({source}) => source === undefined)) return ''
  const list = values.map(({text, source}) => (source ? sourceText(source, voice) : code(text))).join(', ')
  return voice.say(
    `Output ${output} has ${values.length} dimension${values.length > 1 ? 's' : ''}: (${list})`,
    `输出 ${output} 为 ${values.length} 维:(${list})`,
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

function lower(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1)
}
