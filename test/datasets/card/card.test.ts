import {createHash} from 'node:crypto'
import {appendFile, mkdtemp, readFile, rm, writeFile} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {afterEach, beforeEach, describe, expect, test} from 'vitest'
import {parse} from 'yaml'
import card, {type CardOptions} from '../../../datasets/card/card.ts'
import {cardFeature} from '../../../datasets/parquet/column-types.ts'
import {columns} from '../../../datasets/parquet/columns.ts'
import parquet from '../../../datasets/parquet/parquet.ts'
import type {Config, SplitRow} from '../../../datasets/schema/export.ts'
import {CotSample, type Artifact} from '../../../datasets/schema/sample.ts'
import {writeWhole} from '../../../engine/files.ts'
import {readStats} from '../../../datasets/card/stats.ts'
import writeViews from '../../../datasets/views/views.ts'
import {
  apiEntry,
  apiRow,
  collect,
  dpoRow,
  kernelSample,
  pair,
  recordingContext,
  sample,
  sftRow,
  stream,
} from '../rows.ts'

let directory: string
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'card-'))
})
afterEach(async () => {
  await rm(directory, {recursive: true, force: true})
})

const osl = sample({
  origin: {
    repository: 'https://gitcode.com/cann/asc-devkit',
    revision: 'abc1',
    path: 'docs/zh/add.md',
    licence: 'LicenseRef-CANN-OSL-2.0',
  },
})

async function exported(sft: SplitRow[], dpo: SplitRow[] = [], apis: SplitRow[] = []): Promise<Artifact[]> {
  const write = (config: Config, rows: SplitRow[]) =>
    collect(parquet({config, directory, rowGroupRows: 3}).run(stream(rows), recordingContext()))
  return [...(await write('sft', sft)), ...(await write('dpo', dpo)), ...(await write('apis', apis))]
}

async function written(
  artifacts: Artifact[],
  options: Partial<CardOptions> = {},
): Promise<{readme: string; notices: string; yaml: Record<string, unknown>; out: Artifact[]}> {
  const out = await collect(
    card({directory, regenerate: ['npx ascend-cot run documentation release-sft card'], ...options}).run(
      stream(artifacts),
      recordingContext(),
    ),
  )
  const readme = await readFile(join(directory, 'README.md'), 'utf8')
  return {
    readme,
    notices: await readFile(join(directory, 'NOTICES.md'), 'utf8'),
    yaml: parse(readme.split('---\n')[1] ?? '') as Record<string, unknown>,
    out,
  }
}

const rows = () => [
  sftRow(sample()),
  sftRow(kernelSample()),
  sftRow(kernelSample({teacher: {kind: 'offline'}}), 'test'),
  sftRow(osl),
]

