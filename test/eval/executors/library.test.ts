import {describe, expect, test} from 'vitest'
import {
  allDone,
  checkOnce,
  compileIn,
  compileOnce,
  makeLibrary,
  objectFlags,
  type LibraryPlan,
} from '../../../eval/executors/library.ts'
import {namedTools, scriptedBench} from './scripted-bench.ts'

const unit = (path: string) => ({side: 'host' as const, path, flags: ['-O0'], output: `${path}.o`})
const plan: LibraryPlan = {units: [unit('a.cpp'), unit('b.cpp')], options: [['-z', 'muldefs']], output: 'host.so'}
const files = new Map([
  ['a.cpp', 'int a;'],
  ['b.cpp', 'int b;'],
])

async function place(refusals: Record<string, string> = {}, prebuilt: Parameters<typeof namedTools>[0] = {}) {
  const {bench, commands, text, directory} = await scriptedBench(refusals)
  return {workplace: {tools: namedTools(prebuilt), bench, files}, commands, text, directory}
}

describe('flags of an object', () => {
  const include = ['-I', '/twin/include']
  const folders = (...paths: string[]) => paths.flatMap((path) => ['-I', path])

  test('bring the headers of its side, and the folder of its side first', () => {
    const tools = namedTools()
    expect(objectFlags(tools, 'host')).toEqual([
      ...['-O0', '--host-header', ...include],
      ...folders('.', 'op_host', 'op_kernel'),
    ])
    expect(objectFlags(tools, 'kernel')).toEqual([
      ...['-O0', '--kernel-header', ...include],
      ...folders('.', 'op_kernel', 'op_host'),
    ])
    expect(objectFlags(tools, 'cube', 'math/add')).toEqual([
      ...['-O0', '--cube-header', ...include],
      ...folders('.', 'math/add', 'math/add/op_kernel', 'math/add/op_host'),
    ])
  })
})

describe('one compilation', () => {
  test('says what the compiler said, without folders of this machine', async () => {
    const {workplace, commands, directory} = await place({bad: ''})
    const {tools, bench} = workplace
    expect(await compileIn(tools, bench, 'host', ['-c', 'a.cpp'])).toEqual({ok: true, said: 'remarks'})
    expect(commands).toEqual(['compile-host -c a.cpp'])
    const failing = await scriptedBench({bad: `${directory}/a.cpp:1:1: error: no\n/twin/include/k.h:2:2: note: x\n`})
    const end = await compileIn(tools, {...failing.bench, directory}, 'kernel', ['bad'])
    expect(end).toEqual({ok: false, log: 'a.cpp:1:1: error: no\nk.h:2:2: note: x\n'})
  })

  test('to an object gives its bytes, and what the compiler said, now and when it was kept', async () => {
    const {workplace, commands} = await place({bad: 'error: no'})
    const line = 'compile-kernel -O0 -MMD -MF k.o.d -c a.cpp -o k.o'
    const kernel = {side: 'kernel' as const, path: 'a.cpp', flags: ['-O0'], output: 'k.o'}
    const made = {ok: true, said: 'remarks', object: Buffer.from(line)}
    expect(await compileOnce(workplace, kernel)).toEqual(made)
    expect(commands).toEqual([line])
    const again = await scriptedBench()
    expect(await compileOnce({...workplace, bench: again.bench}, kernel)).toEqual(made)
    expect([again.commands, again.text('k.o')]).toEqual([[], line])
    expect(await compileOnce(workplace, {...kernel, path: 'bad.cpp'})).toEqual({ok: false, log: 'error: no'})
  })

  test('that is a check makes an object of a kernel alone, where the rules of the device are read off it', async () => {
    const {workplace, commands} = await place()
    const read = {ok: true, said: 'remarks', object: Buffer.alloc(0)}
    expect(await checkOnce(workplace, unit('a.cpp'))).toEqual(read)
    expect(await checkOnce(workplace, {...unit('a.cpp'), side: 'kernel'})).toEqual(read)
    expect(await checkOnce(workplace, unit('a.cpp'))).toEqual(read)
    const flags = '-O0 -MMD -MF a.cpp.o.d -fsyntax-only a.cpp'
    expect(commands).toEqual([`compile-host ${flags}`, `compile-kernel ${flags}`])
  })
})

describe('a library', () => {
  const compiled = (name: string) => `compile-host -O0 -MMD -MF ${name}.cpp.o.d -c ${name}.cpp -o ${name}.cpp.o`
  const linked = 'link -z defs -z muldefs -rpath /twin a.cpp.o b.cpp.o /twin/libtwin.so > host.so'

  test('is compiled and linked once', async () => {
    const {workplace, commands, text} = await place()
    expect(await makeLibrary(workplace, plan)).toEqual({stage: 'made', imports: []})
    expect(commands).toEqual([compiled('a'), compiled('b'), linked])
    expect(text('host.so')).toBe(linked)
    const again = await scriptedBench()
    expect(await makeLibrary({...workplace, bench: again.bench}, plan)).toEqual({stage: 'made', imports: []})
    expect(again.commands).toEqual([])
    expect([again.text('a.cpp.o'), again.text('host.so')]).toEqual([compiled('a'), linked])
  })

  test('is linked again for other options alone, and compiled again for other texts alone', async () => {
    const {workplace, commands} = await place()
    await makeLibrary(workplace, plan)
    commands.length = 0
    await makeLibrary(workplace, {...plan, options: []})
    expect(commands).toEqual([linked.replace(' -z muldefs', '')])
    commands.length = 0
    await makeLibrary({...workplace, files: new Map([...files, ['b.cpp', 'int c;']])}, plan)
    expect(commands[0]).toBe(compiled('b'))
    expect(commands).not.toContain(compiled('a'))
  })

  test('that does not compile says why of all its files, and is not linked', async () => {
    const {workplace, commands} = await place({'-c a.cpp': 'a is bad\n', '-c b.cpp': 'b is bad\n'})
    expect(await makeLibrary(workplace, plan)).toEqual({stage: 'not-compiled', log: 'a is bad\nb is bad\n'})
    expect(commands).toHaveLength(2)
    const half = await place({'-c b.cpp': 'b is bad\n'})
    expect(await makeLibrary(half.workplace, plan)).toEqual({stage: 'not-compiled', log: 'b is bad\n'})
  })

  test('that does not link says why', async () => {
    const {workplace} = await place({link: 'undefined symbol: f in /twin/libtwin.so\n'})
    expect(await makeLibrary(workplace, plan)).toEqual({
      stage: 'not-linked',
      log: 'undefined symbol: f in libascendc.so\n',
    })
  })
})

test('all work is waited for, also when some of it fails', async () => {
  let done = false
  const late = new Promise<number>((resolve) => setImmediate(() => resolve(2))).then((value) => {
    done = true
    return value
  })
  await expect(allDone([Promise.reject(new Error('first')), late])).rejects.toThrow('first')
  expect(done).toBe(true)
  expect(await allDone([Promise.resolve(1), late])).toEqual([1, 2])
})
