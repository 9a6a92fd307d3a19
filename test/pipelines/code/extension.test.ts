import {readFileSync} from 'node:fs'
import {describe, expect, test} from 'vitest'
import {CheckedOperatorSource, type OperatorSource} from '../../../datasets/schema/operator.ts'
import kernelCot from '../../../pipelines/code/kernel-cot.ts'
import {runStage} from '../../helpers/run-stage.ts'
import {describedSources} from '../../helpers/described.ts'

const [line] = readFileSync('test/fixtures/stages/kernel-cot/offline-kernel-and-host/in.jsonl', 'utf8').split('\n')
const {verdict: _, ...source} = CheckedOperatorSource.parse(JSON.parse(line ?? ''))

/** The second sample of a file, with the file that its request shows. */
async function second(role: OperatorSource['role'], text: string) {
  const side = role === 'kernel' ? ('kernel' as const) : ('host' as const)
  const one = {
    ...source,
    role,
    side,
    dependencies: [],
    tiling: '',
    proof: 'parsed' as const,
    target: {path: 'a.cpp', text},
  }
  const {outputs, dropped} = await runStage(kernelCot(), await describedSources([one]))
  if (dropped[0]?.reason === 'hollow') return undefined
  expect(dropped).toEqual([])
  expect(outputs[0]?.files[0]?.text).toBe(text)
  const sample = outputs[1]
  const shown = sample?.prompt.split('```cpp\n')[1]?.split('\n```')[0] ?? ''
  return sample && {...sample, shown}
}

const definition = (columns: string, k: string, formats: string) => `
class Twice : public OpDef {
public:
  explicit Twice(const char* name) : OpDef(name) {
    this->Input("x").ParamType(REQUIRED).DataType({${columns}}).Format({${formats}});
    this->Input("k").ParamType(REQUIRED).DataType({${k}}).Format({${formats}});
    this->Output("y").ParamType(REQUIRED).DataType({${columns}}).Format({${formats}});
    this->AICore().AddConfig("ascend910b");
  }
};
OP_ADD(Twice);
`

describe('a definition is extended', () => {
  const types = 'ge::DT_FLOAT, ge::DT_BF16'
  const formats = 'ge::FORMAT_ND, ge::FORMAT_ND'

  test('by its last column, in every list', async () => {
    const sample = await second('definition', definition(types, 'ge::DT_INT32, ge::DT_INT64', formats))
    expect(sample?.shown).toBe(definition('ge::DT_FLOAT', 'ge::DT_INT32', 'ge::FORMAT_ND').trimEnd())
    expect(sample?.prompt).toMatch(/`DT_BF16`.*`k` `DT_INT64`.*`FORMAT_ND`/)
    expect(sample?.reasoning).toContain('6')
    expect(sample?.files[0]?.text).toContain(types)
  })

  test.each([
    ['a single column', 'ge::DT_FLOAT', 'ge::DT_INT32', 'ge::FORMAT_ND'],
    ['a last column that repeats', 'ge::DT_FLOAT, ge::DT_FLOAT', 'ge::DT_INT32, ge::DT_INT32', formats],
    ['lists of different length', types, 'ge::DT_INT32, ge::DT_INT64', 'ge::FORMAT_ND'],
  ])('not with %s', async (_, columns, k, layout) => {
    expect(await second('definition', definition(columns, k, layout))).toBeUndefined()
  })

  test('not where a chip counts by the same list', async () => {
    const shared = definition(types, 'ge::DT_INT32, ge::DT_INT64', formats)
      .replace('DataType({ge::DT_INT32, ge::DT_INT64})', 'DataType(kTypes)')
      .replace(
        'class Twice',
        'static const std::vector<ge::DataType> kTypes = {ge::DT_INT32, ge::DT_INT64};\nclass Twice',
      )
    expect((await second('definition', shared))?.shown).toContain('kTypes = {ge::DT_INT32};')
    const counted = shared.replace(
      'this->AICore().AddConfig("ascend910b");',
      'OpAICoreConfig c;\n    c.Input("k").DataType(kTypes);\n    this->AICore().AddConfig("ascend910b", c);',
    )
    expect(await second('definition', counted)).toBeUndefined()
  })
})

