import type {KernelFacts} from '../../../../datasets/schema/code-facts.ts'
import {describe, expect, test} from 'vitest'
import {voice} from '../../../../datasets/voice.ts'
import {synchronisationParagraph} from '../../../../pipelines/code/offline/synchronisation-paragraph.ts'
import {both} from '../../../helpers/told-parts.ts'

/** Calls as they are written: `SetFlag<HardEvent::MTE2_V>`. */
const said = (passingQueues: string[], ...calls: string[]) => {
  const synchronisation = calls.map((text) => {
    const [, name, template] = /^(\w+)(?:<(.*)>)?$/.exec(text) ?? []
    return {method: 'Process', call: {name, templates: template === undefined ? [] : [template]}}
  })
  const facts = {passingQueues, synchronisation} as unknown as KernelFacts
  return both((voice) => synchronisationParagraph(facts, voice)).split('\n')
}
const lastWords = (language: 'en' | 'zh') => voice(language, {pick: (words: string[]) => words.at(-1)} as never)
const queues = (count: number) => Array.from({length: count}, (_, index) => `q${index}`)

describe('queues', () => {
  test('order copying and computing, each named once', () => {
    expect(said([])).toEqual(['', ''])
    expect(said(['in', 'in', 'out'])).toEqual([
      'Between copying and computing, `EnQue` and `DeQue` on `in` and `out` carry the synchronisation, ' +
        'so no flag is needed there.',
      '搬运与计算之间的同步由 `in`、`out` 的 `EnQue`/`DeQue` 完成,无需额外的 flag。',
    ])
  })

  test.each([
    [['SetFlag<HardEvent::MTE2_V>'], false],
    [['PipeBarrier<PIPE_ALL>'], false],
    [['PipeBarrier<AscendC::PIPE_ALL>'], false],
    [['PipeBarrier<PIPE_V>'], true],
    [['SyncAll'], true],
    [[], true],
  ])('are alone beside %j: %s', (calls, isAlone) => {
    const [en, zh] = said(['in'], ...calls)
    expect([en?.includes('no flag is needed'), zh?.includes('无需额外的 flag')]).toEqual([isAlone, isAlone])
  })

  test('hold the pipe that takes a tile, while the code goes on', () => {
    const facts = {passingQueues: ['in'], synchronisation: []} as unknown as KernelFacts
    expect((['en', 'zh'] as const).map((language) => synchronisationParagraph(facts, lastWords(language)))).toEqual([
      'The queues (`in`) order the pipes: ' +
        'instructions on a tile after `DeQue` wait until those issued on it before `EnQue` are done.',
      '队列 `in` 负责流水之间的先后:`DeQue` 之后使用该 tile 的指令,要等 `EnQue` 之前对它发出的指令执行完才开始。',
    ])
  })

  test.each([
    [8, '`q7` carry', '`q7` 的'],
    [9, '`q7` and 1 more carry', '`q7` 等 9 个队列 的'],
  ])('of %i eight are told', (count, en, zh) => {
    const told = said(queues(count))
    expect([told[0]?.includes(en), told[1]?.includes(zh)]).toEqual([true, true])
  })
})

