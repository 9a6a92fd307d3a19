import type {CraftDesign, Expression, Layout} from '../../../datasets/schema/crafted-operator.ts'
import {indented} from './frame.ts'
import {anchorOf} from './tile-program.ts'
import {written} from './math-expression.ts'
import {startOf} from './loops.ts'

/** Sizes of tensors by their layout, as the reference calls them. */
const sizes: Readonly<Record<Layout, string>> = {
  full: '[rows, cols]',
  table: '[held, cols]',
  columns: '[cols]',
  rows: '[rows]',
  one: '[]',
  windows: '[windows, cols]',
}

const lengths: Readonly<Record<Layout, string>> = {
  full: 'rows * cols',
  table: 'held * cols',
  columns: 'cols',
  rows: 'rows',
  one: '1',
  windows: 'windows * cols',
}

const places: Readonly<Record<Layout, string>> = {
  full: 'r * cols + c',
  table: 'source * cols + c',
  columns: 'c',
  rows: 'r',
  one: '0',
  windows: 'r * cols + c',
}

/** A step of the last place, which the usual tolerance is below: a value between two may be rounded to either. */
const bfloatTolerance = 'tolerance: {bfloat16: {absolute: 1e-5, relative: 0.0079}}'

/** `validation/reference.ts` of a design's task: what the operator computes, in double precision, at which sizes. */
export function referenceText(design: CraftDesign, tile: number): string {
  const {inputs, outputs, attributes} = design
  const domain = inputs.map(({name, domain: [low, high]}) => `${name}: [${low}, ${high}]`)
  const tensor = ({name, type, layout}: {name: string; type: string; layout: Layout}) =>
    `{name: '${name}', dtype: '${type}', shape: ${sizes[layout]}},`
  const helpers = ['inputOf', ...(attributes.length > 0 ? ['numberCell'] : []), 'shapeCell', 'type TaskReference']
  const given = attributes.map(({name}) => `${name}: numberCell(row, '${name}')`)
  return [
    '// SPDX-License-Identifier: Apache-2.0',
    `import {${helpers.join(', ')}} from 'ascend-cot/reference'`,
    '',
    'const reference: TaskReference = {',
    `  domain: {${domain.join(', ')}},`,
    ...(outputs.some(({type}) => type === 'bfloat16') ? [`  ${bfloatTolerance},`] : []),
    '  describe(row) {',
    ...gridLines(design).map((line) => `    ${line}`),
    // Sizes that the operator does not serve are none to judge it at.
    ...(design.strategy === 'row-fits'
      ? [`    if (cols > ${tile}) throw new Error('rows of at most ${tile} elements')`]
      : []),
    '    return {',
    '      inputs: [',
    ...inputs.map((one) => `        ${tensor(one)}`),
    '      ],',
    '      outputs: [',
    ...outputs.map((one) => `        ${tensor(one)}`),
    '      ],',
    ...(given.length > 0 ? [`      attributes: {${given.join(', ')}},`] : []),
    '    }',
    '  },',
    '  compute(inputs, row) {',
    ...computeLines(design).map((line) => (line === '' ? '' : `    ${line}`)),
    '  },',
    '}',
    '',
    'export default reference',
    '',
  ].join('\n')
}

function gridLines({form, window}: CraftDesign): string[] {
  const cell = `shapeCell(row, 'shape') as [number, number]`
  if (form === 'lookup') return [`const [held, cols] = ${cell}`, `const [rows] = shapeCell(row, 'picked') as [number]`]
  const lines = [`const [rows, cols] = ${cell}`]
  return window ? [...lines, `const windows = Math.floor((rows - ${window.size}) / ${window.step}) + 1`] : lines
}