describe('card', () => {
  test("names every file's configuration, split and features", async () => {
    const {yaml} = await written(await exported(rows(), [dpoRow(pair())]))
    expect(yaml['configs']).toEqual([
      {
        config_name: 'sft',
        default: true,
        data_files: [
          {split: 'train', path: 'data/sft/train-*.parquet'},
          {split: 'test', path: 'data/sft/test-*.parquet'},
        ],
      },
      {config_name: 'dpo', data_files: [{split: 'train', path: 'data/dpo/train-*.parquet'}]},
    ])
    const [sft] = yaml['dataset_info'] as {features: unknown; splits: {name: string; num_examples: number}[]}[]
    expect(sft?.features).toEqual(columns.sft.map(({name, type}) => cardFeature(name, type)))
    expect(sft?.splits.map(({name, num_examples}) => [name, num_examples])).toEqual([
      ['train', 3],
      ['test', 1],
    ])
    expect(yaml).toMatchObject({language: ['zh', 'en'].sort(), size_categories: ['n<1K']})
  })

  test('names each language once, whichever configurations have rows of it', async () => {
    const {yaml} = await written(await exported(rows(), [], [apiRow(apiEntry())]))
    expect(yaml).toMatchObject({language: ['en', 'zh']})
  })

  test('takes what releases refused into the manifest', async () => {
    await writeWhole(join(directory, 'rejected/release-sft.jsonl'), '{"reason":"secret"}\n')
    const {out} = await written(await exported(rows()))
    const sha256 = createHash('sha256').update('{"reason":"secret"}\n').digest('hex')
    expect(out.find(({path}) => path === 'rejected/release-sft.jsonl')).toMatchObject({sha256, bytes: 20})
    const manifest = JSON.parse(await readFile(join(directory, 'manifest.json'), 'utf8')) as {files: Artifact[]}
    expect(manifest.files.map(({path}) => path)).toContain('rejected/release-sft.jsonl')
  })

  test('counts kinds, the offline teacher apart from models, labels and executors', async () => {
    const {readme} = await written(await exported(rows(), [dpoRow(pair()), dpoRow(pair({task: 'Other'}))]))
    expect(readme).toContain('| kernel | deepseek-reasoner | 1 |')
    expect(readme).toContain('| kernel | offline (computed facts, no model) | 1 |')
    expect(readme).toContain('| green | purple | 2 |')
    expect(readme).toContain('| sft | twin · clang-15 · Ascend910B1 · f00d | 2 |')
  })

  test('tells the index of interfaces by kind and licence, and that it is no text to train on', async () => {
    const apis = [apiEntry(), apiEntry({name: 'Stay'}), apiEntry({name: 'Run', kind: 'c', origin: osl.origin})]
    const {readme, notices, yaml} = await written(await exported([], [], apis.map(apiRow)))
    expect(readme).toContain('| basic | Apache-2.0 | 2 |\n| c | LicenseRef-CANN-OSL-2.0 | 1 |')
    expect(readme).toContain('what applies to `910b`. It is a reference')
    expect(readme).toContain('apis = load_dataset("path/to/this/folder", "apis")')
    expect(readme).toContain('| `instead` | Names that the page recommends instead. |')
    expect(readme).not.toContain('Token counts')
    expect(notices).toContain('| https://gitcode.com/cann/asc-devkit | abc1 | 1 |')
    expect(yaml['configs']).toEqual([
      {config_name: 'apis', default: true, data_files: [{split: 'train', path: 'data/apis/train-*.parquet'}]},
    ])
    const [info] = yaml['dataset_info'] as {features: unknown}[]
    expect(info?.features).toEqual(columns.apis.map(({name, type}) => cardFeature(name, type)))
  })

  test('says what orange sides did', async () => {
    const violated = pair({task: 'Other'})
    violated.rejected = {
      ...violated.rejected,
      label: 'orange',
      verdict: {outcome: 'mismatched', executor: violated.chosen.verdict.executor, cases: []},
    }
    const {readme} = await written(await exported([], [dpoRow(pair()), dpoRow(violated)]))
    expect(readme).toContain('broke a hardware rule (0 sides)')
    expect(readme).toContain('computed wrong numbers (1)')
  })

  test('says other where the Hub knows no key, and asks for a text that the licence demands', async () => {
    const {readme, notices, yaml} = await written(await exported(rows()))
    expect(yaml).toMatchObject({
      license: 'other',
      license_name: 'apache-2.0-and-cann-osl-2.0',
      license_link: 'NOTICES.md',
    })
    expect(readme).toContain('add it as `LICENSES/LicenseRef-CANN-OSL-2.0.txt`')
    expect(notices).toContain('| https://gitcode.com/cann/asc-devkit | abc1 | 1 |')
  })

  test('ships a licence text that it is given', async () => {
    const {readme, out} = await written(await exported(rows()), {
      licenceTexts: {'LicenseRef-CANN-OSL-2.0': 'The agreement.\n'},
    })
    expect(await readFile(join(directory, 'LICENSES/LicenseRef-CANN-OSL-2.0.txt'), 'utf8')).toBe('The agreement.\n')
    expect(readme).toContain('Its text is in `LICENSES/LicenseRef-CANN-OSL-2.0.txt`.')
    expect(readme).toContain('```sh\nnpx ascend-cot run documentation release-sft card\n```')
    expect(out.map(({kind, path}) => `${kind} ${path}`)).toEqual([
      'parquet data/sft/train-00000-of-00001.parquet',
      'parquet data/sft/test-00000-of-00001.parquet',
      'card README.md',
      'licence NOTICES.md',
      'licence LICENSES/LicenseRef-CANN-OSL-2.0.txt',
      'picture pictures/sft-lengths.svg',
      'picture pictures/sft-kinds.svg',
      'manifest manifest.json',
    ])
  })

  test('keeps the copyright notices of the sources that rows come from', async () => {
    const {notices} = await written(await exported(rows()), {
      copyrights: {'https://gitcode.com/cann/asc-devkit': ['Copyright (c) 2025 A|B <c>'], 'https://else/where': ['No']},
    })
    const [, own = ''] = notices.split('Copyright notices in the files of https://gitcode.com/cann/asc-devkit:\n\n')
    expect(own).toMatch(/^- Copyright \(c\) 2025 A/)
    expect(own).not.toContain('<c>')
    expect(notices).not.toContain('- No')
  })

  test('has the words of its publisher, and no gap where there are none', async () => {
    const artifacts = await exported(rows())
    expect((await written(artifacts, {words: '\nAsk **us** at tea.\n'})).readme).toContain('\n\nAsk **us** at tea.\n\n')
    expect((await written(artifacts)).readme).not.toMatch(/\n{3}/)
  })

  test("uses the Hub's key where all licences have one", async () => {
    expect((await written(await exported([sftRow(sample())]))).yaml['license']).toBe('apache-2.0')
  })

  test('lists drop reasons, and shell words survive in a table', async () => {
    const {readme} = await written(await exported(rows()), {
      dropReasons: [{recipe: 'kernels', stage: 'compile', reasons: {'not-covered': 1200, 'a|b': 1}}],
    })
    expect(readme).toContain('| kernels | compile | not-covered | 1,200 |')
    expect(readme).toContain('a\\|b')
  })

  test('and all beside it are the same bytes twice', async () => {
    const artifacts = await exported(rows(), [dpoRow(pair())])
    const first = await written(artifacts)
    const manifest = await readFile(join(directory, 'manifest.json'), 'utf8')
    const again = await written(await exported(rows(), [dpoRow(pair())]))
    expect(again.out).toEqual(first.out)
    expect(await readFile(join(directory, 'manifest.json'), 'utf8')).toBe(manifest)
  })

  test('lists every file but the manifest in the manifest, by path', async () => {
    const {out} = await written(await exported(rows(), [dpoRow(pair())]))
    const {files} = JSON.parse(await readFile(join(directory, 'manifest.json'), 'utf8')) as {files: Artifact[]}
    const paths = out.map(({path}) => path).filter((path) => path !== 'manifest.json')
    expect(files.map(({path}) => path)).toEqual(paths.sort())
    for (const {path, bytes, sha256} of files) {
      const content = await readFile(join(directory, path))
      expect([path, content.length, createHash('sha256').update(content).digest('hex')]).toEqual([path, bytes, sha256])
    }
  })

  test('tells what rows hold once they are loaded, not what the files hold', async () => {
    const text = 'the same word again and again '.repeat(800)
    const {yaml} = await written(await exported([sftRow(sample({reasoning: text})), sftRow(sample({prompt: text}))]))
    const [info] = yaml['dataset_info'] as {
      splits: {num_bytes: number}[]
      download_size: number
      dataset_size: number
    }[]
    expect(info?.splits[0]?.num_bytes).toBeGreaterThan(2 * text.length)
    expect(info?.splits[0]?.num_bytes).toBeLessThan(2 * text.length + 4000)
    expect(info?.dataset_size).toBe(info?.splits[0]?.num_bytes)
    expect(info?.download_size).toBeLessThan(text.length)
  })

  test('tells how long replies are and which lengths trainers must be given', async () => {
    const long = sftRow(kernelSample({reasoning: 'word '.repeat(1500)}))
    const {readme} = await written(await exported([...rows(), long], [dpoRow(pair())]))
    expect(readme).toMatch(/\| sft \| all: [\d,]+ tokens \| 5 \|.*\| 1 \| 0 \| 0 \| 0 \| 0 \| 0 \|/)
    expect(readme).toMatch(/\| sft \| kernel \| 3 \|.*\| 1 \| 0 \| 0 \| 0 \| 0 \| 0 \|/)
    expect(readme).toContain('| dpo | green · purple | 2 |')
    expect(readme).toContain('| TRL: `max_length` | 2048 | 1024 |')
    expect(readme).toContain('| MindSpeed-LLM: `--seq-length` | 2048 | 1024 |')
  })

  test('names the views that are there, and how to make others', async () => {
    const data = await exported(rows(), [dpoRow(pair())])
    const made = await collect(writeViews({directory, views: ['kto']}).run(stream(data), recordingContext()))
    const {readme} = await written(made)
    expect(readme).toMatch(/\| `views\/kto` \| dpo train 2 \| [\d.]+ KiB \| unpaired/)
    expect(readme).toContain('--set export.views=[messages]')
    expect(readme).not.toContain('`views/messages`')
    const bare = await written(await exported([], [], [apiRow(apiEntry())]))
    expect(bare.readme).not.toContain('## Trainers')
    expect(bare.readme).not.toContain('## Parts of a reply')
    expect(bare.readme).not.toContain('## Training with it')
  })

  test('says what the rows were compared with, and where no benchmark was given', async () => {
    const heldOut = [
      {release: 'release-sft', heldOut: ['mine|x'], benchmarks: ['NPUKernelBench'], operatorsBy: ['name']},
      {release: 'release-dpo', heldOut: ['mine|x'], benchmarks: [], operatorsBy: []},
      {release: 'release-kto', heldOut: [], benchmarks: ['B'], operatorsBy: ['request', 'formula']},
    ]
    const dropReasons = [
      {recipe: 'release-sft', stage: 'decontaminate', reasons: {contaminated: 1200, 'benchmark-operator': 34}},
      {recipe: 'release-sft', stage: 'dedup', reasons: {duplicate: 5}},
    ]
    const {readme} = await written(await exported(rows()), {heldOut, dropReasons})
    expect(readme).toContain(
      '- `release-sft`: mine\\|x, NPUKernelBench; by content, and by name of the operator. Refused: 1,234.',
    )
    expect(readme).toContain('- `release-dpo`: mine\\|x; by content. Refused: 0.')
    const requests = 'and by requests for such an operator by name that are answered with code'
    expect(readme).toContain(`- \`release-kto\`: B; by content, ${requests}, and by formula of the operator.`)
    expect(readme).toContain('**No benchmark was given to `release-dpo`**')
    expect((await written(await exported(rows()))).readme).not.toContain('## Decontamination')
  })

  test('shows pictures that are there, those given last', async () => {
    const timelines = [{path: 'timelines/axpby.svg', title: 'Modelled', svg: '<svg/>'}]
    const {readme} = await written(await exported(rows(), [dpoRow(pair())]), {timelines})
    const shown = [...readme.matchAll(/!\[[^\]]+\]\(([^)]+)\)/g)].map(([, path]) => path)
    expect(shown).toEqual(
      ['sft-lengths', 'sft-kinds', 'dpo-lengths', 'dpo-labels']
        .map((name) => `pictures/${name}.svg`)
        .concat('timelines/axpby.svg'),
    )
    for (const path of shown) expect(await readFile(join(directory, path ?? ''), 'utf8')).toMatch(/^<svg/)
  })

  test('describes an empty export as empty', async () => {
    const {readme, yaml} = await written([])
    expect(readme).toContain('This export has no rows.')
    expect(yaml['configs']).toEqual([])
  })
})

