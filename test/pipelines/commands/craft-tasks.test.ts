import {readdirSync} from 'node:fs'
import {expect, test} from 'vitest'
import {main} from '../../../pipelines/cli.ts'
import {temporaryFolder} from '../../helpers/temporary.ts'
import {recordedWorld} from '../../helpers/world.ts'

const model = ['--set', 'teachers.craft={"model":"m","baseUrl":"http://127.0.0.1:9"}']
const checkout = ['--root', 'test/fixtures/multikernelbench']

test.each([
  ['a folder that is no checkout', ['--root', 'test'], 'or MultiKernelBench that matches *'],
  ['a glob that matches nothing', [...checkout, '--tasks', 'loss/*'], 'matches loss/*'],
  ['an unknown part', [...checkout, '--without', 'dsl,comments'], '--without dsl,comments'],
  ['an unknown way of lowering', [...checkout, '--lowering', 'hand'], '--lowering hand'],
  ['a configuration without a model', checkout, 'No model is configured as craft'],
  ['a Python that is none', [...checkout, ...model, '--python', '/no/such/python'], '/no/such/python'],
])('%s is refused before anything is prepared, and nothing is written', async (_, flags, expected) => {
  const [world, out] = [recordedWorld(), await temporaryFolder()]
  const code = await main(['craft', '--out', out, '--set', `cache=${out}/cache`, ...flags], world)
  // What was said is wrong, or something is missing.
  expect([1, 2]).toContain(code)
  expect(world.said.join('\n')).toContain(expected)
  expect(readdirSync(out)).toEqual([])
})
