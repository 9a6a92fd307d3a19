import type {LibraryFacts} from '../../../datasets/schema/code-facts.ts'
import {movementApis, vectorApis} from '../../../cpp/interfaces.ts'
import type {FunctionFlow} from '../../../cpp/syntax.ts'
import {signatureOf} from './api-request.ts'
import {publicFunctions} from './library-request.ts'
import {code, codeList, paragraph, some, type Voice} from '../../../datasets/voice.ts'

/** What callers hand in and get: tensors, working memory, and what is decided at compile time. */
export function contractParagraph(facts: LibraryFacts, voice: Voice): string {
  const all = publicFunctions(facts)
  const {shown} = some(all, 6)
  const told = shown.map((one) => ({one, sentence: tensorSentence(one, voice)}))
  const plain = told.filter(({sentence}) => sentence === '').map(({one}) => signatureOf(one))
  const list = codeList(
    some(
      [...new Set(plain)].filter((one) => one.length <= 240),
      5,
    ).shown,
    voice,
  )
  return paragraph(voice, [
    list === '' || facts.functions.length > 0 ? '' : voice.say(`It offers ${list}.`, `提供 ${list}。`),
    ...new Set(told.map(({sentence}) => sentence)),
    templateSentence(shown, voice),
    formsSentence(all, voice),
  ])
}

/** What a function that works on tiles does with them; '' for any other. */
function tensorSentence(flow: FunctionFlow, voice: Voice): string {
  const local = flow.parameters.filter(({type}) => /\bLocalTensor\b/.test(type)).map(({name}) => name)
  const written = writtenTensors(flow)
  const isWorking = (name: string) => /tmp|temp|shared|work/i.test(name)
  const isDestination = (name: string) => /^(?:dst|out|res)/i.test(name) && !isWorking(name)
  const isSource = (name: string) => /^(?:[sS]rc|[iI]nput|in(?![a-z]))/.test(name) && !isWorking(name)
  const named = (names: readonly string[]) => codeList(names, voice)
  const groups = {
    destinations: local.filter(isDestination),
    sources: local.filter((name) => isSource(name) && !written.has(name)),
    overwritten: local.filter((name) => isSource(name) && written.has(name)),
    working: local.filter(isWorking),
    others: local.filter((name) => !isDestination(name) && !isSource(name) && !isWorking(name)),
  }
  const {destinations, sources, overwritten, working, others} = groups
  const parts = [
    destinations.length > 0
      ? voice.say(`the result goes to ${named(destinations)}`, `结果写入 ${named(destinations)}`)
      : '',
    sources.length > 0 ? voice.say(`the operands are ${named(sources)}`, `操作数为 ${named(sources)}`) : '',
    overwritten.length > 0 ? overwrittenText(overwritten, flow, voice) : '',
    working.length > 0
      ? voice.say(
          `working memory comes from the caller as ${named(working)}`,
          `临时空间由调用者通过 ${named(working)} 提供`,
        )
      : '',
    others.length > 0 ? voice.say(`it also takes ${named(others)}`, `另有张量参数 ${named(others)}`) : '',
  ].filter((one) => one !== '')
  // Names of unknown use say no more than the signature, which stands in the request.
  if (parts.length === 0 || others.length === local.length) return ''
  const signature = signatureOf(flow)
  const text = code(signature.length <= 240 ? signature : flow.name)
  return voice.say(`${text}: ${parts.join('; ')}.`, `${text}:${parts.join(';')}。`)
}

/** A constant reference tells readers the opposite. */
function overwrittenText(names: readonly string[], {parameters}: FunctionFlow, voice: Voice): string {
  const list = codeList(names, voice)
  const isConstant = parameters.some(({type, name}) => names.includes(name) && /^const\b/.test(type))
  const verb = names.length > 1 ? 'are' : 'is'
  return voice.say(
    `${list} ${verb} overwritten on the way${isConstant ? ', although the reference is constant' : ''}`,
    `${list} 在计算中会被改写${isConstant ? ',虽然引用本身是 const' : ''}`,
  )
}

/** Tensors that instructions of the function write to: their first argument. */
function writtenTensors({statements}: FunctionFlow): ReadonlySet<string> {
  return new Set(
    statements.flatMap(({call}) => {
      const isInstruction = call && (vectorApis.has(call.name) || movementApis.has(call.name))
      const name = isInstruction ? /^\w+/.exec(call.args[0] ?? '')?.[0] : undefined
      return name === undefined ? [] : [name]
    }),
  )
}

/** Template parameters, with what they are unless the caller says otherwise. */
function templateSentence(functions: readonly FunctionFlow[], voice: Voice): string {
  const told = new Map(
    functions.filter(({templates}) => templates.length > 0).map(({name, templates}) => [name, templates]),
  )
  const sentences = [...told].slice(0, 3).map(([name, templates]) => {
    const list = codeList(some(templates, 6).shown, voice)
    return voice.say(`${list} of ${code(name)}`, `${code(name)} 的 ${list}`)
  })
  if (sentences.length === 0) return ''
  return voice.say(
    `Decided at compile time, by template parameters: ${sentences.join('; ')}.`,
    `编译期由模板参数决定:${sentences.join(';')}。`,
  )
}

/** Overloads that differ in who provides the working memory. */
function formsSentence(functions: readonly FunctionFlow[], voice: Voice): string {
  const byName = new Map<string, FunctionFlow[]>()
  for (const one of functions) byName.set(one.name, [...(byName.get(one.name) ?? []), one])
  const sentences = [...byName].flatMap(([name, forms]) => {
    const popping = forms.filter(({statements}) => statements.some(({call}) => call?.name === 'PopStackBuffer'))
    if (popping.length === 0) return []
    const [from, buffer] = [code(name), code('PopStackBuffer')]
    const taking = `${popping.length} ${popping.length > 1 ? 'get' : 'gets'}`
    return voice.say(
      forms.length === 1
        ? `${from} gets working memory from the stack, by ${buffer}.`
        : `Of the ${forms.length} forms of ${from}, ${taking} working memory from the stack, by ${buffer}.`,
      forms.length === 1
        ? `${from} 用 ${buffer} 从栈空间取得临时内存。`
        : `${from} 的 ${forms.length} 种形式中,有 ${popping.length} 种用 ${buffer} 从栈空间取得临时内存。`,
    )
  })
  return paragraph(voice, sentences.slice(0, 2))
}
