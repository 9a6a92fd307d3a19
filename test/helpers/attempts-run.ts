// What hostile candidates get, in a process of its own so that it can belong to another account.
// Usage: attempts-run.ts SANDBOX CACHE WORK
import {addCase, fixtureProgram} from './operators.ts'
import {testCompiler} from './real-executor.ts'
import type {SandboxName} from '../../eval/executors/sandbox.ts'
import twin from '../../eval/executors/twin.ts'

const [, , sandbox, cacheDirectory = '', workDirectory = ''] = process.argv
const executor = await twin({
  cacheDirectory,
  workDirectory,
  sandbox: sandbox as SandboxName,
  ...testCompiler,
  limits: {run: {cpuSeconds: 2, wallSeconds: 20, memoryBytes: 2 ** 31, fileBytes: 2 ** 20}},
})

const kernel = 'op_kernel/add_demo.cpp'
const host = 'op_host/add_demo.cpp'
const first = '#include "register/op_def_registry.h"'
const headers = ['csignal', 'fcntl.h', 'cstdio', 'sys/stat.h', 'unistd.h'].map((name) => `#include <${name}>`)

type Edits = [path: string, from: string, to: string][]
const inTiling = (code: string): Edits => [
  [host, first, [first, ...headers].join('\n')],
  [host, 'AddDemoTilingData tiling;', `AddDemoTilingData tiling; ${code}`],
]
const inKernel = (code: string): Edits => [[kernel, '// place of planted faults', code]]

const attempts: Record<string, Edits> = {
  sound: [],
  'looks at values': inTiling('if (context->GetInputTensor(0)->GetData<float>() != nullptr) return ge::GRAPH_FAILED;'),
  'writes files': inTiling('if (fopen("planted", "w") || mkdir("planted", 0777) == 0) return ge::GRAPH_FAILED;'),
  'changes modes': inTiling(
    'if (chmod(".", 0777) == 0 || fchmodat(AT_FDCWD, ".", 0777, 0) == 0) return ge::GRAPH_FAILED;',
  ),
  forks: inTiling('fork();'),
  'kills the judge': inTiling('kill(getppid(), SIGKILL);'),
  'forges and leaves': inTiling('for (int fd = 1; fd < 32; ++fd) dprintf(fd, "ran {}\\n"); _exit(0);'),
  'writes behind a tensor': inKernel('((__gm__ float*)z)[-1] = 0;'),
}

const seen: Record<string, string> = {account: String(process.getuid?.())}
for (const [name, edits] of Object.entries(attempts)) {
  const dtypes = {x: 'float32', y: 'float32', z: 'float32'} as const
  const built = await executor.build(fixtureProgram('add', 'AddDemo', dtypes, ...edits))
  if (!built.ok) {
    seen[name] = built.verdict.outcome
    continue
  }
  seen[name] = (await executor.execute(built.build, addCase())).outcome
  await built.build.dispose()
}
console.log(JSON.stringify(seen))
