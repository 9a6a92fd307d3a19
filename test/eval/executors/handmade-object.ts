// Objects put together by hand, field by field as the System V gABI has them.

export interface Section {
  name: string
  type: number
  flags?: number
  data?: Buffer
  size?: number
  link?: number
  info?: number
}

export interface Given {
  machine?: number
  sections: readonly Section[]
  /** The way in which 65,280 sections and more are counted. */
  extended?: boolean
  magic?: number
  wordClass?: number
  order?: number
}

export const zeroEnded = (names: readonly string[]) =>
  Buffer.from(`\0${names.map((name) => `${name}\0`).join('')}`, 'latin1')

export function symbol({name = 0, kind = 0, binding = 0, section = 0, value = 0, size = 0}): Buffer {
  const bytes = Buffer.alloc(24)
  bytes.writeUInt32LE(name, 0)
  bytes.writeUInt8((binding << 4) | kind, 4)
  bytes.writeUInt16LE(section, 6)
  bytes.writeBigUInt64LE(BigInt(value), 8)
  bytes.writeBigUInt64LE(BigInt(size), 16)
  return bytes
}

export function relocation({offset = 0, type = 0, symbol: index = 0, addend = 0}): Buffer {
  const bytes = Buffer.alloc(24)
  bytes.writeBigUInt64LE(BigInt(offset), 0)
  bytes.writeUInt32LE(type, 8)
  bytes.writeUInt32LE(index, 12)
  bytes.writeBigInt64LE(BigInt(addend), 16)
  return bytes
}

export function elfObject({
  machine = 62,
  sections,
  extended = false,
  magic = 0x7f454c46,
  wordClass = 2,
  order = 1,
}: Given): Buffer {
  const all: Section[] = [{name: '', type: 0}, ...sections, {name: '.shstrtab', type: 3}]
  const names = zeroEnded(all.slice(1).map(({name}) => name))
  const last = all.at(-1) as Section
  last.data = names
  const head = Buffer.alloc(64)
  head.writeUInt32BE(magic, 0)
  head.writeUInt8(wordClass, 4)
  head.writeUInt8(order, 5)
  head.writeUInt16LE(machine, 18)
  const parts: Buffer[] = [head]
  let offset = 64
  const headers = all.map(({name, type, flags = 0, data = Buffer.alloc(0), size, link = 0, info = 0}) => {
    const header = Buffer.alloc(64)
    header.writeUInt32LE(name === '' ? 0 : names.indexOf(`${name}\0`, 0, 'latin1'), 0)
    header.writeUInt32LE(type, 4)
    header.writeUInt32LE(flags, 8)
    header.writeBigUInt64LE(BigInt(offset), 24)
    header.writeBigUInt64LE(BigInt(size ?? data.length), 32)
    header.writeUInt32LE(link, 40)
    header.writeUInt32LE(info, 44)
    parts.push(data)
    offset += data.length
    return header
  })
  head.writeBigUInt64LE(BigInt(offset), 40)
  head.writeUInt16LE(64, 58)
  head.writeUInt16LE(extended ? 0 : all.length, 60)
  head.writeUInt16LE(extended ? 0xffff : all.length - 1, 62)
  if (extended) {
    headers[0]?.writeBigUInt64LE(BigInt(all.length), 32)
    headers[0]?.writeUInt32LE(all.length - 1, 40)
  }
  return Buffer.concat([...parts, ...headers])
}
