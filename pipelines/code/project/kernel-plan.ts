import type {KernelFacts} from '../../../datasets/schema/code-facts.ts'
import type {HostKernelPair} from '../../../datasets/schema/scenario.ts'
import {computeParagraph} from '../offline/compute-paragraph.ts'
import {loopParagraph} from '../offline/control-paragraphs.ts'
import {movementParagraph} from '../offline/movement-paragraph.ts'
import {code, paragraph, paragraphs, some, type Voice} from '../../../datasets/voice.ts'
import {synchronisationParagraph} from '../offline/synchronisation-paragraph.ts'
import {roundsOf} from '../../facts/rounds.ts'
import {shareParagraph} from './share-paragraph.ts'
import {knownTrips, takenPath, type TakenPath} from '../../facts/taken-path.ts'
import type {RunTrace} from '../../../datasets/schema/executor.ts'
import {variableOf} from '../../facts/variable.ts'

const ubBytes = 196_608

/** What the kernel does with the tiling of the call: the share of a core, its buffers, its pipes and its tails. */
export function kernelPlan(pair: HostKernelPair, whole: KernelFacts, voice: Voice): string {
  const path = takenPath(whole, pair)
  const {facts} = path
  return paragraphs([
    shareParagraph(pair, facts, voice),
    bufferParagraph(pair, path, voice),
    movementParagraph(facts, voice),
    computeParagraph(facts, voice),
    synchronisationParagraph(facts, voice),
    paragraph(voice, [loopParagraph(facts, voice), tripsSentence(path, voice)]),
  ])
}

function bufferParagraph({scenario: {trace}}: HostKernelPair, path: TakenPath, voice: Voice): string {
  const buffers = namedBuffers(trace, path.facts, path.settled)
  const vector = buffers.filter(({position}) => position.startsWith('VEC'))
  const others = trace.buffers.filter(({position}) => !position.startsWith('VEC'))
  const shown = some(vector, 10)
  const rest = shown.more > 0 ? voice.say(` and ${shown.more} more`, ` 等 ${vector.length} 个`) : ''
  const list = shown.shown.map((one) => bufferText(one, voice))
  const doubled = vector.filter(({kind, count}) => kind === 'queue' && count === 2).map(({name}) => name)
  const [peak, left] = [trace.ubPeakBytes, ubBytes - trace.ubPeakBytes]
  return paragraph(voice, [
    list.length > 0
      ? voice.say(
          `Its buffers in the unified buffer, in bytes: ${list.join('; ')}${rest}.`,
          `UB 中的缓冲区(字节):${list.join(';')}${rest}。`,
        )
      : '',
    peak > 0 && left >= 0
      ? voice.say(
          `In all that takes ${peak} of ${ubBytes} bytes and leaves ${left}.`,
          `共占用 ${peak} 字节(UB 共 ${ubBytes} 字节),余 ${left} 字节。`,
        )
      : '',
    doubled.length > 0 ? doubledSentence(voice.list(doubled), trace, roundsOf(trace, path.facts), voice) : '',
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

/** Copies run beside the arithmetic only where a core has more than one tile. */
function doubledSentence(list: string, {blocks}: RunTrace, rounds: number | undefined, {say}: Voice): string {
  if (rounds === blocks.length)
    return say(
      `There are two buffers in ${list}; with one tile a core the second is not used in this call.`,
      `${list} 为双缓冲;该调用下每个核只处理一个 tile,第二块用不上。`,
    )
  if (rounds === undefined)
    return say(
      `Where a core has several tiles, two buffers in ${list} let one be copied while another is computed.`,
      `${list} 为双缓冲,单核有多个 tile 时搬运与计算可以重叠。`,
    )
  return say(
    `Two buffers in ${list} let one tile be copied while another is computed.`,
    `${list} 为双缓冲,搬运与计算可以重叠。`,
  )
}

function bufferText({name, position, count, bytes, size}: NamedBuffer, voice: Voice): string {
  const place = name.startsWith('`') ? ` (${position})` : ''
  const how = size === undefined ? '' : ` = ${code(size)}`
  return voice.say(
    `${name}${place} ${count > 1 ? `${count} × ` : ''}${bytes}${how}`,
    `${name}${place} ${count > 1 ? `${count} × ` : ''}${bytes}${how}`,
  )
}

/** Bounds of loops that the tiling of this call decides. */
function tripsSentence(path: TakenPath, voice: Voice): string {
  const trips = [...new Map(knownTrips(path).map((one) => [`${one.method} ${one.bound}`, one])).values()]
  if (trips.length === 0) return ''
  const list = some(trips, 4).shown.map(({method, bound, trips: count}) =>
    voice.say(`${code(bound)} in ${code(method)} is ${count}`, `${code(method)} 中 ${code(bound)} 为 ${count}`),
  )
  return voice.say(`Of the loop bounds, ${voice.list(list)} in this call.`, `该调用下的循环次数:${list.join(';')}。`)
}

/** A buffer of the run with its name in the code, where that is sure. */
type NamedBuffer = RunTrace['buffers'][number] & {
  /** The expression of its bytes, when it gives them by the tiling of the call. */
  size?: string
}

/** A run numbers the buffers of a position in the order of their set-up; the code names them in that order. */
export function namedBuffers({buffers}: RunTrace, facts: KernelFacts, settled?: TakenPath['settled']): NamedBuffer[] {
  const setUps = facts.methods.flatMap(({syntax}) =>
    syntax.calls.filter(({name, args}) => name === 'InitBuffer' && args.length > 1).map((call) => ({call, syntax})),
  )
  const isPlain = setUps.every(
    ({call, syntax}) => call.branches.length + call.loops.length === 0 && syntax === setUps[0]?.syntax,
  )
  const kindOf = (name: string) => facts.buffers.filter((one) => one.name === name)
  const named = setUps.flatMap(({call, syntax}) => {
    const name = variableOf(call.args[0] ?? '')
    const [declared, ...others] = kindOf(name)
    return declared && others.length === 0 ? [{name, declared, size: call.args.at(-1) ?? '', syntax}] : []
  })
  if (!isPlain || named.length !== setUps.length || named.length !== buffers.length) return [...buffers]
  const group = (kind: string, position: string) =>
    named.filter(({declared}) => declared.kind === kind && position.startsWith(declared.position))
  return buffers.map((buffer) => {
    const alike = buffers.filter(({kind, position}) => kind === buffer.kind && position === buffer.position)
    const candidates = group(buffer.kind, buffer.position)
    const own = candidates.length === alike.length ? candidates[alike.indexOf(buffer)] : undefined
    if (!own) return buffer
    const isGiven = settled?.value(own.size, own.syntax) === buffer.bytes && !/^\d+$/.test(own.size)
    return {...buffer, name: code(own.name), ...(isGiven && {size: own.size})}
  })
}
