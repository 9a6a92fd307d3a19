import {readFileSync} from 'node:fs'
import {describe, expect, test} from 'vitest'
import exportGate from '../../../../datasets/gates/export-gate.ts'
import type {HostKernelPair} from '../../../../datasets/schema/scenario.ts'
import projectCot from '../../../../pipelines/code/project/project-cot.ts'
import {scoreSummary, summaryText} from '../../../../pipelines/code/project/tiling-summary.ts'
import {chatServer, teacherAt} from '../../../helpers/teacher.ts'
import {runStage} from '../../../helpers/run-stage.ts'
import {scriptedIdentity} from '../../../helpers/scripted-executor.ts'
import {decided} from '../../../helpers/decided.ts'
import {describedPairs} from '../../../helpers/described.ts'

const folder = 'sources/starter/operators/elu'
const file = (path: string) => ({path, text: readFileSync(`${folder}/${path}`, 'utf8')})
const sizes = {dtype: 'float16' as const, shape: [3, 6000]}

/** Elu in half on [3, 6000], as the twin ran it. */
const pair: HostKernelPair = {
  origin: {repository: 'ascend-cot/starter', revision: '1', path: folder, licence: 'Apache-2.0'},
  operator: 'Elu',
  entry: 'elu',
  host: [file('op_host/elu_tiling.h'), file('op_host/elu.cpp')],
  kernel: file('op_kernel/elu.cpp'),
  kept: [],
  scenario: {
    dtypes: {x: 'float16', y: 'float16'},
    inputs: [{name: 'x', ...sizes, range: [-4, 4]}],
    attributes: {},
    outputs: [{name: 'y', ...sizes}],
    seed: 's',
    digests: ['0'.repeat(64)],
    trace: {
      blockDim: 47,
      tilingKey: 0,
      workspaceBytes: 0,
      tiling: {totalLength: 18000, blockLength: 384, tileLength: 128, alpha: Math.fround(0.1)},
      buffers: [{name: 'VECIN queue 0', position: 'VECIN', count: 2, bytes: 256, kind: 'queue'}],
      ubPeakBytes: 2048,
      calls: {},
      blocks: [
        ...Array.from({length: 46}, (_, index) => ({index, readBytes: 768, writtenBytes: 768})),
        {index: 46, readBytes: 672, writtenBytes: 672},
      ],
    },
  },
  executor: scriptedIdentity,
}

/** The words of a seed that draws the language. */
async function written(language: 'en' | 'zh', changed = pair) {
  for (const seed of ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']) {
    const {outputs} = await runStage(projectCot(), await describedPairs(await decided([changed])), {seed})
    if (outputs[0]?.language === language) return outputs[0]
  }
  throw new Error(`no seed writes ${language}`)
}

describe('offline', () => {
  test('derives each value with the numbers that it follows from', async () => {
    const {reasoning} = await written('en')
    expect(reasoning).toMatch(/totalLength`? (?:= 18000 \(`|is 18000, by `|= 18000)/)
    expect(reasoning).toContain('max(⌈⌈18000 / 48⌉ / 16⌉ × 16, 16) = 384')
    expect(reasoning).toContain('⌊12272 / 128⌋ × 128 = 12160')
    expect(reasoning).toContain('max(⌈18000 / 384⌉, 1) = 47')
    expect(reasoning).toMatch(/\b46\b.*\b336\b/)
    expect(reasoning).toMatch(/\b3 (?:times|(?:of these )?tiles|rounds|passes)/)
    expect(await written('zh')).toMatchObject({language: 'zh', kind: 'project', proof: 'ran', files: []})
  })

  test('claims no arithmetic that does not give the value', async () => {
    const trace = {...pair.scenario.trace, tiling: {...pair.scenario.trace.tiling, blockLength: 400}}
    const {reasoning} = await written('en', {...pair, scenario: {...pair.scenario, trace}})
    expect(reasoning).not.toMatch(/\) = 400/)
    expect(reasoning).toContain('The tiling also holds `blockLength = 400`')
  })

  test('names a chip that the operator is registered for', async () => {
    const withoutA3 = pair.host.map(({path, text}) => ({path, text: text.replace(/.*"ascend910_93".*\n/, '')}))
    const chips = {en: 'chip: Ascend', zh: '芯片：Ascend'}
    for (const language of ['en', 'zh'] as const) {
      expect((await written(language)).prompt).toContain(`${chips[language]} 910_93`)
      expect((await written(language, {...pair, host: withoutA3})).prompt).toContain(`${chips[language]} 910B`)
    }
  })

  test('asks with call, hardware and code, and answers in JSON', async () => {
    const {prompt, answer} = await written('en')
    for (const part of ['`x`: float16 [3, 6000]', '`alpha`: 1.0 (default)', '196352', '===== op_host/elu.cpp ====='])
      expect(prompt).toContain(part)
    expect(prompt).not.toMatch(/\b12160\b/)
    expect(JSON.parse(answer.replace(/```(?:json)?/g, ''))).toEqual({
      tiling: {totalLength: 18000, blockLength: 384, tileLength: 128, alpha: 0.1},
      tiling_key: 0,
      block_dim: 47,
    })
  })

  test('passes the export gate only when its code ran', async () => {
    const sample = await written('en')
    const gate = () => exportGate({config: 'sft'})
    expect((await runStage(gate(), [sample])).dropped).toEqual([])
    const {dropped} = await runStage(gate(), [{...sample, proof: 'compiled'}])
    expect(dropped).toMatchObject([{reason: 'unproven-code'}])
  })

  test('drops a pair of which only one decision has evidence', async () => {
    const [{decisions = [], ...bare}] = (await decided([pair])) as [HostKernelPair]
    const [evidenced] = decisions.filter(({because}) => because.length > 0)
    const silent = decisions.filter(({because}) => because.length === 0)
    const dropped = async (some: typeof decisions) =>
      (await runStage(projectCot(), await describedPairs([{...bare, decisions: some}]))).dropped
    expect(await dropped([evidenced!, ...silent])).toMatchObject([{reason: 'hollow'}])
    expect(await dropped(decisions)).toEqual([])
    expect((await runStage(projectCot(), await describedPairs([pair]))).dropped).toMatchObject([{reason: 'hollow'}])
  })

  test.each([
    ['tiling-unknown', {}],
    ['tiling-too-large', {values: Array.from({length: 601}, () => 1)}],
  ])('drops %s', async (reason, tiling) => {
    const trace = {...pair.scenario.trace, tiling}
    const {dropped} = await runStage(
      projectCot(),
      await describedPairs([{...pair, scenario: {...pair.scenario, trace}}]),
    )
    expect(dropped).toMatchObject([{reason}])
  })
})

