import type {Random} from '../../../engine/random.ts'
import type {Ask, ParameterUse} from './asks.ts'
import type {Draft} from './compose.ts'
import {alignedElements, bulletList, codeBlock, distinctTypes, memoryOf, trimStop, typeLimit} from './text.ts'

const directions = {input: 'an input', output: 'an output', both: 'both an input and an output', '': ''}
const lower = (sentence: string) =>
  /^[A-Z][a-z]+(?:\s|$)/.test(sentence) ? sentence[0]!.toLowerCase() + sentence.slice(1) : sentence

function list(names: readonly string[]): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
}

/** Writes one question in English: the reasoning goes from the question to the facts and from the facts to the answer. */
export function writeEnglish(ask: Ask, random: Random): Draft {
  switch (ask.kind) {
    case 'parameter':
      return parameter(ask, random)
    case 'range':
      return range(ask)
    case 'multiple':
      return multiple(ask)
    case 'data-types':
      return dataTypes(ask)
    case 'constraints':
      return constraints(ask, random)
    case 'prototypes':
      return prototypes(ask)
    case 'example':
      return example(ask, random)
    case 'purpose':
      return purpose(ask, random)
    case 'returns':
      return returns(ask)
    case 'pipe':
      return pipe(ask)
    case 'topic-code':
      return topicCode(ask)
    case 'topic':
      return topic(ask, random)
  }
}

type Of<K extends Ask['kind']> = Extract<Ask, {kind: K}>

function recall(purposeSentence: string, api: string): string {
  return purposeSentence === '' ? '' : `What ${api} does comes first: ${lower(trimStop(purposeSentence))}.`
}

function usage(uses: readonly ParameterUse[]): string {
  if (uses.length === 0) return ''
  const first = uses[0]!
  const where =
    uses.length === 1
      ? `It is parameter ${first.position} of ${first.of}`
      : `It occurs in ${uses.length} forms, at position ${[...new Set(uses.map((use) => use.position))].join(' or ')}`
  const types = distinctTypes(uses)
  const written = types.map((type) => `\`${type}\``)
  return `${where}, ${types.length === 1 ? `of type ${written[0]}` : `and its type differs between forms: ${list(written)}`}.${typeMeaning(types)}`
}

function typeMeaning(types: readonly string[]): string {
  const limit = typeLimit(types)
  if (limit)
    return ` An unsigned integer of ${limit.bits} bits holds ${limit.max} at most, so no larger value can be passed.`
  return {
    local: ' It stands for a tensor in on-chip memory, which must have been allocated.',
    global: ' It stands for data in Global Memory.',
    either: ' The form decides whether it lies in on-chip memory or in Global Memory.',
    '': '',
  }[memoryOf(types)]
}

function parameter(ask: Of<'parameter'>, random: Random): Draft {
  const {parameter: fact, api} = ask
  const subject =
    fact.structure === ''
      ? `parameter ${fact.name} of ${api}`
      : `member ${fact.name} of ${fact.structure}, which ${api} uses`
  const [first = '', ...more] = fact.meaning
  const choices = fact.choices.map((choice) => `${choice.name}: ${choice.text}`)
  return {
    question: random.pick([
      `In Ascend C, what does the ${subject} mean, and how is it set?`,
      `How should the ${subject} be filled in when writing Ascend C?`,
    ]),
    reasoning: [
      `The question is about the ${subject}: what it stands for, and which values are allowed.`,
      recall(ask.purpose, api),
      usage(ask.uses),
      fact.direction === '' ? '' : `By the direction of the data it is ${directions[fact.direction]}.`,
      `It stands for this: ${lower(trimStop(first))}.`,
      choices.length > 0 ? `Its values have these meanings: ${choices.map(trimStop).join('; ')}.` : '',
      more.length > 0 ? `On top of that: ${more.map((sentence) => lower(trimStop(sentence))).join('; ')}.` : '',
      ask.constraints.length > 0
        ? `The restrictions that concern it: ${ask.constraints.map((line) => lower(trimStop(line))).join('; ')}.`
        : '',
      'Meaning and limits together give the rule for setting it.',
    ]
      .filter(Boolean)
      .join('\n'),
    answer: [
      `${fact.name}: ${trimStop(first)}.`,
      bulletList([...choices, ...more]),
      ask.constraints.length > 0 ? `Also observe:\n${bulletList(ask.constraints)}` : '',
    ]
      .filter(Boolean)
      .join('\n\n'),
  }
}