function computeLines(design: CraftDesign): string[] {
  const {inputs, outputs, attributes} = design
  return [
    ...gridLines(design),
    // The device gets attributes in single precision.
    ...attributes.map(({name}) => `const ${name} = Math.fround(numberCell(row, '${name}'))`),
    ...inputs.map(({name}) => `const ${name} = inputOf(inputs, '${name}')`),
    ...outputs.map(({name, layout}) => `const ${name} = new Float64Array(${lengths[layout]})`),
    ...loops(design),
    `return {${outputs.map(({name}) => name).join(', ')}}`,
  ]
}

/** An expression with the elements of tensors in place of their names. */
function text(design: CraftDesign, one: Expression, n: string, row = 'r'): string {
  const layouts = new Map(design.inputs.map(({name, layout}) => [name, layout]))
  return written(one, 'typescript', {
    named(name) {
      const layout = layouts.get(name)
      if (name === 'n') return n
      return layout === undefined ? name : `${name}[${places[layout].replace(/^r\b/, row)}]!`
    },
  })
}

const each = (variable: string, end: string, ...lines: readonly string[]) => [
  `for (let ${variable} = 0; ${variable} < ${end}; ${variable} += 1) {`,
  ...lines.map((line) => `  ${line}`),
  '}',
]

function assigned(design: CraftDesign, layouts: readonly Layout[], n: string): string[] {
  return design.outputs
    .filter(({layout}) => layouts.includes(layout))
    .map(({name, layout, value}) => `${name}[${places[layout]}] = ${text(design, value, n)}`)
}

/** Around a reduction: what is kept outside of it, what runs inside, and how long that is. */
const axes = {
  rows: {outer: [['r', 'rows']], inner: [['c', 'cols']], n: 'cols', end: 'rows'},
  columns: {outer: [['c', 'cols']], inner: [['r', 'rows']], n: 'rows', end: 'columns'},
  all: {
    outer: [],
    inner: [
      ['r', 'rows'],
      ['c', 'cols'],
    ],
    n: 'rows * cols',
    end: 'one',
  },
} as const

function nested([first, ...rest]: readonly (readonly [string, string])[], lines: readonly string[]): string[] {
  return first ? each(...first, ...nested(rest, lines)) : [...lines]
}

function loops(design: CraftDesign): string[] {
  const {form, stages, scan, window} = design
  const full = assigned(design, ['full'], '')
  if (form === 'elements') return nested(axes.all.inner, full)
  if (form === 'lookup')
    return each('r', 'rows', 'const source = Math.min(Math.max(index[r]!, 0), held - 1)', ...each('c', 'cols', ...full))
  if (scan)
    return each(
      'c',
      'cols',
      `let state = ${scan.start}`,
      ...each('r', 'rows', 'const before = state', `state = ${text(design, scan.next, '')}`, ...full),
    )
  if (window)
    return nested(
      [
        ['r', 'windows'],
        ['c', 'cols'],
      ],
      windowLines(design, window),
    )
  const {outer, inner, n, end} = axes[form as keyof typeof axes]
  const reductions = stages.flatMap(({name, reduce, of, made}) => [
    `let ${name} = ${startOf(reduce)}`,
    ...nested(inner, [joinedText(reduce, name, text(design, of, n))]),
    ...(made === 'found' ? [] : [`${name} = ${madeText(design, made, name, n)}`]),
  ])
  const results = assigned(design, ['full'], n)
  return nested(outer, [
    ...reductions,
    ...(results.length > 0 ? nested(inner, results) : []),
    ...assigned(design, [end], n),
  ])
}

const joinedText = (reduce: CraftDesign['stages'][number]['reduce'], name: string, value: string) =>
  reduce === 'sum' ? `${name} += ${value}` : `${name} = Math.${reduce}(${name}, ${value})`

const madeText = (design: CraftDesign, made: Expression, name: string, n: string) =>
  text(design, made, n.includes('*') ? `(${n})` : n).replace(/\bfound\b/g, name)

