import {z} from 'zod'
import {runConfined} from '../../../executors/sandbox.ts'
import type {Limits, SandboxName} from '../../../executors/sandbox.ts'
import {jsonIn} from '../../../executors/run-report.ts'
import {runtimeFolder} from './python.ts'
import type {TorchPython} from './python.ts'

const Strings = z.object({
  project_json_src: z.string(),
  host_tiling_src: z.string(),
  host_operator_src: z.string(),
  kernel_src: z.string(),
  python_bind_src: z.string(),
  model_src: z.string(),
})
/** What a reply in the language `ascendc` consists of. */
export type SixStrings = z.infer<typeof Strings>

const BrokenRule = z.object({rule: z.string(), line: z.int(), seen: z.string()})
const Reading = z.union([
  z.object({unreadable: z.string()}),
  z.object({strings: Strings, model: z.union([z.object({error: z.string()}), BrokenRule]).optional()}),
])

/** `model` is what its source breaks, if anything: no Python, or a rule of the whitelist. */
type ReadReply = z.infer<typeof Reading>

const limits: Limits = {cpuSeconds: 10, wallSeconds: 30, memoryBytes: 1 << 30, fileBytes: 0, outputBytes: 1 << 24}

/**
 * The harness's text of a reply: the first fenced block, without the language's name; the whole text when there is no
 * fence.
 */
function fencedText(reply: string): string {
  const text = reply.trim()
  const block = /```(.*?)```/s.exec(text)
  const inner = block ? (block[1] as string).trim() : text
  const language = /^(?:python|cpp|json)\b/.exec(inner)
  return language ? inner.slice(language[0].length).trim() : inner
}

/** Reads a reply's strings off its syntax tree in a confined process; nothing of it is run. */
export async function readReply(
  python: TorchPython,
  sandbox: SandboxName,
  folder: string,
  reply: string,
): Promise<ReadReply> {
  const end = await runConfined(
    sandbox,
    [python.command, '-I', '-c', `import sys; sys.path.insert(0, sys.argv[1]); import read_reply`, runtimeFolder],
    {readOnly: [...python.folders, runtimeFolder], writable: folder},
    limits,
    {stdin: fencedText(reply)},
  )
  const reading = Reading.safeParse(jsonIn(end.stdout))
  if (reading.success) return reading.data
  return {unreadable: `reading the reply ended with ${end.killedBy ?? `status ${end.code}`}: ${end.stderr.slice(-300)}`}
}
