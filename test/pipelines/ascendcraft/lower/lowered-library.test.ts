import {readdirSync, readFileSync} from 'node:fs'
import {describe, expect, test} from 'vitest'
import {readProgram} from '../../../../pipelines/ascendcraft/language/check.ts'
import {lower} from '../../../../pipelines/ascendcraft/lower/lower.ts'

// What the Ascend C of every program of the library must hold, whatever it computes; that the programs compute what
// they should is for library/solutions.test.ts, and that the passes compile and run for the other files here.
const root = 'pipelines/ascendcraft/library/solutions'
const programs = readdirSync(root, {recursive: true, encoding: 'utf8'})
  .filter((name) => /^\w+\/\w+\.py$/.test(name))
  .sort()

function lowered(name: string) {
  const read = readProgram(readFileSync(`${root}/${name}`, 'utf8'), {})
  if (!read.ok)
    throw new TypeError(`${name}: ${read.faults.map(({line, message}) => `${line}: ${message}`).join('; ')}`)
  const {files} = lower(read.checked, {operator: 'Solution'})
  const [tiling = '', host = '', kernel = ''] = files.map(({text}) => text)
  return {texts: files.map(({text}) => text), tiling, host, kernel}
}

const found = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, name = '']) => name)
const sorted = (names: Iterable<string>) => [...new Set(names)].sort()

test('there are programs to lower', () => {
  expect(programs.length).toBeGreaterThan(50)
})

describe.each(programs)('%s', (name) => {
  const {texts, tiling, host, kernel} = lowered(name)

  test('tiling fields are set by the host, each once, and read by the kernel', () => {
    const fields = found(tiling, /TILING_DATA_FIELD_DEF\([^,]+, (\w+)\)/g)
    expect(fields.length).toBeGreaterThan(0)
    expect(found(host, /tiling\.set_(\w+)\(/g)).toEqual(fields)
    expect(sorted(found(kernel, /\btiling\.(\w+)/g))).toEqual(sorted(fields))
  })

  test('each queue and buffer is declared, set up once and used', () => {
    const declared = found(kernel, /^ {4}(?:TQue|TBuf)<.*> (\w+_);$/gm)
    const setUp = found(kernel, /InitBuffer\((\w+), /g)
    expect(setUp.toSorted()).toEqual(declared.toSorted())
    for (const one of declared) expect(kernel, one).toMatch(new RegExp(`\\b${one}\\.(?:Get|AllocTensor|DeQue)<`))
  })

  test('what a queue lends is handed on, and what is taken from it is given back', () => {
    const queues = found(kernel, /InitBuffer\((\w+), BUFFER_NUM, /g)
    for (const queue of queues) {
      const times = (call: string) => kernel.split(`${queue}.${call}`).length - 1
      const [lent, handedOn, taken, givenBack] = ['AllocTensor<', 'EnQue(', 'DeQue<', 'FreeTensor('].map(times)
      expect([lent, taken], queue).toEqual([handedOn, givenBack])
      expect(Math.min(lent ?? 0, taken ?? 0), queue).toBeGreaterThan(0)
    }
  })

  test('every local tensor is used behind its declaration', () => {
    for (const [, local = ''] of kernel.matchAll(/LocalTensor<\w+> (\w+) = /g)) {
      expect(kernel.match(new RegExp(`\\b${local}\\b`, 'g'))?.length, local).toBeGreaterThan(1)
    }
  })

  test('reads like code that someone wrote', () => {
    for (const text of texts) {
      expect(text.split('\n').filter((line) => line.length > 120 || /\s$/.test(line))).toEqual([])
      expect(text).not.toMatch(/\n\n\s*\}|\{\n\n|\n\n\n|undefined|NaN|\[object/)
      for (const [open, close] of ['()', '{}', '[]']) expect(text.split(open!).length).toBe(text.split(close!).length)
    }
  })
})
