import type {KernelFacts, MoveFact} from '../facts.ts'
import {code, codes, paragraph, some, type Voice} from './say.ts'

export function movementParagraph({moves}: KernelFacts, voice: Voice): string {
  const inwards = moves.filter(({direction}) => direction === 'in')
  const outwards = moves.filter(({direction}) => direction === 'out')
  if (inwards.length + outwards.length === 0) return ''
  return paragraph(voice, [
    inwards.length > 0
      ? voice.say(`Data comes in through ${describe(inwards, voice)}.`, `数据搬入:${describe(inwards, voice)}。`)
      : '',
    outwards.length > 0
      ? voice.say(`Results leave through ${describe(outwards, voice)}.`, `结果写出:${describe(outwards, voice)}。`)
      : '',
    alignment(moves, voice),
  ])
}

function describe(moves: readonly MoveFact[], voice: Voice): string {
  const unique = [...new Map(moves.map((move) => [`${move.api} ${move.global} ${move.method}`, move])).values()]
  const {shown, more} = some(unique, 4)
  const described = shown.map(({api, global, method}) =>
    voice.say(
      `${code(api)} on ${code(short(global))} in ${code(method)}`,
      `${code(method)} 中对 ${code(short(global))} 的 ${code(api)}`,
    ),
  )
  return `${voice.list(described)}${more > 0 ? voice.say(` and ${more} more places`, ` 等 ${more + shown.length} 处`) : ''}`
}

/** `xGm[static_cast<uint64_t>(i) * n]` → `xGm[i * n]`. */
function short(expression: string): string {
  return expression.replace(/static_cast<[^<>]*>\(([^()]*)\)/g, '$1')
}

function alignment(moves: readonly MoveFact[], voice: Voice): string {
  const padded = moves.some(({api}) => api === 'DataCopyPad')
  const plain = moves.some(({api, direction}) => api === 'DataCopy' && direction !== 'inside')
  if (padded && plain)
    return voice.say(
      `Where lengths are multiples of 32 bytes the plain ${code('DataCopy')} does; elsewhere ${code('DataCopyPad')} takes a length in bytes and never touches memory behind the end.`,
      `长度为 32 字节整数倍时用 ${code('DataCopy')};否则用 ${code('DataCopyPad')},它按字节给长度,不会越过末尾。`,
    )
  if (padded)
    return voice.say(
      [
        `${code('DataCopyPad')} is needed because a row or tail need not be a multiple of 32 bytes: it takes the length in bytes, fills the block in the unified buffer, and writes back only what is valid.`,
        `Lengths need not be multiples of 32 bytes, hence ${code('DataCopyPad')} with byte lengths in both directions.`,
      ],
      [
        `行长或尾块不一定是 32 字节的整数倍,因此使用 ${code('DataCopyPad')}:按字节给出长度,UB 侧补齐,写回时只写有效数据。`,
        `由于长度不保证 32 字节对齐,搬运选用按字节计数的 ${code('DataCopyPad')}。`,
      ],
    )
  return plain
    ? voice.say(
        `Plain ${code('DataCopy')} requires counts that fill whole 32-byte blocks, so the tile length has to be chosen that way.`,
        `${code('DataCopy')} 要求长度凑满 32 字节的数据块,tile 长度需据此选取。`,
      )
    : ''
}

