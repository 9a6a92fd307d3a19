import {describe, expect, test} from 'vitest'
import {parseOperatorDefinitions, kernelName} from '../../cpp/op-def.ts'
import {balanced} from '../../cpp/tokenized.ts'
import {personalDataIn} from '../../datasets/gates/personal-data.ts'
import {secretIn} from '../../datasets/gates/secrets.ts'

describe('an identity number', () => {
  const weights = [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2]
  /** With the check digit of GB 11643-1999. */
  const numbered = (birth: string) => {
    const body = `110105${birth}001`
    const sum = weights.reduce((total, weight, at) => total + weight * Number(body[at]), 0)
    return body + '10X98765432'[sum % 11]
  }
  test.each([
    ['19491231', true],
    ['19000101', true],
    ['18991231', false],
    ['21001231', true],
    ['21010101', false],
    ['19801231', true],
    ['19801301', false],
    ['19800001', false],
    ['19800131', true],
    ['19800132', false],
    ['19800100', false],
  ])('of a birth on %s is one: %s', (birth, is) => {
    expect(personalDataIn(`no. ${numbered(birth)}.`)).toBe(is ? 'identity number' : undefined)
  })
  test('has its check digit, which may be an X of either size', () => {
    const all = Array.from({length: 40}, (_, at) =>
      numbered(`1980${String(1 + (at % 12)).padStart(2, '0')}${10 + (at % 20)}`),
    )
    for (const one of all) {
      const other = one.endsWith('0') ? '1' : '0'
      expect(personalDataIn(one.slice(0, -1) + other)).toBeUndefined()
    }
    const withX = all.find((one) => one.endsWith('X')) as string
    expect(personalDataIn(withX.toLowerCase())).toBe('identity number')
    expect(personalDataIn(`${withX}1`)).toBeUndefined()
  })
})

test.each<[string, string | undefined]>([
  ['connect to 10.1.2.3 now', 'intranet address'],
  ['10.255.255.255', 'intranet address'],
  ['10.256.1.1', undefined],
  ['10.1.2.256', undefined],
  ['172.16.3.4', 'intranet address'],
  ['172.31.3.4', 'intranet address'],
  ['172.15.3.4', undefined],
  ['172.32.3.4', undefined],
  ['192.168.3.4', 'intranet address'],
  ['192.168.1.1', undefined],
  ['10.0.0.1', undefined],
  ['10.1.2.0', undefined],
  ['10.1.2.0/24', undefined],
  ['version 10.1.2.3', undefined],
  ['驱动：10.1.2.3', undefined],
  ['the version is old; use 10.1.2.3', 'intranet address'],
  ['8.8.8.8', undefined],
  ['/home/zhangsan/x', 'home folder'],
  ['/home/user/x', undefined],
  ['/home/User/x', undefined],
  ['/home/z', undefined],
  ['/home/my_name/x', undefined],
  ['C:\\\\Users\\\\zhangsan\\\\x', 'home folder'],
  ['author l00123456', 'employee number'],
  ['x l00123456', undefined],
  [`author${' '.repeat(60)}l00123456`, undefined],
  ['zhang.san@corp-a.com', 'e-mail address'],
  ['git@corp-a.com', undefined],
  ['x@example.com', undefined],
  ['q@k.transpose', undefined],
  ['电话: 13912345678', 'phone number'],
  ['+86 13912345678', 'phone number'],
  ['13912345678', undefined],
])('%j holds %s', (text, kind) => {
  expect(personalDataIn(text)).toBe(kind)
})

