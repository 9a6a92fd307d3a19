import {describe, expect, test} from 'vitest'
import {cells} from '../../datasets/parquet/columns.ts'
import decontaminate from '../../datasets/contamination/decontaminate.ts'
import dedup from '../../datasets/dedup/dedup.ts'
import exportGate from '../../datasets/gates/export-gate.ts'
import licenceGate from '../../datasets/gates/licence-gate.ts'
import type {ApiEntry} from '../../datasets/schema/api-entry.ts'
import split from '../../datasets/split.ts'
import stamp from '../../datasets/stamp.ts'
import type {Stage} from '../../engine/stage.ts'
import {runStage} from '../helpers/run-stage.ts'
import {apiEntry, apiRow, kernelText} from './rows.ts'

const example = (code: string, more = {}) => apiEntry({examples: [{lead: '', code, ...more}]})

async function reasons(stage: Stage<ApiEntry, unknown>, ...entries: ApiEntry[]): Promise<string[]> {
  const {outputs, dropped} = await runStage(stage, entries)
  expect(outputs.length + dropped.length).toBe(entries.length)
  return dropped.map(({reason}) => reason)
}

describe('an entry of the index', () => {
  test('that two places give word by word comes once; all that differs stays', async () => {
    const {origin} = apiEntry()
    const copy = apiEntry({kind: 'other', origin: {...origin, path: 'docs/copy/move.html'}, stages: {'api-index': 1}})
    const others = [
      apiEntry({name: 'MOVE'}),
      apiEntry({language: 'en'}),
      apiEntry({product: 'A3'}),
      apiEntry({constraints: []}),
      apiEntry({examples: [{lead: '', code: 'AscendC::Move(dstLocal, 64);'}]}),
    ]
    expect(await reasons(dedup({config: 'apis'}), apiEntry(), copy, ...others)).toEqual(['duplicate'])
  })

  test('whose example is the answer of a held-out task is refused, one that shares its name is not', async () => {
    const answer = Array.from({length: 12}, (_, at) => `${kernelText.replaceAll('op', `op${at}`)}\nDivs(x, ${at});`)
    const reference = [
      {name: 'level1/Move', operator: 'Move', texts: [`Moves.\n\n${answer.join('\n')}`, answer.join('\n')]},
    ]
    const stage = () => decontaminate({config: 'apis', reference})
    expect(await reasons(stage(), example(answer.join('\n')), apiEntry())).toEqual(['contaminated'])
    const told = 'adds up all elements of every row with float accumulation and writes the sums in half precision'
    const described = [{name: 'level1/Sum', texts: [told]}]
    const leak = apiEntry({constraints: [told]})
    expect(await reasons(decontaminate({config: 'apis', reference: described}), leak)).toEqual(['contaminated'])
  })

  test('of a page without a known licence is refused', async () => {
    const foreign = apiEntry({origin: {...apiEntry().origin, licence: 'NOASSERTION'}})
    expect(await reasons(licenceGate({config: 'apis'}), foreign, apiEntry())).toEqual(['licence-not-allowed'])
  })

  test.each([
    ['secret', example(`auto key = "AKIA${'A'.repeat(16)}";`)],
    ['secret', example('f();', {result: `AKIA${'A'.repeat(16)}`})],
    ['row-too-large', example('f();'.repeat(600_000))],
  ])('with a %s is refused', async (reason, entry) => {
    expect(await reasons(exportGate({config: 'apis'}), entry, apiEntry())).toEqual([reason])
  })

  test('fills its columns', () => {
    const replaced = apiEntry({
      deprecated: {text: '已废弃，请使用Carry接口。', instead: ['Carry']},
      purpose: '',
      pipe: '',
    })
    expect(cells(apiRow(replaced))).toMatchObject({
      name: 'Move',
      kind: 'basic',
      product: '910b',
      purpose: null,
      pipe: null,
      prototypes: [
        {
          template_parameters: [{name: 'T', type: 'typename', default: null}],
          parameters: [{default: null}, {name: 'count', type: 'uint32_t', default: '8'}],
        },
      ],
      alignment: [{bytes: 32, of: ['dst']}],
      examples: [{result: 'dstLocal: [1 2 3]'}],
      deprecated: '已废弃，请使用Carry接口。',
      instead: ['Carry'],
      path: 'docs/move.html',
      first_line: 1,
      last_line: 40,
      licence: 'Apache-2.0',
      stages: '{"api-index":2}',
    })
    expect(cells(apiRow(example('f();')))).toMatchObject({deprecated: null, instead: [], examples: [{result: null}]})
  })

  test('may be long', async () => {
    expect(await reasons(exportGate({config: 'apis', maxTokens: 10}), example('f();'.repeat(1000)))).toEqual([])
  })

  test('is never held out, and names the stages that made its page', async () => {
    const entries = Array.from({length: 40}, (_, at) =>
      apiEntry({name: `Move${at}`, origin: {...apiEntry().origin, path: `${at}.md`}}),
    )
    const {outputs} = await runStage(split({config: 'apis', testFraction: 0}), entries)
    expect(new Set(outputs.map((row) => row.split))).toEqual(new Set(['train']))
    expect(new Set(outputs.map(({id}) => id)).size).toBe(40)
    const runs = [{stages: {'documentation-pages': 2, 'api-index': 9}}]
    const stamped = await runStage(stamp({config: 'apis', runs}), [apiEntry()])
    expect(stamped.outputs[0]?.stages).toEqual({'documentation-pages': 2, 'api-index': 2})
  })
})
