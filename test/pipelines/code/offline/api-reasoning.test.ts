import {test} from 'vitest'
import {apiFacts} from '../../../../pipelines/facts/api-facts.ts'
import {apiReasoning} from '../../../../pipelines/code/offline/api-reasoning.ts'
import {apiRequest} from '../../../../pipelines/code/offline/api-request.ts'
import {both, sourceOf, toldCases} from '../../../helpers/told-parts.ts'

const end = 'uint64_t* workspaceSize, aclOpExecutor** executor'
const plan = (body: string, given = 'const aclTensor* self, aclTensor* out', name = 'aclnnFold') =>
  `aclnnStatus ${name}GetWorkspaceSize(${given}, ${end}) { ${body} }`
const run = (body: string, name = 'aclnnFold') =>
  `aclnnStatus ${name}(void* workspace, uint64_t size, aclOpExecutor* executor, aclrtStream stream) { ${body} }`
const runs = 'return CommonOpExecutorRun(workspace, size, executor, stream);'
const made = 'auto e = CREATE_EXECUTOR();'
const released = '*workspaceSize = e->GetWorkspaceSize(); e.ReleaseTo(executor); return ACLNN_SUCCESS;'
const computed = 'auto r = l0op::Fold(self, e.get());'
const types = (name: string, count = 2) =>
  `static const std::initializer_list<op::DataType> ${name} = {` +
  `${Array.from({length: count}, (_, at) => `op::DataType::DT_INT${2 ** at}`).join(', ')}};`
const looks = (name: string, method = `Check${name}`) =>
  `static bool ${method}(const aclTensor* self) { OP_CHECK_DTYPE_NOT_SUPPORT(self, ${name}, ` +
  'return false); return true; }'
const launch = (unit: string, method = 'FoldAiCore') =>
  `const aclTensor* ${method}(const aclTensor* x, aclOpExecutor* executor) { auto y = ` +
  `executor->AllocTensor(x->GetViewShape(), x->GetDataType()); ADD_TO_LAUNCHER_LIST_${unit}` +
  '(Fold, OP_INPUT(x), OP_OUTPUT(y)); return y; }'
const other =
  'aclnnStatus aclnnOtherGetWorkspaceSize(const aclTensor* a, bool exact, int64_t axis, uint64_t* ' +
  'w, aclOpExecutor** e);'
const allowed =
  'CHECK_RET(Allows(self), ACLNN_ERR_PARAM_INVALID); auto r = Part(self, e.get()); ' +
  'CHECK_RET(Part(self, e.get()) == ACLNN_SUCCESS, ACLNN_ERR_INNER); ' +
  'CHECK_RET(Allows(self) && other, ACLNN_ERR_INNER); Allows(out);'
const checked =
  'CHECK_RET(CheckA(self), ACLNN_ERR_PARAM_INVALID); CHECK_RET(op::Odd(self), ACLNN_ERR_PARAM_NULLPTR); ' +
  'CHECK_RET(Early(out), ACLNN_ERR_A); CHECK_RET(Early(out), ACLNN_ERR_B); CHECK_RET(Plain(self), other);'
const listed = `${types('A')} ${types('B', 1)} ${types('UNUSED')} ${types('EMPTY', 0)}`
const handsOn =
  'OP_LOGD("a"); auto held = out; ' + 'return aclnnOtherGetWorkspaceSize(self, false, -1, workspaceSize, executor);'
const folded = (at: number) => `auto c${at} = l0op::Contiguous(t, e.get()); auto f${at} = l0op::Fold(c${at}, e.get());`
const sixteen = Array.from({length: 8}, (_, at) => folded(at)).join(' ')

