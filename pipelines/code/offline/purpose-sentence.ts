import type {OperatorSource} from '../../../datasets/schema/operator.ts'
import {languageOf, type Voice} from '../../../datasets/voice.ts'

/**
 * What the operator computes, by its documentation; '' where it says nothing in the voice's language. A formula is read
 * in both, as long as it has no words in it.
 */
export function purposeSentence({purpose}: OperatorSource, voice: Voice): string {
  if (!purpose) return ''
  const formulas = purpose.formulas.every((one) => isReadable(one, voice)) ? purpose.formulas : []
  const text = isReadable(purpose.text, voice) ? purpose.text.replace(/[.。;；:：]$/, '') : ''
  if (text === '' && formulas.length === 0) return ''
  const equation = voice.list([...new Set(formulas)].map((one) => `$${one}$`))
  if (formulas.length === 0) return voice.say(`What the operator does: ${text}.`, `算子功能：${text}。`)
  if (text === '') return voice.say(`The operator is documented as ${equation}.`, `算子文档给出的公式为 ${equation}。`)
  return voice.say(
    `What the operator does: ${text}; its documented formula is ${equation}.`,
    `算子功能：${text}，文档给出的公式为 ${equation}。`,
  )
}

/** English has no Chinese characters, and Chinese text has some; formulas may do without. */
export function isReadable(text: string, {language}: Voice): boolean {
  const isChinese = languageOf(text) === 'zh'
  if (language === 'en') return text !== '' && !isChinese
  return text !== '' && (isChinese || !/[A-Za-z]{3,} [A-Za-z]{2,} [A-Za-z]{2,}/.test(text))
}
