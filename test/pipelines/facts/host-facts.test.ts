import type {HostFacts} from '../../../datasets/schema/code-facts.ts'
import {describe, expect, test} from 'vitest'
import {hostOf} from '../../helpers/told-parts.ts'

const tiling = (body: string) => `static ge::graphStatus Tiling(gert::TilingContext* context) {\n${body}\n}\n`
const memory = (name: string, variable = 'size') => `p.GetCoreMemSize(CoreMemType::${name}, ${variable});`

describe('what the platform is asked for', () => {
  test.each<[asked: string, facts: HostFacts['platform']]>([
    [memory('UB'), ['ub']],
    [memory('L1'), ['l1']],
    [`${memory('L0_A')} ${memory('L0_B')} ${memory('L0_C')}`, ['l0']],
    [memory('L0_D'), []],
    [memory('HBM'), []],
    [memory('SUB_L1X'), []],
    ['p.GetCoreMemSize();', []],
    ['n = p.GetCoreNumAic() + p.GetCoreNum();', ['cores']],
    ['w = p.GetLibApiWorkSpaceSize();', ['library-workspace']],
    ['n = p.GetSocVersion();', []],
    [`n = p.GetCoreNum(); ${memory('UB')}`, ['cores', 'ub']],
  ])('%s', async (asked, facts) => expect((await hostOf(tiling(asked))).platform).toEqual(facts))
})

describe('what follows from the unified buffer', () => {
  test.each<[name: string, body: string, targets: string[]]>([
    ['of the variable that takes its size', `${memory('UB', 'ub')} a = ub / 2;`, ['a']],
    ['not of the size of another memory', `${memory('L1', 'l1')} a = l1 / 2;`, []],
    ['not of another call', 'p.GetSize(CoreMemType::UB, ub); a = ub / 2;', []],
    ['not of what is no variable', `${memory('UB', '*ub')} a = ub / 2;`, []],
  ])('%s', async (_, body, targets) => {
    expect((await hostOf(tiling(body))).known.map(({statement}) => statement.target)).toEqual(targets)
  })
})

const attrs = 'auto attrs = context->GetAttrs();'

test.each<[read: string, facts: HostFacts['attributes']]>([
  ['auto a = attrs->GetInt(0);', [{name: 'a', index: 0, type: ''}]],
  ['auto a = attrs->GetAttrPointer<bool>(AT);', [{name: 'a', index: 2, type: 'bool'}]],
  ['Use(attrs->GetAttrPointer<float>(1));', [{name: '', index: 1, type: 'float'}]],
  ['Use(attrs->GetFloat(1));', []],
  ['auto a = attrs->GetStr(at);', []],
  ['auto a = attrs->GetListInt(1);', []],
  ['auto a = attrs->GetBool(1);', [{name: 'a', index: 1, type: ''}]],
])('attributes that %s reads', async (read, facts) => {
  const before = 'constexpr size_t AT = 2;\n'
  expect((await hostOf(before + tiling(attrs + read))).attributes).toEqual(facts)
})

test('without a word of attributes none are read', async () => {
  expect((await hostOf(tiling('auto a = list->GetInt(0);'))).attributes).toEqual([])
})

const structure = (name: string, ...fields: string[]) =>
  [
    `BEGIN_TILING_DATA_DEF(${name})`,
    ...fields.map((one) => `TILING_DATA_FIELD_DEF(${one});`),
    'END_TILING_DATA_DEF;\n',
  ].join('\n')
const [a, b] = ['uint32_t, a', 'int64_t, b']

