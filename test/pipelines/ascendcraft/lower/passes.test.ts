import {describe, expect, test} from 'vitest'
import {kernelName} from '../../../../cpp/op-def.ts'
import {lower} from '../../../../pipelines/ascendcraft/lower/lower.ts'
import {golden} from '../../../helpers/golden.ts'
import {checkedFixture, dtypesOf, loweringFixtures, loweringGolden} from '../../../helpers/lowering.ts'
import {realExecutor} from '../../../helpers/real-executor.ts'

const pascal = (name: string) => name.replaceAll(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase())

const text = (files: readonly {path: string; text: string}[]) =>
  files.map((file) => `=== ${file.path}\n${file.text}`).join('')

describe.each(loweringFixtures)('%s', (name) => {
  const checked = checkedFixture(name)
  const operator = pascal(name)
  const {passes, files} = lower(checked, {operator})

  test('is lowered in four passes that read as they did', () => {
    golden(loweringGolden(name, '1-host'), text(passes.host))
    const kernel = (pass: keyof typeof passes) => passes[pass].filter(({path}) => path.startsWith('op_kernel/'))
    golden(loweringGolden(name, '2-init'), text(kernel('init')))
    golden(loweringGolden(name, '3-compute'), text(kernel('compute')))
    golden(loweringGolden(name, '4-aligned'), text(kernel('aligned')))
    expect(files).toBe(passes.aligned)
  })

  test('later passes leave the host as it was, and the same program gives the same text', () => {
    const host = (pass: keyof typeof passes) => passes[pass].filter(({path}) => path.startsWith('op_host/'))
    for (const pass of ['init', 'compute', 'aligned'] as const) expect(host(pass)).toEqual(host('host'))
    expect(lower(checkedFixture(name), {operator}).passes).toEqual(passes)
    expect(files.map(({path}) => path)).toEqual([
      `op_host/${kernelName(operator)}_tiling.h`,
      `op_host/${kernelName(operator)}.cpp`,
      `op_kernel/${kernelName(operator)}.cpp`,
    ])
  })

  test('compiles after each pass', async () => {
    const executor = await realExecutor()
    const dtypes = dtypesOf(checked)
    for (const pass of ['host', 'init', 'compute', 'aligned'] as const) {
      const built = await executor.build({operator, files: passes[pass], dtypes})
      if (built.ok) await built.build.dispose()
      expect(built.ok || JSON.stringify(built.verdict), pass).toBe(true)
    }
  }, 120_000)

  test('compiles without warnings', async () => {
    const executor = await realExecutor()
    // Behind the includes, so that only what was lowered is looked at.
    const strict = files.map((file) => ({
      ...file,
      text: file.text.replace(
        /^(?:using namespace AscendC;|namespace optiling \{)$/m,
        (line) =>
          ['-Wall', '-Wextra'].map((one) => `#pragma GCC diagnostic error "${one}"\n`).join('') +
          `#pragma GCC diagnostic ignored "-Wunused-parameter"\n${line}`,
      ),
    }))
    expect(strict.filter(({text: one}) => one.includes('-Wall'))).toHaveLength(3)
    const built = await executor.build({operator, files: strict, dtypes: dtypesOf(checked)})
    if (built.ok) await built.build.dispose()
    expect(built.ok || JSON.stringify(built.verdict)).toBe(true)
  }, 120_000)

  test('has no line that is too wide and no empty line at the end of a block', () => {
    for (const {text: lines} of files) {
      expect(lines.split('\n').filter((line) => line.length > 120)).toEqual([])
      expect(lines).not.toMatch(/\n\n\s*\}|\{\n\n|\n\n\n/)
    }
  })
})
