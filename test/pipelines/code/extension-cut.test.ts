import {test} from 'vitest'
import type {OperatorSource} from '../../../datasets/schema/operator.ts'
import {describe as described} from '../../../pipelines/facts/source-facts.ts'
import {extensionCut} from '../../../pipelines/code/extension-cut.ts'
import {extension} from '../../../pipelines/code/offline/extension.ts'
import {both, sourceOf, toldCases} from '../../helpers/told-parts.ts'

type Role = OperatorSource['role']

const definition = (tensors: string, more = '') =>
  `class Fold : public OpDef { public: explicit Fold(const char* name) : OpDef(name) { ${tensors} ${more} } };`
const tensor = (side: string, name: string, types: string, formats = '') =>
  `this->${side}("${name}").DataType({${types}})${formats && `.Format({${formats}})`};`
const entry = (body: string) => `__global__ __aicore__ void fold(GM_ADDR x, GM_ADDR t) { ${body} }`
const arm = (key: number | string, body: string) => `if (TILING_KEY_IS(${key})) { ${body} }`
const run = (type: string) => `${type} op; op.Init(x); op.Process();`
const list = (name: string, ...types: string[]) =>
  `static const std::initializer_list<op::DataType> ${name} = {` +
  `${types.map((one) => `op::DataType::${one}`).join(', ')}};`
const looks = (method: string, name: string) =>
  `static bool ${method}(const aclTensor* self) {\n  OP_CHECK_DTYPE_NOT_SUPPORT(self, ${name}, ` +
  'return false);\n  return true;\n}'
const [two, three] = ['ge::DT_FLOAT, ge::DT_FLOAT16', 'ge::DT_FLOAT, ge::DT_FLOAT16, ge::DT_INT8']
const [nd2, nd3] = ['ge::FORMAT_ND, ge::FORMAT_ND', 'ge::FORMAT_ND, ge::FORMAT_ND, ge::FORMAT_NZ']

