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

/**
 * The values of a call besides those that its decisions derive: values by their expressions, lists, key and workspace.
 * @param isAsked whether tiling key and number of blocks are requested: then they are always stated
 */
export function handedOver(pair: HostKernelPair, facts: HostFacts, voice: Voice, isAsked = true): string {
  const derived = derivations(facts, pair)
  const constants = new Map(facts.constants)
  const fields = derived.fields.filter((one) => !one.worked)
  const isConstant = ({expression, value}: Derivation) => constants.get(nameOf(expression)) === value
  const fixed = fields.filter(isConstant)
  const told = fields.filter((one) => !isConstant(one) && isTelling(one))
  const tile = pair.decisions?.find(({topic}) => topic === 'tile')?.values['field']
  const rest = fields.filter((one) => !isConstant(one) && !isTelling(one) && one.field !== tile)
  return paragraphs([
    paragraph(voice, [
      ...[toldSentence(told, voice), fixedSentence(fixed, voice), restSentence(rest, voice)],
      listsSentence(pair, voice),
    ]),
    launchParagraph(pair, derived, voice, isAsked),
  ])
}

const nameOf = (expression = '') => withoutCasts(expression)

/** Fields that are constants of the host, whatever the call. */
function fixedSentence(fixed: readonly Derivation[], voice: Voice): string {
  if (fixed.length === 0) return ''
  const list = voice.list(
    fixed.map(({field, value, expression}) => code(`${field} = ${nameOf(expression)} = ${value}`)),
  )
  return voice.say(
    [
      `Constants of the host, whatever the call: ${list}.`,
      `${list} ${fixed.length > 1 ? 'do' : 'does'} not depend on the call.`,
      `No shape changes ${list}.`,
    ],
    [`与调用无关、由 Host 常量给出：${list}。`, `${list} 不随调用变化。`, `形状不影响 ${list}。`],
  )
}

