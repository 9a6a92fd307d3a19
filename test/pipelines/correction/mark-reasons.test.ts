import {expect, test} from 'vitest'
import {nthWording, said as inWords} from '../../helpers/nth-wording.ts'
import {markReason} from '../../../pipelines/correction/offline/mark-reasons.ts'

function said(missing: string, {surplus = '', opener = '', language = 'en' as 'en' | 'zh'} = {}): string {
  const edit = {path: 'k', line: 1, kind: 'marks', missing, surplus, before: 'f(a', opener} as const
  const reason = inWords(markReason(edit), nthWording(language))
  return reason ? `${reason.fromCode ? '' : '? '}${reason.fault} ${reason.why}` : 'nothing'
}

test.each([
  [';', 'It ends a statement; without it the next line is read as a continuation.'],
  [')', 'The bracket stays open, so the code that follows is read as part of the call.'],
  ['(', 'The closing bracket has no partner without it.'],
  ['}', 'The block stays open, so everything that follows is read as part of it.'],
  ['{', 'The closing brace has no partner without it.'],
  [',', 'Without it two arguments are next to each other with no separator.'],
])('%s that is missing', (mark, why) => expect(said(mark)).toBe(`\`${mark}\` is missing after \`f(a\`. ${why}`))

test('a brace is told with what it closes', () => {
  expect(said('}', {opener: 'if (a) {'})).toBe(
    '`}` is missing after `f(a`. It closes `if (a) {`, which otherwise stays open, so everything that follows is ' +
      'read as part of it.',
  )
  expect(said('}', {language: 'zh'})).toBe('`f(a`之后少了`}`。 代码块没有闭合，后面的内容都被当成它的一部分。')
})

test.each([
  ['two marks', ') ;', ''],
  ['a mark too many', '', ';'],
  ['one for another', ';', ','],
  ['nothing', '', ''],
])('%s: nothing is told', (_, missing, surplus) => expect(said(missing, {surplus})).toBe('nothing'))
