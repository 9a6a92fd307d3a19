import {describe, expect, test} from 'vitest'
import {readPrototypes} from '../../../pipelines/documentation/prototype.ts'

const names = (code: string) =>
  readPrototypes(code).map(
    ({name, parameters}) => `${name}(${parameters.map((parameter) => parameter.name).join(',')})`,
  )

describe('readPrototypes', () => {
  test('keeps the brackets of an operator apart from its parameters', () => {
    const call = '__aicore__ inline __inout_pipe__(S) __ubuf__ PrimType& operator()(const uint32_t offset) const'
    expect(names(`${call}\n__aicore__ inline void Move(uint32_t gap)`)).toEqual(['operator()(offset)', 'Move(gap)'])
    expect(names('int operator()() const')).toEqual(['operator()()'])
    expect(readPrototypes(call)[0]!.parameters).toEqual([{name: 'offset', type: 'const uint32_t'}])
    expect(readPrototypes(call)[0]!.text).toContain('operator()(const uint32_t offset) const')
  })

  test('reads templates, defaults, references and arrays', () => {
    expect(
      readPrototypes(
        'template <typename T, bool isSetMask = true>\n__aicore__ inline void Add(const LocalTensor<T>& dst, uint64_t mask[], const uint8_t repeatTime = 1)',
      ),
    ).toEqual([
      {
        name: 'Add',
        returns: 'void',
        templates: [
          {name: 'T', type: 'typename'},
          {name: 'isSetMask', type: 'bool', defaultValue: 'true'},
        ],
        parameters: [
          {name: 'dst', type: 'const LocalTensor<T>&'},
          {name: 'mask', type: 'uint64_t[]'},
          {name: 'repeatTime', type: 'const uint8_t', defaultValue: '1'},
        ],
        text: 'template <typename T, bool isSetMask = true>\n__aicore__ inline void Add(const LocalTensor<T>& dst, uint64_t mask[], const uint8_t repeatTime = 1)',
      },
    ])
  })

  test('reads several in a row, without semicolons, with bodies and comments between', () => {
    expect(
      names('// first\nvoid A(int a)\nvoid B(int b); /* c */ int C() const { return 1; }\ntemplate <class T> T D(T d)'),
    ).toEqual(['A(a)', 'B(b)', 'C()', 'D(d)'])
  })

  test('reads template arguments with commas and nested brackets', () => {
    expect(names('bool InitBuffer(T& que, const Std::tuple<U, V>& addr0, const Addrs&... addrs)')).toEqual([
      'InitBuffer(que,addr0,addrs)',
    ])
  })

  test.each([
    'AscendC::Add(dstLocal, srcLocal, 512);',
    'dst = src0 + src1;',
    'enum class M { A, B };',
    'struct P { int a; };',
    'Add(x);',
    '',
    '(((',
  ])('finds none in %j', (code) => {
    expect(names(code)).toEqual([])
  })
})
