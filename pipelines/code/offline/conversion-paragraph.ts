import type {KernelFacts} from '../../../datasets/schema/code-facts.ts'
import {code, paragraph, type Voice} from '../../../datasets/voice.ts'

/** Casts and why they are there. */
export function conversionParagraph({vectorCalls, methods}: KernelFacts, voice: Voice): string {
  const casts = vectorCalls.filter(({call}) => call.name === 'Cast')
  if (casts.length === 0) return ''
  const given = casts.flatMap(({call}) => call.args.flatMap((argument) => /\bCAST_\w+/.exec(argument)?.[0] ?? []))
  const modes = [...new Set(given)].map((mode) => rounding(mode, voice))
  const usesBfloat16 = methods.some(({syntax}) => /\bbfloat16_t\b/.test(syntax.body))
  return paragraph(voice, [
    usesBfloat16 ? bfloat16Sentence(voice) : '',
    modes.length > 0 ? voice.say(`Rounding: ${modes.join('; ')}.`, `舍入方式:${modes.join(';')}。`) : '',
  ])
}

function bfloat16Sentence(voice: Voice): string {
  return voice.say(
    'The vector unit of this chip has no bfloat16 arithmetic, so such values are computed in float.',
    '该芯片的矢量单元不支持 bfloat16 运算,需先转换为 float 再计算。',
  )
}

const roundings: Readonly<Record<string, {en: string; zh: string}>> = {
  CAST_NONE: {
    en: 'where nothing can be lost, or to the nearest even otherwise',
    zh: '用于不损失精度的转换(否则等同于向偶数舍入)',
  },
  CAST_RINT: {en: 'rounds to the nearest, ties to even', zh: '四舍六入五成双'},
  CAST_ROUND: {en: 'rounds to the nearest, ties away from zero', zh: '四舍五入'},
  CAST_FLOOR: {en: 'rounds down', zh: '向下取整'},
  CAST_CEIL: {en: 'rounds up', zh: '向上取整'},
  CAST_TRUNC: {en: 'drops the fraction', zh: '向零取整'},
  CAST_ODD: {en: 'rounds to odd', zh: '向奇数舍入'},
}

function rounding(mode: string, voice: Voice): string {
  const what = roundings[mode]
  return what ? voice.say(`${code(mode)} ${what.en}`, `${code(mode)} ${what.zh}`) : code(mode)
}
