import {createHash} from 'node:crypto'
import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {differences, fingerprintOf} from '../../../engine/elsewhere/fingerprint.ts'
import {walk} from '../../../engine/files.ts'
import {ownExtension, ownRoot} from '../../../engine/own-package.ts'
import {words} from '../../helpers/number-stages.ts'

test('holds a hash over the modules of every room', async () => {
  const hash = createHash('sha256')
  for (const room of ['cpp', 'datasets', 'engine', 'eval', 'pipelines', 'sources', 'trainers'])
    for await (const path of walk(join(ownRoot, room)))
      if (path.endsWith(ownExtension)) hash.update(`${room}/${path}\n`).update(readFileSync(join(ownRoot, room, path)))
  expect((await fingerprintOf(words(), 'k')).code).toBe(hash.digest('hex').slice(0, 16))
})

const long = 'p'.repeat(100)
test.each<[string, object, object, RegExp[]]>([
  ['an option that only this machine has', {}, {a: 1}, [/^options\.a is 1 here and absent in the run$/]],
  ['an option that only the run has', {a: 1}, {}, [/^options\.a is absent here and 1 in the run$/]],
  ['a long text', {a: long}, {a: `${long}.`}, [/^options\.a is a text with the id \w+ here and a text with the id/]],
])('names %s', async (_, run, here, expected) => {
  const of = (options: object, key: string) => fingerprintOf(words({options}), key)
  const found = differences(await of(run, 'a'), await of(here, 'b'))
  expect(found).toEqual(expected.map((one) => expect.stringMatching(one) as string))
})
