import {decode, encode} from '../../datasets/dtype.ts'
import {interpret} from '../../pipelines/ascendcraft/interpret/interpret.ts'
import type {CheckedModule} from '../../pipelines/ascendcraft/language/checked.ts'
import type {ElementType} from '../../pipelines/ascendcraft/language/dtypes.ts'
import {checkedText, type Given} from './lowering.ts'

/** A program of the tile language of which a test says only what it is about. */
export interface Sketch {
  /** Allocations, loops and stages of the kernel. */
  kernel: string
  /** Expressions of the launch, by the kernel's names for them. */
  scalars?: Readonly<Record<string, string>>
  /** Statements of the host before the launch. */
  host?: string
  cores?: string
  attributes?: string
  type?: ElementType
  /** Type and shape of the output `y`; by default those of the input `x`. */
  output?: string
  outputShape?: string
  workspace?: string
}

const indented = (text: string) =>
  text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => `    ${line}`)
    .join('\n')

/** A kernel of `x_ptr`, `y_ptr`, the workspace `w_ptr` where there is one, and the scalars. */
export function sketched(sketch: Sketch): string {
  const {kernel, scalars = {}, host = '', cores = '1', attributes = '', type = 'float32', workspace} = sketch
  const {output = type, outputShape = '[x.shape[0]]'} = sketch
  const work = workspace === undefined ? [] : ['w']
  const names = ['x_ptr', 'y_ptr', ...work.map((name) => `${name}_ptr`), ...Object.keys(scalars)]
  const given = ['x', 'y', ...work, ...Object.values(scalars)]
  return `import tile.language as tl


@ascend_kernel
def sketch_kernel(${names.join(', ')}):
${indented(kernel)}


def sketch_host(
    x: tl.tensor(tl.${type}),
    y: tl.output(tl.${output}, shape=${outputShape}),
${indented(attributes)}
):
    n = x.numel()
${indented(host)}
    # Core Partitioning: as the test asks.
    n_cores = ${cores}
    # Tiling Strategy: small tiles, 4096 bytes of UB.
    tile = 64
${work.length > 0 ? `    w = tl.workspace(${workspace})` : ''}
    sketch_kernel[n_cores](${given.join(', ')})
`
}

export function interpretedText(
  text: string,
  inputs: readonly Given[],
  options: Parameters<typeof interpret>[2] & {attributes?: Record<string, number | boolean>} = {},
): ReturnType<typeof interpret> {
  const checked = checkedText(text)
  return interpret(checked, {inputs: tensorsOf(checked, inputs), attributes: options.attributes ?? {}}, options)
}

/** Input tensors of a program, in the order of its host function. */
export function tensorsOf({module}: CheckedModule, inputs: readonly Given[]) {
  const tensors = module.host.parameters.filter(({kind}) => kind === 'tensor')
  return tensors.map((one, at) => {
    const {shape, values} = inputs[at] as Given
    if (one.kind !== 'tensor' || one.type.kind !== 'type') throw new TypeError(`${one.name} has no type`)
    const dtype = one.type.type
    return {name: one.name, dtype, shape: [...shape], data: encode(values, dtype)}
  })
}

export function firstOutput(outcome: ReturnType<typeof interpret>): number[] {
  if (!outcome.ok) throw new TypeError(`line ${outcome.fault.line}: ${outcome.fault.message}`)
  const [first] = outcome.outputs
  return [...decode(first!.data, first!.dtype)]
}
