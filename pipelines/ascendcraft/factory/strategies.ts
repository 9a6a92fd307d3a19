import {vectorCores} from '../language/dtypes.ts'
import {expressionsOf} from './math-expression.ts'
import {fewElements, indented, loop, readBy, stage, type Frame} from './frame.ts'
import {equalRows, joined, outputsOf, ownRows, rowSizes, scalarPlace, startText, stores, type Loops} from './loops.ts'
import {strips, windows} from './strips.ts'

/** Elements in their order: each core has a run of them, or takes tiles in turn. */
function elements(frame: Frame, inTurn: boolean): Loops {
  const {design} = frame
  const load = stage(
    'copyin',
    frame.loads(design.inputs, () => 'offset', 'count'),
  )
  const code = frame.code('count')
  frame.results(code, design.outputs)
  const work = [
    ...load,
    ...stage('compute', frame.lines(code)),
    ...stage('copyout', stores(frame, ['full'], 'offset', 'count')),
  ]
  const sizes = ['total = {anchor}.numel()']
  if (inTurn)
    return {
      opening: [],
      body: loop('item in range(tl.program_id(0), tiles, tl.num_programs(0))', [
        'offset = item * tile',
        'count = min(tile, total - offset)',
        ...work,
      ]),
      scalars: ['total', 'tiles', 'tile'],
      sizes,
      cores: {
        comment: 'tiles in turn over the cores.',
        lines: ['tiles = tl.cdiv(total, tile)', 'n_cores = max(1, min({cores}, tiles))'],
      },
      length: 'tile',
      afterTile: [],
      workspaces: [],
    }
  return {
    opening: ['start = tl.program_id(0) * per_core', 'stop = min(start + per_core, total)'],
    body: loop('offset in range(start, stop, tile)', ['count = min(tile, stop - offset)', ...work]),
    scalars: ['total', 'per_core', 'tile'],
    sizes,
    cores: equalRuns,
    length: 'tile',
    afterTile: [],
    workspaces: [],
  }
}

const equalRuns = {
  comment: 'equal runs of whole blocks for all cores, of at least 2048 elements.',
  lines: ['n_cores = max(1, min({cores}, tl.cdiv(total, 2048)))', 'per_core = tl.align(tl.cdiv(total, n_cores), 64)'],
}

/** A row is in UB as a whole, and is read once. */
function rowFits(frame: Frame): Loops {
  const {design} = frame
  const all = expressionsOf(design)
  const columns = frame.loads(readBy(design, all, ['columns']), () => '0', 'cols', false)
  const single = frame.singles(readBy(design, all, ['rows']), 'row')
  const full = frame.loads(readBy(design, all, ['full']), () => 'row * cols', 'cols')
  const code = frame.code('cols', {n: scalarPlace('cols')})
  for (const line of single.scalars) code.say(line)
  for (const one of design.stages) {
    code.reduce(one.reduce, one.of, frame.few('found_ub'))
    code.say(`found = tl.extract(found_ub, 0)`)
    code.say(`${one.name} = ${code.scalarText(one.made)}`)
  }
  frame.results(code, outputsOf(frame, ['full']))
  const inRow = stage('compute', frame.lines(code))
  const few = frame.code(String(fewElements), {n: scalarPlace('cols')})
  frame.results(few, outputsOf(frame, ['rows']), true, true)
  const perRow = frame.lines(few)
  if (perRow.length > 0) inRow.push(...indented(perRow))
  return {
    opening: ownRows,
    body: [
      ...stage('copyin', columns),
      ...loop(
        'row in range(first, last, 1)',
        stage('copyin', [...full, ...single.loads]),
        inRow,
        stage('copyout', [...stores(frame, ['full'], 'row * cols', 'cols'), ...stores(frame, ['rows'], 'row', '1')]),
      ),
    ],
    scalars: ['rows', 'cols', 'rows_per_core', 'room'],
    sizes: [...rowSizes, 'assert cols <= {tile}, "rows of at most {tile} elements, which UB holds"'],
    cores: equalRows,
    length: 'room',
    afterTile: ['room = tl.align(cols, 128)'],
    workspaces: [],
  }
}

