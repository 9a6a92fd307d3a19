import {type Random, randomFrom} from '../../engine/random.ts'
import type {Given} from './lowering.ts'

/** A legal program of the tile language with inputs for it. */
export interface DrawnProgram {
  name: string
  text: string
  inputs: Record<string, Given>
  /** Interpreter and device round every step alike, so that all bits are equal; else there are functions like exp. */
  isExact: boolean
}

interface Draw {
  random: Random
  type: 'float32' | 'float16' | 'int32'
  isExact: boolean
  inputs: number
  /** Elements of a tile: a multiple of 128, so that comparisons of halves fit. */
  tile: number
}

const scratch = ['s0', 's1', 's2']

/** Draws a program by a seed: the same seed gives the same program. */
export function drawProgram(seed: string, index: number): DrawnProgram {
  const random = randomFrom('tile program', seed, index)
  const type = random.pick(['float32', 'float32', 'float32', 'float16', 'int32'] as const)
  const isExact = type === 'int32' || random.unit() < 0.6
  const draw: Draw = {random, type, isExact, inputs: random.integer(1, 3), tile: 128 * random.integer(1, 5)}
  const kinds = type === 'int32' ? [flat, strided] : [flat, strided, rowReduction, meeting]
  const drawn = random.pick(kinds)(draw)
  return {name: `chance_${index}`, isExact, ...drawn}
}

const clamp = (name: string) => `tl.maxs(${name}, ${name}, -4, count=c)\ntl.mins(${name}, ${name}, 4, count=c)`

/** One operation that writes `to` from buffers that hold something. */
function step({random, type, isExact}: Draw, to: string, known: readonly string[]): string {
  const [a, b] = [random.pick(known), random.pick(known)]
  const number = random.integer(-3, 3) + (type === 'int32' ? 0 : random.pick([0, 0.5, 0.125]))
  const many = type === 'int32' ? ['max', 'min', 'add', 'sub', 'mul'] : ['max', 'min', 'add', 'sub', 'mul', 'div']
  const choices = [
    ...many.map((name) => `tl.${name}(${to}, ${a}, ${b}, count=c)`),
    ...['adds', 'subs', 'muls', 'maxs', 'mins'].map((name) => `tl.${name}(${to}, ${a}, ${number}, count=c)`),
    `tl.relu(${to}, ${a}, count=c)`,
    `tl.copy(${to}, ${a}, count=c)`,
    `tl.duplicate(${to}, ${number}, count=c)`,
  ]
  const divided = `tl.abs(${to}, ${b}, count=c)\ntl.adds(${to}, ${to}, 1, count=c)`
  const floats = [
    `tl.abs(${to}, ${a}, count=c)`,
    `tl.abs(${to}, ${a}, count=c)\ntl.sqrt(${to}, ${to}, count=c)`,
    `tl.leaky_relu(${to}, ${a}, 0.25, count=c)`,
    `tl.divs(${to}, ${a}, ${random.pick([2, 3, -1.5])}, count=c)`,
    `tl.copy(${to}, ${a}, count=c)\ntl.axpy(${to}, ${b}, ${number}, count=c)`,
    `tl.copy(${to}, ${a}, count=c)\ntl.mul_add(${to}, ${b}, ${a}, count=c)`,
  ]
  const smooth = [
    `tl.mins(${to}, ${a}, 2, count=c)\ntl.exp(${to}, ${to}, count=c)`,
    `${divided}\ntl.ln(${to}, ${to}, count=c)`,
    ...['tanh', 'erf', 'sigmoid'].map((name) => `tl.copy(t, ${a}, count=c)\ntl.${name}(${to}, t, tmp, count=c)`),
  ]
  const mode = random.pick(['lt', 'le', 'gt', 'ge', 'eq', 'ne'])
  const jumps = [
    `tl.copy(t, ${a}, count=c)\ntl.copy(u, ${b}, count=c)\ntl.compare(mask, t, u, mode="${mode}", count=c)\n` +
      `tl.select(${to}, mask, t, u, count=c)`,
    `tl.copy(t, ${a}, count=c)\ntl.compares(mask, t, ${number}, mode="${mode}", count=c)\n` +
      `tl.selects(${to}, mask, t, ${number}, count=c)`,
    `tl.cast(whole, ${a}, count=c, round="${random.pick(['rint', 'floor', 'ceil', 'trunc'])}")\n${castBack(type, to)}`,
    ...(type === 'float32'
      ? [
          `tl.cast(half, ${a}, count=c, round="${random.pick(['rint', 'floor', 'ceil', 'trunc'])}")\n` +
            `tl.cast(${to}, half, count=c)`,
          `tl.arange(whole, 0, count=c)\ntl.muls(whole, whole, 4, count=c)\ntl.copy(t, ${a}, count=c)\n` +
            `tl.gather(u, t, whole, count=c)\ntl.copy(${to}, u, count=c)`,
        ]
      : []),
  ]
  const exactOnly = isExact && type !== 'int32' ? jumps : []
  const own = type === 'int32' ? [] : floats.filter((text) => !text.includes('div') || type === 'float32')
  return `${random.pick([...choices, ...own, ...exactOnly, ...(isExact ? [] : smooth)])}\n${clamp(to)}`
}

