import type {HostFacts} from '../../../datasets/schema/code-facts.ts'
import type {DrawnInput} from '../../../datasets/schema/operator-call.ts'
import type {HostKernelPair} from '../../../datasets/schema/scenario.ts'
import {dtypeBytes, elementCount} from '../../../datasets/schema/tensor.ts'
import type {Branch} from '../../../cpp/syntax.ts'
import {branchText} from '../offline/branch-text.ts'
import {code, paragraph, paragraphs, some, type Voice} from '../../../datasets/voice.ts'
import {plainNumber, type Derivation} from '../../facts/call-of-host.ts'
import {derivations} from '../../facts/derivations.ts'
import {withoutCasts} from '../../facts/host-expression.ts'

/** What a call hands over beside what its decisions derive: values by their expressions, lists, key and workspace. */
export function handedOver(pair: HostKernelPair, facts: HostFacts, voice: Voice): string {
  const {fields, key, blocks} = derivations(facts, pair)
  const told = fields.filter((one) => !one.worked && isTelling(one))
  const rest = fields.filter((one) => !one.worked && !isTelling(one))
  return paragraphs([
    paragraph(voice, [toldSentence(told, voice), restSentence(rest, voice), listsSentence(pair, voice)]),
    launchParagraph(pair, key, blocks, voice),
  ])
}

