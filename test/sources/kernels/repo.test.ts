import {mkdir, writeFile} from 'node:fs/promises'
import {dirname, join} from 'node:path'
import {describe, expect, test} from 'vitest'
import operatorProjects from '../../../sources/kernels/repo.ts'
import {runStage} from '../../helpers/run-stage.ts'
import {temporaryFolder} from '../../helpers/temporary.ts'

const kernel = 'extern "C" __global__ __aicore__ void add_custom(GM_ADDR x, GM_ADDR workspace, GM_ADDR tiling) {}\n'
const host =
  'namespace ops {\nclass AddCustom : public OpDef {\n  explicit AddCustom(const char* n) : OpDef(n) { this->Input("x").DataType({ge::DT_FLOAT16, ge::DT_FLOAT}); }\n};\nOP_ADD(AddCustom);\n}\n'

async function folderOf(files: Record<string, string | Uint8Array>): Promise<string> {
  const root = await temporaryFolder()
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), {recursive: true})
    await writeFile(join(root, path), content)
  }
  return root
}

async function projectsOf(files: Record<string, string | Uint8Array>, how?: Parameters<typeof operatorProjects>[0]) {
  const root = await folderOf(files)
  const {outputs, dropped} = await runStage(operatorProjects(how), [
    {root, repository: 'r', revision: '1', licence: 'MIT'},
  ])
  return {projects: outputs, dropped: dropped.map(({reason}) => reason), details: dropped.map(({detail}) => detail)}
}

