import {decodeEntities} from '../../../datasets/entities.ts'
import type {TextRepair} from '../../../datasets/schema/page-image.ts'
import type {Note} from './mojibake.ts'

type Noted = Note<TextRepair['what']>

/**
 * Prose: invisible characters, letters of other blocks within Latin words, and entities escaped twice. Pages come with
 * their entities decoded, except those of HTML tables: what is left elsewhere was escaped twice.
 */
export function fixProse(line: string, isInTable: boolean, note: Noted): string {
  const plain = withoutInvisible(line, note)
  const narrow = plain.replace(/[\w]*[０-９Ａ-Ｚａ-ｚ＿]+[\w０-９Ａ-Ｚａ-ｚ＿]*/g, (word) =>
    // A word of full-width letters alone may be meant.
    /[A-Za-z0-9_]/.test(word) ? noted('full-width', word, word.normalize('NFKC'), note) : word,
  )
  const common = narrow.replace(/[\u2e80-\u2fdf\uf900-\ufaff]+/g, (run) =>
    noted('compatibility-character', run, run.normalize('NFKC'), note),
  )
  if (isInTable)
    return common.replace(/&amp;(?=(?:lt|gt|amp|nbsp|quot|#\d+);)/g, (entity) =>
      noted('double-escape', entity, '&', note),
    )
  return common
    .split(/(`[^`]*`)/)
    .map((part, at) => (at % 2 === 0 ? part.replace(leftEntity, (one) => decoded(one, note)) : part))
    .join('')
}

const leftEntity = /&(?:lt|gt|amp|nbsp|quot|#\d+);/g

const decoded = (entity: string, note: Noted) => noted('double-escape', entity, decodeEntities(entity, {}), note)

/**
 * Code: blanks that compilers do not accept as blanks; in C++ also full-width signs, entities and escapes of Markdown,
 * none of which its grammar has outside strings and comments.
 */
export function fixCode(line: string, isCpp: boolean, note: Noted): string {
  const plain = withoutInvisible(line, note).replace(/\u00a0+/g, (run) =>
    noted('no-break-space', run, ' '.repeat(run.length), note),
  )
  if (!isCpp) return plain
  return plain
    .split(/("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|\/\/.*$|\/\*.*?\*\/)/)
    .map((part, at) => (at % 2 === 0 && !/\p{Script=Han}/u.test(part) ? fixStatement(part, note) : part))
    .join('')
}

function fixStatement(text: string, note: Noted): string {
  return (
    text
      .replace(/[\uff01-\uff5e]/g, (char) => noted('full-width', char, char.normalize('NFKC'), note))
      .replace(/\u3000/g, (char) => noted('full-width', char, ' ', note))
      .replace(/(?<=\w)\\_(?=\w)/g, (escape) => noted('escaped-underscore', escape, '_', note))
      // `= &lt;` may take the address of a variable; between operands it cannot.
      .replace(/(?<=[\w>\]]\s?)&(?:lt|gt|amp);(?=\s?[\w:&(<>*=])/g, (entity) => decoded(entity, note))
  )
}

/** Zero-width blanks and marks; joiners within emoji and before variation selectors stay. */
function withoutInvisible(line: string, note: Noted): string {
  return line
    .replace(/[\u200b\u200e\u200f\u2060\ufeff]+/g, (run) => noted('zero-width', run, '', note))
    .replace(/(?<=[\w\p{Script=Han}])(?:\u200c|\u200d|\u00ad)+(?=[\w\p{Script=Han}])/gu, (run) =>
      noted('zero-width', run, '', note),
    )
}

function noted(what: TextRepair['what'], before: string, after: string, note: Noted): string {
  if (before !== after) note(what, before, after)
  return after
}
