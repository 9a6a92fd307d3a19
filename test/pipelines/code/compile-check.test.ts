import {readFileSync} from 'node:fs'
import {expect, test} from 'vitest'
import {CheckedOperatorSource} from '../../../datasets/schema/operator.ts'
import compileCheck from '../../../pipelines/code/compile-check.ts'
import {realExecutor} from '../../helpers/real-executor.ts'
import {runStage} from '../../helpers/run-stage.ts'

const [line] = readFileSync('test/fixtures/stages/kernel-cot/offline-kernel-and-host/in.jsonl', 'utf8')
  .split('\n')
  .filter((one) => one.includes('"side":"kernel"'))
const checked = CheckedOperatorSource.parse(JSON.parse(line as string))
const {verdict, proof: _, ...source} = checked

test('refuses code that does not compile, with file and line of the first error', async () => {
  const broken = {...source, flattened: source.flattened.replace('int32_t scale', 'LocalTensr scale')}
  const {outputs, dropped} = await runStage(compileCheck({executor: await realExecutor()}), [source, broken])
  expect(outputs.map((one) => one.verdict?.outcome)).toEqual([verdict?.outcome])
  expect(dropped.map(({reason}) => reason)).toEqual(['does-not-compile'])
  expect(dropped[0]?.detail).toMatch(/^Negate op_kernel\/negate\.cpp: kernel\.cpp:\d+: .*LocalTensr/)
}, 120_000)

test('a header that takes names from where it stands is compiled there, and builds on what stands before it', async () => {
  const names = {path: 'op_kernel/names.h', text: 'constexpr int32_t SLOTS = 2;\n'}
  const header = {...source, flattened: 'inline int32_t Twice(int32_t x)\n{\n    return SLOTS * x;\n}\n'}
  const around = (text: string) => ({path: 'op_kernel/outer.h', flattened: text, dependencies: [names]})
  const within = [around(header.flattened), around(`${names.text}${header.flattened}`)]
  const {outputs, dropped} = await runStage(compileCheck({executor: await realExecutor()}), [
    {...header, within},
    {...header, within: within.slice(0, 1)},
  ])
  expect(outputs.map(({through, proof, dependencies}) => [through, proof, dependencies])).toEqual([
    ['op_kernel/outer.h', 'compiled', [names]],
  ])
  expect(outputs[0]).not.toHaveProperty('within')
  expect(dropped.map(({detail}) => detail)).toEqual([expect.stringContaining("'SLOTS'")])
}, 120_000)

test('what no executor builds is parsed, and says so; a syntax error is a drop with its line', async () => {
  const given = {
    ...source,
    role: 'api' as const,
    flattened: '',
    target: {path: 'a.cpp', text: 'int Twice(int x)\n{\n    return 2 * x;\n}\n'},
  }
  const broken = {...given, target: {path: 'b.cpp', text: 'int Twice(int x)\n{\n    return 2 * ;\n}\n'}}
  const {outputs, dropped} = await runStage(compileCheck({executor: await realExecutor()}), [given, broken])
  expect(outputs.map(({proof, verdict: none}) => [proof, none])).toEqual([['parsed', undefined]])
  expect(dropped.map(({reason, detail}) => [reason, detail])).toEqual([['does-not-parse', 'Negate b.cpp:3']])
}, 120_000)
