import type {KernelFacts} from '../../../datasets/schema/code-facts.ts'
import {parseOperatorDefinitions, type OperatorDefinition} from '../../../cpp/op-def.ts'
import type {HostKernelPair} from '../../../datasets/schema/scenario.ts'
import type {SourceFile} from '../../../datasets/schema/operator.ts'
import {formulas} from '../../facts/formula.ts'
import {purposeSentence} from '../offline/purpose-sentence.ts'
import {code, paragraphs, type Voice, words} from '../../../datasets/voice.ts'
import {sideOfPair} from '../../facts/pair-source.ts'
import {plainNumber} from '../../facts/call-of-host.ts'

/** The prompt of four elements (paper D.3): instruction, the call, the hardware, and the code of both sides. */
export function projectRequest(pair: HostKernelPair, kernel: KernelFacts, voice: Voice): string {
  const all = pair.host.flatMap(({text}) => parseOperatorDefinitions(text))
  const definition = all.find((one) => one.operator === pair.operator)
  return paragraphs([
    instruction(pair, voice),
    voice.say('# The call', '# 调用描述'),
    purpose(pair, kernel, voice),
    callText(pair, definition, voice),
    voice.say('# The hardware', '# 硬件配置'),
    hardwareText(definition, voice),
    voice.say('# The code', '# 源代码'),
    [...pair.host, pair.kernel].map(listing).join('\n\n'),
  ])
}

function instruction({operator, entry}: HostKernelPair, voice: Voice): string {
  const [what, kernel] = [code(operator), code(entry)]
  const form = '{"tiling": {…}, "tiling_key": …, "block_dim": …}'
  return voice.say(
    [
      [
        `Below stand the host side and the kernel ${kernel} of the Ascend C operator ${what}, reduced to one call.`,
        'Work out how this call is carried out: first the tiling on the host, value by value, then the kernel, from',
        'the share of one core over its buffers to the order of its pipes.',
        'Close with one block of JSON that holds every field of the tiling structure as the host computes it for this',
        `call, the tiling key and the number of blocks: ${code(form)}.`,
      ].join(' '),
      [
        `Explain the design of the Ascend C operator ${what} on one call: how its host cuts the work, and how its`,
        `kernel ${kernel} carries out a share. Derive the numbers instead of naming them only.`,
        `End with all tiling values of this call in one block of JSON: ${code(form)}.`,
      ].join(' '),
    ],
    [
      [
        `下面给出 Ascend C 算子 ${what} 针对一次固定调用的 Host 侧代码与核函数 ${kernel}。`,
        '请先逐项推导 Host 侧的 tiling，再分析核函数：单核处理的数据、缓冲区占用以及流水之间的同步。',
        `最后用一个 JSON 代码块给出该调用下 tiling 结构体的全部字段、tiling key 与核数，格式为 ${code(form)}。`,
      ].join(''),
      [
        `请结合一次具体调用，说明算子 ${what} 的 Host 切分策略与核函数 ${kernel} 的流水设计，数值要写出推导过程。`,
        `结尾以 JSON 代码块汇总全部 tiling 取值：${code(form)}。`,
      ].join(''),
    ],
  )
}

function purpose(pair: HostKernelPair, kernel: KernelFacts, voice: Voice): string {
  const documented = purposeSentence(sideOfPair(pair, 'kernel'), voice)
  if (documented !== '') return documented
  const [formula] = formulas(kernel)
  if (formula && formula.expression !== '') {
    const equation = code(`${formula.output} = ${formula.expression}`)
    return voice.say(`For every element it computes ${equation}.`, `逐元素计算 ${equation}。`)
  }
  return voice.say(
    `The operator is called "${words(pair.operator)}"; what it computes stands in the code below.`,
    `算子名为 ${pair.operator}，计算内容见下方代码。`,
  )
}

function callText({scenario}: HostKernelPair, definition: OperatorDefinition | undefined, voice: Voice): string {
  const {inputs, outputs, attributes} = scenario
  const given = inputs.map(({name, dtype, shape, values}) => {
    const held = values ? voice.say(`, values [${values.join(', ')}]`, `，取值 [${values.join(', ')}]`) : ''
    return `- ${voice.say('input', '输入')} ${code(name)}: ${dtype} [${shape.join(', ')}]${held}`
  })
  const written = outputs.map(
    ({name, dtype, shape}) => `- ${voice.say('output', '输出')} ${code(name)}: ${dtype} [${shape.join(', ')}]`,
  )
  const named = (definition?.attributes ?? []).map(({name, default: value}) => {
    const own = attributes[name]
    const text = own === undefined ? `${value} (${voice.say('default', '默认值')})` : attributeText(own)
    return `- ${voice.say('attribute', '属性')} ${code(name)}: ${text}`
  })
  return [...given, ...written, ...named].join('\n')
}

function attributeText(value: boolean | number | string | readonly number[]): string {
  return typeof value === 'number' ? String(plainNumber(value)) : JSON.stringify(value)
}

/** The chip is one that the operator is registered for; both have the same cores. */
function hardwareText(definition: OperatorDefinition | undefined, voice: Voice): string {
  const isForA3 = definition?.socs.includes('ascend910_93') ?? true
  return voice.say(
    [
      isForA3 ? '- chip: Ascend 910_93 (Atlas A3, core of Atlas A2)' : '- chip: Ascend 910B (Atlas A2)',
      '- AI cores: 24, each one cube core and two vector cores; so 48 vector cores',
      '- unified buffer of a vector core: 196608 bytes; `GetCoreMemSize` reports 196352, as the last 256 are reserved',
      '- data block: 32 bytes; one vector repeat: 256 bytes',
      '- workspace of the library (`GetLibApiWorkSpaceSize`): 16777216 bytes',
    ].join('\n'),
    [
      isForA3 ? '- 芯片：Ascend 910_93（Atlas A3，与 Atlas A2 同核）' : '- 芯片：Ascend 910B(Atlas A2)',
      '- AI Core:24 个，每个含 1 个 Cube 核与 2 个 Vector 核，共 48 个 Vector 核',
      '- 每个 Vector 核的 UB 为 196608 字节；末尾 256 字节保留，`GetCoreMemSize` 返回 196352',
      '- 数据块 32 字节，矢量指令一次 repeat 处理 256 字节',
      '- 库接口 workspace(`GetLibApiWorkSpaceSize`):16777216 字节',
    ].join('\n'),
  )
}

function listing({path, text}: SourceFile): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length))
  const ticks = '`'.repeat(longest + 1)
  return `===== ${path} =====\n${ticks}cpp\n${text.trimEnd()}\n${ticks}`
}
