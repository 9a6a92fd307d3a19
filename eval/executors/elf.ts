// Relocatable objects of ELF, 64 bit, little-endian, as compilers write them for x86-64 and aarch64. Source: System V
// gABI and the processor supplements.

type ElfMachine = 'x86-64' | 'aarch64'

interface ElfSection {
  name: string
  writable: boolean
  executable: boolean
  /** Occupies memory in the program, unlike debug information. */
  allocated: boolean
  /** Zeros that take no bytes in the file. */
  zeros: boolean
  size: number
  data: Uint8Array
}

export interface ElfSymbol {
  name: string
  kind: 'none' | 'object' | 'function' | 'section' | 'file' | 'thread-local' | 'other'
  binding: 'local' | 'global' | 'weak' | 'other'
  /** Index of its section; undefined: another object must define it. */
  section: number | undefined
  value: number
  size: number
}

export interface ElfRelocation {
  /** Index of the section whose bytes are filled in, and where in it. */
  section: number
  offset: number
  symbol: number
  addend: number
  /** Whether the bytes are those of a call or jump. */
  call: boolean
  /** Whether the bytes are the whole address, as in a table of pointers. */
  absolute: boolean
}

export interface ElfObject {
  machine: ElfMachine
  sections: readonly ElfSection[]
  symbols: readonly ElfSymbol[]
  relocations: readonly ElfRelocation[]
}

const machines: Readonly<Record<number, ElfMachine>> = {62: 'x86-64', 183: 'aarch64'}
const kinds = ['none', 'object', 'function', 'section', 'file', 'other', 'thread-local'] as const
const bindings = ['local', 'global', 'weak'] as const
const sectionTypes = {symbols: 2, relocations: 4, zeros: 8}
/** R_X86_64_PLT32 is what compilers write for calls; R_AARCH64_JUMP26 and CALL26 likewise. */
const callTypes: Readonly<Record<ElfMachine, readonly number[]>> = {'x86-64': [4], aarch64: [282, 283]}

const addressTypes: Readonly<Record<ElfMachine, number>> = {'x86-64': 1, aarch64: 257}

interface Header extends ElfSection {
  type: number
  link: number
  info: number
}

/** @throws TypeError when the bytes are not such an object */
export function readElf(bytes: Uint8Array): ElfObject {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  try {
    return readObject(bytes, view)
  } catch (error) {
    if (error instanceof RangeError) throw new TypeError('an ELF object ends too early', {cause: error})
    throw error
  }
}

function readObject(bytes: Uint8Array, view: DataView): ElfObject {
  if (view.getUint32(0) !== 0x7f454c46) throw new TypeError('these bytes are no ELF object')
  const machine = machines[view.getUint16(18, true)]
  const wide = view.getUint8(4) === 2 && view.getUint8(5) === 1
  if (!wide || !machine) throw new TypeError('an ELF object of another processor than x86-64 and aarch64')
  const headers = readSections(bytes, view)
  const table = headers.find(({type}) => type === sectionTypes.symbols)
  const symbols = table ? readSymbols(table, headers[table.link]) : []
  const relocations = headers
    .filter(({type}) => type === sectionTypes.relocations)
    .flatMap((header) => readRelocations(header, machine))
  return {machine, sections: headers, symbols, relocations}
}

function readSections(bytes: Uint8Array, view: DataView): Header[] {
  const start = wide(view, 40)
  const entry = view.getUint16(58, true)
  // With 65280 sections or more, the first header has their number and the index of the names.
  const count = view.getUint16(60, true) || wide(view, start + 32)
  const named = view.getUint16(62, true)
  const namesAt = named === 0xffff ? view.getUint32(start + 40, true) : named
  const at = (index: number) => start + index * entry
  const namesStart = wide(view, at(namesAt) + 24)
  if (at(count) > bytes.length) throw new RangeError('the section headers end behind the file')
  return Array.from({length: count}, (_, index) => {
    const header = at(index)
    const type = view.getUint32(header + 4, true)
    const flags = view.getUint32(header + 8, true)
    const [offset, size] = [wide(view, header + 24), wide(view, header + 32)]
    const zeros = type === sectionTypes.zeros
    if (!zeros && offset + size > bytes.length) throw new RangeError('a section ends behind the file')
    return {
      name: textAt(bytes, namesStart + view.getUint32(header, true)),
      writable: (flags & 1) !== 0,
      allocated: (flags & 2) !== 0,
      executable: (flags & 4) !== 0,
      zeros,
      size,
      data: zeros ? new Uint8Array() : bytes.subarray(offset, offset + size),
      type,
      link: view.getUint32(header + 40, true),
      info: view.getUint32(header + 44, true),
    }
  })
}

function readSymbols(table: Header, names: Header | undefined): ElfSymbol[] {
  const view = viewOf(table.data)
  return Array.from({length: table.size / 24}, (_, index) => {
    const at = index * 24
    const info = view.getUint8(at + 4)
    const section = view.getUint16(at + 6, true)
    return {
      name: names ? textAt(names.data, view.getUint32(at, true)) : '',
      kind: kinds[info & 15] ?? 'other',
      binding: bindings[info >> 4] ?? 'other',
      section: section === 0 ? undefined : section,
      value: wide(view, at + 8),
      size: wide(view, at + 16),
    }
  })
}

function readRelocations(header: Header, machine: ElfMachine): ElfRelocation[] {
  const view = viewOf(header.data)
  return Array.from({length: header.size / 24}, (_, index) => {
    const at = index * 24
    const type = view.getUint32(at + 8, true)
    return {
      section: header.info,
      offset: wide(view, at),
      symbol: view.getUint32(at + 12, true),
      addend: Number(view.getBigInt64(at + 16, true)),
      call: callTypes[machine].includes(type),
      absolute: type === addressTypes[machine],
    }
  })
}

function viewOf(data: Uint8Array): DataView {
  return new DataView(data.buffer, data.byteOffset, data.byteLength)
}

function wide(view: DataView, at: number): number {
  return Number(view.getBigUint64(at, true))
}

function textAt(bytes: Uint8Array, at: number): string {
  const end = bytes.indexOf(0, at)
  if (at < 0 || at > bytes.length || end < 0) throw new RangeError('a name lies behind the file')
  return Buffer.from(bytes.buffer, bytes.byteOffset + at, end - at).toString('latin1')
}
