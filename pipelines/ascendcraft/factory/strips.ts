import {expressionsOf} from './math-expression.ts'
import {loop, readBy, stage, type Frame} from './frame.ts'
import {outputsOf, rowSizes, scalarPlace, startText, stores, type Loops, type Stage} from './loops.ts'
import type {Place} from './vector-code.ts'

const stripCores = {
  comment: 'strips of columns in turn over the cores.',
  lines: ['strips = tl.cdiv(cols, width)', 'n_cores = max(1, min({cores}, strips))'],
}
const inStrips = 'strip in range(tl.program_id(0), strips, tl.num_programs(0))'
const ofStrip = ['col = strip * width', 'count = min(width, cols - col)']
/** Strips that leave each core one, but are not below 512 bytes, at which GM is read best. */
const stripWidth = ['width = max(128, min(tile, tl.align(tl.cdiv(cols, {cores}), 128)))']
const stripLoops = {
  opening: [],
  scalars: ['rows', 'cols', 'strips', 'width'],
  sizes: rowSizes,
  cores: stripCores,
  length: 'width',
  afterTile: stripWidth,
  workspaces: [],
}

/** Rows of a strip of columns, one after the other; columns are the lanes of the vectors. */
export function strips(frame: Frame): Loops {
  const {design} = frame
  const all = expressionsOf(design)
  const columns = frame.loads(readBy(design, all, ['columns']), () => 'col', 'count', true)
  const rowsOf = (
    expressions: Parameters<typeof readBy>[1],
    work: (scalars: string[]) => string[],
    out: string[] = [],
  ) => {
    const single = frame.singles(readBy(design, expressions, ['rows']), 'row')
    const full = frame.loads(readBy(design, expressions, ['full']), () => 'row * cols + col', 'count')
    return loop(
      'row in range(0, rows, 1)',
      stage('copyin', [...full, ...single.loads]),
      stage('compute', work(single.scalars)),
      stage('copyout', out),
    )
  }
  const held = Object.fromEntries(
    design.stages.map(({name}): [string, Place] => [name, {kind: 'buffer', name: `${name}_ub`}]),
  )
  const reductions = design.stages.flatMap((one) => stripStage(frame, one, held, rowsOf))
  const full = outputsOf(frame, ['full'])
  const scanned = scanPlaces(frame)
  const code = frame.code('count', {...held, ...scanned, n: scalarPlace('rows')})
  const last =
    full.length === 0
      ? []
      : rowsOf(
          [...(design.scan ? [design.scan.next] : []), ...full.map(({value}) => value)],
          (scalars) => {
            for (const line of scalars) code.say(line)
            if (design.scan) code.vector(design.scan.next, 'state_ub')
            frame.results(code, full)
            return frame.lines(code)
          },
          stores(frame, ['full'], 'row * cols + col', 'count'),
        )
  const end = frame.code('count', {...held, n: scalarPlace('rows')})
  frame.results(end, outputsOf(frame, ['columns']))
  return {
    ...stripLoops,
    body: loop(
      inStrips,
      ofStrip,
      stage('copyin', columns),
      reductions,
      design.scan
        ? stage('compute', [
            `tl.duplicate(${frame.long('state_ub')}, ${numberText(frame, design.scan.start)}, count=count)`,
          ])
        : [],
      last,
      stage('compute', frame.lines(end)),
      stage('copyout', stores(frame, ['columns'], 'col', 'count')),
    ),
  }
}

const numberText = (frame: Frame, value: number) =>
  frame.compute === 'int32' || !Number.isInteger(value) ? String(value) : value.toFixed(1)

function scanPlaces({design}: Frame): Record<string, Place> {
  if (!design.scan) return {}
  const state: Place = {kind: 'buffer', name: 'state_ub'}
  return {before: state, state}
}

function stripStage(
  frame: Frame,
  {name, reduce, of, made}: Stage,
  held: Record<string, Place>,
  rowsOf: (expressions: [Stage['of']], work: (scalars: string[]) => string[]) => string[],
): string[] {
  const sum = frame.long(made === 'found' ? `${name}_ub` : `${name}_all_ub`)
  const begin = `tl.duplicate(${sum}, ${startText(frame, reduce)}, count=count)`
  const work = rowsOf([of], (scalars) => {
    const code = frame.code('count', {...held, n: scalarPlace('rows')})
    for (const line of scalars) code.say(line)
    code.gather(reduce, of, sum)
    return frame.lines(code)
  })
  if (made === 'found') return [...stage('compute', [begin]), ...work]
  const code = frame.code('count', {...held, n: scalarPlace('rows'), found: {kind: 'buffer', name: sum}})
  code.vector(made, frame.long(`${name}_ub`))
  return [...stage('compute', [begin]), ...work, ...stage('compute', frame.lines(code))]
}

/** Windows of rows: each is joined in UB, for a strip of columns. */
export function windows(frame: Frame): Loops {
  const {design} = frame
  const {size, step} = design.window ?? {size: 1, step: 1}
  const [one] = design.stages as [Stage]
  const sum = frame.long(`${one.name}_ub`)
  const columns = frame.loads(readBy(design, expressionsOf(design), ['columns']), () => 'col', 'count')
  const code = frame.code('count')
  code.gather(one.reduce, one.of, sum)
  const tap = loop(
    `tap in range(0, ${size}, 1)`,
    stage(
      'copyin',
      frame.loads(readBy(design, [one.of], ['full']), () => `(window * ${step} + tap) * cols + col`, 'count'),
    ),
    stage('compute', frame.lines(code)),
  )
  const end = frame.code('count', {[one.name]: {kind: 'buffer', name: sum}})
  frame.results(end, design.outputs)
  return {
    opening: ['first = tl.program_id(0) * items_per_core', 'last = min(first + items_per_core, items)'],
    body: loop(
      'item in range(first, last, 1)',
      ['window = item // strips', 'col = (item % strips) * width', 'count = min(width, cols - col)'],
      stage('copyin', columns),
      stage('compute', [`tl.duplicate(${sum}, ${startText(frame, one.reduce)}, count=count)`]),
      tap,
      stage('compute', frame.lines(end)),
      stage('copyout', stores(frame, ['windows'], 'window * cols + col', 'count')),
    ),
    scalars: ['cols', 'strips', 'width', 'items', 'items_per_core'],
    sizes: [
      ...rowSizes,
      `assert rows >= ${size}, "at least one window of ${size} rows"`,
      `windows = (rows - ${size}) // ${step} + 1`,
    ],
    cores: {
      comment: 'strips of all windows, equally many on each core.',
      lines: [
        'strips = tl.cdiv(cols, width)',
        'items = windows * strips',
        'n_cores = max(1, min({cores}, items))',
        'items_per_core = tl.cdiv(items, n_cores)',
      ],
    },
    length: 'width',
    afterTile: ['width = min(tile, tl.align(cols, 128))'],
    workspaces: [],
  }
}