describe('the structures that carry the tiling', () => {
  test.each<[name: string, text: string, included: string[], names: string[]]>([
    [
      'all that are declared where none is filled',
      structure('A', a) + structure('B', b),
      [structure('C', a)],
      ['A', 'B'],
    ],
    ['the one whose fields are set', structure('A', a) + structure('B', b) + tiling('t.set_b(3);'), [], ['B']],
    ['of most of its fields', structure('A', a) + structure('B', a, b) + tiling('t.set_a(1); t.set_b(3);'), [], ['B']],
    ['one of an included file', structure('A', a) + tiling('t.set_b(3);'), [structure('B', b)], ['B']],
    ['a plain one', tiling('tiling->rows = 3;'), ['struct FoldTilingData { int rows; };'], ['FoldTilingData']],
    ['but no structure of anything else', tiling('tiling->rows = 3;'), ['struct Fold { int rows; };'], []],
    ['none where two have the fields', structure('A', a) + structure('B', a) + tiling('t.set_a(1);'), [], []],
    ['once where it is declared twice', structure('A', a) + tiling('t.set_a(1);'), [structure('A', a)], ['A']],
    ['none that lacks what is set', structure('A', a) + tiling('t.set_c(1);'), [], []],
  ])('%s', async (_, text, included, names) => {
    const dependencies = included.map((one, at) => ({path: `${at}.h`, text: one}))
    expect((await hostOf(text, {dependencies})).structures.map(({name}) => name)).toEqual(names)
  })

  test('with their fields, lists and structures among them', async () => {
    const text =
      'BEGIN_TILING_DATA_DEF(A)\nTILING_DATA_FIELD_DEF(uint32_t, a);\nTILING_DATA_FIELD_DEF_ARR(int64_t, 8, b);\n' +
      'TILING_DATA_FIELD_DEF_STRUCT(optiling::Inner, c);\nEND_TILING_DATA_DEF;\n'
    expect((await hostOf(text)).structures).toEqual([
      {
        name: 'A',
        fields: [
          {type: 'uint32_t', name: 'a'},
          {type: 'int64_t', name: 'b', size: '8'},
          {type: 'optiling::Inner', name: 'c'},
        ],
      },
    ])
  })
})

test.each<[body: string, sets: string[]]>([
  ['tiling.set_rows(a + b);', ['rows = a + b']],
  ['tiling.set_rows(); tiling.reset_rows(1);', []],
  ['tilingData->rows = 3; myTiling_.cols += 2; tilingData.list[0] = 3;', ['rows = 3', 'cols += 2', 'list [0]= 3']],
  ['other->rows = 3; rows = 2; tiling->a.b = 3;', []],
])('fields that %s sets', async (body, sets) => {
  const found = (await hostOf(tiling(body))).sets
  expect(found.map(({field, operator, value}) => `${field} ${operator} ${value}`)).toEqual(sets)
  expect(found.every(({method}) => method === 'Tiling')).toBe(true)
})

describe('the launch', () => {
  const keysOf = async (text: string) =>
    (await hostOf(text)).launch.keys.map(({target, operator, text: value}) =>
      target === '' ? value : `${target} ${operator} ${value}`,
    )
  const getter = (body: string) => `uint64_t Fold::GetTilingKey() const {\n${body}\n}\n`

  test.each<[name: string, text: string, keys: string[]]>([
    ['a call', tiling('context->SetTilingKey(3);'), ['context->SetTilingKey(3)']],
    ['a variable', tiling('key = 0; key = 2;\ncontext->SetTilingKey(key);'), ['key = 2']],
    ['a variable that is only 0', tiling('key = 0U;\ncontext->SetTilingKey(key);'), ['context->SetTilingKey(key)']],
    [
      'a variable by a cast',
      tiling('key = 2;\ncontext->SetTilingKey(static_cast<uint64_t>(key));'),
      ['key = 2', 'context->SetTilingKey(static_cast<uint64_t>(key))'],
    ],
    [
      'two calls of one variable',
      tiling('key = 2;\ncontext->SetTilingKey(key); context->SetTilingKey(4);'),
      ['key = 2', 'context->SetTilingKey(4)'],
    ],
    ['a field', tiling('t.set_key(5); t.set_other(6);\ncontext->SetTilingKey(t.get_key());'), ['t.set_key(5)']],
    ['a field that nobody sets', tiling('context->SetTilingKey(t.get_key());'), ['context->SetTilingKey(t.get_key())']],
    ['what a function gives back', getter('if (a) { return 1; }\nreturn 0;'), ['1']],
    [
      'and the variable that it gives back',
      getter('key = 7;\nif (a) { return KEY; }\nreturn key;'),
      ['key = 7', 'KEY'],
    ],
  ])('has its key by %s', async (_, text, keys) => expect(await keysOf(text)).toEqual(keys))

  test('has what is given of cores and keys, each once', async () => {
    const {blockDim, tilingKeys, launch} = await hostOf(
      tiling('context->SetBlockDim(n); context->SetBlockDim(n); context->SetBlockDim(1); context->SetTilingKey(2);'),
    )
    expect([blockDim, tilingKeys, launch.cores.length]).toEqual([['n', '1'], ['2'], 3])
  })

  test.each<[body: string, sizes: string[]]>([
    [
      'size_t* w = context->GetWorkspaceSizes(1); workspace[0] = 32; workspace[1] = 64; *workSpaceSize = 16;',
      ['32', '16'],
    ],
    ['size_t* w = context->GetWorkspaceSizes(1); *userWorkspace = 8; rows[0] = 3;', ['8']],
    ['workspace[0] = 32;', []],
  ])('has the workspace that %s gives it', async (body, sizes) => {
    expect((await hostOf(tiling(body))).launch.workspace.map(({text}) => text)).toEqual(sizes)
  })
})