/** The name of another variable does not explain a value. */
function isTelling({expression}: Derivation): boolean {
  return expression !== undefined && /[-+*/%?]|\w\(|==/.test(expression.replace(/->/g, '.'))
}

/** Elements and bytes of the call's tensors. */
export function sizesParagraph({scenario: {inputs, outputs}}: HostKernelPair, voice: Voice): string {
  const distinct = inputs.filter((one, at) => inputs.findIndex(({name}) => name === one.name) === at)
  const form = sizeForms(voice)
  const sized = distinct.slice(0, 4).map((one) => sizeText(one, inputs, form, voice))
  return paragraph(voice, [
    sized.length > 0 ? sizesSentence(sized, voice) : '',
    outputs.length > 0 && inputs[0] ? outputSentence(outputs, inputs[0].shape, voice) : '',
  ])
}

/** Tensors of a list have one name; they are grouped if alike. */
function sizeText(
  {name, dtype, shape}: DrawnInput,
  inputs: readonly DrawnInput[],
  form: SizeForm,
  voice: Voice,
): string {
  const alike = inputs.filter((one) => one.name === name && elementCount(one.shape) === elementCount(shape)).length
  const count = elementCount(shape)
  const bytes = count * dtypeBytes[dtype]
  const elements = count === 1 ? 'element' : 'elements'
  if (alike > 1)
    return voice.say(
      `${code(name)} is a list of ${alike} tensors of ${count} ${dtype} ${elements}, ${bytes} bytes each`,
      `${code(name)} 是 ${alike} 个 tensor 的列表，每个 ${count} 个 ${dtype} 元素、${bytes} 字节`,
    )
  return form({name: code(name), count, dtype, bytes}, elements)
}

/** One form for all tensors of a row. */
function sizeForms({say, random}: Voice): SizeForm {
  const at = random.integer(0, 3)
  return ({name, count, dtype, bytes}, elements) =>
    say(
      [
        `${name} has ${count} ${dtype} ${elements}, ${bytes} bytes`,
        `${name} is ${bytes} bytes, ${count} × ${dtype}`,
        `${count} ${dtype} ${elements} of ${name} ${count === 1 ? 'takes' : 'take'} ${bytes} bytes`,
        `${bytes} bytes for the ${count} ${dtype} ${elements} of ${name}`,
      ].slice(at, at + 1),
      [
        `${name} 共 ${count} 个 ${dtype} 元素、${bytes} 字节`,
        `${name} 为 ${bytes} 字节，即 ${count} × ${dtype}`,
        `${count} 个 ${dtype} 元素的 ${name} 占 ${bytes} 字节`,
        `${bytes} 字节，是 ${name} 的 ${count} 个 ${dtype} 元素`,
      ].slice(at, at + 1),
    )
}
type SizeForm = (tensor: {name: string; count: number; dtype: string; bytes: number}, elements: string) => string

function sizesSentence(sized: readonly string[], voice: Voice): string {
  const [en, zh] = [sized.join('; '), sized.join('；')]
  return voice.say(
    [
      `Sizes first: ${en}.`,
      `What there is to move: ${en}.`,
      `${en}.`,
      `In numbers, ${en}.`,
      `The call brings this: ${en}.`,
      `How much has to be read? ${en}.`,
      `All tiling starts from the sizes: ${en}.`,
      `${en}: that is what has to be cut into shares.`,
      `To be cut up: ${en}.`,
      `Before any tiling, the amounts. ${en}.`,
    ],
    [
      `先看数据规模：${zh}。`,
      `要搬运的数据：${zh}。`,
      `${zh}。`,
      `数据量如下：${zh}。`,
      `本次调用的数据：${zh}。`,
      `要读多少？${zh}。`,
      `切分从大小开始：${zh}。`,
      `${zh}，要切分的就是这些。`,
      `待切分的数据：${zh}。`,
      `计算 tiling 之前先算数据量。${zh}。`,
    ],
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
  return voice.say(`The output has a shape of its own: ${list}.`, `输出的 shape 与首个输入不同：${list}。`)
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
  return voice.say(`Further: ${[...list, ...rest].join('; ')}.`, `其余：${[...list, ...rest].join('；')}。`)
}

function restSentence(rest: readonly Derivation[], voice: Voice): string {
  if (rest.length === 0) return ''
  const isSet = rest.filter(({value}) => value !== 0)
  const zero = rest.filter(({value}) => value === 0).map(({field}) => code(field))
  const list = isSet.map(({field, value}) => code(`${field} = ${value}`))
  return paragraph(voice, [
    list.length > 0
      ? voice.say(`The tiling also holds ${voice.list(list)}.`, `tiling 中还有 ${voice.list(list)}。`)
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
  {key, blocks}: ReturnType<typeof derivations>,
  voice: Voice,
  isAsked: boolean,
): string {
  const {tilingKey, blockDim, workspaceBytes} = scenario.trace
  const isKeyed = tilingKey !== 0 || host.some(({text}) => /SetTilingKey|TILING_KEY|TPL_SEL/.test(text))
  const isLaunchSaid = isAsked || voice.random.unit() < launchSaid
  return paragraph(voice, [
    isKeyed || isAsked ? keySentence(launchText(key, tilingKey, voice), tilingKey, isKeyed, voice) : '',
    isLaunchSaid ? blocksSentence(launchText(blocks, blockDim, voice), blockDim, voice) : '',
    workspaceBytes > 0
      ? voice.say(
          `The host asks for ${workspaceBytes} bytes of workspace.`,
          `Host 申请 workspace ${workspaceBytes} 字节。`,
        )
      : '',
  ])
}

/** If not requested, the number of blocks is stated in one in this many rows. */
const launchSaid = 0.5

function keySentence(by: string, key: number, isKeyed: boolean, {say}: Voice): string {
  if (!isKeyed)
    return say(
      [
        `The tiling key is ${key}, as the host sets none.`,
        `The host sets no tiling key; it stays ${key}.`,
        `No tiling key is set, which means ${key}.`,
        `One variant of the kernel is enough, so no tiling key is set and it is ${key}.`,
        `Tiling key ${key}: the host does not choose among variants.`,
        `As to the tiling key, nothing sets it, hence ${key}.`,
      ],
      [
        `tiling key 为 ${key}，因为 Host 没有设置。`,
        `Host 不设 tiling key，保持 ${key}。`,
        `没有设置 tiling key，即 ${key}。`,
        `Host 不设置 tiling key，其值为 ${key}。`,
        `tiling key 取 ${key}：Host 没有另行选择。`,
        `至于 tiling key，没有代码设置它，所以是 ${key}。`,
      ],
    )
  if (by === '') return say(`The tiling key is ${key}.`, `tiling key 为 ${key}。`)
  return say(
    [
      `The tiling key is ${key}, by ${by}.`,
      `The host sets tiling key ${key} by ${by}.`,
      `${by} gives tiling key ${key}.`,
      `Tiling key ${key} follows from ${by}.`,
      `For the tiling key the host takes ${by}, here ${key}.`,
    ],
    [
      `tiling key 为 ${key}，来自 ${by}。`,
      `Host 按 ${by} 设置 tiling key ${key}。`,
      `${by} 给出 tiling key ${key}。`,
      `由 ${by} 得 tiling key 为 ${key}。`,
      `tiling key 取 ${by}，这里是 ${key}。`,
    ],
  )
}

function blocksSentence(by: string, blocks: number, {say}: Voice): string {
  const are = blocks === 1 ? 'block is' : 'blocks are'
  if (by === '')
    return say(
      [`${blocks} ${are} launched.`, `The launch has ${blocks} ${blocks === 1 ? 'block' : 'blocks'}.`],
      [`启动 ${blocks} 个核。`, `启动的核数为 ${blocks}。`],
    )
  return say(
    [
      `${blocks} ${are} launched, by ${by}.`,
      `${by} is the number of blocks, ${blocks}.`,
      `The launch takes ${by}, that is ${blocks}, as its number of blocks.`,
      `How many blocks? ${by}, which comes to ${blocks}.`,
      `With ${by} the block count is ${blocks}.`,
      `The block count is ${by}, here ${blocks}.`,
    ],
    [
      `启动 ${blocks} 个核，来自 ${by}。`,
      `核数取 ${by}，即 ${blocks}。`,
      `启动时的核数由 ${by} 给出，为 ${blocks}。`,
      `启动几个核？${by}，等于 ${blocks}。`,
      `按 ${by}，block 数是 ${blocks}。`,
      `block 数取 ${by}，这里是 ${blocks}。`,
    ],
  )
}

/** Which expression gives it, and by which branches. */
function launchText(one: Derivation | undefined, value: number, voice: Voice): string {
  const expression = one?.expression
  const plain = withoutCasts(expression ?? '').replace(/^\((.*)\)$/, '$1')
  if (!one || expression === undefined || plain === String(value)) return ''
  const where = branchesText(one.branches, voice)
  return `${code(expression)}${where}`
}
