import {balanced, kernelName, parseOperatorDefinitions, type OperatorDefinition} from '../../../datasets/op-def.ts'
import {deviceTypes} from '../../../datasets/device-types.ts'
import type {RequestedTask} from '../../../datasets/operator-request.ts'
import type {DrawnInput} from '../../../datasets/schema/operator-call.ts'
import type {HostKernelPair, PairRequest, Scenario} from '../../../datasets/schema/scenario.ts'
import type {AttributeValue, TaskCase} from '../../../datasets/schema/task.ts'
import {randomFrom} from '../../../engine/random.ts'
import type {Context} from '../../../engine/stage.ts'
import {formulas} from '../formula.ts'
import type {KernelFacts} from '../kernel-facts.ts'
import {isReadable} from '../offline/purpose-sentence.ts'
import {voice, type Language, type Voice} from '../../../datasets/voice.ts'
import {declaredHost} from '../specialise/declared-host.ts'

/** A pair as a benchmark's task of one case; undefined without a definition. */
export function requestedTask(pair: HostKernelPair, purpose: string, voice: Voice): RequestedTask | undefined {
  const {operator, scenario} = pair
  const definition = definitionOf(pair)
  if (!definition) return undefined
  const parameters = parametersOf(pair) ?? [...definition.inputs, ...definition.outputs].map(({name}) => name)
  const path = `op_kernel/${kernelName(operator)}.cpp`
  return {
    name: operator,
    description: describe({purpose, definition, scenario, operator}, voice),
    hostTemplate: declaredHost(definition, scenario.dtypes),
    kernelTemplate: {path, text: template(pair.entry, parameters)},
    cases: [caseRow(scenario, definition)],
  }
}

/** In the language of the documentation, so that the request can quote it. */
export function speakerOf({pair: {origin, purpose, scenario}, form}: PairRequest, context: Pick<Context, 'seed'>): Voice {
  const shapes = JSON.stringify(scenario.inputs.map(({dtype, shape}) => [dtype, shape]))
  const random = randomFrom(context.seed, 'evaluated-cot', origin.repository, origin.path, shapes, form)
  const drawn = random.pick<Language>(['en', 'zh'])
  const text = purpose?.text ?? ''
  const documented = /[\u4e00-\u9fff]/.test(text) ? 'zh' : 'en'
  return voice(text === '' ? drawn : documented, random)
}

export function definitionOf({operator, host}: HostKernelPair): OperatorDefinition | undefined {
  return host.flatMap(({text}) => parseOperatorDefinitions(text)).find((one) => one.operator === operator)
}

/** As the kernel calls its tensors: an operator that works in place declares one name twice. */
function parametersOf({entry, kernel}: HostKernelPair): string[] | undefined {
  const head = new RegExp(String.raw`\b__global__\b[^;{}()]*\b${entry}\s*\(`).exec(kernel.text)
  const list = head ? balanced(kernel.text, head.index + head[0].length - 1, '(', ')') : undefined
  return list
    ?.split(',')
    .map((part) => /(\w+)\s*$/.exec(part)?.[1] ?? '')
    .slice(0, -2)
}

function template(entry: string, parameters: readonly string[]): string {
  const list = [...parameters, 'workspace', 'tiling'].map((name) => `GM_ADDR ${name}`).join(', ')
  return [
    '#include "kernel_operator.h"',
    'using namespace AscendC;',
    '',
    `extern "C" __global__ __aicore__ void ${entry}(${list})`,
    '{',
    '}',
    '',
  ].join('\n')
}

/**
 * What the operator computes, in the voice's language: documentation, or the formula that the code computes, or what
 * its author says of it; undefined when nothing does.
 */
