import type {KernelFacts} from '../../../datasets/schema/code-facts.ts'
import {code, codeList, paragraph, some, type Voice} from '../../../datasets/voice.ts'

/** What waits for what: by queues, by flags, by barriers, between cores. */
export function synchronisationParagraph({synchronisation, passingQueues}: KernelFacts, voice: Voice): string {
  const named = unique(passingQueues)
  const calls = synchronisation.map(({call}) => call)
  const flags = calls.filter(({name}) => name === 'SetFlag')
  const events = unique(flags.map(({templates}) => eventOf(templates[0] ?? ''))).filter((event) =>
    /^[A-Z0-9]+_[A-Z0-9]+$/.test(event),
  )
  const barriers = unique(calls.filter(({name}) => name === 'PipeBarrier').map(({templates}) => templates[0] ?? ''))
  const cores = unique(calls.map(({name}) => name)).filter((name) =>
    /SyncAll|CrossCore|IBSet|IBWait|WaitPreBlock/.test(name),
  )
  return paragraph(voice, [
    named.length > 0 ? queueSentence(named, flags.length === 0 && !barriers.some(isAllPipes), voice) : '',
    events.length > 0 ? eventSentence(events, named.length > 0, voice) : '',
    events.length === 0 && flags.length > 0 ? flagSentence(voice) : '',
    barriers.some(Boolean) ? barrierSentence(barriers.filter(Boolean), voice) : '',
    cores.length > 0 ? coreSentence(cores, voice) : '',
  ])
}

function unique(texts: readonly string[]): string[] {
  return [...new Set(texts)]
}

/** `AscendC::HardEvent::MTE2_V` → `MTE2_V`. */
function eventOf(template: string): string {
  return /(\w+_\w+)$/.exec(template)?.[1] ?? template
}

/** @param isAlone whether nothing but the queues orders the pipes */
function queueSentence(queues: readonly string[], isAlone: boolean, voice: Voice): string {
  const {shown, more} = some(queues, 8)
  const rest = more > 0 ? voice.say(` and ${more} more`, ` 等 ${queues.length} 个队列`) : ''
  const list = `${codeList(shown, voice)}${rest}`
  const [put, take] = [code('EnQue'), code('DeQue')]
  return voice.say(
    [
      [
        `Between copying and computing, ${put} and ${take} on ${list} carry the synchronisation`,
        isAlone ? ', so no flag is needed there.' : '.',
      ].join(''),
      [
        `The queues (${list}) order the pipes:`,
        `instructions on a tile after ${take} wait until those issued on it before ${put} are done.`,
      ].join(' '),
    ],
    [
      `搬运与计算之间的同步由 ${list} 的 ${put}/${take} 完成${isAlone ? ',无需额外的 flag' : ''}。`,
      `队列 ${list} 负责流水之间的先后:${take} 之后使用该 tile 的指令,要等 ${put} 之前对它发出的指令执行完才开始。`,
    ],
  )
}

const [setFlag, waitFlag] = [code('SetFlag'), code('WaitFlag')]

function eventSentence(events: readonly string[], hasQueues: boolean, voice: Voice): string {
  const {shown, more} = some(events, 6)
  const meanings = shown.map((event) => meaning(event, voice))
  return voice.say(
    [
      hasQueues
        ? `What queues do not cover is done by hand with ${setFlag} and ${waitFlag}:`
        : `No queue orders the pipes here, so ${setFlag} and ${waitFlag} do:`,
      `${meanings.join('; ')}${more > 0 ? `; and ${more} more ${more > 1 ? 'pairs' : 'pair'}` : ''}.`,
    ].join(' '),
    [
      hasQueues
        ? `队列覆盖不到的依赖用 ${setFlag}/${waitFlag} 手动处理:`
        : `这里不靠队列在流水间同步,而由 ${setFlag}/${waitFlag} 完成:`,
      `${meanings.join(';')}${more > 0 ? ` 等 ${events.length} 对` : ''}。`,
    ].join(''),
  )
}

function flagSentence(voice: Voice): string {
  return voice.say(
    `A pair of ${setFlag} and ${waitFlag} makes one pipe wait for another where no queue does.`,
    `不靠队列同步的地方用成对的 ${setFlag}/${waitFlag} 让一条流水等待另一条。`,
  )
}

function barrierSentence(pipes: readonly string[], voice: Voice): string {
  const one = pipes.filter((pipe) => !isAllPipes(pipe))
  const list = codeList(one.map(barrier), voice)
  const all = code(barrier('PIPE_ALL'))
  return paragraph(voice, [
    one.length === 0
      ? ''
      : voice.say(
          `${list} ${one.length > 1 ? 'keep' : 'keeps'} dependent instructions on the same pipe in order.`,
          `${list} 保证同一流水上有依赖的指令按序完成。`,
        ),
    pipes.some(isAllPipes)
      ? voice.say(
          `${all} lets nothing start on any pipe before all of them have finished.`,
          `${all} 等待所有流水都执行完,之后的指令才能开始。`,
        )
      : '',
  ])
}

function isAllPipes(pipe: string): boolean {
  return /\bPIPE_ALL$/.test(pipe)
}

function barrier(pipe: string): string {
  return `PipeBarrier<${pipe}>`
}

function coreSentence(calls: readonly string[], voice: Voice): string {
  const [list, isAll] = [codeList(calls, voice), calls.includes('SyncAll')]
  return paragraph(voice, [
    voice.say(`Cores depend on each other too, hence ${list}.`, `核间也有依赖,因此使用 ${list}。`),
    isAll
      ? voice.say(
          'All cores have to reach it, so the block dimension may not exceed the cores that exist.',
          '所有核都必须执行到,blockDim 不能超过物理核数。',
        )
      : '',
  ])
}

const pipeWork: Readonly<Record<string, {en: string; zh: string}>> = {
  MTE2: {en: 'copying in', zh: '搬入'},
  MTE3: {en: 'copying out', zh: '搬出'},
  V: {en: 'the vector unit', zh: '矢量计算'},
  S: {en: 'the scalar unit', zh: '标量单元'},
  M: {en: 'the cube unit', zh: '矩阵计算'},
  MTE1: {en: 'filling L0', zh: 'L0 装载'},
  FIX: {en: 'the fixpipe', zh: 'FIXPIPE'},
}

function meaning(event: string, voice: Voice): string {
  const [first = '', second = ''] = event.split('_')
  const from = pipeWork[first]
  const to = pipeWork[second]
  if (!from || !to) return code(event)
  return voice.say(`${code(event)} lets ${to.en} wait for ${from.en}`, `${code(event)} 让${to.zh}等待${from.zh}`)
}
