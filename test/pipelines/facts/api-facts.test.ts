import {ApiFacts} from '../../../datasets/schema/code-facts.ts'
import {describe, expect, test} from 'vitest'
import {apiFacts, checksOf, plansOf, runsOf} from '../../../pipelines/facts/api-facts.ts'
import {flowOf, sourceOf} from '../../helpers/told-parts.ts'

const factsOf = async (text: string) => ApiFacts.parse(await apiFacts(sourceOf(text)))
const planning = (body: string, more = '') =>
  factsOf(`${more}\naclnnStatus aclnnFoldGetWorkspaceSize(const aclTensor* x, uint64_t* workspaceSize) { ${body} }`)

test('functions are sorted by what they are for', async () => {
  const facts = await factsOf(`
aclnnStatus aclnnFoldGetWorkspaceSize(int a) { return 0; }
aclnnStatus aclnnFold(void* w, aclrtStream stream) { return 0; }
aclnnStatus aclnnOther(void* w) { return 0; }
void Help(aclrtStream stream) { Log(); }
void Declared(int a);
void Empty();
void MACRO_CALL(int a);`)
  const names = (list: readonly {name: string}[]) => list.map(({name}) => name)
  expect(names(facts.functions)).toEqual(['aclnnFoldGetWorkspaceSize', 'aclnnFold', 'aclnnOther', 'Help'])
  expect(names(plansOf(facts))).toEqual(['aclnnFoldGetWorkspaceSize'])
  expect(names(runsOf(facts))).toEqual(['aclnnFold'])
  expect(names(facts.prototypes)).toEqual(['Declared'])
})

test('computations are named once, in order, without services', async () => {
  const body =
    'l0op::Cast(x); l0op::Mul(x); l0op::Add(x); l0op::Mul (x); l0op::Contiguous(x); l0op::ViewCopy(x); ' +
    'l0op::Reshape(x); l0op::SqueezeNd(x); l0op::UnsqueezeNd(x); l0op::ReFormat(x); l0op::TransDataSpecial(x);'
  expect((await planning(`${body} // l0op::Sub(x)\n`)).computations).toEqual(['Mul', 'Add'])
})

describe('type lists', () => {
  test.each([
    [
      'static const std::initializer_list<op::DataType> L = {op::DataType::DT_FLOAT, DT_INT8};',
      ['DT_FLOAT', 'DT_INT8'],
    ],
    ['std::vector<ge::DataType> L{ge::DT_BOOL};', ['DT_BOOL']],
    ['std::array<DataType, 1> L = {DT_BOOL};', ['DT_BOOL']],
    ['std::initializer_list<DataType> L = {};', []],
  ])('%s', async (declared, dtypes) => {
    const {lists} = await planning('Check(x, L); if (In(L)) { Log(); }', declared)
    expect(lists).toEqual([{name: 'L', dtypes, users: ['aclnnFoldGetWorkspaceSize']}])
  })

  test('have users by the whole name, in statements and conditions', async () => {
    const declared = 'std::vector<DataType> L = {DT_BOOL};'
    const users = async (body: string) => (await planning(body, declared)).lists[0]?.users.length
    expect([await users('Check(L);'), await users('if (In(L)) { Log(); }'), await users('Check(L2);')]).toEqual([
      1, 1, 0,
    ])
    expect((await planning('Check(L);', 'std::vector<int> L = {1};')).lists).toEqual([])
  })
})