/** A row is longer than UB: it is read again for each stage, and once more for what comes out of it. */
function rowSplit(frame: Frame): Loops {
  const {design} = frame
  const single = frame.singles(readBy(design, expressionsOf(design), ['rows']), 'row')
  const pass = (expressions: Parameters<typeof readBy>[1], work: string[], out: string[] = []) =>
    loop(
      'col in range(0, cols, tile)',
      ['count = min(tile, cols - col)'],
      stage('copyin', [
        ...frame.loads(readBy(design, expressions, ['full']), () => 'row * cols + col', 'count'),
        ...frame.loads(readBy(design, expressions, ['columns']), () => 'col', 'count'),
      ]),
      stage('compute', work),
      stage('copyout', out),
    )
  const reductions = design.stages.flatMap(({name, reduce, of, made}) => {
    const code = frame.code('count', {n: scalarPlace('cols')})
    code.reduce(reduce, of, frame.few('found_ub'))
    code.say(`${name}_all = ${joined[reduce](`${name}_all`, 'tl.extract(found_ub, 0)')}`)
    const end = frame.code('count', {n: scalarPlace('cols'), found: scalarPlace(`${name}_all`)}).scalarText(made)
    return [`${name}_all = ${startText(frame, reduce)}`, ...pass([of], frame.lines(code)), `${name} = ${end}`]
  })
  const full = outputsOf(frame, ['full'])
  const code = frame.code('count', {n: scalarPlace('cols')})
  frame.results(code, full)
  const last =
    full.length === 0
      ? []
      : pass(
          full.map(({value}) => value),
          frame.lines(code),
          stores(frame, ['full'], 'row * cols + col', 'count'),
        )
  const few = frame.code(String(fewElements), {n: scalarPlace('cols')})
  frame.results(few, outputsOf(frame, ['rows']), true, true)
  return {
    opening: ownRows,
    body: loop(
      'row in range(first, last, 1)',
      stage('copyin', single.loads),
      stage('compute', single.scalars),
      reductions,
      last,
      stage('compute', frame.lines(few)),
      stage('copyout', stores(frame, ['rows'], 'row', '1')),
    ),
    scalars: ['rows', 'cols', 'rows_per_core', 'tile'],
    sizes: rowSizes,
    cores: equalRows,
    length: 'tile',
    afterTile: [],
    workspaces: [],
  }
}

/** Rows of a table by a list of their numbers; numbers beyond its ends take the first or the last row. */
function lookup(frame: Frame): Loops {
  const {design} = frame
  const table = readBy(design, expressionsOf(design), ['table'])
  frame.few('index_ub', 'int32', {role: 'in', depth: 1})
  const code = frame.code('count')
  frame.results(code, design.outputs)
  const columns = frame.loads(readBy(design, expressionsOf(design), ['columns']), () => 'col', 'count')
  return {
    opening: ownRows,
    body: loop(
      'row in range(first, last, 1)',
      stage('copyin', ['tl.load(index_ptr + row, index_ub, count=1)']),
      stage('compute', ['source = min(max(tl.extract(index_ub, 0), 0), held - 1)']),
      loop(
        'col in range(0, cols, tile)',
        ['count = min(tile, cols - col)'],
        stage('copyin', [
          ...frame.loads(table, () => 'source * cols + col', 'count'),
          ...columns,
          ...frame.loads(readBy(design, expressionsOf(design), ['full']), () => 'row * cols + col', 'count'),
        ]),
        stage('compute', frame.lines(code)),
        stage('copyout', stores(frame, ['full'], 'row * cols + col', 'count')),
      ),
    ),
    scalars: ['held', 'rows', 'cols', 'rows_per_core', 'tile'],
    sizes: ['held = {anchor}.shape[0]', 'rows = index.shape[0]', 'cols = {anchor}.shape[1]'],
    cores: equalRows,
    length: 'tile',
    afterTile: [],
    workspaces: [],
  }
}

