import {describe, expect, test} from 'vitest'
import {decodeEntities} from '../../datasets/entities.ts'

describe('a number stands for a character', () => {
  test.each([
    ['&#32;', ' '],
    ['&#x20;', ' '],
    ['&#9;', '\t'],
    ['&#10;', '\n'],
    ['&#65;', 'A'],
    ['&#xD7FF;', '\ud7ff'],
    ['&#xE000;', '\ue000'],
    ['&#x10ffff;', '\u{10ffff}'],
  ])('%s', (text, character) => {
    expect(decodeEntities(`a${text}b`)).toBe(`a${character}b`)
  })

  test.each(['&#31;', '&#8;', '&#11;', '&#13;', '&#0;', '&#xD800;', '&#xDFFF;', '&#x110000;', '&#99999999;'])(
    '%s stands for none',
    (text) => {
      expect(decodeEntities(`a${text}b`)).toBe(`a${text}b`)
    },
  )
})

describe('a name', () => {
  test('of code is known in any case, another only when it is given', () => {
    expect(decodeEntities('a &lt; b &GT; c')).toBe('a < b > c')
    expect(decodeEntities('&middot;')).toBe('&middot;')
    expect(decodeEntities('&middot;', {middot: '·'})).toBe('·')
  })

  test('is decoded once', () => {
    expect(decodeEntities('&amp;lt;')).toBe('&lt;')
  })
})
