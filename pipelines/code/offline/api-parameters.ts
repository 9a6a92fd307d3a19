import type {FunctionFlow} from '../../../cpp/syntax.ts'
import {code, codeList, paragraph, type Voice} from '../../../datasets/voice.ts'

/** Which tensors, scalars and arrays each first phase reads and writes, and what else it is given. */
export function parameterParagraph(plans: readonly FunctionFlow[], voice: Voice): string {
  return paragraph(
    voice,
    plans.slice(0, 3).map((plan) => parameterSentence(plan, voice)),
  )
}

function parameterSentence(plan: FunctionFlow, voice: Voice): string {
  const [inputs, outputs] = tensorRoles(plan)
  const names = (pattern: RegExp) => plan.parameters.filter(({type}) => pattern.test(type)).map(({name}) => name)
  const [values, texts] = [names(/^[^*]*$/), names(/^(?:const )?char\s*\*$/)]
  const part = (list: readonly string[], en: string, zh: string) =>
    list.length > 0 ? [voice.say(`${en} ${codeList(list, voice)}`, `${zh} ${codeList(list, voice)}`)] : []
  const parts = [
    ...part(inputs, 'to read', '读取的'),
    ...part(outputs, 'to write', '被写的'),
    ...part(values, 'by value', '按值传入的'),
    ...part(texts, 'as text', '以字符串传入的'),
  ]
  if (parts.length === 0) return ''
  return voice.say(
    `Parameters of ${code(plan.name)}: ${parts.join('; ')}.`,
    `${code(plan.name)} 的参数:${parts.join(';')}。`,
  )
}

/**
 * What is read and what is written. Pointers to constant objects are read and others written to, unless the profiling
 * macro says otherwise (it names inputs and outputs), or the name does: outputs are often declared constant, too.
 * What is updated in place is both.
 */
export function tensorRoles(flow: FunctionFlow): [inputs: string[], outputs: string[]] {
  const {name: method, parameters, statements} = flow
  const tensors = parameters.filter(({type}) => isTensor(type))
  const phase = statements.find(({call}) => call?.name === 'L2_DFX_PHASE_1')?.call?.args.join(' ') ?? ''
  const [listedIn, listedOut] = [listed(phase, 'DFX_IN'), listed(phase, 'DFX_OUT')]
  const last = lastOutputs(parameters)
  const twice = /^aclnnInplace/.test(method) ? givenTwice(flow) : []
  const isReference = (name: string) => /Ref$/.test(name) || twice.includes(name)
  const isWritten = ({type, name}: Parameter) =>
    (!isConstant(type) && !(listedIn.includes(name) && !listedOut.includes(name))) ||
    isReference(name) ||
    listedOut.includes(name) ||
    (phase === '' && last.includes(name))
  const isRead = (one: Parameter) =>
    isReference(one.name) ||
    (listedIn.includes(one.name) && listedOut.includes(one.name)) ||
    (isWritten(one) ? !isConstant(one.type) && /^aclnnInplace/.test(method) : true)
  return [tensors.filter(isRead).map(({name}) => name), tensors.filter(isWritten).map(({name}) => name)]
}

type Parameter = FunctionFlow['parameters'][number]

function isTensor(type: string): boolean {
  return /\bacl(?:Tensor|TensorList|Scalar|ScalarList|\w*Array)\s*\*/.test(type)
}

function isConstant(type: string): boolean {
  return /^const\b/.test(type)
}

/** `DFX_OUT(out, mask)` in the text of the arguments. */
function listed(text: string, macro: string): string[] {
  return (new RegExp(String.raw`\b${macro}\(([^()]*)\)`).exec(text)?.[1] ?? '').split(/\s*,\s*/)
}

/** Outputs stand last, before the two parameters that every first phase ends with. */
function lastOutputs(parameters: readonly Parameter[]): string[] {
  const found: string[] = []
  for (const {type, name} of parameters.slice(0, -2).reverse()) {
    if (!isTensor(type) || (isConstant(type) && !/Out(?:put)?(?:Optional)?$|^out(?:put)?$/.test(name))) break
    found.push(name)
  }
  return found
}

/** Parameters that one call gets in two places: as what is read, and as what is written. */
function givenTwice({statements, parameters}: FunctionFlow): string[] {
  const names = parameters.map(({name}) => name)
  return names.filter((name) => statements.some(({call}) => (call?.args.filter((one) => one === name).length ?? 0) > 1))
}