/** Every core reduces its run; after all have met, each reads what the others found. */
function meeting(frame: Frame): Loops {
  const {design} = frame
  const n = scalarPlace('total')
  const most = vectorCores * fewElements
  const pass = (expressions: Parameters<typeof readBy>[1], work: string[], out: string[] = []) =>
    loop(
      'offset in range(start, stop, tile)',
      ['count = min(tile, stop - offset)'],
      stage(
        'copyin',
        frame.loads(readBy(design, expressions, ['full']), () => 'offset', 'count'),
      ),
      stage('compute', work),
      stage('copyout', out),
    )
  const reductions = design.stages.flatMap(({name, reduce, of, made}) => {
    const code = frame.code('count', {n})
    code.reduce(reduce, of, frame.few('found_ub'))
    code.say(`${name}_all = ${joined[reduce](`${name}_all`, 'tl.extract(found_ub, 0)')}`)
    frame.few('share_ub', frame.compute, {role: 'out', depth: 1})
    for (const buffer of ['gathered_ub', 'met_ub'])
      frame.buffer({
        name: buffer,
        type: frame.compute,
        elements: most,
        role: buffer === 'met_ub' ? 'scratch' : 'in',
        depth: 1,
      })
    const filled =
      reduce === 'sum'
        ? ['tl.duplicate(share_ub, 0.0, count=8)', `tl.set(share_ub, 0, ${name}_all)`]
        : [`tl.duplicate(share_ub, ${name}_all, count=8)`]
    const found = frame.code('count', {n, found: scalarPlace('tl.extract(found_ub, 0)')}).scalarText(made)
    return [
      `${name}_all = ${startText(frame, reduce)}`,
      ...pass([of], frame.lines(code)),
      ...stage('compute', filled),
      ...stage('copyout', [`tl.store(${name}_shares_ptr + core * 8, share_ub, count=8)`]),
      'tl.sync_all()',
      ...stage('copyin', [`tl.load(${name}_shares_ptr, gathered_ub, count=8 * tl.num_programs(0))`]),
      ...stage('compute', [
        `tl.reduce_${reduce}(found_ub, gathered_ub, met_ub, count=8 * tl.num_programs(0))`,
        `${name} = ${found}`,
      ]),
    ]
  })
  const full = outputsOf(frame, ['full'])
  const code = frame.code('count', {n})
  frame.results(code, full)
  const last =
    full.length === 0
      ? []
      : pass(
          full.map(({value}) => value),
          frame.lines(code),
          stores(frame, ['full'], 'offset', 'count'),
        )
  const few = frame.code(String(fewElements), {n})
  frame.results(few, outputsOf(frame, ['one']), false, true)
  const one = [...stage('compute', frame.lines(few)), ...stage('copyout', stores(frame, ['one'], '', '1'))]
  return {
    opening: ['core = tl.program_id(0)', 'start = core * per_core', 'stop = min(start + per_core, total)'],
    body: [...reductions, ...last, ...(one.length === 0 ? [] : ['if core == 0:', ...indented(one)])],
    scalars: ['total', 'per_core', 'tile'],
    sizes: ['total = {anchor}.numel()'],
    cores: {...equalRuns, comment: `${equalRuns.comment} They meet after each reduction.`},
    length: 'tile',
    afterTile: [],
    workspaces: design.stages.map(({name}) => ({name: `${name}_shares`, size: '8 * n_cores'})),
  }
}

/** The loops of a design by its form and strategy. */
export function loopsOf(frame: Frame): Loops {
  const {form, strategy} = frame.design
  if (form === 'windows') return windows(frame)
  if (form === 'lookup') return lookup(frame)
  const made = {
    runs: () => elements(frame, false),
    turns: () => elements(frame, true),
    'row-fits': () => rowFits(frame),
    'row-split': () => rowSplit(frame),
    strips: () => strips(frame),
    meeting: () => meeting(frame),
  }
  return made[strategy]()
}
