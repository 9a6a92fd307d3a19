import {rolesOf} from '../../../../pipelines/facts/decisions/host-tile.ts'
import {HostView} from '../../../../pipelines/facts/decisions/host-view.ts'
import {hostOf} from '../../../helpers/told-parts.ts'
import {readFileSync} from 'node:fs'
import {describe, expect, test} from 'vitest'
import {decidedIn, situations, valuesOf} from '../../../helpers/file-decided.ts'

const inTiling = (body: string, before = '') =>
  `${before}\nstatic ge::graphStatus Tile(gert::TilingContext* context)\n{\n${body}\n  return ge::GRAPH_SUCCESS;\n}\n`
const decided = (body: string, before = '') => decidedIn('tiling', inTiling(body, before))
const starter = (path: string) => readFileSync(`sources/starter/operators/${path}.cpp`, 'utf8')
const [shape, cores] = [
  'const uint32_t total = context->GetInputShape(0)->GetStorageShape().GetShapeSize();',
  'const uint32_t coreNum = platform.GetCoreNumAiv();',
]
const asksUb = 'uint64_t ubSize = 0; platform.GetCoreMemSize(platform_ascendc::CoreMemType::UB, ubSize);'

describe('a bundled operator', async () => {
  const text = starter('axpby/op_host/axpby')
  const found = await decidedIn('tiling', text, {operator: 'Axpby', dtypes: {x: 'float16', y: 'float16', z: 'float16'}})

  test('is derived from what is unknown to what is handed over', () => {
    const told = situations(found)
    expect(told).toEqual(
      expect.arrayContaining([
        ...['host-unit/block', 'host-share/whole-units', 'host-cores/shares', 'host-tile/cost', 'host-tile/parts'],
        ...['host-share/example-elements', 'host-handed/attributes', 'definition-types/same'],
      ]),
    )
    expect(told.indexOf('host-share/whole-units')).toBeLessThan(told.indexOf('host-cores/shares'))
    expect(told.length).toBeLessThanOrEqual(12)
  })

  test('with its numbers: bytes of an element, what fits, and a call worked out by hand', () => {
    expect(valuesOf(found, 'host-tile/cost')).toMatchObject({half: 20, float: 32, fits: 9817, fitsFloat: 6136})
    expect(valuesOf(found, 'host-unit/block')).toMatchObject({name: 'alignLength', half: 16, float: 8})
    const steps = found.find(({situation}) => situation === 'example-elements')?.because ?? []
    const results = Object.fromEntries(
      steps.flatMap((one) => (one.kind === 'arithmetic' ? [[one.name, one.result]] : [])),
    )
    const elements = valuesOf(found, 'host-share/example-elements')?.['n'] as number
    const share = Math.ceil(Math.ceil(elements / 48) / 16) * 16
    expect(results).toMatchObject({alignLength: 16, bytesPerElement: 20, fittingLength: 9817, maxTileLength: 9728})
    expect(results['blockLength']).toBe(share)
    expect(results['usedCoreNum']).toBe(Math.ceil(elements / share))
    expect(results['tileLength']).toBe(Math.min(9728, Math.ceil(Math.ceil(share / 4) / 128) * 128))
  })

  test('each with evidence', () => {
    expect(found.filter(({because}) => because.length === 0)).toEqual([])
  })
})

describe('an example', () => {
  const asked = [
    'const auto& shape = context->GetInputShape(0)->GetStorageShape();',
    'const uint32_t cols = shape.GetDim(shape.GetDimNum() - 1);',
    'const uint32_t rows = shape.GetShapeSize() / cols;',
  ]
  const sized = (name: string, value: string) => `const uint32_t ${name} = ${value}; tiling.set_${name}(${name});`
  const sizes = [sized('a', 'cols * 4'), sized('b', 'rows * 4 + 1'), sized('c', 'rows * 2')]
  const lengthOf = async (operator: string, more: string) => {
    const body = [...asked, more, ...sizes].join('\n')
    const found = await decidedIn('tiling', inTiling(body), {operator, dtypes: {x: 'float16'}})
    return valuesOf(found, 'host-share/example-rows')?.['cols']
  }

  test.each([
    ['of any length', '', true],
    ['whose half loses nothing', sized('half', 'cols / 2'), false],
    ['whose rest is kept', sized('half', 'cols / 2') + sized('rest', 'cols % 2'), true],
    ['that is refused if it is odd', 'if (cols % 2 != 0) { return ge::GRAPH_FAILED; }', false],
    ['that is refused if it is long', 'if (cols > 100) { return ge::GRAPH_FAILED; }', false],
  ])('takes a length %s', async (_, more, takesOdd) => {
    const found = await Promise.all(['A', 'B', 'C', 'D', 'E'].map((operator) => lengthOf(operator, more)))
    expect(found).not.toContain(undefined)
    expect(found.includes(777)).toBe(takesOdd)
    if (more.includes('> 100')) expect(new Set(found)).toEqual(new Set([72, 100]))
  })
})

