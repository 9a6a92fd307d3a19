import type {KernelSource} from '../../../datasets/schema/kernel.ts'
import {formulas} from '../formula.ts'
import type {KernelFacts} from '../facts.ts'
import type {HostFacts} from '../host-facts.ts'
import {code, codes, paragraph, some, words, type Voice} from './say.ts'

/** What a developer would ask for so that the target file is the answer: high-level, but with every name that other files rely on. */
export function kernelRequest(source: KernelSource, facts: KernelFacts, voice: Voice): string {
  const [entry] = facts.entries
  const path = code(source.target.path)
  const operator = code(source.operator)
  const opening = entry
    ? voice.say(
        [
          `Please write ${path}, the device side of the Ascend C operator ${operator} for Atlas A2.`,
          `Implement the kernel of the ${operator} operator in Ascend C (file ${path}, target Atlas A2).`,
          `I need the AI Core kernel of ${operator} in ${path}, written in Ascend C for Atlas A2.`,
        ],
        [
          `请用 Ascend C 为 Atlas A2 编写算子 ${operator} 的核函数文件 ${path}。`,
          `请实现 ${operator} 算子的 Kernel 侧代码(${path},目标芯片 Atlas A2)。`,
          `需要 ${operator} 算子在 AI Core 上的实现,文件为 ${path},使用 Ascend C。`,
        ],
      )
    : voice.say(
        [
          `Please write the header ${path} of the Ascend C operator ${operator} (Atlas A2).`,
          `Part of the ${operator} operator for Atlas A2 is missing: implement ${path} in Ascend C.`,
        ],
        [
          `请编写 Ascend C 算子 ${operator} 的头文件 ${path}(Atlas A2)。`,
          `${operator} 算子还缺少 ${path},请用 Ascend C 补全实现。`,
        ],
      )
  return paragraph(voice, [
    opening,
    purpose(source, facts, voice),
    entry ? signature(entry, facts, voice) : provides(facts, voice),
    dtypes(source, voice),
    tiling(facts, voice),
  ])
}

function purpose(source: KernelSource, facts: KernelFacts, voice: Voice): string {
  const [comment] = facts.comments.filter(
    (text) => text.length >= 12 && text.length <= 300 && !/copyright|licen[cs]e/i.test(text),
  )
  if (comment !== undefined)
    return voice.say(`What it does: ${sentence(comment)}`, `功能说明:${comment.replace(/[.。]$/, '')}。`)
  const [formula] = formulas(facts)
  if (formula)
    return voice.say(
      `For every element it computes ${code(`${formula.output} = ${formula.expression}`)}.`,
      `逐元素计算 ${code(`${formula.output} = ${formula.expression}`)}。`,
    )
  const used = [...new Set(facts.vectorCalls.map(({call}) => call.name))]
  if (used.length === 0)
    return voice.say(
      `It belongs to the "${words(source.operator)}" computation.`,
      `它属于 ${source.operator} 的计算流程。`,
    )
  const {shown} = some(used, 6)
  return voice.say(
    `It carries out the "${words(source.operator)}" computation with vector instructions such as ${voice.list(codes(shown))}.`,
    `它使用 ${voice.list(codes(shown))} 等矢量指令完成 ${source.operator} 的计算。`,
  )
}

function sentence(text: string): string {
  return /[.!?。]$/.test(text) ? text : `${text}.`
}

function signature({name, parameters}: KernelFacts['entries'][number], facts: KernelFacts, voice: Voice): string {
  const call = code(`${name}(${parameters.join(', ')})`)
  const keys =
    facts.tilingKeys.length > 1
      ? voice.say(
          ` and dispatches on the tiling keys ${voice.list(codes(some(facts.tilingKeys, 12).shown))}`,
          `,并按 tiling key ${voice.list(codes(some(facts.tilingKeys, 12).shown))} 分派`,
        )
      : ''
  return voice.say(`The entry is ${call}${keys}.`, `核函数入口为 ${call}${keys}。`)
}

/** What other files call: classes with their public methods, or free functions. */
function provides(facts: KernelFacts, voice: Voice): string {
  const classes = facts.classes.filter(({name}) => name !== '')
  if (classes.length > 0) {
    const {shown} = some(classes, 3)
    const described = shown.map(({name}) => {
      const methods = facts.methods
        .filter(
          ({syntax}) =>
            syntax.owner === name && syntax.name !== name && (syntax.name === 'Init' || syntax.name === 'Process'),
        )
        .map(({syntax}) => `${syntax.name}(${syntax.parameters.map((one) => one.name).join(', ')})`)
      return methods.length > 0
        ? voice.say(
            `${code(name)} with ${voice.list(codes(methods))}`,
            `${code(name)}(含 ${voice.list(codes(methods))})`,
          )
        : code(name)
    })
    return voice.say(
      `It defines the ${shown.length > 1 ? 'classes' : 'class'} ${voice.list(described)}.`,
      `文件中定义${shown.length > 1 ? '这些类' : '类'}:${voice.list(described)}。`,
    )
  }
  const functions = some(
    facts.methods
      .filter(({syntax}) => syntax.owner === '')
      .map(({syntax}) => `${syntax.name}(${syntax.parameters.map((one) => one.name).join(', ')})`),
    5,
  ).shown
  return functions.length === 0
    ? ''
    : voice.say(`Other files call ${voice.list(codes(functions))}.`, `其他文件会调用 ${voice.list(codes(functions))}。`)
}

