import {interfaces} from '../../../../cpp/interfaces.ts'
import {type ArgumentFact, explained, hasWrittenTemplates} from '../calls.ts'
import type {Draft} from '../draft.ts'
import {purposesIn} from '../kinds/called.ts'
import type {ExampleAsk} from '../kinds/example-ask.ts'
import {requiredCount, templateUses} from '../kinds/operands.ts'
import type {TopicCodeAsk} from '../kinds/topic-ask.ts'
import {blocks, bulletList, codeBlock, ifAny, isLeadOfLength, lines, ticked, trimStop, wholeMeaning} from '../text.ts'
import {aboutOf} from './english-topic.ts'
import {be, clause, counted, list, stopped, uncapitalised} from './english-words.ts'

export function example(ask: ExampleAsk): Draft {
  const lead = trimStop(ask.example.lead)
  const task = isLeadOfLength(lead, 8, 160) ? uncapitalised(lead) : ''
  const mapping = explained(ask.call)
    .filter(({name}) => name !== '')
    .map(argument)
  return {
    question: question(ask, task),
    reasoning: reasoning(ask),
    answer: blocks(
      codeBlock(ask.example.code),
      ifAny(mapping, (each) => `Here:\n\n${bulletList(each)}`),
      ifAny(ask.rules, (each) => `Note: ${each.join(' ')}`),
      ifAny(ask.constraints, (each) => `Also observe:\n${bulletList(each)}`),
    ),
  }
}

function question(ask: ExampleAsk, task: string): string {
  if (task !== '') return `Write the code that calls ${ask.api} of Ascend C for this case: ${task}.`
  if (ask.settings.length > 0) {
    const set = ask.settings.map(({name, value}) => `${name} = ${value}`)
    return `How is ${ask.api} of Ascend C called with ${list(set)}? Give the code.`
  }
  const [array] = ask.arrays
  if (array) return `Give code in which ${ask.api} of Ascend C works on ${array.count} elements of ${array.dtype}.`
  const beside = ask.apis.filter((api) => !ask.api.includes(api))
  if (beside.length > 0)
    return `How is ${ask.api} of Ascend C used together with ${list(beside.slice(0, 3))}? Give the code.`
  return `Give code that shows how ${ask.api} of Ascend C is used.`
}

function reasoning(ask: ExampleAsk): string {
  const ground = lines(
    ask.purpose === '' ? '' : `${purposeOfCall({name: ask.api, purpose: ask.purpose})}.`,
    formUsed(ask),
    ...ask.arrays.map(({name, dtype, count, bytes}) => `${name} holds ${count} elements of ${dtype}, ${bytes} bytes.`),
    size(ask.size),
    ask.steps.length > 1 ? `It takes ${ask.steps.length} steps: ${ask.steps.map(clause).join('; ')}.` : '',
    ifAny(purposesIn('en', ask.called), (each) => `${each.map(purposeOfCall).join('; ')}.`),
  )
  return lines(ground, ground !== '' && ask.apis.length > 1 ? `The code calls ${list(ask.apis)}.` : '')
}

function formUsed({call, bare, api, example: {code}}: ExampleAsk): string {
  if (!call) return bare ? withoutArguments(api, bare.returns) : ''
  const {prototype, arguments: given} = call
  const pairs = given
    .filter(({name}) => name !== '')
    .map(({name, value}) => (name === value ? name : `${ticked(value)} for ${name}`))
  // A form may leave its parameters without names.
  if (pairs.length === 0) return ''
  const omitted = prototype.parameters.length - given.length
  const deduced = templateUses(prototype)
    .filter(({how}) => how === 'deduced')
    .map(({name}) => name)
  return [
    `The form used has ${counted(prototype.parameters.length, 'parameter')}: ${list(pairs)}.`,
    omitted > 0 ? `Only ${requiredCount(prototype)} must be given; ${omitted} ${be(omitted)} left to the default.` : '',
    hasWrittenTemplates(code, prototype.name)
      ? 'Its template arguments are written in angle brackets.'
      : ifAny(deduced, (names) => `${list(names)} ${names.length === 1 ? 'follows' : 'follow'} from the arguments.`),
  ]
    .filter(Boolean)
    .join(' ')
}

function withoutArguments(api: string, returns: string): string {
  const result = ['', 'void'].includes(returns) ? 'gives nothing back' : `gives back ${ticked(returns)}`
  return `${api} takes no argument and ${result}.`
}

function size(fact: ExampleAsk['size']): string {
  if (!fact) return ''
  const {count, dtype, bytes, unitBytes} = fact
  const amount = `The amount of data: ${count} elements of ${dtype} are ${bytes} bytes`
  if (unitBytes === undefined) return `${amount}.`
  return `${amount}, ${bytes % unitBytes === 0 ? 'a' : 'not a'} multiple of the ${unitBytes} that are demanded.`
}

function purposeOfCall({name, purpose}: Pick<ExampleAsk['called'][number], 'name' | 'purpose'>): string {
  return `${name}: ${clause(purpose)}`
}

function argument({name, value, parameter, choice}: ArgumentFact): string {
  if (!parameter || parameter.meaning.length === 0) return `\`${value}\` is ${name}`
  const chosen = choice ? `; ${choice.name} means ${clause(choice.text)}` : ''
  return `\`${value}\` is ${name}: ${clause(wholeMeaning(parameter.meaning, '; '))}${chosen}`
}

export function topicCode(ask: TopicCodeAsk): Draft {
  const about = aboutOf(ask)
  const lead = trimStop(ask.example.lead)
  const isTask = isLeadOfLength(lead, 12, 160) && !ask.points.includes(ask.example.lead)
  const called = ask.called.map(({name}) => name)
  const steps = ask.apis.filter((api) => !called.includes(api)).flatMap(known)
  const ground = lines(
    ...ask.because.map(stopped),
    ifAny([...steps, ...purposesIn('en', ask.called).map(purposeOfCall)], (each) => `${each.join('; ')}.`),
  )
  return {
    question: isTask
      ? `Write Ascend C code for this part of ${about}: ${uncapitalised(lead)}.`
      : `What does Ascend C code for ${about} look like, with ${list(ask.apis.slice(0, 4))}?`,
    reasoning: lines(ground, ground !== '' && ask.apis.length > 1 ? `The code calls ${list(ask.apis)}.` : ''),
    answer: blocks(codeBlock(ask.example.code), bulletList(ask.points)),
  }
}

/** What an interface of the core or the host does, where the table of interfaces says it. */
function known(api: string): string[] {
  const {family, en = ''} = interfaces.get(api) ?? {}
  return (family === 'member' || family === 'resource') && en !== '' ? [`${api} ${en}`] : []
}
