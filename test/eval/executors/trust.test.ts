import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import type {Executor} from '../../../datasets/schema/executor.ts'
import {chooseCompiler} from '../../../eval/executors/toolchain.ts'
import twin from '../../../eval/executors/twin.ts'
import {addCase, fixtureProgram} from '../../helpers/operators.ts'
import {realExecutor, testCompiler} from '../../helpers/real-executor.ts'
import {testCache, twinCache} from '../../helpers/test-cache.ts'

// What happens to candidates when it is a tool that fails: they are judged after all, or not at all, and never wrongly.

const scratch = mkdtempSync(join(tmpdir(), 'trust-test-'))
afterAll(() => rmSync(scratch, {recursive: true, force: true}))

const patience = 900_000
const float32 = {x: 'float32', y: 'float32', z: 'float32'} as const
const good = `#include "kernel_operator.h"
using namespace AscendC;
void f(LocalTensor<float> x) { Adds(x, x, 1.0f, 8); }
`
let units = 0
/** What compiled before is known, and says nothing of the compiler. */
const unseen = () => `${good}// ${(units += 1)}\n`
const bad = `${good}int g() { return nowhere; }\n`
const unit = (text: string) => ({side: 'kernel' as const, text, tiling: '', dtypes: {}})
const outcome = async (executor: Executor, text: string) => (await executor.compile(unit(text))).outcome

async function runs(executor: Executor): Promise<string> {
  const built = await executor.build(fixtureProgram('add', 'AddDemo', float32))
  if (!built.ok) return built.verdict.outcome
  const execution = await executor.execute(built.build, addCase())
  await built.build.dispose()
  return execution.outcome
}

/**
 * Starts the compiler after what `before` has it do. Nothing here is about speed: it compiles without
 * optimisation, each part of the runtime once for all the caches that are filled here and for the next time that this
 * is tested, and each precompiled header, which holds its path, once in its cache; those of the runtime are read by
 * none after the first.
 */
async function scripted(path: string, before: string): Promise<string> {
  const {command} = await chooseCompiler(testCompiler.compiler)
  // The fingerprint holds compiler, flags and sources.
  const {fingerprint} = (await realExecutor()).identity
  const kept = join(testCache, 'unoptimised', `${fingerprint}-${command}`)
  const headers = join(scratch, 'headers')
  for (const folder of [kept, headers]) mkdirSync(folder, {recursive: true})
  const script = `#!/bin/sh
for one; do shift; [ "$one" = -O3 ] && one=-O0; set -- "$@" "$one"; done
${before}
for one; do
  case "$previous $one" in
    "-c "*/runtime/*) known=${kept}/$(echo "\${one##*/runtime/}" | tr / -);;
    "-c "*/host.pch | "cuda "*/gch/*.h | "c++-header "*/gch/*.h) known=${headers}/$(echo "$one" | tr / -);;
    "c++-header "*/common-*.h) known=${headers}/\${one##*/};;
    "-o "*) object=$one;;
  esac
  previous=$one
done
[ -z "$known" ] && exec ${command} "$@"
if [ ! -e "$known" ]; then ${command} "$@" && cp "$object" "$known.$$" && mv "$known.$$" "$known"; exit; fi
cp "$known" "$object"
`
  writeFileSync(path, script, {mode: 0o755})
  return path
}

const mode = join(scratch, 'mode')
/** Of both parts, so that its cache is filled once. */
const first = join(scratch, 'first')
const ofMode = () => scripted(join(scratch, 'compiler'), `[ -e ${mode} ] && . ${mode}`)

describe('a copied cache', () => {
  const copy = join(scratch, 'copy')
  const twinsIn = (folder: string) => readdirSync(folder).filter((name) => name.startsWith('twin-'))
  const own = () => join(copy, twinsIn(copy).find((name) => !before.includes(name)) as string)
  let before: string[]
  let executor: Executor
  // Not in the sandbox, which would not show the script.
  const where = {cacheDirectory: copy, workDirectory: join(scratch, 'work'), sandbox: 'plain'} as const
  let compiler: string
  const said: number[] = []

  beforeAll(async () => {
    compiler = await ofMode()
    await twin({...where, compiler, cacheDirectory: first})
    cpSync(first, copy, {recursive: true})
    before = twinsIn(copy)
    executor = await twin({...where, compiler, onProgress: (done) => said.push(done)})
  }, patience)

  test('is built again where it is now, and judges as the first did', async () => {
    expect(await outcome(executor, good)).toBe('compiled')
    expect(await outcome(executor, bad)).toBe('compile-failed')
    expect(await runs(executor)).toBe('ran')
    expect(own()).toContain('twin-')
  })

  test(
    'tells its progress from nothing to all, and nothing when all is there',
    async () => {
      expect(said[0]).toBe(0)
      expect(said).toEqual([...said].sort((a, b) => a - b))
      const again: number[] = []
      await twin({...where, compiler, onProgress: (done) => again.push(done)})
      expect(again).toEqual([])
    },
    patience,
  )

  test(
    'that is removed while it is in use is built again, and candidates get their own verdicts',
    async () => {
      const built = await executor.build(fixtureProgram('add', 'AddDemo', float32))
      if (!built.ok) throw new Error(built.verdict.outcome)
      rmSync(own(), {recursive: true})
      const [right, wrong, ran] = await Promise.all([
        outcome(executor, unseen()),
        outcome(executor, bad),
        executor.execute(built.build, addCase()),
      ])
      expect([right, wrong, ran.outcome]).toEqual(['compiled', 'compile-failed', 'ran'])
      await built.build.dispose()
    },
    patience,
  )

  test(
    'of which a file is torn, lost or changed is built again at the next start',
    async () => {
      const library = join(own(), 'libtwin.so')
      truncateSync(library, statSync(library).size - 200)
      const built: number[] = []
      const next = await twin({...where, compiler, onProgress: (done) => built.push(done)})
      expect(built.length).toBeGreaterThan(0)
      expect(await runs(next)).toBe('ran')
    },
    patience,
  )
})

