import {describe, expect, test} from 'vitest'
import {deviceFaults, stackFaults} from '../../../eval/executors/device-rules.ts'
import {elfObject, relocation, symbol, zeroEnded, type Section} from './handmade-object.ts'

interface Named {
  name: string
  value?: number
  size?: number
  /** 1 is `.text`; 0 is elsewhere. */
  section?: number
  kind?: number
  binding?: number
}

interface Reference {
  at: number
  type: number
  to: string
  addend?: number
}

interface Made {
  functions?: readonly (Named & {frame?: number})[]
  others?: readonly Named[]
  text?: Buffer
  references?: readonly Reference[]
  more?: readonly Section[]
  /** Of ELF; 62 is x86-64, 183 is AArch64. */
  machine?: number
}

const [ofFunction, ofObject] = [2, 1]
/** Relocations of x86-64: a whole address, a distance, a call. */
const [whole, distance, called] = [1, 2, 4]

function leb128(value: number): Buffer {
  const bytes: number[] = []
  let rest = value
  for (; rest > 127; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 128)
  return Buffer.from([...bytes, rest])
}

/** An object of `.text` (1), its symbols, and the sizes of its frames; further sections are 7 and on. */
function made({
  functions = [],
  others = [],
  text = Buffer.alloc(64),
  references = [],
  more = [],
  machine = 62,
}: Made): Buffer {
  const symbols = [...functions.map((one) => ({kind: ofFunction, section: 1, ...one})), ...others]
  const names = symbols.map(({name}) => name)
  const strings = zeroEnded(names)
  const numberOf = (name: string) => names.indexOf(name) + 1
  const sized = functions.filter(({frame}) => frame !== undefined)
  const entries = sized.map(({frame = 0}) => Buffer.concat([Buffer.alloc(8), leb128(frame)]))
  const starts = entries.map((_, at) => entries.slice(0, at).reduce((sum, {length}) => sum + length, 0))
  const sections: Section[] = [
    {name: '.text', type: 1, flags: 6, data: text},
    {
      ...{name: '.rela.text', type: 4, link: 5, info: 1},
      data: Buffer.concat(
        references.map(({at, type, to, addend}) =>
          relocation({offset: at, type, symbol: numberOf(to), ...(addend !== undefined && {addend})}),
        ),
      ),
    },
    {name: '.stack_sizes', type: 1, data: Buffer.concat(entries)},
    {
      ...{name: '.rela.stack_sizes', type: 4, link: 5, info: 3},
      data: Buffer.concat(
        sized.map(({name}, at) => relocation({offset: starts[at] ?? 0, type: whole, symbol: numberOf(name)})),
      ),
    },
    {
      ...{name: '.symtab', type: 2, link: 6},
      data: Buffer.concat([
        symbol({}),
        ...symbols.map(({name, ...one}) =>
          symbol({binding: 1, ...one, name: strings.indexOf(`${name}\0`, 0, 'latin1')}),
        ),
      ]),
    },
    {name: '.strtab', type: 3, data: strings},
    ...more,
  ]
  return elfObject({sections, machine})
}

const faults = (given: Made, files: Record<string, string> = {}, said = '') =>
  deviceFaults({object: made(given), said, files: new Map(Object.entries(files))})
    .split('\n')
    .filter((line) => line !== '')

const sized = (name: string, value: number, more: Partial<Named & {frame: number}> = {}) => ({
  ...{name, value, size: 16, frame: 16},
  ...more,
})
const recursion = (name: string) => `error: function '${name}' calls itself: the device has no recursion at run time`
const taken = (name: string) =>
  `error: the address of function '${name}' is taken: the device has no calls through pointers`

describe('frames', () => {
  test('may take 32 KiB in optimised code: -cce-aicore-function-stack-size=0x8000 (bisheng_intf.cmake, c220)', () => {
    const frame = (bytes: number) => stackFaults(made({functions: [sized('k', 0, {frame: bytes})]}), new Map())
    expect(frame(0)).toBe('')
    expect(frame(32_768)).toBe('')
    expect(frame(32_769)).toBe("error: stack frame size (32769) exceeds limit (32768) in 'k'\n")
    expect(frame(5_000_000)).toBe("error: stack frame size (5000000) exceeds limit (32768) in 'k'\n")
  })

  test('have a size each, which does not depend on the run', () => {
    const two = [sized('a', 0, {frame: 300_000}), sized('b', 16), {name: 'c', value: 32, size: 16}]
    expect(faults({functions: two})).toEqual(["error: the size of the stack frame of function 'c' is not constant"])
  })
})

