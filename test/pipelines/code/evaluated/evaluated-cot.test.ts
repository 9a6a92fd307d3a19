import {beforeAll, describe, expect, test} from 'vitest'
import type {HostKernelPair} from '../../../../datasets/schema/scenario.ts'
import {decode} from '../../../../datasets/dtype.ts'
import exportGate from '../../../../datasets/export-gate.ts'
import type {Mode} from '../../../../eval/bench/benchmark.ts'
import benchmark from '../../../../eval/bench/npukernelbench/benchmark.ts'
import {compareHardened} from '../../../../eval/compare.ts'
import evaluatedCot from '../../../../pipelines/code/evaluated/evaluated-cot.ts'
import {realExecutor} from '../../../helpers/real-executor.ts'
import {runStage} from '../../../helpers/run-stage.ts'
import {chatServer, teacherAt} from '../../../helpers/teacher.ts'
import {pairsStage, ranOperator} from '../specialise/ran-operator.ts'

const mode = benchmark.modes['kernel-only'] as Mode
let pair: HostKernelPair

beforeAll(async () => {
  const ran = await ranOperator('LeakyRelu', 'float16', [7, 33])
  pair = (await runStage(await pairsStage(), [ran])).outputs[0] as HostKernelPair
}, 240_000)

async function stage(refuse?: (pair: HostKernelPair) => string | undefined) {
  return evaluatedCot({
    executor: await realExecutor(),
    mode,
    close: (output, expected, found) => compareHardened(output, decode(expected, output.dtype), found).ok,
    ...(refuse && {refuse}),
  })
}

const documented = () => ({...pair, purpose: {text: 'Negative values are scaled by a slope', formulas: ['y = x']}})

describe('offline', () => {
  test('a sample asks as the benchmark does, and its answer is read back to the kernel that was proven', async () => {
    const {outputs, dropped} = await runStage(await stage(), [documented()])
    expect(dropped).toEqual([])
    const [sample] = outputs
    expect(sample).toMatchObject({kind: 'evaluated', proof: 'ran', language: 'en', teacher: {kind: 'offline'}})
    expect(mode.read({reasoning: sample!.reasoning, text: sample!.answer}, [pair.alone!.path])).toEqual({
      ok: true,
      files: [pair.alone],
    })
    expect(sample!.answer).toContain('GM_ADDR y, GM_ADDR workspace)')
    expect((await runStage(exportGate({config: 'sft'}), [sample!])).dropped).toEqual([])
    const {prompt} = sample!
    expect(prompt).toContain('case_id;shape;dtype;negative_slope\n0;[7, 33];float16;0.01')
    expect(prompt).toContain('void leaky_relu(GM_ADDR x, GM_ADDR y, GM_ADDR workspace)\n{\n}')
    expect(prompt).toContain('.DataType({ge::DT_FLOAT16})')
    expect(prompt).toContain('Negative values are scaled by a slope\n\n$$\ny = x\n$$')
  })

  test('its reasoning decides with the numbers of the case', async () => {
    const {outputs} = await runStage(await stage(), [documented()])
    const {reasoning} = outputs[0]!
    for (const said of [
      '231 elements of `y`',
      'Cores 0 to 14 get work; cores 15 to 47 return at once.',
      'cores 0 to 13 read 32 bytes each and write 32, core 14 reads 14 bytes and writes 14',
      '15 × 16 covers the 231 of `y`, 14 × 16 = 224 would not',
      '`negativeSlope` = 0.01',
      '`inQueue_` 2 × 256 and `outQueue_` 2 × 256; together 1024, so 195584 stay free',
      'the largest share, 16, fits into one. One round does for each core.',
      'the second is spare',
    ])
      expect(reasoning).toContain(said)
  })

  test('more rounds than one make use of two blocks', async () => {
    const {trace} = pair.scenario
    const calls = {...trace.calls, DeQue: 4 * (trace.calls['DeQue'] as number)}
    const more = {...documented(), scenario: {...pair.scenario, trace: {...trace, calls}}}
    const {outputs} = await runStage(await stage(), [more])
    expect(outputs[0]?.reasoning).toContain('Over all cores that makes 60 rounds. Two blocks a queue')
  })

  test('a sum that was not seen is not told', async () => {
    const more = {...documented(), scenario: {...pair.scenario, trace: {...pair.scenario.trace, ubPeakBytes: 2048}}}
    const {outputs} = await runStage(await stage(), [more])
    expect(outputs[0]?.reasoning).not.toContain('together')
  })

  test.each([
    [
      'host only',
      (one: HostKernelPair) => ({...one, alone: undefined, notAlone: {reason: 'cube-cores', detail: 'Mmad'}}),
      'cube-cores',
    ],
    [
      'unspoken',
      ({purpose: _, ...one}: HostKernelPair) => ({
        ...one,
        alone: {...one.alone!, text: one.alone!.text.replace(/^\/\/\/.*$/gm, '').replace('LeakyRelu(y', 'Unknown(y')},
      }),
      'purpose-unknown',
    ],
    [
      'fenced',
      (one: HostKernelPair) => ({
        ...one,
        purpose: documented().purpose,
        alone: {...one.alone!, text: `// \`\`\`\n${one.alone!.text}`},
      }),
      'answer-not-read',
    ],
  ])('refuses a pair that is %s', async (_, change, reason) => {
    const {alone, ...changed} = change(pair)
    const given = alone ? {...changed, alone} : changed
    const {dropped} = await runStage(await stage(), [given as HostKernelPair])
    expect(dropped.map((one) => one.reason)).toEqual([reason])
  })

  test('refuses what the policy names', async () => {
    const policy = await stage(({operator}) => (operator === 'LeakyRelu' ? 'a benchmark asks for it' : undefined))
    expect((await runStage(policy, [documented()])).dropped).toEqual([
      {reason: 'refused', detail: 'a benchmark asks for it'},
    ])
  })
})

