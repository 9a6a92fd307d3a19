import {mkdtempSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {buildDirect} from '../../../helpers/direct-program.ts'
import type {Tools} from '../../../../eval/executors/tools.ts'
import {twinTools} from '../../../../eval/executors/twin.ts'
import {directFiles, directLaunch} from '../../../../pipelines/ascendcraft/lower/lower-direct.ts'
import {lower} from '../../../../pipelines/ascendcraft/lower/lower.ts'
import {sixStrings} from '../../../../pipelines/ascendcraft/lower/six-strings.ts'
import {golden} from '../../../helpers/golden.ts'
import {checkedFixture, loweringGolden, wave} from '../../../helpers/lowering.ts'
import {testCompiler} from '../../../helpers/real-executor.ts'
import {twinCache} from '../../../helpers/test-cache.ts'

describe('six strings', () => {
  const model = `import torch\n\nclass ModelNew(torch.nn.Module):\n    pass\n`
  const reply = sixStrings(checkedFixture('every-operation'), 'every_operation', model)

  test('are one block of Python that reads as it did', () => {
    expect(reply).toMatch(/^```python\n[\s\S]*\n```\n$/)
    golden(loweringGolden('every-operation', 'six-strings'), reply)
  })

  test('hold the files of the operator and the definition of its project', () => {
    const strings = Object.fromEntries(
      [...reply.matchAll(/^(\w+) = r'''\n([\s\S]*?)'''$/gm)].map(([, name, text]) => [name, text]),
    )
    const {files} = lower(checkedFixture('every-operation'), {operator: 'EveryOperationCustom'})
    expect([strings['host_tiling_src'], strings['host_operator_src'], strings['kernel_src']]).toEqual(
      files.map(({text}) => text),
    )
    expect(strings['model_src']).toBe(model)
    expect(JSON.parse(strings['project_json_src'] ?? '')).toEqual([
      {
        op: 'EveryOperationCustom',
        language: 'cpp',
        input_desc: [
          {name: 'x', param_type: 'required', format: ['ND'], type: ['float']},
          {name: 'index', param_type: 'required', format: ['ND'], type: ['int64']},
        ],
        output_desc: [
          {name: 'y', param_type: 'required', format: ['ND'], type: ['float']},
          {name: 'z', param_type: 'required', format: ['ND'], type: ['int32']},
        ],
        attr: [{name: 'slope', param_type: 'optional', type: 'float', default_value: '0.25'}],
      },
    ])
  })

  test('name files and function after the task, and the type after its words', () => {
    const numbered = sixStrings(checkedFixture('scaled-add'), 'add_2d', model)
    expect(numbered).toContain('#include "add_2d_custom_tiling.h"')
    expect(numbered).toContain('m.def("add_2d_custom", &add2dCustom);')
    expect(numbered).toContain('OP_ADD(Add2dCustom);')
    expect(numbered).toContain('void add2d_custom(GM_ADDR')
  })

  test('quote a model that has quotes of its own', () => {
    const quoted = sixStrings(checkedFixture('scaled-add'), 'scaled_add', "x = '''a'''\ny = 1")
    expect(quoted).toContain(`model_src = r"""\nx = '''a'''\ny = 1\n"""`)
  })
})

describe('direct launch', () => {
  let tools: Tools
  let workDirectory: string

  beforeAll(async () => {
    workDirectory = mkdtempSync(join(tmpdir(), 'direct-lowering-'))
    tools = await twinTools({cacheDirectory: twinCache, workDirectory, ...testCompiler})
  }, 120_000)

  afterAll(() => rmSync(workDirectory, {recursive: true, force: true}))

  test('is JSON with the files of kernel and binding', () => {
    const checked = checkedFixture('mean-square')
    const reply = JSON.parse(
      directLaunch(checked, {
        operator: 'MeanSquareCustom',
        problem: 'mean_square',
        author: 'someone',
        description: 'a mean',
        modelSource: 'import torch\n',
      }),
    )
    expect(reply).toMatchObject({
      name: 'mean_square_custom',
      entry: {model: 'ModelNew.py::ModelNew'},
      build: {type: 'ascendc_direct_launch'},
    })
    const files = directFiles(checked, 'MeanSquareCustom')
    expect(reply.sources).toEqual([
      {path: 'ModelNew.py', content: 'import torch\n'},
      ...files.map(({path, text}) => ({path, content: text})),
    ])
    golden(loweringGolden('mean-square', 'direct'), files.map(({path, text}) => `=== ${path}\n${text}`).join(''))
    golden(
      loweringGolden('row-affine', 'direct'),
      directFiles(checkedFixture('row-affine'), 'RowAffineCustom')
        .map(({path, text}) => `=== ${path}\n${text}`)
        .join(''),
    )
  })

  test('launches a kernel that gives the same as the operator', async () => {
    const files = directFiles(checkedFixture('mean-square'), 'MeanSquareCustom').filter(
      ({path}) => !path.endsWith('pybind11.cpp'),
    )
    const main = `#include <cmath>
#include <cstdio>
#include <vector>
#include "acl/acl.h"
#include "mean_square_custom_launch.h"

int main()
{
    aclrtSetDevice(0);
    aclrtStream stream = nullptr;
    aclrtCreateStream(&stream);
    std::vector<float> values(5000);
    for (size_t at = 0; at < values.size(); ++at) values[at] = static_cast<float>(2 * std::sin(at * 0.7317));
    uint8_t *x = nullptr, *y = nullptr, *workspace = nullptr;
    aclrtMalloc(reinterpret_cast<void**>(&x), 20000, ACL_MEM_MALLOC_HUGE_FIRST);
    aclrtMalloc(reinterpret_cast<void**>(&y), 4, ACL_MEM_MALLOC_HUGE_FIRST);
    aclrtMalloc(reinterpret_cast<void**>(&workspace), 512, ACL_MEM_MALLOC_HUGE_FIRST);
    aclrtMemcpy(x, 20000, values.data(), 20000, ACL_MEMCPY_HOST_TO_DEVICE);
    LaunchMeanSquareCustom(5, stream, x, y, workspace, {5000, 1000, 512, 5, 1.0f / 5000});
    aclrtSynchronizeStream(stream);
    float mean = 0;
    aclrtMemcpy(&mean, 4, y, 4, ACL_MEMCPY_DEVICE_TO_HOST);
    std::printf("%.6f\\n", mean);
    aclrtFree(x);
    aclrtFree(y);
    aclrtFree(workspace);
    aclrtDestroyStream(stream);
    aclrtResetDevice(0);
    return 0;
}
`
    const built = await buildDirect(tools, {
      files: [...files, {path: 'main.cpp', text: main}],
      units: ['main.cpp', 'kernel/mean_square_custom_kernel.cpp'],
      include: ['kernel'],
    })
    if (!built.ok) throw new Error(JSON.stringify(built.verdict))
    const end = await built.build.run()
    await built.build.dispose()
    expect(end).toMatchObject({code: 0, stderr: ''})
    const mean = Array.from(wave(5000), (one) => one * one).reduce((all, one) => all + one, 0) / 5000
    expect(Number(end.stdout)).toBeCloseTo(mean, 5)
  }, 120_000)
})
