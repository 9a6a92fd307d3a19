import type {KernelFacts} from '../../../datasets/schema/code-facts.ts'
import {withoutComments} from '../../../cpp/code-pieces.ts'
import {kernelName, parseOperatorDefinitions, type OperatorDefinition} from '../../../cpp/op-def.ts'
import {balanced} from '../../../cpp/tokenized.ts'
import {elementTypes} from '../../../cpp/types.ts'
import type {RequestedTask} from '../../../datasets/operator-request.ts'
import type {Purpose, SourceFile} from '../../../datasets/schema/operator.ts'
import type {DrawnInput} from '../../../datasets/schema/operator-call.ts'
import type {HostKernelPair, PairRequest, Scenario} from '../../../datasets/schema/scenario.ts'
import type {AttributeValue, TaskCase} from '../../../datasets/schema/task.ts'
import {randomFrom} from '../../../engine/random.ts'
import type {Context} from '../../../engine/stage.ts'
import {formulas} from '../../facts/formula.ts'
import {isReadable} from '../offline/purpose-sentence.ts'
import {plainName} from '../scenarios/contract-names.ts'
import {languageOf, voice, type Language, type Voice} from '../../../datasets/voice.ts'
import {declaredHost} from '../specialise/declared-host.ts'

/** A pair as a benchmark's task, a case for its call and each further one; undefined without a definition. */
export function requestedTask(
  pair: HostKernelPair,
  purpose: string,
  voice: Voice,
  more: readonly Scenario[] = [],
): RequestedTask | undefined {
  const {operator, scenario} = pair
  const scenarios: Scenarios = [scenario, ...more]
  const declared = definitionOf(pair)
  if (!declared) return undefined
  const definition = withValues(declared, pair.host)
  const parameters = parametersOf(pair) ?? [...definition.inputs, ...definition.outputs].map(({name}) => name)
  const path = `op_kernel/${kernelName(operator)}.cpp`
  const cases = caseRows(scenarios, definition)
  return {
    name: operator,
    description: describe({purpose, definition, scenarios, operator, said: pair.purpose?.parameters ?? []}, voice),
    hostTemplate: declaredHost(definition, scenario.dtypes),
    kernelTemplate: {path, text: template(pair.entry, parameters)},
    cases,
    columns: Object.keys(cases[0] ?? {}),
  }
}

/** In the language of the documentation, so that the request can quote it. */
export function speakerOf(
  {pair: {origin, purpose, scenario}, form}: PairRequest,
  context: Pick<Context, 'seed'>,
): Voice {
  const shapes = JSON.stringify(scenario.inputs.map(({dtype, shape}) => [dtype, shape]))
  const random = randomFrom(context.seed, 'evaluated-cot', origin.repository, origin.path, shapes, form)
  const drawn = random.pick<Language>(['en', 'zh'])
  const text = purpose?.text ?? ''
  return voice(text === '' ? drawn : languageOf(text), random)
}

/** Of one operator, with the same inputs. */
type Scenarios = readonly [Scenario, ...Scenario[]]

export function definitionOf({operator, host}: HostKernelPair): OperatorDefinition | undefined {
  return host.flatMap(({text}) => parseOperatorDefinitions(text)).find((one) => one.operator === operator)
}

/** Defaults that are constants by name have their values instead: nothing that a request shows declares the names. */
function withValues(definition: OperatorDefinition, host: readonly SourceFile[]): OperatorDefinition {
  const text = host.map((file) => withoutComments(file.text)).join('\n')
  const valueOf = (name: string) => {
    if (!/^[A-Za-z_]\w*$/.test(name) || /^(?:true|false)$/.test(name)) return name
    const [, assigned, defined] =
      new RegExp(String.raw`\b${name}\s*=\s*([^;{}]+);|#[ \t]*define[ \t]+${name}[ \t]+(\S+)`).exec(text) ?? []
    return (assigned ?? defined ?? name).trim()
  }
  const attributes = definition.attributes.map((one) => ({...one, default: valueOf(one.default)}))
  return {...definition, attributes}
}

