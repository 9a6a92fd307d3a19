import type {Draft} from '../draft.ts'
import {type ConstraintsAsk, countsIn, type Matter, mattersOf, type Rule} from '../kinds/constraints-ask.ts'
import type {ReturnsAsk} from '../kinds/returns-ask.ts'
import {bulletList, closed, ifAny, lines, returnedTypes, ticked, trimStop} from '../text.ts'
import {list, listAnd} from './chinese-words.ts'

const matterNames: Readonly<Record<Matter, string>> = {
  behaviour: '特殊取值时的行为',
  alignment: '对齐',
  overlap: '地址重叠',
  order: '调用的先后和同步',
  range: '取值范围',
  type: '数据类型',
  refusal: '不支持的用法',
  place: '使用的场合',
  other: '其他方面',
}

export function constraints({api, isCall, items}: ConstraintsAsk): Draft {
  const groups = mattersOf(items)
  const matters = groups.filter(({matter}) => matter !== 'other').map(({matter}) => matterNames[matter])
  const isAll = matters.length === groups.length && matters.length <= 3
  const verb = isCall ? '调用' : '使用'
  const matter = ifAny(matters.slice(0, 3), (each) => `，在${listAnd(each)}${isAll ? '上' : '等方面'}`)
  return {
    question: `${verb}Ascend C的${api}${matter}要注意什么？`,
    reasoning: lines(...groups.map(({matter, items: rules}) => group(matterNames[matter], rules))),
    answer: items.length === 1 ? closed(items[0]!.text) : bulletList(items.map(({text}) => trimStop(text))),
  }
}

function group(matter: string, rules: readonly Rule[]): string {
  const about = [...new Set(rules.flatMap((rule) => rule.about))]
  const counts = countsIn(rules)
  const parts = [
    `有${rules.length}条`,
    ifAny(about, (names) => `涉及${list(names)}`),
    ifAny(counts, (each) => each.map(({bytes, elements, dtype}) => `${bytes}字节合${elements}个${dtype}`).join('，')),
    ifAny(numbersIn(rules, counts), (each) => `给定的数值是${list(each)}`),
  ]
  const told = parts.filter(Boolean)
  // How many there are is no thought.
  return told.length < 2 && matter !== matterNames.behaviour ? '' : `关于${matter}：${told.join('，')}。`
}

function numbersIn(rules: readonly Rule[], counts: readonly {bytes: number}[]): string[] {
  const written = rules.flatMap(
    ({text}) => text.match(/(?<![\w.])\d+(?:\.\d+)?(?:\s*(?:字节|Bytes?|B|KB|次|个))?(?!\w|\.\d)/g) ?? [],
  )
  const isCounted = (text: string) => counts.some(({bytes}) => text === `${bytes}字节` || text === `${bytes}B`)
  return [...new Set(written.map((text) => text.replace(/\s/g, '')))].filter((text) => !isCounted(text))
}

export function returns({api, sentences, values, prototypes}: ReturnsAsk): Draft {
  const types = returnedTypes(prototypes)
  return {
    question: `Ascend C的${api}可能返回${listAnd(values)}，分别表示什么？`,
    reasoning: lines(
      ifAny(types, (each) => `函数原型里的返回类型是${list(each.map(ticked))}。`),
      `有说明的值是${list(values)}，共${values.length}个，要逐个对应。`,
    ),
    answer: bulletList(sentences.map(trimStop)),
  }
}
