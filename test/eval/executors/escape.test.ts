import {existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import type {Execution, Executor} from '../../../datasets/schema/executor.ts'
import type {Verdict} from '../../../datasets/schema/verdict.ts'
import {probeSandboxes} from '../../../eval/executors/sandbox.ts'
import twin from '../../../eval/executors/twin.ts'
import {PipelineError} from '../../../engine/errors.ts'
import {attacked, hostileCode, overwriting, type HostileCode} from '../../helpers/hostile-code.ts'
import {addCase, addLength, fixtureProgram} from '../../helpers/operators.ts'
import {testCompiler, usesClang} from '../../helpers/real-executor.ts'
import {twinCache} from '../../helpers/test-cache.ts'

// What hostile code tries. Beside sandbox.test.ts, which shows that the walls stand,
// this shows what a candidate gains by running at them, and which verdict it gets for it.

const float32 = {x: 'float32', y: 'float32', z: 'float32'} as const
const secret = 'a secret of this machine that no candidate may see'

const scratch = mkdtempSync(join(tmpdir(), 'escape-test-'))
/** Beside the work directory, as a reference and other data of a run are. */
const outside = join(scratch, 'outside')
// One wall for each compiler of `.ci/run`: most of this is waiting for limits. sandbox.test.ts shows that both stand.
const working = (await probeSandboxes(join(scratch, 'probe'))).filter(({works}) => works).map(({name}) => name)
const walls = usesClang ? working.slice(0, 1) : working.slice(-1)
afterAll(() => rmSync(scratch, {recursive: true, force: true}))

/** As clang and as g++ say it. */
const noFile = expect.stringMatching(/file not found|No such file or directory/) as string

const hostile = hostileCode(outside)

describe.each(walls)('under %s', (sandbox) => {
  let executor: Executor
  const workDirectory = join(scratch, `work-${sandbox}`)

  beforeAll(async () => {
    mkdirSync(outside, {recursive: true})
    writeFileSync(join(outside, 'reference.ts'), secret)
    executor = await twin({
      cacheDirectory: twinCache,
      workDirectory,
      sandbox,
      ...testCompiler,
      limits: {
        run: {cpuSeconds: 1, wallSeconds: 20, memoryBytes: 2 ** 31, fileBytes: 2 ** 20},
        compile: {cpuSeconds: 4, wallSeconds: 40, memoryBytes: 2 ** 31},
      },
    })
  }, 180_000)

  const sound = fixtureProgram('add', 'AddDemo', float32)
  const build = (code: HostileCode) => executor.build({...sound, files: attacked(sound.files, code)})

  async function run(code: HostileCode): Promise<Execution> {
    const built = await build(code)
    if (!built.ok) throw new Error(JSON.stringify(built.verdict))
    try {
      return await executor.execute(built.build, addCase())
    } finally {
      await built.build.dispose()
    }
  }
  /** The text alone, as a unit of the host side. */
  async function compiled({host = ''}: HostileCode): Promise<Verdict> {
    const started = performance.now()
    const verdict = await executor.compile({side: 'host', text: host, tiling: '', dtypes: {}})
    expect((performance.now() - started) / 1000).toBeLessThan(40)
    return verdict
  }
  async function refusal(code: HostileCode): Promise<Verdict | undefined> {
    const built = await build(code)
    if (!built.ok) return built.verdict
    await built.build.dispose()
    return undefined
  }
  const say = (execution: Execution) => JSON.stringify(execution)

  describe('reading', () => {
    test('bytes by .incbin fail to compile', async () => {
      for (const name of ['bytes of the machine by .incbin', 'bytes of the reference by .incbin'] as const) {
        const verdict = await refusal(hostile[name])
        expect(verdict?.outcome).toBe('compile-failed')
        expect(JSON.stringify(verdict)).toMatch(/Could not find incbin file|file not found: /)
        expect(JSON.stringify(verdict)).not.toMatch(/root:|secret of this/)
      }
    })
    test('the kernel has no assembler to embed bytes with', async () => {
      const verdict = await refusal(hostile['bytes of the machine in the kernel'])
      expect(verdict?.outcome).toBe('compile-failed')
      expect(JSON.stringify(verdict)).not.toContain('root:')
    })
    test('an include of a file of this machine says only that there is none', async () => {
      const verdict = await compiled(hostile['an include of the reference'])
      expect(verdict).toMatchObject({outcome: 'compile-failed', diagnostics: [{message: noFile}]})
      expect(JSON.stringify(verdict)).not.toContain('secret of this')
    })
    test.each(['an include of the machine', 'an include that climbs', 'an include of the kernel that climbs'] as const)(
      '%s is refused',
      async (name) => {
        const verdict = await refusal(hostile[name])
        expect(verdict).toMatchObject({outcome: 'compile-failed', diagnostics: [{message: noFile}]})
      },
    )
    test('a static initialiser sees no file either', async () => {
      expect((await run(hostile['a look for files'])).outcome).toBe('ran')
    })
    test('neither the environment nor the processes of this machine are to be seen', async () => {
      expect((await run(hostile['a look for processes and variables'])).outcome).toBe('ran')
    })
  })

  describe('taking the machine down', () => {
    test.each(['a fork bomb', 'a fork bomb before the tiling'] as const)('%s dies at its first fork', async (name) => {
      expect(await run(hostile[name])).toMatchObject({outcome: 'crashed', cause: expect.stringContaining('SIGSYS')})
    })
    test.each(['an endless loop', 'an endless loop before the tiling', 'an endless kernel'] as const)(
      '%s is timed out',
      async (name) => {
        expect(await run(hostile[name])).toMatchObject({outcome: 'timed-out'})
      },
    )
    test('a memory bomb meets its limit', async () => {
      const execution = await run(hostile['a memory bomb'])
      expect(['crashed', 'launch-failed']).toContain(execution.outcome)
      expect(say(execution)).toMatch(/bad_alloc|SIGKILL|SIGABRT/)
    })
    test('no file can be made, so none can fill the disk', async () => {
      expect((await run(hostile['files made'])).outcome).toBe('ran')
    })
    test('files that it holds cannot be filled', async () => {
      expect(await run(hostile['files filled'])).toMatchObject({
        outcome: 'launch-failed',
        message: expect.stringContaining('the pipe'),
      })
    })
    test('giant output to the terminal is cut, and the run still judged', async () => {
      const execution = await run(hostile['giant output to the terminal'])
      expect(execution.outcome).toBe('ran')
      expect(say(execution).length).toBeLessThan(1 << 20)
    })
    // That the compiler itself gives up does not depend on the sandbox.
    test.runIf(sandbox === working[0]).each(['endless constexpr evaluation', 'templates without end'] as const)(
      '%s is refused by the compiler',
      async (name) => {
        expect((await compiled(hostile[name])).outcome).toBe('compile-failed')
      },
    )
    test('an object as large as the address space is refused, and fills no disk', async () => {
      const ended = await refusal(hostile['an object as large as the address space']).catch((error: unknown) => error)
      // A crash of the compiler over it is no verdict and a failed record; a refusal is one.
      if (ended instanceof PipelineError) expect(ended).toMatchObject({code: 'executor-failed', scope: 'record'})
      else expect(['compile-failed', 'link-failed', 'not-covered']).toContain((ended as Verdict).outcome)
    })
    test('includes that double without end are refused', async () => {
      const verdict = await refusal(hostile['includes that double without end'])
      expect(verdict?.outcome).toBe('compile-failed')
    })
  })

  describe('forging a result', () => {
    test.each(['outputs written by hand in the tiling', 'outputs written by hand before the tiling'] as const)(
      '%s, with an early exit, count for nothing',
      async (name) => {
        expect(await run(hostile[name])).toMatchObject({
          outcome: 'crashed',
          cause: expect.stringContaining('status 0'),
        })
      },
    )
    test('a destructor that runs after the kernel has no say', async () => {
      expect((await run(hostile['a destructor after the kernel'])).outcome).toBe('ran')
    })
  })

  describe('signal games', () => {
    test.each(['the CPU limit ignored', 'every signal blocked', 'a handler that spins'] as const)(
      '%s: it is timed out all the same',
      async (name) => {
        expect(await run(hostile[name])).toMatchObject({outcome: 'timed-out'})
      },
    )
    test('raising a signal at itself is a crash with its name', async () => {
      expect(await run(hostile['a fault at itself'])).toMatchObject({outcome: 'crashed'})
      expect(await run(hostile['a fault'])).toMatchObject({
        outcome: 'crashed',
        cause: expect.stringContaining('SIGSEGV'),
      })
      expect(await run(hostile['an abort'])).toMatchObject({
        outcome: 'crashed',
        cause: expect.stringContaining('SIGABRT'),
      })
    })
    test.each(['a signal to all', 'a signal to the parent'] as const)('%s ends the sender', async (name) => {
      expect(await run(hostile[name])).toMatchObject({outcome: 'crashed', cause: expect.stringContaining('SIGSYS')})
    })
  })

  describe('writing', () => {
    test('the reference, the twin and other builds stay as they were', async () => {
      const other = await executor.build(sound)
      if (!other.ok) throw new Error(JSON.stringify(other.verdict))
      const library = join(other.build.directory, 'kernel.so')
      const before = readFileSync(library)
      const targets = [
        join(outside, 'reference.ts'),
        library,
        join(other.build.directory, 'planted'),
        join(outside, 'planted'),
        '/usr/lib/planted',
        '/planted',
        '/dev/shm/planted',
      ]
      await run(overwriting(targets))
      expect(readFileSync(join(outside, 'reference.ts'), 'utf8')).toBe(secret)
      expect(readFileSync(library).equals(before)).toBe(true)
      expect(targets.filter((path) => path.endsWith('planted') && existsSync(path))).toEqual([])
      expect(await executor.execute(other.build, addCase())).toMatchObject({outcome: 'ran'})
      await other.build.dispose()
    })
    test('the twin that all candidates share cannot be written', async () => {
      expect((await run(hostile['the twin overwritten'])).outcome).toBe('ran')
    })
  })

  describe('links left for the judge to follow', () => {
    // What the judge makes of links that are there all the same is in case-files.test.ts.
    test.each([
      'a link to a file of this machine',
      'a link to an endless device',
      'a pipe',
      'a folder exchanged for a link',
    ] as const)('%s cannot take the place of an output', async (name) => {
      mkdirSync(join(outside, 'folder'), {recursive: true})
      for (const path of ['as-long-as-the-output', 'folder/output-0.bin'])
        writeFileSync(join(outside, path), Buffer.alloc(4 * addLength, 7))
      const right = await run({})
      const execution = await run(hostile[name])
      if (right.outcome !== 'ran' || execution.outcome !== 'ran') throw new Error(say(execution))
      expect(execution.outputs).toEqual(right.outputs)
      expect(readFileSync(join(outside, 'folder', 'output-0.bin'))[0]).toBe(7)
    })
    test('files outside survive when a build with links to them is removed', async () => {
      await run(hostile['links to a folder outside'])
      expect(readdirSync(outside)).toContain('reference.ts')
    })
  })

  test('a candidate cannot place files outside its build', async () => {
    const built = await executor.build({
      ...sound,
      files: [
        ...sound.files,
        {path: '../../outside/planted.h', text: 'x'},
        {path: join(outside, 'planted.h'), text: 'x'},
      ],
    })
    expect(existsSync(join(outside, 'planted.h'))).toBe(false)
    if (built.ok) await built.build.dispose()
  })
})
