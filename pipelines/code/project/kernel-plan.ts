import type {HostKernelPair} from '../../../datasets/schema/scenario.ts'
import {dtypeBytes} from '../../../datasets/schema/tensor.ts'
import type {KernelFacts} from '../kernel-facts.ts'
import {computeParagraph} from '../offline/compute-paragraph.ts'
import {loopParagraph} from '../offline/control-paragraphs.ts'
import {movementParagraph} from '../offline/movement-paragraph.ts'
import {code, paragraph, paragraphs, some, type Voice} from '../offline/say.ts'
import {synchronisationParagraph} from '../offline/synchronisation-paragraph.ts'

const ubBytes = 196_608

/** What the kernel does with the tiling of the call: the share of a core, its buffers, its pipes and its tails. */
export function kernelPlan(pair: HostKernelPair, facts: KernelFacts, voice: Voice): string {
  return paragraphs([
    shareParagraph(pair, voice),
    bufferParagraph(pair, voice),
    movementParagraph(facts, voice),
    computeParagraph(facts, voice),
    synchronisationParagraph(facts, voice),
    loopParagraph(facts, voice),
    tailParagraph(pair, facts, voice),
  ])
}

function shareParagraph({entry, scenario: {trace}}: HostKernelPair, voice: Voice): string {
  const {blocks} = trace
  const opening = voice.say(`Now the kernel ${code(entry)}.`, `再看核函数 ${code(entry)}。`)
  const groups = new Map<string, {count: number; read: number; written: number}>()
  for (const {readBytes: read, writtenBytes: written} of blocks) {
    const group = groups.get(`${read} ${written}`) ?? {count: 0, read, written}
    groups.set(`${read} ${written}`, {...group, count: group.count + 1})
  }
  const shares = [...groups.values()].sort((a, b) => b.count - a.count)
  if (shares.length === 0) return opening
  if (shares.length > 3) return paragraph(voice, [opening, rangeSentence(shares, blocks.length, voice)])
  return paragraph(voice, [opening, ...shares.map((share) => shareSentence(share, blocks.length, voice))])
}

interface Share {
  count: number
  read: number
  written: number
}

function shareSentence({count, read, written}: Share, all: number, voice: Voice): string {
  const who =
    count === all
      ? voice.say(all === 1 ? 'The only core' : `Each of the ${all} cores`, all === 1 ? '唯一的核' : `${all} 个核每个`)
      : voice.say(count === 1 ? 'One core' : `Each of ${count} cores`, `${count} 个核每个`)
  if (read === 0 && written === 0)
    return voice.say(
      count === 1 ? 'One core finds no data to work on.' : `${count} cores find no data to work on.`,
      `${count} 个核没有任务,不访问数据。`,
    )
  return voice.say(
    `${who} reads ${read} bytes of global memory and writes ${written}.`,
    `${who}从 GM 读取 ${read} 字节、写回 ${written} 字节。`,
  )
}

function rangeSentence(shares: readonly Share[], all: number, voice: Voice): string {
  const reads = shares.map(({read}) => read)
  const writes = shares.map(({written}) => written)
  const [r0, r1, w0, w1] = [Math.min(...reads), Math.max(...reads), Math.min(...writes), Math.max(...writes)]
  return voice.say(
    `The ${all} cores are not loaded alike: they read between ${r0} and ${r1} bytes and write between ${w0} and ${w1}.`,
    `${all} 个核的负载并不相同:读取 ${r0} 到 ${r1} 字节,写回 ${w0} 到 ${w1} 字节。`,
  )
}

function bufferParagraph({scenario: {trace}}: HostKernelPair, voice: Voice): string {
  const vector = trace.buffers.filter(({position}) => position.startsWith('VEC'))
  const others = trace.buffers.filter(({position}) => !position.startsWith('VEC'))
  const shown = some(vector, 10)
  const list = shown.shown.map(({name, count, bytes}) => {
    const size = count > 1 ? `${count} × ${bytes}` : String(bytes)
    return voice.say(`${name} ${size}`, `${name} ${size}`)
  })
  const rest = shown.more > 0 ? voice.say(` and ${shown.more} more`, ` 等 ${vector.length} 个`) : ''
  const doubled = vector.filter(({kind, count}) => kind === 'queue' && count === 2).map(({name}) => name)
  const [peak, left] = [trace.ubPeakBytes, ubBytes - trace.ubPeakBytes]
  return paragraph(voice, [
    list.length > 0
      ? voice.say(
          `Its buffers in the unified buffer, in bytes: ${list.join(', ')}${rest}.`,
          `UB 中的缓冲区(字节):${list.join('、')}${rest}。`,
        )
      : '',
    peak > 0 && left >= 0
      ? voice.say(
          `In all that takes ${peak} of ${ubBytes} bytes and leaves ${left}.`,
          `共占用 ${peak} 字节(UB 共 ${ubBytes} 字节),余 ${left} 字节。`,
        )
      : '',
    doubled.length > 0
      ? voice.say(
          `Two buffers in ${voice.list(doubled)} let one tile be copied while another is computed.`,
          `${voice.list(doubled)} 为双缓冲,搬运与计算可以重叠。`,
        )
      : '',
    others.length > 0
      ? voice.say(
          `The cube side holds ${voice.list(some(others, 8).shown.map(({name, bytes}) => `${name} ${bytes} bytes`))}.`,
          `Cube 侧缓冲区:${some(others, 8)
            .shown.map(({name, bytes}) => `${name} ${bytes} 字节`)
            .join('、')}。`,
        )
      : '',
  ])
}

/** What is left over after whole tiles and whole blocks, where something is. */
function tailParagraph({scenario}: HostKernelPair, facts: KernelFacts, voice: Voice): string {
  const {inputs, trace} = scenario
  const rests = Object.entries(trace.tiling)
    .filter(([name, value]) => /tail|remain|rest/i.test(name) && typeof value === 'number' && value > 0)
    .map(([name, value]) => code(`${name} = ${String(value)}`))
  const [first] = inputs
  const rowBytes = (first?.shape.at(-1) ?? 1) * dtypeBytes[first?.dtype ?? 'float32']
  const isPadded = facts.moves.some(({api}) => api === 'DataCopyPad')
  return paragraph(voice, [
    rests.length > 0
      ? voice.say(
          `Tails are part of the tiling: ${voice.list(rests)}.`,
          `尾块信息由 tiling 给出:${voice.list(rests)}。`,
        )
      : '',
    rowBytes % 32 !== 0 && isPadded
      ? voice.say(
          `As rows do not end on whole blocks here, ${code('DataCopyPad')} is what keeps copies inside the tensors.`,
          `行末不足 32 字节,由 ${code('DataCopyPad')} 保证搬运不越界。`,
        )
      : '',
  ])
}
