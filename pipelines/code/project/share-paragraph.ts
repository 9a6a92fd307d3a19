import type {KernelFacts} from '../../../datasets/schema/code-facts.ts'
import type {HostKernelPair} from '../../../datasets/schema/scenario.ts'
import {dtypeBytes, elementCount, type TensorSpec} from '../../../datasets/schema/tensor.ts'
import {corePlaces} from '../../facts/core-places.ts'
import {code, codeList, paragraph, some, type Voice} from '../../../datasets/voice.ts'

interface Share {
  count: number
  read: number
  written: number
}

/** What each core moves, and what that is of the tensors. */
export function shareParagraph({entry, scenario}: HostKernelPair, facts: KernelFacts, voice: Voice): string {
  const {blocks} = scenario.trace
  const opening = voice.say(`Now the kernel ${code(entry)}.`, `再看核函数 ${code(entry)}。`)
  const groups = new Map<string, Share>()
  for (const {readBytes: read, writtenBytes: written} of blocks) {
    const group = groups.get(`${read} ${written}`) ?? {count: 0, read, written}
    groups.set(`${read} ${written}`, {...group, count: group.count + 1})
  }
  const shares = [...groups.values()].sort((a, b) => b.count - a.count)
  if (shares.length === 0) return opening
  const split = placeSentence(facts, voice)
  if (shares.length > 3) return paragraph(voice, [opening, split, rangeSentence(shares, blocks.length, voice)])
  const whole = wholeOutput(scenario)
  return paragraph(voice, [
    opening,
    split,
    ...shares.map((share) => shareSentence(share, blocks.length, voice)),
    whole ? elementsSentence(shares, whole, voice) : '',
    endSentence(shares, facts, voice),
  ])
}

/** Where in the whole a core begins. */
function placeSentence(facts: KernelFacts, voice: Voice): string {
  const statements = corePlaces(facts).filter((one) => one.length <= 110)
  if (statements.length === 0) return ''
  const list = codeList(some(statements, 2).shown, voice)
  return voice.say(`A core finds its place by ${list}.`, `每个核通过 ${list} 确定自己的起点。`)
}

/** The only output, where the cores together write each byte of it once. */
function wholeOutput({outputs, trace}: HostKernelPair['scenario']): TensorSpec | undefined {
  const [output, ...others] = outputs
  if (!output || others.length > 0) return undefined
  const written = trace.blocks.reduce((sum, {writtenBytes}) => sum + writtenBytes, 0)
  return written === elementCount(output.shape) * dtypeBytes[output.dtype] ? output : undefined
}

function elementsSentence(shares: readonly Share[], {name, dtype, shape}: TensorSpec, voice: Voice): string {
  const row = (shape.length > 1 ? shape.at(-1) : undefined) ?? 1
  const counts = shares.filter(({written}) => written > 0).map(({written}) => written / dtypeBytes[dtype])
  const isRows = row > 1 && counts.every((count) => count % row === 0)
  const each = [...new Set(counts.map((count) => String(isRows ? count / row : count)))]
  const list = oneOf(each, voice)
  const [en, zh] = isRows
    ? [`${list === '1' ? 'row' : 'rows'} of ${row}`, `行(每行 ${row} 个)`]
    : [list === '1' ? 'element' : 'elements', '个元素']
  return voice.say(
    `Of ${code(name)} that makes ${list} ${en} a core, and all of it is written once.`,
    `即每个核负责 ${code(name)} 的 ${list} ${zh},整个输出恰好写一遍。`,
  )
}

function oneOf(items: readonly string[], {say}: Voice): string {
  const [first, last] = [items.slice(0, -1), items.at(-1) ?? '']
  return first.length === 0 ? last : say(`${first.join(', ')} or ${last}`, `${first.join('、')} 或 ${last}`)
}

function shareSentence({count, read, written}: Share, all: number, voice: Voice): string {
  if (read === 0 && written === 0)
    return voice.say(
      count === 1 ? 'One core finds no data to work on.' : `${count} cores find no data to work on.`,
      `${count} 个核没有任务,不访问数据。`,
    )
  const who =
    count === all
      ? everyCore(all, voice)
      : voice.say(count === 1 ? 'One core' : `Each of ${count} cores`, `有 ${count} 个核${count > 1 ? '各' : ''}`)
  // What a kernel reads through a plain pointer is not counted.
  if (read === 0)
    return voice.say(`${who} writes ${written} bytes of global memory.`, `${who}向 GM 写回 ${written} 字节。`)
  return voice.say(
    `${who} reads ${read} bytes of global memory and writes ${written}.`,
    `${who}从 GM 读取 ${read} 字节、写回 ${written} 字节。`,
  )
}

function everyCore(all: number, voice: Voice): string {
  return all === 1 ? voice.say('The only core', '唯一的核') : voice.say(`Each of the ${all} cores`, `${all} 个核每个`)
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

/** A share that ends inside a data block. */
function endSentence(shares: readonly Share[], {moves}: KernelFacts, voice: Voice): string {
  const open = shares.filter(({written}) => written % 32 !== 0)
  if (open.length === 0 || !moves.some(({api, direction}) => api === 'DataCopyPad' && direction === 'out')) return ''
  const list = voice.list(open.map(({written}) => String(written)))
  const [en, zh] = open.every(({written}) => written < 32)
    ? ['less than one block of 32', '不足一个 32 字节的数据块']
    : ['no multiple of 32', '不是 32 字节的整数倍']
  return voice.say(
    `As ${list} bytes are ${en}, ${code('DataCopyPad')} writes back without touching what follows.`,
    `${list} 字节${zh},因此写回用 ${code('DataCopyPad')},不触及其后的数据。`,
  )
}
