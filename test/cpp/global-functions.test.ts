import {expect, test} from 'vitest'
import {globalFunctions} from '../../cpp/global-functions.ts'

const names = (text: string) => globalFunctions(text).map(({name}) => name)

test('a kernel is told with its words, parameters, template and body', () => {
  const text = `int before;
template <typename T, int N>
extern "C" __global__ __mix__(1, 2) void __aicore__ add(GM_ADDR x, Pair<int, half> y) {}
__global__ [aicore] void sub();`
  expect(globalFunctions(text)).toMatchObject([
    {name: 'add', parameters: ['GM_ADDR x', 'Pair<int, half> y'], templates: ['typename T', 'int N'], isDefined: true},
    {name: 'sub', parameters: [], templates: undefined, isDefined: false},
  ])
  expect(globalFunctions(text)[0]?.words.join(' ')).toBe(
    'template < typename T , int N > extern "C" __global__ __mix__ ( 1 , 2 ) void __aicore__',
  )
})

test('neither a comment, nor a macro, nor the function behind a declaration of another kind is a kernel', () => {
  expect(names('// __global__ void a() {}\n#define K(n) __global__ void n(int x) {}')).toEqual([])
  expect(names('extern __global__ __aicpu__ uint32_t Other(Args);\nvoid host(int n) {}')).toEqual([])
})

test('a macro of a library may stand for the word, and a constant of such a name for none', () => {
  const text = 'extern "C" LIB_GLOBAL void Attend(GM_ADDR q) {}\nint mode = MEMORY_GLOBAL;\nvoid host(int n) {}'
  expect(globalFunctions(text)).toMatchObject([{name: 'Attend', parameters: ['GM_ADDR q'], isDefined: true}])
})

test('words begin behind a directive', () => {
  expect(globalFunctions('#include <a.h>\n__global__ void k(int a) {}')[0]?.words).toEqual(['__global__', 'void'])
})
