import {describe, expect, test} from 'vitest'
import {decidedIn, situations, valuesOf} from '../../../helpers/file-decided.ts'

const end = 'uint64_t* workspaceSize, aclOpExecutor** executor'
const plan = (body: string, name = 'aclnnFold', given = 'const aclTensor* self, aclTensor* out') =>
  `aclnnStatus ${name}GetWorkspaceSize(${given}, ${end}) { ${body} }\n`
const made = 'auto e = CREATE_EXECUTOR();'
const released = '*workspaceSize = e->GetWorkspaceSize(); e.ReleaseTo(executor); return ACLNN_SUCCESS;'
const check = (body: string, name = 'CheckAll') =>
  `static bool ${name}(const aclTensor* self, const aclTensor* out) { ${body} return true; }\n`
const list = (name: string, ...types: string[]) =>
  `static const std::initializer_list<op::DataType> ${name} = {${types.map((one) => `op::DataType::DT_${one}`).join()}};\n`
const decided = (text: string) => decidedIn('api', text)
const found = async (text: string) => situations(await decided(text))

describe('the plan', () => {
  test('is told with its phases, and with what interfaces share', async () => {
    const text = plan(`${made} auto a = l0op::Contiguous(self, e.get()); auto b = l0op::Fold(a, e.get()); ${released}`)
    expect(valuesOf(await decided(text), 'api-plan/phases')).toMatchObject({tasks: 2, run: 'aclnnFold'})
    const [one, other] = [plan('return Run(self, out);'), plan('return Run(self, self);', 'aclnnInplaceFold')]
    const body = `int Run(const aclTensor* self, const aclTensor* out) { return 0; }\n`
    expect(valuesOf(await decided(body + one + other), 'api-plan/shared-in-place')).toMatchObject({
      names: ['aclnnFold', 'aclnnInplaceFold'],
      again: 'self',
    })
    expect(await found(body + one + one)).not.toContain('api-plan/shared')
  })

  test('that hands on has what it fixes and what it leaves out', async () => {
    const text = plan('return aclnnOtherGetWorkspaceSize(self, false, workspaceSize, executor);')
    expect(valuesOf(await decided(text), 'api-plan/handed-fixed')).toMatchObject({fixed: ['false'], unused: ['out']})
  })
})

describe('types', () => {
  test.each([
    [['FLOAT', 'FLOAT16'], 'floats'],
    [['FLOAT', 'INT32'], 'many'],
    [['INT8', 'INT32'], 'integers'],
    [['INT32'], 'one'],
    [['FLOAT', 'COMPLEX64'], 'complex'],
  ])('of a list: %s', async (types, situation) => {
    const text = list('A', ...types) + check('OP_CHECK_DTYPE_NOT_SUPPORT(self, A, return false);')
    expect(await found(text)).toContain(`api-types/${situation}`)
  })

  test('of two lists are what the wider one has more, by chip or by another question', async () => {
    const lists = list('A', 'FLOAT') + list('B', 'FLOAT', 'BF16')
    const chosen = (condition: string) =>
      decided(`${lists}static auto Types() { if (${condition}) { return B; } return A; }`)
    expect(valuesOf(await chosen('arch == NpuArch::DAV_2201'), 'api-types/bfloat16-by-chip')).toMatchObject({
      less: 'A',
      more: 'B',
      dtypes: ['DT_BF16'],
    })
    expect(situations(await chosen('isWide'))).toContain('api-types/by-case')
    const apart = list('A', 'FLOAT', 'INT8') + list('B', 'FLOAT', 'BF16')
    expect(await found(`${apart}static auto Types() { if (isWide) { return B; } return A; }`)).toEqual([])
    const third = `${lists}static auto Types() { if (isWide) { return B; } if (isNarrow) { return A; } return C; }`
    expect(await found(third)).toEqual([])
    expect(await found(`${lists}static auto Types() { return A; } static auto Others() { return B; }`)).toEqual([])
  })

  test('that must agree know the output, which the gradient of one is not', async () => {
    const same = (one: string, other: string) =>
      decided(check(`OP_CHECK_DTYPE_NOT_SAME(${one}, ${other}, return false);`))
    expect(valuesOf(await same('self', 'out'), 'api-types/same-out')).toMatchObject({out: 'out'})
    expect(situations(await same('gradOut', 'self'))).toEqual(['api-types/same-two'])
    expect(situations(await same('self', '(*all)[0]'))).toEqual([])
    expect(await found(check('OP_CHECK_DTYPE_NOT_MATCH(out, op::DataType::DT_INT64, return false);'))).toEqual([
      'api-types/fixed-index',
    ])
  })

  test('that are promoted say whether a pair without a common one is refused', async () => {
    const asked = 'auto type = op::PromoteType(self->GetDataType(), out->GetDataType());'
    const refuses = 'if (type == DataType::DT_UNDEFINED) { return false; }'
    const refused = async (body: string) => valuesOf(await decided(check(body)), 'api-types/promoted')?.['refused']
    expect(await refused(asked)).toBe('no')
    expect(await refused(asked + refuses)).toBe('yes')
  })
})

