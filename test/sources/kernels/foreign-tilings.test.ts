import {expect, test} from 'vitest'
import {calledForeign} from '../../../sources/kernels/foreign-tilings.ts'

const file = (path: string, text: string) => ({path, text})
const own = file(
  'op_host/a_tiling.cpp',
  'ge::graphStatus Tiling() { return ForNewChip(Start()); }\nint Start() { return 1; } // no OnlySaid\n',
)

/** Paths of those that come along, in the order in which they are found to be called. */
const taken = (...foreign: {path: string; text: string}[]) => calledForeign([own], foreign).map(({path}) => path)

test.each<[string, string[], string[]]>([
  ['one that is called', ['int ForNewChip(int x) { return x; }'], ['0']],
  ['one that nobody calls', ['int ForOldChip(int x) { return x; }'], []],
  [
    'one that is called by another that is',
    ['int Inner() { return 2; }', 'int ForNewChip() { return Inner(); }'],
    ['1', '0'],
  ],
  ['one that is called by another that is not', ['int Inner() { return 2; }', 'int Other() { return Inner(); }'], []],
  ['a method of a class that is called', ['bool ForNewChip::Run(int x) const { return true; }'], ['0']],
  [
    'one that only a comment defines or names',
    ['int Said() { return 1; } // ForNewChip', '/*\nint ForNewChip() {}\n*/', 'int OnlySaid() { return 1; }'],
    [],
  ],
  ['one whose function is of its file alone', ['static int ForNewChip(int x) { return x; }'], []],
  ['one that only declares it', ['int ForNewChip(int x);'], []],
  ['one that has a function of the same name as ours', ['int Start() { return 3; }'], []],
  ['one that stands for another operator', ['int ForNewChip() { return 1; }\nIMPL_OP_OPTILING(Other).Tiling(F);'], []],
  ['one with a longer name', ['int ForNewChips() { return 1; }'], []],
])('%s', (_, texts, expected) => {
  expect(taken(...texts.map((text, at) => file(String(at), `${text}\n`)))).toEqual(expected)
})

test('what a text calls that is called is looked for in all that is left', () => {
  const chain = ['int C() { return 1; }', 'int B() { return C(); }', 'int ForNewChip() { return B(); }']
  expect(taken(...chain.map((text, at) => file(String(at), text)))).toEqual(['2', '1', '0'])
})
