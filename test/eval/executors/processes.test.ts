import {spawn} from 'node:child_process'
import {mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import type {Execution, Executor, Program} from '../../../datasets/schema/executor.ts'
import type {OperatorCase} from '../../../datasets/schema/task.ts'
import {hostValuesOf} from '../../../eval/executors/twin.ts'
import {prebuilt as builtTwin} from '../../helpers/prebuilt.ts'
import {confined, probeSandboxes} from '../../../eval/executors/sandbox.ts'
import {chooseCompiler} from '../../../eval/executors/toolchain.ts'
import twin from '../../../eval/executors/twin.ts'
import {runCommand} from '../../../engine/subprocess.ts'
import {addCase, addLength, fixtureProgram} from '../../helpers/operators.ts'
import {testCompiler} from '../../helpers/real-executor.ts'
import {twinCache} from '../../helpers/test-cache.ts'

// Tiling and kernel run in processes of their own, and a third holds what they could forge.

const kernel = 'op_kernel/add_demo.cpp'
const host = 'op_host/add_demo.cpp'
const here = '// place of planted faults'
const float32 = {x: 'float32', y: 'float32', z: 'float32'} as const
const scratch = mkdtempSync(join(tmpdir(), 'processes-test-'))
const working = (await probeSandboxes(join(scratch, 'probe'))).filter(({works}) => works).map(({name}) => name)
afterAll(() => rmSync(scratch, {recursive: true, force: true}))

type Edit = [path: string, from: string, to: string]

const headers = ['csignal', 'cstdio', 'cstring', 'dirent.h', 'fcntl.h', 'string', 'sys/resource.h', 'unistd.h']
const withHeaders = ['#include "register/op_def_registry.h"', ...headers.map((name) => `#include <${name}>`)]

describe.each(working)('under %s', (sandbox) => {
  let executor: Executor
  beforeAll(async () => {
    executor = await twin({
      cacheDirectory: twinCache,
      workDirectory: join(scratch, `work-${sandbox}`),
      sandbox,
      ...testCompiler,
      limits: {run: {cpuSeconds: 2, wallSeconds: 10, memoryBytes: 2 ** 31, fileBytes: 2 ** 20}},
    })
  }, 180_000)

  async function run(program: Program, operatorCase: OperatorCase = addCase()): Promise<Execution> {
    const built = await executor.build(program)
    if (!built.ok) throw new Error(JSON.stringify(built.verdict))
    try {
      return await executor.execute(built.build, operatorCase)
    } finally {
      await built.build.dispose()
    }
  }
  const edited = (...edits: Edit[]) => fixtureProgram('add', 'AddDemo', float32, ...edits)
  /** `code` in the tiling function, `global` before all host code. */
  const inTiling = (code: string, global = '') =>
    run(
      edited(
        [host, withHeaders[0] as string, [...withHeaders, global].join('\n')],
        [host, 'AddDemoTilingData tiling;', `AddDemoTilingData tiling; ${code}`],
      ),
    )
  const inLoading = (code: string) => inTiling('', `static const int early = [] { ${code} return 0; }();`)
  const inKernel = (code: string) => run(edited([kernel, here, code]))

  describe('tiling', () => {
    test('sees no value of an input that the definition does not give to the host', async () => {
      for (const look of ['GetData<float>()', 'GetAddr()'])
        expect(
          await inTiling(`if (context->GetInputTensor(0)->${look} != nullptr) return ge::GRAPH_FAILED;`),
        ).toMatchObject({outcome: 'ran'})
      expect(await inTiling('*const_cast<float*>(context->GetInputTensor(0)->GetData<float>()) = 1;')).toMatchObject({
        outcome: 'crashed',
        cause: expect.stringContaining('SIGSEGV'),
      })
    })
    test('sees those that it does give, and no others', async () => {
      const depends: Edit = [host, 'Input("x").', 'Input("x").ValueDepend(OPTIONAL).']
      const check = `
        const float* x = context->GetInputTensor(0)->GetData<float>();
        if (x == nullptr || x[3] != 3.0f || context->GetInputTensor(1)->GetAddr() != nullptr) return ge::GRAPH_FAILED;`
      const program = edited(depends, [host, 'AddDemoTilingData tiling;', `AddDemoTilingData tiling; ${check}`])
      const given = addCase()
      const values = new Float32Array(addLength).map((_, index) => index)
      const x = {
        ...(given.inputs[0] as OperatorCase['inputs'][0]),
        shape: [addLength],
        data: new Uint8Array(values.buffer),
      }
      expect(hostValuesOf(program, [x])).toEqual(new Set([0]))
      // What has several dimensions or is of half is no array of the host, whatever the definition says.
      expect(hostValuesOf(program, given.inputs)).toEqual(new Set())
      expect(hostValuesOf(program, [{...x, dtype: 'float16'}])).toEqual(new Set())
      expect(await run(program, {...given, inputs: [x, ...given.inputs.slice(1)]})).toMatchObject({outcome: 'ran'})
    })
    test('finds no input among the files, and nothing of the processes above it', async () => {
      const search = `
        int found = 0;
        for (const char* folder : {".", "/proc"}) {
          DIR* all = opendir(folder);
          while (const dirent* entry = all ? readdir(all) : nullptr) {
            const std::string name = std::string(folder) + "/" + entry->d_name;
            for (const char* inside : {"/input-0.bin", "/input-1.bin", "/mem", "/environ", "/fd/3", "/maps"}) {
              const std::string path = name + inside;
              if (strcmp(folder, "/proc") == 0 && (entry->d_name[0] < 48 || entry->d_name[0] > 57)) continue;
              if (atoi(entry->d_name) == getpid()) continue;
              if (open(path.c_str(), O_RDONLY) >= 0) { fputs(path.c_str(), stderr); ++found; }
            }
          }
        }
        if (found > 0) _exit(9);`
      const execution = await inLoading(search)
      expect(execution, JSON.stringify(execution)).toMatchObject({outcome: 'ran'})
    })
    test('has no open file but its own pipes, and opens none once it is loaded', async () => {
      const count =
        'int open_ = 0; for (int fd = 5; fd < 2048; ++fd) if (lseek(fd, 0, SEEK_CUR) >= 0 || errno != EBADF) ++open_;'
      expect(await inLoading(`${count} if (open_ > 0) _exit(9);`)).toMatchObject({outcome: 'ran'})
      const again = 'if (open("/usr/bin/env", O_RDONLY) >= 0 || opendir(".") != nullptr) return ge::GRAPH_FAILED;'
      expect(await inTiling(again)).toMatchObject({outcome: 'ran'})
    })
    test.each([
      ['an account of a launch', 'ran {\\"calls\\":{}}'],
      ['a plan', 'plan\\nblocks 1\\ntiling 00'],
      ['a plan with more than the case has', 'plan\\ninput =x 0 7\\nblocks 1'],
    ])('gains nothing by writing %s into every file that it holds', async (_, text) => {
      const forge = `for (int fd = 1; fd < 64; ++fd) dprintf(fd, "${text}\\n");`
      for (const execution of [await inTiling(`${forge} _exit(0);`), await inLoading(`${forge} _exit(0);`)])
        expect(['crashed', 'launch-failed']).toContain(execution.outcome)
    })
    test('does not hand globals to the kernel', async () => {
      const program = edited(
        [host, withHeaders[0] as string, `${withHeaders[0]}\nextern "C" { int handed_over = 0; }`],
        [host, 'AddDemoTilingData tiling;', 'AddDemoTilingData tiling; handed_over = 1;'],
        [kernel, here, 'extern "C" int handed_over; if (handed_over != 1) return;'],
      )
      expect((await executor.build(program)).ok).toBe(false)
    })
  })

  describe('signals and limits of its own', () => {
    test.each([
      ['SIGXCPU', 'raise(SIGXCPU);', 'SIGSYS'],
      ['SIGKILL', 'raise(SIGKILL);', 'SIGSYS'],
      ['SIGSTOP', 'raise(SIGSTOP);', 'SIGSYS'],
    ])('%s is no time-out and no failure of ours', async (_, code, seen) => {
      expect(await inTiling(code)).toMatchObject({outcome: 'crashed', cause: expect.stringContaining(seen)})
    })
    test('a limit of CPU time cannot be set', async () => {
      const lower = 'rlimit none = {0, 0}; if (setrlimit(RLIMIT_CPU, &none) == 0) return ge::GRAPH_FAILED;'
      expect(await inTiling(lower)).toMatchObject({outcome: 'ran'})
    })
  })

  describe('the kernel', () => {
    test.each([
      ['before the tensor', '((__gm__ float*)z)[-1] = 0;', 'z'],
      ['behind it', `((__gm__ float*)z)[${addLength}] = 0;`, 'z'],
      ['in workspace that was not asked for', '((__gm__ float*)workspace)[0] = 0;', 'workspace'],
    ])('that writes %s breaks a rule', async (_, code, tensor) => {
      expect(await inKernel(code)).toMatchObject({
        outcome: 'violated',
        violation: {rule: 'gm-out-of-range', tensor},
      })
    })
  })

  test('a case larger than the limits here is not covered', async () => {
    const wide = [2 ** 20]
    const tensor = {name: 'x', dtype: 'float32' as const, shape: wide, data: new Uint8Array(4)}
    const large = {...addCase(), inputs: [tensor, {...tensor, name: 'y'}], outputs: [{...tensor, name: 'z'}]}
    expect(await run(edited(), large)).toMatchObject({outcome: 'violated', violation: {rule: 'not-covered'}})
  })
})

test('files that the caller left open are closed to tools and candidates', async () => {
  const {runner} = await builtTwin(await chooseCompiler(testCompiler.compiler))
  const path = join(scratch, 'caller')
  writeFileSync(path, 'the caller of the judge')
  const left = Array.from({length: 75}, () => 'ignore' as const)
  const child = spawn(runner, [], {stdio: ['pipe', 'pipe', 'inherit', ...left.slice(3), openSync(path, 'r+')]})
  const list = ['sh', '-c', 'ls /proc/self/fd >&2'].map(encodeURIComponent).join(' ')
  child.stdin?.end(`tools 5 20 1000000000 1000000 10000 ${list}\n`)
  let said = ''
  for await (const text of child.stdout ?? []) said += text
  const {ends} = JSON.parse(said)
  expect(ends[0].stderr).toBe('0\n1\n2\n3\n')
  expect(readFileSync(path, 'utf8')).toBe('the caller of the judge')
})

test.skipIf(process.getuid?.() !== 0).each(['bwrap', 'unshare'] as const)(
  '%s works for an account that is not root',
  async (sandbox) => {
    if (!working.includes(sandbox)) return
    const writable = join(tmpdir(), `nobody-${sandbox}-${process.pid}`)
    mkdirSync(writable, {mode: 0o777})
    try {
      const limits = {cpuSeconds: 5, wallSeconds: 20, memoryBytes: 2 ** 30, fileBytes: 2 ** 20, outputBytes: 2 ** 16}
      const look = 'test ! -e /etc/passwd && ! touch /usr/.probe 2>/dev/null && echo inside'
      const {program, args, env} = confined(sandbox, ['/bin/sh', '-c', look], {readOnly: [], writable}, limits)
      const account = ['--reuid=65534', '--regid=65534', '--clear-groups']
      await runCommand('chown', ['65534:65534', writable])
      const {code, stdout, stderr} = await runCommand('setpriv', [...account, program, ...args], {env, cwd: writable})
      expect({code, stdout: stdout.trim(), stderr}).toMatchObject({code: 0, stdout: 'inside'})
    } finally {
      rmSync(writable, {recursive: true, force: true})
    }
  },
)