describe('shapes and conditions', () => {
  test.each([
    ['OP_CHECK_MAX_DIM(self, MAX_SUPPORT_DIMS_NUMS, return false);', 'api-shapes/at-most-general'],
    ['OP_CHECK_MAX_DIM(self, 4, return false);', 'api-shapes/dims-at-most'],
    ['OP_CHECK_MIN_DIM(self, 1, return false);', 'api-shapes/not-scalar'],
    ['OP_CHECK_MIN_DIM(self, 2, return false);', 'api-shapes/dims-at-least'],
    ['OP_CHECK_WRONG_DIMENSION(self, 0, return false);', 'api-shapes/scalar-only'],
    ['OP_CHECK_WRONG_DIMENSION(self, 5, return false);', 'api-shapes/dims-exactly'],
    ['OP_CHECK_SHAPE_NOT_EQUAL(self, out, return false);', 'api-shapes/same'],
    ['OP_CHECK_SHAPE_NOT_EQUAL_WITH_EXPECTED_SIZE(out, wanted, return false);', 'api-shapes/expected'],
    ['OP_CHECK_BROADCAST(self, out, return false);', 'api-shapes/broadcast'],
    ['if (rows > INT32_MAX) { return false; }', 'api-checks/int32'],
    ['if (IsPrivateFormat(self->GetStorageFormat())) { return false; }', 'api-checks/format-private'],
    ['if (self->GetStorageFormat() != out->GetStorageFormat()) { return false; }', 'api-checks/format'],
    ['if (count > 700) { return false; }', 'api-checks/upper'],
    ['if (mode < 0 || mode > 2) { return false; }', 'api-checks/range'],
    ['if (dim >= rank || dim < -rank) { return false; }', 'api-checks/axis'],
    ['if (rows % groups != 0) { return false; }', 'api-checks/multiple'],
    ['OP_CHECK(steps->Size() == 2, LOG("a"), return false);', 'api-checks/length'],
    ['OP_CHECK(rows > 0 && columns > 0, LOG("a"), return false);', 'api-checks/positive'],
    ['if (rows <= 0) { return false; }', 'api-checks/positive'],
    ['if (shape.GetDimNum() != 3) { return false; }', 'api-checks/rank'],
    ['if (a->GetViewShape().GetDimNum() != 3) { return false; }', 'api-checks/rank'],
    ['if (a->GetViewShape().GetDimNum() != b->GetViewShape().GetDimNum()) { return false; }', 'api-checks/rank-agree'],
    ['if (a.GetDimNum() != b.GetDimNum()) { return false; }', 'api-checks/rank-agree'],
    ['if (a.GetDim(0) != b.GetDim(1)) { return false; }', 'api-checks/agree'],
    ['if (a.GetDim(1) != 5) { return false; }', 'api-checks/fixed-size'],
    ['if (arch != NpuArch::DAV_2002) { return false; }', 'api-checks/chip'],
  ])('%s', async (body, situation) => {
    expect(await found(check(body))).toEqual([situation])
  })

  test.each([
    ['the status of another check', 'if (ret != ACLNN_SUCCESS) { return false; }'],
    ['a demand the other way round', 'if (rows > 0) { return false; }'],
    ['a bound from below', 'if (count < 7) { return false; }'],
    ['a format that another function asks for', 'OP_CHECK(IsFormatRight(self), LOG("a"), return false);'],
    ['a flag of bits', 'if ((mode & 4) != 0) { return false; }'],
    ['what another function asks', 'if (rows == 0 && !Allows(self)) { return false; }'],
    ['what does not end in a refusal', 'if (rows <= 0) { rows = 1; }'],
    ['the branch that is left', 'if (rows > 7) { rows = 7; } else { return false; }'],
  ])('not of %s', async (_, body) => {
    expect(await found(check(body))).toEqual([])
  })

  test('not of a function that only answers a question', async () => {
    expect(await found(check('if (rows <= 0) { return false; }', 'IsAiCoreSupport'))).toEqual([])
    expect(await found(check('if (rows <= 0) { return false; }', 'CheckSocSupport'))).toEqual([])
  })

  test('of null, where it comes first and what may be left out', async () => {
    const nulls = check('OP_CHECK_NULL(self, return false); OP_CHECK_NULL(out, return false);', 'CheckNotNull')
    const asks = 'CHECK_RET(CheckNotNull(self, out), ACLNN_ERR_PARAM_NULLPTR);'
    const later = `${asks} CHECK_RET(CheckAll(self, out), ACLNN_ERR_PARAM_INVALID);`
    expect(await found(nulls + plan(asks))).toEqual(['api-checks/null'])
    expect(await found(nulls + plan(later))).toEqual(['api-checks/null-first'])
    const given = 'const aclTensor* self, const aclTensor* biasOptional'
    expect(valuesOf(await decided(nulls + plan(later, 'aclnnFold', given)), 'api-checks/null-optional')).toMatchObject({
      optional: ['biasOptional'],
    })
  })
})