function dtypes({dtypes: columns}: KernelSource, voice: Voice): string {
  const entries = Object.entries(columns)
  if (entries.length === 0 || entries.length > 8) return ''
  const described = entries.map(([name, dtype]) => `${code(name)} ${dtype}`)
  return voice.say(
    `The first supported combination of types is ${voice.list(described)}.`,
    `首个支持的数据类型组合为 ${voice.list(described)}。`,
  )
}

function tiling(facts: KernelFacts, voice: Voice): string {
  if (facts.tilingFields.length === 0) return ''
  const {shown, more} = some(facts.tilingFields, 8)
  return voice.say(
    `Sizes come from the tiling structure (${shown.join(', ')}${more > 0 ? ` and ${more} more fields` : ''}).`,
    `长度信息来自 tiling 结构体(${shown.join('、')}${more > 0 ? ` 等 ${more + shown.length} 个字段` : ''})。`,
  )
}

export function hostRequest(source: KernelSource, facts: HostFacts, voice: Voice): string {
  const path = code(source.target.path)
  const operator = code(source.operator)
  const [definition] = facts.definitions
  const opening = voice.say(
    [
      `Please implement the host side of the Ascend C operator ${operator} in ${path}.`,
      `Write ${path}: the host-side tiling of ${operator} for Atlas A2.`,
      `I need the tiling code of the ${operator} operator (${path}).`,
    ],
    [
      `请实现 Ascend C 算子 ${operator} 的 Host 侧代码(${path})。`,
      `请编写 ${path},完成 ${operator} 在 Atlas A2 上的 Host 侧 tiling。`,
      `需要 ${operator} 算子的 tiling 实现,文件为 ${path}。`,
    ],
  )
  const parts: string[] = [opening]
  if (definition) {
    const describe = (one: (typeof definition.inputs)[number]) =>
      `${code(one.name)}${one.dtypes.length > 0 ? ` (${[...new Set(one.dtypes)].join('/')})` : ''}${one.kind === 'required' ? '' : ` [${one.kind}]`}`
    parts.push(
      voice.say(
        `The operator takes ${voice.list(definition.inputs.map(describe))} and gives ${voice.list(definition.outputs.map(describe))}.`,
        `算子输入为 ${voice.list(definition.inputs.map(describe))},输出为 ${voice.list(definition.outputs.map(describe))}。`,
      ),
    )
    if (definition.attributes.length > 0) {
      const attributes = definition.attributes.map(({name, type, default: value}) =>
        code(`${name}: ${type}${value === '' ? '' : ` = ${value}`}`),
      )
      parts.push(
        voice.say(
          `Its attribute${attributes.length > 1 ? 's are' : ' is'} ${voice.list(attributes)}.`,
          `属性有 ${voice.list(attributes)}。`,
        ),
      )
    }
  }
  const fields = [...new Set(facts.sets.map(({field}) => field))]
  if (fields.length > 0)
    parts.push(
      voice.say(
        `The tiling function fills ${voice.list(codes(some(fields, 10).shown))} for the kernel${facts.blockDim.length > 0 ? ' and sets the block dimension' : ''}.`,
        `tiling 函数需为核函数填好 ${voice.list(codes(some(fields, 10).shown))}${facts.blockDim.length > 0 ? ',并设置 blockDim' : ''}。`,
      ),
    )
  const named = facts.functions
    .filter(({name, owner}) => owner === '' && name !== source.operator)
    .map(({name}) => name)
  if (fields.length === 0 && named.length > 0)
    parts.push(
      voice.say(
        `It provides ${voice.list(codes(some(named, 5).shown))}.`,
        `文件提供 ${voice.list(codes(some(named, 5).shown))}。`,
      ),
    )
  if (facts.registrations.length > 0)
    parts.push(
      voice.say(
        `Register it with ${voice.list(codes(facts.registrations))}.`,
        `用 ${voice.list(codes(facts.registrations))} 完成注册。`,
      ),
    )
  if (facts.tilingKeys.length > 0)
    parts.push(voice.say('Choose the tiling key by the case at hand.', '并根据不同情况选择 tiling key。'))
  const infers = facts.functions.some(({calls}) => calls.some(({name}) => name === 'SetInferShape'))
  if (definition)
    parts.push(
      infers
        ? voice.say(
            'Register the operator with shape and type inference.',
            '同时完成算子原型注册与 shape、dtype 推导。',
          )
        : voice.say('Register the operator in the same file.', '同时在该文件中完成算子原型注册。'),
    )
  return paragraph(voice, parts)
}
