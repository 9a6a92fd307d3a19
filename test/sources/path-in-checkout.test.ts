import {mkdirSync} from 'node:fs'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {pathInCheckout} from '../../sources/checkout.ts'
import {temporaryFolder} from '../helpers/temporary.ts'

test('a path is told from the checkout, or from the folder that is named around it', async () => {
  const top = await temporaryFolder()
  const root = join(top, 'dist/corpus/operators')
  mkdirSync(root, {recursive: true})
  expect(await pathInCheckout(root)).toBe('')
  mkdirSync(join(top, '.git'))
  expect(await pathInCheckout(root)).toBe('dist/corpus/operators/')
  expect(await pathInCheckout(root, join(top, 'dist'))).toBe('corpus/operators/')
  expect(await pathInCheckout(root, root)).toBe('')
})
