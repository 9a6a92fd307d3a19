import type {Extracted} from '../../../datasets/operator-reply.ts'
import type {SourceFile} from '../../../datasets/schema/operator.ts'
import type {ChatReply} from '../../../engine/llm/model.ts'

// Replies are read exactly as NPUKernelBench does, including its weaknesses, so that scores are comparable:
// reasoning and
// reply are one text, and the first match wins, also over the real answer when a tag is quoted while thinking.
// Source: `framework/kernel_parser.py` of the benchmark.

type Reply = Pick<ChatReply, 'reasoning' | 'text'>

const wholeOf = ({reasoning, text}: Reply) => `${reasoning}\n${text}`

/** Only the kernel. */
export function readKernel(reply: Reply, [path = '']: readonly string[]): Extracted {
  const inside = /<kernel_impl>([\s\S]*?)<\/kernel_impl>/.exec(wholeOf(reply))?.[1]
  if (inside === undefined) return {ok: false, problem: 'no <kernel_impl> tag that is closed'}
  const code = /```cpp([\s\S]*?)```/.exec(inside)?.[1] ?? inside
  if (code.trim() === '') return {ok: false, problem: 'the <kernel_impl> tag is empty'}
  return {ok: true, files: [{path, text: `${withTiling(code.trim())}\n`}]}
}

/**
 * The prompt shows the kernel's parameters up to `workspace`; the benchmark then gives every `GM_ADDR workspace` a
 * second parameter, also in functions other than the kernel. Templates that spell it `workSpace` are shown completely
 * and unchanged.
 */
function withTiling(code: string): string {
  return code.replaceAll('GM_ADDR workspace', 'GM_ADDR workspace, GM_ADDR tiling')
}

/** The kernel's parameters in the benchmark's prompt. */
export function cutAfterWorkspace(template: string): string {
  return template.replace(/(GM_ADDR workspace)\s*,\s*GM_ADDR tiling/g, '$1')
}

/** A block of code for every file, each below a banner with its path. */
export function readBanners(reply: Reply, paths: readonly string[]): Extracted {
  const whole = wholeOf(reply)
  const files: SourceFile[] = []
  for (const path of paths) {
    // A dot matches any character there: the benchmark does not escape it.
    const code = new RegExp(`={18} ${path} ={18}\n\`\`\`cpp([\\s\\S]*?)\`\`\``).exec(whole)?.[1]
    if (code === undefined) return {ok: false, problem: `no banner with a cpp block for ${path}`}
    if (code.trim() === '') return {ok: false, problem: `the block of ${path} is empty`}
    files.push({path, text: `${code.trim()}\n`})
  }
  return {ok: true, files}
}
