import {chmod, writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {afterEach, describe, expect, test, vi} from 'vitest'
import {
  chooseCompiler,
  chooseLinker,
  findCompilers,
  findFastLinker,
  languageFlags,
  linkerCall,
  parseVersion,
  quotedParts,
  rank,
  type Compiler,
} from '../../../eval/executors/toolchain.ts'
import {temporaryFolder} from '../../helpers/temporary.ts'

const clang = (major: number): Compiler => ({command: 'c', kind: 'clang', major, version: `clang ${major}`, cost: ''})
const gcc = (major: number): Compiler => ({command: 'g++', kind: 'gcc', major, version: `g++ ${major}`, cost: ''})

/** A machine on which these programs are all there is. */
async function machine(programs: Readonly<Record<string, string>>): Promise<string> {
  const folder = await temporaryFolder()
  for (const [name, script] of Object.entries(programs)) {
    await writeFile(join(folder, name), `#!/bin/sh\n${script}\n`)
    await chmod(join(folder, name), 0o755)
  }
  vi.stubEnv('PATH', folder)
  return folder
}
afterEach(() => {
  vi.unstubAllEnvs()
})

const says = (version: string) => `echo '${version}'; echo 'Target: x86_64'`

describe('what a compiler says of itself', () => {
  const newer = 'a newer clang than the device compiler; messages may differ a little'
  test.each<[string, Partial<Compiler> | undefined]>([
    [
      'Debian clang version 15.0.6\nTarget: x',
      {kind: 'clang', major: 15, version: 'Debian clang version 15.0.6', cost: ''},
    ],
    [
      'clang version 14.0.0',
      {kind: 'clang', major: 14, cost: 'an older clang than the device compiler; messages may differ a little'},
    ],
    ['Ubuntu clang version 16.0.1 ', {kind: 'clang', major: 16, version: 'Ubuntu clang version 16.0.1', cost: newer}],
    [
      'g++-12 (Debian 12.2.0-14) 12.2.0\nCopyright',
      {
        kind: 'gcc',
        major: 12,
        version: 'g++ (Debian 12.2.0-14) 12.2.0',
        cost:
          'code that only the device compiler refuses is accepted; verdicts are the same, but error messages differ from the ' +
          'clang-based device compiler, so they teach less; about 1.6 times slower',
      },
    ],
    ['icpc (ICC)', undefined],
    ['', undefined],
    ['\nclang version 15.0.6', undefined],
  ])('%j', (text, compiler) => {
    const read = parseVersion('name', text)
    expect(read).toEqual(compiler && {command: 'name', ...read, ...compiler})
    expect(read === undefined).toBe(compiler === undefined)
  })
})

describe('the first line alone is read', () => {
  test.each<[string, 'clang' | 'gcc' | undefined, number | undefined]>([
    ['g++ (GCC) 14.1.1 20240522 (Red Hat 14.1.1-4)', 'gcc', 14],
    ['g++ (Ubuntu 11.4.0-1ubuntu1~22.04) 11.4.0', 'gcc', 11],
    ['x86_64-linux-gnu-g++-9 (Debian 9.3.0-22) 9.3.0', 'gcc', 9],
    ['true (GNU coreutils) 9.1', undefined, undefined],
    ['g++ (GCC) 13', undefined, undefined],
    ['g++ 13.1.0', undefined, undefined],
    ['icpc (ICC) 19.1.3.304 20200925', undefined, undefined],
    ['g++ (GCC)13.1.0', undefined, undefined],
    ['Apple clang version 15.0.0 (clang-1500.3.9.4)', 'clang', 15],
    ['clang version 100.0', 'clang', 100],
    ['clang version x', undefined, undefined],
    ['xclang version 15', undefined, undefined],
    ['a compiler\ng++ (GCC) 13.1.0', undefined, undefined],
    ['a compiler\nclang version 15.0.0', undefined, undefined],
  ])('%j', (text, kind, major) => {
    const read = parseVersion('c', text)
    expect([read?.kind, read?.major]).toEqual([kind, major])
  })

  test('names the command that was asked, not the one that answers', () => {
    expect(parseVersion('/opt/g++-12', 'g++-12 (x) 12.2.0')).toMatchObject({
      command: '/opt/g++-12',
      version: 'g++ (x) 12.2.0',
    })
  })

  test.each([
    [14, 'an older clang than the device compiler; messages may differ a little'],
    [15, ''],
    [16, 'a newer clang than the device compiler; messages may differ a little'],
  ])('clang %d costs %j', (major, cost) => {
    expect(parseVersion('c', `clang version ${major}.0.0`)).toEqual({
      ...clang(major),
      version: `clang version ${major}.0.0`,
      cost,
    })
  })
})

test('clangs go by their distance from 15, of two as near the newer first; every gcc comes after them', () => {
  const inOrder = [15, 16, 14, 17, 13, 18, 12, 19, 11, 20, 10, 21].map(clang)
  const gccs = [15, 14, 13, 11, 9].map(gcc)
  const shuffled = [...gccs, ...inOrder].reverse()
  expect(shuffled.sort((a, b) => rank(a) - rank(b))).toEqual([...inOrder, ...gccs])
  expect(new Set(shuffled.map(rank)).size).toBe(shuffled.length)
})

describe('the compilers of a machine', () => {
  test('the nearest to clang 15 first, of two as near the newer, gcc last and its newest first', async () => {
    await machine({
      'g++-11': says('g++-11 (x) 11.4.0'),
      'g++-13': says('g++-13 (x) 13.1.0'),
      'clang++-18': says('clang version 18.1.0'),
      'clang++-14': says('clang version 14.0.6'),
      'clang++-16': says('clang version 16.0.6'),
      'clang++-15': says('clang version 15.0.7'),
    })
    const found = await findCompilers()
    expect(found.map(({command}) => command)).toEqual([
      'clang++-15',
      'clang++-16',
      'clang++-14',
      'clang++-18',
      'g++-13',
      'g++-11',
    ])
    expect((await chooseCompiler()).command).toBe('clang++-15')
    expect((await chooseCompiler('g++-11')).command).toBe('g++-11')
  })

  test('one version under two names counts once, under its plain name', async () => {
    await machine({'g++': says('g++ (x) 12.2.0'), 'g++-12': says('g++-12 (x) 12.2.0')})
    expect((await findCompilers()).map(({command}) => command)).toEqual(['g++'])
  })

  test('those that fail, or are something else, are none', async () => {
    await machine({'clang++-15': `${says('clang version 15.0.7')}; exit 1`, 'clang++': says('a program')})
    expect(await findCompilers()).toEqual([])
    const missing = chooseCompiler('clang++-15')
    await expect(missing).rejects.toMatchObject({
      code: 'toolchain-missing',
      scope: 'run',
      message: 'executor.compiler is wrong: clang++-15 does not identify itself as clang or g++.',
    })
    await expect(chooseCompiler()).rejects.toThrow(
      'looked for clang++-15, clang++-16, clang++-14, clang++-17, clang++-18, clang++-19, clang++-20, clang++-21, ' +
        'clang++, g++, g++-14, g++-13, g++-12, g++-11.',
    )
  })
})

describe('flags', () => {
  const shared = ['-std=c++17', '-fPIC', '-w', '-ffp-contract=off', '-fno-strict-aliasing']
  const template = '-Wno-missing-template-arg-list-after-template-kw'
  test.each([
    [gcc(12), ['-fdiagnostics-color=never', '-fmax-errors=20']],
    [gcc(19), ['-fdiagnostics-color=never', '-fmax-errors=20']],
    [clang(15), ['-fno-color-diagnostics', '-ferror-limit=20']],
    [clang(18), ['-fno-color-diagnostics', '-ferror-limit=20']],
    [clang(19), ['-fno-color-diagnostics', '-ferror-limit=20', template]],
    [clang(20), ['-fno-color-diagnostics', '-ferror-limit=20', template]],
  ])('of %j', (compiler, own) => {
    expect(languageFlags(compiler)).toEqual([...shared, ...own])
  })
})

describe('linking', () => {
  const link = {options: [['-z', 'defs'], ['-s']], inputs: ['a.o', 'b.o'], output: 'x.so'}
  /** A compiler that prints the call of a linker; `knows` says which ones. */
  const compiler = (...knows: string[]) =>
    [
      `case "$1" in ${['-fuse-ld=none', ...knows.map((name) => `-fuse-ld=${name}`)].join('|')}) ;; *) exit 1;; esac`,
      'name="${1#-fuse-ld=}"',
      'echo "clang version 15" >&2',
      `echo " \\"/usr/bin/ld.$name\\" \\"-shared\\" \\"@@inputs@@\\" \\"-o\\" \\"@@output@@\\" \\"-lc\\"" >&2`,
    ].join('\n')

  test.each([
    [
      ['mold', 'lld'],
      ['/usr/bin/ld.mold', '-shared', '-z', 'defs', '-s', 'a.o', 'b.o', '-o', 'x.so', '-lc', '--no-fork'],
    ],
    [['lld'], ['/usr/bin/ld.lld', '-shared', '-z', 'defs', '-s', 'a.o', 'b.o', '-o', 'x.so', '-lc']],
    [[], ['g++', ...languageFlags(gcc(12)), '-shared', '-Wl,-z,defs', '-Wl,-s', 'a.o', 'b.o', '-o', 'x.so']],
  ])('where the compiler knows %j', async (knows, command) => {
    await machine({'g++': compiler(...knows)})
    expect((await chooseLinker(gcc(12)))(link)).toEqual(command)
    expect((await findFastLinker(gcc(12)))?.name).toBe(knows[0])
  })

  test.each<[string, string[] | undefined]>([
    [' "/usr/bin/ld.lld" "@@inputs@@" "@@output@@"', ['/usr/bin/ld.lld', '@@inputs@@', '@@output@@']],
    ['x\n "ld.mold-2" "@@inputs@@" "-o" "@@output@@"\n', ['ld.mold-2', '@@inputs@@', '-o', '@@output@@']],
    [' "/usr/bin/ld" "@@inputs@@" "@@output@@"', undefined],
    [' "/usr/bin/gold.lld" "@@inputs@@" "@@output@@"', undefined],
    [' "/usr/bin/ld.lld" "@@inputs@@"', undefined],
    [' "/usr/bin/ld.lld" "@@output@@"', undefined],
    [' "/usr/bin/ld.lld" "@@inputs@@" "@@output@@"\nlinked', undefined],
    [' "/opt/my.d/ld.lld-15" "@@output@@" "@@inputs@@"', ['/opt/my.d/ld.lld-15', '@@output@@', '@@inputs@@']],
    [' "ld.lld" "@@inputs@@" "@@output@@"', ['ld.lld', '@@inputs@@', '@@output@@']],
    [' "/opt/ld.lld/cc" "@@inputs@@" "@@output@@"', undefined],
    [' "/usr/bin/ld-lld" "@@inputs@@" "@@output@@"', undefined],
    [' "/usr/bin/ld.bfd" "@@inputs@@" "@@output@@"', undefined],
    [' "/usr/bin/ld.lld" "@@inputs@@x" "@@output@@"', undefined],
    ['', undefined],
  ])('%j calls %j', (printed, call) => {
    expect(linkerCall(printed)).toEqual(call)
  })

  test.each<[string, string[]]>([
    ['', []],
    ['"a"', ['a']],
    ['a b', []],
    ['"a', []],
    ['"a" "b', ['a']],
    ['"a"\n"b"', ['b']],
    ['"b"\n\n \n', ['b']],
    ['"a"\nno quotes', []],
    ['"C:\\\\ld" "\\$x"', ['C:\\ld', '$x']],
  ])('of %j the last line is parts %j', (printed, parts) => {
    expect(quotedParts(printed)).toEqual(parts)
  })

  test('parts are read with what is quoted in them', () => {
    expect(quotedParts('first "no"\n "a b" c "d\\"e" "" "f\\\\g"\n')).toEqual(['a b', 'd"e', '', 'f\\g'])
  })
})