const files: Readonly<Record<string, string>> = {
  declarations: `aclnnStatus
    aclnnFoldGetWorkspaceSize(const aclTensor* self, const aclScalar* alpha, aclTensor* out, ${end});
    aclnnStatus aclnnFold(void* workspace, uint64_t size, aclOpExecutor* executor, aclrtStream stream);
    int Count(const int64_t shape[], int dims); void Nothing(); int FOLD_MACRO(int a);`,
  'declarations of the lower layer':
    'const aclTensor* Fold(const aclTensor* x, const aclIntArray* axes, aclOpExecutor* executor);',
  'a header that only plans': `aclnnStatus aclnnFoldGetWorkspaceSize(const aclTensor* self, ${end});`,
  'seven declarations': Array.from({length: 7}, (_, at) => `int F${at}(int a);`).join(' '),
  'nothing but a name': 'int fold;',
  'two phases': `${plan(`${made} ${computed} auto c = l0op::ViewCopy(r, out, e.get()); ${released}`)} ${run(runs)}`,
  'two plans':
    `${plan(`${made} ${computed} ${released}`)} ` +
    `${plan(`${made} ${computed} ${released}`, 'aclTensor* selfRef', 'aclnnInplaceFold')} ` +
    `${run(runs)} ${run(runs, 'aclnnInplaceFold')}`,
  'each kind of step': plan(`${made} CHECK_RET(CheckAll(self, out), ACLNN_ERR_PARAM_INVALID); auto ok = CheckSome(self);
    if (self->IsEmpty()) { *workspaceSize = 0; e.ReleaseTo(executor); return ACLNN_SUCCESS; }
    if (small) { *workspaceSize = 4; }
    if (out == nullptr) { return ACLNN_ERR_PARAM_NULLPTR; }
    auto a = l0op::Contiguous(self, e.get()); auto b = l0op::Contiguous(out, e.get());
    auto p = PromoteType(a, b); auto t = e->ConvertToTensor(alpha, p);
    auto c = l0op::Cast(a, p, e.get()); auto s = l0op::Reshape(c, shape, e.get()); auto u = l0op::UnsqueezeNd(s, e.get());
    if (wide) { auto d = l0op::FoldWide(s, e.get()); } else { auto d = l0op::Fold(s, e.get()); }
    auto v = l0op::ViewCopy(d, out, e.get()); ${released}`),
  'steps in a function of the file': `static aclnnStatus Part(const aclTensor* x, aclOpExecutor* executor)
    { auto r = l0op::Fold(x, executor); return ACLNN_SUCCESS; }
    static bool Allows(const aclTensor* x) { return true; }
    ${plan(`${made} ${allowed} ${released}`)}`,
  'five of one kind': plan(
    `${made} ` +
      `${Array.from({length: 5}, (_, at) => `auto c${at} = l0op::Contiguous(t${at}, e.get());`).join(' ')}` +
      ` ${released}`,
  ),
  'thirteen computations': plan(
    `${made} ` +
      `${Array.from({length: 13}, (_, at) => `auto c${at} = l0op::Fold${at}(t, e.get());`).join(' ')}` +
      ` ${released}`,
  ),
  'seventeen steps': plan(`${made} ${sixteen} *workspaceSize = e->GetWorkspaceSize(); return 1;`),
  'eighteen steps': plan(`${made} ${sixteen} ${released}`),
  'null pointers of one step': plan(
    `${made} ${computed} CHECK_RET(r != nullptr, ACLNN_ERR_INNER_NULLPTR); ${released}`,
  ),
  'null pointers of several': plan(
    `${made} ${computed} CHECK_RET(r != nullptr, ACLNN_ERR_INNER_NULLPTR); OP_CHECK_NULL(r, ` +
      'ACLNN_ERR_INNER_NULLPTR); if (!r) { return ACLNN_ERR_INNER_NULLPTR; } CHECK_RET(r > 1, ' +
      `ACLNN_ERR_INNER_NULLPTR); CHECK_RET(r != nullptr, ACLNN_ERR_INNER); ${released}`,
  ),
  'no step at all': plan('Prepare(self); return Later(out);'),
  'checks with their status': `${types('A')} ${looks('A')} ${looks('A', 'CheckNotCalled')}
    static bool Odd(const aclTensor* x) { OP_CHECK_NULL(x, return false); return true; }
    static bool Early(const aclTensor* x) { if (x == nullptr) { return true; }
    OP_CHECK_NULL(x, return false); return true; }
    static bool Plain(const aclTensor* x) { return x == nullptr; }
    static bool CheckBranch(int n) { if (n) { OP_CHECK_NULL(n, return false); } return true; }
    static bool CheckLoop(int n) { for (int i = 0; i < n; i++) { OP_CHECK_NULL(i, return false); } return true; }
    ${plan(`${made} ${checked} ${computed} ${released}`)}`,
  'nine checks': `${Array.from({length: 9}, (_, at) => looks('A', `Check${at}`)).join(' ')}`,
  lists: `${listed} ${looks('A')} ${looks('A', 'Again')} ${looks('B')} ${looks('EMPTY')}
    static bool Asks(int a) { if (Contains(A, a)) { return false; } return true; }`,
  'six lists': Array.from({length: 6}, (_, at) => `${types(`L${at}`)} ${looks(`L${at}`)}`).join(' '),
  'lists that only a condition asks': `${types('A')} static bool Asks(int a) { if (Contains(A, a)) { x = 1; } return true; }`,
  helpers:
    'static int Count(const aclTensor* x) { int n = 0; n += 1; return n; } ' +
    `${plan(`${made} ${computed} ${released}`)}`,
  'nine helpers': Array.from({length: 9}, (_, at) => `int H${at}(int a) { b = ${at}; return b; }`).join(' '),
  'a launch': `OP_TYPE_REGISTER(Fold); ${launch('AICORE')}`,
  'a launch of what is there':
    `const aclTensor* FoldOnly(const aclTensor* x, const aclTensor* y, aclOpExecutor* executor) { ` +
    `ADD_TO_LAUNCHER_LIST_AICORE(Fold, OP_INPUT(x), OP_OUTPUT(y)); return y; }`,
  'two units': `OP_TYPE_REGISTER(Fold); OP_TYPE_REGISTER(FoldV2); ${launch('AICORE')} ${launch('AICPU', 'FoldAiCpu')}`,
  'two units by other names': `${launch('AICORE', 'First')} ${launch('AICPU', 'Second')}`,
  'five launches': Array.from({length: 5}, (_, at) => launch('AICORE', `Fold${at}`)).join(' '),
  'a class':
    'class Folder { public: Folder(int a); int Count(const int* x); bool Can(int a) const; int ' +
    'Twice(int a) { return 2 * a; } };',
  classes:
    ['A', 'B', 'C', 'D', 'E'].map((name) => `class ${name} { int F(int a); };`).join(' ') +
    ' int Free(int a); int G(int a) { return a; }',
  'a class of nine functions':
    `class A { ${Array.from({length: 9}, (_, at) => `int F${at}(int a);`).join(' ')} int Long(` +
    `${'a'.repeat(160)} a); }; int G(int a) { return a; }`,
  'what is handed on': `${other} aclnnStatus aclnnOther(void* w, uint64_t s, aclOpExecutor* e, aclrtStream stream);
    ${plan(handsOn, 'const aclTensor* self, double eps, bool keep, const char* mode, aclTensor* out')}
    ${run('return aclnnOther(workspace, size, executor, stream);')}`,
  'what is handed on through a variable': plan(
    'const aclTensor* held = out; (void) eps; auto status = aclnnOtherGetWorkspaceSize(self, held, ' +
      'nullptr, 1.5f, workspaceSize, executor); return status;',
    'const aclTensor* self, double eps, const aclTensor* out',
  ),
  'what is handed on in a branch': plan(
    'if (a) { return aclnnOtherGetWorkspaceSize(self, workspaceSize, executor); } return 1;',
  ),
  'what is handed on after a check':
    'static bool CheckAll(const aclTensor* x) { OP_CHECK_NULL(x, return false); return true; } ' +
    plan(
      'CHECK_RET(CheckAll(self), ACLNN_ERR_PARAM_NULLPTR); ' +
        'return aclnnOtherGetWorkspaceSize(self, out, workspaceSize, executor);',
    ),
  'what is handed on twice': plan(
    'aclnnAGetWorkspaceSize(self, executor); return aclnnBGetWorkspaceSize(out, workspaceSize, executor);',
  ),
  'what is handed to the same file':
    `${plan('return aclnnInnerGetWorkspaceSize(self, out, workspaceSize, executor);')} ` +
    `${plan(`${made} ${released}`, 'int a', 'aclnnInner')}`,
  'parameters of each kind': plan(
    `L2_DFX_PHASE_1(aclnnFold, DFX_IN(self, list, both), DFX_OUT(both, outConst)); ${made} ${released}`,
    'aclTensor* self, const aclTensorList* list, const aclTensor* both, const aclTensor* outConst, ' +
      'aclScalar* late, const aclIntArray* axes, double eps, const char* mode, char* text, int64_t& ref',
  ),
  'outputs by their names': plan(
    `${made} ${released}`,
    'const aclTensor* self, const aclTensor* other, const aclTensor* meanOut, const aclTensor* out',
  ),
  'outputs that no name tells': plan(`${made} ${released}`, 'const aclTensor* out, const aclTensor* self'),
  'in place': plan(
    `${made} auto r = l0op::Fold(self, self, e.get()); ${released}`,
    'const aclTensor* self, const aclTensor* other, aclTensor* mask',
    'aclnnInplaceFold',
  ),
  references: plan(`${made} ${released}`, 'const aclTensor* selfRef, const aclTensor* other'),
  'four plans': ['A', 'B', 'C', 'D'].map((name) => plan(`${made} ${released}`, 'int64_t n', `aclnn${name}`)).join(' '),
  'six functions':
    Array.from({length: 6}, (_, at) => `int G${at}(int a[], const int (&b)[4]) { return a; }`).join(' ') +
    ' static int Hidden(int a) { return a; }',
  'a run that does more': `${plan(`${made} ${released}`)} ${run(`Note(size); ${runs}`)}`,
}

test('the interface of an operator is asked for and told by its plans, checks, steps and launches', async () => {
  const cases: Record<string, string> = {}
  for (const [name, text] of Object.entries(files)) {
    const source = sourceOf(text, {target: {path: 'op_api/aclnn_fold.cpp', text}, side: 'host', role: 'api'})
    const facts = await apiFacts(source)
    cases[name] = both(
      (speaker) => `${apiRequest(source, facts, speaker)}\n\n${apiReasoning(source, facts, speaker)}\n`,
    )
  }
  toldCases('interfaces', cases)
})