describe('operatorProjects', () => {
  test('finds projects at any depth, in path order, and names them by their definition', async () => {
    const {projects, dropped} = await projectsOf({
      'math/sub/op_host/sub.cpp': host.replaceAll('AddCustom', 'SubCustom'),
      'math/sub/op_kernel/sub.cpp': kernel,
      'add/op_host/op_tiling/add_tiling.cpp': 'int t;\n',
      'add/op_host/add_def.cpp': host,
      'add/op_kernel/add.cpp': kernel,
      'add/op_kernel/inner/part.h': 'int part;\n',
      'add/tests/ut/op_kernel/test_add.cpp': kernel,
      'add/README.md': '# Add\n\n## 功能说明\n\n逐元素相加。\n',
    })
    expect(dropped).toEqual(['not-operator-code'])
    expect(projects.map(({purpose}) => purpose)).toEqual([{text: '逐元素相加。', formulas: []}, undefined])
    expect(projects.map(({operator, origin}) => [operator, origin.path])).toEqual([
      ['AddCustom', 'add'],
      ['SubCustom', 'math/sub'],
    ])
    expect(projects[0]?.host.map(({path}) => path)).toEqual(['op_host/add_def.cpp', 'op_host/op_tiling/add_tiling.cpp'])
    expect(projects[0]?.kernel.map(({path}) => path)).toEqual(['op_kernel/add.cpp', 'op_kernel/inner/part.h'])
  })

  test('finds the same in either order; whole operators first where a limit would meet other code', async () => {
    const files = {
      'add/op_api/aclnn_add.cpp': 'int api;\n',
      'add/op_host/add_def.cpp': host,
      'add/op_kernel/add.cpp': kernel,
      'loose/launch.cpp': kernel.replace('add_custom', 'loose'),
      'sub/op_api/aclnn_sub.cpp': 'int api;\n',
      'sub/op_host/sub.cpp': host.replaceAll('AddCustom', 'SubCustom'),
      'sub/op_kernel/sub.cpp': kernel,
    }
    const [byPath, whole] = [await projectsOf(files), await projectsOf(files, {order: 'whole-first'})]
    const sides = ({origin: {path}, host: own, beside}: (typeof whole.projects)[number]) =>
      `${path} ${beside?.role ?? (own.length > 0 ? 'whole' : 'kernel')}`
    expect(byPath.projects.map(sides)).toEqual(['add whole', 'add api', 'sub whole', 'sub api', 'loose kernel'])
    expect(whole.projects.map(sides)).toEqual(['add whole', 'sub whole', 'add api', 'sub api', 'loose kernel'])
    expect(new Set(whole.projects)).toEqual(new Set(byPath.projects))
    expect(whole.dropped).toEqual(byPath.dropped)
  })

  test('a header brings what each side includes, and a common header comes before a namesake', async () => {
    const include = '#include "../../common/shared.h"\n#include "near.h"\n'
    const {projects} = await projectsOf({
      'add/op_host/add_def.cpp': include + host,
      'add/op_kernel/add.cpp': include + kernel,
      'common/shared.h': '#ifdef __CCE_AICORE__\n#include "device.h"\n#else\n#include "host.h"\n#endif\n',
      'common/device.h': 'int device;\n',
      'common/host.h': 'int host;\n',
      'common/inc/op_kernel/near.h': 'int near;\n',
      'elsewhere/near.h': 'int other;\n',
    })
    const paths = projects.flatMap(({kernel: files}) => files.map(({path}) => path))
    expect(paths.filter((path) => path.startsWith('../')).sort()).toEqual([
      '../common/device.h',
      '../common/host.h',
      '../common/inc/op_kernel/near.h',
      '../common/shared.h',
    ])
  })

  test('a header brings the file that defines what the host calls, and that file what it needs itself', async () => {
    const {projects} = await projectsOf({
      'math/add/op_host/add_def.cpp': `#include "op_host/util.h"\n#include "tell/uncalled.h"\nint Of() { return Rank(3); }\n${host}`,
      'math/add/op_kernel/add.cpp': kernel,
      'common/inc/op_host/util.h': 'int Rank(int x);\n',
      'common/src/op_host/util.cpp': '#include "deep/more.h"\nint Rank(int x) {\n  return More(x);\n}\n',
      'common/inc/deep/more.h': 'int More(int x);\n',
      'common/src/more.cpp': 'int More(int x)\n{\n  return x;\n}\n',
      'common/inc/tell/uncalled.h': 'int Uncalled(int x);\n',
      'common/src/tell/uncalled.cpp': 'int Uncalled(int x)\n{\n  return x;\n}\n',
    })
    expect(projects[0]?.host.map(({path}) => path)).toEqual([
      'op_host/add_def.cpp',
      '../../common/inc/op_host/util.h',
      '../../common/src/op_host/util.cpp',
      '../../common/src/more.cpp',
    ])
  })

  test('takes the folder itself as a project', async () => {
    const {projects} = await projectsOf({'op_host/add.cpp': host, 'op_kernel/add.cpp': kernel})
    expect(projects.map(({origin, kernel: files}) => [origin.path, files[0]?.path])).toEqual([
      ['.', 'op_kernel/add.cpp'],
    ])
  })

  test('refuses half a project and says which half is missing', async () => {
    const {projects, dropped, details} = await projectsOf({'a/op_kernel/a.cpp': kernel, 'b/op_host/b.cpp': host})
    expect(projects).toEqual([])
    expect(dropped).toEqual(['host-missing', 'kernel-missing'])
    expect(details[0]).toContain('a: op_kernel without a source')
  })

  test('leaves the register API of the 950 generation aside, by folder, by name and by what a file uses', async () => {
    const {projects, dropped} = await projectsOf({
      'a/op_host/a.cpp': host,
      'a/op_kernel/a_apt.cpp': kernel,
      'a/op_kernel/arch35/a.h': 'int a;\n',
      'b/op_host/b.cpp': host,
      'b/op_kernel/b.cpp': `${kernel}void f() { RegTensor<float> r; }\n`,
      'c/op_host/c.cpp': host,
      'c/op_kernel/c.cpp': `// RegTensor is for another chip\n${kernel}`,
      'c/op_kernel/c_apt.cpp': kernel,
    })
    expect(dropped).toEqual(['other-chip', 'other-chip', 'other-chip'])
    expect(projects.map(({origin}) => origin.path)).toEqual(['c'])
    expect(projects[0]?.kernel.map(({path}) => path)).toEqual(['op_kernel/c.cpp'])
  })

  test('takes the tilings of the 950 generation that those of this one call, and no other', async () => {
    const called = 'namespace optiling {\nge::graphStatus TilingForNext(int n)\n{\n  return Deeper(n);\n}\n}\n'
    const {projects} = await projectsOf({
      'add/op_host/add_def.cpp': host,
      'add/op_host/add_tiling.cpp':
        'ge::graphStatus TilingForNext(int n);\nint Tiling(int n) { return TilingForNext(n); }\n',
      'add/op_host/add_tiling_arch35.cpp': called,
      'add/op_host/arch35/deeper.cpp': 'int Deeper(int n)\n{\n  return n;\n}\n',
      'add/op_host/arch35/alone.cpp': 'int Alone(int n)\n{\n  return n;\n}\n',
      'add/op_host/arch35/registered.cpp': `${called.replace('Next', 'Other')}int Tiling(int n)\n{\n  return n;\n}\nIMPL_OP_OPTILING(AddCustom).Tiling(Tiling);\n`,
      'add/op_kernel/add.cpp': kernel,
    })
    expect(projects[0]?.host.map(({path}) => path)).toEqual([
      'op_host/add_def.cpp',
      'op_host/add_tiling.cpp',
      'op_host/add_tiling_arch35.cpp',
      'op_host/arch35/deeper.cpp',
    ])
  })

  test('takes an operator by the chips that it is configured for, in its definition or by a folder', async () => {
    const configured = (chip: string) => host.replace('this->Input', `this->AICore().AddConfig("${chip}"); this->Input`)
    const {projects, details} = await projectsOf({
      'a/op_host/a.cpp': configured('ascend950'),
      'a/op_kernel/a.cpp': kernel,
      'b/op_host/b.cpp': configured('ascend910_93'),
      'b/op_kernel/b_310p.cpp': kernel,
      'c/op_host/c.cpp': configured('ascend950'),
      'c/op_host/config/ascend910b/c_binary.json': '{}',
      'c/op_kernel/c.cpp': kernel,
      'd/op_host/d.cpp': host,
      'd/op_host/config/ascend310p/d_binary.json': '{}',
      'd/op_kernel/d.cpp': kernel,
    })
    expect(projects.map(({origin}) => origin.path)).toEqual(['b', 'c'])
    expect(details).toEqual([
      'a: configured for ascend950, not for ascend910b or ascend910_93; with it go op_host/a.cpp, op_kernel/a.cpp',
      'd: configured for ascend310p, not for ascend910b or ascend910_93; with it go op_host/d.cpp, op_kernel/d.cpp',
    ])
  })

  test('leaves branches for other chips out of its judgement, and follows what this chip includes', async () => {
    const {projects, dropped} = await projectsOf({
      'a/op_host/a.cpp': host,
      'a/op_kernel/a.cpp': `#if __NPU_ARCH__ == 3510\n#include "arch35/a.h"\nRegTensor<float> r;\n#endif\n${kernel}`,
      'a/op_kernel/arch35/a.h': 'RegTensor<float> r;\n',
      'b/op_host/b.cpp': host,
      'b/op_kernel/b.cpp': `#include "arch35/keys.h"\n#include "../inc/own.h"\n${kernel}`,
      'b/op_kernel/arch35/keys.h': '#define KEY 1\n',
      'c/op_host/c.cpp': host,
      'c/op_kernel/c.cpp': `#include "arch35/a.h"\n${kernel}`,
      'c/op_kernel/arch35/a.h': 'RegTensor<float> r;\n',
      'common/inc/op_kernel/own.h': 'int own;\n',
    })
    expect(dropped).toEqual(['other-chip', 'of-no-operator', 'other-chip', 'other-chip'])
    expect(projects.map(({origin, kernel: files}) => [origin.path, files.map(({path}) => path)])).toEqual([
      ['a', ['op_kernel/a.cpp']],
      ['b', ['op_kernel/b.cpp', 'op_kernel/arch35/keys.h', '../common/inc/op_kernel/own.h']],
    ])
  })

  test('reads an include as installed kernels have it, and what stands beside it before all else', async () => {
    const {projects} = await projectsOf({
      'pad/grad/op_host/grad.cpp': `#include "../../base/op_host/base_tiling.h"\n${host}`,
      'pad/grad/op_kernel/grad.cpp': `#include "arch22/grad.h"\n${kernel}`,
      'pad/grad/op_kernel/arch22/grad.h': '#include "../../base/base.h"\n#include "../../inc/own.h"\n',
      'pad/base/op_kernel/base.h': '#include "base_common.h"\n',
      'pad/base/op_kernel/base_common.h': 'int device;\n',
      'pad/base/op_host/base_tiling.h': '#include "base_common.h"\n',
      'pad/base/op_host/base_common.h': 'int host;\n',
      'common/inc/op_kernel/own.h': 'int own;\n',
    })
    const grad = projects.find(({origin}) => origin.path === 'pad/grad')
    expect([grad?.host, grad?.kernel].map((files) => files?.map(({path}) => path))).toEqual([
      ['op_host/grad.cpp', '../base/op_host/base_tiling.h', '../base/op_host/base_common.h'],
      [
        'op_kernel/arch22/grad.h',
        'op_kernel/grad.cpp',
        '../base/op_kernel/base.h',
        '../../common/inc/op_kernel/own.h',
        '../base/op_kernel/base_common.h',
      ],
    ])
  })

  test('brings the host files of another operator that tile this one', async () => {
    const tiling = 'REGISTER_TILING_DATA_CLASS(AddCustom, SharedTilingData)\n'
    const {projects} = await projectsOf({
      'add/op_host/add.cpp': host,
      'add/op_kernel/add.cpp': kernel,
      'base/op_host/base_tiling.cpp': '#include "base_tiling.h"\nIMPL_OP_OPTILING(AddCustom).Tiling(f);\n',
      'base/op_host/base_tiling.h': tiling,
      'base/op_host/other_tiling.cpp': '// REGISTER_TILING_DATA_CLASS(AddCustom, Old)\n',
      'own/op_host/own.cpp': `${host.replaceAll('AddCustom', 'Own')}REGISTER_TILING_DATA_CLASS(Own, T)\n`,
      'own/op_kernel/own.cpp': kernel,
    })
    expect(projects.map(({host: files}) => files.map(({path}) => path))).toEqual([
      ['op_host/add.cpp', '../base/op_host/base_tiling.cpp', '../base/op_host/base_tiling.h'],
      ['op_host/own.cpp'],
    ])
  })

  test('finds a header by the end of its path, the nearest of several, and none of two that are as near', async () => {
    const {projects} = await projectsOf({
      'foreach/abs/op_host/abs.cpp': `#include "shared_class.h"\n#include "twice.h"\n${host}`,
      'foreach/abs/op_kernel/abs.cpp': kernel,
      'foreach/base/op_host/shared_class.h': 'int near;\n',
      'other/base/op_host/shared_class.h': 'int far;\n',
      'left/op_host/twice.h': 'int a;\n',
      'right/op_host/twice.h': 'int b;\n',
    })
    const abs = projects.find(({origin}) => origin.path === 'foreach/abs')
    expect(abs?.host.map(({path}) => path)).toEqual(['op_host/abs.cpp', '../base/op_host/shared_class.h'])
  })

  test('finds kernels that are launched directly, with the headers they include, and not the file that only launches them', async () => {
    const {projects} = await projectsOf({
      'Add/add_custom.cpp': `#include "add_tiling.h"\n${kernel}`,
      'Add/add_tiling.h': 'struct T { int n; };\n',
      'Add/data_utils.h': 'int unused;\n',
      'Add/main.cpp':
        'extern "C" __global__ __aicore__ void add_custom(GM_ADDR x, GM_ADDR workspace, GM_ADDR tiling);\nint main() {}\n',
    })
    expect(
      projects.map(({operator, host: hosts, kernel: files}) => [operator, hosts.length, files.map(({path}) => path)]),
    ).toEqual([['AddCustom', 0, ['add_custom.cpp', 'add_tiling.h']]])
  })

  test('takes headers with code of the device that no operator has, folder by folder, and nothing else', async () => {
    const device = '__aicore__ inline void Copy(AscendC::LocalTensor<float> x) {}\n'
    const {projects, details} = await projectsOf({
      'include/lib/gemm/tile/copy.hpp': `#include "lib/gemm/base.hpp"\n${device}`,
      'include/lib/gemm/tile/multiply.hpp': device,
      'include/lib/gemm/tile/parse.hpp': 'int parse(const char* text);\n',
      'include/lib/gemm/base.hpp': device,
    })
    const told = projects.map(({operator, origin, kernel: files}) => [
      operator,
      origin.path,
      files.map(({path}) => path),
    ])
    expect(told).toEqual([
      ['LibGemm', 'include/lib/gemm', ['base.hpp']],
      ['GemmTile', 'include/lib/gemm/tile', ['copy.hpp', 'multiply.hpp', '../base.hpp']],
    ])
    expect(details).toEqual([expect.stringContaining('parse.hpp')])
  })

  test('takes headers together with what stands around them, in their folder and below it', async () => {
    const device = 'LIB_DEVICE void Copy(int* x) {}\n'
    const {projects, details} = await projectsOf({
      'lib/block/block.hpp':
        '#include "lib/block/sizes.hpp"\ntemplate <class T> struct Block;\n#include "lib/block/fast.hpp"\n',
      'lib/block/fast.hpp': `#include "deep/copy.hpp"\n${device}`,
      'lib/block/sizes.hpp': 'constexpr int SIZE = 1;\n',
      'lib/block/parse.hpp':
        '#include "lib/block/sizes.hpp"\nint parse(const char* text) { return LIB_HOST_TO_DEVICE; }\n',
      'lib/block/deep/copy.hpp': device,
      'lib/block/regs.hpp': `${device}RegTensor<float> r;\n`,
      'lib/block/mx.hpp': `#if CATLASS_ARCH == 3510\n${device}#endif\n`,
    })
    expect(projects.map(({origin, kernel: files}) => [origin.path, files.map(({path}) => path)])).toEqual([
      ['lib/block', ['fast.hpp', 'block.hpp', '../block/deep/copy.hpp', 'sizes.hpp']],
      ['lib/block/deep', ['copy.hpp']],
    ])
    expect(details).toEqual([
      expect.stringMatching(/^lib\/block\/mx.hpp: it uses the interface of the 950 generation/),
      expect.stringMatching(/^lib\/block\/regs.hpp: it uses the interface of the 950 generation/),
      expect.stringMatching(/^lib\/block\/parse.hpp: it lies in no operator/),
    ])
  })

  test('reads headers of op_kernel without an entry, and drops what stands beside them by name', async () => {
    const {projects, details} = await projectsOf({
      'utils/op_host/log.h': 'int log;\n',
      'utils/op_kernel/arch/copy.h': '__aicore__ inline void Copy() {}\n',
      'utils/op_kernel/arch/sizes.h': 'constexpr int SIZE = 1;\n',
    })
    expect(projects.map(({origin, kernel: files}) => [origin.path, files.map(({path}) => path)])).toEqual([
      ['utils/op_kernel/arch', ['copy.h']],
    ])
    expect(details).toEqual([
      'utils: op_host without a kernel in op_kernel; with it go op_host/log.h',
      'utils/op_kernel/arch/sizes.h: no kernel is there, and it has no code of the device',
    ])
  })

  test('knows a kernel by the word of its library', async () => {
    const {projects} = await projectsOf({'mla.cpp': '#define LIB_GLOBAL __global__\nLIB_GLOBAL void Mla(int* x) {}\n'})
    expect(projects.map(({operator}) => operator)).toEqual(['Mla'])
  })

  test('brings along headers of the repository and of a sibling operator', async () => {
    const {projects} = await projectsOf({
      'add/op_host/add.cpp': `#include "op_host/shared_tiling.h"\n${host}`,
      'add/op_kernel/add.cpp': `#include "../sub/sub_base.h"\n${kernel}`,
      'sub/op_kernel/sub_base.h': 'int base;\n',
      'common/inc/op_host/shared_tiling.h': '#include "deep.h"\n',
      'common/inc/op_host/deep.h': 'int deep;\n',
    })
    const paths = projects.flatMap((one) => [...one.host, ...one.kernel].map(({path}) => path))
    expect(paths).toEqual([
      'op_host/add.cpp',
      '../common/inc/op_host/shared_tiling.h',
      '../common/inc/op_host/deep.h',
      'op_kernel/add.cpp',
      '../sub/op_kernel/sub_base.h',
    ])
  })

  test('reads CRLF, a byte-order mark, Latin-1 and GB18030 comments', async () => {
    const gb18030 = Buffer.concat([
      Buffer.from('// '),
      Buffer.from([0xd5, 0xe2, 0xca, 0xc7, 0xcb, 0xe3, 0xd7, 0xd3, 0xb5, 0xc4, 0xca, 0xfd, 0xbe, 0xdd]),
      Buffer.from(`\n${kernel}`),
    ])
    const {projects} = await projectsOf({
      'a/op_host/a.cpp': `\uFEFF${host.replaceAll('\n', '\r\n')}`,
      'a/op_kernel/a.cpp': Buffer.concat([Buffer.from('// d'), Buffer.from([0xe9]), Buffer.from(`bit\n${kernel}`)]),
      'b/op_host/b.cpp': host,
      'b/op_kernel/b.cpp': gb18030,
    })
    expect(projects[0]?.host[0]?.text).toBe(host)
    expect(projects[0]?.kernel[0]?.text).toMatch(/^\/\/ débit\n/)
    expect(projects[1]?.kernel[0]?.text).toMatch(/^\/\/ 这是算子的数据\n/)
  })

  test('refuses a file that is no text', async () => {
    const {dropped} = await projectsOf({
      'a/op_host/a.cpp': host,
      'a/op_kernel/a.cpp': Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0, 1, 2, 0, 0xff, 0xfe]),
    })
    expect(dropped).toEqual(['binary-file'])
  })

  test('says what to do when the folder does not exist', async () => {
    await expect(runStage(operatorProjects(), [{root: '/nowhere/at/all'}])).rejects.toMatchObject({
      code: 'input-missing',
      fix: expect.stringContaining('check the repository out'),
    })
  })
})
