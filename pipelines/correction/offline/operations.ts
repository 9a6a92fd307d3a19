import {vectorApis} from '../../../cpp/interfaces.ts'
import {code, type Voice} from '../../../datasets/voice.ts'
import type {Bracketed} from '../../facts/bracketed.ts'

/** What a call writes where; '' for calls that are not known. */
export function operationText({name, args}: Bracketed, {say, language}: Voice): string {
  const {formula = '', writes} = vectorApis.get(name) ?? {}
  const [to, ...sources] = args
  if (!isOperation(name) || to === undefined) return ''
  const told = writes?.[language === 'en' ? 0 : 1] ?? formula.replace(/\bdst\b/g, () => to)
  const value = told.replace(/\$(\d)/g, (_, at: string) => {
    const source = sources[Number(at) - 1] ?? ''
    if (writes) return code(source)
    return /^-|[-+*/] /.test(source) && formula !== 'exp($1)' ? `(${source})` : source
  })
  const shown = writes ? value : code(value)
  return say(`${code(name)} writes ${shown} into ${code(to)}.`, `${code(name)}把${shown}写进${code(to)}。`)
}

/** Whether it can be told what an instruction writes into its first argument. */
export function isOperation(name: string): boolean {
  const {formula, writes} = vectorApis.get(name) ?? {}
  return formula !== undefined || writes !== undefined
}
