import {expect, test} from 'vitest'
import {inkOf, marksOf, pixelsOf} from '../../../../sources/docs/ocr/ink-marks.ts'
import {bracketOf, tallSignOf} from '../../../../sources/docs/ocr/sign-shape.ts'
import {formulaPicture} from '../../../helpers/formula-picture.ts'

function shapesIn(latex: string, size: number) {
  const ink = inkOf(pixelsOf(formulaPicture(latex, size))!)
  const {marks, labels} = marksOf(ink)
  const picture = {width: ink.width, faint: ink.faint, labels}
  return {
    brackets: marks.map((mark) => bracketOf([mark], picture) ?? '').join(''),
    signs: marks.map((mark) => tallSignOf(mark, picture)),
  }
}

test.each([
  ['(n)', '()'],
  ['[n]', '[]'],
  ['\\lfloor n\\rfloor', '⌊⌋'],
  ['\\lceil n\\rceil', '⌈⌉'],
  ['|n|', '||'],
  ['\\left\\lfloor\\frac{n}{y}\\right\\rfloor', '⌊⌋'],
  ['\\left(\\frac{n}{y}\\right)', '()'],
  ['\\left\\{\\frac{n}{y}\\right\\}', '{}'],
])('the brackets of %s are known by their shape', (latex, brackets) => {
  for (const size of [12, 14, 18, 25]) expect(shapesIn(latex, size).brackets).toBe(brackets)
})

test.each([
  ['[n]', /^\[?\]?$/],
  ['\\lceil n\\rceil', /^⌈?⌉?$/],
  ['\\lfloor n\\rfloor', /^⌊?⌋?$/],
  ['|n|', /^\|*$/],
  ['\\langle n\\rangle', /^$/],
])('small type may leave %s open, and shows no other brackets', (latex, brackets) => {
  for (const size of [6, 7, 8, 9, 10, 11, 13]) expect(shapesIn(latex, size).brackets).toMatch(brackets)
})

test.each(['abcdefghijklmnopqrstuvwxyz', 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', '0123456789+-=/,.:;<>'])(
  'letters and figures are no brackets: %s',
  (text) => {
    for (const size of [8, 12, 18])
      for (const latex of [text, `\\mathrm{${text}}`]) expect(shapesIn(latex, size).brackets).toBe('')
  },
)

test.each([
  ['\\sum', 'sum'],
  ['\\prod', 'product'],
  ['\\coprod', undefined],
  ['\\bigcup', undefined],
  ['\\bigcap', undefined],
  ['\\bigwedge', undefined],
  ['\\bigoplus', undefined],
])('the tall sign of %s', (latex, sign) => {
  for (const size of [8, 12, 18]) expect(shapesIn(latex, size).signs).toEqual([sign])
})