describe('an operator of one width', async () => {
  const text = starter('axpby/op_host/axpby')
  const only = (type: string) =>
    decidedIn('tiling', text.replaceAll(/\.DataType\(\{[^}]*\}\)/g, `.DataType({ge::${type}})`), {operator: 'Axpby'})

  test.each([
    ['DT_FLOAT16', {each: 20, width: 2, fits: 9817}, {count: 16, width: 2}],
    ['DT_FLOAT', {each: 32, width: 4, fits: 6136}, {count: 8, width: 4}],
  ])('has no figures of another type: %s', async (type, cost, block) => {
    const found = await only(type)
    expect(valuesOf(found, 'host-tile/cost-one')).toMatchObject(cost)
    expect(valuesOf(found, 'host-unit/block-one')).toMatchObject(block)
    const others = ['host-tile/cost', 'host-unit/block', 'host-unit/repeat', 'host-types/bytes']
    expect(situations(found).filter((one) => others.includes(one))).toEqual([])
  })

  test('rounds its rows to elements of that width', async () => {
    const rows = starter('row_max/op_host/row_max').replaceAll(/\.DataType\(\{[^}]*\}\)/g, '.DataType({ge::DT_FLOAT})')
    expect(valuesOf(await decidedIn('tiling', rows, {operator: 'RowMax'}), 'host-unit/row-one')).toMatchObject({
      count: 8,
    })
  })
})

describe('a share', () => {
  test.each([
    ['64', 128, 256],
    ['rows', 0, 0],
    ['24', 0, 0],
  ])('in units of %s is whole blocks in every type, or is not known to be', async (unit, two, four) => {
    const body = `${shape} ${cores} share = RoundUp(CeilDiv(total, coreNum), ${unit}); tiling.set_share(share);`
    expect(valuesOf(await decided(body), 'host-share/multiples')).toMatchObject({two, four})
  })

  test.each([
    ['rounded up to blocks', 'share = RoundUp(CeilDiv(total, coreNum), 32 / typeSize);', 'whole-units'],
    ['rounded up to something else', 'share = RoundUp(CeilDiv(total, coreNum), rows);', 'multiples'],
    ['rounded up by hand', 'share = (total + coreNum - 1) / coreNum;', 'ceil'],
    ['behind a guard', 'share = coreNum == 0 ? 0 : (total + coreNum - 1) / coreNum;', 'ceil'],
    ['with its remainder', 'share = total / coreNum; rest = total % coreNum;', 'rest'],
    ['without its remainder', 'share = total / coreNum;', undefined],
    ['of something else', 'share = (total + rows - 1) / rows;', undefined],
    ['counted in rounds', 'loops = (total + rows - 1) / rows;', 'rounds'],
  ])('%s', async (_, body, situation) => {
    const found = (await decided(`${shape} ${cores} ${body}`)).filter(({topic}) => topic === 'host-share')
    expect(found[0]?.situation).toBe(situation)
  })

  test('of leftover slices goes to groups of cores', async () => {
    const found = await decided(
      `${cores} rest = slices % coreNum; group = coreNum / rest; perCore = CeilDiv(rows, group);`,
    )
    expect(valuesOf(found, 'host-share/groups')).toMatchObject({group: 'group', rest: 'rest', rows: 'rows'})
  })
})