describe('what is called a secret', () => {
  test.each<[string, string | undefined]>([
    ['password = "ab1!"', 'password'],
    ['password = "ab1"', undefined],
    ['password = "aaaa"', undefined],
    ['password = "abab"', undefined],
    ['password = "abca"', 'password'],
    ['password = "your-own"', undefined],
    ['password = "xxx1"', undefined],
    ['password = "test"', undefined],
    ['password = "getpass()"', undefined],
    ['password = "--flag"', undefined],
    ['password = "${PASS}"', undefined],
    ['password = "%s1234"', undefined],
    ['password: hunter2x', 'password'],
    ['password: hunter', undefined],
    ['password: 123456', undefined],
    ['password: cfg->pass1', undefined],
    ['password: a1*bcd', undefined],
    ['api_key = "q9Zr4Lk2Pw8Tn3Vb"', 'key'],
    ['api_key = "q9Zr4Lk2Pw8Tn3V"', undefined],
    ['api_key = "abcdefghijklmnop"', undefined],
    ['api_key = "1234567890123456"', undefined],
    ['api_key = "0x1234567890abcdef12"', undefined],
    ['api_key = "a1a1a1a1a1a1a1a1"', undefined],
    ['api_key = "tokenizerConfig1"', undefined],
    ['api_key = "q9 Zr4Lk2Pw8Tn3Vb"', undefined],
    ['Bearer q9Zr4Lk2Pw8Tn3Vb', 'bearer token'],
    ['Bearer abcdefghijklmnop', undefined],
    ['postgres://joe:hunter2@db.host', 'credentials in an address'],
    ['postgres://joe:password@db.host', undefined],
    ['postgres://joe:abc@db.host', undefined],
  ])('%s: %s', async (text, kind) => {
    expect(await secretIn(text)).toBe(kind)
  })
})

describe('a definition of an operator', () => {
  const of = (body: string, name = 'AddCustom') =>
    parseOperatorDefinitions(`class ${name} : public OpDef {\n${body}\n};`)
  test('is told in full', () => {
    expect(
      of(`public: explicit AddCustom(const char* name) : OpDef(name) {
        this->Input("x").ParamType(REQUIRED).DataType({ge::DT_FLOAT16, ge::DT_FLOAT});
        this->Input("n").ParamType(OPTIONAL).DataType({ge::DT_INT64}).ValueDepend(OPTIONAL);
        this->Input("s").ParamType(DYNAMIC).DataTypeList({ge::DT_BOOL}).Scalar();
        this->Output("y").ParamType(REQUIRED).DataType({ge::DT_BF16}).OutputShapeDependOnCompute();
        this->Attr("alpha").AttrType(OPTIONAL).Float(1.5);
        this->Attr("axis").AttrType(REQUIRED).ListInt();
        this->AICore().AddConfig("ascend910b").AddConfig("ascend910_93");
      }`),
    ).toEqual([
      {
        operator: 'AddCustom',
        inputs: [
          {name: 'x', kind: 'required', dtypes: ['float16', 'float32']},
          {name: 'n', kind: 'optional', dtypes: ['int64'], hostValue: 'depends'},
          {name: 's', kind: 'dynamic', dtypes: ['bool'], hostValue: 'scalar'},
        ],
        outputs: [{name: 'y', kind: 'required', dtypes: ['bfloat16']}],
        attributes: [
          {name: 'alpha', required: false, type: 'Float', default: '1.5'},
          {name: 'axis', required: true, type: 'ListInt', default: ''},
        ],
        socs: ['ascend910b', 'ascend910_93'],
        shapeFromKernel: true,
      },
    ])
  })
  test('has what is its own alone', () => {
    const [one] = of('config.Input("z").DataType({ge::DT_INT8}); Input("x"); OpAICoreConfig c; c.Output("y");')
    expect(one).toMatchObject({
      inputs: [{name: 'x', kind: 'required', dtypes: []}],
      outputs: [],
      shapeFromKernel: false,
    })
  })
  test('has the name of its kernel', () => {
    expect(['AddCustom', 'Conv2DCustom', 'GELU', 'MatMulV2', 'x', 'ABTest'].map(kernelName)).toEqual([
      'add_custom',
      'conv2_d_custom',
      'gelu',
      'mat_mul_v2',
      'x',
      'ab_test',
    ])
  })
  test('ends with the bracket that is its own', () => {
    expect(balanced('a(b(c)d)e', 1)).toBe('b(c)d')
    expect(balanced('()', 0)).toBe('')
    expect(balanced('(a', 0)).toBeUndefined()
    expect(balanced('(a)', -1)).toBeUndefined()
  })
})
