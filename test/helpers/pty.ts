import {spawn} from 'node:child_process'
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

const command = 'pipelines/ascend-cot.mjs'

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
    env: {...process.env, TERM: 'xterm-256color', ...env},
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

async function screenOf(bytes: Uint8Array, cols: number, rows: number): Promise<string[]> {
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
