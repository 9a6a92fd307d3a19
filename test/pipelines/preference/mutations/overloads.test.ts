import {expect, test} from 'vitest'
import {overloadMutations} from '../../../../pipelines/preference/mutations/overloads.ts'
import {madeBy} from './places.ts'

const kernelHead = 'LocalTensor<T> a;\nLocalTensor<T> b;\n'
const inKernel = madeBy(overloadMutations, 'op_kernel/a.cpp', kernelHead)

const copyOfHalves =
  'GlobalTensor<half> xGm_; DataCopyExtParams copyParams{1, static_cast<uint32_t>(n * sizeof(half)), 0, 0, 0}; '

test.each<[string, string, [string, string][]]>([
  [
    'invented-interface',
    'AscendC::Exp(a, b, n);',
    [
      ['AscendC::Expf(a, b, n);', 'AscendC has no Expf; Exp was meant'],
      ['AscendC::VecExp(a, b, n);', 'AscendC has no VecExp; Exp was meant'],
      ['AscendC::Exponential(a, b, n);', 'AscendC has no Exponential; Exp was meant'],
    ],
  ],
  [
    'invented-interface',
    'Power(a, b, n); x = Exp(a, b, n);',
    [
      ['AscendC::PowerTensor(a, b, n); x = Exp(a, b, n);', 'AscendC has no PowerTensor; Power was meant'],
      ['AscendC::PowerVec(a, b, n); x = Exp(a, b, n);', 'AscendC has no PowerVec; Power was meant'],
    ],
  ],
  [
    'wrong-namespace',
    'Exp(a, b, n);',
    [
      ['AscendC::vec::Exp(a, b, n);', 'AscendC::vec is no namespace'],
      ['AscendC::Vector::Exp(a, b, n);', 'AscendC::Vector is no namespace'],
      ['AscendC::ops::Exp(a, b, n);', 'AscendC::ops is no namespace'],
    ],
  ],
  [
    'wrong-namespace',
    'AscendC::Exp(a, b, n);',
    [
      ['AscendC::vec::Exp(a, b, n);', 'AscendC::vec is no namespace'],
      ['AscendC::Vector::Exp(a, b, n);', 'AscendC::Vector is no namespace'],
      ['AscendC::ops::Exp(a, b, n);', 'AscendC::ops is no namespace'],
    ],
  ],
  [
    'scalar-and-tensor-forms-mixed',
    'Muls(a, b, v, n); AscendC::Sub(a, b, b, n); Power(a, b, n);',
    [
      ['Mul(a, b, v, n); AscendC::Sub(a, b, b, n); Power(a, b, n);', 'Mul with what Muls takes'],
      ['Muls(a, b, v, n); AscendC::Adds(a, b, b, n); Power(a, b, n);', 'Adds with what Sub takes'],
    ],
  ],
  [
    'wrong-copy-form',
    'DataCopy(a, xGm_, n);',
    [
      ['DataCopyPad(a, xGm_, n);', 'DataCopyPad with a count where it takes parameters'],
      ['DataCopyPad(a, xGm_);', 'DataCopyPad without parameters'],
      ['DataCopy(a, xGm_, {1, n * sizeof(T), 0, 0, 0});', 'DataCopy with five values for its parameters'],
      ['DataCopy(a, xGm_, 1, n * sizeof(T), 0, 0);', 'DataCopy with the fields of its parameters'],
      ['DataCopy(a, 0, xGm_, 0, n);', 'DataCopy with offsets of its own'],
    ],
  ],
  // The length stays that of the copy, and the type that of its tensors: no copy of 32 of something.
  [
    'wrong-copy-form',
    `${copyOfHalves}DataCopyPad(this->xGm_[i], z, copyParams);`,
    [
      [`${copyOfHalves}DataCopyPad(this->xGm_[i], z, n);`, 'DataCopyPad with a count where it takes parameters'],
      [`${copyOfHalves}DataCopyPad(this->xGm_[i], z);`, 'DataCopyPad without parameters'],
      [
        `${copyOfHalves}DataCopy(this->xGm_[i], z, {1, n * sizeof(half), 0, 0, 0});`,
        'DataCopy with five values for its parameters',
      ],
      [
        `${copyOfHalves}DataCopyPad(this->xGm_[i], z, 1, n * sizeof(half), 0, 0);`,
        'DataCopyPad with the fields of its parameters',
      ],
      [`${copyOfHalves}DataCopy(this->xGm_[i], 0, z, 0, n);`, 'DataCopy with offsets of its own'],
      [`${copyOfHalves}DataCopy(this->xGm_[i], z, copyParams);`, 'DataCopy with the parameters of DataCopyPad'],
    ],
  ],
  [
    'wrong-copy-form',
    'DataCopyPad(a, xGm_, copyParams, pad);',
    [['DataCopyPad(a, xGm_);', 'DataCopyPad without parameters']],
  ],
  ['wrong-copy-form', 'DataCopyPad(a, xGm_);', []],
  ['wrong-copy-form', 'DataCopy(a); x = DataCopy(a, xGm_, n); Copy(a, xGm_, n);', []],
  [
    'swapped-padding-direction',
    'DataCopyPad(a, xGm_[i], p);',
    [['DataCopyPad(xGm_[i], a, p);', 'source xGm_[i] and destination a change places']],
  ],
  [
    'swapped-padding-direction',
    'DataCopyPadCustom(yGm_, a, p);',
    [['DataCopyPadCustom(a, yGm_, p);', 'source a and destination yGm_ change places']],
  ],
  ['swapped-padding-direction', 'DataCopyPad(a, xGm_); DataCopy(a, xGm_, p); x = DataCopyPad(a, xGm_, p);', []],
  [
    'wrong-template-arguments',
    'Exp(a, b, n);',
    [
      ['Exp<float, half, float>(a, b, n);', 'Exp<float, half, float>: template arguments that it does not have'],
      ['Exp<true>(a, b, n);', 'Exp<true>: template arguments that it does not have'],
      ['Exp<RoundMode::CAST_NONE>(a, b, n);', 'Exp<RoundMode::CAST_NONE>: template arguments that it does not have'],
      ['Exp<2>(a, b, n);', 'Exp<2>: template arguments that it does not have'],
    ],
  ],
  ['wrong-template-arguments', 'Exp<T>(a, b, n);', []],
  [
    'queue-for-tensor',
    'TQue<X, 1> q; TBuf<> r; TQue<Y, 1> s; Muls(a, b[i], v, n);',
    [
      ['TQue<X, 1> q; TBuf<> r; TQue<Y, 1> s; Muls(q, b[i], v, n);', 'Muls with q itself for a'],
      ['TQue<X, 1> q; TBuf<> r; TQue<Y, 1> s; Muls(r, b[i], v, n);', 'Muls with r itself for a'],
      ['TQue<X, 1> q; TBuf<> r; TQue<Y, 1> s; Muls(a, q, v, n);', 'Muls with q itself for b[i]'],
      ['TQue<X, 1> q; TBuf<> r; TQue<Y, 1> s; Muls(a, r, v, n);', 'Muls with r itself for b[i]'],
    ],
  ],
  ['queue-for-tensor', 'TQueBind<X, 1> q; Muls(a, b, v, n);', []],
  [
    'repeats-without-strides',
    'Exp(a, b, n);',
    [
      ['Exp(a, b, 64, 1);', 'Exp with mask and repeat times but without strides'],
      ['Exp(a, b, 128, 4);', 'Exp with mask and repeat times but without strides'],
    ],
  ],
  ['repeats-without-strides', 'DataCopy(a, b, n); Exp(a, n); Add(a, b, b);', []],
])('%s: %j', (name, text, expected) => {
  expect(inKernel(name, text)).toEqual(expected)
  expect(madeBy(overloadMutations, 'op_host/a.cpp', kernelHead)(name, text)).toEqual([])
})

