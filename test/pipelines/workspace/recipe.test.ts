import {expect, test} from 'vitest'
import type {PipelineError} from '../../../engine/errors.ts'
import {recipe, type Workspace} from '../../../pipelines/workspace/workspace.ts'
import {temporaryFolder} from '../../helpers/temporary.ts'

const never = () => {
  throw new TypeError('nothing is made')
}

/** What a recipe that reads runs that are not there is refused with. */
async function refusal(reads: readonly string[]) {
  const out = await temporaryFolder()
  const workspace = {config: {out, teachers: {}}, found: async () => []} as unknown as Workspace
  return Promise.resolve(recipe({reads}, never)(workspace)).catch((error: PipelineError) => ({
    code: error.code,
    message: error.message.replace(out, '<out>'),
    fix: error.fix,
  }))
}

test('a recipe without a run to read names what to run, and the nearest name of a mistyped one', async () => {
  expect(await refusal(['worked', 'my-rows'])).toEqual({
    code: 'run-missing',
    message: 'Nothing to read: <out> holds no run of worked or my-rows.',
    fix: 'Run worked or my-rows first.',
  })
  expect(await refusal(['wroked', 'kernels'])).toEqual({
    code: 'config-invalid',
    message: 'Nothing to read: <out> holds no run of wroked or kernels.',
    fix: 'Did you mean worked? If not, run wroked or kernels first.',
  })
})

test.each<[string, unknown, string]>([
  ['reads', 'worked', '"worked"'],
  ['also', ['worked', 3], '["worked",3]'],
  ['reads', null, 'null'],
  ['also', () => [], 'a function'],
])('%s of a recipe that is %j is no list of names', (key, value, shown) => {
  expect(() => recipe({[key]: value}, never)).toThrow(
    expect.objectContaining({
      code: 'config-invalid',
      message: `A recipe's \`${key}\` is ${shown}, which is no list of names.`,
      fix: `Give the names of recipes in brackets, such as \`${key}: ['worked']\`.`,
    }),
  )
})
