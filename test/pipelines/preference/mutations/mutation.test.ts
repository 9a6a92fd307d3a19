import {describe, expect, test} from 'vitest'
import {
  placesOf,
  inFile,
  inserted,
  plantAt,
  replaced,
  siteMutation,
  viewFiles,
  without,
} from '../../../../pipelines/preference/mutations/mutation.ts'
import {viewSource} from '../../../../cpp/source-view.ts'
import {firstAndReversed} from '../variants/chance.ts'

const files = ['op_host/a.cpp', 'op_kernel/a.cpp'].map((path) => ({path, text: 'f();\n  g();\nh();\n'}))
const site = (start: number, end: number, replacement: string, runs?: number) => ({
  start,
  end,
  replacement,
  says: 'wrong',
  ...(runs === undefined ? {} : {runs}),
})

describe('a mutation of places', () => {
  test('has the places of its side that change something', () => {
    const {places} = siteMutation('x', 'op_kernel', () => [site(0, 1, 'F'), site(0, 1, 'f')])
    expect(places(viewFiles(files))).toEqual([{...site(0, 1, 'F'), path: 'op_kernel/a.cpp'}])
  })
  test('is planted at one of them, and says where', () => {
    const {apply} = siteMutation('x', 'op_kernel', () => [site(7, 8, 'G'), site(12, 13, 'H')])
    expect(apply(files, firstAndReversed)).toEqual({
      files: [files[0], {path: 'op_kernel/a.cpp', text: 'f();\n  G();\nh();\n'}],
      detail: 'op_kernel/a.cpp line 2: wrong',
    })
    expect(siteMutation('x', 'op_kernel', () => []).apply(files, firstAndReversed)).toBeUndefined()
  })
  test('is planted where code runs that fits: that at its place, or that which it names, without blanks before', () => {
    const asked: [string, number][] = []
    const sites = [site(4, 5, 'x'), site(0, 1, 'F', 5), site(16, 16, 'x'), site(7, 8, 'G')]
    const {apply} = siteMutation('x', 'op_kernel', () => sites)
    const made = apply(files, firstAndReversed, (path, at) => {
      asked.push([path, at])
      return asked.length === 4
    })
    expect(asked).toEqual([7, 7, 17, 7].map((at) => ['op_kernel/a.cpp', at]))
    expect(made?.files[1]?.text).toBe('f();\n  G();\nh();\n')
    expect(apply(files, firstAndReversed, () => false)).toBeUndefined()
  })
  test('changes the file of its place alone', () => {
    const {files: planted, detail} = plantAt(files, {...site(0, 4, ''), path: 'op_host/a.cpp'})
    expect(planted.map(({text}) => text)).toEqual(['\n  g();\nh();\n', files[1]?.text])
    expect(detail).toBe('op_host/a.cpp line 1: wrong')
  })
})

test('places are texts replaced, put in, or taken out with their line', () => {
  expect(replaced({start: 1, end: 2}, 'x', 'wrong')).toEqual(site(1, 2, 'x'))
  expect(inserted(3, 'x', 'wrong')).toEqual(site(3, 3, 'x'))
  const view = viewSource('op_kernel/a.cpp', 'f();\n  g();\nh(); i();\n')
  expect(without(view, {start: 7, end: 11}, 'wrong')).toEqual(site(5, 12, ''))
  expect(without(view, {start: 12, end: 16}, 'wrong')).toEqual(site(12, 16, ''))
})

test('matches of a pattern in the code are places, but for those that are left', () => {
  const view = viewSource('op_kernel/a.cpp', '-a // -b\n-c -d')
  const sites = placesOf(view, '-$name', ({hole}) =>
    hole('name') === 'd' ? undefined : {replacement: 'b', says: 'wrong'},
  )
  expect(sites).toEqual([site(0, 2, 'b'), site(9, 11, 'b')])
})

test('a line names the namespace where the file does not use it', () => {
  const line =
    'SetFlag<HardEvent::V_S>(0); q.SetFlag(1); x->SyncAll(); AscendC::TPipe p; DataCopyPad(); SetAtomicAdd<T>();'
  const named = (text: string) => inFile(viewSource('op_kernel/a.cpp', text), line)
  expect(named('using namespace AscendC;\n')).toBe(line)
  expect(named('// using namespace AscendC;\n')).toBe(
    'AscendC::SetFlag<AscendC::HardEvent::V_S>(0); q.SetFlag(1); x->SyncAll(); AscendC::TPipe p; DataCopyPad(); ' +
      'AscendC::SetAtomicAdd<T>();',
  )
})
