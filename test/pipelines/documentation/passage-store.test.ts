import {join} from 'node:path'
import {expect, onTestFinished, test} from 'vitest'
import {PassageStore} from '../../../pipelines/documentation/relate.ts'
import {docSection} from '../../helpers/doc-section.ts'
import {temporaryFolder} from '../../helpers/temporary.ts'

test('the beginnings of sections are read as far as whole blocks fit', async () => {
  const store = await PassageStore.at(join(await temporaryFolder(), 'passages.jsonl'), 12)
  onTestFinished(() => store.close())
  const sections = ['aaaa\n\nbbbb\n\ncccc', '搬运数据', '\n', 'd'.repeat(13)].map((markdown, at) =>
    docSection({page: `Page${at}`, heading: '功能', markdown}),
  )
  for (const section of sections) await store.add(section)
  const read = async (id: number, characters: number) => (await store.read(id, characters))?.markdown
  expect([await read(0, 3), await read(0, 4), await read(0, 9), await read(0, 10)]).toEqual([
    ...[undefined, 'aaaa', 'aaaa', 'aaaa\n\nbbbb'],
  ])
  expect(await read(0, 99), 'no more than the longest beginning is kept').toBe('aaaa\n\nbbbb')
  expect([await read(1, 3), await read(1, 4)]).toEqual([undefined, '搬运数据'])
  expect([await read(2, 99), await read(3, 99)]).toEqual([undefined, undefined])
  const {origin, page, headings, role} = sections[1]!
  expect(await store.read(1, 9)).toEqual({origin, page, headings, role, markdown: '搬运数据'})
})

test('a beginning may be exactly as long as is kept', async () => {
  const store = await PassageStore.at(join(await temporaryFolder(), 'passages.jsonl'), 10)
  onTestFinished(() => store.close())
  await store.add(docSection({page: 'Page', markdown: 'aaaa\n\nbbbb'}))
  expect((await store.read(0, 10))?.markdown).toBe('aaaa\n\nbbbb')
})