function castBack(type: Draw['type'], to: string): string {
  if (type === 'float32') return `tl.cast(${to}, whole, count=c)`
  // There is no direct way from int32 to half without a scale.
  return `tl.cast(wide, whole, count=c)\ntl.cast(${to}, wide, count=c)`
}

/** A chain of operations over the inputs that ends in `to`. */
function chain(draw: Draw, to: string, first: readonly string[]): string {
  const {random} = draw
  const known = [...first, 's0']
  // Whatever is loaded counts: an input that nobody reads would be refused.
  const lines = ['tl.copy(s0, x0, count=c)', ...first.slice(1).map((name) => `tl.add(s0, s0, ${name}, count=c)`)]
  for (let left = random.integer(2, 9); left > 0; left -= 1) {
    const next = random.pick(scratch)
    // A source may be its destination, but not one that is cleared on the way.
    const others = known.filter((name) => name !== next)
    lines.push(step(draw, next, others.length > 0 ? others : first))
    if (!known.includes(next)) known.push(next)
  }
  lines.push(step(draw, to, known))
  return lines.join('\n')
}

const indent = (text: string, by: number) =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => ' '.repeat(by) + line)
    .join('\n')

/** Allocations that the chain needs and no more: what nobody uses would be refused. */
function allocations(draw: Draw, body: string, size: string): string {
  const {type, inputs} = draw
  const of = (name: string, count: string, element: string) => `${name} = tl.alloc_ub(${count}, dtype=tl.${element})`
  const uses = (name: string) => new RegExp(`\\b${name}\\b`).test(body)
  const loaded = Array.from({length: inputs}, (_, at) => of(`x${at}`, size, type))
  const own = [...scratch, 's3', 't', 'u', 'y'].filter(uses).map((name) => of(name, size, type))
  return [
    ...loaded,
    ...own,
    ...(uses('mask') ? [of('mask', `${size} // 8`, 'uint8')] : []),
    ...(uses('tmp') ? [of('tmp', `${size} * 4 + 2048`, 'uint8')] : []),
    ...(uses('whole') ? [of('whole', size, 'int32')] : []),
    ...(uses('half') ? [of('half', size, 'float16')] : []),
    ...(uses('wide') ? [of('wide', size, 'float32')] : []),
  ].join('\n')
}

const names = (count: number, tail = '') => Array.from({length: count}, (_, at) => `x${at}${tail}`)

