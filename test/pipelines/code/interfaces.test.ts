import {describe, expect, test} from 'vitest'
import {told} from '../../helpers/told-file.ts'

const api = `
static const std::initializer_list<op::DataType> TYPES = {op::DataType::DT_FLOAT, op::DataType::DT_BF16};
static bool CheckNotNull(const aclTensor* self, const aclTensor* out) {
  OP_CHECK_NULL(self, return false);
  OP_CHECK_NULL(out, return false);
  return true;
}
static bool CheckTypes(const aclTensor* self, const aclTensor* out) {
  OP_CHECK_DTYPE_NOT_SUPPORT(self, TYPES, return false);
  OP_CHECK_SHAPE_NOT_EQUAL(self, out, return false);
  return true;
}
aclnnStatus aclnnTwiceGetWorkspaceSize(const aclTensor* self, aclTensor* out, uint64_t* workspaceSize,
                                       aclOpExecutor** executor) {
  L2_DFX_PHASE_1(aclnnTwice, DFX_IN(self), DFX_OUT(out));
  auto uniqueExecutor = CREATE_EXECUTOR();
  CHECK_RET(CheckNotNull(self, out), ACLNN_ERR_PARAM_NULLPTR);
  CHECK_RET(CheckTypes(self, out), ACLNN_ERR_PARAM_INVALID);
  if (self->IsEmpty()) {
    *workspaceSize = 0;
    uniqueExecutor.ReleaseTo(executor);
    return ACLNN_SUCCESS;
  }
  auto dense = l0op::Contiguous(self, uniqueExecutor.get());
  auto result = l0op::Twice(dense, uniqueExecutor.get());
  auto copied = l0op::ViewCopy(result, out, uniqueExecutor.get());
  *workspaceSize = uniqueExecutor->GetWorkspaceSize();
  uniqueExecutor.ReleaseTo(executor);
  return ACLNN_SUCCESS;
}
aclnnStatus aclnnTwice(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor, aclrtStream stream) {
  return CommonOpExecutorRun(workspace, workspaceSize, executor, stream);
}
`