const fails = 'return ge::GRAPH_FAILED;'

describe('tiling is refused', () => {
  test.each<[name: string, body: string, refusals: string[]]>([
    ['by a branch', `if (a > 2) { ${fails} }`, ['a > 2']],
    ['not by the other arm', `if (a > 2) { b = 1; } else { ${fails} }`, []],
    ['by a macro', 'OP_CHECK_IF(a > 3, OP_LOGE("a"), return ge::GRAPH_FAILED);', ['a > 3']],
    ['by a condition in brackets', 'OP_CHECK_IF((a > 3), OP_LOGE("a"), return ge::GRAPH_FAILED);', ['a > 3']],
    ['not by a macro that only leaves', 'OP_CHECK_IF(a > 3, OP_LOGE("a"), return ge::GRAPH_SUCCESS);', []],
    ['not by what the API alone calls so', 'OP_CHECK(a > 3, OP_LOGE("a"), return ge::GRAPH_FAILED);', []],
    ['once for each condition', `if (a > 2) { ${fails} } if (a > 2) { ${fails} }`, ['a > 2']],
    ['and in each branch', `if (b) { if (a > 2) { ${fails} } } if (a > 2) { ${fails} }`, ['b: a > 2', 'a > 2']],
    [
      'not because a step failed',
      `if (F() != ge::GRAPH_SUCCESS) { ${fails} } if (ret) { ${fails} } if (myRet_) { ${fails} }`,
      [],
    ],
    ['nor for null', `if (x == nullptr) { ${fails} } if (memset_s(a, 8, 0, 8) != 0) { ${fails} }`, []],
    [
      'in up to 120 letters',
      `if (${'a'.repeat(120)}) { ${fails} } if (${'b'.repeat(121)}) { ${fails} }`,
      ['a'.repeat(120)],
    ],
    [
      'within branches of up to 80',
      `if (${'c'.repeat(80)}) { if (a) { ${fails} } } if (${'d'.repeat(81)}) { if (b) { ${fails} } }`,
      [`${'c'.repeat(80)}: a`],
    ],
  ])('%s', async (_, body, refusals) => {
    const found = (await hostOf(tiling(body))).refusals
    const told = found.map(({condition, branches}) => [...branches.map((one) => one.condition), condition].join(': '))
    expect(told).toEqual(refusals)
  })
})

test('registrations and bindings are those of the code, not of its comments', async () => {
  const text =
    'IMPL_OP_OPTILING(Fold).Tiling(Tiling);\nIMPL_OP_INFERSHAPE( Fold );\n// IMPL_OP(Other)\nIMPL_OP(Third);\n' +
    'REGISTER_TILING_DATA_CLASS(Fold, FoldTiling)\nREGISTER_TILING_DATA_CLASS(Fold_7 , OtherTiling)\n'
  const {registrations, bindings} = await hostOf(text)
  expect(registrations).toEqual(['IMPL_OP_OPTILING(Fold)', 'IMPL_OP_INFERSHAPE(Fold)', 'IMPL_OP(Third)'])
  expect(bindings).toEqual([
    {operator: 'Fold', structure: 'FoldTiling'},
    {operator: 'Fold_7', structure: 'OtherTiling'},
  ])
})

test('functions that are only declared have no flow', async () => {
  const {flows, functions} = await hostOf('int Rows(int n);\nint Cols(int n) { return n; }\n')
  expect(flows.map(({name}) => name)).toEqual(['Cols'])
  expect(functions.map(({name}) => name)).toContain('Cols')
})