describe('memory', () => {
  const dense = 'auto a = l0op::Contiguous(self, e.get());'
  const work = 'auto b = l0op::Fold(a, e.get());'
  const copied = 'auto c = l0op::ViewCopy(b, out, e.get());'
  const into = 'a = l0op::Cast(a, op::DataType::DT_FLOAT, e.get());'
  const back = 'b = l0op::Cast(b, out->GetDataType(), e.get());'

  test.each([
    [dense + work, 'dense-in'],
    [work + copied, 'dense-out'],
    [dense + work + copied, 'dense-both'],
    [into + work, 'cast-in'],
    [`if (isHalf) { ${into} } ${work}`, 'cast-case'],
    [`if (isHalf) { ${into} } ${work} ${back}`, 'cast-case'],
    [`if (isHalf) { ${into} } ${work} if (isHalf) { ${back} }`, 'cast-float-case'],
    [`if (isHalf) { ${into} } ${work} if (isInt) { ${back} }`, 'cast-case'],
    [`if (isHalf) { f(); } else { ${into} } ${work}`, 'cast-case'],
    [`${into} if (isHalf) { ${into} } ${work} ${back}`, 'cast-float'],
    [work + back, 'cast-back'],
    [into + work + back, 'cast-float'],
    [`a = l0op::Cast(a, type, e.get()); ${work} ${back}`, 'cast-both'],
    [`a = l0op::Cast(a, type, e.get()); ${work} b = l0op::Cast(b, type, e.get());`, 'cast-in'],
  ])('%s', async (body, situation) => {
    const all = await found(plan(body))
    expect(all.filter((one) => one.startsWith('api-memory/'))).toEqual([`api-memory/${situation}`])
  })

  test('says in which case it is converted', async () => {
    const condition = async (body: string) => valuesOf(await decided(plan(body)), 'api-memory/cast-case')?.condition
    expect(await condition(`if (isHalf) { ${into} } ${work}`)).toBe('isHalf')
    expect(await condition(`if (isHalf) { f(); } else { ${into} } ${work}`)).toBe('!(isHalf)')
    expect(await condition(`if (isWide) { if (isHalf) { ${into} } } ${work}`)).toBe('isWide && isHalf')
  })

  test('is not needed for an empty tensor, unless something is written then', async () => {
    const empty = (body: string, asks = 'self->IsEmpty()') => found(plan(`if (${asks}) { ${body} }`))
    const leaves = '*workspaceSize = 0; return ACLNN_SUCCESS;'
    expect(await empty(leaves)).toEqual(['api-memory/empty'])
    expect(await empty(leaves, 'self->IsEmpty() || out->IsEmpty()')).toEqual(['api-memory/empty-any'])
    expect(await empty(`auto z = l0op::ZerosLike(out, e.get()); ${leaves}`)).toContain('api-memory/empty-filled')
    expect(await empty(leaves, 'isSmall')).toEqual([])
  })

  test('is kept by the executor where the task outlives the function', async () => {
    const text = plan('auto sizes = e->AllocIntArray(all.data(), 2); auto t = e->ConvertToTensor(alpha, type);')
    expect(await found(text)).toEqual(['api-layout/arrays', 'api-layout/scalars'])
  })
})