function range(ask: Of<'range'>): Draft {
  const {parameter: fact, low, high, value} = ask
  const ok = value >= low && value <= high
  return {
    question: `In Ascend C, may ${fact.structure === '' ? `parameter ${fact.name} of ${ask.api}` : `member ${fact.name} of ${fact.structure}`} be set to ${value}?`,
    reasoning: `Whether ${value} is legal depends on the range of ${fact.name}.\nIts meaning: ${trimStop(ask.sentence)}. So the smallest value is ${low} and the largest is ${high}, both included.\n${ok ? `${low} ≤ ${value} ≤ ${high}: the value is inside.` : `${value} is larger than ${high} by ${value - high}: the value is outside.`}`,
    answer: ok
      ? `Yes. The range of ${fact.name} is [${low}, ${high}], and ${value} lies in it.`
      : `No. The range of ${fact.name} is [${low}, ${high}], and ${value} is above the upper end.`,
  }
}

function multiple(ask: Of<'multiple'>): Draft {
  const bytes = ask.count * ask.dtypeBytes
  const rest = bytes % ask.unitBytes
  const per = ask.unitBytes / ask.dtypeBytes
  return {
    question: `Does one call of ${ask.api} in Ascend C with ${ask.count} elements of ${ask.dtype} meet the requirement on the amount of data?`,
    reasoning: `The requirement is: ${trimStop(ask.sentence)}.\nAn element of ${ask.dtype} takes ${ask.dtypeBytes} bytes, so ${ask.count} elements take ${ask.count} × ${ask.dtypeBytes} = ${bytes} bytes.\n${bytes} divided by ${ask.unitBytes} is ${Math.floor(bytes / ask.unitBytes)} with remainder ${rest}.\nIn elements, ${ask.unitBytes} bytes are ${per} of ${ask.dtype}, so the count must be a multiple of ${per}.`,
    answer:
      rest === 0
        ? `Yes. ${ask.count} elements of ${ask.dtype} are ${bytes} bytes, a multiple of ${ask.unitBytes} bytes.`
        : `No. ${ask.count} elements of ${ask.dtype} are ${bytes} bytes, which is not a multiple of ${ask.unitBytes} bytes. For ${ask.dtype} the count must be a multiple of ${per}.`,
  }
}

function dataTypes(ask: Of<'data-types'>): Draft {
  const owner = ask.owner === '' ? 'the operands' : `template parameter ${ask.owner}`
  if (ask.asked === undefined) {
    return {
      question: `On Atlas A2 training products, which data types may ${owner} of ${ask.api} have?`,
      reasoning: `What counts is which types ${owner} may have, and under which conditions.\nThe types involved are ${list(ask.supported)}.\nThe condition is part of the rule: ${trimStop(ask.sentence)}. The answer must keep it.`,
      answer: `${trimStop(ask.sentence)}.`,
    }
  }
  const ok = ask.supported.includes(ask.asked)
  return {
    question: `On Atlas A2 training products, does ${ask.api} of Ascend C support ${ask.asked}?`,
    reasoning: `Whether ${ask.asked} can be used depends on the types that ${owner} of ${ask.api} may have.\nThese are ${list(ask.supported)}.\n${ok ? `${ask.asked} is one of them.` : `None of them is ${ask.asked}, so a tensor of ${ask.asked} cannot be passed.`}${ask.constraints.length > 0 ? `\nThe restrictions add: ${ask.constraints.map(trimStop).join('; ')}.` : ''}`,
    answer: `${ok ? 'Yes' : 'No'}. On Atlas A2 training products, ${owner} of ${ask.api} may be ${list(ask.supported)}.${ask.constraints.length > 0 ? `\n\n${bulletList(ask.constraints)}` : ''}`,
  }
}

