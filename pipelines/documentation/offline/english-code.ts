import type {Random} from '../../../engine/random.ts'
import type {AskOf} from './ask.ts'
import {type ArgumentFact, type CallFact, explained} from './calls.ts'
import type {Draft} from './draft.ts'
import {clause, clauses, counted, list, recall, uncapitalised} from './english-words.ts'
import {blocks, bulletList, codeBlock, ifAny, isLeadOfLength, lines, trimStop} from './text.ts'

type Example = AskOf<'example'>

export function example(ask: Example, random: Random): Draft {
  const lead = trimStop(ask.example.lead)
  const task = isLeadOfLength(lead, 8, 160) ? uncapitalised(lead) : ''
  const mapping = explained(ask.call).map(argument)
  const request = random.pick([
    `Write Ascend C code that shows how ${ask.api} is used.`,
    `Give an example of ${ask.api} in Ascend C.`,
  ])
  return {
    question: task === '' ? request : `${request} The case: ${task}.`,
    reasoning: reasoning(ask, task, mapping),
    answer: blocks(
      codeBlock(ask.example.code),
      ifAny(mapping, (each) => `Here:\n\n${bulletList(each)}`),
      ifAny(ask.rules, (each) => `Note: ${each.join(' ')}`),
    ),
  }
}

function reasoning(ask: Example, task: string, mapping: readonly string[]): string {
  return lines(
    ask.call
      ? `To write the call, the form of ${ask.api} comes first and the arguments after it.`
      : `What the code has to achieve comes first, and the interfaces that it needs after it.`,
    recall(ask.purpose, ask.api),
    task === '' ? '' : `The code has to fit the case: ${task}.`,
    ask.call ? formUsed(ask.call) : '',
    ifAny(mapping, (each) => `One by one: ${each.join('; ')}.`),
    size(ask.size),
    ask.apis.length > 1 ? `The code calls ${list(ask.apis)}, in this order.` : '',
    ifAny(ask.rules, (each) => `The chosen value brings a demand: ${clauses(each)}.`),
    ifAny(ask.constraints, (each) => `Checked against the restrictions: ${clauses(each)}.`),
  )
}

function argument({name, value, parameter, choice}: ArgumentFact): string {
  if (!parameter) return `\`${value}\` is ${name}`
  const chosen = choice ? `; ${choice.name} means ${clause(choice.text)}` : ''
  return `\`${value}\` is ${name}: ${clause(parameter.meaning[0] ?? '')}${chosen}`
}

function formUsed({prototype: {parameters}}: CallFact): string {
  return `The form used has ${counted(parameters.length, 'parameter')}: ${list(parameters.map(({name}) => name))}.`
}

function size(fact: Example['size']): string {
  if (!fact) return ''
  const {count, dtype, bytes, unitBytes} = fact
  const amount = `The amount of data: ${count} elements of ${dtype} are ${bytes} bytes`
  if (unitBytes === undefined) return `${amount}.`
  return `${amount}, ${bytes % unitBytes === 0 ? 'a' : 'not a'} multiple of the ${unitBytes} that are demanded.`
}

function aboutOf({heading, page}: AskOf<'topic' | 'topic-code'>): string {
  return heading === '' || heading === page ? `"${page}"` : `"${heading}" in "${page}"`
}

export function topicCode(ask: AskOf<'topic-code'>): Draft {
  const about = aboutOf(ask)
  const steps = ask.apis.flatMap((api) => known[api] ?? [])
  return {
    question: `Give Ascend C code for ${about}.`,
    reasoning: lines(
      `What ${about} has to achieve decides which interfaces the code calls.`,
      ifAny(ask.points, (each) => `The points to respect: ${clauses(each)}.`),
      `The code then uses ${list(ask.apis)}, in this order.`,
      ifAny(steps, (each) => `${each.join('; ')}.`),
    ),
    answer: blocks(codeBlock(ask.example.code), bulletList(ask.points)),
  }
}

const known: Readonly<Record<string, string>> = {
  InitBuffer: 'InitBuffer gives memory to a queue or buffer',
  SetGlobalBuffer: 'SetGlobalBuffer binds a GlobalTensor to an address that the kernel received',
  AllocTensor: 'AllocTensor takes a free block from a queue',
  EnQue: 'EnQue hands a tensor to the next stage',
  DeQue: 'DeQue takes the tensor that the stage before handed over',
  FreeTensor: 'FreeTensor gives the block back',
  SetBlockDim: 'SetBlockDim sets how many cores run',
  SaveToBuffer: 'SaveToBuffer serialises the tiling structure',
  GetBlockIdx: 'GetBlockIdx tells which core this is, from which its offset follows',
}

export function topic(ask: AskOf<'topic'>, random: Random): Draft {
  const about = aboutOf(ask)
  return {
    question: random.pick([
      `In Ascend C development, what are the main points of ${about}?`,
      `Explain the essentials of ${about} for someone who writes Ascend C operators.`,
    ]),
    reasoning: lines(
      `The scope is ${about}: what problem it solves, and which rules follow.`,
      ...ask.points.map((point, index) => `${ordinal(index, ask.points.length)}: ${clause(point)}.`),
      `That makes ${ask.points.length} points.`,
    ),
    answer: bulletList(ask.points),
  }
}

function ordinal(index: number, count: number): string {
  if (index === 0) return 'First'
  return index === count - 1 ? 'Last' : 'Next'
}
