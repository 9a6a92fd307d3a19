import {describe, expect, test} from 'vitest'
import {freeNames} from '../../../pipelines/documentation/free-names.ts'
import {elementTypes, isUsedAsType, typeOf} from '../../../pipelines/documentation/guessed-types.ts'

const types = {destination: 'D', source: 'S', scratch: 'W', bits: 'B'}
const all = (type: string, part: Partial<typeof types> = {}) => ({
  ...{destination: type, source: type, scratch: type, bits: 'uint8_t'},
  ...part,
})

describe('the elements of tensors', () => {
  test('are tried in order, the commonest first', () => {
    expect(elementTypes('Add(a, b);')).toEqual([
      all('half'),
      all('float'),
      all('float', {scratch: 'uint8_t'}),
      all('half', {scratch: 'uint8_t'}),
      all('half', {destination: 'float'}),
      all('float', {destination: 'half'}),
      all('float', {destination: 'int32_t'}),
      all('half', {destination: 'uint8_t'}),
      all('half', {destination: 'int8_t'}),
      all('half', {destination: 'int8_t', scratch: 'uint8_t'}),
      all('float', {destination: 'int8_t', scratch: 'uint8_t'}),
      all('int16_t'),
      all('int16_t', {scratch: 'uint8_t'}),
      all('int32_t'),
      all('int32_t', {destination: 'half', scratch: 'uint8_t'}),
      all('int16_t', {destination: 'uint8_t'}),
    ])
  })

  test('are first those that the listing names', () => {
    expect(elementTypes('Cast<int8_t, half>(a, b);').slice(0, 3)).toEqual([
      all('int8_t'),
      all('int8_t', {scratch: 'uint8_t'}),
      all('half'),
    ])
    expect(elementTypes('Move<float>(a);')).toHaveLength(16)
    expect(elementTypes('Move<bfloat16_t>(a);')).toHaveLength(18)
    expect(elementTypes('float a = 1;')[0]).toEqual(all('half'))
  })
})

