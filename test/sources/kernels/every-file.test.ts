import {chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync} from 'node:fs'
import {dirname, join} from 'node:path'
import {expect, test} from 'vitest'
import {openLedger} from '../../../engine/ledger.ts'
import {main} from '../../../pipelines/cli.ts'
import {temporaryFolder} from '../../helpers/temporary.ts'
import {testCache} from '../../helpers/test-cache.ts'
import {recordedWorld} from '../../helpers/world.ts'

const example = 'sources/starter/operators/abs_diff'
const kernel = readFileSync(join(example, 'op_kernel/abs_diff.cpp'), 'utf8')
const host = readFileSync(join(example, 'op_host/abs_diff.cpp'), 'utf8')
const lines = (count: number, line: (n: number) => string) => Array.from({length: count}, (_, n) => line(n)).join('')
const functions = (prefix: string) => lines(20, (n) => `inline int ${prefix}${n}(int a)\n{\n    return a + ${n};\n}\n`)

/** Below the folder of a copy of a good operator, file by file; `undefined` stands for no file. */
const operators: Record<string, Record<string, string | Buffer | undefined>> = {
  good: {
    'op_kernel/arch35/next.h': functions('Next'),
    'op_kernel/part.inc': 'int part;\n',
    'op_kernel/unused.h': functions('Unused'),
    'op_host/names.h': 'constexpr int NAME = 1;\n',
    'tests/ut/op_kernel/test.cpp': functions('Test'),
  },
  'half-host': {'op_kernel/abs_diff.cpp': undefined, 'op_api/aclnn_half.cpp': functions('Api')},
  'half-kernel': {'op_host/abs_diff.cpp': undefined, 'op_host/abs_diff_tiling.h': undefined},
  empty: {'op_kernel/abs_diff.cpp': '', 'op_host/abs_diff.cpp': '', 'op_host/abs_diff_tiling.h': ''},
  cyclic: {
    'op_kernel/abs_diff.cpp': `#include "a.h"\n${kernel}`,
    'op_kernel/a.h': `#include "b.h"\n${functions('A')}`,
    'op_kernel/b.h': `#include "a.h"\n${functions('B')}`,
  },
  itself: {'op_kernel/abs_diff.cpp': `#include "abs_diff.cpp"\n${kernel}`},
  'cut-kernel': {'op_kernel/abs_diff.cpp': kernel.slice(0, kernel.length / 2)},
  'cut-definition': {'op_host/abs_diff.cpp': host.slice(0, host.indexOf('DataType') + 12)},
  latin: {
    'op_kernel/abs_diff.cpp': Buffer.concat([Buffer.from('// gr\xf6\xdfe \xff\n', 'latin1'), Buffer.from(kernel)]),
  },
  utf16: {'op_kernel/abs_diff.cpp': Buffer.from(kernel, 'utf16le'), 'op_api/aclnn.cpp': Buffer.from([1, 0, 2, 0, 255])},
  huge: {
    'op_kernel/huge.h': `${lines(400_000, (n) => `constexpr int VALUE_${n} = ${n} * 3 + 1; // one of many\n`)}`,
    'op_api/huge.cpp': Buffer.alloc(20 << 20, 'int a;\n'),
  },
  // Twice as long with each header: too long for a text, and no more than that, since clang reads all of it.
  exploding: {
    'op_kernel/abs_diff.cpp': `#include "h0.h"\n${kernel}`,
    ...Object.fromEntries(
      Array.from({length: 10}, (_, n) => [
        `op_kernel/h${n}.h`,
        n < 9 ? `#include "h${n + 1}.h"\n`.repeat(2) : 'static_assert(1);\n'.repeat(12),
      ]),
    ),
  },
  macros: {
    'op_kernel/abs_diff.cpp': [
      lines(4000, (n) => `#define STEP_${n}(x) STEP_${n + 1}((x) + (x))\n`),
      lines(2000, (n) => `#if defined(A${n}) && (B${n} > ${n})\n`),
      kernel,
      '#endif\n'.repeat(2000),
    ].join(''),
  },
  nested: {
    'op_kernel/abs_diff.cpp': `${kernel}int deep()\n{\n    return ${'('.repeat(20_000)}1${')'.repeat(20_000)};\n}\n`,
  },
  'nested-api': {
    'op_api/aclnn_deep.cpp': `int Deep()\n{\n${'if (a) {\n'.repeat(5000)}${'}\n'.repeat(5000)}    return 0;\n}\n`,
  },
}

