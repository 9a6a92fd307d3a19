import {existsSync} from 'node:fs'
import {expect, test} from 'vitest'
import {Config, foldersOf} from '../../pipelines/workspace/config.ts'
import {sourceKinds} from '../../sources/kinds.ts'

test('each kind of source has a recipe of its name, a flag of its own and a bundled folder that exists', () => {
  expect(sourceKinds.map(({name}) => name)).toEqual(expect.arrayContaining(['documentation', 'kernels']))
  expect(sourceKinds.filter(({name}) => !existsSync(`pipelines/recipes/${name}.ts`))).toEqual([])
  expect(new Set(sourceKinds.map(({flag}) => flag)).size).toBe(sourceKinds.length)
  // A flag of several words would arrive under another name.
  expect(sourceKinds.filter(({flag}) => !/^[a-z]+$/.test(flag))).toEqual([])
  expect(
    sourceKinds.flatMap(({samples}) => samples).filter((one) => !existsSync(`pipelines/recipes/${one}.ts`)),
  ).toEqual([])
  expect(sourceKinds.filter(({bundled}) => bundled && !existsSync(`sources/starter/${bundled}`))).toEqual([])
})

test('each kind is a key of the configuration, and what is no kind is refused', () => {
  const folder = {root: 'somewhere', licence: 'MIT'}
  for (const {name} of sourceKinds) {
    expect(foldersOf(Config.parse({}), name)).toBeUndefined()
    expect(foldersOf(Config.parse({sources: {[name]: [folder]}}), name)).toEqual([folder])
  }
  expect(Config.safeParse({sources: {nothing: [folder]}}).success).toBe(false)
})
