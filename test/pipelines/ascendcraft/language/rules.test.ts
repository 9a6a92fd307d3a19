import {readdirSync, readFileSync} from 'node:fs'
import {join} from 'node:path'
import {describe, expect, test} from 'vitest'
import {readProgram} from '../../../../pipelines/ascendcraft/language/check.ts'
import {type Sketch, sketched} from '../../../helpers/interpreting.ts'

/**
 * A fixture is a list of pieces of a program, an empty line between each two, each with what the checker says of the
 * program in which it stands: a line that begins with `>` for each fault, none for a legal one. Its name says where
 * the pieces stand; in `programs` they are changes of whole.py.
 */
const folder = 'test/fixtures/language/rules'

const indented = (text: string, spaces: number) => text.replace(/^(?=.)/gm, ' '.repeat(spaces))

const buffers = `
x_ub = tl.alloc_ub(64, dtype=tl.float32)
y_ub = tl.alloc_ub(64, dtype=tl.float32)
i_ub = tl.alloc_ub(64, dtype=tl.int32)
h_ub = tl.alloc_ub(64, dtype=tl.float16)
b_ub = tl.alloc_ub(64, dtype=tl.bfloat16)
m_ub = tl.alloc_ub(8, dtype=tl.uint8)
t_ub = tl.alloc_ub(1024, dtype=tl.uint8)
`
/** Gives each buffer a use and contents, whatever stands behind it. */
const used = `
tl.copy(y_ub, x_ub, count=64)
tl.duplicate(i_ub, 1, count=64)
tl.duplicate(h_ub, 1.0, count=64)
tl.cast(b_ub, x_ub, count=64)
tl.compares(m_ub, x_ub, 0.0, mode="lt", count=64)
tl.tanh(y_ub, x_ub, t_ub, count=64)
`
const staged = (compute: string, load: string, store: string, before = '') => `${buffers}${before}
with tl.copyin():
${indented(load, 4)}
with tl.compute():
${indented(used + compute, 4)}
with tl.copyout():
${indented(store, 4)}
`
/** Each core has a result of its own, in y_ub and in b_ub; w is a workspace, and a_ub gets what is read from it. */
const ofEachCore = `
x_ub = tl.alloc_ub(64, dtype=tl.float32)
y_ub = tl.alloc_ub(64, dtype=tl.float32)
a_ub = tl.alloc_ub(64, dtype=tl.float32)
b_ub = tl.alloc_ub(64, dtype=tl.float32)
me = tl.program_id(0)
with tl.copyin():
    tl.load(x_ptr, x_ub, count=8)
with tl.compute():
    tl.exp(y_ub, x_ub, count=8)
    tl.copy(b_ub, y_ub, count=8)
`
const load = 'tl.load(x_ptr, x_ub, count=64)'
const store = 'tl.store(y_ptr, y_ub, count=64)'
const scalars = {k: 'n', f: '1.5', z: 'x.shape[0] - 1'}

const places: Readonly<Record<string, (piece: string) => Sketch>> = {
  compute: (piece) => ({kernel: staged(piece, load, store), scalars}),
  copyin: (piece) => ({kernel: staged('', piece, store), scalars}),
  copyout: (piece) => ({kernel: staged('', load, piece), scalars}),
  scalars: (piece) => ({kernel: staged('', load, store, piece), scalars}),
  kernel: (piece) => ({kernel: piece, scalars}),
  shared: (piece) => ({kernel: ofEachCore + piece, scalars, cores: 'min(40, n)', workspace: '512, tl.float32'}),
  host: (piece) => ({kernel: staged('', load, store), scalars, host: piece}),
  cores: (piece) => ({kernel: staged('', load, store), scalars, cores: piece}),
  attributes: (piece) => ({kernel: staged('', load, store), scalars, attributes: piece}),
  launched: (piece) => ({kernel: staged('', load, store), scalars: {...scalars, given: piece}}),
}

/** `- ` stands before lines of the whole program that go, `+ ` before those that come in their place. */
const whole = readFileSync('test/fixtures/language/whole.py', 'utf8')

function changed(piece: string): string {
  const lines = (sign: string) =>
    piece
      .split('\n')
      .filter((line) => line.startsWith(sign))
      .map((line) => `${line.slice(2)}\n`)
      .join('')
  if (!whole.includes(lines('- '))) throw new TypeError(`the program has no\n${lines('- ')}`)
  return whole.replace(lines('- '), () => lines('+ '))
}

function saidOf(place: string, piece: string): string[] {
  const text = place === 'programs' ? changed(piece) : sketched(places[place]!(piece))
  const outcome = readProgram(text)
  if (outcome.ok) return []
  const lines = text.split('\n')
  return outcome.faults.map(({rule, line, message, mend}) => {
    const faulty = lines[line - 1]?.trim()
    return `> ${rule}${faulty === piece ? '' : ` at \`${faulty}\``}: ${message}; ${mend}`
  })
}

describe.each(readdirSync(folder))('%s', (name) => {
  const place = name.replace('.txt', '')
  const pieces = readFileSync(join(folder, name), 'utf8').trimEnd().split('\n\n')

  test.each(pieces)('%s', (piece) => {
    const lines = piece.split('\n')
    const said = lines.filter((line) => line.startsWith('> '))
    const own = lines.filter((line) => !line.startsWith('> ')).join('\n')
    expect(saidOf(place, own)).toEqual(said)
  })
})