const files: Readonly<Record<string, readonly [Role, string]>> = {
  'two columns': ['definition', definition(tensor('Input', 'x', two, nd2) + tensor('Output', 'y', two, nd2))],
  'three columns of other types and formats': [
    'definition',
    definition(
      tensor('Input', 'x', three, nd3) +
        tensor(
          'Output',
          'y',
          'ge::DT_FLOAT, ge::DT_FLOAT16, ge::DT_FLOAT',
          'ge::FORMAT_ND, ge::FORMAT_ND, ge::FORMAT_ND',
        ),
    ),
  ],
  'columns without formats': ['definition', definition(tensor('Input', 'x', two) + tensor('Output', 'y', two))],
  'one column': [
    'definition',
    definition(tensor('Input', 'x', 'ge::DT_FLOAT') + tensor('Output', 'y', 'ge::DT_FLOAT')),
  ],
  'a tensor without types': ['definition', definition(`${tensor('Input', 'x', two)} this->Output("y").Follow("x");`)],
  'formats of another length': ['definition', definition(tensor('Input', 'x', two, 'ge::FORMAT_ND'))],
  'a last column that repeats another': ['definition', definition(tensor('Input', 'x', 'ge::DT_FLOAT, ge::DT_FLOAT'))],
  'types in a variable': [
    'definition',
    definition(
      'std::vector<ge::DataType> types = {ge::DT_FLOAT, ge::DT_INT8}; std::vector<int> other = {1, 2, ' +
        '3}; this->Input("x").DataType(types); this->Output("y").DataType(types);',
    ),
  ],
  'a chip with a table of its own': [
    'definition',
    definition(
      tensor('Input', 'x', two),
      'OpAICoreConfig c; c.Input("x").DataType({ge::DT_FLOAT, ge::DT_INT8}); ' +
        'this->AICore().AddConfig("ascend310p", c);',
    ),
  ],
  'the last of two keys': ['kernel', entry(`${arm(1, run('Fold<half>'))} else ${arm(2, run('Fold<float>'))}`)],
  'the last of three keys': [
    'kernel',
    entry(`${arm(1, run('A<half>'))} else ${arm(2, run('B<half>'))} else ${arm(3, run('Fold<float, 2>'))}`),
  ],
  'an arm by itself': [
    'kernel',
    entry(`${arm(1, 'Run<half>(x);')} ${arm(2, 'Run<float>(x); if (a) { b = sizeof(int); }')}`),
  ],
  'one key': ['kernel', entry(arm(1, run('Fold')))],
  'the same key twice': ['kernel', entry(`${arm(1, run('Fold<half>'))} ${arm(1, run('Fold<float>'))}`)],
  'an arm that something hangs on': [
    'kernel',
    entry(`${arm(1, run('A<half>'))} else ${arm(2, run('B<half>'))} else { ${run('C<half>')} }`),
  ],
  'an arm with a directive': [
    'kernel',
    entry(`${arm(1, run('A<half>'))} else if (TILING_KEY_IS(2)) {\n#if X\n${run('B<half>')}\n#endif\n}`),
  ],
  'an arm that calls nothing': ['kernel', entry(`${arm(1, run('A<half>'))} else ${arm(2, 'a = 1;')}`)],
  'keys of two entries': [
    'kernel',
    `${entry(arm(1, run('A<half>')))} ` +
      `${entry(`${arm(3, run('B<half>'))} else ${arm(4, run('C<half>'))}`).replace('fold', 'other')}`,
  ],
  'twelve keys': ['kernel', entry(Array.from({length: 12}, (_, at) => arm(at, run(`Fold<${at}>`))).join(' else '))],
  'keys together, after the last': [
    'kernel',
    entry(
      `${arm(1, run('A<half>'))} else ${arm(2, run('B<half>'))} if (TILING_KEY_IS(5) || ` +
        'TILING_KEY_IS(6)) { Other(x); }',
    ),
  ],
  'an arm of many calls': [
    'kernel',
    entry(`${arm(1, 'Ab(x);')} else ${arm(2, 'Bc(x); Cd(x); De(x); Ef(x); Fg(x); Gh(x);')}`),
  ],
  'a key of another chip': [
    'kernel',
    entry(`${arm(1, run('A<half>'))}\n#if __NPU_ARCH__ == 3510\n${arm(2, run('B<half>'))}\n#endif\n`),
  ],
  'a type of a list': ['api', `${list('TYPES', 'DT_FLOAT', 'DT_INT8')}\n${looks('CheckTypes', 'TYPES')}`],
  'a type of the longer list': [
    'api',
    `${list('A', 'DT_FLOAT', 'DT_INT8')} ${list('B', 'DT_FLOAT', 'DT_INT8', 'DT_BF16')}\n` +
      `${looks('CheckA', 'A')} ${looks('CheckB', 'B')} ${looks('CheckMore', 'B')}`,
  ],
  'a list that is compared': [
    'api',
    `${list('TYPES', 'DT_FLOAT', 'DT_INT8')}\nstatic bool Can(const aclTensor* self) { return ` +
      'Contains(TYPES, self->GetDataType()); }',
  ],
  'a list of one': ['api', `${list('TYPES', 'DT_FLOAT')}\n${looks('CheckTypes', 'TYPES')}`],
  'a list with its last type twice': [
    'api',
    `${list('TYPES', 'DT_INT8', 'DT_FLOAT', 'DT_INT8')}\n${looks('CheckTypes', 'TYPES')}`,
  ],
  'a list that nothing uses': ['api', list('TYPES', 'DT_FLOAT', 'DT_INT8')],
  'a check': [
    'api',
    'static bool CheckShape(const aclTensor* self, const aclTensor* out) {\n  OP_CHECK_NULL(self, ' +
      'return false);\n  OP_CHECK_SHAPE_NOT_EQUAL(self, out, return false);\n  return true;\n}',
  ],
  'a check with its status': [
    'api',
    'static bool CheckDims(const aclTensor* self) {\n  OP_CHECK_MAX_DIM(self, 8, return false);\n  ' +
      'return true;\n}\nint Plan() { CHECK_RET(CheckDims(self), ACLNN_ERR_PARAM_INVALID); return 1; }',
  ],
  'the last of two checks': [
    'api',
    'static bool C(const aclTensor* self) {\n  OP_CHECK_MAX_DIM(self, 8, return false);\n  ' +
      'OP_CHECK_MIN_DIM(self, 1, return false);\n  return true;\n}',
  ],
  'a check that stands twice': [
    'api',
    'static bool C(int a) {\n  OP_CHECK_MAX_DIM(self, 8, return false);\n  return true;\n}\nstatic ' +
      'bool D(int a) {\n  OP_CHECK_MAX_DIM(self, 8, return false);\n  return true;\n}',
  ],
  'a check in a branch': [
    'api',
    'static bool C(int a) {\n  if (a) {\n    OP_CHECK_MAX_DIM(self, 8, return false);\n  }\n  return true;\n}',
  ],
  'a check of another kind': [
    'api',
    'static bool C(int a) {\n  OP_CHECK_NULL(self, return false);\n  CHECK_RET(a, false);\n  return true;\n}',
  ],
  'a tiling': ['tiling', 'int Count(int n) { return n * 2; }'],
}

test('a part of a file is asked for where it can be taken out and put in again', async () => {
  const cases: Record<string, string> = {}
  for (const [name, [role, text]] of Object.entries(files)) {
    const side = role === 'kernel' ? 'kernel' : 'host'
    const source = sourceOf(text, {role, side})
    const cut = await extensionCut(source, await described(source))
    if (!cut) cases[name] = '\n'
    else {
      const told = both((speaker) =>
        Object.values(extension(source, cut, speaker))
          .slice(1)
          .join('\n\n'),
      )
      cases[name] = `${cut.text.replace(/\s+/g, ' ')}\n${told}`
    }
  }
  toldCases('extensions', cases)
})
