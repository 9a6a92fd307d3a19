import {execFileSync} from 'node:child_process'
import {mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {afterAll, describe, expect, test} from 'vitest'
import {readElf} from '../../../eval/executors/elf.ts'
import {nameScopes, readableName} from '../../../eval/executors/mangled-names.ts'
import {chooseCompiler} from '../../../eval/executors/toolchain.ts'
import {testCompiler} from '../../helpers/real-executor.ts'

const folder = mkdtempSync(join(tmpdir(), 'elf-'))
afterAll(() => rmSync(folder, {recursive: true, force: true}))

const {command} = await chooseCompiler(testCompiler.compiler)

function objectOf(text: string): Uint8Array {
  writeFileSync(join(folder, 'unit.cpp'), text)
  execFileSync(command, ['-std=c++17', '-fPIC', '-O0', '-ffunction-sections', '-c', 'unit.cpp', '-o', 'unit.o'], {
    cwd: folder,
  })
  return readFileSync(join(folder, 'unit.o'))
}

describe('an object of this machine', () => {
  const bytes = objectOf(
    'extern "C" int outside(int);\nint kept[3] = {1, 2, 3};\nextern "C" int inside(int n) { static int zero; return outside(n) + kept[1] + zero++; }\nextern "C" int second(int n) { return inside(n); }\nint (*table)(int) = second;\n',
  )
  const elf = readElf(bytes)
  const symbol = (name: string) => elf.symbols.find((one) => one.name === name)
  const sectionOf = (name: string) => elf.sections[symbol(name)?.section ?? -1]

  test('has its functions in sections of their own, and what it lacks in none', () => {
    expect(symbol('inside')).toMatchObject({kind: 'function', binding: 'global'})
    expect(sectionOf('inside')).toMatchObject({name: '.text.inside', executable: true, writable: false})
    expect(symbol('outside')?.section).toBeUndefined()
  })

  test('has its variables in writable sections, zeros without bytes', () => {
    expect(sectionOf('kept')).toMatchObject({writable: true, allocated: true, zeros: false})
    expect(sectionOf('_ZZ6insideE4zero')).toMatchObject({writable: true, zeros: true})
    expect(symbol('kept')?.size).toBe(12)
  })

  test('says where it calls and where it takes an address', () => {
    const to = (name: string) => elf.relocations.filter((one) => elf.symbols[one.symbol]?.name === name)
    expect(to('inside').filter(({call}) => call)).toHaveLength(1)
    expect(to('second').some(({absolute, section}) => absolute && elf.sections[section]?.writable)).toBe(true)
  })

  test('that is cut off anywhere, or is something else, is a TypeError', () => {
    for (const length of [0, 3, 20, 63, 64, bytes.length >> 1, bytes.length - 1])
      expect(() => readElf(bytes.slice(0, length)), `${length} bytes`).toThrow(TypeError)
    expect(() => readElf(new TextEncoder().encode('x'.repeat(200)))).toThrow('these bytes are no ELF object')
  })
})

test.each([
  ['main', 'main'],
  ['_Znwm', 'operator new(unsigned long)'],
  ['_ZN3foo3barEv', 'foo::bar'],
  ['_ZNK3FooIiLb1EN3Bar3QuxEE3getEi', 'Foo::get'],
  ['_ZN3FooIXadL_ZNS_3barEvEEE3runEPS_', 'Foo::run'],
  ['_ZSt3expf', 'std::exp'],
  ['_ZNSt6vectorIiSaIiEE9push_backERKi', 'std::vector::push_back'],
  ['_ZTV3Foo', 'Foo'],
  ['_ZTVN2ns3FooE', 'ns::Foo'],
  ['_ZZ4testvE4kept', 'test::kept'],
  ['_ZGVZ4testvE4kept', 'test::kept'],
  ['_ZZN3Foo4testEvE4kept', 'Foo::test::kept'],
  ['_ZL6hidden', 'hidden'],
  ['_ZN12_GLOBAL__N_16hiddenE', 'hidden'],
  ['_Z5countj', 'count'],
])('%s is %s', (symbol, name) => expect(readableName(symbol)).toBe(name))

test('the last scope of a function in a template is its own name', () => {
  expect(nameScopes('_ZN1n5OuterIfE5InnerIhE4workEPfi').at(-1)).toBe('work')
})
