import {execFileSync} from 'node:child_process'
import {cpSync, mkdirSync, readFileSync, symlinkSync, truncateSync, writeFileSync} from 'node:fs'
import {readFile} from 'node:fs/promises'
import {join} from 'node:path'
import {describe, expect, test} from 'vitest'
import {main} from '../../../pipelines/cli.ts'
import {inlineIncludes} from '../../../sources/kernels/inline.ts'
import operatorProjects from '../../../sources/kernels/repo.ts'
import {runStage} from '../../helpers/run-stage.ts'
import {temporaryFolder} from '../../helpers/temporary.ts'
import {recordedWorld} from '../../helpers/world.ts'
import {testCache} from '../../helpers/test-cache.ts'

const example = 'sources/starter/operators/abs_diff'

interface Dirt {
  kind: string
  reason: string | undefined
  /** Into a copy of a good project. */
  plant(project: string): void
}

const kernelFile = 'op_kernel/abs_diff.cpp'
const change = (kind: string, reason: string | undefined, content: (good: Buffer) => Buffer | string): Dirt => ({
  kind,
  reason,
  plant: (project) => {
    const path = join(project, kernelFile)
    writeFileSync(path, content(readFileSync(path)))
  },
})

const dirt: readonly Dirt[] = [
  change('binary', 'binary-file', () => Buffer.from(Uint8Array.from({length: 3000}, (_, n) => (n * 37) % 256))),
  change('nul', 'binary-file', (good) => Buffer.concat([good, Buffer.alloc(3)])),
  change('latin-comment', undefined, (good) => Buffer.concat([good, Buffer.from('// gr\xf6\xdfe\n', 'latin1')])),
  change('empty', 'kernel-missing', () => ''),
  {kind: 'huge', reason: 'file-too-large', plant: (project) => truncateSync(join(project, kernelFile), 500_000_000)},
  {
    kind: 'pipe',
    reason: 'not-a-file',
    plant: (project) => {
      execFileSync('mkfifo', [join(project, 'op_kernel/pipe.h')])
    },
  },
  {
    kind: 'link',
    reason: 'symbolic-link',
    plant: (project) => {
      symlinkSync('/etc/passwd', join(project, 'op_kernel/users.h'))
    },
  },
  {kind: 'loop', reason: 'symbolic-link', plant: (project) => symlinkSync('..', join(project, 'op_kernel/loop'))},
  {
    kind: 'name',
    reason: 'name-not-utf-8',
    plant: (project) => {
      const name = Buffer.from('gr\xf6\xdfe.h', 'latin1')
      writeFileSync(Buffer.concat([Buffer.from(`${project}/op_kernel/`), name]), 'int a;\n')
    },
  },
]

/** Dirt beside a project costs what it is; dirt in its files costs the project. */
const besides = new Set(['pipe', 'link', 'loop', 'name'])

function plantAll(root: string): void {
  cpSync(example, join(root, 'good'), {recursive: true})
  for (const {kind, plant} of dirt) {
    cpSync(example, join(root, kind), {recursive: true})
    plant(join(root, kind))
  }
}

const expectedReasons = () => {
  const reasons: Record<string, number> = {}
  for (const {reason, kind} of dirt) {
    // An empty file is a kernel without code, which is told later.
    if (reason !== undefined && kind !== 'empty') reasons[reason] = (reasons[reason] ?? 0) + 1
  }
  return reasons
}

describe('a folder of kernels with dirt', () => {
  test('gives every project that can be read, and a reason with a path for all else', async () => {
    const root = await temporaryFolder()
    plantAll(root)
    const folder = {root, repository: 'r', revision: 'v', licence: 'MIT'}
    const {outputs, dropped} = await runStage(operatorProjects(), [folder])
    const reasons: Record<string, number> = {}
    for (const {reason, detail} of dropped) {
      reasons[reason] = (reasons[reason] ?? 0) + 1
      expect(detail).toMatch(/^[a-z-]+(?:\/[^:]+)?: ./)
    }
    expect(reasons).toEqual(expectedReasons())
    const isWhole = ({reason, kind}: Dirt) => reason === undefined || kind === 'empty' || besides.has(kind)
    const arrived = dirt.filter(isWhole).map(({kind}) => kind)
    expect(outputs.map(({origin}) => origin.path).sort()).toEqual(['good', ...arrived].sort())
    expect(JSON.stringify(outputs)).not.toContain('root:')
  })

  test('goes through the whole command', async () => {
    const [root, out] = [await temporaryFolder(), await temporaryFolder()]
    plantAll(root)
    const world = recordedWorld()
    const code = await main(['run', 'kernels', '--kernels', root, '--out', out, '--set', `cache=${testCache}`], world)
    expect(world.said.join('\n')).not.toMatch(/bug in ascend-cot/)
    expect(code).toBe(0)
    const text = await readFile(join(out, 'kernels/run.json'), 'utf8')
    const record = JSON.parse(text) as {counts: {reasons: Record<string, number>}[]}
    expect(record.counts[0]?.reasons).toEqual(expectedReasons())
  })

  test('reads no header over a link that leads out of the checkout, and follows one that stays inside', async () => {
    const root = await temporaryFolder()
    const outside = join(await temporaryFolder(), 'secret.h')
    writeFileSync(outside, 'int secret;\n')
    cpSync(example, join(root, 'add'), {recursive: true})
    mkdirSync(join(root, 'common'))
    writeFileSync(join(root, 'common/real.h'), 'int shared;\n')
    symlinkSync('real.h', join(root, 'common/inner.h'))
    symlinkSync(outside, join(root, 'common/outer.h'))
    symlinkSync(join(outside, '..'), join(root, 'elsewhere'))
    const path = join(root, 'add', kernelFile)
    const headers = ['common/inner.h', 'common/outer.h', 'elsewhere/secret.h']
    const includes = headers.map((name) => `#include "../../${name}"\n`)
    writeFileSync(path, `${includes.join('')}${readFileSync(path, 'utf8')}`)
    const {outputs} = await runStage(operatorProjects(), [{root, repository: 'r', revision: 'v', licence: 'MIT'}])
    const text = JSON.stringify(outputs)
    expect(text).toContain('int shared')
    expect(text).not.toContain('int secret')
  })
})

describe('headers that include each other twice', () => {
  test('stop at a size, where each step would double the text', () => {
    const twice = (n: number) => `#include "h${n}.h"\n`.repeat(2)
    const header = (n: number) => ({path: `op_kernel/h${n}.h`, text: n === 39 ? 'int a;\n' : twice(n + 1)})
    const files = Array.from({length: 40}, (_, n) => header(n))
    const entry = {path: 'op_kernel/a.cpp', text: '#include "h0.h"\n'}
    const inlined = inlineIncludes(entry.path, new Map([entry, ...files].map((file) => [file.path, file])))
    expect(inlined.tooLong).toBe(true)
    expect(inlined.text.length).toBeLessThan(8_000_000)
  })
})