describe('flags', () => {
  test('are explained by the pipes that they join', () => {
    expect(
      said([], 'SetFlag<HardEvent::MTE2_V>', 'WaitFlag<HardEvent::MTE2_V>', 'SetFlag<AscendC::HardEvent::V_MTE3>'),
    ).toEqual([
      'No queue orders the pipes here, so `SetFlag` and `WaitFlag` do: ' +
        '`MTE2_V` lets the vector unit wait for copying in; `V_MTE3` lets copying out wait for the vector unit.',
      '这里不靠队列在流水间同步,而由 `SetFlag`/`WaitFlag` 完成:' +
        '`MTE2_V` 让矢量计算等待搬入;`V_MTE3` 让搬出等待矢量计算。',
    ])
  })

  test.each([
    ['S_M', 'the cube unit wait for the scalar unit'],
    ['MTE1_FIX', 'the fixpipe wait for filling L0'],
    ['V_S', 'the scalar unit wait for the vector unit'],
  ])('%s', (event, meaning) => {
    expect(said([], `SetFlag<HardEvent::${event}>`)[0]?.endsWith(`: \`${event}\` lets ${meaning}.`)).toBe(true)
  })

  test('of unknown pipes are only named, and beside queues cover the rest', () => {
    expect(said(['in'], 'SetFlag<HardEvent::V_XY>')).toEqual([
      'Between copying and computing, `EnQue` and `DeQue` on `in` carry the synchronisation. ' +
        'What queues do not cover is done by hand with `SetFlag` and `WaitFlag`: `V_XY`.',
      '搬运与计算之间的同步由 `in` 的 `EnQue`/`DeQue` 完成。' +
        '队列覆盖不到的依赖用 `SetFlag`/`WaitFlag` 手动处理:`V_XY`。',
    ])
  })

  test.each([
    [6, '`V_F`.', '`V_F`。'],
    [7, '`V_F`; and 1 more pair.', '`V_F` 等 7 对。'],
    [8, '`V_F`; and 2 more pairs.', '`V_F` 等 8 对。'],
  ])('of %i events six are told', (count, en, zh) => {
    const told = said([], ...[...'ABCDEFGH'].slice(0, count).map((one) => `SetFlag<HardEvent::V_${one}>`))
    expect([told[0]?.endsWith(en), told[1]?.endsWith(zh)]).toEqual([true, true])
  })

  test('whose event is a parameter make one pipe wait for another', () => {
    expect(said([], 'SetFlag<event>')).toEqual([
      'A pair of `SetFlag` and `WaitFlag` makes one pipe wait for another where no queue does.',
      '不靠队列同步的地方用成对的 `SetFlag`/`WaitFlag` 让一条流水等待另一条。',
    ])
    expect(said([], 'SetFlag')[0]).toMatch(/^A pair of/)
    expect(said([], 'SetFlag<event>', 'SetFlag<HardEvent::V_S>')[0]).not.toContain('A pair of')
    expect(said([], 'WaitFlag<event>')).toEqual(['', ''])
  })
})

describe('barriers', () => {
  test.each([
    [
      ['PipeBarrier<PIPE_V>', 'PipeBarrier<PIPE_V>'],
      '`PipeBarrier<PIPE_V>` keeps dependent instructions on the same pipe in order.',
      '`PipeBarrier<PIPE_V>` 保证同一流水上有依赖的指令按序完成。',
    ],
    [
      ['PipeBarrier<PIPE_V>', 'PipeBarrier<PIPE_S>'],
      '`PipeBarrier<PIPE_V>` and `PipeBarrier<PIPE_S>` keep dependent instructions on the same pipe in order.',
      '`PipeBarrier<PIPE_V>`、`PipeBarrier<PIPE_S>` 保证同一流水上有依赖的指令按序完成。',
    ],
    [
      ['PipeBarrier<AscendC::PIPE_ALL>'],
      '`PipeBarrier<PIPE_ALL>` lets nothing start on any pipe before all of them have finished.',
      '`PipeBarrier<PIPE_ALL>` 等待所有流水都执行完,之后的指令才能开始。',
    ],
    [['PipeBarrier'], '', ''],
  ])('%j', (calls, en, zh) => {
    expect(said([], ...calls)).toEqual([en, zh])
  })
})

describe('cores', () => {
  test.each(['CrossCoreSetFlag', 'IBSet', 'IBWait', 'WaitPreBlock'])('wait for each other by %s', (call) => {
    expect(said([], call, call)).toEqual([
      `Cores depend on each other too, hence \`${call}\`.`,
      `核间也有依赖,因此使用 \`${call}\`。`,
    ])
  })

  test('all have to be there for `SyncAll`', () => {
    expect(said([], 'SyncAll', 'IBSet')).toEqual([
      'Cores depend on each other too, hence `SyncAll` and `IBSet`. ' +
        'All cores have to reach it, so the block dimension may not exceed the cores that exist.',
      '核间也有依赖,因此使用 `SyncAll`、`IBSet`。所有核都必须执行到,blockDim 不能超过物理核数。',
    ])
  })
})
