import {mkdtempSync, readFileSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'
import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {buildDirect} from '../../helpers/direct-program.ts'
import type {DirectBuild, DirectRun} from '../../helpers/direct-program.ts'
import type {Tools} from '../../../eval/executors/tools.ts'
import {twinTools} from '../../../eval/executors/twin.ts'
import {testCompiler, usesClang} from '../../helpers/real-executor.ts'
import {twinCache} from '../../helpers/test-cache.ts'

const fixtures = fileURLToPath(new URL('../../fixtures/direct-launch/', import.meta.url))
let tools: Tools
let workDirectory: string

beforeAll(async () => {
  workDirectory = mkdtempSync(join(tmpdir(), 'direct-test-'))
  const limits = {run: {cpuSeconds: 3, wallSeconds: 30}}
  tools = await twinTools({cacheDirectory: twinCache, workDirectory, limits, ...testCompiler})
}, 120_000)

afterAll(() => rmSync(workDirectory, {recursive: true, force: true}))

async function build(unit: string, edits: readonly [string, string][] = [], definitions: readonly string[] = []) {
  let text = readFileSync(join(fixtures, unit), 'utf8')
  for (const [from, to] of edits) {
    if (!text.includes(from)) throw new Error(`${unit} does not hold ${from}`)
    text = text.replace(from, to)
  }
  const data = {path: 'common/data.h', text: readFileSync(join(fixtures, 'data.h'), 'utf8')}
  return buildDirect(tools, {files: [{path: unit, text}, data], units: [unit], include: ['common'], definitions})
}

async function run(unit: string, ...edits: [string, string][]): Promise<DirectRun> {
  const built = await build(unit, edits)
  if (!built.ok) throw new Error(JSON.stringify(built.verdict))
  try {
    return await built.build.run()
  } finally {
    await built.build.dispose()
  }
}

/** What the host may do otherwise than `add.asc`, by the program's first argument: they share one compilation. */
const moods: [string, string][] = [
  ['int main()', 'int main(int argc, char** argv)'],
  [
    '    constexpr uint32_t blocks',
    '    const std::string mood = argc > 1 ? argv[1] : "";\n    constexpr uint32_t blocks',
  ],
  [
    'add_tiles<float, 256><<<blocks, nullptr, stream>>>(xs',
    `if (mood != "launches nothing")
        add_tiles<float, 256><<<mood == "no blocks" ? 0 : blocks, nullptr, mood == "other stream" ? &stream : stream>>>(
            mood == "host memory" ? const_cast<float*>(x.data()) : xs`,
  ],
  [
    'size_t wrong = 0;',
    `size_t wrong = 0;
    if (mood == "follows a pointer") wrong += zs[0] != 0;
    if (mood == "reads the machine") wrong += std::ifstream("/etc/passwd").good();
    if (mood == "makes a pipe") wrong += std::system("mkfifo twin-violation.json") != 0;
    if (mood == "never ends") for (volatile int i = 0;; ++i) {}`,
  ],
  ['z[i] != x[i] + y[i]', 'z[i] != (mood == "launches nothing" ? 0 : x[i] + y[i])'],
]
let moody: DirectBuild

beforeAll(async () => {
  const built = await build('add.asc', moods)
  if (!built.ok) throw new Error(JSON.stringify(built.verdict))
  moody = built.build
}, 120_000)

afterAll(() => moody.dispose())

/** A broken rule ends the program with its text and a status of its own. */
function expectViolation(end: DirectRun, rule: string, words: RegExp): void {
  expect(end.violation?.rule, end.stderr).toBe(rule)
  expect(end.violation?.message).toMatch(words)
  expect(end.stderr).toContain(end.violation?.message)
  expect(end.code).toBe(70)
}

describe('a program that launches its kernel itself', () => {
  test('runs and passes its own check', async () => {
    expect(await moody.run()).toMatchObject({code: 0, stdout: '0 of 4096 wrong\n', stderr: ''})
  })

  test('fails its own check when the kernel computes something else', async () => {
    const end = await run('add.asc', ['AscendC::Add(sum', 'AscendC::Max(sum'])
    expect(end).toMatchObject({code: 1})
    expect(end.stdout).toMatch(/^40\d\d of 4096 wrong\n$/)
    expect(end.violation).toBeUndefined()
  })

  test('finds nothing in fresh device memory, unless it is asked to be clear', async () => {
    expect((await moody.run(['launches nothing'])).stdout).toBe('4096 of 4096 wrong\n')
    expect((await moody.run(['launches nothing'], {poison: 'zero'})).stdout).toBe('0 of 4096 wrong\n')
  })

  test('ends when a block reads behind its memory', async () => {
    const end = await run('add.asc', ['yGm[done], tile)', 'yGm[done + 1], tile)'])
    // The last copy takes 4 bytes more than there are, of the 32 that aclrtMalloc adds: legal, and worth nothing.
    expect(end.violation).toBeUndefined()
    expect(end.stdout).toMatch(/^\d+ of 4096 wrong\n$/)
    const far = await run('add.asc', ['yGm[done], tile)', 'yGm[done + 64], tile)'])
    expectViolation(far, 'gm-out-of-range', /'y'.* has 16384/)
  })

  test('ends when a block writes behind its memory, by a copy or by an address', async () => {
    expectViolation(await run('add.asc', ['(zGm[done]', '(zGm[done + 8]']), 'gm-out-of-range', /'z'/)
    const address = await run('add.asc', [
      '    for (uint32_t done',
      '    z[share * 4 + 64] = 1;\n    for (uint32_t done',
    ])
    expectViolation(address, 'gm-out-of-range', /byte 16640 of allocation 3, which has 16384 bytes/)
  })

  test('ends when nothing orders a copy and what uses it', async () => {
    const end = await run('mix.asc', ['AscendC::PipeBarrier<PIPE_ALL>();\n        AscendC::Adds', 'AscendC::Adds'])
    expectViolation(end, 'pipe-hazard', /MTE2/)
  })

  test('ends when the host follows a device pointer', async () => {
    const end = await moody.run(['follows a pointer'])
    expectViolation(end, 'host-access', /byte 0 of allocation 3/)
  })

  test('ends when the kernel is given memory of the host', async () => {
    const end = await moody.run(['host memory'])
    expectViolation(end, 'gm-out-of-range', /no address of any argument/)
  })

  test('ends when an assertion of the kernel fails', async () => {
    const end = await run('add.asc', [
      '    AscendC::TPipe pipe;',
      '    assert(share < 1024);\n    AscendC::TPipe pipe;',
    ])
    expectViolation(end, 'assert-failed', /share < 1024/)
  })

  test('is told with what its text holds, quotation marks too', async () => {
    const end = await run('add.asc', [
      '    AscendC::TPipe pipe;',
      '    ASSERT(share < 1024 && "a long share");\n    AscendC::TPipe pipe;',
    ])
    expectViolation(end, 'assert-failed', /"a long share"/)
  })

  test('names tensors as the kernel does, however a launch names the kernel', async () => {
    const qualified: [string, string] = ['add_tiles<float, 256><<<', '::add_tiles<float, 256><<<']
    const end = await run('add.asc', qualified, ['yGm[done], tile)', 'yGm[done + 64], tile)'])
    expectViolation(end, 'gm-out-of-range', /'y'/)
  })

  test('a run is not told of the run before', async () => {
    expectViolation(await moody.run(['follows a pointer']), 'host-access', /allocation 3/)
    const second = await moody.run()
    expect(second).toMatchObject({code: 0})
    expect(second.violation).toBeUndefined()
  })

  test('does not launch without a device, without blocks or on a stream that is none', async () => {
    const blocks = await moody.run(['no blocks'])
    expect(blocks.stderr).toMatch(/add_tiles<float, 256>.*was launched with 0 blocks/)
    const stream = await moody.run(['other stream'])
    expect(stream.stderr).toMatch(/on a stream that does not exist/)
    expect([blocks.code, stream.code]).toEqual([1, 1])
  })
})

describe('a kernel for both kinds of core', () => {
  test('runs on both, from a launch in a template, beside a kernel of vector cores', async () => {
    expect(await run('mix.asc')).toMatchObject({code: 0, stdout: '0 wrong\n', stderr: ''})
  })

  test('stands beside one for the cube core alone, and one for vector cores', async () => {
    const vector = '__global__ __vector__ void twice'
    const cube = `__global__ __cube__ void idle(__gm__ float* x) {}\n\n${vector}`
    expect(await run('mix.asc', [vector, cube])).toMatchObject({code: 0, stdout: '0 wrong\n', stderr: ''})
    // All three kinds in one unit: without the kernel of both kinds, one pass for each kind is left.
    const alone = await run(
      'mix.asc',
      [vector, cube],
      ['__global__ __mix__(1, 2) void add', '__global__ __vector__ void add'],
    )
    expect(alone.violation?.rule).toBe('sync-deadlock')
  })

  test('is told from one of another file that is launched by a function of the same name', async () => {
    const text = readFileSync(join(fixtures, 'mix.asc'), 'utf8').replace('aclError AddOnDevice', 'static $&')
    const first = text.replace('int main()', 'int Other();\n\n$&').replace('wrong == 0 ? 0 : 1;', 'wrong + Other();')
    const second = [
      ['int main()', 'int Other()'],
      ['add_what_the_cube_says', 'add_what_the_other_says'],
      ['void twice', 'void twofold'],
      ['twice<<<', 'twofold<<<'],
      ['static_cast<T>(100', 'static_cast<T>(300'],
      ['100.0f : 101.0f', '300.0f : 301.0f'],
    ].reduce((all, [from = '', to = '']) => all.replaceAll(from, to), text)
    const files = [
      {path: 'first.asc', text: first},
      {path: 'second.asc', text: second},
      {path: 'data.h', text: readFileSync(join(fixtures, 'data.h'), 'utf8')},
    ]
    const built = await buildDirect(tools, {files, units: ['first.asc', 'second.asc']})
    if (!built.ok) throw new Error(JSON.stringify(built.verdict))
    const end = await built.build.run()
    await built.build.dispose()
    expect(end).toMatchObject({code: 0, stdout: '0 wrong\n0 wrong\n'})
  })

  test('waits for its cube core', async () => {
    const end = await run('mix.asc', ['AscendC::CrossCoreSetFlag<2, PIPE_S>(3);', ''])
    expectViolation(end, 'sync-deadlock', /vector core/)
  })
})

describe('the host runtime', () => {
  test('refuses what its pages say', async () => {
    expect(await run('host_calls.cpp')).toMatchObject({code: 0, stdout: ''})
  })
})

describe('what a program may do', () => {
  test('it is ended past its limits', async () => {
    const end = await moody.run(['never ends'])
    expect(end.overtime).toBe(true)
  }, 60_000)

  test('it sees nothing of the machine outside of its folder', async () => {
    expect(await moody.run(['reads the machine'])).toMatchObject({code: 0})
  })

  test.runIf(usesClang)('its kernel calls no function of the host', async () => {
    const helper = 'float Helper(float x) { return 2 * x; }\ntemplate <typename T, uint32_t tile>'
    const built = await build('add.asc', [
      ['template <typename T, uint32_t tile>', helper],
      ['AscendC::Add(sum', 'sum.SetValue(0, Helper(1));\n        AscendC::Add(sum'],
    ])
    const verdict = built.ok ? undefined : built.verdict
    expect(verdict?.outcome === 'compile-failed' && verdict.log).toMatch(/no matching function for call to 'Helper'/)
  })

  test('a report that is no file does not stop its reader', async () => {
    expect(await moody.run(['makes a pipe'])).toMatchObject({code: 0, stdout: '0 of 4096 wrong\n'})
  })

  test('a fault in its text is told where it stands', async () => {
    const built = await build('add.asc', [['(xs, ys, zs, share)', '(xs, ys, zs, sharp)']])
    const lines = readFileSync(join(fixtures, 'add.asc'), 'utf8').split('\n')
    const line = lines.findIndex((one) => one.includes('<<<'))
    const column = (lines[line] ?? '').lastIndexOf('share)') + 1
    const verdict = built.ok ? undefined : built.verdict
    expect(verdict).toMatchObject({outcome: 'compile-failed'})
    const [first] = verdict?.outcome === 'compile-failed' ? verdict.diagnostics : []
    expect(first).toMatchObject({file: 'add.asc', line: line + 1, column})
  })
})
