import {mkdir, readdir, writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {afterEach, describe, expect, test} from 'vitest'
import {z} from 'zod'
import {startBridge, type Bridge} from '../../../eval/reference/bridge.ts'
import {runCommand} from '../../../engine/subprocess.ts'
import {temporaryFolder} from '../../helpers/temporary.ts'

const Echo = z.object({echo: z.string()})
const open: Bridge[] = []
afterEach(() => {
  for (const bridge of open.splice(0)) bridge.close()
})

async function bridge(timeoutSeconds = 30): Promise<Bridge> {
  const started = await startBridge({python: 'python3', timeoutSeconds, program: 'test/fixtures/bridge/answers.py'})
  open.push(started)
  return started
}

describe('the bridge', () => {
  test('says which torch computes', async () => {
    expect((await bridge()).torch).toBe('stand-in')
  })

  test('answers questions that are asked at once in their order', async () => {
    const one = await bridge()
    const answers = await Promise.all(['a', 'b', 'c'].map((text) => one.ask('echo', {text}, Echo)))
    expect(answers).toEqual([{echo: 'a'}, {echo: 'b'}, {echo: 'c'}])
  })

  test('hands a refusal on as a value', async () => {
    expect(await (await bridge()).ask('refuse', {}, Echo)).toEqual({unusable: 'too-large', detail: '99 bytes'})
  })

  test('that ends is a failure which quotes its last words, and the next question starts another', async () => {
    const one = await bridge()
    await expect(one.ask('die', {}, Echo)).rejects.toMatchObject({
      code: 'executor-failed',
      message: expect.stringContaining('ended with status 3: no more memory') as string,
    })
    expect(await one.ask('echo', {text: 'again'}, Echo)).toEqual({echo: 'again'})
  })

  test('that takes too long is ended, and the next question starts another', async () => {
    const one = await bridge(1)
    await expect(one.ask('sleep', {}, Echo)).rejects.toMatchObject({
      code: 'executor-failed',
      message: expect.stringContaining('no answer within 1 s') as string,
    })
    expect(await one.ask('echo', {text: 'again'}, Echo)).toEqual({echo: 'again'})
  })

  test('leaves no compiled files next to what it imports', async () => {
    const folder = await temporaryFolder()
    await writeFile(join(folder, 'neighbour.py'), "version = 'own'\n")
    const program = join(folder, 'program.py')
    await writeFile(program, "import json, neighbour\nprint(json.dumps({'torch': neighbour.version}), flush=True)\n")
    const started = await startBridge({python: 'python3', timeoutSeconds: 30, program})
    started.close()
    expect(started.torch).toBe('own')
    expect((await readdir(folder)).sort()).toEqual(['neighbour.py', 'program.py'])
  })

  test('without torch says what to install', async () => {
    await expect(
      startBridge({python: 'python3', timeoutSeconds: 30, program: 'test/fixtures/bridge/without_torch.py'}),
    ).rejects.toMatchObject({
      code: 'toolchain-missing',
      fix: expect.stringContaining('python3 -m pip install torch numpy') as string,
    })
  })

  test('without Python says what to install', async () => {
    await expect(startBridge({python: 'no-such-python', timeoutSeconds: 30})).rejects.toMatchObject({
      code: 'toolchain-missing',
      fix: expect.stringContaining('--python') as string,
    })
  })
})

test('modules that references import and Python lacks are told with their tasks', async () => {
  const folder = await temporaryFolder()
  const reference = async (task: string, text: string) => {
    await mkdir(join(folder, task), {recursive: true})
    await writeFile(join(folder, task, 'module.py'), text)
  }
  await reference('a', 'import os, nowhere_one.part\ndef late():\n  from nowhere_two import x\n')
  await reference('b', 'from nowhere_one import y\nfrom . import z\nimport torch_npu, beside\n')
  await writeFile(join(folder, 'b', 'beside.py'), '')
  await reference('broken', 'def (')
  const folders = Object.fromEntries(['a', 'b', 'broken', 'gone'].map((task) => [task, join(folder, task)]))
  const lines = ['from imports import lacking', `print(json.dumps(lacking(${JSON.stringify(folders)})))`]
  expect(await python(...lines)).toEqual({nowhere_one: ['a', 'b'], nowhere_two: ['a']})
})

/** Runs lines of Python with the bridge's modules at hand, and reads the JSON that they print. */
async function python(...lines: string[]): Promise<unknown> {
  const program = ['import sys, json', "sys.path.insert(0, 'eval/reference/bridge')", ...lines].join('\n')
  const {code, stdout, stderr} = await runCommand('python3', ['-c', program])
  if (code !== 0) throw new Error(stderr)
  return JSON.parse(stdout)
}

describe('rows of test_cases.csv', () => {
  const typed = (cells: string[]) =>
    python('from rows import typed_column', `print(json.dumps(typed_column(${JSON.stringify(cells)})))`)
  test.each<[string, string[], unknown]>([
    ['whole numbers, also when written with a point', ['1', '2.0', '-3'], [1, 2, -3]],
    ['numbers', ['1', '2.5'], [1, 2.5]],
    ['truth values, when the whole column holds them', ['true', 'False'], [true, false]],
    ['text, when one cell is text', ['1', '[2]'], ['1', '[2]']],
  ])('a column of %s', async (_, cells, expected) => {
    expect(await typed(cells)).toEqual(expected)
  })

  test('an absent cell is NaN and makes numbers floats', async () => {
    expect(
      await python(
        'from rows import typed_column',
        "print(json.dumps([str(one) for one in typed_column(['1', 'None'])]))",
      ),
    ).toEqual(['1.0', 'nan'])
  })
})

describe('the reader of bindings', () => {
  test('finds functions, exports and variables of the file', async () => {
    const file = 'test/fixtures/pytorch-tasks/tasks/level1/Math/AddScaled/validation/pybind.cpp'
    expect(
      await python(
        'from cpp import Parser',
        `one = Parser('std::map<int64_t, torch::Dtype> kinds = {{0, torch::kFloat}};' + open('${file}').read())`,
        'print(json.dumps([one.exports, [name for name, *_ in [(k, v) for k, v in one.functions.items()]], [node[2] for node in one.globals]]))',
      ),
    ).toEqual([{custom_pybind_api: 'custom_pybind_api'}, ['custom_pybind_api'], ['kinds']])
  })

  test('names the line that it cannot read', async () => {
    await expect(python('from cpp import Parser', "Parser('int f() {\\n  x = = 1;\\n}')")).rejects.toThrow(
      "line 2: saw '=', expected an expression",
    )
  })
})
