import {join} from 'node:path'
import {z} from 'zod'
import {runConfined} from '../../executors/sandbox.ts'
import type {Limits, SandboxName} from '../../executors/sandbox.ts'
import {jsonIn} from '../../../engine/json.ts'
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

const Reading = z.union([
  z.object({unreadable: z.string()}),
  // `fault`: the model's source is not Python.
  z.object({strings: Strings, fault: z.string().optional()}),
])

type ReadReply = z.infer<typeof Reading>

const limits: Limits = {cpuSeconds: 10, wallSeconds: 30, memoryBytes: 1 << 30, fileBytes: 0, outputBytes: 1 << 24}

/**
 * The part of a reply that the harness uses: the first fenced block, without the language's name; the whole text when
 * there is no fence.
 */
function fencedText(reply: string): string {
  const text = reply.trim()
  const block = /```(.*?)```/s.exec(text)
  const inner = block ? (block[1] as string).trim() : text
  const language = /^(?:python|cpp|json)\b/.exec(inner)
  return language ? inner.slice(language[0].length).trim() : inner
}

/** Folder for reading replies. */
interface Reader {
  python: TorchPython
  sandbox: SandboxName
  /** The reply's own folder. */
  folder: string
}

/** Reads a reply's strings from its syntax tree in a sandboxed process; none of its code is run. */
export async function readReply(reader: Reader, reply: string): Promise<ReadReply> {
  const said = await readIn(reader, fencedText(reply))
  const reading = Reading.safeParse(jsonIn(said))
  return reading.success ? reading.data : {unreadable: `reading the reply ${said}`}
}

/** @returns its answer, or how it ended without one */
async function readIn({python, sandbox, folder}: Reader, stdin: string): Promise<string> {
  const end = await runConfined(
    sandbox,
    [python.command, '-I', join(runtimeFolder, 'read_reply.py')],
    {readOnly: [...python.folders, runtimeFolder], writable: folder},
    limits,
    {stdin},
  )
  return end.stdout || `ended with ${end.killedBy ?? `status ${end.code}`}: ${end.stderr.slice(-300)}`
}
