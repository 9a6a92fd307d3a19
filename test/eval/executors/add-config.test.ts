import {expect, test} from 'vitest'
import {addCase, fixtureProgram} from '../../helpers/operators.ts'
import {realExecutor} from '../../helpers/real-executor.ts'

const declared = 'this->AICore().AddConfig("ascend910b").AddConfig("ascend910_93");'

async function launch(instead: string) {
  const float32 = {x: 'float32', y: 'float32', z: 'float32'} as const
  const executor = await realExecutor()
  const program = fixtureProgram('add', 'AddDemo', float32, ['op_host/add_demo.cpp', declared, instead])
  const built = await executor.build(program)
  if (!built.ok) throw new Error(built.verdict.outcome)
  const execution = await executor.execute(built.build, addCase())
  await built.build.dispose()
  return execution
}

test.each([
  ['', 'the definition of AddDemo has no AddConfig; expected AddConfig("ascend910_93")'],
  ['this->AICore().AddConfig("ascend310p");', 'has AddConfig("ascend310p"); expected AddConfig("ascend910_93")'],
  ['this->AICore().AddConfig("ascend950").AddConfig("ascend910");', 'AddConfig("ascend950"), AddConfig("ascend910");'],
])('a definition for no chip that is here is a launch failure: %s', async (instead, message) => {
  expect(await launch(instead)).toMatchObject({outcome: 'launch-failed', message: expect.stringContaining(message)})
})

test.each([
  'this->AICore().AddConfig("ascend910b");',
  'this->AICore().AddConfig("ascend910_93");',
  'for (const char* soc : {"ascend310p", "ascend910b"}) this->AICore().AddConfig(soc, OpAICoreConfig());',
])('a definition for one of two siblings is enough: %s', async (instead) => {
  expect((await launch(instead)).outcome).toBe('ran')
})

test('the types of the sibling count when it alone is named', async () => {
  const config = (type: string) =>
    `OpAICoreConfig config; config.Input("y").DataType({ge::DT_FLOAT16, ge::${type}})
       .Format({ge::FORMAT_ND, ge::FORMAT_ND}); this->AICore().AddConfig("ascend910b", config);`
  expect((await launch(config('DT_FLOAT'))).outcome).toBe('ran')
  expect((await launch(config('DT_INT32'))).outcome).toBe('launch-failed')
})
