import type {AskOf} from './ask.ts'
import type {Draft} from './draft.ts'
import {list} from './english-words.ts'
import {blocks, bulletList, ifAny, lines, trimStop} from './text.ts'

export function range({parameter: fact, api, sentence, low, high, value}: AskOf<'range'>): Draft {
  const owner = fact.structure === '' ? `parameter ${fact.name} of ${api}` : `member ${fact.name} of ${fact.structure}`
  const isInside = value >= low && value <= high
  const rule = `The range of ${fact.name} is [${low}, ${high}], and ${value}`
  return {
    question: `In Ascend C, may ${owner} be set to ${value}?`,
    reasoning: lines(
      `Whether ${value} is legal depends on the range of ${fact.name}.`,
      `Its meaning: ${trimStop(sentence)}. So the smallest value is ${low} and the largest is ${high}, both included.`,
      isInside
        ? `${low} ≤ ${value} ≤ ${high}: the value is inside.`
        : `${value} is larger than ${high} by ${value - high}: the value is outside.`,
    ),
    answer: isInside ? `Yes. ${rule} lies in it.` : `No. ${rule} is above the upper end.`,
  }
}

export function multiple({api, sentence, unitBytes, dtype, dtypeBytes, count}: AskOf<'multiple'>): Draft {
  const bytes = count * dtypeBytes
  const rest = bytes % unitBytes
  const per = unitBytes / dtypeBytes
  const elements = `${count} elements of ${dtype}`
  const demand = 'meet the requirement on the amount of data'
  return {
    question: `Does one call of ${api} in Ascend C with ${elements} ${demand}?`,
    reasoning: lines(
      `The requirement is: ${trimStop(sentence)}.`,
      [
        `An element of ${dtype} takes ${dtypeBytes} bytes, so`,
        `${count} elements take ${count} × ${dtypeBytes} = ${bytes} bytes.`,
      ].join(' '),
      `${bytes} divided by ${unitBytes} is ${Math.floor(bytes / unitBytes)} with remainder ${rest}.`,
      `In elements, ${unitBytes} bytes are ${per} of ${dtype}, so the count must be a multiple of ${per}.`,
    ),
    answer:
      rest === 0
        ? `Yes. ${elements} are ${bytes} bytes, a multiple of ${unitBytes} bytes.`
        : [
            `No. ${elements} are ${bytes} bytes, which is not a multiple of ${unitBytes} bytes.`,
            `For ${dtype} the count must be a multiple of ${per}.`,
          ].join(' '),
  }
}

export function dataTypes(ask: AskOf<'data-types'>): Draft {
  const owner = ask.owner === '' ? 'the operands' : `template parameter ${ask.owner}`
  return ask.asked === undefined ? whichTypes(ask, owner) : isSupported(ask, owner, ask.asked)
}

const onThisChip = 'On Atlas A2 training products'

function whichTypes({api, supported, sentence}: AskOf<'data-types'>, owner: string): Draft {
  return {
    question: `${onThisChip}, which data types may ${owner} of ${api} have?`,
    reasoning: lines(
      `What counts is which types ${owner} may have, and under which conditions.`,
      `The types involved are ${list(supported)}.`,
      `The condition is part of the rule: ${trimStop(sentence)}. The answer must keep it.`,
    ),
    answer: `${trimStop(sentence)}.`,
  }
}

function isSupported({api, supported, constraints}: AskOf<'data-types'>, owner: string, asked: string): Draft {
  const ok = supported.includes(asked)
  return {
    question: `${onThisChip}, does ${api} of Ascend C support ${asked}?`,
    reasoning: lines(
      `Whether ${asked} can be used depends on the types that ${owner} of ${api} may have.`,
      `These are ${list(supported)}.`,
      ok ? `${asked} is one of them.` : `None of them is ${asked}, so a tensor of ${asked} cannot be passed.`,
      ifAny(constraints, (each) => `The restrictions add: ${each.map(trimStop).join('; ')}.`),
    ),
    answer: blocks(
      `${ok ? 'Yes' : 'No'}. ${onThisChip}, ${owner} of ${api} may be ${list(supported)}.`,
      bulletList(constraints),
    ),
  }
}
