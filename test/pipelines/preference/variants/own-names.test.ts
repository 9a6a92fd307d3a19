import {expect, test} from 'vitest'
import {viewSource} from '../../../../cpp/source-view.ts'
import {isReachedInOwnOnly, ownMembers} from '../../../../pipelines/preference/variants/own-names.ts'

const views = (kernel: string, host = '', header = '') => [
  viewSource('op_kernel/k.cpp', kernel),
  viewSource('op_host/h.cpp', host),
  viewSource('op_host/t.h', header),
]

test('what an operator declares inside of classes, with the files', () => {
  const all = views(
    'namespace mine {\nclass K {\nvoid Run() { }\nint n_;\n};\n}\n',
    'struct P {\nint n_;\nint m_;\n};\n',
    'TILING_DATA_FIELD_DEF(uint32_t, length);\nTILING_DATA_FIELD_DEF_ARR(uint32_t, 4, many);\n',
  )
  const {fields, methods, scopes, tiling} = ownMembers(all)
  expect([...fields].map(([name, paths]) => [name, [...paths]])).toEqual([
    ['n_', ['op_kernel/k.cpp', 'op_host/h.cpp']],
    ['m_', ['op_host/h.cpp']],
  ])
  expect([[...methods], [...scopes], [...tiling]]).toEqual([['Run'], ['mine', 'K', 'P'], ['length', 'many']])
})

const klass = 'class K {\nvoid Run() { }\nint n_;\n};\n'
test.each<[string, string, string, string, boolean]>([
  ['a field, in the file that declares it', 'n_', `${klass}void F() { k.n_ = 1; p->n_ = 1; }`, '', true],
  ['a field, in another file', 'n_', klass, 'void F() { k.n_ = 1; }', false],
  ['a name that is no field', 'm_', klass, 'void F() { k.m_ = 1; }', false],
  ['a name that is reached in nothing', 'm_', klass, 'int m_ = 1;', true],
  ['a method of this', 'Run', `${klass}void F() { this->Run(); }`, '', true],
  ['a method of an own object', 'Run', `${klass}K k;\nvoid F() { k.Run(); }`, '', true],
  ['of one that another file declares', 'Run', klass, 'K& k = all;\nvoid F() { k.Run(); }', true],
  ['of an own template', 'Run', `${klass}K<half> k;\nvoid F() { k.Run(); }`, '', true],
  ['with arguments of a template', 'Run', `${klass}void F() { this->template Run<T>(); other.Run<T>(); }`, '', false],
  ['of an object of others', 'Run', `${klass}Other k;\nvoid F() { k.Run(); }`, '', false],
  ['of what a call gives', 'Run', `${klass}K k;\nvoid F() { get(k).Run(); }`, '', false],
  ['a method of others, of an own object', 'Walk', `${klass}K k;\nvoid F() { k.Walk(); }`, '', false],
  ['in an own scope', 'Run', `${klass}void K::Run() { }`, '', true],
  ['in an own template', 'Run', `${klass}void K<T>::Run() { }`, '', true],
  ['in a scope of others', 'Run', `${klass}void F() { Other::Run(); }`, '', false],
  ['in both', 'Run', `${klass}void F() { K::Run(); Other::Run(); }`, '', false],
])('whether all that is reached under a name is own: %s', (_, name, kernel, host, isOwn) => {
  const all = views(kernel, host)
  expect(isReachedInOwnOnly(name, all, ownMembers(all))).toBe(isOwn)
})

test('fields of the tiling and of headers are seen by all files', () => {
  const use = 'void F() { t.length = t.n_; }'
  const own = (header: string, name: string) => {
    const all = views(use, use, header)
    return isReachedInOwnOnly(name, all, ownMembers(all))
  }
  expect(own('TILING_DATA_FIELD_DEF(uint32_t, length);\n', 'length')).toBe(true)
  expect(own('struct T {\nint n_;\n};\n', 'n_')).toBe(true)
  expect(own('', 'n_')).toBe(false)
})