describe('the cores', () => {
  test.each([
    ['all', 'context->SetBlockDim(coreNum);', 'all'],
    ['one', 'context->SetBlockDim(1);', 'one'],
    ['bounded', 'used = std::min(total, coreNum); context->SetBlockDim(used);', 'bounded'],
    ['bounded by a choice', 'used = total < coreNum ? total : coreNum; context->SetBlockDim(used);', 'bounded'],
    ['counted by shares', 'used = CeilDiv(total, share); context->SetBlockDim(used);', 'shares'],
    ['unknown', 'used = Cores(total); context->SetBlockDim(used);', undefined],
    ['the larger of two', 'used = std::max(total, coreNum); context->SetBlockDim(used);', undefined],
    ['by case', 'if (total < 9) { used = 1; } else { used = Count(total); } context->SetBlockDim(used);', 'cases'],
  ])('%s', async (_, body, situation) => {
    const found = (await decided(`${shape} ${cores} ${body}`)).filter(({topic}) => topic === 'host-cores')
    expect(found[0]?.situation).toBe(situation)
  })

  test.each([
    ['CeilDiv(total, 2048)', 2048],
    ['CeilDiv(total, share)', 0],
    ['total', 0],
  ])('have at least what a number says: %s', async (work, grain) => {
    const body = `${shape} ${cores} used = std::min(${work}, coreNum); context->SetBlockDim(used);`
    expect(valuesOf(await decided(body), 'host-cores/bounded')).toMatchObject({grain})
  })

  test('are never none only where the code says so', async () => {
    const least = async (value: string) =>
      valuesOf(await decided(`${cores} used = ${value}; context->SetBlockDim(used);`), 'host-cores/bounded')?.['least']
    expect(await least('std::max(std::min(rows, coreNum), 1u)')).toBe('yes')
    expect(await least('std::min(rows, coreNum)')).toBe('no')
  })
})

describe('a tile', () => {
  test('ends where the buffer does, is rounded down, and halved for two blocks', async () => {
    const found = await decided(
      `${asksUb} half = ubSize / BUFFER_NUM; fit = ubSize / bytesPerRow; tile = fit / 64 * 64;`,
      'constexpr uint32_t BUFFER_NUM = 2;',
    )
    expect(situations(found)).toEqual(
      expect.arrayContaining(['host-tile/fits', 'host-tile/rounded-down', 'host-tile/halved']),
    )
    expect(valuesOf(found, 'host-tile/rounded-down')).toMatchObject({name: 'tile', unit: '64'})
  })

  test('leaves the reserve out by its bytes', async () => {
    const found = await decided(`${asksUb} fit = (ubSize - KEPT) / cost;`, 'constexpr uint32_t KEPT = 8192;')
    expect(valuesOf(found, 'host-tile/fits-reserve')).toMatchObject({taken: 'KEPT', kept: 8192})
  })

  test('that is a constant says what an element may cost', async () => {
    const found = await decided('tiling.set_tileLength(TILE);', 'constexpr uint32_t TILE = 4096;')
    expect(valuesOf(found, 'host-tile/constant')).toMatchObject({value: 4096, most: 47})
    expect(situations(await decided('tiling.set_tileNum(TILE);', 'constexpr uint32_t TILE = 4096;'))).toEqual([])
  })

  test.each([
    ['MAX_TILE', 'host-tile/capped', 47],
    ['MAX_TILE_BYTES', 'host-tile/capped-bytes', 47],
  ])('limited by %s without a question to the platform says what that leaves', async (name, situation, most) => {
    const limit = `constexpr uint32_t ${name} = 4096;`
    const found = await decided(`tiling.set_tileLength(std::min(part, ${name}));`, limit)
    expect(valuesOf(found, situation)).toMatchObject({constant: name, limit: 4096, most})
    for (const other of [
      'Length(std::min(part, other))',
      `Length(std::min(part, ${name}) / 4)`,
      `Num(std::min(part, ${name}))`,
    ])
      expect(situations(await decided(`tiling.set_tile${other};`, limit))).toEqual([])
  })

  test('is led to by sizes that are known by what they are', async () => {
    const body = `${asksUb} const uint32_t typeBytes = dtype == ge::DT_FLOAT ? 4 : 2;
      block = 32 / typeBytes; repeat = 256 / typeBytes; cost = 6 * typeBytes;
      fit = (ubSize - KEPT) / cost; most = fit / repeat * repeat; tiling.set_tileLength(most);`
    const text = `namespace optiling { constexpr uint32_t KEPT = 8192;
      static ge::graphStatus TilingFunc(gert::TilingContext* context) { ${body} context->SetBlockDim(used); } }`
    const roles = rolesOf(new HostView(await hostOf(text)))
    expect(Object.fromEntries(roles)).toEqual({
      ...{used: 'cores', block: 'block', repeat: 'repeat', cost: 'cost', fit: 'fits', most: 'whole', KEPT: 'fixed'},
    })
  })
})

