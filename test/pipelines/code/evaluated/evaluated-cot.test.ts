import {beforeAll, describe, expect, test} from 'vitest'
import type {HostKernelPair, PairRequest} from '../../../../datasets/schema/scenario.ts'
import {decode} from '../../../../datasets/dtype.ts'
import {voice} from '../../../../datasets/voice.ts'
import {randomFrom} from '../../../../engine/random.ts'
import {evaluatedReasoning} from '../../../../pipelines/code/evaluated/evaluated-reasoning.ts'
import {proseFault} from '../../../../datasets/gates/row-words.ts'
import {identifiers, readSources} from '../../../../eval/executors/twin-sources.ts'
import exportGate from '../../../../datasets/gates/export-gate.ts'
import type {TaughtMode} from '../../../../eval/bench/benchmark.ts'
import benchmark from '../../../../eval/bench/npukernelbench/benchmark.ts'
import {compareHardened} from '../../../../eval/compare.ts'
import evaluatedCot from '../../../../pipelines/code/evaluated/evaluated-cot.ts'
import pairRequests from '../../../../pipelines/code/evaluated/pair-requests.ts'
import {inlineIncludes} from '../../../../sources/kernels/inline.ts'
import {decided} from '../../../helpers/decided.ts'
import {realExecutor} from '../../../helpers/real-executor.ts'
import {runStage} from '../../../helpers/run-stage.ts'
import {chatServer, teacherAt} from '../../../helpers/teacher.ts'
import {pairsStage, ranOperator} from '../specialise/ran-operator.ts'

const mode = benchmark.modes['kernel-only'] as TaughtMode
const full = benchmark.modes['full'] as TaughtMode
let pair: HostKernelPair

beforeAll(async () => {
  const ran = await ranOperator('LeakyRelu', 'float16', [7, 33])
  const {outputs} = await runStage(await pairsStage(), [ran])
  pair = (await decided(outputs, {most: 4, executor: await realExecutor()}))[0] as HostKernelPair
}, 240_000)

async function stage(known?: ReadonlySet<string>) {
  return evaluatedCot({
    ...(known && {known}),
    executor: await realExecutor(),
    modes: {'kernel-only': mode, full},
    inline: inlineIncludes,
    close: (output, expected, found) => compareHardened(output, decode(expected, output.dtype), found).ok,
  })
}

const documented = () => ({...pair, purpose: {text: 'Negative values are scaled by a slope', formulas: ['y = x']}})
const alone = (one: HostKernelPair): PairRequest => ({pair: one, form: 'kernel-only'})
const whole = (one: HostKernelPair): PairRequest => ({pair: one, form: 'full'})

