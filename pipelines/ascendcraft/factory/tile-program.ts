import {kernelName} from '../../../cpp/op-def.ts'
import type {CraftDesign, Layout} from '../../../datasets/schema/crafted-operator.ts'
import {ubBytes, ubReserved, vectorCores} from '../language/dtypes.ts'
import {written} from './math-expression.ts'
import {Frame, indented, type Buffer, type UbPlan} from './frame.ts'
import type {Loops} from './loops.ts'
import {loopsOf} from './strategies.ts'

/** The program of a design, and how its tile was found. */
export interface Crafted {
  text: string
  plan: UbPlan
  buffers: Buffer[]
}

/** Writes the program of the tile language for a design. The same design gives the same text. */
export function programOf(design: CraftDesign): Crafted {
  const frame = new Frame(design)
  const loops = loopsOf(frame)
  const [plan, buffers] = [frame.plan(), frame.allBuffers()]
  const text = [
    'import tile.language as tl',
    '',
    '',
    '@ascend_kernel',
    ...kernelLines(design, loops, buffers),
    '',
    '',
    ...hostLines(design, loops, plan, buffers),
    '',
  ].join('\n')
  return {text, plan, buffers}
}

/** The tensor whose shape is the grid of rows and columns. */
export function anchorOf({inputs}: CraftDesign): string {
  return (inputs.find(({layout}) => layout === 'full' || layout === 'table') ?? inputs[0]!).name
}

const tensorsOf = ({inputs, outputs}: CraftDesign) => [...inputs, ...outputs].map(({name}) => name)

function kernelLines(design: CraftDesign, loops: Loops, buffers: readonly Buffer[]): string[] {
  const name = kernelName(design.name)
  const parameters = [
    ...[...tensorsOf(design), ...loops.workspaces.map((one) => one.name)].map((one) => `${one}_ptr`),
    ...loops.scalars,
    ...design.attributes.map((one) => one.name),
  ]
  const allocations = buffers.map(({name: buffer, type, elements, depth, role, share = 1}) => {
    const length = elements ?? (share === 1 ? loops.length : `${loops.length} // ${share}`)
    // By default, what is loaded or stored in a loop exists twice.
    const once = role !== 'scratch' && depth === 1 ? ', depth=1' : ''
    return `${buffer} = tl.alloc_ub(${length}, dtype=tl.${type}${once})`
  })
  return [
    ...signature(`def ${name}_kernel`, parameters),
    ...indented([...loops.opening, ...allocations, ...formulaComments(design), ...loops.body]),
  ]
}

function signature(head: string, parameters: readonly string[]): string[] {
  const line = `${head}(${parameters.join(', ')}):`
  return line.length <= 110 ? [line] : [`${head}(`, ...indented(parameters.map((one) => `${one},`)), '):']
}

/** What is computed, in plain form. */
function formulaComments(design: CraftDesign): string[] {
  const {stages, scan, outputs} = design
  const lines = [
    ...stages.flatMap(({name, reduce, of, made}) => {
      const found = `${reduce}(${written(of, 'tile')})`
      return [`${name} = ${written(made, 'tile', {named: (one) => (one === 'found' ? found : one)})}`]
    }),
    ...(scan ? [`state = ${written(scan.next, 'tile')}`] : []),
    ...outputs.map(({name, value}) => `${name} = ${written(value, 'tile')}`),
  ]
  return lines.map((line) => `# ${line}`)
}

const shapes = (design: CraftDesign): Record<Layout, string> => {
  const anchor = anchorOf(design)
  const {size, step} = design.window ?? {size: 1, step: 1}
  const rows = design.form === 'lookup' ? 'index.shape[0]' : `${anchor}.shape[0]`
  return {
    full: `[${rows}, ${anchor}.shape[1]]`,
    table: '',
    columns: `[${anchor}.shape[1]]`,
    rows: `[${rows}]`,
    one: '[]',
    windows: `[(${anchor}.shape[0] - ${size}) // ${step} + 1, ${anchor}.shape[1]]`,
  }
}

function hostLines(design: CraftDesign, loops: Loops, plan: UbPlan, buffers: readonly Buffer[]): string[] {
  const name = kernelName(design.name)
  const shape = shapes(design)
  const parameters = [
    ...design.inputs.map((one) => `${one.name}: tl.tensor(tl.${one.type})`),
    ...design.outputs.map((one) => `${one.name}: tl.output(tl.${one.type}, shape=${shape[one.layout]})`),
    ...design.attributes.map((one) => `${one.name}: float = ${floatText(one.value)}`),
  ]
  const known = {anchor: anchorOf(design), tile: plan.tile, cores: design.bounds?.cores ?? vectorCores}
  const filled = (line: string) =>
    line.replace(/\{(anchor|tile|cores)\}/g, (_, one: keyof typeof known) => String(known[one]))
  const usesTileFirst = [...loops.cores.lines, ...loops.afterTile].some((line) => /\btile\b/.test(line))
  const tile = [
    ...tilingComment(plan, buffers, loops),
    ...(loops.length === 'room' ? [] : [`tile = ${plan.tile}`]),
    ...loops.afterTile.map(filled),
  ]
  const at = loops.cores.lines.findIndex((line) => line.startsWith('n_cores'))
  const cores = loops.cores.lines.toSpliced(at, 0, `# Core Partitioning: ${loops.cores.comment}`).map(filled)
  const parts = usesTileFirst || loops.length === 'width' ? [...tile, ...cores] : [...cores, ...tile]
  const given = [...tensorsOf(design), ...loops.workspaces.map((one) => one.name), ...loops.scalars]
  const launched = [...given, ...design.attributes.map((one) => one.name)]
  return [
    ...[`def ${name}_host(`, ...indented(parameters.map((one) => `${one},`)), '):'],
    ...indented([
      ...loops.sizes.map(filled),
      ...parts,
      ...loops.workspaces.map((one) => `${one.name} = tl.workspace(${one.size}, tl.${design.compute})`),
      ...call(`${name}_kernel[n_cores]`, launched),
    ]),
  ]
}

function call(head: string, words: readonly string[]): string[] {
  const line = `${head}(${words.join(', ')})`
  return line.length <= 108 ? [line] : [`${head}(`, ...indented([words.join(', ')]), ')']
}

/** Numbers that Python reads as floats. */
const floatText = (value: number) => (Number.isInteger(value) ? value.toFixed(1) : String(value))

function tilingComment({perElement, fixed, room, tile, taken}: UbPlan, buffers: readonly Buffer[], {length}: Loops) {
  const long = buffers.filter(({elements}) => elements === undefined)
  const copies = long.reduce((sum, {depth}) => sum + depth, 0)
  const kept = ubBytes - ubReserved - room
  const beside = fixed > 0 ? `, and ${fixed} bytes of small buffers` : ''
  const left = kept > 0 ? `, with ${kept} bytes left to the selection` : ''
  const most = length === 'tile' ? '' : 'at most '
  return [
    `# Tiling Strategy: ${long.length} buffers, ${copies} with their copies, take ${perElement} bytes for an element` +
      `${beside}:`,
    `# ${most}${tile} elements are ${taken} of ${room} bytes of UB${left}.`,
  ]
}
