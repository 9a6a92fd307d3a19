import type {OperatorSource} from '../../../datasets/schema/operator.ts'
import {code, codeList, paragraph, type Voice} from '../../../datasets/voice.ts'

type Definition = OperatorSource['definition'] & object

/** Tensors with their types, and attributes: both in order, which is how the host gets them. */
export function interfaceSentence({inputs, outputs, attributes}: Definition, voice: Voice): string {
  const [taken, given] = [voice.list(inputs.map(tensorText)), voice.list(outputs.map(tensorText))]
  return paragraph(voice, [
    voice.say(`The operator takes ${taken} and gives ${given}.`, `算子输入为 ${taken}，输出为 ${given}。`),
    attributes.length > 0 ? attributesSentence(attributes, voice) : '',
  ])
}

/** `x (float16/float32) [optional]`. */
function tensorText({name, dtypes, kind}: Definition['inputs'][number]): string {
  const types = dtypes.length > 0 ? ` (${[...new Set(dtypes)].join('/')})` : ''
  return `${code(name)}${types}${kind === 'required' ? '' : ` [${kind}]`}`
}

function attributesSentence(attributes: Definition['attributes'], voice: Voice): string {
  const texts = attributes.map(({name, type, default: value}) => `${name}: ${type}${value === '' ? '' : ` = ${value}`}`)
  const list = codeList(texts, voice)
  return voice.say(`Its attribute${texts.length > 1 ? 's are' : ' is'} ${list}.`, `属性有 ${list}。`)
}
