import {code} from '../../../datasets/voice.ts'
import type {Edit} from '../../../datasets/schema/edit-facts.ts'
import type {Reason, Scene} from './reason.ts'

/** A semicolon, bracket or comma that is missing. */
export function markReason(
  {missing, surplus, before, opener}: Extract<Edit, {kind: 'marks'}>,
  {voice: {say}}: Scene,
): Reason | undefined {
  if (surplus !== '' || !/^[;(){},]$/.test(missing)) return undefined
  const place = code(before)
  const names: Readonly<Record<string, readonly [string, string]>> = {
    ';': [
      'A statement ends with it; without it the next line is read as its continuation.',
      '语句以它结束，缺了它，下一行就被当成同一句。',
    ],
    ')': [
      'The bracket stays open, so what follows is read as a part of the call.',
      '括号没有闭合，后面的内容被当成调用的一部分。',
    ],
    '(': ['The closing bracket has no partner without it.', '没有它，后面的右括号就没有配对。'],
    '}': [
      'The block stays open, so all that follows is read as a part of it.',
      '代码块没有闭合，后面的内容都被当成它的一部分。',
    ],
    '{': ['The closing brace has no partner without it.', '没有它，后面的右花括号就没有配对。'],
    ',': ['Two arguments stand side by side without it.', '没有它，两个实参就连在了一起。'],
  }
  const [en, zh] = names[missing]!
  if (opener !== '')
    return {
      fault: say(`${code('}')} is missing behind ${place}.`, `${place}之后少了${code('}')}。`),
      why: say(
        `It closes ${code(opener)}, which stays open without it, so all that follows is read as a part of it.`,
        `它要闭合${code(opener)}，缺了它，后面的内容都被当成其中的一部分。`,
      ),
      fromCode: true,
    }
  return {
    fault: say(`${code(missing)} is missing behind ${place}.`, `${place}之后少了${code(missing)}。`),
    why: say(en, zh),
    fromCode: true,
  }
}
