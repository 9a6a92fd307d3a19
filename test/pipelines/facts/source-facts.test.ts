import {readFileSync} from 'node:fs'
import {expect, test} from 'vitest'
import {CheckedOperatorSource} from '../../../datasets/schema/operator.ts'
import sourceFacts from '../../../pipelines/facts/source-facts.ts'
import {runStage} from '../../helpers/run-stage.ts'

const deep = `int f() { return ${'('.repeat(20_000)}1${')'.repeat(20_000)}; }`
const [line = ''] = readFileSync('test/fixtures/stages/kernel-cot/offline-kernel-and-host/in.jsonl', 'utf8').split('\n')
const any = CheckedOperatorSource.parse(JSON.parse(line))
const checked = (text: string) => ({...any, target: {path: 'op_kernel/a.cpp', text}, dependencies: []})

test('code that is nested too deeply to be read is refused, and the next file is read', async () => {
  const role = 'kernel' as const
  const files = [deep, 'int f() { return 1; }'].map((text) => ({...checked(text), role}))
  const {outputs, dropped} = await runStage(sourceFacts(), files)
  expect(dropped).toEqual([{reason: 'nested-too-deeply', detail: 'kernel op_kernel/a.cpp'}])
  expect(outputs.map(({described}) => described.role)).toEqual(['kernel'])
})
