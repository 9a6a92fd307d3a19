import {join} from 'node:path'
import {describe, expect, test} from 'vitest'
import {ApiEntry} from '../../../datasets/schema/api-entry.ts'
import {silentLog} from '../../../engine/log.ts'
import {Pipeline} from '../../../engine/pipeline.ts'
import {runPipeline} from '../../../engine/runner.ts'
import {each} from '../../../engine/stage.ts'
import {api} from '../../../pipelines/commands/api.ts'
import {apiEntry} from '../../datasets/rows.ts'
import {temporaryFolder} from '../../helpers/temporary.ts'
import {recordedWorld} from '../../helpers/world.ts'

const bare = (name: string, more: Partial<ApiEntry> = {}) =>
  apiEntry({
    ...{name, page: name, purpose: '', prototypes: [], parameters: [], dtypes: [], constraints: []},
    ...{alignment: [], pipe: '', examples: []},
    ...more,
  })

async function asked(name: string, entries: readonly ApiEntry[], {json = false} = {}) {
  const out = await temporaryFolder()
  await runPipeline({
    pipeline: Pipeline.from('api-index', entries, {
      ...{name: 'index', version: 1, input: ApiEntry, output: ApiEntry},
      run: each((entry: ApiEntry) => [entry]),
    }),
    directory: join(out, 'api-index'),
    model: () => undefined,
    seed: 's',
    now: () => 0,
    signal: new AbortController().signal,
    log: silentLog,
  })
  const world = recordedWorld()
  expect(await api({name, out, json}, world)).toBe(0)
  expect(world.printed).toHaveLength(1)
  return world.printed[0] ?? ''
}

const source = '  ascend-cot/starter docs/move.html (1, Apache-2.0)'
const found = async (name: string, entries: readonly ApiEntry[]) =>
  (await asked(name, entries)).split('\n').filter((line) => line.startsWith('●'))

describe('an interface', () => {
  test('is told whole', async () => {
    const entry = apiEntry({
      page: 'Moving data',
      deprecated: {text: 'Use Copy.', instead: ['Copy', 'Load']},
      parameters: [
        {names: ['dst'], direction: '', meaning: ['Where to.'], choices: [], structure: ''},
        {
          ...{names: ['mode', 'kind'], direction: 'input', meaning: ['How.'], structure: 'Params'},
          choices: [{name: 'NONE', text: 'as it is'}],
        },
      ],
      dtypes: ['half', 'float'],
      constraints: ['Same text.', 'Same text.', 'Two\nlines.'],
      alignment: [
        {bytes: 32, of: ['dst', 'src'], text: ''},
        {bytes: 64, of: [], text: ''},
      ],
      prototypes: [{...apiEntry().prototypes[0]!, text: 'template <typename T>\nvoid Move(T x)'}],
      examples: [{lead: '', code: 'Move(1);', result: '[1]'}],
    })
    expect(await asked('Move', [entry])).toBe(
      [
        '● Move  (basic, page "Moving data")',
        '  deprecated: Use Copy.',
        '  instead: Copy, Load',
        '  把数据从一处搬运到另一处。',
        '',
        '    template <typename T>',
        '    void Move(T x)',
        '',
        '  parameters',
        '    dst: Where to.',
        '    Params.mode, kind [input]: How. NONE: as it is',
        '',
        '  element types on 910b',
        '    half, float',
        '',
        '  pipe',
        '    PIPE_MTE2',
        '',
        '  alignment',
        '    32 bytes: dst, src',
        '    64 bytes',
        '',
        '  constraints',
        '    Same text.',
        '    Two',
        '    lines.',
        '',
        '  example',
        '    Move(1);',
        '    [1]',
        '',
        source,
      ].join('\n'),
    )
  })

  test('of which little is known is told shortly', async () => {
    expect(await asked('move', [bare('Move')])).toBe(['● Move  (basic)', '', source].join('\n'))
    const gone = bare('Move', {deprecated: {text: 'Gone.', instead: []}})
    expect(await asked('Move', [gone])).toBe(['● Move  (basic)', '  deprecated: Gone.', '', source].join('\n'))
  })

  test('is meant by the end of its name in any case, with or without the namespace', async () => {
    const entries = [bare('TPipe::InitBuffer'), bare('Buffer'), bare('XInitBuffer')]
    for (const name of ['InitBuffer', 'initbuffer', 'AscendC::InitBuffer', 'TPipe::InitBuffer'])
      expect(await found(name, entries)).toEqual(['● TPipe::InitBuffer  (basic)'])
  })

  test('is meant by its page where no name is', async () => {
    const entries = [bare('Add', {page: 'Sums'}), bare('Sub', {page: 'Sums'}), bare('Mul')]
    expect(await found('sums', entries)).toEqual(['● Add  (basic, page "Sums")', '● Sub  (basic, page "Sums")'])
    expect(await found('Sums', [...entries, bare('Sums')])).toEqual(['● Sums  (basic)'])
  })

  test('comes with what replaces it, once', async () => {
    const old = (name: string) => bare(name, {deprecated: {text: 'x', instead: ['New', name]}})
    const entries = [old('P::Old'), old('Q::Old'), bare('New'), bare('Other')]
    expect(await found('Old', entries)).toEqual(['● P::Old  (basic)', '● Q::Old  (basic)', '● New  (basic)'])
    const told = JSON.parse(await asked('Old', entries, {json: true})) as ApiEntry[]
    expect(told.map(({name}) => name)).toEqual(['P::Old', 'Q::Old', 'New'])
  })
})

describe('an interface that is not there', () => {
  const hint = async (name: string, ...names: string[]) =>
    asked(
      name,
      names.map((one) => bare(one)),
    ).catch(({code, message, fix}: Record<string, string>) => [code, message, fix])

  test('is answered with the nearest name, else with names that hold it', async () => {
    const message = (name: string) => `The documentation has no interface ${name}.`
    expect(await hint('InitBufer', 'TPipe::InitBuffer')).toEqual([
      ...['input-missing', message('InitBufer'), 'Did you mean InitBuffer?'],
    ])
    expect(await hint('zzz', 'Move')).toEqual([
      ...['input-missing', message('zzz'), 'Check the name, or index more documentation.'],
    ])
    const long = Array.from({length: 9}, (_, at) => `ReduceALongWayToGo${at}`)
    expect((await hint('WAY', ...long))[2]).toBe(`Did you mean ${long.slice(0, 8).join(', ')}?`)
  })

  test('or no index at all', async () => {
    const out = await temporaryFolder()
    await expect(api({name: 'x', out, json: false}, recordedWorld())).rejects.toMatchObject({
      code: 'run-missing',
      message: `${out} has no index of interfaces.`,
      fix: 'Run `ascend-cot run api-index`; add --docs to index your own documentation.',
    })
  })
})