const arm = (key: number, type: string) => `if (TILING_KEY_IS(${key})) {
    Twice<${type}> op;
    op.Init(x, y);
    op.Process();
  }`
const entry = (body: string) => `extern "C" __global__ __aicore__ void twice(GM_ADDR x, GM_ADDR y) {\n  ${body}\n}\n`

describe('an entry is extended', () => {
  test('by the last arm of a chain', async () => {
    const sample = await second('kernel', entry(`${arm(1, 'half')} else ${arm(2, 'float')}`))
    expect(sample?.shown).toBe(entry(arm(1, 'half')).trimEnd())
    expect(sample?.prompt).toContain('`Twice<float>`')
    expect(sample?.reasoning).toContain('`Twice<half>`')
  })

  test('by the last of several statements', async () => {
    const sample = await second('kernel', entry(`${arm(1, 'half')}\n  ${arm(2, 'float')}`))
    expect(sample?.shown).toBe(entry(arm(1, 'half')).trimEnd())
  })

  test('beside all keys of this chip, also those that share an arm or stand behind a condition', async () => {
    const shared = arm(3, 'int8_t').replace('(3)', '(3) || TILING_KEY_IS(4)')
    const old = `#if __CCE_AICORE__ < 220\n  ${arm(9, 'int')}\n#endif\n  `
    const sample = await second('kernel', entry(`${old}${shared} else ${arm(1, 'half')} else ${arm(2, 'float')}`))
    expect(sample?.prompt).toMatch(/`3`(?: and |、|, )`4`(?: and |、|, )`1`/)
    expect(sample?.prompt).not.toMatch(/tiling key[^.。]*`9`/)
    const more = `\n#if __CCE_AICORE__ >= 220\n  else ${arm(5, 'int')}\n#endif`
    const inside = await second('kernel', entry(`${arm(1, 'half')} else ${arm(2, 'float')}${more}`))
    expect(inside?.prompt).toMatch(/`1`(?: and |、)`5`/)
    expect(inside?.reasoning).not.toMatch(/After the arms|放在已有分支之后/)
  })

  test.each([
    ['one arm', arm(1, 'half')],
    ['a key that another arm has', `${arm(1, 'half')} else ${arm(1, 'float')}`],
    ['an arm after the last key', `${arm(1, 'half')} else ${arm(2, 'float')} else { Other(); }`],
    [
      'a condition of the preprocessor inside',
      `${arm(1, 'half')} else ${arm(2, 'float').replace('op.Process', '\n#if A\nop.P();\n#endif\nop.Process')}`,
    ],
  ])('not with %s', async (_, body) => expect(await second('kernel', entry(body))).toBeUndefined())
})

const api = (types: string, check: string) => `
static const std::initializer_list<op::DataType> TYPES = {${types}};
static bool CheckTypes(const aclTensor* self, const aclTensor* out) {
  OP_CHECK_DTYPE_NOT_SUPPORT(self, TYPES, return false);${check}
  return true;
}
aclnnStatus Check(const aclTensor* self, const aclTensor* out) {
  CHECK_RET(CheckTypes(self, out), ACLNN_ERR_PARAM_INVALID);
  return ACLNN_SUCCESS;
}
`
const dims = '\n  OP_CHECK_MAX_DIM(self, 8, return false);'

describe('an interface is extended', () => {
  test('by the last entry of a list of types', async () => {
    const sample = await second('api', api('op::DataType::DT_FLOAT, op::DataType::DT_BF16', dims))
    expect(sample?.shown).toBe(api('op::DataType::DT_FLOAT', dims).trimEnd())
    expect(sample?.prompt).toMatch(/`TYPES`.*`DT_BF16`|`DT_BF16`.*`TYPES`/)
    expect(sample?.reasoning).not.toMatch(/Other lists|其他列表/)
  })

  test('or by a check, with the status that the caller gets', async () => {
    const sample = await second('api', api('op::DataType::DT_FLOAT', dims))
    expect(sample?.shown).toBe(api('op::DataType::DT_FLOAT', '').trimEnd())
    expect(sample?.reasoning).toContain('`ACLNN_ERR_PARAM_INVALID`')
  })

  test('not without any of them', async () => {
    expect(await second('api', api('op::DataType::DT_FLOAT', ''))).toBeUndefined()
  })
})
