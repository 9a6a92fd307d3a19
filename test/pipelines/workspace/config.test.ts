import {writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {describe, expect, test} from 'vitest'
import {readConfig} from '../../../pipelines/workspace/config.ts'
import {temporaryFolder} from '../../helpers/temporary.ts'

async function fileWith(text: string): Promise<string> {
  const file = join(await temporaryFolder(), 'ascend-cot.yaml')
  writeFileSync(file, text)
  return file
}

describe('the configuration', () => {
  test('takes flags over the environment over the file over defaults', async () => {
    const file = await fileWith('out: from-file\nseed: from-file\nbudget: {tokens: 1}\n')
    const config = await readConfig({
      file,
      env: {ASCEND_COT_SEED: 'from-env', ASCEND_COT_BUDGET__TOKENS: '2'},
      flags: {'budget.tokens': '3'},
    })
    expect(config).toMatchObject({out: 'from-file', seed: 'from-env', budget: {tokens: 3}, cache: '.ascend-cot'})
  })

  test('joins words of a variable into one key', async () => {
    const config = await readConfig({file: await fileWith(''), env: {ASCEND_COT_SAMPLES__CANDIDATES_PER_TASK: '5'}})
    expect(config.samples).toMatchObject({candidatesPerTask: 5, maxPairsPerTask: 8, callsPerType: 2})
  })

  test('names an unknown key by its whole path', async () => {
    const file = await fileWith('executor: {compilr: clang-15}\n')
    await expect(readConfig({file, env: {}})).rejects.toMatchObject({
      code: 'config-invalid',
      message: `The configuration is not valid: unknown key executor.compilr in ${file}`,
      fix: 'Did you mean executor.compiler?',
    })
  })

  test('says what a value should have been', async () => {
    const file = await fileWith('export: {testFraction: 2}\n')
    await expect(readConfig({file, env: {}})).rejects.toThrow('export.testFraction: Too big')
  })

  test('refuses broken YAML with the place', async () => {
    await expect(readConfig({file: await fileWith('out: [unclosed\n'), env: {}})).rejects.toThrow(
      /not valid YAML.*line 2/s,
    )
    const text = 'teachers:\n  a: {baseUrl: "https://me:pass-word-123@host/v1}\n'
    const error: unknown = await readConfig({file: await fileWith(text), env: {}}).catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({message: expect.stringMatching(/not valid YAML.*line 3/) as string})
    expect((error as Error).message).not.toContain('pass-word')
  })

  test('refuses a named file that is not there', async () => {
    await expect(readConfig({file: '/nowhere/x.yaml', env: {}})).rejects.toMatchObject({
      code: 'config-invalid',
      fix: 'Check the path given with --config.',
    })
  })

  test('does not take other variables for configuration', async () => {
    await expect(
      readConfig({file: await fileWith(''), env: {ASCEND_HOME_PATH: '/usr/local/Ascend', PATH: '/bin'}}),
    ).resolves.toMatchObject({out: 'runs'})
  })
})

test('keys that name parts of the data set are told from those that do not', async () => {
  const given = (flags: Record<string, string>) => readConfig({env: {}, flags})
  await expect(given({'export.mix': '{documentaton: 1}'})).rejects.toThrow(
    /export.mix: .*none of documentation, kernel/,
  )
  await expect(given({'export.licences': '{sftt: [MIT]}'})).rejects.toThrow(/export.licences: .*none of sft, dpo/)
  const {export: options} = await given({
    'export.mix': '{code: 2, documentation: 1}',
    'export.licences': '{sft: [MIT]}',
  })
  expect(options).toMatchObject({mix: {code: 2, documentation: 1}, licences: {sft: ['MIT']}, share: 1})
})