const inHost = madeBy(overloadMutations, 'op_host/a.cpp')

test.each<[string, string, [string, string][]]>([
  [
    'invented-host-name',
    'f(ge::DT_FLOAT, ge::DT_FLOAT16, ge::DT_INT32, ge::DT_BF16, DT_INT32, ge::DT_FLOAT8);',
    [
      [
        'f(ge::DT_FLOAT32, ge::DT_FLOAT16, ge::DT_INT32, ge::DT_BF16, DT_INT32, ge::DT_FLOAT8);',
        'ge::DT_FLOAT32 is no data type of ge',
      ],
      [
        'f(ge::DT_FLOAT, ge::DT_HALF, ge::DT_INT32, ge::DT_BF16, DT_INT32, ge::DT_FLOAT8);',
        'ge::DT_HALF is no data type of ge',
      ],
    ],
  ],
  [
    'invented-host-name',
    'return ge::GRAPH_SUCCESS; x = GRAPH_SUCCESS; y = ge::GRAPH_FAILED;',
    [['return ge::SUCCESS_STATUS; x = GRAPH_SUCCESS; y = ge::GRAPH_FAILED;', 'ge::SUCCESS_STATUS does not exist']],
  ],
  [
    'invented-host-name',
    'f(ge::FORMAT_ND, ge::FORMAT_NCHW);',
    [['f(ge::FORMAT_NONE, ge::FORMAT_NCHW);', 'ge::FORMAT_NONE is no format of ge']],
  ],
  [
    'invented-host-name',
    'platform_ascendc::PlatformAscendC p(1); void F(gert::TilingContext* c, gert::Shape s);',
    [
      [
        'platform_ascendc::PlatformAscendCInfo p(1); void F(gert::TilingContext* c, gert::Shape s);',
        'platform_ascendc has no PlatformAscendCInfo',
      ],
      ['platform_ascendc::PlatformAscendC p(1); void F(gert::TilingCtx* c, gert::Shape s);', 'gert has no TilingCtx'],
    ],
  ],
  [
    'mixed-signs',
    'n = std::max(a, 1u); m = 0x1u; k = 1; j = 12u + x1u;',
    [
      ['n = std::max(a, 1); m = 0x1u; k = 1; j = 12u + x1u;', '1 is signed, what it is compared with is not'],
      ['n = std::max(a, 1u); m = 0x1u; k = 1; j = 12 + x1u;', '12 is signed, what it is compared with is not'],
    ],
  ],
])('host, %s: %j', (name, text, expected) => {
  expect(inHost(name, text)).toEqual(expected)
  expect(madeBy(overloadMutations, 'op_kernel/a.cpp')(name, text)).toEqual([])
})