describe('steps', () => {
  const steps = (body: string) => decided(plan(body))

  test('follow each other where one reads the other', async () => {
    const two = 'auto a = l0op::Slice(self, e.get()); auto b = l0op::Fold(a, e.get());'
    expect(valuesOf(await steps(two), 'api-steps/two')).toMatchObject({chain: ['Slice', 'Fold'], between: ['a']})
    const three = await steps(`${two} auto c = l0op::Muls(b, 2, e.get());`)
    expect(valuesOf(three, 'api-steps/chain')).toMatchObject({count: 3, first: 'Slice', last: 'Muls'})
    expect(situations(await steps('auto a = l0op::Slice(self, e.get()); auto b = l0op::Fold(self, e.get());'))).toEqual(
      ['api-plan/phases'].slice(1),
    )
  })

  test.each([
    ['arch == NpuArch::DAV_2201', 'by-chip'],
    ['CheckType(self->GetDataType(), A)', 'by-type'],
    ['rank < 2', 'by-case'],
  ])('are chosen by %s', async (condition, situation) => {
    const body = `if (${condition}) { a = l0op::Fold(self, e.get()); } else { a = l0op::Bend(self, e.get()); }`
    expect(valuesOf(await steps(body), `api-steps/${situation}`)).toEqual({condition, one: 'Fold', other: 'Bend'})
  })

  test('around one kernel bring its axes into order', async () => {
    const turned = 'auto a = l0op::Transpose(self, p, e.get()); auto b = l0op::Fold(a, e.get()); '
    const all = await steps(`${turned} auto c = l0op::Transpose(b, q, e.get());`)
    expect(valuesOf(all, 'api-layout/transposed')).toMatchObject({work: 'Fold', count: 2})
    expect(situations(await steps(turned))).not.toContain('api-layout/transposed')
    const before = 'auto d = l0op::Transpose(y, p, e.get());'
    expect(situations(await steps(before + turned))).not.toContain('api-layout/transposed')
  })

  test.each([
    ['l0op::Transpose(', 'transposed'],
    ['l0op::TransData(Format::FORMAT_NC1HWC0, ', 'formats'],
  ])('around a kernel, %s, are told only where every call of it has them', async (turn, situation) => {
    const around = `auto a = ${turn}self, e.get()); auto b = l0op::Fold(a, e.get()); auto c = ${turn}b, e.get());`
    const names = async (body: string) => situations(await steps(body))
    expect(await names(around)).toContain(`api-layout/${situation}`)
    expect(await names(`if (isWide) { ${around} }`)).toContain(`api-layout/${situation}`)
    const elsewhere = `if (isWide) { ${around} } else { auto f = l0op::Fold(self, e.get()); }`
    expect(await names(elsewhere)).not.toContain(`api-layout/${situation}`)
    const some = `if (isWide) { a = ${turn}self, e.get()); } auto b = l0op::Fold(a, e.get()); c = ${turn}b, e.get());`
    expect(await names(some)).not.toContain(`api-layout/${situation}`)
  })

  test('into a format are told of blocks only where it has some', async () => {
    const turn = 'l0op::TransData(Format::FORMAT_FRACTAL_NZ, '
    const around = `auto a = ${turn}self, e.get()); auto b = l0op::Fold(a, e.get()); auto c = ${turn}b, e.get());`
    expect(situations(await steps(around))).not.toContain('api-layout/formats')
  })
})

