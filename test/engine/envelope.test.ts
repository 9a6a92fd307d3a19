import {describe, expect, test} from 'vitest'
import {envelopeOf, recall, remember} from '../../engine/envelope.ts'
import {canonicalJson, textId} from '../../engine/ids.ts'

const record = () => ({text: 'a', list: [1, {deep: 'b'}] as unknown[], none: null as unknown, map: {k: 1} as object})
const invented = {id: 'id', json: 'json'}

describe('an envelope', () => {
  test('is the canonical JSON and its hash', () => {
    const json = canonicalJson(record())
    expect(envelopeOf(record())).toEqual({id: textId(json), json})
    expect(envelopeOf('text')).toEqual({id: textId('"text"'), json: '"text"'})
  })

  test('that was noted is not made again, and is of this record alone', () => {
    const value = record()
    remember(value, invented, 'schema')
    expect(envelopeOf(value)).toMatchObject(invented)
    expect(recall(value)?.schema).toBe('schema')
    expect(recall(record())).toBeUndefined()
  })

  test('of a text or a number is not noted', () => {
    remember('text', invented)
    expect(recall('text')).toBeUndefined()
  })

  test.each<[string, (value: ReturnType<typeof record>) => unknown]>([
    ['another text', (value) => (value.text = 'b')],
    ['a field more', (value) => Object.assign(value, {more: 1})],
    ['a field less', (value) => Reflect.deleteProperty(value, 'text')],
    [
      'a field with another name',
      (value) => [Reflect.deleteProperty(value, 'none'), Object.assign(value, {nil: null})],
    ],
    ['an element more', (value) => value.list.push(2)],
    ['an element less', (value) => value.list.pop()],
    ['elements in another order', (value) => value.list.reverse()],
    ['a change deep inside', (value) => Object.assign(value.list[1] as object, {deep: 'c'})],
    ['a list for an object', (value) => (value.map = [1])],
    ['an object for nothing', (value) => (value.none = {})],
  ])('%s ends what was noted', (_, change) => {
    const value = record()
    remember(value, invented)
    change(value)
    expect(recall(value)).toBeUndefined()
    expect(envelopeOf(value).json).toBe(canonicalJson(value))
  })
})
