import type {LibraryFacts} from '../../../datasets/schema/code-facts.ts'
import type {OperatorSource} from '../../../datasets/schema/operator.ts'
import {vectorApis} from '../../../cpp/interfaces.ts'
import {isSilent} from '../../facts/checks.ts'
import {kernelDecisions} from '../../facts/decisions/kernel-decisions.ts'
import {tellDecisions} from '../../telling/tell-decisions.ts'
import type {FunctionFlow} from '../../../cpp/syntax.ts'
import {signatureOf} from './api-request.ts'
import {contractParagraph} from './contract-paragraph.ts'
import {flowSentence} from './flow-paragraph.ts'
import {behind, isCheck} from './library-request.ts'
import {code, codeList, paragraph, paragraphs, some, type Voice} from '../../../datasets/voice.ts'

/** From the contract with the caller to working memory, instructions and order. */
export function libraryReasoning(source: OperatorSource, facts: LibraryFacts, voice: Voice): string {
  const isDevice = facts.side === 'kernel'
  return paragraphs([
    taskParagraph(source, facts, voice),
    isCheck(source.origin) ? '' : contractParagraph(facts, voice),
    temporaryParagraph(facts, voice),
    isDevice ? '' : sizeParagraph(facts, voice),
    maskParagraph(facts, voice),
    ...(isDevice ? tellDecisions(kernelDecisions(source, facts.kernel), voice) : []),
    flowParagraph(facts, voice),
  ])
}

function taskParagraph(source: OperatorSource, {side, functions}: LibraryFacts, voice: Voice): string {
  const [path, name] = [code(source.target.path), behind(source, voice)]
  if (functions.length === 0)
    return voice.say(
      `${path} declares functions of ${name}; the implementation stays elsewhere.`,
      `${path} 只声明${name}的函数,实现放在别处。`,
    )
  if (side === 'host')
    return voice.say(
      [
        `${path} belongs to the host side of ${name}:`,
        "an operator's tiling function asks it for sizes before the kernel is launched,",
        'so it must answer from shapes and types alone and agree with what the device code needs.',
      ].join(' '),
      [
        `${path} 属于${name}的 Host 侧:算子的 tiling 函数在下发 kernel 之前向它询问大小,`,
        '因此只能依据 shape 与类型作答,并且要与 Kernel 侧的实际需求一致。',
      ].join(''),
    )
  return paragraph(voice, [
    voice.say(
      `${path} is library code behind ${name}: it is compiled into kernels that somebody else writes.`,
      `${path} 是${name}背后的库代码,会被编译进别人编写的 kernel。`,
    ),
    isCheck(source.origin)
      ? voice.say(
          'It computes nothing: it looks at what is handed to an API before that works on it.',
          '它不做计算,只在高阶 API 处理之前检查传入的参数。',
        )
      : '',
    worksOnTiles(functions) && !isCheck(source.origin)
      ? voice.say(
          'It works on tensors that already lie on the core; moving them there and queueing them is up to the caller.',
          '它处理已经在片上的张量,搬运与排队由调用者负责。',
        )
      : '',
  ])
}

/** Whether tiles are handed in and the file neither queues nor copies them. */
function worksOnTiles(functions: readonly FunctionFlow[]): boolean {
  const calls = functions.flatMap(({statements}) => statements.flatMap(({call}) => call?.name ?? []))
  return (
    functions.some(({parameters}) => parameters.some(({type}) => /\bLocalTensor\b/.test(type))) &&
    !calls.some((name) => /^(?:EnQue|DeQue|AllocTensor|DataCopy|DataCopyPad|SetGlobalBuffer)$/.test(name))
  )
}

function temporaryParagraph({temporaries}: LibraryFacts, voice: Voice): string {
  if (temporaries.length === 0) return ''
  const {shown, more} = some([...new Set(temporaries.map(({text}) => text))], 8)
  const list = codeList(shown, voice)
  return voice.say(
    [
      'Working memory is carved out of a buffer that exists already,',
      `so nothing is allocated: ${list}${more > 0 ? ` and ${more} more of this kind` : ''}.`,
    ].join(' '),
    `临时张量从已有的缓冲区中切出,不再另外申请:${list}${more > 0 ? `,另有 ${more} 处类似` : ''}。`,
  )
}

function sizeParagraph({sizes}: LibraryFacts, voice: Voice): string {
  if (sizes.length === 0) return ''
  const byMethod = new Map<string, string[]>()
  for (const {method, text} of sizes) byMethod.set(method, [...(byMethod.get(method) ?? []), text])
  return paragraph(voice, [
    voice.say('The sizes, function by function:', '各函数中的大小计算:'),
    ...[...byMethod].slice(0, 6).map(([method, texts]) => {
      const {shown, more} = some([...new Set(texts)], 5)
      const list = codeList(shown, voice)
      return voice.say(
        `${code(method)} computes ${list}${more > 0 ? ` and ${more} more` : ''}.`,
        `${code(method)} 计算 ${list}${more > 0 ? ` 等 ${more + shown.length} 项` : ''}。`,
      )
    }),
  ])
}

function maskParagraph({masks}: LibraryFacts, voice: Voice): string {
  if (masks.length === 0) return ''
  return voice.say(
    [
      `Which elements an instruction touches is set by ${codeList(masks, voice)};`,
      'the setting stays in force for later instructions.',
    ].join(' '),
    `指令处理哪些元素由 ${codeList(masks, voice)} 设定,设定对其后的指令持续生效。`,
  )
}

/** Functions that the paragraph on instructions did not tell. */
function flowParagraph({functions, kernel, side}: LibraryFacts, voice: Voice): string {
  // Instructions name an overload by its parameters, too.
  const isTold = side === 'kernel' && kernel.steps.some(({call}) => vectorApis.has(call.name))
  const told = new Set(isTold ? kernel.steps.map(({method}) => method.replace(/\([^]*$/, '')) : [])
  const others = functions.filter(({name, owner}) => !told.has(name) && !told.has(`${owner}::${name}`))
  const names = functions.map(({name}) => name)
  const isShared = ({name}: FunctionFlow) => names.indexOf(name) !== names.lastIndexOf(name)
  const sentences = others
    .slice(0, 8)
    .map((one) =>
      flowSentence(isShared(one) ? {...one, name: signatureOf(one)} : one, voice, {
        keep: (each) => !isSilent(each),
        most: 12,
      }),
    )
    .filter((one) => one !== '')
  if (sentences.length === 0) return ''
  const rest = [...new Set(others.slice(8).map(({name}) => name))]
  const list = codeList(rest, voice)
  return paragraph(voice, [
    voice.say('The control flow:', '控制流程:'),
    ...new Set(sentences),
    rest.length > 0 && rest.length <= 12 ? voice.say(`The file also defines ${list}.`, `文件中还定义 ${list}。`) : '',
  ])
}
