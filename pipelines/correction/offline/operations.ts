import {vectorApis} from '../../../cpp/interfaces.ts'
import {code} from '../../../datasets/voice.ts'
import type {Bracketed} from '../../facts/bracketed.ts'
import type {Message} from '../../telling/tell-message.ts'

/** What a call writes where; undefined for calls that are not known. */
export function operation({name, args}: Bracketed): Message | undefined {
  const {formula = '', writes} = vectorApis.get(name) ?? {}
  const [to, ...sources] = args
  if (!isOperation(name) || to === undefined) return undefined
  const filled = (text: string) =>
    text.replace(/\$(\d)/g, (_, at: string) => {
      const source = sources[Number(at) - 1] ?? ''
      if (writes) return code(source)
      return /^-|[-+*/] /.test(source) && formula !== 'exp($1)' ? `(${source})` : source
    })
  const result = code(filled(formula.replace(/\bdst\b/g, () => to)))
  const what = writes ? {en: filled(writes[0]), zh: filled(writes[1])} : result
  return {topic: 'parts', situation: 'writes', values: {name, what, to}}
}

/** Whether it is known what an instruction writes into its first argument. */
export function isOperation(name: string): boolean {
  const {formula, writes} = vectorApis.get(name) ?? {}
  return formula !== undefined || writes !== undefined
}
