import {type Language, type Voice, voice} from '../../datasets/voice.ts'
import {randomFrom} from '../../engine/random.ts'
import type {Reason} from '../../pipelines/correction/offline/reason.ts'
import {type Message, tell, tellAll} from '../../pipelines/telling/tell-message.ts'

/** Of every list of wordings one, by its place; the first is that which tests know by heart. */
export function nthWording(language: Language, at = 0): Voice {
  const pick = (words: string | readonly string[]) =>
    typeof words === 'string' ? words : (words[at % words.length] ?? '')
  return {...voice(language, randomFrom('nth')), say: (en, zh) => pick(language === 'en' ? en : zh)}
}

export interface SaidReason {
  fault: string
  why: string
  fromCode: boolean
}

/** A reason in words, or undefined for none. */
export function said(reason: Reason | undefined, speaker: Voice): SaidReason | undefined {
  return reason && {fault: tellAll(reason.fault, speaker), why: tellAll(reason.why, speaker), fromCode: reason.fromCode}
}

/** Whether a text says a message, in any of its words. */
export function says(text: string, topic: string, situation: string, values: Message['values'] = {}): boolean {
  const message = {topic, situation, values}
  const places = Array.from({length: mostWordings}, (_, at) => at)
  const wordings = (['en', 'zh'] as const).flatMap((language) =>
    places.map((at) => tell(message, nthWording(language, at))),
  )
  return wordings.some((one) => one !== '' && text.includes(one))
}

const mostWordings = 8