describe('the score', () => {
  const {trace} = pair.scenario
  const said = (change: Record<string, unknown>, tiling: Record<string, unknown> = {}) => {
    const whole = {tiling: {...trace.tiling, ...tiling}, tiling_key: 0, block_dim: 47, ...change}
    return scoreSummary(`words\n\`\`\`json\n${JSON.stringify(whole)}\n\`\`\`\n`, trace)
  }

  test('is whole for what the offline writer says, short floats too', () => {
    expect(scoreSummary(summaryText(trace), trace)).toEqual({found: true, score: 1, wrong: [], exact: true})
  })

  test('counts wrong and missing values, and asks for key and blocks', () => {
    expect(said({}, {tileLength: 256})).toMatchObject({
      score: 5 / 6,
      wrong: ['tileLength is 128, not 256'],
      exact: true,
    })
    expect(said({}, {tileLength: undefined})).toMatchObject({wrong: ['tileLength is 128, not missing']})
    expect(said({}, {tileLength: '128'})).toMatchObject({score: 5 / 6})
    expect(said({block_dim: 48})).toMatchObject({exact: false})
    expect(said({tiling_key: 1})).toMatchObject({exact: false})
  })

  test('compares lists whole', () => {
    const lists = {...trace, tiling: {a: [1, 2, 0]}}
    const score = (a: number[]) => scoreSummary(JSON.stringify({tiling: {a}, tiling_key: 0, block_dim: 47}), lists)
    expect(score([1, 2, 0])).toMatchObject({score: 1})
    expect(score([1, 2])).toMatchObject({wrong: ['a is [1,2,0], not [1,2]']})
  })

  test('takes the last block, and says when there is none', () => {
    const first = '```json\n{"tiling": {}, "tiling_key": 9, "block_dim": 1}\n```\n'
    expect(scoreSummary(`${first}${summaryText(trace)}`, trace)).toMatchObject({score: 1})
    expect(scoreSummary('no numbers', trace)).toMatchObject({found: false})
  })
})

describe('with a model', () => {
  const reply = (json: string, reasoning = 'Each core takes `blockLength` elements.') =>
    `<reasoning>${reasoning}</reasoning>\n${json}`

  async function asked(content: string, stage = projectCot()) {
    const server = await chatServer([], {reply: () => ({content, reasoning: ''})})
    const {model} = await teacherAt(server)
    return {
      ...(await runStage(stage, await describedPairs(await decided([pair])), {llm: model})),
      served: server.served,
    }
  }

  test('takes reasoning whose summary is right, and hides the tiling from the request', async () => {
    const {outputs, dropped, served} = await asked(reply(summaryText(pair.scenario.trace)))
    expect(dropped).toEqual([])
    expect(outputs[0]).toMatchObject({reasoning: 'Each core takes `blockLength` elements.', proof: 'ran'})
    expect(outputs[0]?.teacher.kind).toBe('model')
    const request = served[0]?.body.messages[0]?.content ?? ''
    expect(request).toContain('768 in, 768 out')
    expect(request).not.toMatch(/"totalLength":|\b384\b/)
  })

  const wrong = summaryText(pair.scenario.trace).replace('128', '256')
  test.each([
    ['tiling-summary-wrong', reply(wrong), 'score 0.83: tileLength is 128, not 256'],
    ['tiling-summary-wrong', reply(summaryText({...pair.scenario.trace, blockDim: 46})), 'block_dim is 47, not 46'],
    ['tiling-summary-missing', reply('done'), 'no block of JSON'],
    ['reply-malformed', summaryText(pair.scenario.trace), '<reasoning>'],
    ['code-disagreement', reply(summaryText(pair.scenario.trace), 'It calls `FastElu`.'), 'FastElu'],
  ])('drops %s', async (reason, content, detail) => {
    const {outputs, dropped} = await asked(content)
    expect(outputs).toEqual([])
    expect(dropped).toMatchObject([{reason}])
    expect(dropped[0]?.detail).toContain(detail)
  })

  test('takes a share of right values when asked to, and puts the answer right', async () => {
    const {outputs} = await asked(reply(wrong), projectCot({leastScore: 0.8}))
    expect(outputs[0]?.answer).toContain('"tileLength": 128')
  })
})
