import {vectorApis} from '../apis.ts'
import type {KernelFacts} from '../facts.ts'
import {code, codes, paragraph, some, type Voice} from './say.ts'

/** The vector instructions in order, method by method, with what each does. */
export function computeParagraph({steps: all, vectorCalls, matrixCalls, methods}: KernelFacts, voice: Voice): string {
  const byMethod = new Map<string, KernelFacts['steps']>()
  for (const one of all) byMethod.set(one.method, [...(byMethod.get(one.method) ?? []), one])
  const described = new Set<string>()
  const sentences = [...byMethod].slice(0, 6).map(([method, calls]) => {
    const steps = merge(calls)
    const {shown, more} = some(steps, 8)
    const texts = shown.map(({call, branch, from}) => {
      if (from !== undefined)
        return voice.say(`${code(written(call))} from ${code(from)}`, `${code(from)} 中的 ${code(written(call))}`)
      const what = vectorApis.get(call.name)
      const first = !described.has(call.name)
      described.add(call.name)
      const explained =
        first && what
          ? voice.say(`${code(written(call))} ${what.en}`, `${code(written(call))} ${what.zh}`)
          : code(written(call))
      return branch ? voice.say(`${explained} (from here on by case)`, `${explained}(此处起按条件分支)`) : explained
    })
    return voice.say(
      `In ${code(method)}: ${texts.join(', then ')}${more > 0 ? `, followed by ${more} more steps of this kind` : ''}.`,
      `${code(method)} 中:${texts.join(',随后 ')}${more > 0 ? `,之后还有 ${more} 步类似操作` : ''}。`,
    )
  })
  const rest =
    byMethod.size > 6
      ? voice.say(
          `${byMethod.size - 6} more methods compute in the same manner.`,
          `其余 ${byMethod.size - 6} 个方法的计算方式相同。`,
        )
      : ''
  const scalar =
    vectorCalls.length === 0 &&
    methods.some(({syntax}) => syntax.calls.some(({name}) => name === 'GetValue' || name === 'SetValue'))
      ? voice.say('The values are few, so the scalar unit handles them one by one.', '数据量很小,由标量单元逐个处理。')
      : ''
  const cube =
    matrixCalls.length > 0
      ? voice.say(
          `The matrix part goes through ${voice.list(codes(some(matrixCalls, 6).shown))}.`,
          `矩阵部分依次使用 ${voice.list(codes(some(matrixCalls, 6).shown))}。`,
        )
      : ''
  const opening =
    sentences.length > 0
      ? voice.say(
          [
            'The computation itself, on one tile:',
            'What happens to a tile:',
            'On each tile the vector unit works as follows.',
          ],
          ['单个 tile 上的计算过程如下。', '每个 tile 的计算步骤:', '矢量单元对每一块数据依次处理。'],
        )
      : ''
  return paragraph(voice, [opening, ...sentences, rest, scalar, cube])
}

type Call = KernelFacts['steps'][number]['call']

interface Step {
  call: Call
  /** First of a run of steps inside a branch. */
  branch: boolean
  from: string | undefined
}

/** Equal calls that follow each other say nothing new. */
function merge(calls: KernelFacts['steps']): Step[] {
  const steps: Step[] = []
  for (const {call, from} of calls) {
    const last = steps.at(-1)
    if (last && written(last.call) === written(call)) continue
    steps.push({call, from, branch: call.conditional && !last?.call.conditional})
  }
  return steps
}

function written({name, args}: Call): string {
  const text = `${name}(${args.join(', ')})`
  return text.length <= 90 ? text : `${name}(${args.slice(0, 2).join(', ')}, …)`
}

/** Casts and why they are there. */
export function conversionParagraph({vectorCalls, methods}: KernelFacts, voice: Voice): string {
  const casts = vectorCalls.filter(({call}) => call.name === 'Cast')
  if (casts.length === 0) return ''
  const modes = [
    ...new Set(casts.flatMap(({call}) => call.args.flatMap((argument) => /\bCAST_\w+/.exec(argument)?.[0] ?? []))),
  ]
  const bodies = methods.map(({syntax}) => syntax.body).join('\n')
  return paragraph(voice, [
    /\bbfloat16_t\b/.test(bodies)
      ? voice.say(
          'The vector unit of this chip has no bfloat16 arithmetic, so such values are computed in float.',
          '该芯片的矢量单元不支持 bfloat16 运算,需先转换为 float 再计算。',
        )
      : voice.say(
          [
            'The element type changes on the way, either because an instruction lacks the type or because more precision is wanted in between.',
            'Conversions appear where an instruction does not take the type, or where the intermediate result needs more precision.',
          ],
          [
            '中间需要转换数据类型:要么指令不支持原类型,要么中间结果需要更高精度。',
            '类型转换出现在指令不支持该类型,或中间结果需要更高精度的位置。',
          ],
        ),
    modes.length > 0
      ? voice.say(
          `Rounding: ${modes.map((mode) => rounding(mode, voice)).join('; ')}.`,
          `舍入方式:${modes.map((mode) => rounding(mode, voice)).join(';')}。`,
        )
      : '',
  ])
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
