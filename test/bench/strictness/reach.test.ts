import {describe, expect, test} from 'vitest'
import {addCase, fixtureProgram} from '../../helpers/operators.ts'
import {realExecutor} from '../../helpers/real-executor.ts'
import {instrument} from './reach.ts'

const dtypes = {x: 'float32', y: 'float32', z: 'float32'} as const

/** What is known about the place of a text in the kernel of the fixture `add`, with extra lines planted into it. */
async function placesOf(planted: string) {
  const program = fixtureProgram('add', 'AddDemo', dtypes, [
    'op_kernel/add_demo.cpp',
    '    Add(z, x, y, length);\n'.trimStart(),
    planted,
  ])
  const kernel = program.files.find(({path}) => path === 'op_kernel/add_demo.cpp')?.text ?? ''
  const marked = instrument(program.files)
  const executor = await realExecutor()
  const attempt = await executor.build({...program, files: marked.files})
  if (!attempt.ok) throw new Error(JSON.stringify(attempt.verdict))
  const ends = [await executor.execute(attempt.build, addCase())]
  await attempt.build.dispose()
  const fits = marked.reached(ends)
  return {measured: marked.measured(ends), runs: (text: string) => fits('op_kernel/add_demo.cpp', kernel.indexOf(text))}
}

describe('marks', () => {
  test('tell what a run passes, in branches, in loops and after an early end', async () => {
    const {measured, runs} = await placesOf(
      [
        'Add(z, x, y, length);',
        'if (this->length == 0) {',
        'Sub(z, x, y, length);',
        '} else {',
        'Adds(z, z, 0.0f, length);',
        '}',
        'for (uint32_t i = 0; i < length / 1000; i++) { Muls(z, z, 1.0f, length); }',
        '',
      ].join('\n'),
    )
    expect(measured).toBe(true)
    expect(['Add(z, x', 'Adds(z, z', 'zQueue.EnQue', 'kernel.Process'].map(runs)).toEqual([true, true, true, true])
    expect(['Sub(z', 'Muls(z'].map(runs)).toEqual([false, false])
  })

  test('stay out of code that the compiler computes, and of branches that are not compiled', async () => {
    const {measured, runs} = await placesOf(
      [
        'constexpr auto twice = [](uint32_t n) constexpr { uint32_t m = n; return m * 2; };',
        'static_assert(twice(2) == 4, "");',
        '#if __CCE_AICORE__ == 220',
        'Add(z, x, y, length);',
        '#else',
        'Sub(z, x, y, length);',
        '#endif',
        '',
      ].join('\n'),
    )
    expect(measured).toBe(true)
    expect(['Add(z, x', 'Sub(z'].map(runs)).toEqual([true, false])
  })
})

test('without a run nothing is known, and every place will do', () => {
  const marked = instrument([{path: 'op_kernel/a.cpp', text: 'void A() { Foo(); }\n'}])
  expect(marked.measured([])).toBe(false)
  expect(marked.reached([])('op_kernel/a.cpp', 11)).toBe(true)
})
