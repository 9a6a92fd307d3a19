import {readFileSync} from 'node:fs'
import {expect, test} from 'vitest'
import {CheckedOperatorSource} from '../../../datasets/schema/operator.ts'
import {randomFrom} from '../../../engine/random.ts'
import {apiFacts} from '../../../pipelines/facts/api-facts.ts'
import {extensionCut} from '../../../pipelines/code/extension-cut.ts'
import {dtypeReasoning} from '../../../pipelines/code/offline/dtype-extension.ts'
import {voice} from '../../../datasets/voice.ts'

const [line] = readFileSync('test/fixtures/stages/kernel-cot/offline-kernel-and-host/in.jsonl', 'utf8').split('\n')
const source = CheckedOperatorSource.parse(JSON.parse(line ?? ''))

/** What is told of one more type in the first list of an interface. */
async function told(text: string): Promise<string> {
  const changed = {
    ...source,
    role: 'api' as const,
    side: 'host' as const,
    dependencies: [],
    target: {path: 'a.cpp', text},
  }
  const cut = await extensionCut(changed, {role: 'api', facts: await apiFacts(changed)})
  if (cut?.kind !== 'dtype') throw new Error(`${cut?.kind} instead of a list of types`)
  return dtypeReasoning(cut, voice('en', randomFrom('route'))).join('\n')
}

const list = (name: string, types: string) => `static const std::initializer_list<op::DataType> ${name} = {${types}};\n`
const wide = list('WIDE', 'op::DataType::DT_FLOAT, op::DataType::DT_BF16')
const narrow = list('NARROW', 'op::DataType::DT_FLOAT')

const chosen = `${wide}${narrow}
static const std::initializer_list<op::DataType>& Choose() {
  if (IsNew()) { return WIDE; }
  for (int i = 0; i < 2; i++) { return WIDE; }
  return NARROW;
}
static const std::initializer_list<op::DataType>& Otherwise() {
  return WIDE;
}
static bool CheckTypes(const aclTensor* self, const aclTensor* mask, const aclTensor* out) {
  const auto& types = Choose();
  OP_CHECK_DTYPE_NOT_SUPPORT(self, types, return false);
  OP_CHECK_DTYPE_NOT_SUPPORT(mask, NARROW, return false);
  OP_CHECK_DTYPE_NOT_SUPPORT(out, Choose(), return false);
  return true;
}
aclnnStatus aclnnTwiceGetWorkspaceSize(const aclTensor* self, const aclTensor* mask, aclTensor* out,
                                       uint64_t* workspaceSize, aclOpExecutor** executor) {
  auto uniqueExecutor = CREATE_EXECUTOR();
  CHECK_RET(CheckTypes(self, mask, out), ACLNN_ERR_PARAM_INVALID);
  auto dense = l0op::Contiguous(self, uniqueExecutor.get());
  auto wide = l0op::Cast(dense, op::DataType::DT_FLOAT, uniqueExecutor.get());
  auto result = l0op::Twice(wide, uniqueExecutor.get());
  *workspaceSize = uniqueExecutor->GetWorkspaceSize();
  uniqueExecutor.ReleaseTo(executor);
  return ACLNN_SUCCESS;
}
`

test('a type is told where its list is chosen, what it lets through, and what has to cope with it', async () => {
  const text = await told(chosen)
  expect(text).toContain('`DT_BF16` joins `DT_FLOAT`')
  expect(text).toContain('`Choose` returns it where `IsNew()` holds.')
  expect(text.match(/`Choose` returns it/g)).toHaveLength(1)
  expect(text).toContain('`Otherwise` returns it unless a condition before has decided.')
  expect(text).toContain(
    '`CheckTypes` looks up the type of `self` and `out`; with this list, `DT_BF16` then passes there; ' +
      'a type that is not there still ends with `ACLNN_ERR_PARAM_INVALID`.',
  )
  expect(text).not.toContain('A check asks')
  expect(text).toContain('Other lists of the file stay')
  expect(text).toMatch(/afterwards: `wide = l0op::Cast\([^`]*` and `result = l0op::Twice\([^`]*` in `aclnnTwiceGet/)
})

test('four computations of a plan are told, and no fifth', async () => {
  const casts = Array.from({length: 3}, (_, at) => `  auto more${at} = l0op::Cast(dense, op::DataType::DT_FLOAT, e);\n`)
  const text = await told(chosen.replace('  auto result', `${casts.join('')}  auto result`))
  const [, afterwards = ''] = text.split('afterwards: ')
  expect(afterwards.match(/`more\d = /g)).toEqual(['`more0 = ', '`more1 = ', '`more2 = '])
  expect(afterwards).toContain('wide = ')
  expect(afterwards).not.toContain('result = ')
})

test('a list in which a check looks a type up has no order', async () => {
  const text = await told(chosen.replace('mask, NARROW', 'mask, WIDE'))
  expect(text).toContain('looks up the type of `self`, `mask` and `out`')
  expect(text).toContain('A check asks only whether a type is in the list, so its order means nothing')
})

test('a list that no check looks a type up in is told as it is', async () => {
  const text = await told(`${wide}static bool Has(op::DataType type) { return Contains(WIDE, type); }\n`)
  expect(text).toContain('The list is used in `Has`')
  expect(text).toContain('The entry goes to the end of the list.')
  expect(text).toContain('the steps after the check must be able to compute `DT_BF16`')
  expect(text).not.toMatch(/Other lists|looks up|returns it/)
})