describe('a step of a plan', () => {
  const kindsOf = async (body: string, more = '') =>
    (await planning(body, more)).steps.flatMap(([, steps]) => steps).map(({kind, text}) => [kind, text])
  test.each<[string, string[][]]>([
    ['auto e = CREATE_EXECUTOR();', [['executor', 'e = CREATE_EXECUTOR()']]],
    ['*workspaceSize = e->GetWorkspaceSize();', [['workspace', '*workspaceSize = e->GetWorkspaceSize()']]],
    ['*workspaceSize = 0;', []],
    ['if (x->IsEmpty()) { *workspaceSize = 0; }', [['empty', '*workspaceSize = 0']]],
    ['e.ReleaseTo(executor);', [['release', 'e.ReleaseTo(executor)']]],
    ['if (a) { e.ReleaseTo(executor); }', []],
    ['auto c = l0op::Contiguous(x, e);', [['contiguous', 'c = l0op::Contiguous(x, e)']]],
    ['auto c = l0op::Cast(x, t, e);', [['cast', 'c = l0op::Cast(x, t, e)']]],
    ['auto c = l0op::ViewCopy(x, y, e);', [['view-copy', 'c = l0op::ViewCopy(x, y, e)']]],
    ['auto c = l0op::Reshape(x, s, e);', [['shape', 'c = l0op::Reshape(x, s, e)']]],
    ['auto c = l0op::Mul(x, x, e);', [['compute', 'c = l0op::Mul(x, x, e)']]],
    ['auto t = op::PromoteType(a, b);', [['type', 't = op::PromoteType(a, b)']]],
    ['auto t = e->ConvertToTensor(s, d);', [['tensor', 't = e->ConvertToTensor(s, d)']]],
    ['if (a) { return ACLNN_ERR_PARAM_INVALID; }', [['refusal', 'ACLNN_ERR_PARAM_INVALID']]],
    ['return ACLNN_ERR_PARAM_INVALID;', []],
    ['auto r = CheckParams(x);', [['check', 'r = CheckParams(x)']]],
    ['auto r = Params(x);', []],
  ])('%s', async (body, steps) => {
    expect(await kindsOf(body)).toEqual(steps)
  })

  test('may be a function of the file', async () => {
    const own = 'bool Own(const aclTensor* x) { return true; }'
    expect(await kindsOf('Own(x, executor);', own)).toEqual([['part', 'Own(x, executor)']])
    expect(await kindsOf('auto r = Own(x, uniqueExecutor.get());', own)).toEqual([
      ['part', 'r = Own(x, uniqueExecutor.get())'],
    ])
    expect(await kindsOf('CHECK_RET(Own(x), ACLNN_ERR_PARAM_INVALID);', own)).toEqual([['check', 'Own(x)']])
    expect(await kindsOf('CHECK_RET(Own(x) == 1, ACLNN_ERR_PARAM_INVALID);', own)).toEqual([])
    expect(await kindsOf('CHECK_RET(Other(x), ACLNN_ERR_PARAM_INVALID);', own)).toEqual([])
    expect(await kindsOf('Own(x);', own)).toEqual([])
  })

  test.each([
    ['if (x->IsEmpty()) { *workspaceSize = 0; return ACLNN_SUCCESS; }', true],
    ['if (x->IsEmpty()) { *workspaceSize = 0; } return ACLNN_SUCCESS;', false],
  ])('for an empty tensor may be the last: %s', async (body, ends) => {
    const steps = (await planning(body)).steps.flatMap(([, steps]) => steps)
    expect(steps.map((one) => one.ends)).toEqual([ends])
  })
})

test('a checking function has the status that its first caller gives', async () => {
  const {statuses} = await planning(
    'CHECK_RET(CheckNull(x), ACLNN_ERR_PARAM_NULLPTR); CHECK_RET(ns::CheckType(x), ACLNN_ERR_PARAM_INVALID); ' +
      'CHECK_RET(CheckNull(y), ACLNN_ERR_PARAM_INVALID); CHECK_RET(CheckOther(y), false);',
  )
  expect([...statuses]).toEqual([
    ['CheckNull', 'ACLNN_ERR_PARAM_NULLPTR'],
    ['CheckType', 'ACLNN_ERR_PARAM_INVALID'],
  ])
})

test('work is put on the queue of a unit', async () => {
  const {launches, registered} = await factsOf(`OP_TYPE_REGISTER( Fold );
void F() { auto r = ADD_TO_LAUNCHER_LIST_AICORE(Fold, OP_INPUT(x)); }
void G() { ADD_TO_LAUNCHER_LIST_AICPU(Fold, OP_INPUT(x)); Other(x); }`)
  expect(registered).toEqual(['Fold'])
  expect(launches).toEqual([
    {method: 'F', unit: 'AI Core', text: 'ADD_TO_LAUNCHER_LIST_AICORE(Fold, OP_INPUT(x))'},
    {method: 'G', unit: 'AI CPU', text: 'ADD_TO_LAUNCHER_LIST_AICPU(Fold, OP_INPUT(x))'},
  ])
})

test('the checks of a function stand outside of branches and loops', async () => {
  const check = 'OP_CHECK_NULL(x, return false);'
  const count = async (body: string) => checksOf(await flowOf(`bool F() { ${body} return true; }`)).length
  expect([await count(check), await count(`if (a) { ${check} }`), await count(`while (a) { ${check} }`)]).toEqual([
    1, 0, 0,
  ])
})
