import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'
import {z} from 'zod'
import {contentId} from '../../../engine/ids.ts'
import {PipelineError} from '../../../engine/errors.ts'
import {runCommand} from '../../../engine/subprocess.ts'

/** A Python that has torch, and the paths of its parts. */
const TorchPython = z.object({
  /** The resolved program: inside the sandbox, the name may mean another Python. */
  command: z.string(),
  /** Version of torch. */
  torch: z.string(),
  /** Folder of the torch package. */
  package: z.string(),
  /** Folder of Python.h. */
  headers: z.string(),
  /** Folders that the sandbox must expose for it to start. */
  folders: z.array(z.string()),
})
export type TorchPython = z.infer<typeof TorchPython>

/** Our own programs and headers, which run inside the sandbox. */
export const runtimeFolder = fileURLToPath(new URL('runtime', import.meta.url))

/** Changes with what reads replies, emulates their libraries and calls their models. */
export const submissionRules = contentId(
  [
    ...['board.py', 'candidate.py', 'npu.py', 'read_reply.py', 'device/torch_device.cpp', 'device/device.cpp'],
    'device/elements.h',
    ...['pytorch_npu_helper.hpp', 'tensor_text.h', 'torch_npu/csrc/core/npu/NPUStream.h'].map(
      (one) => `include/${one}`,
    ),
  ].map((file) => readFileSync(join(runtimeFolder, file), 'utf8')),
)

// Queries torch without importing it, which takes seconds.
const question = `import importlib.metadata, importlib.util, json, os, sys, sysconfig
found = importlib.util.find_spec('torch')
print(json.dumps(found and {'command': sys.executable, 'torch': importlib.metadata.version('torch'),
  'package': os.path.dirname(found.origin),
  'headers': sysconfig.get_path('include'),
  'folders': sorted({sys.prefix, sys.base_prefix})}))`

/**
 * Asks a Python for its torch.
 * @throws PipelineError `toolchain-missing` without Python or torch
 */
export async function findTorch(python: string): Promise<TorchPython> {
  const {stdout, stderr} = await runCommand(python, ['-c', question], {timeoutSeconds: 60})
  const said = TorchPython.safeParse(stdout.trim() === '' ? undefined : JSON.parse(stdout))
  if (said.success) return said.data
  const what = `${python} has no torch, which runs modules of PyTorch and compiles bindings of submissions.`
  throw new PipelineError('toolchain-missing', what, {
    fix: `Install it: \`${python} -m pip install torch numpy\`, or choose another Python with --python.`,
    evidence: {stderr: stderr.slice(-500)},
  })
}
