import {existsSync} from 'node:fs'
import {join} from 'node:path'
import {describe, expect, test} from 'vitest'
import {launchText} from '../../../eval/executors/direct-launch.ts'
import {besideKind, compileUnits, linkUnits, type DirectUnits} from '../../../eval/executors/direct-units.ts'
import {identity, namedTools, scriptedBench} from './scripted-bench.ts'

const vector = '__global__ __aicore__ void k(GM_ADDR x) { Add(z, x, y, 8); }\nvoid f() { k<<<8, nullptr, s>>>(x); }\n'
const cube = '__global__ __aicore__ void k(GM_ADDR x) { Mmad(c, a, b, p); }\n'
const plain = 'int main() { return 0; }\n'

async function compiled(program: DirectUnits, {device = false, refusals = {}} = {}) {
  const {bench, commands, directory, text} = await scriptedBench(refusals)
  const end = await compileUnits(namedTools({device}), bench, program)
  return {end, commands: commands.map((line) => line.replace(listing, '')), directory, text}
}

/** How a compiler is told to list what it reads: by that list the object store knows the unit again. */
const listing = / -MMD -MF \S+\.d(?= )/

const shared = '-O0 -I . -I src -I /twin/include'
const launches = (index: number) => `-DTWIN_UNIT=${index} -include twin/direct_launch.h `
const host = (unit: string, index: number, {core = 'vector', flags = shared, more = launches(index)} = {}) =>
  `compile-host ${flags} ${core === 'cube' ? '-DTWIN_CUBE_CORE ' : ''}${more}` +
  `-x c++ -c ${unit} -o twin-${core}-${index}.o`
const facts = (index: number, core = 'vector') =>
  host('twin_kernels.cpp', index, {core, flags: '-O0 -I . -I . -I /twin/include', more: ''})

describe('units of a program', () => {
  test('are compiled once for a program of the vector cores, with what is told of its kernels', async () => {
    const files = [
      {path: 'src/a.asc', text: vector},
      {path: 'src/b.cpp', text: plain},
    ]
    const {end, commands, text} = await compiled({files, units: ['src/a.asc', 'src/b.cpp']})
    expect(commands).toEqual([host('src/a.asc', 0), host('src/b.cpp', 1), facts(2)])
    expect(end).toEqual({
      ok: true,
      passes: [{beside: false, objects: ['twin-vector-0.o', 'twin-vector-1.o', 'twin-vector-2.o']}],
    })
    expect(text('src/a.asc')).toBe(launchText(vector))
    expect(text('src/b.cpp')).toBe(plain)
    expect(text('twin_kernels.cpp')).toContain('k')
  })

  test('are compiled for the cube core alone, or for it beside the others', async () => {
    const alone = await compiled({files: [{path: 'src/a.asc', text: cube}], units: ['src/a.asc']})
    expect(alone.commands).toEqual([host('src/a.asc', 0, {core: 'cube'}), facts(1, 'cube')])
    expect(alone.end).toEqual({ok: true, passes: [{beside: false, objects: ['twin-cube-0.o', 'twin-cube-1.o']}]})
    const mixed = cube.replace('Mmad', 'if ASCEND_IS_AIV { return; } Mmad')
    const both = await compiled({files: [{path: 'src/a.asc', text: mixed}], units: ['src/a.asc']})
    expect(both.commands).toEqual([
      ...[host('src/a.asc', 0), facts(1)],
      ...[host('src/a.asc', 0, {core: 'cube'}), facts(1, 'cube')],
    ])
    expect(both.end).toEqual({
      ok: true,
      passes: [
        {beside: false, objects: ['twin-vector-0.o', 'twin-vector-1.o']},
        {beside: true, objects: ['twin-cube-0.o', 'twin-cube-1.o']},
      ],
    })
  })

  test('are compiled as device code besides, where the compiler can tell its rules', async () => {
    const files = [
      {path: 'src/a.asc', text: cube},
      {path: 'src/b.cpp', text: plain},
      {path: 'src/c.cpp', text: '__aicore__ inline void g() {}'},
      {path: 'src/d.h', text: vector},
    ]
    const {commands, end} = await compiled({files, units: files.slice(0, 3).map(({path}) => path)}, {device: true})
    const check = (unit: string) =>
      `compile-kernel ${shared} --cube-header -include twin/direct_check.h -DNDEBUG -fsyntax-only ${unit}`
    expect(commands.filter((line) => line.startsWith('compile-kernel'))).toEqual([
      check('src/a.asc'),
      check('src/c.cpp'),
    ])
    expect(end).toMatchObject({ok: true, passes: [{objects: [0, 1, 2, 3].map((index) => `twin-cube-${index}.o`)}]})
    const {commands: others} = await compiled(
      {files: [{path: 'a.cpp', text: vector}], units: ['a.cpp']},
      {device: true},
    )
    expect(others.at(-1)).toBe(
      'compile-kernel -O0 -I . -I . -I /twin/include --kernel-header -include twin/direct_check.h -DNDEBUG ' +
        '-fsyntax-only a.cpp',
    )
  })

  test('see the folders and definitions that the program names', async () => {
    const program = {files: [{path: 'src/a.asc', text: vector}], units: ['src/a.asc'], include: ['inc', 'lib']}
    const {commands} = await compiled({...program, definitions: ['N=3', 'FAST']})
    const flags = '-O0 -I . -I src -I inc -I lib -I /twin/include -DN=3 -DFAST'
    expect(commands[0]).toBe(host('src/a.asc', 0, {flags}))
  })

  test('that do not compile say why, all of them', async () => {
    const error = (path: string) => `${path}:1:2: error: expected ';'\n`
    const files = [
      {path: 'src/a.asc', text: vector},
      {path: 'src/b.cpp', text: plain},
    ]
    const refusals = {'-c src/a.asc': error('src/a.asc'), '-c src/b.cpp': error('src/b.cpp')}
    const {end} = await compiled({files, units: ['src/a.asc', 'src/b.cpp']}, {refusals})
    const said = (file: string) => ({severity: 'error', file, line: 1, column: 2, message: "expected ';'"})
    expect(end).toEqual({
      ok: false,
      verdict: {
        outcome: 'compile-failed',
        diagnostics: [said('src/a.asc'), said('src/b.cpp')],
        log: error('src/a.asc') + error('src/b.cpp'),
        executor: identity,
      },
    })
  })

  test('stay in their folder', async () => {
    const files = [
      {path: 'src/../a.cpp', text: plain},
      {path: '../outside.cpp', text: plain},
      {path: '/etc/outside.cpp', text: plain},
    ]
    const {directory} = await compiled({files, units: ['a.cpp']})
    expect(existsSync(join(directory, 'a.cpp'))).toBe(true)
    expect(existsSync(join(directory, '../outside.cpp'))).toBe(false)
    expect(existsSync('/etc/outside.cpp')).toBe(false)
  })
})

describe('what is linked', () => {
  const command = 'clang++ -shared -Wl,-Bsymbolic -o lib.so.cube a.o b.o /twin/libtwin.so -Wl,-rpath,/twin -ldl'

  test('is the runtime and the objects', async () => {
    const {bench, commands} = await scriptedBench()
    expect(await linkUnits(namedTools(), bench, besideKind('lib.so'), ['a.o', 'b.o'])).toBeUndefined()
    expect(commands).toEqual([command])
  })

  test('says why it is not', async () => {
    const {bench} = await scriptedBench({clang: 'undefined: f in /twin/include/k.h\n'})
    expect(await linkUnits(namedTools(), bench, [], [])).toBe('undefined: f in k.h\n')
  })
})