export function synchronisationParagraph({synchronisation, buffers}: KernelFacts, voice: Voice): string {
  const queues = buffers.filter(({kind}) => kind === 'queue')
  const events = [
    ...new Set(
      synchronisation
        .filter(({call}) => call.name === 'SetFlag')
        .map(({call}) => /(\w+_\w+)$/.exec(call.templates[0] ?? '')?.[1] ?? call.templates[0] ?? ''),
    ),
  ].filter((event) => /^[A-Z0-9]+_[A-Z0-9]+$/.test(event))
  const barriers = [
    ...new Set(
      synchronisation.filter(({call}) => call.name === 'PipeBarrier').map(({call}) => call.templates[0] ?? ''),
    ),
  ].filter(Boolean)
  const cores = [
    ...new Set(
      synchronisation
        .map(({call}) => call.name)
        .filter((name) => /SyncAll|CrossCore|IBSet|IBWait|WaitPreBlock/.test(name)),
    ),
  ]
  const generic = events.length === 0 && synchronisation.some(({call}) => call.name === 'SetFlag')
  const sentences = [
    queues.length > 0
      ? voice.say(
          [
            `Between copying and computing, ${code('EnQue')} and ${code('DeQue')} on ${voice.list(
              codes(
                some(
                  queues.map(({name}) => name),
                  5,
                ).shown,
              ),
            )} carry the synchronisation, so no flag is needed there.`,
            `The queues (${voice.list(
              codes(
                some(
                  queues.map(({name}) => name),
                  5,
                ).shown,
              ),
            )}) order the pipes: a tile that was put with ${code('EnQue')} is complete when ${code('DeQue')} returns it.`,
          ],
          [
            `搬运与计算之间的同步由 ${voice.list(
              codes(
                some(
                  queues.map(({name}) => name),
                  5,
                ).shown,
              ),
            )} 的 ${code('EnQue')}/${code('DeQue')} 完成,无需额外的 flag。`,
            `队列 ${voice.list(
              codes(
                some(
                  queues.map(({name}) => name),
                  5,
                ).shown,
              ),
            )} 负责流水之间的先后:${code('DeQue')} 返回时,${code('EnQue')} 之前的操作已经完成。`,
          ],
        )
      : '',
    events.length > 0
      ? voice.say(
          `What queues do not cover is done by hand with ${code('SetFlag')} and ${code('WaitFlag')}: ${some(events, 6)
            .shown.map((event) => meaning(event, voice))
            .join('; ')}${events.length > 6 ? `; and ${events.length - 6} more pairs` : ''}.`,
          `队列覆盖不到的依赖用 ${code('SetFlag')}/${code('WaitFlag')} 手动处理:${some(events, 6)
            .shown.map((event) => meaning(event, voice))
            .join(';')}${events.length > 6 ? ` 等 ${events.length} 对` : ''}。`,
        )
      : '',
    generic
      ? voice.say(
          `A pair of ${code('SetFlag')} and ${code('WaitFlag')} makes one pipe wait for another where no queue does.`,
          `没有队列的地方用成对的 ${code('SetFlag')}/${code('WaitFlag')} 让一条流水等待另一条。`,
        )
      : '',
    barriers.length > 0
      ? voice.say(
          `${voice.list(codes(barriers.map((pipe) => `PipeBarrier<${pipe}>`)))} ${barriers.length > 1 ? 'keep' : 'keeps'} dependent instructions on the same pipe in order.`,
          `${voice.list(codes(barriers.map((pipe) => `PipeBarrier<${pipe}>`)))} 保证同一流水上有依赖的指令按序完成。`,
        )
      : '',
    cores.length > 0
      ? voice.say(
          `Cores depend on each other too, hence ${voice.list(codes(cores))}; all cores have to reach it, so the block dimension may not exceed the cores that exist.`,
          `核间也有依赖,因此使用 ${voice.list(codes(cores))};所有核都必须执行到,blockDim 不能超过物理核数。`,
        )
      : '',
  ]
  return paragraph(voice, sentences)
}

const pipes: Readonly<Record<string, {en: string; zh: string}>> = {
  MTE2: {en: 'copying in', zh: '搬入'},
  MTE3: {en: 'copying out', zh: '搬出'},
  V: {en: 'the vector unit', zh: '矢量计算'},
  S: {en: 'the scalar unit', zh: '标量单元'},
  M: {en: 'the cube unit', zh: '矩阵计算'},
  MTE1: {en: 'filling L0', zh: 'L0 装载'},
  FIX: {en: 'the fixpipe', zh: 'FIXPIPE'},
}

function meaning(event: string, voice: Voice): string {
  const [first, second] = event.split('_') as [string, string]
  const from = pipes[first]
  const to = pipes[second]
  if (!from || !to) return code(event)
  return voice.say(`${code(event)} lets ${to.en} wait for ${from.en}`, `${code(event)} 让${to.zh}等待${from.zh}`)
}
