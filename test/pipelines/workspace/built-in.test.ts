import {describe, expect, test} from 'vitest'
import {configs} from '../../../datasets/schema/export.ts'
import {loadBuiltIn, recipesBehind} from '../../../pipelines/workspace/built-in.ts'
import {besideReleases, builtInRecipes} from '../../../pipelines/workspace/recipe-names.ts'

describe('the graph of recipes', () => {
  const reads = async (name: string) => (await loadBuiltIn(name)).reads ?? []

  test('has every recipe that one reads, and no circle', async () => {
    for (const name of builtInRecipes()) {
      for (const read of await reads(name)) expect(builtInRecipes(), `${name} reads ${read}`).toContain(read)
      expect(await recipesBehind([name])).not.toContain(name)
    }
  })

  test('tells what is behind a release, each after what it reads', async () => {
    const pairs = ['scenarios', 'pairs', 'tasks', 'candidates', 'preference']
    expect(await recipesBehind(['release-dpo'])).toEqual(pairs)
    expect(await recipesBehind(['release-dpo', 'release-errors'])).toEqual([...pairs, 'errors'])
    expect(await recipesBehind(['documentation'])).toEqual([])
    const all = await recipesBehind(['card'])
    for (const [at, name] of all.entries())
      for (const read of await reads(name)) expect(all.slice(0, at), `${read} before ${name}`).toContain(read)
  })

  test('ends in a card on every configuration, behind which is every recipe but those beside it', async () => {
    expect([...(await reads('card'))].sort()).toEqual(configs.map((config) => `release-${config}`).sort())
    const rows = builtInRecipes().filter((recipe) => !besideReleases.includes(recipe))
    expect([...(await recipesBehind(['card'])), 'card'].sort()).toEqual(rows)
  })
})