describe('a model', () => {
  async function ask(content: string) {
    const server = await chatServer([], {reply: () => ({content, reasoning: ''})})
    const {model} = await teacherAt(server, {maxTokens: 4000})
    const result = await runStage(await stage(), [documented()], {llm: model})
    return {...result, asked: server.served[0]?.body.messages[0]?.content ?? ''}
  }
  const reply = (kernel: string, reasoning = 'Each core takes 16 elements.') =>
    `<reasoning>${reasoning}</reasoning>\n<kernel_impl>\n\`\`\`cpp\n${kernel}\n\`\`\`\n</kernel_impl>`
  const own = () =>
    pair.alone!.text.replaceAll(', GM_ADDR tiling', '').replace('usedCores = 15', 'usedCores =  15').trim()

  test('is asked with facts, and its kernel is taught when it runs right', async () => {
    const {outputs, dropped, asked} = await ask(reply(own()))
    expect(dropped).toEqual([])
    expect(outputs[0]).toMatchObject({
      teacher: {kind: 'model'},
      reasoning: 'Each core takes 16 elements.',
      proof: 'ran',
    })
    expect(outputs[0]?.files[0]?.text).toContain('usedCores =  15')
    for (const told of ['inQueue_ VECIN', 'LeakyRelu(yLocal', '# File 3: test cases']) expect(asked).toContain(told)
  }, 120_000)

  test.each([
    [
      'other values',
      () => reply(own().replace('LeakyRelu(yLocal', 'Relu(yLocal').replace(', negativeSlope_, count', ', count')),
      'kernel-not-right',
    ],
    ['idle cores that work', () => reply(own().replace('usedCores =  15', 'usedCores = 14')), 'kernel-not-right'],
    ['no kernel', () => '<reasoning>Nothing.</reasoning>', 'reply-malformed'],
    ['what does not compile', () => reply(own().replace('TPipe', 'TPip')), 'kernel-not-right'],
    ['names that are not there', () => reply(own(), 'The tail goes through `CopyTail(n)`.'), 'code-disagreement'],
  ])(
    'is refused with %s',
    async (_, content, reason) => {
      const {outputs, dropped} = await ask(content())
      expect(outputs).toEqual([])
      expect(dropped.map((one) => one.reason)).toEqual([reason])
    },
    120_000,
  )
})
