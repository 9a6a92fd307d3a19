import type {SourceFile} from './schema/operator.ts'

export type Extracted = {ok: true; files: SourceFile[]} | {ok: false; problem: string}

const bar = '='.repeat(18)

function banner(path: string): string {
  return `${bar} ${path} ${bar}`
}

/**
 * Reads the files of a reply: for each path, its banner alone on a line, directly followed by a ```cpp fence that is
 * closed on its own line. Every path must appear exactly once, with code. The reply is the visible answer: the model
 * client separates reasoning, so a banner quoted there cannot replace the real one.
 */
export function extractFiles(reply: string, paths: readonly string[]): Extracted {
  const lines = reply.replaceAll('\r\n', '\n').split('\n')
  const files: SourceFile[] = []
  for (const path of paths) {
    const places = lines.flatMap((line, index) => (line.trim() === banner(path) ? [index] : []))
    const [place] = places
    if (place === undefined) return {ok: false, problem: `no banner for ${path}`}
    if (places.length > 1) return {ok: false, problem: `${places.length} banners for ${path}, expected one`}
    const text = readFence(lines, place + 1)
    if (text === undefined) return {ok: false, problem: `no closed \`\`\`cpp block right after the banner of ${path}`}
    if (text.trim() === '') return {ok: false, problem: `the block of ${path} is empty`}
    files.push({path, text})
  }
  return {ok: true, files}
}

function readFence(lines: readonly string[], start: number): string | undefined {
  if (!/^```(?:cpp|c\+\+)\s*$/.test(lines[start] ?? '')) return undefined
  const end = lines.findIndex((line, index) => index > start && /^```\s*$/.test(line))
  // A banner inside the block means that the fence before it was never closed: the reply was truncated.
  if (end < 0 || lines.slice(start, end).some((line) => line.startsWith(`${bar} op_`))) return undefined
  return `${lines.slice(start + 1, end).join('\n')}\n`
}

/** The reply that `extractFiles` reads back: the answer of a training sample. */
export function formatFiles(files: readonly SourceFile[]): string {
  return files
    .map(({path, text}) => `${banner(path)}\n\`\`\`cpp\n${text.endsWith('\n') ? text : `${text}\n`}\`\`\``)
    .join('\n')
}