function program(
  draw: Draw,
  parts: {kernel: string; scalars: string[]; host: string; shape: string; work?: string},
): string {
  const {type, inputs} = draw
  const given = names(inputs)
  const work = parts.work === undefined ? [] : ['w']
  return `import tile.language as tl


@ascend_kernel
def chance_kernel(${[...names(inputs, '_ptr'), 'y_ptr', ...work.map(() => 'w_ptr'), ...parts.scalars].join(', ')}):
${indent(parts.kernel, 4)}


def chance_host(
${indent(given.map((name) => `${name}: tl.tensor(tl.${type}),`).join('\n'), 4)}
    y: tl.output(tl.${type}, shape=[${parts.shape}]),
):
${indent(parts.host, 4)}
${parts.work === undefined ? '' : indent(`w = tl.workspace(${parts.work})\n`, 4)}
    chance_kernel[n_cores](${[...given, 'y', ...work, ...parts.scalars].join(', ')})
`
}

function values({type, random}: Draw, count: number): Float64Array {
  return Float64Array.from({length: count}, () =>
    type === 'int32' ? random.integer(-9, 9) : (random.integer(-512, 512) / 256) * random.pick([1, 1, 0.25]),
  )
}

function given(draw: Draw, shape: readonly number[]): Record<string, Given> {
  const count = shape.reduce((product, size) => product * size, 1)
  return Object.fromEntries(names(draw.inputs).map((name) => [name, {shape, values: values(draw, count)}]))
}

type Drawn = Pick<DrawnProgram, 'text' | 'inputs'>

const tiling = (tile: number) =>
  `# Tiling Strategy: tiles of ${tile} elements, below 100000 bytes of UB.\ntile = ${tile}`

/** Cores take runs of elements; the last tile and the last core have what is left. */
function flat(draw: Draw): Drawn {
  const {random, tile, inputs} = draw
  const body = chain(draw, 'y', names(inputs))
  const loads = names(inputs).map((name) => `tl.load(${name}_ptr + o, ${name}, count=c)`)
  const kernel = `b = tl.program_id(0) * per_core
e = min(b + per_core, total)
${allocations(draw, body, 'tile')}
for o in range(b, e, tile):
    c = min(tile, e - o)
    with tl.copyin():
${indent(loads.join('\n'), 8)}
    with tl.compute():
${indent(body, 8)}
    with tl.copyout():
        tl.store(y_ptr + o, y, count=c)`
  const host = `total = x0.numel()
per_core = tl.cdiv(total, ${random.integer(1, 12)})
# Core Partitioning: equal runs of elements.
n_cores = tl.cdiv(total, per_core)
${tiling(tile)}`
  const text = program(draw, {kernel, scalars: ['total', 'per_core', 'tile'], host, shape: 'x0.shape[0]'})
  return {text, inputs: given(draw, [random.integer(1, 5000)])}
}

/** Blocks of columns of several rows at once: strided loads and stores. */
function strided(draw: Draw): Drawn {
  const {random, inputs} = draw
  const unit = draw.type === 'float16' ? 16 : 8
  const [rows, pitch] = [random.integer(1, 4), unit * random.integer(1, 6)]
  const body = chain(draw, 'y', names(inputs))
  const move = 'rows=r, stride=width, pitch=pitch'
  const loads = names(inputs).map((name) => `tl.load(${name}_ptr + row * width + o, ${name}, count=n, ${move}, pad=1)`)
  const size = Math.ceil((rows * pitch) / 128) * 128
  const kernel = `b = tl.program_id(0) * per_core
e = min(b + per_core, height)
${allocations(draw, body, 'tile')}
for row in range(b, e, rows):
    r = min(rows, e - row)
    for o in range(0, width, pitch):
        n = min(pitch, width - o)
        with tl.copyin():
${indent(loads.join('\n'), 12)}
        for at in range(0, r, 1):
            c = n
            with tl.compute():
                tl.duplicate(s0, 0, count=8)
        with tl.copyout():
            tl.store(y_ptr + row * width + o, y, count=n, ${move})`
  // Rows of the block are computed one after the other, from where they start.
  const rowed = body.replaceAll(/\b(x\d|y|s\d|t|u)\b(?=[,)])/g, '$1[at * pitch]')
  const text = kernel.replace(
    / {8}for at in[\s\S]*?count=8\)/,
    `        with tl.compute():\n            c = n\n            for at in range(0, r, 1):\n${indent(rowed, 16)}`,
  )
  const host = `height = x0.shape[0]
width = x0.shape[1]
per_core = tl.cdiv(height, ${random.integer(1, 9)})
rows = ${rows}
# Core Partitioning: equal runs of rows.
n_cores = tl.cdiv(height, per_core)
# Tiling Strategy: blocks of ${rows} rows of ${pitch} elements, below 100000 bytes of UB.
pitch = ${pitch}
tile = ${size + 128}`
  const scalars = ['height', 'width', 'per_core', 'rows', 'pitch', 'tile']
  const shape = 'x0.shape[0], x0.shape[1]'
  return {
    text: program(draw, {kernel: text, scalars, host, shape}),
    inputs: given(draw, [random.integer(1, 30), random.integer(1, 200)]),
  }
}

