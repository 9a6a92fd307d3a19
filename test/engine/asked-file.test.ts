import {appendFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {openAskedFile, readAsked} from '../../engine/asked-file.ts'
import {temporaryFolder} from '../helpers/temporary.ts'

const entry = (input: string) => ({stage: 's', input, teacher: 'p', model: 'm', messages: [], failure: 'no'})

async function read(file: string): Promise<string[]> {
  const inputs: string[] = []
  for await (const {input} of readAsked(file)) inputs.push(input)
  return inputs
}

test('entries of several processes are read in order, and half a line of a killed one costs no other', async () => {
  const file = join(await temporaryFolder(), 'asked.jsonl')
  expect(await read(file)).toEqual([])
  const first = openAskedFile(file)
  first.note(entry('a'))
  first.note(entry('b'))
  first.close()
  appendFileSync(file, '{"stage": "s", "inp')
  const second = openAskedFile(file)
  second.note(entry('c'))
  second.close()
  expect(await read(file)).toEqual(['a', 'b', 'c'])
})
