import {mkdtempSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import type {Executor} from '../../../datasets/schema/executor.ts'
import {probeSandboxes, runConfined} from '../../../eval/executors/sandbox.ts'
import type {Limits} from '../../../eval/executors/sandbox.ts'
import twin from '../../../eval/executors/twin.ts'
import {addCase, fixtureProgram} from '../../helpers/operators.ts'
import {testCompiler} from '../../helpers/real-executor.ts'
import {twinCache} from '../../helpers/test-cache.ts'

const host = 'op_host/add_demo.cpp'
const float32 = {x: 'float32', y: 'float32', z: 'float32'} as const
const limits: Limits = {cpuSeconds: 2, wallSeconds: 5, memoryBytes: 2 ** 30, fileBytes: 2 ** 20, outputBytes: 1000}

const scratch = mkdtempSync(join(tmpdir(), 'sandbox-test-'))
const working = (await probeSandboxes(scratch)).filter(({works}) => works).map(({name}) => name)
afterAll(() => rmSync(scratch, {recursive: true, force: true}))

describe.each(working)('inside %s', (sandbox) => {
  const where = () => ({cacheDirectory: twinCache, workDirectory: scratch, sandbox, ...testCompiler})
  let executor: Executor

  beforeAll(async () => {
    executor = await twin({...where(), limits: {run: {cpuSeconds: 4, wallSeconds: 12}}})
  }, 120_000)

  async function runOn(one: Executor, ...edits: [string, string, string][]) {
    const built = await one.build(fixtureProgram('add', 'AddDemo', float32, ...edits))
    if (!built.ok) throw new Error(JSON.stringify(built.verdict))
    try {
      return await one.execute(built.build, addCase())
    } finally {
      await built.build.dispose()
    }
  }
  const run = (...edits: [string, string, string][]) => runOn(executor, ...edits)
  const withCode = (code: string) => run([host, 'AddDemoTilingData tiling;', `AddDemoTilingData tiling; ${code}`])

  test('an operator runs', async () => {
    expect((await run()).outcome).toBe('ran')
  })

  test('the compiler cannot read files of this machine', async () => {
    const verdict = await executor.compile({side: 'host', text: '#include "/etc/passwd"\n', tiling: '', dtypes: {}})
    const noFile = /'\/etc\/passwd' file not found|\/etc\/passwd: No such file or directory/
    expect(verdict.outcome === 'compile-failed' && verdict.log).toMatch(noFile)
  })

  test('an operator cannot open files of this machine, nor write outside its folder', async () => {
    const probe = `FILE* f = fopen("/etc/passwd", "r");
      FILE* g = fopen("/usr/planted", "w");
      FILE* h = fopen("/tmp/planted", "w");
      if (f || g || h) return ge::GRAPH_FAILED;`
    expect((await withCode(probe)).outcome).toBe('ran')
  })

  test('a socket ends it', async () => {
    const execution = await run(
      [host, '#include "register/op_def_registry.h"', '#include "register/op_def_registry.h"\n#include <sys/socket.h>'],
      [host, 'AddDemoTilingData tiling;', 'AddDemoTilingData tiling; socket(AF_INET, SOCK_STREAM, 0);'],
    )
    expect(execution).toMatchObject({outcome: 'crashed', cause: expect.stringContaining('SIGSYS')})
  })

  test('a new process ends it', async () => {
    expect(await withCode('system("echo hello");')).toMatchObject({
      outcome: 'crashed',
      cause: expect.stringContaining('SIGSYS'),
    })
  })

  test('a loop that the clock ends while it computes is a failure of the machine', async () => {
    const late = await twin({...where(), limits: {run: {cpuSeconds: 9, wallSeconds: 5}}})
    const loop = 'AddDemoTilingData tiling; for (volatile int at = 0;; at = at + 1) {}'
    const ended = runOn(late, [host, 'AddDemoTilingData tiling;', loop])
    await expect(ended).rejects.toThrow(/processor time in 5 s/)
  })

  test('an early exit with a report of its own has crashed', async () => {
    const forged = '{\\"nonce\\":\\"\\",\\"status\\":\\"launch-failed\\",\\"message\\":\\"forged\\"}\\n'
    expect(
      await withCode(
        `printf("${forged}"); fflush(stdout);
        for (int fd = 3; fd < 200; ++fd) dprintf(fd, "${forged}");
        FILE* f = fopen("result.json", "w");
        if (f) { fputs("${forged}", f); fclose(f); }
        exit(0);`,
      ),
    ).toMatchObject({
      outcome: 'crashed',
      cause: expect.stringContaining('status 0'),
    })
  })

  test('endless output is cut and does not stand in the way of the report', async () => {
    const execution = await withCode(
      'for (int i = 0; i < 200000; ++i) std::cout << "0123456789012345678901234567890123456789";',
    )
    expect(execution.outcome).toBe('ran')
  })

  test('sleeping past the wall limit is timed out', async () => {
    const {overtime, timedOut} = await runConfined(
      sandbox,
      ['/bin/sleep', '60'],
      {readOnly: [], writable: mkdtempSync(join(scratch, 's-'))},
      {...limits, wallSeconds: 0.5},
    )
    expect({overtime, timedOut}).toEqual({overtime: true, timedOut: true})
  })

  test('no network is reachable', async () => {
    const {stdout} = await runConfined(
      sandbox,
      ['/bin/sh', '-c', 'cat /proc/net/dev | wc -l'],
      {readOnly: [], writable: mkdtempSync(join(scratch, 'n-'))},
      limits,
    )
    // Two header lines and the loopback device.
    expect(Number(stdout)).toBeLessThanOrEqual(3)
  })

  test('a file cannot grow past its limit', async () => {
    const {code, killedBy} = await runConfined(
      sandbox,
      ['/bin/sh', '-c', 'exec dd if=/dev/zero of=big bs=65536 count=100'],
      {readOnly: [], writable: mkdtempSync(join(scratch, 'f-'))},
      limits,
    )
    expect(killedBy === 'SIGXFSZ' || code === 1).toBe(true)
  })
})

test('at least one sandbox works where these tests run', () => {
  expect(working.length).toBeGreaterThan(0)
})
