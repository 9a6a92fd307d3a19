import {expect, test} from 'vitest'
import {alsoNeeded} from '../../../sources/kernels/also-needed.ts'

const file = (path: string, text: string) => ({path, text})
const header = file('op_kernel/sort.h', 'class Sort : public Base { void Process() { Init(rows_); } };')
const base = file('op_kernel/base.h', 'class Base { int rows_; void Init(int n); };')
const paths = async (dependencies: ReturnType<typeof file>[], others: ReturnType<typeof file>[], target = header) =>
  (await alsoNeeded(target, dependencies, others)).map(({path}) => path)

test('a header that counts on files before it is given those that declare what it uses', async () => {
  const other = file('op_kernel/other.h', 'class Other { int columns_; };')
  expect(await paths([], [other, base])).toEqual(['op_kernel/base.h'])
  expect(await paths([base], [other, file('op_kernel/again.h', base.text)])).toEqual([])
  expect(await paths([], [other])).toEqual([])
})

test('the file that declares most comes first, and of what it declares no other is needed', async () => {
  const few = file('op_kernel/few.h', 'int rows_;')
  const more = file('op_kernel/more.h', 'void Init(int n); class Base {}; int rows_;')
  expect(await paths([], [few, more])).toEqual(['op_kernel/more.h'])
})

test('a name that many files declare tells nothing', async () => {
  const same = ['a', 'b', 'c'].map((name) => file(`op_kernel/${name}.h`, 'class Base {};'))
  const target = file('op_kernel/sort.h', 'class Sort : public Base {};')
  expect(await paths([], same, target)).toEqual([])
  expect(await paths([], same.slice(1), target)).toEqual(['op_kernel/b.h'])
})

test('what needs more than four files is given four', async () => {
  const names = ['A', 'B', 'C', 'D', 'E', 'F']
  const target = file('op_kernel/all.h', `class All { ${names.map((name) => `${name} x${name};`).join(' ')} };`)
  expect(
    await paths(
      [],
      names.map((name) => file(`${name}.h`, `class ${name} {};`)),
      target,
    ),
  ).toHaveLength(4)
})
