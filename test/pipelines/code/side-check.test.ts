import {expect, test} from 'vitest'
import type {OperatorProject} from '../../../datasets/schema/operator.ts'
import {entryFile} from '../../../eval/executors/kernel-unit.ts'
import compileCheck from '../../../pipelines/code/compile-check.ts'
import sideCheck from '../../../pipelines/code/side-check.ts'
import flatten from '../../../sources/kernels/flatten.ts'
import {programOf} from '../../../sources/kernels/program.ts'
import operatorProjects from '../../../sources/kernels/repo.ts'
import {realExecutor} from '../../helpers/real-executor.ts'
import {runStage} from '../../helpers/run-stage.ts'

const {outputs: bundled} = await runStage(operatorProjects(), [
  {root: 'sources/starter/operators', repository: 'r', revision: '1', licence: 'Apache-2.0'},
])
const project = bundled[0] as OperatorProject

/** The project's records after each stage; `edit` changes one file. */
async function check(edit?: (text: string) => string) {
  const [entry] = project.kernel.filter(({path}) => path.endsWith('.cpp'))
  const changed = {
    ...project,
    kernel: project.kernel.map((file) => (edit && file === entry ? {...file, text: edit(file.text)} : file)),
  }
  const executor = await realExecutor()
  const sides = await runStage(sideCheck({executor, program: programOf}), [changed])
  const sources = await runStage(flatten({entryFile}), sides.outputs)
  return {sides, sources, checked: await runStage(compileCheck({executor}), sources.outputs)}
}

test('builds each side once, and every file that it reached needs no compiling of its own', async () => {
  const {sides, sources, checked} = await check()
  const [first] = sides.outputs
  expect([first?.verdicts.host?.outcome, first?.verdicts.kernel?.outcome]).toEqual(['compiled', 'compiled'])
  expect(sources.outputs.length).toBeGreaterThan(1)
  expect(sources.outputs.map(({built, flattened}) => [built?.outcome, flattened])).toEqual(
    sources.outputs.map(() => ['compiled', '']),
  )
  expect(checked.outputs.map(({proof}) => proof)).toEqual(sources.outputs.map(() => 'compiled'))
  expect(checked.dropped).toEqual([])
}, 120_000)

test('a side that does not compile is kept for its files, each of which is then compiled alone', async () => {
  const {sides, sources, checked} = await check((text) => `${text}\nint broken = ;\n`)
  expect(sides.dropped).toEqual([])
  expect(sides.outputs[0]?.verdicts.kernel?.outcome).toBe('compile-failed')
  const kernels = sources.outputs.filter(({side}) => side === 'kernel')
  expect(kernels.length).toBeGreaterThan(0)
  expect(kernels.filter(({built, flattened}) => built || flattened === '')).toEqual([])
  expect(checked.dropped.map(({reason}) => reason)).toEqual(['does-not-compile'])
}, 120_000)

test('a kernel file that the entry does not include is not said to be built with it', async () => {
  const loose = {path: 'op_kernel/loose.cpp', text: 'extern "C" __global__ __aicore__ void loose(GM_ADDR x)\n{\n}\n'}
  const body = Array.from({length: 12}, (_, line) => `    value += ${line};`).join('\n')
  const text = `${loose.text}inline int Sum(int value)\n{\n${body}\n    return value;\n}\n`
  const wider = {...project, kernel: [...project.kernel, {...loose, text}]}
  const executor = await realExecutor()
  const sides = await runStage(sideCheck({executor, program: programOf}), [wider])
  const sources = await runStage(flatten({entryFile}), sides.outputs)
  const found = sources.outputs.find(({target}) => target.path === loose.path)
  expect([found?.built, found?.flattened === '']).toEqual([undefined, false])
}, 120_000)
