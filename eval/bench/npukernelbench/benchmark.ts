import {operatorPaths, operatorRequest, requestValues} from '../../../datasets/operator-request.ts'
import {loadPrompt} from '../../../engine/prompt.ts'
import {loadTasks} from '../../tasks/operator-tasks.ts'
import type {Mode, OperatorBenchmark, Damage} from '../benchmark.ts'
import {withoutCommentsAndLiterals} from '../../../cpp/code-pieces.ts'
import type {SourceFile} from '../../../datasets/schema/operator.ts'
import type {OperatorTask} from '../../../datasets/schema/task.ts'
import type {Adaptations, Argument} from '../../reference/call.ts'
import type {Extracted} from '../../../datasets/operator-reply.ts'
import type {ChatReply} from '../../../engine/llm/model.ts'

/** Source: the checkout at f238a63: each binding differs from its definition in names or order. */
const unpassable = ['MseLossGradV2', 'BatchNormV3', 'LayerNormV4', 'TopKV3', 'GatherV3']

const kernelOnly: Mode = {
  prompt: loadPrompt(new URL('kernel-only.md', import.meta.url)),
  chinese: loadPrompt(new URL('kernel-only.zh.md', import.meta.url)),
  values: (task) => {
    const values = requestValues(task)
    return {...values, kernelTemplate: cutAfterWorkspace(values.kernelTemplate)}
  },
  paths: ({kernelTemplate}) => [kernelTemplate.path],
  read: readKernel,
  // Its rules say so, and its constants are in the kernel.
  servesCasesOnly: true,
  notes: [
    [
      `In kernel-only mode as published, ${unpassable.length} tasks cannot be passed as they are wired,`,
      'since their bindings call another interface than their definitions generate:',
      `${unpassable.join(', ')}.`,
    ].join(' '),
  ],
}

/** The whole operator: tiling data, host and kernel. */
const full: Mode = {
  prompt: operatorRequest.en,
  chinese: operatorRequest.zh,
  values: requestValues,
  paths: operatorPaths,
  read: readBanners,
}

/**
 * Answers whose comments were edited so that code broke. NPUKernelBench's newest commits replaced Chinese comments by a
 * fixed line: where that hit the beginning of a block comment, its other lines became code, and within a macro it cut
 * the macro off.
 */
export function damagedAnswers(tasks: readonly OperatorTask[]): Damage[] {
  return tasks.flatMap(({name, answer}) =>
    answer.flatMap((file) => {
      const damage = damageOf(file)
      return damage ? [{task: name, path: file.path, ...damage}] : []
    }),
  )
}

function damageOf({text}: SourceFile): {line: number; what: string} | undefined {
  const code = withoutCommentsAndLiterals(text)
  const end = code.search(/\*\//)
  if (end >= 0) return {line: code.slice(0, end).split('\n').length, what: 'a block comment ends that was never opened'}
  const lines = text.split('\n')
  const cut = lines.findIndex(
    (line, index) => /^\s*\/\/.*[^\\]$/.test(line) && continues(lines[index - 1]) && continues(lines[index + 1]),
  )
  return cut < 0 ? undefined : {line: cut + 1, what: 'a line comment cuts a macro off'}
}

const continues = (line: string | undefined) => line?.trimEnd().endsWith('\\') === true

/**
 * Tasks of NPUKernelBench whose binding calls a hand-written interface of the answer instead of the generated one, so
 * that names, order or types differ from the definition. Each entry does what that interface does: it reorders the
 * arguments for the definition, and converts tensors to the declared types.
 */
export const adaptations: Adaptations = {
  // grad, self, target, reduction as a number, out → predict, label, dout, reduction as text, y
  MseLossGradV2: (call) => [...pick(call, [1, 2, 0]), reductionName(call[3]), ...pick(call, [4])],
  // …, training, momentum, eps, outputs → …, epsilon, momentum, is_training, outputs; an absent weight is ones, an
  // absent bias zeros;
  // fewer than four dimensions are filled up with ones
  BatchNormV3: (call) => [
    ...image(call, 0),
    present(call[1], call[3], 1),
    present(call[2], call[3], 0),
    ...pick(call, [3, 4, 7, 6, 5]),
    ...image(call, 8),
    ...pick(call, [9, 10]),
  ],
  LayerNormV4: (call) => [...call],
  // self, k, dim, largest, sorted, … → x, k, sorted, dim, largest, …
  TopKV3: (call) => pick(call, [0, 1, 4, 2, 3, 5, 6]),
}

function pick(call: readonly Argument[], order: readonly number[]): Argument[] {
  return order.map((index) => {
    const argument = call[index]
    if (!argument) throw new RangeError(`the binding passes ${call.length} arguments, argument ${index} is missing`)
    return argument
  })
}

function image(call: readonly Argument[], index: number): Argument[] {
  return pick(call, [index]).map((argument) =>
    argument.kind === 'tensor'
      ? {...argument, shape: [...argument.shape, 1, 1].slice(0, Math.max(4, argument.shape.length))}
      : argument,
  )
}

function reductionName(argument: Argument | undefined): Argument {
  const number = argument?.kind === 'plain' ? Number(argument.value) : 1
  return {kind: 'plain', value: ['none', 'mean', 'sum'][number] ?? 'mean'}
}

/** As long as `like`, filled with one value, if the call has none. */
function present(argument: Argument | undefined, like: Argument | undefined, value: number): Argument {
  if (argument && argument.kind !== 'absent') return argument
  return {kind: 'filled', count: like?.kind === 'tensor' ? like.shape.reduce((a, b) => a * b, 1) : 1, value}
}

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
function cutAfterWorkspace(template: string): string {
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

const benchmark: OperatorBenchmark = {
  title: 'NPUKernelBench',
  load: loadTasks,
  modes: {'kernel-only': kernelOnly, full},
  taskTypes: [
    {name: 'L1 (simple)', levels: [1]},
    {name: 'L2/L3 (complex)', levels: [2, 3]},
  ],
  adaptations,
  knownFaults: new URL('known-faults.json', import.meta.url),
  damagedAnswers,
  undamaged: 'At commit f238a63 it is intact.',
}

export default benchmark