describe('the layer below', () => {
  const low = (body: string, before = '') =>
    decided(
      `${before}const aclTensor* Fold(const aclTensor* x, const aclTensor* y, aclOpExecutor* executor) { ${body} }`,
    )
  const core = 'auto ret = ADD_TO_LAUNCHER_LIST_AICORE(Fold, OP_INPUT(x), OP_OUTPUT(out), OP_ATTR(axis, mode));'
  const cpu =
    'auto cpu = ADD_TO_LAUNCHER_LIST_AICPU(Fold, OP_ATTR_NAMES({"a", "b"}), OP_INPUT(x), OP_OUTPUT(out), OP_ATTR(m, n));'

  test.each([
    ['auto out = executor->AllocTensor(x->GetViewShape(), x->GetDataType());', 'like'],
    ['auto out = executor->AllocTensor(broadcastShape, x->GetDataType());', 'broadcast'],
    ['auto out = executor->AllocTensor(wanted, x->GetDataType());', 'computed'],
    ['auto out = executor->AllocTensor(type, f, f); INFER_SHAPE(Fold, OP_INPUT(x), OP_OUTPUT(out));', 'inferred'],
  ])('%s', async (body, situation) => {
    expect(situations(await low(body + core))).toContain(`api-output/${situation}`)
  })

  test('writes what it is given, or over what it reads', async () => {
    const writes = (name: string) => low(`ADD_TO_LAUNCHER_LIST_AICORE(Fold, OP_INPUT(x), OP_OUTPUT(${name}));`)
    expect(situations(await writes('y'))).toEqual(['api-output/given'])
    expect(situations(await writes('x'))).toEqual(['api-output/in-place'])
  })

  test('tells attributes apart by place, or on the other unit by name', async () => {
    expect(valuesOf(await low(core), 'api-output/attributes')).toMatchObject({attributes: ['axis', 'mode'], count: 2})
    expect(valuesOf(await low(core + cpu), 'api-output/attributes-named')).toMatchObject({attributes: ['m', 'n']})
    const other = core.replace('axis, mode', 'mode, axis')
    expect(situations(await low(core + core))).toContain('api-output/attributes')
    expect(situations(await low(core + other))).not.toContain('api-output/attributes')
  })

  test('has a type and a shape of its own only where all branches give it the same', async () => {
    const alloc = (shape: string, type: string) => `auto out = executor->AllocTensor(${shape}, ${type}); ${core}`
    const names = async (one: string, other: string) =>
      situations(await low(`if (isWide) { ${one} } else { ${other} }`)).filter((each) => /typed|computed/.test(each))
    const float = alloc('wanted', 'op::DataType::DT_FLOAT')
    expect(await names(float, float)).toEqual(['api-output/computed', 'api-output/typed'])
    expect(await names(float, alloc('wanted', 'x->GetDataType()'))).toEqual(['api-output/computed'])
    expect(await names(float, alloc('other', 'op::DataType::DT_FLOAT'))).toEqual(['api-output/typed'])
    const back = `${float} out = l0op::Cast(out, x->GetDataType(), executor);`
    expect(await names(back, float)).toEqual(['api-output/computed'])
  })

  test('writes over its input only where every launch does', async () => {
    const [own, apart] = ['x', 'y'].map((out) => `ADD_TO_LAUNCHER_LIST_AICORE(Fold, OP_INPUT(x), OP_OUTPUT(${out}));`)
    expect(situations(await low(`if (isWide) { ${own} } else { ${apart} }`))).toEqual([])
  })

  test('of two kernels on one unit are told only where the chip chooses', async () => {
    const registers = 'OP_TYPE_REGISTER(Fold); OP_TYPE_REGISTER(FoldV2);\n'
    const newer = core.replace('(Fold,', '(FoldV2,')
    const between = (condition: string, one: string, other: string) =>
      low(`if (${condition}) { ${one} } else { ${other} }`, registers)
    expect(valuesOf(await between('IsRegBase()', newer, core), 'api-unit/versions')).toEqual({
      names: ['FoldV2', 'Fold'],
      condition: 'IsRegBase()',
    })
    for (const [condition, one, other] of [
      ['isWide', newer, core],
      ['IsRegBase()', newer, cpu],
      ['IsRegBase()', newer, newer],
      ['IsRegBase()', `${newer} ${core}`, ''],
    ] as const)
      expect(situations(await between(condition, one, other))).not.toContain('api-unit/versions')
  })

  test('tells what has to hold for the AI Core, by the conditions that are there', async () => {
    const unit = async (body: string, before = '') =>
      (await low(body, before)).filter(({topic, situation}) => topic === 'api-unit' && situation.startsWith('core-or'))
    const lists = `${list('A', 'FLOAT')}static const auto& Types() { return A; }\n`
    const asks = 'CheckType(x->GetDataType(), A)'
    const fails = 'OP_CHECK(ret == 0, LOG("ADD_TO_LAUNCHER_LIST_AICORE failed"), return nullptr);'
    const several = `if (IsRegBase() && ${asks} && IsLarge(x)) { ${core} ${fails} } else { ${cpu} }`
    const [told] = await unit(several, lists)
    expect([told?.situation, told?.values['conditions']]).toEqual([
      'core-or-cpu-case',
      ['IsRegBase()', asks, 'IsLarge(x)'],
    ])
    expect(situations(await unit(`if (IsLarge(x)) { ${core} } else { ${cpu} }`, lists))).toEqual([
      'api-unit/core-or-cpu-case',
    ])
    expect(situations(await unit(`if (${asks}) { ${core} } else { ${cpu} }`, lists))).toEqual(['api-unit/core-or-cpu'])
    const large = `${lists}static bool IsFit(const aclTensor* x) { if (x->Size() > 9) { return false; } return ${asks}; }\n`
    expect(situations(await unit(`if (IsFit(x)) { ${core} } else { ${cpu} }`, large))).toEqual([
      'api-unit/core-or-cpu-case',
    ])
    expect(await unit(`if (IsLarge(x)) { ${cpu} } else { ${core} }`)).toEqual([])
    expect(await unit(core + cpu)).toEqual([])
    const apart = `static int FoldCore(const aclTensor* x) { ${core} }\nstatic int FoldCpu(const aclTensor* x) { ${cpu} }\n`
    expect(situations(await unit('', apart))).toEqual(['api-unit/core-or-cpu-open'])
    const calls = 'if (IsLarge(x)) { return FoldCore(x); } else { return FoldCpu(x); }'
    expect(situations(await unit(calls, apart))).toEqual(['api-unit/core-or-cpu-case'])
  })

  test('chooses the unit by the types of a list, and says what success is', async () => {
    const asks = `${list('A', 'FLOAT')}static bool IsAiCoreSupport(const aclTensor* x) { return CheckType(x->GetDataType(), A); }\n`
    const both = await low(`if (IsAiCoreSupport(x)) { ${core} } else { ${cpu} }`, asks)
    expect(valuesOf(both, 'api-unit/core-or-cpu')).toMatchObject({
      condition: 'IsAiCoreSupport(x)',
      dtypes: ['DT_FLOAT'],
    })
    const failing = await low(
      `${core} OP_CHECK_ADD_TO_LAUNCHER_LIST_AICORE(ret != ACLNN_SUCCESS, return nullptr, "a");`,
    )
    expect(valuesOf(failing, 'api-unit/failure')).toEqual({condition: 'ret == ACLNN_SUCCESS'})
  })
})