describe('stats', () => {
  test('come from the files: rows, tallies and token lengths over row groups', async () => {
    const artifacts = await exported([
      ...rows(),
      ...Array.from({length: 20}, (_, index) => sftRow(kernelSample({prompt: `Task ${index}`}))),
    ])
    const [stats] = await readStats(directory, artifacts)
    expect(stats?.splits).toMatchObject([
      {split: 'train', rows: 23, files: 1},
      {split: 'test', rows: 1, files: 1},
    ])
    expect(stats?.tallies['kind']).toEqual([
      ['kernel', 22],
      ['documentation', 2],
    ])
    expect(stats?.tallies['outcome']).toEqual([['compiled', 22]])
  })

  test('refuse a file without a column that this version writes', async () => {
    const artifacts = (await exported(rows())).map((artifact) => ({...artifact, config: 'dpo' as const}))
    await expect(readStats(directory, artifacts)).rejects.toMatchObject({
      code: 'input-invalid',
      message: expect.stringMatching(/has no column .*strategy.*: an earlier version wrote it/),
    })
  })

  test('refuse a file that was changed, emptied or removed after the export', async () => {
    const artifacts = await exported(rows())
    const path = join(directory, artifacts[0]?.path ?? '')
    await appendFile(path, 'x')
    await expect(readStats(directory, artifacts)).rejects.toMatchObject({code: 'input-invalid'})
    await writeFile(path, '')
    await expect(readStats(directory, artifacts)).rejects.toMatchObject({
      code: 'input-invalid',
      message: expect.stringContaining('is not a Parquet file'),
    })
    await rm(path)
    await expect(readStats(directory, artifacts)).rejects.toMatchObject({
      code: 'input-invalid',
      message: expect.stringContaining('cannot be opened'),
    })
  })

  test('shows names from outside as text, whatever mark-up they hold', async () => {
    const hostile = [
      'a|b\n# Licence: none',
      '<img src=x onerror=alert(1)>',
      '[free](javascript:alert(1))',
      '`rm -rf`',
      '**bold** _it_ &lt;b&gt;',
      'x · y · z',
      'see http://bad.example or www.bad.example',
      'turned\u202eround',
    ]
    const origin = {revision: '<!-- v -->', path: 'p', licence: 'L<b>'}
    const foreign = hostile.map((repository) => sftRow(sample({origin: {repository, ...origin}})))
    const {notices, readme} = await written(await exported([...rows(), ...foreign]), {
      licenceTexts: {'L<b>': 'text'},
      dropReasons: [{recipe: 'mine|<b>', stage: 's', reasons: {'a\nb': 1}}],
    })
    for (const page of [notices, readme.split('---\n').slice(2).join('---\n')]) {
      expect(page.match(/(?<!\\)<(?:img|b|!--)/g)).toBeNull()
      expect(page).not.toMatch(/^# Licence/m)
      expect(page).not.toMatch(/(?<!\\)\[free/)
      expect(page).not.toContain('\u202e')
    }
    const lines = notices.split('\n').filter((line) => line.endsWith(' | 1 |'))
    const cells = lines.map((line) => line.split(/(?<!\\) \| /)[0])
    expect(cells).toEqual(
      expect.arrayContaining([
        '| a\\|b \\# Licence: none',
        '| \\<img src=x onerror=alert(1)\\>',
        '| \\[free\\](javascript:alert(1))',
        '| \\`rm -rf\\`',
        '| \\*\\*bold\\*\\* \\_it\\_ \\&lt;b\\&gt;',
        '| x · y · z',
        '| see http\\://bad.example or www\\.bad.example',
        '| turned round',
      ]),
    )
    expect(notices).toContain('| https://gitcode.com/cann/asc-devkit | abc1 |')
    expect(notices).toContain('Text: LICENSES/L-b-.txt')
  })

  test('an origin keeps no name and password of its address', () => {
    const {repository} = osl.origin
    const stored = (address: string) => sample({origin: {...osl.origin, repository: address}})
    expect(CotSample.parse(stored(repository.replace('//', '//me:t@ken@'))).origin.repository).toBe(repository)
    expect(CotSample.parse(stored('folder: a@b')).origin.repository).toBe('folder: a@b')
  })
})