function constraints(ask: Of<'constraints'>, random: Random): Draft {
  const steps = ask.items.map((item, index) => {
    const about = item.about.length > 0 ? ` It concerns ${list(item.about)}.` : ''
    const aligned = alignedElements(item.text, ask.dtypes)
    return `${index + 1}. ${trimStop(item.text)}.${about}${aligned.length > 0 ? ` In elements: ${aligned.map((each) => `${each.bytes} bytes are ${each.elements} of ${each.dtype}`).join(', ')}.` : ''}`
  })
  const only = ask.items.length === 1
  return {
    question: ask.isCall
      ? random.pick([
          `Which restrictions apply when calling ${ask.api} in Ascend C?`,
          `What must be checked before calling ${ask.api} in an Ascend C kernel?`,
        ])
      : `Which restrictions apply to the use of ${ask.api} in Ascend C?`,
    reasoning: [
      `Correct use of ${ask.api} depends on its operands, on the values of its parameters and on where it is called.`,
      recall(ask.purpose, ask.api),
      only ? 'One restriction matters:' : `Taken one by one, there are ${ask.items.length}:`,
      ...steps,
      only ? 'Code that meets it is legal.' : 'All of them hold at once; breaking one can give wrong results.',
    ]
      .filter(Boolean)
      .join('\n'),
    answer: only
      ? `${trimStop(ask.items[0]!.text)}.`
      : `${ask.isCall ? `A call of ${ask.api}` : `Code that uses ${ask.api}`} must meet these conditions:\n\n${bulletList(ask.items.map((item) => item.text))}`,
  }
}