describe('offline', () => {
  test('a sample asks as the benchmark does, and its answer is read back to the kernel that was proven', async () => {
    const {outputs, dropped} = await runStage(await stage(), [alone(documented())])
    expect(dropped).toEqual([])
    const [sample] = outputs
    expect(sample).toMatchObject({kind: 'evaluated', proof: 'ran', language: 'en', teacher: {kind: 'offline'}})
    expect(mode.read({reasoning: sample!.reasoning, text: sample!.answer}, [pair.alone!.path])).toEqual({
      ok: true,
      files: [{path: pair.alone!.path, text: pair.alone!.text}],
    })
    expect(sample!.answer).toContain('GM_ADDR y, GM_ADDR workspace)')
    expect((await runStage(exportGate({config: 'sft'}), [sample!])).dropped).toEqual([])
    const {prompt} = sample!
    expect(prompt).toContain('case_id;shape;dtype;negative_slope\n0;[7, 33];float16;0.01')
    expect(prompt).toContain('void leaky_relu(GM_ADDR x, GM_ADDR y, GM_ADDR workspace)\n{\n}')
    expect(prompt).toContain('.DataType({ge::DT_FLOAT16})')
    expect(prompt).toContain('Negative values are scaled by a slope\n\n$$\ny = x\n$$')
  })

  test('of an operator that is documented in Chinese it asks in Chinese, and has no other words', async () => {
    const chinese = {...documented(), purpose: {text: '负值乘以斜率', formulas: ['y = x']}}
    const {outputs} = await runStage(await stage(), [alone(chinese), whole(chinese)])
    for (const {prompt, reasoning, language} of outputs) {
      expect(language).toBe('zh')
      expect([prompt, reasoning].map((text) => proseFault(text, 'zh'))).toEqual([undefined, undefined])
    }
    expect(outputs).toHaveLength(2)
  })

  test('a row whose code uses a name that nobody knows is refused', async () => {
    const {dropped} = await runStage(await stage(new Set()), [alone(documented())])
    expect(dropped[0]).toMatchObject({reason: 'prompt-lacks-name', detail: expect.stringMatching(/^LeakyRelu: /)})
    const known = identifiers(await readSources())
    expect((await runStage(await stage(known), [alone(documented())])).dropped).toEqual([])
  })

  test('what the documentation says of a parameter stands beside it', async () => {
    const parameters = [{name: 'negativeSlope', meaning: 'The factor of negative values.'}]
    const told = {...documented(), purpose: {...documented().purpose, parameters}}
    const {outputs} = await runStage(await stage(), [alone(told)])
    expect(outputs[0]?.prompt).toMatch(/\| negative_slope \| attribute .*\| The factor of negative values\. \|/)
    expect(outputs[0]?.prompt).toMatch(/\| x \| input .*\| {2}\|/)
  })

  test('its reasoning decides with the numbers of the case, and by what would come out otherwise', async () => {
    const {outputs} = await runStage(await stage(), [alone(documented())])
    const {reasoning} = outputs[0]!
    for (const said of [
      /\b231\b/,
      /\b14\b/,
      /\b1024\b/,
      /\b196352\b/,
      /max\(⌈⌈231 \/ 48⌉ \/ 16⌉ × 16, 16\) = 16/,
      /min\(24448, ⌈⌈/,
    ])
      expect(reasoning).toMatch(said)
    // The host asks the platform, and is not what the row shows.
    expect(reasoning).not.toContain('GetCoreNumAiv')
    const evidence = pair.decisions!.flatMap(({because}) => because.filter(({kind}) => kind === 'counterfactual'))
    expect(evidence.length).toBeGreaterThan(2)
  })

  test('that idle cores return stands in some rows and not in others', () => {
    const text = pair.alone?.text ?? ''
    const said = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j'].filter((seed) =>
      /\breturn/.test(evaluatedReasoning(pair, {text, purpose: ''}, voice('en', randomFrom(seed)))),
    )
    expect(said.length).toBeGreaterThan(0)
    expect(said.length).toBeLessThan(10)
  })

  test.each([
    [
      'host only',
      (one: HostKernelPair) => ({...one, alone: undefined, notAlone: {reason: 'cube-cores', detail: 'Mmad'}}),
      'cube-cores',
    ],
    ['without decisions', (one: HostKernelPair) => ({...one, decisions: []}), 'hollow'],
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
    const {alone: file, ...changed} = change(pair)
    const given = file ? {...changed, alone: file} : changed
    const {dropped} = await runStage(await stage(), [alone(given as HostKernelPair)])
    expect(dropped.map((one) => one.reason)).toEqual([reason])
  })
})

