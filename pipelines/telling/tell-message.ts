import {IntlMessageFormat} from 'intl-messageformat'
import {code, paragraph, type Voice} from '../../datasets/voice.ts'
import {catalogue} from './catalogue.ts'

/** What ICU puts into a message, by name. */
export type Values = Record<string, string | number>

/** A situation of the catalogue with what its messages speak of. */
export interface Message {
  topic: string
  situation: string
  values: Readonly<Record<string, MessageValue>>
}

/** A list comes with its length as `<name>_count`, and names in it in code ticks; a pair is a text in each language. */
type MessageValue = string | number | readonly MessageValue[] | Message | {en: string; zh: string}

export const isList = (value: MessageValue): value is readonly MessageValue[] => Array.isArray(value)

/** One wording of a situation; '' if the catalogue has none. */
export function tell({topic, situation, values}: Message, voice: Voice): string {
  const given = Object.entries(values).flatMap(([name, value]): [string, string | number][] => {
    const told: [string, string | number] = [name, textOf(value, voice)]
    return isList(value) ? [told, [`${name}_count`, value.length]] : [told]
  })
  return said(catalogue(voice.language).topics[topic]?.situations[situation], Object.fromEntries(given), voice)
}

/** A paragraph; of messages without words nothing is left. */
export function tellAll(messages: readonly (Message | string)[], voice: Voice): string {
  return paragraph(
    voice,
    messages.map((one) => (typeof one === 'string' ? one : tell(one, voice))),
  )
}

function textOf(value: MessageValue, voice: Voice): string | number {
  if (typeof value !== 'object') return value
  if (isList(value))
    return voice.list(value.map((one) => (typeof one === 'string' ? code(one) : `${textOf(one, voice)}`)))
  return 'topic' in value ? tell(value, voice) : value[voice.language]
}

/** One of the wordings; '' without any. */
export function said(wordings: readonly string[] | undefined, values: Values, voice: Voice): string {
  if (!wordings) return ''
  return formatted(voice.say(wordings, wordings), values, voice)
}

export function formatted(message: string, values: Values, {language}: Voice): string {
  if (message === '') return ''
  const text = String(new IntlMessageFormat(message, language, {}, {ignoreTag: true}).format(values)).trim()
  // Chinese only has spaces next to numbers and code.
  return text.replace(/(?<=[\u4e00-\u9fff]) (?=[\u4e00-\u9fff])/g, '')
}
