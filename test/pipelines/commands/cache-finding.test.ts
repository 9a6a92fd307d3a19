import {mkdirSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {cacheFinding} from '../../../pipelines/commands/doctor.ts'
import {temporaryFolder} from '../../helpers/temporary.ts'

test('the cache says where it is, how large its parts are, and what may be deleted', async () => {
  const folder = await temporaryFolder()
  expect((await cacheFinding(join(folder, 'none'))).detail).toBe(`${join(folder, 'none')}: nothing yet`)
  mkdirSync(join(folder, 'twin/twin-1'), {recursive: true})
  writeFileSync(join(folder, 'twin/twin-1/a.pch'), 'x'.repeat(3000))
  writeFileSync(join(folder, 'replies.db'), 'x'.repeat(500))
  const finding = await cacheFinding(folder)
  expect(finding).toMatchObject({what: 'cache', state: 'good'})
  expect(finding.detail).toBe(`${folder}: compiled 2.9 KiB, safe to delete (${join(folder, 'twin')}); replies 500 B`)
})
