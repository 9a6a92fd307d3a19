import type {DtypeRoute} from '../../facts/dtype-route.ts'
import type {Cut} from '../extension-cut.ts'
import {branchText} from './branch-text.ts'
import {shortened} from './check-text.ts'
import {code, codeList, paragraph, some, type Voice} from '../../../datasets/voice.ts'

type DtypeCut = Extract<Cut, {kind: 'dtype'}>

/** Where one more type belongs, what lets it through then, and what has to cope with it. */
export function dtypeReasoning(cut: DtypeCut, voice: Voice): string[] {
  const {list, dtype, isLookedUp, others, route} = cut
  const users = codeList([...new Set(list.users)], voice)
  return [
    paragraph(voice, [
      voice.say(
        [
          `Which types are accepted is not written in the control flow but in ${code(list.name)},`,
          `so the change belongs there: ${code(dtype)} joins ${codeList(list.dtypes, voice)}.`,
        ].join(' '),
        `支持的类型不写在流程里，而是写在 ${code(list.name)} 中，因此只改这一处：在 ${codeList(list.dtypes, voice)} 之外加入 ${code(dtype)}。`,
      ),
      voice.say(
        `The list is used in ${users}; the code there stays as it is.`,
        `使用该列表的是 ${users}，其中的代码不变。`,
      ),
      ...chosenSentences(route, voice),
      ...lookupSentences(route, dtype, voice),
    ]),
    paragraph(voice, [
      isLookedUp
        ? voice.say(
            [
              'A check asks only whether a type is in the list,',
              'so its order means nothing, and the entry goes to the end.',
            ].join(' '),
            '校验只看类型是否在列表中，顺序没有含义，新项放在末尾。',
          )
        : voice.say('The entry goes to the end of the list.', '新项放在列表末尾。'),
      others > 0
        ? voice.say(
            'Other lists of the file stay: they speak for other cases, and a type more there was not asked for.',
            '文件中的其他列表针对别的情形，保持不变。',
          )
        : '',
    ]),
    stepsParagraph(route, dtype, voice),
  ]
}

function chosenSentences({chosen}: DtypeRoute, voice: Voice): string[] {
  return some(chosen, 2).shown.map(({method, branches}) => {
    const place = branchText(branches, voice)
    return place === ''
      ? voice.say(
          `${code(method)} returns it unless a condition before has decided.`,
          `前面的条件都不满足时 ${code(method)} 返回该列表。`,
        )
      : voice.say(`${code(method)} returns it ${place}.`, `${place},${code(method)} 返回该列表。`)
  })
}

function lookupSentences({lookups}: DtypeRoute, dtype: string, voice: Voice): string[] {
  return some(lookups, 3).shown.map(({method, tensors, status}) => {
    const list = codeList(tensors, voice)
    const end =
      status === undefined
        ? ''
        : voice.say(
            `; a type that is not there still ends with ${code(status)}`,
            `；不在列表中的类型仍返回 ${code(status)}`,
          )
    return voice.say(
      `${code(method)} looks up the type of ${list}; with this list, ${code(dtype)} then passes there${end}.`,
      `${code(method)} 查找 ${list} 的类型，使用该列表时 ${code(dtype)} 不再被这一步拒绝${end}。`,
    )
  })
}

/** What runs after the checks. */
function stepsParagraph({steps}: DtypeRoute, dtype: string, voice: Voice): string {
  const texts = some(steps, 2).shown.map(({plan, texts: all}) => {
    const list = codeList(
      some(all, 4).shown.map((one) => shortened(one, 110)),
      voice,
    )
    return voice.say(`${list} in ${code(plan)}`, `${code(plan)} 中的 ${list}`)
  })
  if (texts.length === 0)
    return voice.say(
      `A list only lets the type through; the steps after the check must be able to compute ${code(dtype)}.`,
      `列表只是放行，校验之后的步骤要能计算 ${code(dtype)}。`,
    )
  return voice.say(
    `A list only lets the type through. What has to cope with ${code(dtype)} afterwards: ${texts.join('; ')}.`,
    `列表只是放行，其后需要处理 ${code(dtype)} 的是：${texts.join(';')}。`,
  )
}