function prototypes(ask: Of<'prototypes'>): Draft {
  const several = ask.prototypes.length > 1
  const oneResult = new Set(ask.prototypes.map((prototype) => prototype.returns)).size === 1
  const told = (name: string) => {
    const fact = ask.parameters.find((each) => each.names.includes(name))
    return fact ? `${name} (${lower(trimStop(fact.meaning[0] ?? ''))})` : name
  }
  const forms = ask.prototypes.map((prototype, index) => {
    const {name, own, twin} = ask.forms[index]!
    const templates = prototype.templates
      .filter((each) => each.name !== '')
      .map((each) => (each.defaultValue === undefined ? each.name : `${each.name} (default ${each.defaultValue})`))
    const label = name !== '' ? name : several ? `Form ${index + 1}` : prototype.name
    if (twin)
      return `${label} has the same parameter names as ${ask.forms[twin.form]!.name || `form ${twin.form + 1}`}${twin.differs.length > 0 ? `; ${list(twin.differs.map((each) => `${each.name} is \`${each.here}\` instead of \`${each.there}\``))}` : templates.length > 0 ? `; its template parameters are ${list(templates)}` : ''}.`
    const count = `${prototype.parameters.length === 0 ? 'no' : prototype.parameters.length} parameter${prototype.parameters.length === 1 ? '' : 's'}`
    return `${label}: ${templates.length > 0 ? `template parameter${templates.length === 1 ? '' : 's'} ${list(templates)}, ` : ''}${count}${several && own.length > 0 ? `, of its own ${list(own.map(told))}` : ''}${oneResult ? '' : `, returns \`${prototype.returns}\``}.`
  })
  const shared = several && ask.shared.length > 0 ? `All forms have ${list(ask.shared.map(told))}.` : ''
  const each = several
    ? ''
    : ask.prototypes[0]!.parameters.map(
        (parameter, index) => `parameter ${index + 1} is ${told(parameter.name)}, of type \`${parameter.type}\``,
      ).join('; ')
  const result = ask.prototypes[0]!.returns
  return {
    question: ask.forms.some((form) => form.name !== '')
      ? `Which functions make up ${ask.api} of Ascend C? Give their prototypes and explain the parameters.`
      : several
        ? `Which forms does ${ask.api} of Ascend C have, and how do they differ?`
        : ask.prototypes[0]!.parameters.length === 0
          ? `How is ${ask.api} of Ascend C declared, and what type does it return?`
          : `Give the prototype of ${ask.api} in Ascend C and explain its parameters.`,
    reasoning: [
      `The interface follows from what it has to do.`,
      recall(ask.purpose, ask.api),
      shared,
      each === '' ? '' : `In the order of the call: ${each}.`,
      ...forms,
      !oneResult
        ? ''
        : result === 'void'
          ? 'Nothing is returned.'
          : result === ''
            ? ''
            : `The return type is \`${result}\`.`,
    ]
      .filter(Boolean)
      .join('\n'),
    answer:
      `${codeBlock(ask.prototypes.map((prototype) => `${prototype.text};`).join('\n\n'))}\n\n${several ? [shared, ...forms].filter(Boolean).join('\n') : bulletList(ask.prototypes[0]!.parameters.map((parameter) => (told(parameter.name) === parameter.name ? `${parameter.name}, of type \`${parameter.type}\`` : told(parameter.name)))) || `It has no parameters and returns \`${result || ask.api}\`.`}`.trim(),
  }
}

function example(ask: Of<'example'>, random: Random): Draft {
  const lead = trimStop(ask.example.lead)
  const task = lead.length >= 8 && lead.length <= 160 ? ` The case: ${lower(lead)}.` : ''
  const call = ask.call
  const mapping =
    call?.arguments.flatMap(({name, value, parameter: fact, choice}) =>
      fact
        ? [
            `\`${value}\` is ${name}: ${lower(trimStop(fact.meaning[0] ?? ''))}${choice ? `; ${choice.name} means ${lower(trimStop(choice.text))}` : ''}`,
          ]
        : [],
    ) ?? []
  const forms = call
    ? `${call.prototype.parameters.length} parameter${call.prototype.parameters.length === 1 ? '' : 's'}`
    : ''
  return {
    question: `${random.pick([`Write Ascend C code that shows how ${ask.api} is used.`, `Give an example of ${ask.api} in Ascend C.`])}${task}`,
    reasoning: [
      call
        ? `To write the call, the form of ${ask.api} comes first and the arguments after it.`
        : `What the code has to achieve comes first, and the interfaces that it needs after it.`,
      recall(ask.purpose, ask.api),
      task === '' ? '' : `The code has to fit the case: ${lower(lead)}.`,
      call ? `The form used has ${forms}: ${list(call.prototype.parameters.map((each) => each.name))}.` : '',
      mapping.length > 0 ? `One by one: ${mapping.join('; ')}.` : '',
      ask.size
        ? `The amount of data: ${ask.size.count} elements of ${ask.size.dtype} are ${ask.size.bytes} bytes, ${ask.size.bytes % 32 === 0 ? 'a' : 'not a'} multiple of 32 bytes.`
        : '',
      ask.apis.length > 1 ? `The code calls ${list(ask.apis)}, in this order.` : '',
      ask.rules.length > 0
        ? `The chosen value brings a demand: ${ask.rules.map((line) => lower(trimStop(line))).join('; ')}.`
        : '',
      ask.constraints.length > 0
        ? `Checked against the restrictions: ${ask.constraints.map((line) => lower(trimStop(line))).join('; ')}.`
        : '',
    ]
      .filter(Boolean)
      .join('\n'),
    answer: `${codeBlock(ask.example.code)}${mapping.length > 0 ? `\n\nHere:\n\n${bulletList(mapping)}` : ''}${ask.rules.length > 0 ? `\n\nNote: ${ask.rules.join(' ')}` : ''}`,
  }
}

