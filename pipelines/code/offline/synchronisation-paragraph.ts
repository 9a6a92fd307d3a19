import type {KernelFacts, Method} from '../kernel-facts.ts'
import {variableOf} from '../variable.ts'
import {code, codeList, paragraph, some, type Voice} from './say.ts'

/** What waits for what: by queues, by flags, by barriers, between cores. */
export function synchronisationParagraph({synchronisation, buffers, methods}: KernelFacts, voice: Voice): string {
  const queues = buffers.filter(({kind, name}) => kind === 'queue' && isPassedOn(name, methods)).map(({name}) => name)
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
    queues.length > 0 ? queueSentence(queues, voice) : '',
    events.length > 0 ? eventSentence(events, voice) : '',
    events.length === 0 && flags.length > 0 ? flagSentence(voice) : '',
    barriers.some(Boolean) ? barrierSentence(barriers.filter(Boolean), voice) : '',
    cores.length > 0 ? coreSentence(cores, voice) : '',
  ])
}

/** A queue whose tiles are only allocated and freed orders nothing. */
function isPassedOn(queue: string, methods: readonly Method[]): boolean {
  const calls = methods.flatMap(({syntax}) => syntax.calls).filter(({receiver}) => variableOf(receiver) === queue)
  return ['EnQue', 'DeQue'].every((api) => calls.some(({name}) => name === api))
}

function unique(texts: readonly string[]): string[] {
  return [...new Set(texts)]
}

/** `AscendC::HardEvent::MTE2_V` → `MTE2_V`. */
function eventOf(template: string): string {
  return /(\w+_\w+)$/.exec(template)?.[1] ?? template
}

function queueSentence(queues: readonly string[], voice: Voice): string {
  const list = codeList(some(queues, 5).shown, voice)
  const [put, take] = [code('EnQue'), code('DeQue')]
  return voice.say(
    [
      [
        `Between copying and computing, ${put} and ${take} on ${list} carry the synchronisation,`,
        'so no flag is needed there.',
      ].join(' '),
      [
        `The queues (${list}) order the pipes:`,
        `a tile that was put with ${put} is complete when ${take} returns it.`,
      ].join(' '),
    ],
    [
      `搬运与计算之间的同步由 ${list} 的 ${put}/${take} 完成,无需额外的 flag。`,
      `队列 ${list} 负责流水之间的先后:${take} 返回时,${put} 之前的操作已经完成。`,
    ],
  )
}

const [setFlag, waitFlag] = [code('SetFlag'), code('WaitFlag')]

function eventSentence(events: readonly string[], voice: Voice): string {
  const {shown, more} = some(events, 6)
  const meanings = shown.map((event) => meaning(event, voice))
  return voice.say(
    [
      `What queues do not cover is done by hand with ${setFlag} and ${waitFlag}:`,
      `${meanings.join('; ')}${more > 0 ? `; and ${more} more pairs` : ''}.`,
    ].join(' '),
    [
      `队列覆盖不到的依赖用 ${setFlag}/${waitFlag} 手动处理:`,
      `${meanings.join(';')}${more > 0 ? ` 等 ${events.length} 对` : ''}。`,
    ].join(''),
  )
}

function flagSentence(voice: Voice): string {
  return voice.say(
    `A pair of ${setFlag} and ${waitFlag} makes one pipe wait for another where no queue does.`,
    `没有队列的地方用成对的 ${setFlag}/${waitFlag} 让一条流水等待另一条。`,
  )
}

function barrierSentence(pipes: readonly string[], voice: Voice): string {
  const isAll = (pipe: string) => /\bPIPE_ALL$/.test(pipe)
  const one = pipes.filter((pipe) => !isAll(pipe))
  const list = codeList(one.map(barrier), voice)
  const all = code(barrier('PIPE_ALL'))
  return paragraph(voice, [
    one.length === 0
      ? ''
      : voice.say(
          `${list} ${one.length > 1 ? 'keep' : 'keeps'} dependent instructions on the same pipe in order.`,
          `${list} 保证同一流水上有依赖的指令按序完成。`,
        ),
    pipes.some(isAll)
      ? voice.say(
          `${all} lets nothing start on any pipe before all of them have finished.`,
          `${all} 等待所有流水都执行完,之后的指令才能开始。`,
        )
      : '',
  ])
}

function barrier(pipe: string): string {
  return `PipeBarrier<${pipe}>`
}

function coreSentence(calls: readonly string[], voice: Voice): string {
  const list = codeList(calls, voice)
  return voice.say(
    [
      `Cores depend on each other too, hence ${list};`,
      'all cores have to reach it, so the block dimension may not exceed the cores that exist.',
    ].join(' '),
    `核间也有依赖,因此使用 ${list};所有核都必须执行到,blockDim 不能超过物理核数。`,
  )
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
