import type {KernelSource} from '../../../datasets/schema/kernel.ts'
import type {HostFacts} from '../host-facts.ts'
import {code, codes, paragraph, paragraphs, some, type Voice} from './say.ts'

/** From the operator's interface to the tiling values that its kernel needs; steps without facts are not there. */
export function hostReasoning(source: KernelSource, facts: HostFacts, voice: Voice): string {
  return paragraphs([
    taskParagraph(source, facts, voice),
    platformParagraph(facts, voice),
    inputsParagraph(facts, voice),
    formulaParagraph(facts, voice),
    structureParagraph(facts, voice),
    launchParagraph(facts, voice),
    refusalParagraph(facts, voice),
    definitionParagraph(facts, voice),
  ])
}

function taskParagraph({operator, target, dependencies}: KernelSource, facts: HostFacts, voice: Voice): string {
  const functions = some(
    facts.functions.filter(({name, lines}) => lines[1] - lines[0] >= 3 && name !== operator).map(({name}) => name),
    6,
  )
  return paragraph(voice, [
    voice.say(
      [
        `The kernel of ${code(operator)} cannot know shapes or the number of cores at compile time; ${code(target.path)} has to work both out on the host and hand them over.`,
        `On the host, ${code(target.path)} decides how ${code(operator)} is cut into pieces before any core starts.`,
      ],
      [
        `${code(operator)} 的核函数在编译期不知道 shape 和核数,需要由 ${code(target.path)} 在 Host 侧算好再传给它。`,
        `${code(target.path)} 负责在下发任务之前决定 ${code(operator)} 的数据如何切分。`,
      ],
    ),
    functions.shown.length > 0
      ? voice.say(
          `I divide the work into ${voice.list(codes(functions.shown))}${functions.more > 0 ? ` and ${functions.more} smaller ${functions.more > 1 ? 'functions' : 'function'}` : ''}.`,
          `实现拆成 ${voice.list(codes(functions.shown))}${functions.more > 0 ? ` 等 ${functions.more + functions.shown.length} 个函数` : ''}。`,
        )
      : '',
    dependencies.length > 0
      ? voice.say(
          `${voice.list(codes(dependencies.map(({path}) => path)))} ${dependencies.length > 1 ? 'are' : 'is'} given and only included.`,
          `${voice.list(codes(dependencies.map(({path}) => path)))} 已提供,直接包含即可。`,
        )
      : '',
  ])
}

function platformParagraph({platform, constants}: HostFacts, voice: Voice): string {
  if (platform.length === 0) return ''
  const asked = platform.map((one) =>
    one === 'ub'
      ? voice.say(`the size of the unified buffer (${code('GetCoreMemSize')})`, `UB 大小(${code('GetCoreMemSize')})`)
      : one === 'cores'
        ? voice.say('the number of cores', '可用核数')
        : voice.say(
            `the workspace of the library (${code('GetLibApiWorkSpaceSize')})`,
            `库接口所需的 workspace(${code('GetLibApiWorkSpaceSize')})`,
          ),
  )
  const reserve = [...constants].find(([name]) => /RESERVE|REMAIN.*UB|UB.*RESERV/i.test(name))
  return paragraph(voice, [
    voice.say(
      [
        `The platform is asked for ${voice.list(asked)}, so that the same code fits every chip of the family.`,
        `First ${voice.list(asked)} ${asked.length > 1 ? 'are' : 'is'} read from the platform instead of being written into the code.`,
      ],
      [
        `先向平台查询:${voice.list(asked)},避免把芯片规格写死。`,
        `通过平台接口获取:${voice.list(asked)},同一份代码可适配同系列芯片。`,
      ],
    ),
    reserve
      ? voice.say(
          `Of the buffer, ${code(`${reserve[0]} = ${reserve[1]}`)} stays in reserve.`,
          `UB 中保留 ${code(`${reserve[0]} = ${reserve[1]}`)}。`,
        )
      : '',
  ])
}

function inputsParagraph({inputs, attributes}: HostFacts, voice: Voice): string {
  return paragraph(voice, [
    inputs.length > 0
      ? voice.say(
          `Shape and type come from input${inputs.length > 1 ? 's' : ''} ${voice.list(inputs.map(String))}.`,
          `shape 与数据类型取自第 ${voice.list(inputs.map(String))} 个输入(从 0 计)。`,
        )
      : '',
    attributes.length > 0
      ? voice.say(
          `Attributes are read by position: ${voice.list(some(attributes, 6).shown.map(({index, type}) => code(type === '' ? index : `${index}: ${type}`)))}.`,
          `属性按位置读取:${voice.list(some(attributes, 6).shown.map(({index, type}) => code(type === '' ? index : `${index}: ${type}`)))}。`,
        )
      : '',
  ])
}