export function purposeText({purpose, scenario}: HostKernelPair, facts: KernelFacts, voice: Voice): string | undefined {
  const text = purpose && isReadable(purpose.text, voice) ? purpose.text : ''
  const documented = (purpose?.formulas ?? []).filter((one) => isReadable(one, voice))
  if (text !== '' || documented.length > 0)
    return [text, ...documented.map((one) => `$$\n${one}\n$$`)].filter(Boolean).join('\n\n')
  const names = new Set([...scenario.inputs, ...scenario.outputs].map(({name}) => name))
  const attributes = new Set(Object.keys(scenario.attributes))
  const known = formulas(facts).find(({output, expression}) => {
    const words = (expression.match(/[A-Za-z_]\w*(?!\w|\s*\()/g) ?? []).every(
      (word) => names.has(word) || attributes.has(word),
    )
    return words && names.has(output)
  })
  if (known) return `${voice.say('element by element', '逐元素计算')} \`${known.output} = ${known.expression}\``
  return facts.comments.find((one) => /=/.test(one) && one.length <= 300 && isReadable(one, voice))
}

interface Described {
  purpose: string
  definition: OperatorDefinition
  scenario: Scenario
  operator: string
}

function describe({purpose, definition, scenario, operator}: Described, voice: Voice): string {
  const {say} = voice
  const names = [...definition.inputs, ...definition.attributes].map(({name}) => name)
  const rows = [
    ...scenario.inputs.map(({name, dtype, shape}) => [name, say('input', '输入'), dtype, shapeText(shape)]),
    ...definition.inputs
      .filter(({name}) => !scenario.inputs.some((one) => one.name === name))
      .map(({name}) => [name, say('input', '输入'), '-', say('not given', '未提供')]),
    ...definition.attributes.map(({name, type, default: value}) => [
      name,
      say('attribute', '属性'),
      type.toLowerCase(),
      cell(scenario.attributes[name] ?? plain(value)),
    ]),
    ...scenario.outputs.map(({name, dtype, shape}) => [name, say('output', '输出'), dtype, shapeText(shape)]),
  ]
  const columns = say(['name | kind | type | shape or value'], ['名称 | 类别 | 数据类型 | 形状或取值'])
  return [
    `# ${operator}`,
    say('## Function', '## 功能说明'),
    purpose,
    say('## Interface', '## 接口'),
    `\`\`\`python\ndef ${kernelName(operator)}(${names.join(', ')})\n\`\`\``,
    [
      `| ${columns} |`,
      '| --- | --- | --- | --- |',
      ...rows.map((row) => `| ${row.map((cell) => cell).join(' | ')} |`),
    ].join('\n'),
    say('## Constraints', '## 约束'),
    [
      `- ${say('All tensors are dense and in ND format.', '张量连续,数据格式为 ND。')}`,
      ...scenario.inputs.flatMap((input) => given(input, voice)),
    ].join('\n'),
  ].join('\n\n')
}

const shapeText = (shape: readonly number[]) => `[${shape.join(', ')}]`

/** Inputs whose values are a part of the case: an axis, sizes, indices. */
function given({name, values}: DrawnInput, {say}: Voice): string[] {
  if (!values || values.length > 32) return []
  const list = values.join(', ')
  return [`- ${say(`\`${name}\` holds ${list}.`, `\`${name}\` 的取值为 ${list}。`)}`]
}

/** One column for all inputs where they agree, else one for each. */
function caseRow({inputs, attributes}: Scenario, definition: OperatorDefinition): TaskCase {
  const shapes = new Set(inputs.map(({shape}) => shapeText(shape)))
  const types = new Set(inputs.map(({dtype}) => dtype))
  const [first] = inputs
  const shape =
    shapes.size === 1 ? {shape: shapeText(first?.shape ?? [])} : byName(inputs, '_shape', (one) => shapeText(one.shape))
  const dtype = types.size === 1 ? {dtype: first?.dtype ?? ''} : byName(inputs, '_dtype', (one) => one.dtype)
  const values = definition.attributes.map(
    ({name, default: value}) => [name, cell(attributes[name] ?? plain(value))] as const,
  )
  return {case_id: '0', ...shape, ...dtype, ...Object.fromEntries(values)}
}

function byName(inputs: readonly DrawnInput[], suffix: string, cellOf: (input: DrawnInput) => string): TaskCase {
  return Object.fromEntries(inputs.map((input) => [`${input.name}${suffix}`, cellOf(input)]))
}

/** A default as it is written in C++, without what marks its type; types by their numbers, as callers give them. */
function plain(value: string): string {
  const constant = value.replace(/^(?:static_cast<\w+>\(|\(\w+\))?(?:ge::)?(DT_\w+)\)?$/, '$1')
  const type = Object.values(deviceTypes).find((one) => one.constant === constant)
  if (type) return String(type.number)
  return value.replace(/^(-?[\d.]+(?:e-?\d+)?)[fFlLuU]+$/, '$1').replace(/^"(.*)"$/, '$1')
}

function cell(value: AttributeValue): string {
  return typeof value === 'object' ? `[${value.join(', ')}]` : String(value)
}
