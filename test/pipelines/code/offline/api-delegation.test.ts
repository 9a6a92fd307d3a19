import type {ApiFacts} from '../../../../datasets/schema/code-facts.ts'
import {describe, expect, test} from 'vitest'
import {handedRuns, handedTo, handingParagraph, onlyHandsOn} from '../../../../pipelines/code/offline/api-delegation.ts'
import type {FunctionFlow} from '../../../../cpp/syntax.ts'
import {both, flowOf} from '../../../helpers/told-parts.ts'

const planWith = (body: string, parameters = 'const aclTensor* x, int64_t n, aclTensor* y') =>
  flowOf(`aclnnStatus aclnnFoldGetWorkspaceSize(${parameters}) { ${body} }`)

function factsWith({functions = [], prototypes = [], steps = []}: Partial<ApiFacts>) {
  return {functions, prototypes, steps} as unknown as ApiFacts
}

const none = factsWith({})
const hands = 'return aclnnMoreGetWorkspaceSize(x, n, y);'

describe('a call is handed on', () => {
  test.each<[string, string, string | undefined]>([
    ['to the one other interface that is called', hands, 'aclnnMoreGetWorkspaceSize'],
    ['to none of two', `aclnnMoreGetWorkspaceSize(x, n, y); ${hands}`, undefined],
    ['to none where nothing is called', 'return 0;', undefined],
    ['to no helper', 'return MoreGetWorkspaceSize(x, n, y);', undefined],
    ['to none where it makes an executor itself', `auto e = CREATE_EXECUTOR(); ${hands}`, undefined],
    ['to none where it runs one itself', `CommonOpExecutorRun(w, s, e, t); ${hands}`, undefined],
    ['to none where it computes', `auto z = l0op::Add(x, y, e); ${hands}`, undefined],
  ])('%s', async (_, body, to) => {
    expect(handedTo(await planWith(body), none)?.name).toBe(to)
  })

  test('to none of the file’s own', async () => {
    const own = await flowOf('aclnnStatus aclnnMoreGetWorkspaceSize(int a) { return 0; }')
    expect(handedTo(await planWith(hands), factsWith({functions: [own]}))).toBeUndefined()
  })
})

describe('a file only hands on', () => {
  const check = {kind: 'check'} as never
  test('where every first phase does, and none checks anything', async () => {
    const [plan, other] = [await planWith(hands), await planWith('return 0;')]
    const only = (functions: FunctionFlow[], steps: ApiFacts['steps'] = []) =>
      onlyHandsOn(factsWith({functions, steps}))
    expect(only([plan])).toBe(true)
    expect(only([])).toBe(false)
    expect(only([plan, other])).toBe(false)
    expect(only([plan], [[plan.name, [check]]])).toBe(false)
    expect(only([plan], [[plan.name, [{kind: 'cast'} as never]]])).toBe(true)
    expect(only([plan], [['aclnnOtherGetWorkspaceSize', [check]]])).toBe(true)
  })
})

describe('what changes on the way', () => {
  const said = async (body: string, facts = none) => {
    const plan = await planWith(body)
    return both((voice) => handingParagraph(plan, facts, voice))
  }

  test('is nothing where all is handed on', async () => {
    expect(await said(hands)).toBe(
      '`aclnnFoldGetWorkspaceSize` hands the call on to `aclnnMoreGetWorkspaceSize`.\n`aclnnFoldGetWorkspaceSize` 把调用转交给 `aclnnMoreGetWorkspaceSize`。',
    )
    expect(await said('return 0;')).toBe('\n')
  })

  test('is what is fixed, by its name where the header tells it, and what is left out', async () => {
    expect(await said('return aclnnMoreGetWorkspaceSize(x, nullptr, -1.5f, true, y);')).toBe(
      [
        '`aclnnFoldGetWorkspaceSize` hands the call on to `aclnnMoreGetWorkspaceSize`.',
        'Fixed on the way: `nullptr` for argument 2, `-1.5f` for argument 3, `true` for argument 4.',
        'Not handed on: `n`.\n',
      ].join(' ') +
        [
          '`aclnnFoldGetWorkspaceSize` 把调用转交给 `aclnnMoreGetWorkspaceSize`。',
          '转交时第 2 个参数 固定为 `nullptr`、第 3 个参数 固定为 `-1.5f`、第 4 个参数 固定为 `true`。',
          '没有转交的参数:`n`。',
        ].join(''),
    )
    const prototype = await flowOf(
      'aclnnStatus aclnnMoreGetWorkspaceSize(const aclTensor* a, int64_t mode, aclTensor* b) { }',
    )
    expect(await said('return aclnnMoreGetWorkspaceSize(x, 2, y);', factsWith({prototypes: [prototype]}))).toMatch(
      /Fixed on the way: `2` for `mode`\. Not handed on: `n`\./,
    )
  })

  test('a parameter may be handed on in a variable or in an expression', async () => {
    expect(await said('auto m = n * 2; return aclnnMoreGetWorkspaceSize(x, m, y);')).not.toMatch(/Not handed on/)
    expect(await said('return aclnnMoreGetWorkspaceSize(x, n + 1, y);')).not.toMatch(/Not handed on|Fixed/)
    expect(await said('auto k = n * 2; return aclnnMoreGetWorkspaceSize(x, y);')).toMatch(/Not handed on: `n`/)
  })
})

test('a second phase must be that of the same interface', async () => {
  const run = await flowOf('aclnnStatus aclnnFold(void* w, aclrtStream s) { return aclnnMore(w); }')
  const own = await flowOf('aclnnStatus aclnnOther(void* w, aclrtStream s) { return CommonOpExecutorRun(w); }')
  expect(both((voice) => handedRuns(factsWith({functions: [run, own]}), voice))).toBe(
    'The second phase must be that of the same interface, whose executor it gets: `aclnnFold` calls `aclnnMore`.\n' +
      '第二段使用的执行器来自同一接口,因此也要调用它的第二段:`aclnnFold` 调用 `aclnnMore`。',
  )
  expect(both((voice) => handedRuns(factsWith({functions: [own]}), voice))).toBe('\n')
})
