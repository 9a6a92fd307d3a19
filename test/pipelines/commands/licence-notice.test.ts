import {join} from 'node:path'
import {expect, test} from 'vitest'
import {CotSample} from '../../../datasets/schema/sample.ts'
import {SourceFolder} from '../../../datasets/schema/source-folder.ts'
import {writeWhole} from '../../../engine/files.ts'
import {fromRun} from '../../../engine/from-run.ts'
import {Pipeline} from '../../../engine/pipeline.ts'
import {runPipeline} from '../../../engine/runner.ts'
import {each} from '../../../engine/stage.ts'
import {tellLicences} from '../../../pipelines/commands/licence-notice.ts'
import {Config} from '../../../pipelines/workspace/config.ts'
import {sample} from '../../datasets/rows.ts'
import {requestOf, sampleRun} from '../../helpers/sample-run.ts'
import {temporaryFolder} from '../../helpers/temporary.ts'
import {recordedWorld} from '../../helpers/world.ts'

const under = (licence: string, number: number) =>
  sample({prompt: `${licence} ${number}`, origin: {...sample().origin, licence}})

async function toldOf(licences: readonly string[], settings: object): Promise<string> {
  const out = await temporaryFolder()
  await sampleRun(out, 'documentation', licences.map(under))
  const release = Pipeline.from('release-sft', [{directory: join(out, 'documentation')}], fromRun(CotSample))
  const world = recordedWorld()
  await tellLicences(release, Config.parse({out, export: settings}), world.terminal)
  return world.said.join('\n')
}

test('a release says how many records it will refuse, by licence, and what mends it', async () => {
  const said = await toldOf(['NOASSERTION', 'NOASSERTION', 'GPL-3.0-only', 'Apache-2.0'], {})
  expect(said).toContain('3 of 4 records of release-sft will be refused because of their licence: ')
  expect(said).toContain('NOASSERTION (2)')
  expect(said).toContain('GPL-3.0-only (1)')
  expect(said).toContain('All their source folders have a licence')
  expect(said).toMatch(/--set export.licences=\[Apache-2.0, .*, GPL-3.0-only\]/)
})

test('each licence has its number, and what mends them stands once on a line of its own', async () => {
  const licences = ['NOASSERTION', 'GPL-3.0-only', 'NOASSERTION', 'AGPL-3.0-only', 'Apache-2.0', 'NOASSERTION']
  const mend = 'If you may publish it: --set export.licences=[Apache-2.0, '
  expect(await toldOf(licences, {licences: {sft: ['Apache-2.0']}})).toBe(
    [
      'warning: 5 of 6 records of release-sft will be refused because of their licence: ' +
        'NOASSERTION (3), GPL-3.0-only (1), AGPL-3.0-only (1).',
      'All their source folders have a licence, but files in them name one whose conditions are unknown.',
      `${mend}GPL-3.0-only]`,
      `${mend}AGPL-3.0-only]`,
    ].join('\n  → '),
  )
})

test('and says nothing where all may be published', async () => {
  expect(await toldOf(['Apache-2.0', 'MIT'], {})).toBe('')
  expect(await toldOf(['GPL-3.0-only'], {licences: {sft: ['GPL-3.0-only']}})).not.toContain('refused')
  expect(await toldOf(['MIT'], {licences: {dpo: ['Apache-2.0']}})).toBe('')
})

test('a list for all, or for this configuration, decides', async () => {
  expect(await toldOf(['MIT'], {licences: ['Apache-2.0']})).toContain('MIT (1)')
  expect(await toldOf(['MIT'], {licences: {sft: ['Apache-2.0']}})).toContain('MIT (1)')
  expect(await toldOf(['LicenseRef-CANN-OSL-2.0'], {licences: ['permissive']})).toContain('LicenseRef-CANN-OSL-2.0 (1)')
})

test('a licence that wants its text passed on is told where no folder holds it', async () => {
  expect(await toldOf(['LicenseRef-CANN-OSL-2.0'], {})).toContain('no source folder contains that text')
})

test('a folder whose licence nothing states is told before it is read', async () => {
  const root = await temporaryFolder()
  await writeWhole(join(root, 'a.md'), '# A page\n')
  const read = {
    name: 'read',
    version: 1,
    input: SourceFolder,
    output: SourceFolder,
    run: each((one: SourceFolder) => [one]),
  }
  const world = recordedWorld()
  const told = async (folder: SourceFolder, recipe = 'documentation', settings = {}) => {
    world.said.length = 0
    await tellLicences(Pipeline.from(recipe, [folder], read), Config.parse(settings), world.terminal)
    return world.said.join('\n')
  }
  expect(await told({root})).toContain(`releases will refuse everything in ${root} that states no licence of its own`)
  expect(await told({root})).toContain(`--set 'sources.documentation=[{root: ${root}, licence: <SPDX identifier>}]'`)
  expect(await told({root, licence: 'AGPL-3.0-only'})).toContain('If you may publish it: --set export.licences=[')
  expect(await told({root, licence: 'MIT'})).toBe('')
  expect(await told({root}, 'candidates')).toBe('')
  const settings = {export: {licences: {sft: ['MIT']}}}
  expect(await told({root, licence: 'MIT'}, 'documentation', settings)).toBe('')
  expect(await told({root, licence: 'Zlib'}, 'documentation', settings)).toBe(
    `warning: releases will refuse everything in ${root} that states no licence of its own: it is Zlib.\n` +
      '  → If you may publish it: --set export.licences=[MIT, Zlib]',
  )
})

test('a release names the recipes to repeat, and the setting with every folder that the rows came from', async () => {
  const [out, bare, parent] = await Promise.all([temporaryFolder(), temporaryFolder(), temporaryFolder()])
  const licensed = join(parent, "it's, all")
  await writeWhole(join(bare, 'a.cpp'), 'int a;\n')
  await writeWhole(join(licensed, 'a.cpp'), '// SPDX-License-Identifier: MIT\n')
  const settings = {sources: {kernels: [{root: bare}, {root: licensed}], documentation: [{root: licensed}]}}
  await sampleRun(out, 'scenarios', [under('NOASSERTION', 1)], [], Config.parse(settings))
  const read = fromRun(CotSample)
  const projects = Pipeline.from('projects', [{directory: join(out, 'scenarios')}], read)
  await runPipeline(requestOf(projects, out, Config.parse({})))
  const release = Pipeline.from('release-sft', [{directory: join(out, 'projects')}], read)
  const told = async (given: object) => {
    const world = recordedWorld()
    await tellLicences(release, Config.parse(given), world.terminal)
    return world.said.join('\n')
  }
  const setting = (licence: string) =>
    `--set 'sources.kernels=[{root: ${bare}, licence: ${licence}}, {root: "${parent}/it'\\''s, all"}]'`
  expect(await told({})).toContain(
    `made: ascend-cot run scenarios projects release-sft ${setting('<SPDX identifier>')}, settings as before.`,
  )
  expect(await told({sources: {kernels: [{root: bare, licence: 'MIT'}]}})).toContain(setting('MIT'))
  expect(await told({})).not.toContain('sources.documentation')
})