describe('calls', () => {
  const three = [sized('a', 0), sized('b', 16), sized('c', 32)]
  const call = (at: number, to: string): Reference => ({at, type: called, to, addend: -4})

  test('may not come back', () => {
    expect(faults({functions: three, references: [call(1, 'b'), call(17, 'c')]})).toEqual([])
    expect(faults({functions: three, references: [call(1, 'b'), call(17, 'a')]})).toEqual(['a', 'b'].map(recursion))
    expect(faults({functions: three, references: [call(33, 'c')]})).toEqual([recursion('c')])
    // Who only leads into a cycle, or is only led to from one, is not in it.
    const into = [call(1, 'b'), call(17, 'b'), call(21, 'c')]
    expect(faults({functions: three, references: into})).toEqual([recursion('b')])
    expect(faults({functions: three, references: [call(1, 'b'), call(5, 'c'), call(17, 'c')]})).toEqual([])
  })

  test('belong to the function in which they stand, to its last byte', () => {
    expect(faults({functions: three, references: [call(15, 'b'), call(16, 'c')]})).toEqual([])
    expect(faults({functions: three, references: [call(16, 'a'), call(15, 'b')]})).toEqual(['a', 'b'].map(recursion))
    expect(faults({functions: three, references: [call(50, 'a'), call(1, 'b')]})).toEqual([])
  })

  test('of a function of the file alone by a distance are seen in its code', () => {
    const text = Buffer.alloc(64)
    const jump = (at: number, to: number) => {
      text.fill(0)
      text[at] = 0xe8
      text.writeInt32LE(to - at - 5, at + 1)
      return text
    }
    const local = (binding: number) => [sized('a', 0), sized('b', 16, {binding}), sized('c', 32)]
    expect(faults({functions: local(0), text: jump(20, 16)})).toEqual([recursion('b')])
    expect(faults({functions: local(0), text: jump(27, 16)})).toEqual([recursion('b')])
    expect(faults({functions: local(0), text: jump(28, 16)})).toEqual([])
    expect(faults({functions: local(0), text: jump(20, 32)})).toEqual([])
    expect(faults({functions: local(1), text: jump(20, 16)})).toEqual([])
    const moved = jump(20, 16)
    moved[20] = 0xe9
    expect(faults({functions: local(0), text: moved})).toEqual([])
  })

  test('of AArch64 are words with a distance in words', () => {
    const branch = (at: number, to: number, operation = 0b100101) => {
      const text = Buffer.alloc(64)
      text.writeUInt32LE(((operation << 26) | (((to - at) / 4) & 0x3ffffff)) >>> 0, at)
      return faults({functions: [sized('a', 0), sized('b', 16, {binding: 0})], text, machine: 183})
    }
    expect(branch(16, 16)).toEqual([recursion('b')])
    expect(branch(24, 16)).toEqual([recursion('b')])
    expect(branch(24, 20)).toEqual([])
    expect(branch(24, 32)).toEqual([])
    expect(branch(24, 16, 0b000101)).toEqual([])
    expect(branch(40, 16)).toEqual([])
  })

  test('may name a place in a section', () => {
    const section = {name: '.text', kind: 3, section: 1, binding: 0}
    const place = (type: number, addend: number) =>
      faults({functions: three, others: [section], references: [{at: 1, type, to: '.text', addend}]})
    // A distance is counted from behind its four bytes, a whole address is not.
    expect(place(distance, 12)).toEqual([taken('b')])
    expect(place(distance, 16)).toEqual([])
    expect(place(whole, 32)).toEqual([taken('c')])
    expect(place(whole, 28)).toEqual([])
  })

  test('go to functions by their names, not through their addresses', () => {
    expect(faults({functions: three, references: [{at: 1, type: distance, to: 'c'}]})).toEqual([taken('c')])
    expect(faults({functions: three, references: [{at: 1, type: whole, to: 'b'}]})).toEqual([taken('b')])
    const callback = [sized('_ZN1a3runIL_Z2okEEvv', 0), sized('ok', 16), sized('no', 32)]
    const take = (to: string) => ({at: 1, type: distance, to})
    expect(faults({functions: callback, references: [take('ok'), take('no')]})).toEqual([taken('no')])
  })
})

