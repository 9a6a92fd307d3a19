import {formatFiles} from '../../../datasets/operator-reply.ts'
import type {ModelledCost} from '../../../datasets/schema/optimisation.ts'
import type {SourceFile} from '../../../datasets/schema/operator.ts'
import {paragraph, paragraphs, type Voice} from '../../../datasets/voice.ts'
import {causes} from './causes.ts'
import {busyPipes, micros, pipeNames, profileTable} from './figures.ts'

/** A step of optimisation, as it is told. */
interface Improvement {
  operator: string
  /** The call that both costs are of. */
  sizes: string
  step: string
  before: {files: readonly SourceFile[]; cost: ModelledCost}
  after: {files: readonly SourceFile[]; cost: ModelledCost}
}

interface Told {
  prompt: string
  reasoning: string
  answer: string
  /** The files that change. */
  files: SourceFile[]
}

/** Undefined for a step that nobody can tell of. */
export function tell(improvement: Improvement, voice: Voice): Told | undefined {
  const {step, before, after} = improvement
  const cause = causes[step]
  if (!cause) return undefined
  const old = new Map(before.files.map(({path, text}) => [path, text]))
  const files = after.files.filter(({path, text}) => old.get(path) !== text)
  return {
    prompt: promptOf(improvement, voice),
    reasoning: paragraphs([
      limitParagraph(before.cost, voice),
      paragraph(voice, [cause.tells(before.cost, voice), placeSentence(improvement, voice)]),
      boundParagraph(improvement, cause.atLeast(before.cost), voice),
    ]),
    answer: paragraphs([cause.mends(voice), formatFiles(files)]),
    files,
  }
}

function promptOf({operator, sizes, before}: Improvement, voice: Voice): string {
  const {say} = voice
  return paragraphs([
    say(
      [
        `The Ascend C operator ${operator} below is correct, but slower than it needs to be. What limits it? Take ` +
          'one step that makes it faster without changing what it computes, and give every file that changes in full.',
        `Here is a correct implementation of ${operator} in Ascend C that wastes time. Tell from the profile and the ` +
          'code one thing that holds it up and mend that, leaving the results as they are. Answer with the changed ' +
          'files in full.',
      ],
      [
        `下面的 Ascend C 算子 ${operator} 结果正确，但比应有的速度慢。请指出它的瓶颈，` +
          '在不改变计算结果的前提下做一步优化，并完整给出每个有改动的文件。',
        `这是 ${operator} 的一个正确但低效的 Ascend C 实现。请根据统计数据和代码指出一处拖慢它的地方并加以改进，` +
          '计算结果保持不变；请完整给出有改动的文件。',
      ],
    ),
    say(
      `What the CPU twin counted in a run with ${sizes}. Times are modelled by published rates of Atlas A2, not ` +
        'measured; they leave the launch out, and pipes are those of the block that takes longest:',
      `CPU 孪生以 ${sizes} 运行时的统计如下。时间由 Atlas A2 的公开速率估算，并非实测；` +
        '不含启动开销，各流水的时间属于耗时最长的核：',
    ),
    profileTable(before.cost, voice),
    formatFiles(before.files),
  ])
}

function limitParagraph(cost: ModelledCost, voice: Voice): string {
  const {say, list} = voice
  const pipes = busyPipes(cost).map(([pipe, time]) =>
    say(`${pipeNames[pipe].en} for ${micros(time)}`, `${pipeNames[pipe].zh} ${micros(time)}`),
  )
  return paragraph(voice, [
    say(
      `By the profile, the block that takes longest keeps busy ${list(pipes)} (modelled), so ` +
        `${pipeNames[cost.bottleneck].en} ${cost.bottleneck.startsWith('MTE') ? 'take' : 'takes'} most.`,
      `根据统计，耗时最长的核上各流水的估算忙碌时间为：${list(pipes)}，其中${pipeNames[cost.bottleneck].zh}最久。`,
    ),
    overlapSentence(cost, voice),
  ])
}

function overlapSentence({overlap, microseconds, pipes, work}: ModelledCost, {say}: Voice): string {
  const sum = Object.values(pipes).reduce((total, time) => total + time, 0)
  if (work.tiles <= 1)
    return say(
      `There is one tile in a block, so nothing overlaps and the times add up to ${micros(microseconds)}.`,
      `每个核只有一个 tile，无法重叠，各段时间相加为 ${micros(microseconds)}。`,
    )
  if (overlap === 'none')
    return say(
      `Tiles do not overlap, so the times add up: ${micros(microseconds)} for ${work.tiles} tiles.`,
      `tile 之间没有重叠，各段时间相加：${work.tiles} 个 tile 共 ${micros(microseconds)}。`,
    )
  const all = say(
    `In all the model gives ${micros(microseconds)}, where one after the other they would be ${micros(sum)}.`,
    `模型估算总时间为 ${micros(microseconds)}，若完全串行则为 ${micros(sum)}。`,
  )
  return overlap === 'full'
    ? all
    : `${all}${say(
        ' A queue with a single block lets tiles overlap only in part.',
        '只有一块内存的队列使 tile 之间只能部分重叠。',
      )}`
}

/** The first line of the slow version that the fast one lacks. */
function placeSentence({before, after}: Improvement, {say}: Voice): string {
  const kept = new Set(after.files.flatMap(({text}) => linesOf(text)))
  const places = before.files.flatMap(({path, text}) => {
    const lost = linesOf(text).filter((line) => !kept.has(line))
    return lost.slice(0, 1).map((line) => ({path, line}))
  })
  const [place] = places
  if (!place) return ''
  const {path, line} = place
  return say(`The place is \`${line}\` in \`${path}\`.`, `位置在 \`${path}\` 的 \`${line}\`。`)
}

function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => /\w/.test(line))
}

/** Only where the faster version bears it out. */
function boundParagraph({before, after}: Improvement, least: number | undefined, {say}: Voice): string {
  const told = least !== undefined && least > 0 && least < before.cost.microseconds
  if (!told || after.cost.microseconds < least) return ''
  return say(
    `By the same rates, mending this alone cannot bring it below ${micros(least)}; the launch comes on top of both.`,
    `按同样的速率估算，仅做这一处改进，时间不会低于 ${micros(least)}；启动开销两者都另计。`,
  )
}