describe('the type of a name', () => {
  test.each([
    // Objects, by the methods that are called on them.
    ['inQueueX', 'inQueueX.AllocTensor<half>();', 'TQue<TPosition::VECIN, 1>&'],
    ['outQueue', 'outQueue.template DeQue<half>();', 'TQue<TPosition::VECOUT, 1>&'],
    ['calc', 'calc.Get<half>();', 'TBuf<TPosition::VECCALC>&'],
    ['pipe', 'pipe.InitBuffer(q, 1, 32);', 'TPipe&'],
    ['q', 'pipe.InitBuffer(q, 1, 32);', 'TQue<TPosition::VECIN, 1>&'],
    ['q', 'pipe.InitBuffer(q, 32);', 'TBuf<TPosition::VECCALC>&'],
    ['q', 'pipe.InitBuffer(q, f(1, 2), 32);', 'TQue<TPosition::VECIN, 1>&'],
    // Addresses and what lies in global memory.
    ['x', 'g.SetGlobalBuffer((__gm__ half *)x);', 'GM_ADDR'],
    ['x', 'reinterpret_cast<__gm__ half *>(x)', 'GM_ADDR'],
    ['xGm', 'DataCopy(a, xGm, 32);', 'GlobalTensor<S>'],
    ['dstGlobal', 'DataCopy(dstGlobal, a, 32);', 'GlobalTensor<S>'],
    ['g', 'g.SetGlobalBuffer(x);', 'GlobalTensor<S>'],
    ['x', 'asc_copy_gm2ub(dst, x, 32);', '__gm__ S*'],
    ['x', 'asc_copy_ub2gm(x, src, 32);', '__gm__ S*'],
    ['xGm', '__ubuf__ float a[8]; asc_copy_gm2ub(a, xGm, 32);', '__gm__ float*'],
    // The C interface works on plain pointers.
    ['src', 'asc_exp(dst, src, 32);', '__ubuf__ S*'],
    ['srcStride', 'asc_exp(dst, src, srcStride);', 'uint32_t'],
    ['src', '__ubuf__ half a[8]; asc_exp(a, src, 32);', '__ubuf__ half*'],
    // Values, by their names.
    ['mask', 'Add(a, b, mask);', 'uint64_t'],
    ['mask', 'mask[0] = 1;', 'uint64_t*'],
    ['params', 'Add(a, b, params);', 'BinaryRepeatParams'],
    ['repeatParam', 'Exp(a, b, repeatParam);', 'UnaryRepeatParams'],
    ['copyParams', 'DataCopy(a, b, copyParams);', 'DataCopyParams'],
    ['copyParams', 'DataCopyPad(a, b, copyParams);', 'DataCopyExtParams'],
    ['padParams', 'DataCopyPad(a, b, padParams);', 'DataCopyPadExtParams<T>'],
    ['padParams', 'Add(a, b, padParams);', 'BinaryRepeatParams'],
    ['srcType', 'LocalTensor<srcType> a;', 'typename'],
    ['tiling', 'SoftMax(a, b, tiling);', 'SoftMaxTiling&'],
    ['tiling', 'AdjustSoftMaxRes(a, tiling);', ''],
    ['tiling', 'SimpleSoftMax<half>(a, tiling);', 'SoftMaxTiling&'],
    ['tiling', 'TopK(a, tiling);', 'TopkTiling&'],
    ['tiling', 'LayerNorm(a, tiling);', 'LayerNormTiling&'],
    ['tiling', 'Matmul(a, tiling);', ''],
    ['tiling', 'x = tiling;', ''],
    ['isFirst', 'Add(isFirst);', 'bool'],
    ['eventId', 'SetFlag(eventId);', 'int32_t'],
    ['scalar', 'Adds(a, b, scalar);', 'S'],
    ['scalarValue', 'Adds(a, b, scalarValue);', 'S'],
    ['epsilon', 'LayerNorm(epsilon);', 'S'],
    // Tensors, by role.
    ['dstLocal', 'Add(dstLocal, b, c);', 'LocalTensor<D>'],
    ['z', 'Add(z, b, c);', 'LocalTensor<D>'],
    ['srcLocal', 'Add(a, srcLocal, c);', 'LocalTensor<S>'],
    ['src1', 'Add(a, src1, c);', 'LocalTensor<S>'],
    ['x', 'Add(a, x, c);', 'LocalTensor<S>'],
    ['tmpLocal', 'Add(a, tmpLocal, c);', 'LocalTensor<W>'],
    ['sharedTmpBuffer', 'Add(a, sharedTmpBuffer);', 'LocalTensor<W>'],
    ['maskLocal', 'Select(a, maskLocal);', 'LocalTensor<B>'],
    ['cmpLocal', 'Select(a, cmpLocal);', 'LocalTensor<B>'],
    ['srcOffsetLocal', 'Gather(a, srcOffsetLocal);', 'LocalTensor<uint32_t>'],
    ['srcOffset', 'Gather(a, srcOffset);', 'uint32_t'],
    ['dstSize', 'Add(dstSize);', 'uint32_t'],
    ['a', 'a.SetValue(0, 1);', 'LocalTensor<S>'],
    ['count', 'Add(count);', 'uint32_t'],
    // Nothing tells the class of an object.
    ['thing', 'thing.Run();', ''],
    ['thing', 'thing->Run();', ''],
  ])('%s in %j is %j', (name, bare, type) => {
    expect(typeOf(name, bare, types)).toBe(type)
  })

  test.each([
    ['T', 'LocalTensor<T> a;', true],
    ['U', 'sizeof(U)', true],
    ['outputType', '(__gm__ outputType*)a', true],
    ['SRC_T', 'f<a, SRC_T>()', true],
    ['T', 'T a;', false],
    ['half', 'LocalTensor<half> a;', false],
    ['count', 'f<count>()', false],
  ])('%s in %j is one itself: %s', (name, bare, isType) => {
    expect(isUsedAsType(name, bare)).toBe(isType)
  })
})

describe('names that statements use and do not declare', () => {
  test.each<[string, string[]]>([
    ['Add(dst, src, count);', ['dst', 'src', 'count']],
    ['half a = b;', ['b']],
    ['LocalTensor<half> a = q.DeQue<half>();', ['q']],
    ['int a, b = c;', ['c']],
    ['a->b.c(d);', ['a', 'd']],
    ['AscendC::Add(a);', ['a']],
    ['space::name(a);', ['a']],
    ['for (int i = 0; i < n; i++) {}', ['n']],
    ['return x;', ['x']],
    ['case k: break;', ['k']],
    ['myType value(3);', []],
    ['a * b;', ['a', 'b']],
    ['f<n>(a);', ['a', 'n'].reverse()],
    ['SetFlag<HardEvent::MTE2_V>(id);', ['id']],
    ['GM_ADDR, PIPE_ALL, EVENT_ID0, MASK_PLACEHOLDER, uint8_t', []],
    ['__ubuf__ half src[total];', ['total']],
    ['a + a + a', ['a']],
    ['T x = std::max(y, 1);', ['y']],
    ['const auto& v = w;', ['w']],
    ['Params p{a, b};', ['a', 'b']],
  ])('in %j', (bare, names) => {
    expect(freeNames(bare)).toEqual(names)
  })

  test('are told by three hundred characters around them', () => {
    const far = (blanks: number) => freeNames(`myType${' '.repeat(blanks)}value = 1;`)
    expect(far(1)).toEqual([])
    expect(far(299)).toEqual([])
    expect(far(300)).toEqual(['myType', 'value'])
  })
})
