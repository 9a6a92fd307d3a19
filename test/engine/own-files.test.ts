import {mkdirSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {pathToFileURL} from 'node:url'
import {expect, test} from 'vitest'
import {resolve} from '../../engine/own-files.ts'
import {nodeStripsTypes} from '../../engine/own-package.ts'
import {temporaryFolder} from '../helpers/temporary.ts'

const format = nodeStripsTypes ? 'module-typescript' : 'module'

/** As Node would: a path is found where there is a file, a package where the parent may see it. */
async function resolved(specifier: string, parent: string, known: Readonly<Record<string, string>> = {}) {
  const asked: string[] = []
  const next = (name: string, context?: {parentURL?: string | undefined}) => {
    asked.push(`${name} from ${context?.parentURL === parent ? 'theirs' : 'ours'}`)
    if (name.startsWith('file:')) return {url: name, format: undefined}
    const url = known[`${name} from ${context?.parentURL === parent ? 'theirs' : 'ours'}`]
    if (url === undefined) throw new Error(`no ${name}`)
    return {url, format: undefined}
  }
  const context = {conditions: [], importAttributes: {}, importAssertions: {}, parentURL: parent}
  const found = await resolve(specifier, context, next as never)
  return {url: found.url, format: found.format, asked}
}

test('this package is the one that runs, whatever else is installed beside the file', async () => {
  const known = {'ascend-cot/stage from theirs': 'file:///theirs.js', 'ascend-cot/stage from ours': 'file:///ours.js'}
  expect(await resolved('ascend-cot/stage', 'file:///home/joe/a.ts', known)).toMatchObject({url: 'file:///ours.js'})
})

test('zod is theirs where they have one, else ours', async () => {
  const ours = {'zod from ours': 'file:///ours.js'}
  expect(await resolved('zod', 'file:///home/joe/a.ts', ours)).toMatchObject({url: 'file:///ours.js'})
  const both = {...ours, 'zod from theirs': 'file:///theirs.js'}
  expect(await resolved('zod', 'file:///home/joe/a.ts', both)).toMatchObject({url: 'file:///theirs.js'})
  await expect(resolved('zodiac', 'file:///home/joe/a.ts', both)).rejects.toThrow('no zodiac')
})

test.each(['./words', './words.js', './words.ts'])('%s is the source beside, as a module', async (name) => {
  const folder = await temporaryFolder()
  writeFileSync(join(folder, 'words.ts'), '')
  const [parent, url] = [join(folder, 'a.ts'), join(folder, 'words.ts')].map((path) => pathToFileURL(path).href)
  const known = {'./words.ts from theirs': url!}
  expect(await resolved(name, parent!, known)).toMatchObject({url, format})
})

test('what is nowhere is missing as Node says it', async () => {
  const folder = await temporaryFolder()
  mkdirSync(join(folder, 'words.ts.d'))
  await expect(resolved('./words.js', pathToFileURL(join(folder, 'a.ts')).href)).rejects.toThrow('no ./words.js')
})

test('files of libraries, and of ours, keep the form that Node sees in them', async () => {
  const library = 'file:///home/joe/node_modules/x/a.ts'
  expect(await resolved('x', 'file:///home/joe/a.ts', {'x from theirs': library})).toMatchObject({format: undefined})
  const own = new URL('../../engine/stage.ts', import.meta.url).href
  expect(await resolved('y', 'file:///home/joe/a.ts', {'y from theirs': own})).toMatchObject({format: undefined})
})
