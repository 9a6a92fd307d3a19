import {createHash} from 'node:crypto'
import {expect, test} from 'vitest'
import {contentId, envelopeOf, textId} from '../../engine/ids.ts'

test('an envelope is the canonical JSON of a record, and its hash', () => {
  const json = '{"a":[1,{"deep":"é"}],"b":null}'
  const id = createHash('sha256').update(json).digest('hex').slice(0, 32)
  const record = {b: null, absent: undefined, a: [1, {deep: 'é'}]}
  expect(envelopeOf(record)).toEqual({id, json})
  expect([contentId(record), textId(json)]).toEqual([id, id])
  expect(envelopeOf('text').json).toBe('"text"')
  expect(() => envelopeOf({n: Number.NaN})).toThrow('canonicalJson: NaN has no JSON form')
})