function windowLines(design: CraftDesign, {size, step}: NonNullable<CraftDesign['window']>): string[] {
  const [stage] = design.stages
  const value = text(design, stage!.of, '', `(r * ${step} + tap)`)
  return [
    `let s1 = ${startOf(stage!.reduce)}`,
    ...each('tap', String(size), joinedText(stage!.reduce, 's1', value)),
    ...assigned(design, ['windows'], ''),
  ]
}

/** `module.py`: the same in PyTorch. */
export function torchText(design: CraftDesign): string {
  const {inputs, outputs, attributes, stages, scan, window, form} = design
  const isNumber = (name: string) => attributes.some((one) => one.name === name)
  const dim = {rows: 'dim=1, keepdim=True', columns: 'dim=0, keepdim=True'}[form as 'rows']
  const count = {rows: 'shape[1]', columns: 'shape[0]'}[form as 'rows'] ?? 'numel()'
  const n = `${anchorOf(design)}.${count}`
  const write = (one: Expression) => written(one, 'torch', {isNumber, named: (name) => (name === 'n' ? n : name)})
  const reduced = (reduce: string, of: string) => {
    if (dim === undefined) return `torch.${reduce}(${of})`
    return reduce === 'sum' ? `torch.sum(${of}, ${dim})` : `torch.a${reduce}(${of}, ${dim})`
  }
  const types = {float32: 'torch.float32', int32: 'torch.int32'}
  const body = [
    ...inputs
      .filter(({name}) => name !== 'index')
      .map(
        ({name, layout}) => `${name} = ${name}.to(${types[design.compute]})${layout === 'rows' ? '.unsqueeze(1)' : ''}`,
      ),
    ...(form === 'lookup' ? lookupLines(design) : []),
    ...(window
      ? windowTorch(design, write)
      : stages.flatMap(({name, reduce, of, made}) => [
          `${name} = ${write(made).replace(/\bfound\b/g, reduced(reduce, write(of)))}`,
        ])),
    ...(scan ? scanTorch(design, write) : outputs.map(({name, value}) => `${name} = ${write(value)}`)),
  ]
  const flat = {rows: '.squeeze(1)', columns: '.squeeze(0)'} as Partial<Record<Layout, string>>
  const results = outputs.map(({name, layout, type}) => `${name}${flat[layout] ?? ''}.to(torch.${type})`)
  const parameters = [...inputs.map(({name}) => name), ...attributes.map(({name, value}) => `${name}=${value}`)]
  return [
    'import torch',
    '',
    '',
    `def forward(${parameters.join(', ')}):`,
    ...indented([...body, `return ${results.join(', ')}`]),
    '',
  ].join('\n')
}

const lookupLines = ({inputs}: CraftDesign) => {
  const table = inputs.find(({layout}) => layout === 'table')!.name
  return [`${table} = ${table}[torch.clamp(index, 0, ${table}.shape[0] - 1).long()]`]
}

function windowTorch({stages, window}: CraftDesign, write: (one: Expression) => string): string[] {
  const {size, step} = window!
  const {reduce, of, name} = stages[0]!
  const taken = `(${write(of)}).unfold(0, ${size}, ${step})`
  return [`${name} = ${taken}.${reduce === 'sum' ? 'sum' : `a${reduce}`}(dim=-1)`]
}

function scanTorch({scan, outputs, inputs}: CraftDesign, write: (one: Expression) => string): string[] {
  const full = inputs.filter(({layout}) => layout === 'full').map(({name}) => name)
  const rows = `${full[0]}.shape[0]`
  const ofRow = (one: Expression) =>
    full.reduce((line, name) => line.replace(new RegExp(`\\b${name}\\b`, 'g'), `${name}[r]`), write(one))
  const [out] = outputs
  return [
    `state = torch.full_like(${full[0]}[0], ${scan!.start})`,
    `${out!.name} = torch.empty_like(${full[0]})`,
    `for r in range(${rows}):`,
    `    before = state`,
    `    state = ${ofRow(scan!.next)}`,
    `    ${out!.name}[r] = ${ofRow(out!.value)}`,
  ]
}
