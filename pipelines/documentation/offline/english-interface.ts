import type {Random} from '../../../engine/random.ts'
import type {AskOf} from './ask.ts'
import type {Draft} from './draft.ts'
import {clause, clauses, directions, list, recall} from './english-words.ts'
import {alignedElements, blocks, bulletList, ifAny, lines, returnedTypes, saysWhen, ticked, trimStop} from './text.ts'

export function constraints(ask: AskOf<'constraints'>, random: Random): Draft {
  const {api, items} = ask
  const isOne = items.length === 1
  const user = ask.isCall ? `A call of ${api}` : `Code that uses ${api}`
  return {
    question: ask.isCall
      ? random.pick([
          `Which restrictions apply when calling ${api} in Ascend C?`,
          `What must be checked before calling ${api} in an Ascend C kernel?`,
        ])
      : `Which restrictions apply to the use of ${api} in Ascend C?`,
    reasoning: lines(
      `Correct use of ${api} depends on its operands, on the values of its parameters and on where it is called.`,
      recall(ask.purpose, api),
      isOne ? 'One restriction matters:' : `Taken one by one, there are ${items.length}:`,
      ...items.map((item, index) => `${index + 1}. ${restriction(item, ask.dtypes)}`),
      isOne ? 'Code that meets it is legal.' : 'All of them hold at once; breaking one can give wrong results.',
    ),
    answer: isOne
      ? `${trimStop(items[0]!.text)}.`
      : `${user} must meet these conditions:\n\n${bulletList(items.map((item) => item.text))}`,
  }
}

function restriction({text, about}: AskOf<'constraints'>['items'][number], dtypes: readonly string[]): string {
  const counts = alignedElements(text, dtypes).map(
    ({bytes, elements, dtype}) => `${bytes} bytes are ${elements} of ${dtype}`,
  )
  return [
    `${trimStop(text)}.`,
    ifAny(about, (names) => ` It concerns ${list(names)}.`),
    ifAny(counts, (each) => ` In elements: ${each.join(', ')}.`),
  ].join('')
}

export function purpose(ask: AskOf<'purpose'>, random: Random): Draft {
  const {api, constraints: limits} = ask
  const [first = '', ...more] = ask.sentences
  const operands = ask.operands.map(
    ({name, direction, meaning}) => `${name} is ${directions[direction]} (${clause(meaning[0] ?? '')})`,
  )
  return {
    question: random.pick([
      `What is ${api} for in Ascend C?`,
      `What does ${api} do in Ascend C?`,
      ...(saysWhen(ask.sentences) ? [`When is ${api} of Ascend C needed?`] : []),
    ]),
    reasoning: lines(
      `The use of ${api} shows in what it reads, what it writes and what it does in between.`,
      ifAny(operands, (each) => `The parameters say: ${each.join('; ')}.`),
      `Its core action is then: ${clause(first)}.`,
      ifAny(more, (each) => `In more detail: ${clauses(each)}.`),
      ifAny(limits, (each) => `Its limits belong to the answer: ${clauses(each)}.`),
    ),
    answer: blocks(
      `${trimStop(first)}.`,
      more.join(' '),
      ifAny(limits, (each) => `Keep in mind:\n${bulletList(each)}`),
    ),
  }
}

export function returns({api, purpose: does, sentences, prototypes}: AskOf<'returns'>): Draft {
  return {
    question: `What does ${api} of Ascend C return?`,
    reasoning: lines(
      `The return value follows from what ${api} does and from its prototype.`,
      recall(does, api),
      ifAny(returnedTypes(prototypes), (types) => `The prototype declares ${list(types.map(ticked))}.`),
      `Its meaning: ${clauses(sentences)}.`,
    ),
    answer: sentences.join(' '),
  }
}

export function pipe({api, purpose: does, sentence}: AskOf<'pipe'>): Draft {
  const others = 'An instruction of another pipe that uses its result has to wait for this pipe.'
  return {
    question: `On which pipe does ${api} of Ascend C run?`,
    reasoning: lines(
      `The pipe decides what ${api} can overlap with and what has to be synchronised with it.`,
      recall(does, api),
      `It belongs here: ${trimStop(sentence)}. ${others}`,
    ),
    answer: `${trimStop(sentence)}.`,
  }
}
