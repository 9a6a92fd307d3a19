import {describe, expect, test} from 'vitest'
import {readElf} from '../../../eval/executors/elf.ts'
import {elfObject, relocation, symbol, zeroEnded, type Given, type Section} from './handmade-object.ts'

const usual: readonly Section[] = [
  {name: '.text', type: 1, flags: 6, data: Buffer.from([1, 2, 3, 4, 5])},
  {name: '.data', type: 1, flags: 3, data: Buffer.from([9, 8])},
  {name: '.bss', type: 8, flags: 3, size: 4096},
  {
    name: '.rela.text',
    type: 4,
    link: 5,
    info: 1,
    data: Buffer.concat([
      relocation({offset: 4, type: 4, symbol: 2, addend: -4}),
      relocation({offset: 8, type: 1, symbol: 3, addend: 16}),
      relocation({offset: 12, type: 2, symbol: 1}),
    ]),
  },
  {
    name: '.symtab',
    type: 2,
    link: 6,
    data: Buffer.concat([
      symbol({}),
      symbol({name: 1, kind: 1, binding: 0, section: 2, value: 8, size: 2}),
      symbol({name: 3, kind: 2, binding: 1, section: 1, value: 16, size: 5}),
      symbol({name: 5, kind: 0, binding: 2}),
      symbol({name: 3, kind: 3, binding: 0, section: 1}),
      symbol({name: 3, kind: 4}),
      symbol({name: 3, kind: 6, binding: 3, section: 3}),
      symbol({name: 3, kind: 5}),
      symbol({name: 3, kind: 10, binding: 10}),
    ]),
  },
  {name: '.strtab', type: 3, data: zeroEnded(['x', 'f', 'g'])},
]

const object = (given: Partial<Given> = {}) => elfObject({sections: usual, ...given})

const plain = {writable: false, allocated: false, executable: false, zeros: false}

describe('an object', () => {
  test('has its sections with what they are for', () => {
    const {machine, sections} = readElf(object())
    expect(machine).toBe('x86-64')
    expect(sections.map(({name}) => name)).toEqual([
      '',
      '.text',
      '.data',
      '.bss',
      '.rela.text',
      '.symtab',
      '.strtab',
      '.shstrtab',
    ])
    expect(sections.slice(1, 5).map(({data, ...one}) => ({...one, data: [...data].slice(0, 5)}))).toMatchObject([
      {...plain, allocated: true, executable: true, size: 5, data: [1, 2, 3, 4, 5]},
      {...plain, allocated: true, writable: true, size: 2, data: [9, 8]},
      {...plain, allocated: true, writable: true, zeros: true, size: 4096, data: []},
      {...plain, size: 72},
    ])
  })

  test('has its symbols by kind and binding, with where they stand', () => {
    const of = (name: string, kind: string, binding: string, section?: number, value = 0, size = 0) => ({
      ...{name, kind, binding, section, value, size},
    })
    expect(readElf(object()).symbols).toEqual([
      of('', 'none', 'local'),
      of('x', 'object', 'local', 2, 8, 2),
      of('f', 'function', 'global', 1, 16, 5),
      of('g', 'none', 'weak'),
      of('f', 'section', 'local', 1),
      of('f', 'file', 'local'),
      of('f', 'thread-local', 'other', 3),
      of('f', 'other', 'local'),
      of('f', 'other', 'other'),
    ])
  })

  test('has its relocations: calls, whole addresses, and others', () => {
    expect(readElf(object()).relocations).toEqual([
      {section: 1, offset: 4, symbol: 2, addend: -4, call: true, absolute: false},
      {section: 1, offset: 8, symbol: 3, addend: 16, call: false, absolute: true},
      {section: 1, offset: 12, symbol: 1, addend: 0, call: false, absolute: false},
    ])
  })

  test('of the other machine has other calls', () => {
    const sections = usual.map((one) =>
      one.type === 4 ? {...one, data: Buffer.concat([282, 283, 257, 4, 1].map((type) => relocation({type})))} : one,
    )
    const {machine, relocations} = readElf(object({machine: 183, sections}))
    expect(machine).toBe('aarch64')
    expect(relocations.map(({call, absolute}) => [call, absolute])).toEqual([
      [true, false],
      [true, false],
      [false, true],
      [false, false],
      [false, false],
    ])
  })

  test('with very many sections says so in the first of them', () => {
    const [many, few] = [readElf(object({extended: true})), readElf(object())]
    expect(many.sections.slice(1)).toEqual(few.sections.slice(1))
    expect([many.symbols, many.relocations]).toEqual([few.symbols, few.relocations])
  })

  test('without symbols has none', () => {
    const sections = usual.filter(({type}) => type !== 2 && type !== 4)
    expect(readElf(object({sections}))).toMatchObject({symbols: [], relocations: []})
  })

  test('may lie inside a larger buffer', () => {
    const bytes = object()
    const larger = Buffer.concat([Buffer.alloc(13, 7), bytes, Buffer.alloc(5, 7)])
    expect(readElf(larger.subarray(13, 13 + bytes.length))).toEqual(readElf(bytes))
  })
})

describe('what is no such object is refused', () => {
  test.each<[string, Buffer, string]>([
    ['another file', object({magic: 0x7f454c47}), 'these bytes are no ELF object'],
    ['32 bits', object({wordClass: 1}), 'an ELF object of another processor than x86-64 and aarch64'],
    ['big-endian', object({order: 2}), 'an ELF object of another processor than x86-64 and aarch64'],
    ['another processor', object({machine: 243}), 'an ELF object of another processor than x86-64 and aarch64'],
    ['nothing', Buffer.alloc(0), 'an ELF object ends too early'],
    ['a head alone', object().subarray(0, 64), 'an ELF object ends too early'],
    ['all but its last byte', object().subarray(0, -1), 'an ELF object ends too early'],
    [
      'a section that ends behind it',
      object({sections: [{name: '.text', type: 1, data: Buffer.alloc(4), size: 100_000}]}),
      'an ELF object ends too early',
    ],
    [
      'a name behind its texts',
      object({sections: usual.map((one) => (one.type === 3 ? {...one, data: Buffer.from('\0x\0f')} : one))}),
      'an ELF object ends too early',
    ],
  ])('%s', (_, bytes, message) => {
    expect(() => readElf(bytes)).toThrow(new TypeError(message))
  })
  test('a section may end with the file', () => {
    const bytes = object({sections: [{name: '.text', type: 1, data: Buffer.alloc(4)}]})
    expect(readElf(bytes).sections).toHaveLength(3)
  })
})