describe('the C interface', () => {
  test('is told with its checks, their status, and the order of the steps', async () => {
    const {request, reasoning, handed} = await told('api', api)
    expect(request).toContain('`TYPES` = `DT_FLOAT`, `DT_BF16`')
    expect(request).toContain('`l0op::Twice`')
    expect(reasoning).toMatch(/In `CheckNotNull`: `self` and `out` must not be null\. [^.]*`ACLNN_ERR_PARAM_NULLPTR`/)
    expect(reasoning).toMatch(/the type of `self` must be one of `TYPES`, then `self` and `out` must have one shape/)
    expect(reasoning).toMatch(
      new RegExp(
        [
          '`self->IsEmpty\\(\\)` holds, the workspace of this special case: `\\*workspaceSize = 0`, and the function returns;',
          'made contiguous',
          'the computation',
          'ViewCopy',
        ].join('.*'),
        's',
      ),
    )
    expect(reasoning).toContain('`CommonOpExecutorRun` runs the plan')
    expect(reasoning).not.toContain('L2_DFX')
    expect(handed).toContain('["CheckTypes","ACLNN_ERR_PARAM_INVALID"]')
  })

  test('has each step once, and only what is computed as its computation', async () => {
    const {request} = await told('api', api)
    expect(request).not.toMatch(/l0op::(?:Contiguous|ViewCopy)/)
    const more = api
      .replace('auto uniqueExecutor', '*workspaceSize = 0;\n  auto uniqueExecutor')
      .replace('  auto dense', '  CHECK_RET(CheckNotNull(out, self), ACLNN_ERR_INNER);\n  auto dense')
    const {reasoning, handed} = await told('api', more)
    expect(reasoning.match(/`\*workspaceSize = 0`/g)).toHaveLength(1)
    expect(reasoning.match(/ReleaseTo\(executor\)/g)).toHaveLength(1)
    expect(handed).toContain('["CheckNotNull","ACLNN_ERR_PARAM_NULLPTR"]')
    const going = await told('api', api.replace('    return ACLNN_SUCCESS;\n  }', '  }'))
    expect(going.reasoning).toContain('the workspace of this special case: `*workspaceSize = 0`;')
  })

  test('in Chinese says the same', async () => {
    const {reasoning} = await told('api', api, 'zh')
    expect(reasoning).toContain('`self`、`out` 不能为空指针')
    expect(reasoning).toContain('不通过时返回 `ACLNN_ERR_PARAM_INVALID`')
  })

  test('with a second phase of its own does not only run', async () => {
    const busy = api.replace('  return CommonOpExecutorRun', '  Prepare(workspace);\n  return CommonOpExecutorRun')
    expect((await told('api', busy)).reasoning).not.toContain('decides nothing any more')
  })

  test('of two calls keeps their first phases apart from the two phases', async () => {
    const inPlace = `aclnnStatus aclnnInplaceTwiceGetWorkspaceSize(aclTensor* selfRef, uint64_t* workspaceSize,
      aclOpExecutor** executor) { return Plan(selfRef, selfRef, workspaceSize, executor); }`
    const {reasoning} = await told('api', `${api}${inPlace}`)
    expect(reasoning).toMatch(/In the first, `aclnnTwiceGet\w+` and `aclnnInplaceTwiceGet\w+` check the arguments/)
    expect(reasoning).toContain(
      'Parameters of `aclnnInplaceTwiceGetWorkspaceSize`: to read `selfRef`; to write `selfRef`',
    )
    expect(reasoning).toContain('Parameters of `aclnnTwiceGetWorkspaceSize`: to read `self`; to write `out`')
  })

  test('of constant outputs and references says that they are written, as the macro or the name says', async () => {
    const listed = api.replace('aclTensor* out, uint64_t', 'const aclTensor* out, uint64_t')
    expect((await told('api', listed)).reasoning).toContain('to read `self`; to write `out`')
    const late = `aclnnStatus aclnnLateGetWorkspaceSize(const aclTensor* gradOut, const char* group, double eps,
      const aclTensor* normOut, uint64_t* workspaceSize, aclOpExecutor** executor) { return Plan(gradOut); }
      aclnnStatus aclnnInplaceLateGetWorkspaceSize(const aclTensor* selfRef, const aclTensor* x, const aclTensor* rest,
        uint64_t* size, aclOpExecutor** executor) { return Plan(x, rest, rest); }`
    const {reasoning} = await told('api', late)
    expect(reasoning).toContain('to read `gradOut`; to write `normOut`; by value `eps`; as text `group`')
    expect(reasoning).toContain('to read `selfRef`, `x` and `rest`; to write `selfRef` and `rest`')
    const named = api
      .replace('aclTensor* out, uint64_t', 'const aclTensor* maskOut, aclTensor* out, uint64_t')
      .replace('DFX_IN(self)', 'DFX_IN(self, maskOut)')
    expect((await told('api', named)).reasoning).toContain('to read `self` and `maskOut`; to write `out`')
    const inPlace = `aclnnStatus aclnnInplaceAddGetWorkspaceSize(aclTensor* self, const aclTensor* other,
      uint64_t* size, aclOpExecutor** executor) { return Plan(self, other); }`
    expect((await told('api', inPlace)).reasoning).toContain('to read `self` and `other`; to write `self`')
  })

  const inner = `
    extern aclnnStatus aclnnInnerTwiceGetWorkspaceSize(const aclTensor* self, const aclTensor* mask, int64_t mode,
      aclTensor* out, uint64_t* workspaceSize, aclOpExecutor** executor);
    aclnnStatus aclnnTwiceGetWorkspaceSize(const aclTensor* self, const aclTensor* mask, aclTensor* out,
      uint64_t* workspaceSize, aclOpExecutor** executor) {
      return aclnnInnerTwiceGetWorkspaceSize(self, nullptr, 1, out, workspaceSize, executor);
    }
    aclnnStatus aclnnTwice(void* workspace, uint64_t size, aclOpExecutor* executor, aclrtStream stream) {
      return aclnnInnerTwice(workspace, size, executor, stream);
    }`

  test('that only hands on tells what is fixed on the way, and claims no checks', async () => {
    const {reasoning} = await told('api', inner)
    expect(reasoning).not.toMatch(/checks the arguments|All refusals/)
    expect(reasoning).toContain('hands the call on to `aclnnInnerTwiceGetWorkspaceSize`')
    expect(reasoning).toContain('Fixed on the way: `nullptr` for `mask`, `1` for `mode`. Not handed on: `mask`.')
    expect(reasoning).toContain('`aclnnTwice` calls `aclnnInnerTwice`')
    const unknown = inner.replace(/extern[^;]*;/, '')
    expect((await told('api', unknown)).reasoning).toContain('`nullptr` for argument 2, `1` for argument 3')
    expect((await told('api', `${api}${inner.replaceAll('aclnnTwice', 'aclnnOther')}`)).reasoning).toContain(
      'check the arguments',
    )
    for (const more of ['aclnnOtherGetWorkspaceSize(self);', 'auto out = l0op::Twice(self);']) {
      const working = inner.replace('      return aclnnInner', `      ${more}\n      return aclnnInner`)
      expect((await told('api', working)).reasoning).not.toContain('hands the call on')
      expect((await told('api', working)).reasoning).toMatch(/checks the arguments/)
    }
  })

  test('that checks before it hands on is told with both', async () => {
    const check = `static aclnnStatus CheckSelf(const aclTensor* self) {
      OP_CHECK_NULL(self, return ACLNN_ERR_PARAM_NULLPTR); return ACLNN_SUCCESS; }\n`
    const {reasoning} = await told(
      'api',
      check +
        inner
          .replace('return aclnnInner', 'auto ret = CheckSelf(self); auto m = Of(mask); return aclnnInner')
          .replace('nullptr, 1', 'm, 1'),
    )
    expect(reasoning).toContain('checks the arguments')
    expect(reasoning).not.toMatch(/adds no check of its own|Not handed on/)
    expect(reasoning).toMatch(/are checked: `ret = CheckSelf\(self\)`\. [^.]*hands the call on to `aclnnInnerTwiceGet/)
  })

  test('keeps functions of the file that work on the executor in the order, apart from checks', async () => {
    const spread = `static aclnnStatus Prepare(const aclTensor* self, aclOpExecutor* executor) {
        OP_CHECK_NULL(self, return ACLNN_ERR_INNER_NULLPTR);
        return ACLNN_SUCCESS;
      }
      static const aclTensor* Spread(const aclTensor* self, aclOpExecutor* executor) { return l0op::Tile(self); }`
    const text = `${spread}${api.replace(
      'auto result = l0op::Twice(dense,',
      `CHECK_RET(Prepare(self, uniqueExecutor.get()) == ACLNN_SUCCESS, ACLNN_ERR_INNER_NULLPTR);
       auto wide = Spread(dense, uniqueExecutor.get());
       auto result = l0op::Twice(wide,`,
    )}`
    const {reasoning} = await told('api', text)
    expect(reasoning).toMatch(/are checked: `CheckNotNull\(self, out\)` and `CheckTypes\(self, out\)`;/)
    expect(reasoning).toMatch(
      /made contiguous[^;]*; a function of this file[^;]*`Prepare\([^;]*`wide = Spread\([^;]*; the comp/,
    )
    expect(reasoning).toMatch(/Functions that the plans build on: In `Prepare`/)
  })

  test('names every label of a case and what is left, and the type lists beyond the fifth', async () => {
    const lists = ['A', 'B', 'C', 'D', 'E', 'F'].map(
      (name) => `static const std::initializer_list<op::DataType> ${name} = {op::DataType::DT_FLOAT};`,
    )
    const text = `${lists.join('')}
      static bool Pick(int soc) {
        switch (soc) {
          case ONE:
          case TWO: { return Use(A, B, C, D, E, F); }
          // the rest
          case THREE:
          default: { return false; }
        }
      }${api}`
    const {reasoning} = await told('api', text)
    expect(reasoning).toContain('where `soc` is `ONE` or `TWO`: it returns')
    expect(reasoning).toContain('where `soc` is `THREE` or any other value: it returns `false`')
    expect(reasoning).toContain('Further lists of this kind: `F` and `TYPES`.')
  })

  test('counts every check for a null pointer, and says how much is checked beyond what is told', async () => {
    const twice = `CHECK_RET(a != nullptr && b != nullptr, ACLNN_ERR_INNER_NULLPTR);
      if (dense == nullptr) { return ACLNN_ERR_INNER_NULLPTR; }
      auto result = l0op::Twice(dense,`
    const checks = Array.from({length: 11}, (_, index) => `OP_CHECK_MAX_DIM(self, ${index}, return false);`)
    const text = api
      .replace('auto result = l0op::Twice(dense,', twice)
      .replace('OP_CHECK_SHAPE_NOT_EQUAL(self, out, return false);', `${checks.join('\n')}\nn = Of(self);`)
    const {reasoning} = await told('api', text)
    expect(reasoning).toContain('2 checks return `ACLNN_ERR_INNER_NULLPTR` then')
    expect(reasoning).toContain('; further on it gives `n` a value and makes 2 more checks.')
  })

  test('knows functions by their name behind a namespace, and what changes no value', async () => {
    const text = `namespace Ns { static aclnnStatus Compute(const aclTensor* self, aclOpExecutor* executor) {
        return Do(self); } }\n${api
          .replace(
            'auto result = l0op::Twice(dense, uniqueExecutor.get());',
            `auto flat = l0op::ReFormat(dense, ND);
             auto result = Ns::Compute(flat, uniqueExecutor.get());`,
          )
          .replace('CHECK_RET(CheckTypes(', 'CHECK_RET(Ns::CheckTypes(')}`
    const {reasoning} = await told('api', text)
    expect(reasoning).toMatch(/not the values: `flat = [^;]*; a function of this file[^;]*`result = Ns::Compute\(flat/)
    expect(reasoning).toMatch(/In `CheckTypes`:[^.]*\. Where it says no, the caller gets `ACLNN_ERR_PARAM_INVALID`/)
  })

  test('names every function of the file, and counts what is alike', async () => {
    const views = Array.from(
      {length: 5},
      (_, index) => `auto v${index} = l0op::Contiguous(self, uniqueExecutor.get());`,
    )
    const parts = Array.from({length: 6}, (_, index) => `auto p${index} = Part(v${index}, uniqueExecutor.get());`)
    const text = `static const aclTensor* Part(const aclTensor* a, aclOpExecutor* executor) { return a; }${api.replace(
      'auto dense = l0op::Contiguous(self, uniqueExecutor.get());',
      [...views, ...parts].join('\n'),
    )}`
    const {reasoning} = await told('api', text)
    expect(reasoning).toMatch(/`v3 = [^`]*` and 1 more; a function of this file/)
    expect(reasoning).toContain('`p5 = Part(v5, uniqueExecutor.get())`')
  })

  test('finds the type, makes a tensor of a scalar and refuses in the order of the plan', async () => {
    const text = api.replace(
      'auto result = l0op::Twice(dense,',
      `auto wide = op::PromoteType(self->GetDataType(), out->GetDataType());
       auto factor = uniqueExecutor.get()->ConvertToTensor(scale, wide);
       if (isOdd) { OP_LOGE(1, "odd"); return ACLNN_ERR_PARAM_INVALID; }
       auto result = l0op::Twice(dense, factor,`,
    )
    const {reasoning} = await told('api', text)
    expect(reasoning).toMatch(
      /in common: `wide = [^;]*; a scalar or an array becomes a tensor: `factor = [^;]*; where `isOdd` holds, the call is/,
    )
    expect(reasoning).toContain('the call is refused with: `ACLNN_ERR_PARAM_INVALID`; the computation')
  })

  test('reads what the macro names among inputs alone, whatever its type', async () => {
    const text = api
      .replace(
        'const aclTensor* self, aclTensor* out, uint64_t',
        'const aclTensor* self, aclTensor* count, aclTensor* out, uint64_t',
      )
      .replace('DFX_IN(self)', 'DFX_IN(self, count)')
    expect((await told('api', text)).reasoning).toContain('to read `self` and `count`; to write `out`')
  })

  test('does not repeat a check by its comment, nor number it', async () => {
    const text = api
      .replace('  OP_CHECK_DTYPE', '  // looks up the type of self in the list\n  OP_CHECK_DTYPE')
      .replace('OP_CHECK_SHAPE_NOT_EQUAL(self', 'OP_CHECK_BROADCAST_WITH_SHAPE(self')
      .replace('  CHECK_RET(CheckTypes', '  // as agreed 2. types of both\n  CHECK_RET(CheckTypes')
    const {reasoning} = await told('api', text)
    expect(reasoning).not.toMatch(/looks up|as agreed/)
    expect(reasoning).toContain('`self` and `out` must broadcast')
  })

  test('of a class tells the methods that others define', async () => {
    const {reasoning} = await told('api', 'class Checker { Checker() {}; bool CheckFormat(int index) const; };')
    expect(reasoning).toContain('Class `Checker` declares `CheckFormat(int index)`')
  })

  test('of the lower layer names the unit', async () => {
    const text = `OP_TYPE_REGISTER(Twice);
      const aclTensor* Twice(const aclTensor* self, aclOpExecutor* executor) {
        auto out = executor->AllocTensor(self->GetViewShape(), self->GetDataType());
        ADD_TO_LAUNCHER_LIST_AICORE(Twice, OP_INPUT(self), OP_OUTPUT(out));
        return out;
      }`
    const {reasoning} = await told('api', text)
    expect(reasoning).toContain('`Twice` queues the task on the AI Core')
    expect(reasoning).not.toContain('AI CPU')
  })
})