test('what every interface does is told where there is room, and has evidence', async () => {
  const many = [
    ...['if (rows % groups != 0) { return false; }', 'if (a.GetDim(1) != 5) { return false; }'],
    ...['OP_CHECK_SHAPE_NOT_EQUAL(self, out, return false);', 'OP_CHECK_WRONG_DIMENSION(self, 5, return false);'],
    ...['OP_CHECK_DTYPE_NOT_SAME(self, out, return false);', 'if (rows > INT32_MAX) { return false; }'],
    ...['if (mode < 0 || mode > 2) { return false; }', 'OP_CHECK_MIN_DIM(self, 2, return false);'],
  ].join(' ')
  const body = `${made} if (self->IsEmpty()) { *workspaceSize = 0; return ACLNN_SUCCESS; }
    auto a = l0op::Contiguous(self, e.get()); auto b = l0op::Fold(a, e.get()); auto c = l0op::ViewCopy(b, out, e.get());
    ${released}`
  const all = await decided(check(many) + plan(body))
  expect(all.length).toBeLessThanOrEqual(9)
  expect(all.every(({because}) => because.length > 0)).toBe(true)
  const shared = situations(await decided(plan(body)))
  expect(shared).toEqual(expect.arrayContaining(['api-plan/phases', 'api-memory/empty', 'api-memory/dense-both']))
})
