import {expect, test} from 'vitest'
import familyCap from '../../../datasets/dedup/family-cap.ts'
import type {CotSample} from '../../../datasets/schema/sample.ts'
import {contentId} from '../../../engine/ids.ts'
import {temporaryFolder} from '../../helpers/temporary.ts'
import {collect, kernelSample, recordingContext, sample, stream} from '../rows.ts'

const code = (name: string, call: string) =>
  Array.from({length: 30}, (_, n) => `void ${name}Step${n}(int ${name}${n}) { ${call}(${name}${n}, ${n}); }`).join('\n')

const named = (name: string, call = 'Add', over: Partial<CotSample> = {}) =>
  kernelSample({files: [{path: `${name}.cpp`, text: code(name, call)}], answer: name, ...over})

const api = ['Add', 'Mul', 'Sub', 'Exp']

async function kept(records: readonly CotSample[], most: number, seed = 'seed') {
  const context = {...recordingContext(), seed, directory: await temporaryFolder()}
  const outputs = await collect(familyCap({most, api}).run(stream([...records]), context))
  return {outputs, drops: context.drops}
}

const family = ['alpha', 'beta', 'gamma', 'delta', 'eta'].map((name) => named(name))

test('code that differs in names alone is one family, of which so many are kept in their order', async () => {
  const other = named('alpha', 'Exp')
  const {outputs, drops} = await kept([...family, other], 2)
  expect(outputs).toHaveLength(3)
  expect(outputs).toEqual([...family, other].filter((one) => outputs.some((it) => contentId(it) === contentId(one))))
  expect(outputs.at(-1)).toEqual(other)
  expect(drops.map(({reason}) => reason)).toEqual(['family-full', 'family-full', 'family-full'])
  expect(drops[0]?.detail).toBe(`5 samples like ${contentId(family[0] as CotSample)}, 2 are kept`)
})

test('the seed chooses, and nothing else', async () => {
  const choices = await Promise.all(['a', 'b', 'c', 'd', 'e', 'f'].map((seed) => kept(family, 1, seed)))
  expect(new Set(choices.map(({outputs}) => outputs[0]?.answer)).size).toBeGreaterThan(1)
  expect((await kept(family, 1, 'a')).outputs).toEqual(choices[0]?.outputs)
})

test('kinds have families of their own, prose passes, and a project is told by the code of its prompt', async () => {
  const evaluated = named('alpha', 'Add', {kind: 'evaluated'})
  const project = (name: string) =>
    kernelSample({kind: 'project', files: [], answer: '{}', prompt: `Say:\n\`\`\`cpp\n${code(name, 'Add')}\n\`\`\``})
  const prose = [sample(), sample({answer: 'Other.'})]
  const {outputs} = await kept([named('alpha'), evaluated, project('alpha'), project('beta'), ...prose], 1)
  expect(outputs.map(({kind}) => kind)).toEqual(['kernel', 'evaluated', 'project', 'documentation', 'documentation'])
})
