import type {KernelFacts, MoveFact} from '../../../datasets/schema/code-facts.ts'
import {variableOf} from '../../facts/variable.ts'
import {code, codeList, paragraph, some, type Voice} from '../../../datasets/voice.ts'

/** Where data comes in and leaves, and by which of the copying interfaces. */
export function movementParagraph({moves, globals, methods}: KernelFacts, voice: Voice): string {
  const inwards = moves.filter(({direction}) => direction === 'in')
  const outwards = moves.filter(({direction}) => direction === 'out')
  const elements = elementsSentence(globals, methods, voice)
  if (inwards.length + outwards.length === 0) return elements
  const [sources, targets] = [describe(inwards, voice), describe(outwards, voice)]
  return paragraph(voice, [
    inwards.length > 0 ? voice.say(`Data comes in through ${sources}.`, `数据搬入:${sources}。`) : '',
    outwards.length > 0 ? voice.say(`Data leaves through ${targets}.`, `数据写出:${targets}。`) : '',
    elements,
    alignment(moves, voice),
  ])
}

/** Global memory that the scalar unit reads or writes, one element at a time. */
function elementsSentence(globals: KernelFacts['globals'], methods: KernelFacts['methods'], voice: Voice): string {
  const used = (api: string) =>
    globals
      .map(({name}) => name)
      .filter((name) =>
        methods.some(({syntax}) => syntax.calls.some((one) => one.name === api && variableOf(one.receiver) === name)),
      )
  const [read, written] = [used('GetValue'), used('SetValue')]
  const [from, to] = [codeList(read, voice), codeList(written, voice)]
  const [get, set] = [code('GetValue'), code('SetValue')]
  return paragraph(voice, [
    read.length > 0
      ? voice.say(`Single elements of ${from} are read with ${get}.`, `用 ${get} 逐个读取 ${from} 的元素。`)
      : '',
    written.length > 0
      ? voice.say(`Single elements of ${to} are written with ${set}.`, `用 ${set} 逐个写入 ${to} 的元素。`)
      : '',
  ])
}

function describe(moves: readonly MoveFact[], voice: Voice): string {
  const unique = [...new Map(moves.map((move) => [`${move.api} ${move.global} ${move.method}`, move])).values()]
  const {shown, more} = some(unique, 4)
  const texts = shown.map(({api, global, method}) => {
    const [copy, tensor, place] = [code(api), code(short(global)), code(method)]
    return voice.say(`${copy} on ${tensor} in ${place}`, `${place} 中对 ${tensor} 的 ${copy}`)
  })
  const rest = more > 0 ? voice.say(` and ${more} more places`, ` 等 ${more + shown.length} 处`) : ''
  return `${voice.list(texts)}${rest}`
}

/** `xGm[static_cast<uint64_t>(i) * n]` → `xGm[i * n]`. */
function short(expression: string): string {
  return expression.replace(/static_cast<[^<>]*>\(([^()]*)\)/g, '$1')
}

const [plainCopy, paddedCopy] = [code('DataCopy'), code('DataCopyPad')]

function alignment(moves: readonly MoveFact[], voice: Voice): string {
  const isPadded = moves.some(({api}) => api === 'DataCopyPad')
  const isPlain = moves.some(({api, direction}) => api === 'DataCopy' && direction !== 'inside')
  if (isPadded) return isPlain ? mixedSentence(voice) : paddedSentence(voice)
  return isPlain ? plainSentence(voice) : ''
}

function mixedSentence(voice: Voice): string {
  return voice.say(
    [
      `Plain ${plainCopy} moves whole blocks of 32 bytes only;`,
      `${paddedCopy} takes a length in bytes and never touches global memory behind the end.`,
    ].join(' '),
    `${plainCopy} 只能按 32 字节的整块搬运;${paddedCopy} 按字节给长度,不会越过全局内存的末尾。`,
  )
}

function paddedSentence(voice: Voice): string {
  return voice.say(
    [
      [
        `${paddedCopy} is needed because a row or tail need not be a multiple of 32 bytes:`,
        'it takes the length in bytes, fills the block in the unified buffer, and writes back only what is valid.',
      ].join(' '),
      `Lengths need not be multiples of 32 bytes, hence ${paddedCopy}, which takes them in bytes.`,
    ],
    [
      [
        `行长或尾块不一定是 32 字节的整数倍,因此使用 ${paddedCopy}:`,
        '按字节给出长度,UB 侧补齐,写回时只写有效数据。',
      ].join(''),
      `由于长度不保证 32 字节对齐,搬运选用按字节计数的 ${paddedCopy}。`,
    ],
  )
}

function plainSentence(voice: Voice): string {
  return voice.say(
    `Plain ${plainCopy} requires counts that fill whole 32-byte blocks, which every count here has to satisfy.`,
    `${plainCopy} 要求长度凑满 32 字节的数据块,这里传入的长度都须满足。`,
  )
}
