import {fileURLToPath} from 'node:url'
import {z} from 'zod'
import {converse, type Conversation} from '../../engine/conversation.ts'
import {PipelineError} from '../../engine/errors.ts'

interface BridgeOptions {
  python: string
  timeoutSeconds: number
  /** The Python program. Default: ours. */
  program?: string
}

interface Refusal {
  /** Kebab-case: why a row of a task cannot be judged. */
  unusable: string
  detail: string
}

/** A Python process that answers requests about tasks. It is restarted after a crash, without its state. */
export interface Bridge {
  /** Version of torch in that process. */
  torch: string
  /** @throws PipelineError `executor-failed` when the process breaks or takes too long */
  ask<T>(what: string, fields: object, answer: z.ZodType<T>): Promise<T | Refusal>
  close(): void
}

const RefusalSchema = z.object({unusable: z.string(), detail: z.string()})
const Greeting = z.union([z.object({torch: z.string()}), z.object({missing: z.array(z.string()), python: z.string()})])

/** Importing torch from a cold disk takes its time. */
const startSeconds = 180

/** @throws PipelineError `toolchain-missing` without Python, torch or numpy */
export async function startBridge({
  python,
  timeoutSeconds,
  program = fileURLToPath(new URL('bridge/bridge.py', import.meta.url)),
}: BridgeOptions): Promise<Bridge> {
  const start = async () => {
    // References are imported from the user's checkout, which stays as it is.
    const talk = await converse(python, [program], {env: {PYTHONDONTWRITEBYTECODE: '1'}}).catch((error: unknown) => {
      throw missingPython(error, python)
    })
    return {talk, torch: await greet(talk, python)}
  }
  let current: {talk: Conversation; torch: string} | undefined = await start()
  // One request at a time: the process has one thread, and answers are not numbered.
  let queue: Promise<unknown> = Promise.resolve()
  const askNow = async <T>(question: string, answer: z.ZodType<T>): Promise<T | Refusal> => {
    current ??= await start()
    let line: string
    try {
      line = await current.talk.ask(question, {timeoutSeconds})
    } catch (error) {
      current = undefined
      throw error
    }
    const reply: unknown = JSON.parse(line)
    const refused = RefusalSchema.safeParse(reply)
    return refused.success ? refused.data : answer.parse(reply)
  }
  return {
    torch: current.torch,
    ask(what, fields, answer) {
      const asked = queue.then(() => askNow(JSON.stringify({do: what, ...fields}), answer))
      queue = asked.catch(() => undefined)
      return asked
    },
    close: () => current?.talk.close(),
  }
}

async function greet(talk: Conversation, python: string): Promise<string> {
  const greeting = Greeting.parse(JSON.parse(await talk.ask(undefined, {timeoutSeconds: startSeconds})))
  if ('torch' in greeting) return greeting.torch
  talk.close()
  throw new PipelineError(
    'toolchain-missing',
    `${python} (Python ${greeting.python}) lacks ${greeting.missing.join(' and ')}, ` +
      "which the benchmark's references need.",
    {
      fix: `Install them: \`${python} -m pip install torch numpy pandas scipy\`, or pass another Python with --python.`,
      evidence: {missing: greeting.missing},
    },
  )
}

function missingPython(error: unknown, python: string): unknown {
  if (!(error instanceof PipelineError) || error.code !== 'toolchain-missing') return error
  return new PipelineError(
    'toolchain-missing',
    `${python} was not found; the benchmark's references are written in Python.`,
    {
      fix: [
        'Install Python 3.9 or newer and then `python3 -m pip install torch numpy pandas scipy`',
        'or choose another Python with --python.',
      ].join(', '),
      cause: error,
    },
  )
}