/** The name of another variable says nothing of a value. */
function isTelling({expression}: Derivation): boolean {
  return expression !== undefined && /[-+*/%?]|\w\(|==/.test(expression.replace(/->/g, '.'))
}

/** Elements and bytes of the call's tensors. */
export function sizesParagraph({scenario: {inputs, outputs}}: HostKernelPair, voice: Voice): string {
  const distinct = inputs.filter((one, at) => inputs.findIndex(({name}) => name === one.name) === at)
  const sized = distinct.slice(0, 4).map((one) => sizeText(one, inputs, voice))
  return paragraph(voice, [
    sized.length > 0 ? sizesSentence(sized, voice) : '',
    outputs.length > 0 && inputs[0] ? outputSentence(outputs, inputs[0].shape, voice) : '',
  ])
}

/** Tensors of a list have one name; they are told together where they are alike. */
function sizeText({name, dtype, shape}: DrawnInput, inputs: readonly DrawnInput[], voice: Voice): string {
  const alike = inputs.filter((one) => one.name === name && elementCount(one.shape) === elementCount(shape)).length
  const count = elementCount(shape)
  const bytes = count * dtypeBytes[dtype]
  const elements = count === 1 ? 'element' : 'elements'
  if (alike > 1)
    return voice.say(
      `${code(name)} is a list of ${alike} tensors of ${count} ${dtype} ${elements}, ${bytes} bytes each`,
      `${code(name)} 是 ${alike} 个 tensor 的列表，每个 ${count} 个 ${dtype} 元素、${bytes} 字节`,
    )
  return voice.say(
    `${code(name)} has ${count} ${dtype} ${elements}, ${bytes} bytes`,
    `${code(name)} 共 ${count} 个 ${dtype} 元素、${bytes} 字节`,
  )
}

function sizesSentence(sized: readonly string[], voice: Voice): string {
  const [en, zh] = [sized.join('; '), sized.join('；')]
  return voice.say(
    [
      `Sizes first: ${en}.`,
      `What there is to move: ${en}.`,
      `${en}.`,
      `In numbers, ${en}.`,
      `The call brings this: ${en}.`,
    ],
    [`先看数据规模：${zh}。`, `要搬运的数据：${zh}。`, `${zh}。`, `数据量如下：${zh}。`, `本次调用的数据：${zh}。`],
  )
}

function outputSentence(
  outputs: HostKernelPair['scenario']['outputs'],
  first: readonly number[],
  voice: Voice,
): string {
  const other = outputs.filter(({shape}) => JSON.stringify(shape) !== JSON.stringify(first))
  if (other.length === 0) return ''
  const list = voice.list(other.map(({name, shape}) => `${code(name)} [${shape.join(', ')}]`))
  return voice.say(`Of another shape than the first input: ${list}.`, `与首个输入形状不同的输出：${list}。`)
}

/** Why this expression and no other. */
function branchesText(branches: readonly Branch[], voice: Voice): string {
  const short = branches.filter(({condition}) => condition.length <= 90)
  if (short.length === 0) return ''
  const where = branchText(short.slice(-2), voice)
  return voice.say(` (the branch ${where})`, `（${where}的分支）`)
}

function toldSentence(told: readonly Derivation[], voice: Voice): string {
  if (told.length === 0) return ''
  const {shown, more} = some(told, 16)
  const list = shown.map(({field, value, expression = ''}) => {
    const [name, how] = [code(field), code(expression)]
    return voice.say(`${name}, from ${how}, is ${value}`, `${name} 由 ${how} 得到，为 ${value}`)
  })
  const rest = more > 0 ? told.slice(shown.length).map(({field, value}) => code(`${field} = ${value}`)) : []
  return voice.say(
    `By their expressions: ${[...list, ...rest].join('; ')}.`,
    `按各自的表达式：${[...list, ...rest].join('；')}。`,
  )
}

function restSentence(rest: readonly Derivation[], voice: Voice): string {
  if (rest.length === 0) return ''
  const isSet = rest.filter(({value}) => value !== 0)
  const zero = rest.filter(({value}) => value === 0).map(({field}) => code(field))
  const list = isSet.map(({field, value}) => code(`${field} = ${value}`))
  return paragraph(voice, [
    list.length > 0
      ? voice.say(`Set for this call: ${voice.list(list)}.`, `该调用下的取值：${voice.list(list)}。`)
      : '',
    zero.length > 0
      ? voice.say(
          `${voice.list(zero)} ${zero.length > 1 ? 'end' : 'ends'} as 0 for this call.`,
          `${voice.list(zero)} 在该调用下为 0。`,
        )
      : '',
  ])
}

function listsSentence({scenario}: HostKernelPair, voice: Voice): string {
  const lists = Object.entries(scenario.trace.tiling).filter(
    (entry): entry is [string, number[]] => typeof entry[1] !== 'number',
  )
  if (lists.length === 0) return ''
  const texts = lists.map(([name, values]) => listText(name, values, voice))
  return voice.say(`Of the lists, ${texts.join('; ')}.`, `数组字段：${texts.join('；')}。`)
}

function listText(name: string, values: readonly number[], voice: Voice): string {
  const used = values.findLastIndex((value) => value !== 0) + 1
  const {shown, more} = some(values.slice(0, used).map(plainNumber), 8)
  const [what, count, start] = [code(name), values.length, shown.join(', ')]
  if (used === 0) return voice.say(`${what} holds ${count} zeros`, `${what}（${count} 项）全为 0`)
  if (more > 0)
    return voice.say(`${what} (${count} entries) starts with ${start}`, `${what}（${count} 项）开头为 ${start}`)
  const [en, zh] = used < count ? [' and zeros after that', '，其余为 0'] : ['', '']
  return voice.say(`${what} (${count} entries) holds ${start}${en}`, `${what}（${count} 项）为 ${start}${zh}`)
}

function launchParagraph(
  {scenario, host}: HostKernelPair,
  key: Derivation | undefined,
  blocks: Derivation | undefined,
  voice: Voice,
): string {
  const {tilingKey, blockDim, workspaceBytes} = scenario.trace
  const isKeyed = tilingKey !== 0 || host.some(({text}) => /SetTilingKey|TILING_KEY|TPL_SEL/.test(text))
  const keyed = isKeyed
    ? launchText(key, tilingKey, voice)
    : voice.say(', as the host sets none', '，因为 Host 没有设置')
  const launched = launchText(blocks, blockDim, voice)
  const workspace =
    workspaceBytes > 0
      ? voice.say(
          `The host asks for ${workspaceBytes} bytes of workspace.`,
          `Host 申请 workspace ${workspaceBytes} 字节。`,
        )
      : voice.say('No workspace is asked for.', '不需要 workspace。')
  return paragraph(voice, [
    voice.say(`The tiling key is ${tilingKey}${keyed}.`, `tiling key 为 ${tilingKey}${keyed}。`),
    voice.say(
      `${blockDim} ${blockDim === 1 ? 'block is' : 'blocks are'} launched${launched}.`,
      `启动 ${blockDim} 个核${launched}。`,
    ),
    workspace,
  ])
}

/** Which expression gives it, and by which branches. */
function launchText(one: Derivation | undefined, value: number, voice: Voice): string {
  const expression = one?.expression
  const plain = withoutCasts(expression ?? '').replace(/^\((.*)\)$/, '$1')
  if (!one || expression === undefined || plain === String(value)) return ''
  const where = branchesText(one.branches, voice)
  return voice.say(`, by ${code(expression)}${where}`, `，来自 ${code(expression)}${where}`)
}
