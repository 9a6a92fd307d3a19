import {expect, test} from 'vitest'
import type {OperatorProject} from '../../../datasets/schema/operator.ts'
import {programOf} from '../../../sources/kernels/program.ts'
import {realExecutor} from '../../helpers/real-executor.ts'

const origin = {repository: 'r', revision: '1', path: 'math/add', licence: 'MIT'}

function files(texts: Record<string, string>): {path: string; text: string}[] {
  return Object.entries(texts).map(([path, text]) => ({path, text}))
}

const definition = `#include "register/op_def_registry.h"
namespace ops {
class AddThree : public OpDef {
public:
    explicit AddThree(const char* name) : OpDef(name)
    {
        this->Input("x").ParamType(REQUIRED).DataType({ge::DT_FLOAT}).Format({ge::FORMAT_ND});
        this->Output("y").ParamType(REQUIRED).DataType({ge::DT_FLOAT}).Format({ge::FORMAT_ND});
        this->AICore().AddConfig("ascend910b");
    }
};
OP_ADD(AddThree);
}
`
const entry = (body: string) => `#include "kernel_operator.h"
#include "../inc/three.h"
extern "C" __global__ __aicore__ void add_three(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling)
{
    ${body}
}
`
const header = `#pragma once
template <typename T>
class Three {
public:
    __aicore__ inline void Run() { value = static_cast<T>(3); }
    __aicore__ inline void Wrong() { value.Missing(); }
private:
    T value;
};
`

function project(body: string): OperatorProject {
  return {
    origin,
    operator: 'AddThree',
    host: files({'op_host/add_three_def.cpp': definition}),
    kernel: files({'op_kernel/add_three.cpp': entry(body), '../../common/inc/op_kernel/three.h': header}),
  }
}

test('files stand where they stand in their repository, and a header leads to each that the place does not', () => {
  const program = programOf(project('Three<float>().Run();'))
  expect(program.folder).toBe('math/add')
  expect(program.files.map(({path}) => path)).toEqual([
    'math/add/op_host/add_three_def.cpp',
    'math/add/op_kernel/add_three.cpp',
    'common/inc/op_kernel/three.h',
    'math/add/inc/three.h',
  ])
  expect(program.files.at(-1)?.text).toBe('#include "../../../common/inc/op_kernel/three.h"\n')
})

test('a host file of no `op_host/` is compiled in that of the operator', () => {
  const own = project('Three<float>().Run();')
  const shared = files({'../../common/src/tiling_base/util.cpp': '#include "tiling_base/util.h"\n'})
  const headers = files({'../../common/inc/tiling_base/util.h': 'int Rank(int x);\n'})
  const program = programOf({...own, host: [...own.host, ...shared], kernel: [...own.kernel, ...headers]})
  const added = program.files.filter(({path}) => path.includes('util'))
  expect(Object.fromEntries(added.map(({path, text}) => [path, text]))).toEqual({
    'math/add/op_host/shared/common/src/tiling_base/util.cpp': '#include "tiling_base/util.h"\n',
    'common/inc/tiling_base/util.h': 'int Rank(int x);\n',
    'math/add/op_host/shared/common/src/tiling_base/tiling_base/util.h':
      '#include "../../../../../../../../common/inc/tiling_base/util.h"\n',
  })
})

test('a header that is named in two ways stays itself', () => {
  const {files: placed} = programOf({
    origin,
    operator: 'AddThree',
    host: files({'op_host/add_three_def.cpp': definition}),
    kernel: files({
      'op_kernel/add_three.cpp': '#include "../../../math/sub/op_kernel/sub.h"\n#include "../sub/sub.h"\n',
      '../sub/op_kernel/sub.h': 'int sub;\n',
    }),
  })
  expect(placed.map(({path, text}) => [path, text]).slice(2)).toEqual([
    ['math/sub/op_kernel/sub.h', 'int sub;\n'],
    ['math/add/sub/sub.h', '#include "../../sub/op_kernel/sub.h"\n'],
  ])
})

test('what only other chips include, and what lies outside of the repository, is not placed', () => {
  const {files: placed} = programOf({
    origin,
    operator: 'AddThree',
    host: [],
    kernel: files({
      'op_kernel/add_three.cpp': [
        '#if __NPU_ARCH__ == 3101',
        '#include "../inc/other.h"',
        '#endif',
        '#include "../inc/three.h"',
      ].join('\n'),
      '../../common/inc/op_kernel/three.h': header,
      '../../common/inc/op_kernel/other.h': 'int other;\n',
      '../../../elsewhere.h': 'int elsewhere;\n',
    }),
  })
  expect(placed.map(({path}) => path)).toEqual([
    'math/add/op_kernel/add_three.cpp',
    'common/inc/op_kernel/three.h',
    'common/inc/op_kernel/other.h',
    'math/add/inc/three.h',
  ])
})

test('each side compiles for itself, the kernel with the templates that its entry uses', async () => {
  const executor = await realExecutor()
  const compile = (side: 'host' | 'kernel', body: string) => executor.compile({side, program: programOf(project(body))})
  expect((await compile('host', 'Three<float>().Wrong();')).outcome).toBe('compiled')
  expect((await compile('kernel', 'Three<float>().Run();')).outcome).toBe('compiled')
  const verdict = await compile('kernel', 'Three<float>().Wrong();')
  expect(verdict).toMatchObject({
    outcome: 'compile-failed',
    diagnostics: expect.arrayContaining([
      expect.objectContaining({
        file: expect.stringContaining('common/inc/op_kernel/three.h'),
        line: 6,
        severity: 'error',
      }),
    ]),
  })
})

test('a host file that does not compile is told with its place', async () => {
  const executor = await realExecutor()
  const broken = {...project(''), host: files({'op_host/add_three_def.cpp': `${definition}int f() { return gone; }\n`})}
  expect(await executor.compile({side: 'host', program: programOf(broken)})).toMatchObject({
    outcome: 'compile-failed',
    diagnostics: [{file: 'math/add/op_host/add_three_def.cpp', line: 14}],
  })
})