describe('a compiler that fails by itself', () => {
  const set = (line: string) => writeFileSync(mode, `${line}\n`)
  let executor: Executor

  beforeAll(async () => {
    const compiler = await ofMode()
    executor = await twin({cacheDirectory: first, workDirectory: join(scratch, 'work-2'), sandbox: 'plain', compiler})
  }, patience)

  const withMode = async <T>(line: string, work: () => Promise<T>): Promise<T> => {
    set(line)
    try {
      return await work()
    } finally {
      unlinkSync(mode)
    }
  }
  const onlyUnits = (line: string) => `case "$*" in *kernel.cpp*) ${line};; esac`

  test('once is asked again', async () => {
    const once = `rm ${join(scratch, 'once')} 2>/dev/null && kill -SEGV $$`
    writeFileSync(join(scratch, 'once'), '')
    expect(await withMode(once, () => outcome(executor, unseen()))).toBe('compiled')
  })

  const dump = 'PLEASE submit a bug report\\nclang: error: clang frontend command failed with exit code 139'
  test.each([
    ['a crash', 'kill -SEGV $$'],
    ['an internal error', 'echo "kernel.cpp:1:1: internal compiler error: Segmentation fault" >&2; exit 4'],
    ['a stack dump', `printf "kernel.cpp:1:1: error: x\\nx\\n^\\n${dump}\\n" >&2; exit 1`],
  ])('over one candidate each time, by %s, does not cover it', async (_, line) => {
    const verdict = await withMode(onlyUnits(line), () => executor.compile(unit(unseen())))
    expect(verdict).toMatchObject({outcome: 'not-covered', missing: ['a compiler that does not crash on this code']})
    expect(await outcome(executor, bad)).toBe('compile-failed')
  })

  test.each([
    ['a message without a place', 'echo "fatal error: malformed or corrupted AST file" >&2; exit 1'],
    ['a kill', 'kill -KILL $$'],
  ])('over one candidate, by %s, leaves that one without a verdict', async (_, line) => {
    const judged = withMode(onlyUnits(line), () => outcome(executor, unseen()))
    await expect(judged).rejects.toMatchObject({code: 'executor-failed', scope: 'record'})
    expect(await outcome(executor, bad)).toBe('compile-failed')
  })

  test(
    'by refusing what is right in words that blame the code is found out after twenty',
    async () => {
      const blames = 'case "$*" in *.cpp*) echo "kernel.cpp:1:1: error: no" >&2; exit 1;; esac'
      const judged = withMode(blames, async () => {
        const outcomes: string[] = []
        for (let count = 0; count < 20; count += 1) outcomes.push(await outcome(executor, unseen()))
        return outcomes
      })
      await expect(judged).rejects.toMatchObject({code: 'executor-failed', scope: 'run'})
      await expect(judged).rejects.toThrow('known-good operator')
    },
    patience,
  )

  test('that refuses twenty candidates, and not what is known to be right, gives each its verdict', async () => {
    const refuses = onlyUnits('echo "kernel.cpp:1:1: error: no" >&2; exit 1')
    await withMode(refuses, async () => {
      for (let count = 0; count < 21; count += 1) expect(await outcome(executor, unseen())).toBe('compile-failed')
    })
  })

  // Last, since it leaves nothing of what was built.
  test(
    'over everything stops the run and says what was seen',
    async () => {
      const judged = withMode('echo "error: out of order" >&2; exit 1', () => outcome(executor, unseen()))
      await expect(judged).rejects.toMatchObject({code: 'executor-failed', scope: 'run'})
      await expect(judged).rejects.toThrow('out of order')
    },
    patience,
  )
})

test(
  'a work folder that was moved away is made again',
  async () => {
    const workDirectory = join(scratch, 'work-4')
    const executor = await twin({cacheDirectory: twinCache, workDirectory, ...testCompiler})
    renameSync(workDirectory, `${workDirectory}-away`)
    expect(await outcome(executor, good)).toBe('compiled')
  },
  patience,
)
