import {existsSync, readFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import exportGate from '../../../datasets/gates/export-gate.ts'
import licenceGate from '../../../datasets/gates/licence-gate.ts'
import {contentId} from '../../../engine/ids.ts'
import {Config} from '../../../pipelines/workspace/config.ts'
import {writeRejected} from '../../../pipelines/workspace/rejected.ts'
import {sample} from '../../datasets/rows.ts'
import {sampleRun} from '../../helpers/sample-run.ts'
import {temporaryFolder} from '../../helpers/temporary.ts'

const token = `ghp_${'a1B2'.repeat(9)}`
const kept = sample()
const secret = sample({answer: `Use ${token}.`})
const foreign = sample({prompt: 'x?', origin: {...sample().origin, licence: 'GPL-3.0-only'}})
const header = `// author zhang.san${'@'}qq.com, CONFIDENTIAL\n`
const contradicted = sample({prompt: 'y?', answer: header})

const gates = [licenceGate({config: 'sft'}), exportGate({config: 'sft'})]

async function released(recipe: string, export_: object, samples = [kept, secret, foreign, contradicted]) {
  const out = await temporaryFolder()
  const config = Config.parse({out, export: export_})
  const record = await sampleRun(out, recipe, samples, gates)
  await writeRejected(config, record)
  const file = join(out, 'dataset', 'rejected', `${recipe}.jsonl`)
  return {out, config, file, text: existsSync(file) ? readFileSync(file, 'utf8') : undefined}
}

test('what a release refused is written with its reason, place and id, and without its text', async () => {
  const {text = ''} = await released('release-sft', {})
  const lines = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>)
  expect(lines).toHaveLength(3)
  expect(lines.find(({reason}) => reason === 'licence-not-allowed')).toEqual({
    recipe: 'release-sft',
    stage: 'licence-gate',
    reason: 'licence-not-allowed',
    detail: 'GPL-3.0-only of ascend-cot/starter',
    id: contentId(foreign),
    kind: 'documentation',
    origin: foreign.origin,
  })
  expect(lines.find(({reason}) => reason === 'secret')).toMatchObject({stage: 'export-gate', id: contentId(secret)})
  expect(lines.find(({reason}) => reason === 'licence-contradicted')?.['detail']).toBe('withheld: e-mail address')
  expect(text).not.toContain(token)
  expect(text).not.toContain('zhang.san')
})

test('of other runs where that is asked for', async () => {
  expect((await released('documentation', {})).text).toBeUndefined()
  expect((await released('documentation', {rejected: 'all'})).text).toContain('licence-not-allowed')
})

test('a run that refused nothing removes what an earlier one left, and older settings do not count', async () => {
  const {out, config, file} = await released('release-sft', {})
  const lenient = [licenceGate({config: 'sft', allow: ['Apache-2.0', 'GPL-3.0-only']})]
  await writeRejected(config, await sampleRun(out, 'release-sft', [kept, foreign, contradicted], lenient))
  expect(readFileSync(file, 'utf8').trimEnd().split('\n')).toHaveLength(1)
  await writeRejected(config, await sampleRun(out, 'release-sft', [kept, foreign], lenient))
  expect(existsSync(file)).toBe(false)
})