describe('the whole operator', () => {
  const paths = ['op_host/leaky_relu_tiling.h', 'op_host/leaky_relu.cpp', 'op_kernel/leaky_relu.cpp']

  test('is asked for as the benchmark does, and read back to the files that were built and run', async () => {
    const {outputs, dropped} = await runStage(await stage(), [whole(documented())])
    expect(dropped).toEqual([])
    const [sample] = outputs
    expect(sample).toMatchObject({kind: 'evaluated', proof: 'ran', language: 'en', teacher: {kind: 'offline'}})
    expect(full.read({reasoning: sample!.reasoning, text: sample!.answer}, paths)).toEqual({
      ok: true,
      files: sample!.files,
    })
    const {prompt} = sample!
    expect(prompt).toContain('================== op_host/leaky_relu_tiling.h ==================')
    expect(prompt).toContain('void leaky_relu(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling)\n{\n}')
    expect(prompt).toContain('0;[7, 33];float16;0.01')
    expect((await runStage(exportGate({config: 'sft'}), [sample!])).dropped).toEqual([])
  }, 120_000)

  test('has one definition of the types of the case, its tiling in the header, and the macros of its types', async () => {
    const {outputs} = await runStage(await stage(), [whole(documented())])
    const [header, host, kernel] = outputs[0]!.files.map(({text}) => text) as [string, string, string]
    expect(header).toContain('TILING_DATA_FIELD_DEF(float, negativeSlope)')
    expect(host).not.toContain('TILING_DATA_FIELD_DEF')
    expect(host.match(/#include "leaky_relu_tiling.h"/g)).toHaveLength(1)
    expect(host.match(/\.DataType\(.*\)/g)).toEqual(Array(2).fill('.DataType({ge::DT_FLOAT16})'))
    expect(host).toContain('SetTiling(optiling::TilingFunc)')
    expect(host).toContain('GetInputShape')
    expect(kernel).toContain('GET_TILING_DATA(')
    expect(kernel).toContain('GlobalTensor<DTYPE_X>')
    expect(kernel).toContain('DataCopyPadExtParams<DTYPE_X>')
    expect(kernel).toContain('static_cast<half>')
  }, 120_000)

  test('derives what the host hands over, with the numbers of the case', async () => {
    const {outputs} = await runStage(await stage(), [whole(documented())])
    const {reasoning} = outputs[0]!
    const said = [
      /coreNum\W+(?:=|is) 48/,
      /= 128 for `tileLength`|tileLength`? (?:=|is|comes to) min\(/,
      /negativeSlope/,
    ]
    const places = said.map((one) => reasoning.search(one))
    expect(places).not.toContain(-1)
    expect(places).toEqual([...places].sort((a, b) => a - b))
    expect(reasoning).not.toMatch(/return at once|others return|has to return/)
  }, 120_000)

  const hostWith = (from: string | RegExp, to: string) => (one: HostKernelPair) => ({
    ...one,
    host: one.host.map((file) => ({...file, text: file.text.replaceAll(from, to)})),
  })
  test.each([
    ['another name of the kernel', (one: HostKernelPair) => ({...one, entry: 'leaky'}), 'entry-named-otherwise'],
    ['no structure in a header', hostWith('REGISTER_TILING_DATA_CLASS', 'REGISTER_OTHER'), 'tiling-in-no-header'],
    [
      'a header that is nowhere',
      hostWith('#include "register/op_def', '#include "lost/lost.h"\n#include "register/op_def'),
      'host-in-pieces',
    ],
    ['a host that does not compile', hostWith('SetBlockDim', 'SetBlocks'), 'whole-not-right'],
    [
      'other outputs',
      (one: HostKernelPair) => ({
        ...one,
        kernel: {...one.kernel, text: one.kernel.text.replace('LeakyRelu(yLocal', 'Adds(yLocal')},
      }),
      'whole-not-right',
    ],
    [
      'more text than a context holds',
      (one: HostKernelPair) => ({...one, kernel: {...one.kernel, text: `${one.kernel.text}// ${'x'.repeat(60_000)}`}}),
      'source-too-long',
    ],
    [
      'a fence in a file',
      (one: HostKernelPair) => ({...one, kernel: {...one.kernel, text: `// \`\`\`\n${one.kernel.text}`}}),
      'answer-not-read',
    ],
  ])(
    'is refused with %s',
    async (_, change, reason) => {
      const {outputs, dropped} = await runStage(await stage(), [whole(change(documented()))])
      expect([outputs, dropped.map((one) => one.reason)]).toEqual([[], [reason]])
    },
    120_000,
  )

  test('is asked for once for all shapes of one code, its kernel for each', async () => {
    const {outputs} = await runStage(pairRequests(), [pair, {...pair, scenario: {...pair.scenario, seed: 'other'}}])
    expect(outputs.map(({form}) => form)).toEqual(['kernel-only', 'full', 'kernel-only'])
    const other = {...pair, kernel: {...pair.kernel, text: `${pair.kernel.text}\n`}}
    const {outputs: two} = await runStage(pairRequests(), [pair, other])
    expect(two.map(({form}) => form)).toEqual(['kernel-only', 'full', 'kernel-only', 'full'])
  })
})

describe('a model', () => {
  async function ask(content: string, request = alone(documented())) {
    const server = await chatServer([], {reply: () => ({content, reasoning: ''})})
    const {model} = await teacherAt(server, {maxTokens: 4000})
    const result = await runStage(await stage(), [request], {llm: model})
    return {...result, asked: server.served[0]?.body.messages[0]?.content ?? ''}
  }
  const reason = 'Each core takes 16 elements, `inQueue_` has two buffers, and `DataCopyPad` copies what is left.'
  const reply = (kernel: string, reasoning = reason) =>
    `<reasoning>${reasoning}</reasoning>\n<kernel_impl>\n\`\`\`cpp\n${kernel}\n\`\`\`\n</kernel_impl>`
  const own = () =>
    pair.alone!.text.replaceAll(', GM_ADDR tiling', '').replace('usedCores = 15', 'usedCores =  15').trim()

  test('is asked with facts, and its kernel is taught when it runs right', async () => {
    const {outputs, dropped, asked} = await ask(reply(own()))
    expect(dropped).toEqual([])
    expect(outputs[0]).toMatchObject({
      teacher: {kind: 'model'},
      reasoning: reason,
      proof: 'ran',
    })
    expect(outputs[0]?.files[0]?.text).toContain('usedCores =  15')
    const told = [
      '"name":"inQueue_","owner":"LeakyReluKernel","position":"VECIN"',
      '"name":"LeakyRelu"',
      '# File 3: test cases',
      '"purpose":{',
    ]
    for (const one of told) expect(asked).toContain(one)
  }, 120_000)

  test('writes a whole operator, which is taught when it runs right', async () => {
    const request = whole(documented())
    const {outputs: own} = await runStage(await stage(), [request])
    const {answer} = own[0]!
    const good = await ask(`<reasoning>${reason}</reasoning>\n${answer}`, request)
    expect(good.dropped).toEqual([])
    expect(good.outputs[0]).toMatchObject({teacher: {kind: 'model'}, files: own[0]!.files})
    expect(good.asked).toContain('"run":{"tiling":{')
    const wrong = answer.replace('SetBlockDim(', 'SetBlockDim(1 + 0 * ')
    const bad = await ask(`<reasoning>${reason}</reasoning>\n${wrong}`, request)
    expect(bad.dropped.map((one) => one.reason)).toEqual(['code-not-right'])
    const short = await ask(`<reasoning>${reason}</reasoning>\n${answer.slice(0, 400)}`, request)
    expect(short.dropped.map((one) => one.reason)).toEqual(['reply-malformed'])
  }, 240_000)

  test.each([
    [
      'other values',
      () => reply(own().replace('LeakyRelu(yLocal', 'Relu(yLocal').replace(', negativeSlope_, count', ', count')),
      'code-not-right',
    ],
    ['idle cores that work', () => reply(own().replace('usedCores =  15', 'usedCores = 14')), 'code-not-right'],
    ['no kernel', () => `<reasoning>${reason}</reasoning>`, 'reply-malformed'],
    ['what does not compile', () => reply(own().replace('TPipe', 'TPip')), 'code-not-right'],
    [
      'names that are not there',
      () => reply(own(), `${reason} The tail goes through \`CopyTail(n)\`.`),
      'code-disagreement',
    ],
    ['a decision left out', () => reply(own(), 'Each core takes 16 elements.'), 'code-disagreement'],
    ['a number made up', () => reply(own(), `${reason} That is 4321.`), 'code-disagreement'],
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