const loose: Record<string, string> = {
  'common/shared.h': functions('Shared'),
  'tools/make.cpp': functions('Make'),
  'scripts/build.cpp': functions('Build'),
  'examples/launch.cpp': kernel.replaceAll('abs_diff', 'launched'),
  'examples/declared.cpp': 'extern "C" __global__ __aicore__ void launched(GM_ADDR x);\n',
  'impl/adv_api/detail/math/deep/deep_impl.h': functions('Library'),
  'impl/adv_api/detail/math/deep/deep_cut.h': '{'.repeat(3000),
  'impl/adv_api/detail/hccl/talk.h': functions('Talk'),
}

function put(path: string, content: string | Buffer): void {
  mkdirSync(dirname(path), {recursive: true})
  writeFileSync(path, content)
}

async function repository(): Promise<string> {
  const root = await temporaryFolder()
  for (const [name, files] of Object.entries(operators)) {
    cpSync(example, join(root, name), {
      recursive: true,
      filter: (path) => !Object.entries(files).some(([one, text]) => text === undefined && path.endsWith(one)),
    })
    for (const [path, text] of Object.entries(files)) if (text !== undefined) put(join(root, name, path), text)
  }
  for (const [path, text] of Object.entries(loose)) put(join(root, path), text)
  symlinkSync('..', join(root, 'good/op_kernel/loop'))
  symlinkSync('shared.h', join(root, 'common/link.h'))
  put(join(root, 'good/op_api/closed.h'), functions('Closed'))
  chmodSync(join(root, 'good/op_api/closed.h'), 0)
  return root
}

const isSource = (name: string) => /\.(?:cpp|cc|cxx|h|hpp|inc|asc)$/.test(name)

function sourcesBelow(root: string, below = ''): string[] {
  return readdirSync(join(root, below), {withFileTypes: true}).flatMap((entry) => {
    const path = below === '' ? entry.name : `${below}/${entry.name}`
    if (entry.isDirectory()) return sourcesBelow(root, path)
    return isSource(entry.name) ? [path] : []
  })
}

interface Ends {
  samples: Set<string>
  dropped: Set<string>
}

/** By what the run wrote down: files whose sample was made, and files that a drop names. */
function endsOf(directory: string): Ends {
  const ledger = openLedger(join(directory, 'ledger.db'))
  try {
    const pathOf = (json: string) => (JSON.parse(json) as {origin: {path: string}}).origin.path
    const ends: Ends = {samples: new Set([...ledger.emitted()].map(({json}) => pathOf(json))), dropped: new Set()}
    const all = ledger.sightings('')
    const made = new Map(all.flatMap(({outputs}) => outputs.map(({id, json}) => [id, pathOf(json)] as const)))
    for (const {stage, input, outputs, drops} of all) {
      expect(outputs.length + drops.length, `${stage} ${input}`).toBeGreaterThan(0)
      for (const {reason, detail} of drops) {
        expect(reason).toMatch(/^[a-z][a-z0-9-]+$/)
        const [, where = '', gone = ''] = /^([^:]+): [^]*?(?:; with it go (.*))?$/.exec(detail) ?? []
        const named = ['operator-projects', 'flatten'].includes(stage) ? [where] : [made.get(input) ?? '']
        for (const path of [...named, ...gone.split(', ').map((name) => `${where}/${name}`)]) ends.dropped.add(path)
      }
    }
    return ends
  } finally {
    ledger.close()
  }
}

test('every source file of a broken repository ends in a sample or in a drop with its name', async () => {
  const [root, out] = [await repository(), await temporaryFolder()]
  const world = recordedWorld()
  const code = await main(['run', 'kernels', '--kernels', root, '--out', out, '--set', `cache=${testCache}`], world)
  expect(code, world.said.join('\n')).toBe(0)
  const found = sourcesBelow(root)
  const {samples, dropped} = endsOf(join(out, 'kernels'))
  expect(found.length).toBeGreaterThan(70)
  expect(found.filter((path) => !samples.has(path) && !dropped.has(path))).toEqual([])
  expect([...samples].filter((path) => !found.includes(path))).toEqual([])
  expect([...samples].filter((path) => path.startsWith('good/')).sort()).toContain('good/op_kernel/abs_diff.cpp')
}, 600_000)

test('operators that cannot run are dropped as a whole, and the good one runs', async () => {
  const [root, out] = [await repository(), await temporaryFolder()]
  const world = recordedWorld()
  const code = await main(['run', 'scenarios', '--kernels', root, '--out', out, '--set', `cache=${testCache}`], world)
  expect(code, world.said.join('\n')).toBe(0)
  const text = readFileSync(join(out, 'scenarios/run.json'), 'utf8')
  const [projects, calls] = (JSON.parse(text) as {counts: Record<'read' | 'written' | 'dropped', number>[]}).counts
  expect(calls?.read).toBe(projects?.written)
  expect((calls?.written ?? 0) + (calls?.dropped ?? 0)).toBe(projects?.written)
  expect(calls?.written).toBeGreaterThan(0)
}, 600_000)