describe('a key', () => {
  const key = async (body: string) => {
    const found = (await decided(`${body} context->SetTilingKey(key);`)).filter(({topic}) => topic === 'host-key')
    return [found[0]?.situation, found[0]?.values]
  }

  test('tells types apart, cases, or both', async () => {
    const two = (a: string, b: string) => `if (${a}) { key = KEY_A; } else if (${b}) { key = KEY_B; }`
    expect((await key(two('dtype == ge::DT_FLOAT', 'dtype == ge::DT_BF16')))[0]).toBe('types')
    expect((await key(two('rows < 9', 'rows < 99')))[0]).toBe('cases')
    expect((await key(two('dtype == ge::DT_FLOAT', 'rows < 99')))[0]).toBe('types-and-cases')
  })

  test('is a sum of independent parts, not of the arms of one choice', async () => {
    const part = (condition: string, name: string) => `if (${condition}) { key += ${name}; }\n`
    expect((await key(`${part('a', 'K1')}${part('b', 'K2')}${part('c', 'K3')}`))[0]).toBe('sum')
    const arms = 'if (a) { key += K1; } else if (b) { key += K2; } else { key += K3; }'
    expect((await key(arms))[0]).toBe(undefined)
  })
})

describe('what is refused', () => {
  const fails = 'return ge::GRAPH_FAILED;'
  test.each([
    ['x.GetDimNum() != 4', 'rank'],
    ['x->GetDimNum() != 4', 'rank'],
    ['dimNum > 8', 'rank-limit'],
    ['xType != yType', 'same-type'],
    ['dtype != ge::DT_FLOAT', 'types'],
    ['x.GetDim(1) != 3', 'fixed-size'],
    ['rows != otherRows', 'agree'],
    ['rows > 4096', 'limit'],
    ['rows <= 0', 'positive'],
    ['parts == 0', 'divisor'],
    ['coreNum == 0', 'platform'],
    ['needed > ubSize', 'capacity'],
    ['!isGood', undefined],
  ])('%s', async (condition, reason) => {
    const found = await decided(`${asksUb} each = n / parts; if (${condition}) { ${fails} }`)
    expect(found.find(({topic}) => topic === 'host-refusal')?.situation).toBe(reason)
  })
})

test.each([
  ['0', 'none'],
  ['platform.GetLibApiWorkSpaceSize()', 'library'],
  ['platform.GetLibApiWorkSpaceSize() + rows * 4', 'sized'],
  ['platform.GetLibApiWorkSpaceSize() + rows * coreNum * 4', 'per-core'],
  ['16 * 1024 * 1024', 'constant'],
  ['rows * coreNum * 4', 'per-core'],
  ['rows * 4', 'sized'],
  ['rows', undefined],
])('a workspace of %s', async (size, situation) => {
  const found = await decided(`${cores} size_t* workspace = context->GetWorkspaceSizes(1); workspace[0] = ${size};`)
  expect(found.find(({topic}) => topic === 'host-workspace')?.situation).toBe(situation)
})

test('a file without a formula, a case or a size has nothing to decide', async () => {
  expect(await decidedIn('tiling', 'int Count(int n) { return n; }')).toEqual([])
})

test('operators of one kind leave different commonplaces out', async () => {
  const sets = await Promise.all(
    ['axpby', 'elu', 'ema_update', 'leaky_relu', 'squared_difference'].map(async (name) => {
      const operator = name.replace(/(?:^|_)(\w)/g, (_, one: string) => one.toUpperCase())
      const found = await decidedIn('tiling', starter(`${name}/op_host/${name}`), {operator, dtypes: {x: 'float16'}})
      return situations(found).join()
    }),
  )
  expect(new Set(sets).size).toBeGreaterThan(3)
})