/** A row of each input becomes one number. */
function rowReduction(draw: Draw): Drawn {
  const {random, inputs, tile} = draw
  const body = `${chain(draw, 's3', names(inputs))}\ntl.reduce_${random.pick(['sum', 'max', 'min'])}(y, s3, u, count=c)`
  const loads = names(inputs).map((name) => `tl.load(${name}_ptr + row * width, ${name}, count=c)`)
  const kernel = `c = width
${allocations(draw, body, 'tile')}
for row in range(tl.program_id(0), height, tl.num_programs(0)):
    with tl.copyin():
${indent(loads.join('\n'), 8)}
    with tl.compute():
${indent(body, 8)}
    with tl.copyout():
        tl.store(y_ptr + row, y, count=1)`
  const host = `height = x0.shape[0]
width = x0.shape[1]
# Core Partitioning: rows go round the cores.
n_cores = min(height, ${random.integer(1, 8)})
${tiling(tile)}`
  const text = program(draw, {kernel, scalars: ['height', 'width', 'tile'], host, shape: 'x0.shape[0]'})
  return {text, inputs: given(draw, [random.integer(1, 20), random.integer(1, tile)])}
}

/** Each core leaves a part of a tensor in a workspace; after the meeting each takes its neighbour's. */
function meeting(draw: Draw): Drawn {
  const {random, inputs, tile} = draw
  const cores = random.integer(1, 6)
  const body = chain(draw, 'y', names(inputs))
  const loads = names(inputs).map((name) => `tl.load(${name}_ptr + me * width, ${name}, count=c)`)
  const kernel = `me = tl.program_id(0)
c = width
${allocations(draw, body, 'tile')}
z = tl.alloc_ub(tile, dtype=tl.${draw.type})
v = tl.alloc_ub(tile, dtype=tl.${draw.type})
with tl.copyin():
${indent(loads.join('\n'), 4)}
with tl.compute():
${indent(body, 4)}
with tl.copyout():
    tl.store(w_ptr + me * width, y, count=c)
tl.sync_all()
other = (me + 1) % tl.num_programs(0)
with tl.copyin():
    tl.load(w_ptr + other * width, z, count=c)
with tl.compute():
    tl.muls(v, z, 0.5, count=c)
with tl.copyout():
    tl.store(y_ptr + me * width, v, count=c)`
  const host = `width = x0.shape[1]
# Core Partitioning: a row for each core.
n_cores = x0.shape[0]
${tiling(tile)}`
  const work = `x0.numel(), tl.${draw.type}`
  const shape = 'x0.shape[0], x0.shape[1]'
  const text = program(draw, {kernel, scalars: ['width', 'tile'], host, shape, work})
  return {text, inputs: given(draw, [cores, random.integer(1, tile)])}
}