function formulaParagraph({formulas, constants}: HostFacts, voice: Voice): string {
  if (formulas.length === 0) return ''
  const {shown, more} = some(formulas, 7)
  const used = some(
    [...constants].filter(([name]) => shown.some(({value}) => new RegExp(`\\b${name}\\b`).test(value))),
    5,
  ).shown.map(([name, value]) => code(`${name} = ${value}`))
  return paragraph(voice, [
    voice.say(
      ['The sizes follow step by step:', 'Now the arithmetic of the split:', 'With that the cutting can be computed:'],
      ['切分相关的计算如下:', '据此逐步推出各个长度:', '切分公式依次为:'],
    ),
    voice.say(
      `${shown.map(({name, value}) => code(`${name} = ${value}`)).join('; ')}${more > 0 ? `; and ${more} more of this kind` : ''}.`,
      `${shown.map(({name, value}) => code(`${name} = ${value}`)).join(';')}${more > 0 ? `;另有 ${more} 条` : ''}。`,
    ),
    used.length > 0 ? voice.say(`Here ${voice.list(used)}.`, `其中 ${voice.list(used)}。`) : '',
    shown.some(({value}) => /\s%\s/.test(value))
      ? voice.say(
          'The remainder is kept apart, since shapes need not divide evenly.',
          '余数单独保存,因为 shape 不一定能整除。',
        )
      : '',
    shown.some(({value}) => /\bmin\(/.test(value) && /core|blockDim/i.test(value))
      ? voice.say(
          'The minimum keeps small shapes from using more cores than there is data.',
          '取最小值可以避免小 shape 使用过多的核。',
        )
      : '',
  ])
}

function structureParagraph({structures, sets}: HostFacts, voice: Voice): string {
  const [structure] = structures
  const pairs = [...new Map(sets.map(({field, value}) => [field, value])).entries()]
  if (pairs.length === 0 && !structure) return ''
  const {shown, more} = some(
    pairs.filter(([field, value]) => value.length <= 80 && value !== field),
    8,
  )
  return paragraph(voice, [
    structure
      ? voice.say(
          `The values travel in ${code(structure.name)}, whose fields are ${voice.list(
            codes(
              some(
                structure.fields.map(({name}) => name),
                12,
              ).shown,
            ),
          )}.`,
          `这些数值通过 ${code(structure.name)} 传递,字段有 ${voice.list(
            codes(
              some(
                structure.fields.map(({name}) => name),
                12,
              ).shown,
            ),
          )}。`,
        )
      : '',
    shown.length > 0
      ? voice.say(
          `${shown.length === pairs.length ? 'They' : 'Some'} are set as ${voice.list(shown.map(([field, value]) => code(`${field} = ${value}`)))}${more > 0 ? ` and ${more} more` : ''}.`,
          `${shown.length === pairs.length ? '' : '部分字段'}赋值为 ${voice.list(shown.map(([field, value]) => code(`${field} = ${value}`)))}${more > 0 ? ` 等` : ''}。`,
        )
      : '',
    structure?.fields.some(({type}) => /64/.test(type)) &&
    structure.fields.some(({type}) => /32|16|8/.test(type) && !/64/.test(type))
      ? voice.say(
          'The structure mixes 64-bit and narrower fields, so host and kernel must share one declaration to agree on the layout.',
          '结构体中 64 位与更窄的字段混用,Host 与 Kernel 必须共用同一份声明以保证布局一致。',
        )
      : '',
  ])
}

function launchParagraph({blockDim, tilingKeys, workspace}: HostFacts, voice: Voice): string {
  return paragraph(voice, [
    blockDim.length > 0
      ? voice.say(
          `The launch uses ${voice.list(codes(blockDim.map((value) => `SetBlockDim(${value})`)))}.`,
          `启动核数由 ${voice.list(codes(blockDim.map((value) => `SetBlockDim(${value})`)))} 设置。`,
        )
      : '',
    blockDim.length === 1 && blockDim[0] === '1'
      ? voice.say(
          'A single core does the whole work, which keeps the order of operations fixed.',
          '整个计算由一个核完成,运算顺序固定。',
        )
      : '',
    tilingKeys.length > 0
      ? voice.say(
          `The tiling key is ${voice.list(codes(some(tilingKeys, 6).shown))}, so that the kernel picks its variant at compile time.`,
          `tiling key 取 ${voice.list(codes(some(tilingKeys, 6).shown))},核函数据此选择编译期分支。`,
        )
      : '',
    workspace.length > 0
      ? voice.say(
          `The workspace is ${voice.list(codes(workspace))}.`,
          `workspace 大小为 ${voice.list(codes(workspace))}。`,
        )
      : '',
  ])
}

function refusalParagraph({refusals}: HostFacts, voice: Voice): string {
  if (refusals.length === 0) return ''
  const {shown, more} = some(refusals, 5)
  return voice.say(
    `Tiling must fail early when it cannot work: ${shown.map((condition) => code(condition)).join(', ')}${more > 0 ? `, and ${more} more checks` : ''} ${shown.length > 1 || more > 0 ? 'lead' : 'leads'} to ${code('GRAPH_FAILED')}.`,
    `不满足条件时应尽早失败:${shown.map((condition) => code(condition)).join('、')}${more > 0 ? ` 等 ${more + shown.length} 项检查` : ''} 返回 ${code('GRAPH_FAILED')}。`,
  )
}

function definitionParagraph({definitions, registrations}: HostFacts, voice: Voice): string {
  const [definition] = definitions
  const parts: string[] = []
  if (definition) {
    const columns = Math.max(...[...definition.inputs, ...definition.outputs].map(({dtypes}) => dtypes.length), 0)
    parts.push(
      voice.say(
        `The definition lists ${definition.inputs.length} input${definition.inputs.length === 1 ? '' : 's'} and ${definition.outputs.length} output${definition.outputs.length === 1 ? '' : 's'}; their type lists are columns of one table, here with ${columns} combination${columns === 1 ? '' : 's'}, so all lists have the same length.`,
        `算子原型包含 ${definition.inputs.length} 个输入、${definition.outputs.length} 个输出;各自的类型列表按列对应,共 ${columns} 种组合,长度必须一致。`,
      ),
    )
    if (definition.socs.length > 0)
      parts.push(
        voice.say(
          `It is registered for ${voice.list(codes(definition.socs))}.`,
          `注册的芯片为 ${voice.list(codes(definition.socs))}。`,
        ),
      )
  }
  if (registrations.length > 0)
    parts.push(
      voice.say(
        `${voice.list(codes(registrations))} binds the functions to the operator.`,
        `${voice.list(codes(registrations))} 把函数绑定到算子上。`,
      ),
    )
  return paragraph(voice, parts)
}
