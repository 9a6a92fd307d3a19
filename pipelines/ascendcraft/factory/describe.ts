import {kernelName} from '../../../cpp/op-def.ts'
import type {CraftDesign, Layout} from '../../../datasets/schema/crafted-operator.ts'
import {codeList, type Voice} from '../../../datasets/voice.ts'
import {tell} from '../../telling/tell-message.ts'
import {written} from './math-expression.ts'

/** Headings and words of tables, which have one form. */
const words = {
  en: {
    title: 'Function',
    call: 'Interface',
    parameters: 'Parameters',
    limits: 'Constraints',
    head: '| Name | Input/Output | Data type | Shape |',
    kinds: {input: 'input', output: 'output', attribute: 'attribute'},
    default: ', default',
  },
  zh: {
    title: '功能说明',
    call: '接口',
    parameters: '参数说明',
    limits: '约束',
    head: '| 名称 | 类别 | 数据类型 | 形状 |',
    kinds: {input: '输入', output: '输出', attribute: '属性'},
    default: '，默认',
  },
} as const

const shapesShown: Readonly<Record<Layout, string>> = {
  full: '[rows, cols]',
  table: '[held, cols]',
  columns: '[cols]',
  rows: '[rows]',
  one: '[]',
  windows: '[windows, cols]',
}

/** What a design computes, in the words of the catalogue: a sentence, and formulas in LaTeX. */
function purposeText(design: CraftDesign, voice: Voice): string {
  const {inputs, outputs, form, window} = design
  const layout = outputs[0]!.layout
  const isKept = (form === 'rows' || form === 'columns' || form === 'all') && layout === 'full'
  const kept = isKept && design.stages.length > 0 ? '-kept' : ''
  const situation = `purpose-${form}${kept}${isBroadcast(design) ? '-broadcast' : ''}`
  const values = {
    inputs: codeList(
      // Windows are taken of whole tensors only; a vector of columns serves every window.
      inputs.filter(({layout}) => form !== 'windows' || layout === 'full').map(({name}) => name),
      voice,
    ),
    outputs: codeList(
      outputs.map(({name}) => name),
      voice,
    ),
    output_count: outputs.length,
    size: window?.size ?? 0,
    step: window?.step ?? 0,
    reductions: design.stages.length,
  }
  const sentence = tell({topic: 'crafted', situation, values}, voice)
  return [sentence, '', '$$', formulas(design).join(' \\\\\n'), '$$'].join('\n')
}

const isBroadcast = ({form, stages}: CraftDesign) => form === 'rows' && stages.length === 0

/** Indices of an element by the layout of its tensor. */
const indices: Readonly<Record<Layout, string>> = {
  full: '_{rc}',
  table: '_{i_r c}',
  columns: '_c',
  rows: '_r',
  one: '',
  windows: '_{rc}',
}

function formulas(design: CraftDesign): string[] {
  const {inputs, stages, scan, outputs, form, window} = design
  const layouts = new Map(inputs.map(({name, layout}) => [name, layout]))
  const end = {rows: 'r', columns: 'c', all: ''}[form as 'rows'] ?? ''
  const over = {rows: 'c', columns: 'r', all: 'r,c'}[form as 'rows'] ?? 'k'
  const stats = new Map(stages.map(({name}, at) => [name, `s_{${at + 1}${end === '' ? '' : `,${end}`}}`]))
  const named = (row: string) => (name: string) => {
    const layout = layouts.get(name)
    if (layout) return `${symbol(name)}${indices[layout].replace(/^_\{r/, `_{${row}`)}`
    if (name === 'before' || name === 'state') return name === 'state' ? 'h_{rc}' : 'h_{r-1,c}'
    return stats.get(name) ?? symbol(name)
  }
  const latex = (one: Parameters<typeof written>[0], row = 'r') => written(one, 'latex', {named: named(row)})
  const row = window ? `r \\cdot ${window.step} + k,` : 'r'
  return [
    ...stages.map(({name, reduce, of, made}) => {
      const sign = {sum: '\\sum', max: '\\max', min: '\\min'}[reduce]
      const range = window ? `0 \\le k < ${window.size}` : over
      const found = `${sign}_{${range}} \\left(${latex(of, row)}\\right)`
      return `${stats.get(name)} = ${latex(made).replace(symbol('found'), () => found)}`
    }),
    ...(scan ? [`h_{rc} = ${latex(scan.next)}`, `h_{-1,c} = ${scan.start}`] : []),
    ...outputs.map(({name, layout, value}) => `${symbol(name)}${indices[layout]} = ${latex(value)}`),
  ]
}

const greek = new Set(['alpha', 'theta', 'beta', 'gamma'])
const symbol = (name: string) => {
  const [first = '', ...rest] = name.split('_')
  const word = first.length > 1 ? `\\mathrm{${first}}` : first
  const base = greek.has(first) ? `\\${first}` : word
  return rest.length === 0 ? base : `${base}'`
}

/** Whether a tensor has a type that is widened for the computation. */
const isNarrow = ({inputs, outputs}: CraftDesign) =>
  [...inputs, ...outputs].some(({type}) => type === 'float16' || type === 'bfloat16')

/** `api_desc.md` of a task. */
export function descriptionText(design: CraftDesign, tile: number, voice: Voice): string {
  const {name, inputs, attributes, strategy, window, form} = design
  const own = words[voice.language]
  const limit = (situation: string, values = {}) => `- ${tell({topic: 'crafted', situation, values}, voice)}`
  const limits = [
    ...inputs
      .filter((one) => one.name !== 'index')
      .map((one) => limit('limit-domain', {name: one.name, low: one.domain[0], high: one.domain[1]})),
    ...(strategy === 'row-fits' ? [limit('limit-row', {most: tile})] : []),
    ...(window ? [limit('limit-window', window)] : []),
    ...(form === 'lookup' ? [limit('limit-index')] : []),
    ...(design.compute === 'int32' ? [limit('limit-exact')] : []),
    ...(design.compute === 'float32' && isNarrow(design) ? [limit('limit-precision')] : []),
  ]
  return [
    `# aclnn${name}`,
    '',
    `## ${own.title}`,
    '',
    purposeText(design, voice),
    '',
    `## ${own.call}`,
    '',
    '```python',
    `def ${kernelName(name)}(${[...inputs, ...attributes].map((one) => one.name).join(', ')})`,
    '```',
    '',
    ...tableLines(design, voice),
    '',
    `## ${own.limits}`,
    '',
    ...limits,
    '',
  ].join('\n')
}

/** Parameters with types and shapes. */
function tableLines({inputs, attributes, outputs}: CraftDesign, {language}: Voice): string[] {
  const own = words[language]
  const row = (kind: string) => (one: CraftDesign['inputs'][number] | CraftDesign['outputs'][number]) =>
    `| \`${one.name}\` | ${kind} | ${one.type} | ${shapesShown[one.layout]} |`
  return [
    own.head,
    '| --- | --- | --- | --- |',
    ...inputs.map(row(own.kinds.input)),
    ...attributes.map((one) => `| \`${one.name}\` | ${own.kinds.attribute} | float${own.default} ${one.value} | |`),
    ...outputs.map(row(own.kinds.output)),
  ]
}

/** `README.md` next to the operator's code. */
export function readmeText(design: CraftDesign, voice: Voice): string {
  const {title, parameters} = words[voice.language]
  const purpose = [`## ${title}`, '', purposeText(design, voice)]
  return [`# ${design.name}`, '', ...purpose, '', `## ${parameters}`, '', ...tableLines(design, voice), ''].join('\n')
}
