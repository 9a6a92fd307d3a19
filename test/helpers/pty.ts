import {spawn} from 'node:child_process'
import {once} from 'node:events'
import {createServer, type Socket} from 'node:net'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'
import xterm from '@xterm/headless'

export interface PtyOptions {
  columns: number
  rows?: number
  env?: Readonly<Record<string, string>>
  /** Called with everything that was written so far; what it returns is typed. */
  type?: (written: string) => string | undefined
}

export interface PtyResult {
  code: number | null
  /** Every byte, escape sequences included. */
  written: string
  /** What a person sees in the end, scrolled-away lines included; without blank lines at the end. */
  screen: string[]
}

const command = 'dist/pipelines/ascend-cot.js'

/**
 * Runs `ascend-cot` on a pseudo terminal (`script` of util-linux), and reads the screen as a terminal emulator shows
 * it.
 */
export async function onTerminal(
  args: readonly string[],
  {columns, rows = 24, env = {}, type}: PtyOptions,
): Promise<PtyResult> {
  const quoted = [process.execPath, command, ...args].map((part) => `'${part.replaceAll("'", "'\\''")}'`).join(' ')
  const child = spawn('script', ['-qec', `stty cols ${columns} rows ${rows}; exec ${quoted}`, '/dev/null'], {
    env: {...process.env, TERM: 'xterm-256color', CI: '', ...env},
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const chunks: Buffer[] = []
  let typing = type
  child.stdout.on('data', (chunk: Buffer) => {
    chunks.push(chunk)
    const keys = typing?.(Buffer.concat(chunks).toString('utf8'))
    if (keys === undefined) return
    typing = undefined
    child.stdin.write(keys)
  })
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  })
  const bytes = Buffer.concat(chunks)
  return {code, written: bytes.toString('utf8'), screen: await screenOf(bytes, columns || 80, rows)}
}

export interface WarmTerminal {
  /** Like `onTerminal`, in the process of the commands before; for commands that end by themselves. */
  run(args: readonly string[], size: {columns: number; rows?: number}): Promise<PtyResult>
  /** Settles when the process has ended, which it does by itself. */
  close(): Promise<void>
}

/** What the process writes behind each command: its exit code. */
const ended = /\u001b\]7777;(\d+)\u0007/

/**
 * One command after another in one process on one pseudo terminal: most of a short command is its start.
 * @param folder where its socket may lie
 */
export async function warmTerminal(folder: string): Promise<WarmTerminal> {
  const socket = join(folder, 'commands')
  const server = createServer().listen(socket)
  await once(server, 'listening')
  const program = fileURLToPath(new URL('./commands-on-terminal.mjs', import.meta.url))
  const child = spawn('script', ['-qec', `exec '${process.execPath}' '${program}' '${socket}'`, '/dev/null'], {
    env: {...process.env, TERM: 'xterm-256color', CI: ''},
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  let written = ''
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (written += chunk))
  const closed = once(child, 'close')
  const failed = closed.then(() => Promise.reject(new Error(`the commands ended: ${written}`)))
  failed.catch(() => undefined)
  const [commands] = (await Promise.race([once(server, 'connection'), failed])) as [Socket]
  return {
    async run(args, {columns, rows = 24}) {
      written = ''
      commands.write(`${JSON.stringify({args, columns, rows})}\n`)
      while (!ended.test(written)) await Promise.race([once(child.stdout, 'data'), failed])
      const [mark, code] = ended.exec(written) ?? ['']
      const text = written.slice(0, written.indexOf(mark))
      return {code: Number(code), written: text, screen: await screenOf(text, columns || 80, rows)}
    },
    async close() {
      server.close()
      commands.end()
      await closed
    },
  }
}

async function screenOf(bytes: Uint8Array | string, cols: number, rows: number): Promise<string[]> {
  const terminal = new xterm.Terminal({cols, rows, scrollback: 100_000, allowProposedApi: true})
  await new Promise<void>((resolve) => terminal.write(bytes, resolve))
  const {active} = terminal.buffer
  const lines: string[] = []
  for (let at = 0; at < active.length; at += 1) {
    const line = active.getLine(at)
    const text = line?.translateToString(true) ?? ''
    // What the terminal itself has wrapped is one line.
    if (line?.isWrapped) lines.push((lines.pop() ?? '') + text)
    else lines.push(text)
  }
  while (lines.at(-1) === '') lines.pop()
  return lines
}