describe('symbols', () => {
  const undefinedOf = (name: string) => faults({others: [{name}]})

  test('that stand nowhere are those of the twin, or what the compiler itself calls', () => {
    for (const name of [
      '_ZN4twin5CheckEv',
      '_ZNK4twin4Tile4SizeEv',
      'memcpy',
      'memset',
      'printf',
      '__start_twin_block_local',
    ])
      expect(undefinedOf(name)).toEqual([])
    expect(undefinedOf('fopen')).toEqual(['error: undefined symbol: fopen'])
    expect(undefinedOf('memory')).toEqual(['error: undefined symbol: memory'])
  })

  test('are looked for in the files of the kernel, calls first', () => {
    const files = {
      'op_host/a.cpp': 'int x = fopen();',
      'kernel_unit.cpp': 'fopen();',
      'op_kernel/k.cpp': 'int fopen;\nvoid f() {\n  fopen(1);\n}',
    }
    expect(faults({others: [{name: 'fopen'}]}, files)).toEqual(['op_kernel/k.cpp:3:3: error: undefined symbol: fopen'])
    const {'op_host/a.cpp': host} = files
    expect(faults({others: [{name: 'fopen'}]}, {'op_host/a.cpp': host})).toEqual([
      'op_host/a.cpp:1:9: error: undefined symbol: fopen',
    ])
    const {'kernel_unit.cpp': unit} = files
    expect(faults({others: [{name: 'fopen'}]}, {'kernel_unit.cpp': unit})).toEqual(['error: undefined symbol: fopen'])
  })

  test('of variables keep no value, but for those of a core and those in GM', () => {
    const variable = (flags: number, section: string, files = {}) =>
      faults(
        {
          others: [{name: 'kept', kind: ofObject, section: 7, size: 4}],
          more: [{name: section, type: 1, flags, data: Buffer.alloc(4)}],
        },
        files,
      )
    const kept = "error: variable 'kept' keeps its value: the device has no mutable globals and static locals"
    expect(variable(3, '.data')).toEqual([kept])
    expect(variable(2, '.rodata')).toEqual([])
    expect(variable(3, 'twin_block_local')).toEqual([])
    expect(variable(3, '.data.rel.ro')).toEqual([])
    expect(variable(3, '.data', {'k.cpp': 'static __gm__ uint32_t kept[8];'})).toEqual([])
    expect(variable(3, '.data', {'k.cpp': 'uint32_t kept[8];'})).toEqual([`k.cpp:1:10: ${kept}`])
  })

  test('of the library, of virtual functions and of code before a kernel are refused', () => {
    expect(faults({functions: [sized('_ZSt3absf', 0)]})).toEqual([
      expect.stringMatching(/^error: reference to __host__ function '.*abs.*' in __device__ function$/),
    ])
    expect(faults({functions: [sized('_ZNSt14numeric_limitsIfE3maxEv', 0)]})).toEqual([])
    const elsewhere = {name: '_ZSt3absf', kind: ofFunction, section: 0}
    expect(faults({others: [elsewhere]})).toEqual([expect.stringMatching(/^error: undefined symbol: /)])
    expect(faults({others: [{name: '_ZSt3one', kind: ofObject, section: 1}]})).toEqual([])
    expect(faults({others: [{name: '_ZTV1A'}]})).toEqual([
      expect.stringMatching(/^error: '.*' has virtual functions or type information, which the device lacks$/),
    ])
    const before = 'error: the device runs no code before or after a kernel'
    const section = (name: string, bytes: number) =>
      faults({more: [{name, type: 1, flags: 3, data: Buffer.alloc(bytes)}]})
    for (const name of ['.init_array', '.fini', '.preinit_array.1', '.ctors', '.dtors'])
      expect(section(name, 8)).toEqual([before])
    expect(section('.init_array', 0)).toEqual([])
    expect(section('.initial', 8)).toEqual([])
  })
})

describe('conversions between floating and unsigned variables', () => {
  const remark = (place: string, instruction: string, type = 'i32') =>
    `${place}: remark: FastISel missed:   %5 = ${instruction} ${type} %4 to float\n`
  const refused = (place: string) =>
    `${place}: error: cast between floating and unsigned integer variable is not allowed in aicore function`
  const files = {'k.cpp': 'int a;\nfloat b = static_cast<float>(n);\nfloat c = 1.0f / n;'}

  test('are refused to unsigned, and to floating where they are written', () => {
    expect(faults({}, files, remark('k.cpp:2:30', 'uitofp'))).toEqual([refused('k.cpp:2:30')])
    expect(faults({}, files, remark('k.cpp:3:18', 'uitofp'))).toEqual([])
    expect(faults({}, files, remark('./k.cpp:3:18', 'fptoui', 'float'))).toEqual([refused('k.cpp:3:18')])
    expect(faults({}, files, remark('k.cpp:2:30', 'uitofp', 'i1'))).toEqual([])
    expect(faults({}, files, remark('k.cpp:2:30', 'sitofp'))).toEqual([])
    expect(faults({}, files, remark('/usr/x.h:2:30', 'fptoui'))).toEqual([])
  })
})
