import type {Draft} from '../draft.ts'
import {type ConstraintsAsk, countsIn, type Matter, mattersOf, type Rule} from '../kinds/constraints-ask.ts'
import type {ReturnsAsk} from '../kinds/returns-ask.ts'
import {bulletList, ifAny, lines, returnedTypes, ticked, trimStop} from '../text.ts'
import {capitalised, counted, list, stopped} from './english-words.ts'

const matterNames: Readonly<Record<Matter, string>> = {
  behaviour: 'what special values do',
  alignment: 'alignment',
  overlap: 'overlapping addresses',
  order: 'the order of calls and synchronisation',
  range: 'the range of values',
  type: 'data types',
  refusal: 'uses that are not supported',
  place: 'the place of use',
  other: 'other matters',
}

export function constraints({api, isCall, items}: ConstraintsAsk): Draft {
  const groups = mattersOf(items)
  const matters = groups.filter(({matter}) => matter !== 'other').map(({matter}) => matterNames[matter])
  const isAll = matters.length === groups.length && matters.length <= 3
  const named = [...matters.slice(0, 3), ...(isAll ? [] : [matterNames.other])]
  const about = matters.length === 0 ? '' : `, regarding ${list(named)}`
  return {
    question: `What must be observed when ${isCall ? 'calling' : 'using'} ${api} of Ascend C${about}?`,
    reasoning: lines(...groups.map(({matter, items: rules}) => group(matterNames[matter], rules))),
    answer: items.length === 1 ? stopped(items[0]!.text) : bulletList(items.map(({text}) => trimStop(text))),
  }
}

function group(matter: string, rules: readonly Rule[]): string {
  const about = [...new Set(rules.flatMap((rule) => rule.about))]
  const counts = countsIn(rules)
  const parts = [
    counted(rules.length, 'rule'),
    ifAny(about, (names) => `about ${list(names)}`),
    ifAny(counts, (each) =>
      each.map(({bytes, elements, dtype}) => `${bytes} bytes are ${elements} of ${dtype}`).join(', '),
    ),
  ]
  const told = parts.filter(Boolean)
  // How many there are is no thought.
  return told.length < 2 ? '' : `${capitalised(matter)}: ${told.join('; ')}.`
}

export function returns({api, sentences, values, prototypes}: ReturnsAsk): Draft {
  const types = returnedTypes(prototypes)
  return {
    question: `${api} of Ascend C may return ${list(values)}: what does each of them mean?`,
    reasoning: lines(
      ifAny(types, (each) => `By the prototype the type is ${list(each.map(ticked))}.`),
      `The values that have a meaning of their own are ${list(values)}, ${values.length} in all.`,
    ),
    answer: bulletList(sentences.map(trimStop)),
  }
}