function purpose(ask: Of<'purpose'>, random: Random): Draft {
  const [first = '', ...more] = ask.sentences
  const operands = ask.operands.map(
    (fact) => `${fact.name} is ${directions[fact.direction]} (${lower(trimStop(fact.meaning[0] ?? ''))})`,
  )
  return {
    question: random.pick([
      `What is ${ask.api} for in Ascend C?`,
      `What does ${ask.api} do in Ascend C, and when is it needed?`,
    ]),
    reasoning: [
      `The use of ${ask.api} shows in what it reads, what it writes and what it does in between.`,
      operands.length > 0 ? `The parameters say: ${operands.join('; ')}.` : '',
      `Its core action is then: ${lower(trimStop(first))}.`,
      more.length > 0 ? `In more detail: ${more.map((sentence) => lower(trimStop(sentence))).join('; ')}.` : '',
      ask.constraints.length > 0
        ? `Its limits belong to the answer: ${ask.constraints.map((line) => lower(trimStop(line))).join('; ')}.`
        : '',
    ]
      .filter(Boolean)
      .join('\n'),
    answer: [
      `${trimStop(first)}.`,
      more.join(' '),
      ask.constraints.length > 0 ? `Keep in mind:\n${bulletList(ask.constraints)}` : '',
    ]
      .filter(Boolean)
      .join('\n\n'),
  }
}

function returns(ask: Of<'returns'>): Draft {
  const types = [
    ...new Set(ask.prototypes.map((prototype) => prototype.returns).filter((type) => type !== '' && type !== 'void')),
  ]
  return {
    question: `What does ${ask.api} of Ascend C return?`,
    reasoning: [
      `The return value follows from what ${ask.api} does and from its prototype.`,
      recall(ask.purpose, ask.api),
      types.length > 0 ? `The prototype declares ${list(types.map((type) => `\`${type}\``))}.` : '',
      `Its meaning: ${ask.sentences.map((sentence) => lower(trimStop(sentence))).join('; ')}.`,
    ]
      .filter(Boolean)
      .join('\n'),
    answer: ask.sentences.join(' '),
  }
}

function pipe(ask: Of<'pipe'>): Draft {
  return {
    question: `On which pipe does ${ask.api} of Ascend C run?`,
    reasoning: [
      `The pipe decides what ${ask.api} can overlap with and what has to be synchronised with it.`,
      recall(ask.purpose, ask.api),
      `It belongs here: ${trimStop(ask.sentence)}. An instruction of another pipe that uses its result has to wait for this pipe.`,
    ]
      .filter(Boolean)
      .join('\n'),
    answer: `${trimStop(ask.sentence)}.`,
  }
}

function topicCode(ask: Of<'topic-code'>): Draft {
  const about = ask.heading === '' || ask.heading === ask.page ? `"${ask.page}"` : `"${ask.heading}" in "${ask.page}"`
  return {
    question: `Give Ascend C code for ${about}.`,
    reasoning: [
      `What ${about} has to achieve decides which interfaces the code calls.`,
      ask.points.length > 0
        ? `The points to respect: ${ask.points.map((point) => lower(trimStop(point))).join('; ')}.`
        : '',
      `The code then uses ${list(ask.apis)}, in this order.`,
      ...stepsOf(ask.apis),
    ]
      .filter(Boolean)
      .join('\n'),
    answer: `${codeBlock(ask.example.code)}${ask.points.length > 0 ? `\n\n${bulletList(ask.points)}` : ''}`,
  }
}

const known: Record<string, string> = {
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

function stepsOf(apis: readonly string[]): string[] {
  const steps = apis.flatMap((api) => known[api] ?? [])
  return steps.length > 0 ? [`${steps.join('; ')}.`] : []
}

function topic(ask: Of<'topic'>, random: Random): Draft {
  const about = ask.heading === '' || ask.heading === ask.page ? `"${ask.page}"` : `"${ask.heading}" in "${ask.page}"`
  return {
    question: random.pick([
      `In Ascend C development, what are the main points of ${about}?`,
      `Explain the essentials of ${about} for someone who writes Ascend C operators.`,
    ]),
    reasoning: [
      `The scope is ${about}: what problem it solves, and which rules follow.`,
      ...ask.points.map(
        (point, index) =>
          `${index === 0 ? 'First' : index === ask.points.length - 1 ? 'Last' : 'Next'}: ${lower(trimStop(point))}.`,
      ),
      `That makes ${ask.points.length} points.`,
    ].join('\n'),
    answer: bulletList(ask.points),
  }
}