/** As the kernel calls its tensors: an operator that works in place declares one name twice. */
function parametersOf({entry, kernel}: HostKernelPair): string[] | undefined {
  const head = new RegExp(String.raw`\b__global__\b[^;{}()]*\b${entry}\s*\(`).exec(kernel.text)
  const list = head ? balanced(kernel.text, head.index + head[0].length - 1) : undefined
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
 * What the operator computes, in the voice's language: documentation, or the formula that the code computes, or its
 * author's description; undefined when nothing does.
 */
export function purposeText({purpose, scenario}: HostKernelPair, facts: KernelFacts, voice: Voice): string | undefined {
  const text = purpose && isReadable(purpose.text, voice) ? purpose.text : ''
  const formulasOfPage = purpose?.formulas ?? []
  const documented = formulasOfPage.every((one) => isReadable(one, voice)) ? formulasOfPage : []
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
  scenarios: Scenarios
  operator: string
  /** The documentation of the parameters. */
  said: NonNullable<Purpose['parameters']>
}

function describe({purpose, definition, scenarios, operator, said}: Described, voice: Voice): string {
  const {say} = voice
  const [scenario] = scenarios
  const each = (text: (one: Scenario) => string) => [...new Set(scenarios.map(text))].join(say(' or ', ' 或 '))
  const shapes = (side: 'inputs' | 'outputs', at: number) => each((one) => shapeText(one[side][at]?.shape ?? []))
  const names = [...definition.inputs, ...definition.attributes].map(({name}) => name)
  const rows = [
    ...scenario.inputs.map(({name, dtype}, at) => [name, say('input', '输入'), dtype, shapes('inputs', at)]),
    ...definition.inputs
      .filter(({name}) => !scenario.inputs.some((one) => one.name === name))
      .map(({name}) => [name, say('input', '输入'), '-', say('not given', '未提供')]),
    ...definition.attributes.map(({name, type, default: value}) => [
      name,
      say('attribute', '属性'),
      type.toLowerCase(),
      each(({attributes}) => cell(attributes[name] ?? plain(value))),
    ]),
    ...scenario.outputs.map(({name, dtype}, at) => [name, say('output', '输出'), dtype, shapes('outputs', at)]),
  ]
  const meanings = rows.map(([name = '']) => meaningOf(name, said, voice))
  const isSaid = meanings.some((one) => one !== '')
  const titles = say('name | kind | type | shape or value', '名称 | 类别 | 数据类型 | 形状或取值')
  const columns = isSaid ? `${titles} | ${say('meaning', '说明')}` : titles
  return [
    `# ${operator}`,
    say('## Function', '## 功能说明'),
    purpose,
    say('## Interface', '## 接口'),
    `\`\`\`python\ndef ${kernelName(operator)}(${names.join(', ')})\n\`\`\``,
    [
      `| ${columns} |`,
      `|${' --- |'.repeat(isSaid ? 5 : 4)}`,
      ...rows.map((row, at) => `| ${[...row, ...(isSaid ? [meanings[at]] : [])].join(' | ')} |`),
    ].join('\n'),
    say('## Constraints', '## 约束'),
    [
      `- ${say('All tensors are dense and in ND format.', '张量连续，数据格式为 ND。')}`,
      ...scenario.inputs.flatMap((_, at) => given(scenarios, at, voice)),
    ].join('\n'),
  ].join('\n\n')
}

/** Pages of the interface write `outputSize` for `output_size`. */
function meaningOf(name: string, said: Described['said'], voice: Voice): string {
  const key = (text: string) => plainName(text).replace(/(?:out|ref)$/, '')
  const meaning =
    said.find((one) => one.name === name)?.meaning ?? said.find((one) => key(one.name) === key(name))?.meaning
  return meaning !== undefined && isReadable(meaning, voice) ? meaning.replaceAll('|', '\\|') : ''
}

const shapeText = (shape: readonly number[]) => `[${shape.join(', ')}]`

/** An input whose values are a part of the case: an axis, sizes, indices. */
function given(scenarios: Scenarios, at: number, {say, list}: Voice): string[] {
  const inputs = scenarios.map(({inputs}) => inputs[at])
  const texts = inputs.map((input) => input?.values && input.values.length <= 32 && input.values.join(', '))
  const [first] = texts
  const name = inputs[0]?.name ?? ''
  if (texts.some((text) => typeof text !== 'string')) return []
  if (texts.every((text) => text === first))
    return [`- ${say(`\`${name}\` holds ${first}.`, `\`${name}\` 的取值为 ${first}。`)}`]
  const cases = list(texts.map((text, id) => say(`${text} in case ${id}`, `${text}(用例 ${id})`)))
  return [`- ${say(`\`${name}\` holds ${cases}.`, `\`${name}\` 的取值为 ${cases}。`)}`]
}

/** One column for all inputs where they agree in every case, else one for each. */
function caseRows(scenarios: Scenarios, definition: OperatorDefinition): TaskCase[] {
  const agree = (cellOf: (input: DrawnInput) => string) =>
    scenarios.every(({inputs}) => new Set(inputs.map(cellOf)).size === 1)
  const [byShape, byType] = [agree(({shape}) => shapeText(shape)), agree(({dtype}) => dtype)]
  return scenarios.map(({inputs, attributes}, id) => {
    const [first] = inputs
    const shape = byShape
      ? {shape: shapeText(first?.shape ?? [])}
      : byName(inputs, '_shape', (one) => shapeText(one.shape))
    const dtype = byType ? {dtype: first?.dtype ?? ''} : byName(inputs, '_dtype', (one) => one.dtype)
    const values = definition.attributes.map(
      ({name, default: value}) => [name, cell(attributes[name] ?? plain(value))] as const,
    )
    return {case_id: String(id), ...shape, ...dtype, ...Object.fromEntries(values)}
  })
}

function byName(inputs: readonly DrawnInput[], suffix: string, cellOf: (input: DrawnInput) => string): TaskCase {
  return Object.fromEntries(inputs.map((input) => [`${input.name}${suffix}`, cellOf(input)]))
}

/** A default as it is written in C++, without what marks its type; types by their numbers, as callers give them. */
function plain(value: string): string {
  const constant = value.replace(/^(?:static_cast<\w+>\(|\(\w+\))?(?:ge::)?(DT_\w+)\)?$/, '$1')
  const type = Object.values(elementTypes).find((one) => one.constant === constant)
  if (type) return String(type.number)
  return value.replace(/^(-?[\d.]+(?:e-?\d+)?)[fFlLuU]+$/, '$1').replace(/^"(.*)"$/, '$1')
}

function cell(value: AttributeValue): string {
  return typeof value === 'object' ? `[${value.join(', ')}]` : String(value)
}
