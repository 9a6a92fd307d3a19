import {DocPage} from '../../datasets/schema/document.ts'
import type {TextRepair} from '../../datasets/schema/page-image.ts'
import {each, type Context, type Stage} from '../../engine/stage.ts'
import {latexProblem} from './formulas/check-latex.ts'
import {fixMojibake, type Note} from './text-repair/mojibake.ts'
import {decodeEntities} from '../../datasets/entities.ts'

/**
 * Repairs what a rule can prove to be broken in a page's text, records each change, and checks the formulas that the
 * page has as LaTeX. Counted as a drop although the page is still used: `latex-unparsable`.
 */
export default function repairText(): Stage<DocPage, DocPage> {
  return {
    name: 'documentation-repair-text',
    version: 2,
    input: DocPage,
    output: DocPage,
    run: each(async (page, context) => [await checked(repaired(page), context)]),
  }
}

function repaired(page: DocPage): DocPage {
  const repairs: TextRepair[] = []
  const known = new Set(page.markdown.match(/[A-Za-z_]\w*/g) ?? [])
  let fence = ''
  let isCpp = false
  let isInTable = false
  const lines = page.markdown.split('\n').map((line, at) => {
    const note = (what: TextRepair['what'], before: string, after: string) =>
      void repairs.push({what, before, after, line: at + 1})
    const whole = fixMojibake(line, note)
    const mark = /^\s*(`{3,}|~{3,})\s*([\w+]*)/.exec(whole)
    if (mark && (fence === '' || (mark[1] as string).startsWith(fence))) {
      isCpp = fence === '' && /^(?:cpp|c\+\+|c)$/i.test(mark[2] ?? '')
      fence = fence === '' ? (mark[1] as string) : ''
      return whole
    }
    if (fence === '') {
      const markup = whole.replace(/`[^`]*`/g, '')
      isInTable ||= /<table\b/i.test(markup)
      const prose = fixProse(whole, isInTable, note)
      if (/<\/table>/i.test(markup)) isInTable = false
      return prose
    }
    return fixCode(whole, isCpp, note)
  })
  const markdown = joinSplitWords(lines, known, (before, after, line) =>
    repairs.push({what: 'split-word', before, after, line}),
  )
  return repairs.length === 0 ? page : {...page, markdown, repairs: repairs.sort((a, b) => a.line - b.line)}
}

async function checked(page: DocPage, context: Context): Promise<DocPage> {
  const formulas = sourceFormulas(page.markdown)
  if (formulas.length === 0) return page
  const faulty: {latex: string; problem: string}[] = []
  for (const latex of formulas) {
    const problem = await latexProblem(latex, false)
    if (problem === undefined) continue
    faulty.push({latex, problem})
    context.drop({latex}, 'latex-unparsable', `${page.origin.path}: ${problem}`)
  }
  return {...page, latex: {formulas: formulas.length, faulty}}
}

/**
 * Joins a word that a hyphen and a line break split, where the page writes the joined word elsewhere; the first part
 * keeps its line, and a line of which nothing is left is gone: empty, it would end the paragraph. Headings and code are
 * left alone.
 */
export function joinSplitWords(
  lines: readonly string[],
  known: ReadonlySet<string>,
  note: (before: string, after: string, line: number) => void,
): string {
  const joined: (string | undefined)[] = [...lines]
  let fence = ''
  for (let at = 0; at + 1 < joined.length; at += 1) {
    const [line = '', next = ''] = [joined[at], joined[at + 1]]
    const mark = /^\s*(`{3,}|~{3,})/.exec(line)?.[1] ?? ''
    if (fence === '' && mark !== '') fence = mark
    else if (fence !== '' && mark.startsWith(fence)) fence = ''
    if (fence !== '' || /^#/.test(line)) continue
    const first = /([A-Za-z_]\w*)-$/.exec(line)?.[1]
    const second = /^\s*([a-zA-Z_]\w*)/.exec(next)?.[1]
    if (first === undefined || second === undefined || !known.has(first + second)) continue
    joined[at] = line.slice(0, -1) + second
    const rest = next.trimStart().slice(second.length).trimStart()
    joined[at + 1] = rest === '' ? undefined : rest
    note(`${first}-\n${second}`, first + second, at + 1)
  }
  return joined.filter((line) => line !== undefined).join('\n')
}

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

/**
 * The LaTeX that a page has between `$$` or `$`, in order, without that of listings. A lone `$` of a shell or template
 * begins no formula.
 */
export function sourceFormulas(markdown: string): string[] {
  const text = withoutCode(markdown)
  const found: {at: number; latex: string}[] = []
  const rest = text.replace(/\$\$([^$]+)\$\$/g, (whole, latex: string, at: number) => {
    found.push({at, latex: latex.trim()})
    return ' '.repeat(whole.length)
  })
  for (const match of rest.matchAll(/(?<![\\$\w])\$(?![\s{$])([^$\n]{1,300}?)(?<![\s\\])\$(?![\w$])/g)) {
    const [, latex = ''] = match
    if (isFormula(latex)) found.push({at: match.index, latex})
  }
  return found.sort((a, b) => a.at - b.at).map(({latex}) => latex)
}

const isFormula = (latex: string) => /[\\^_=+]/.test(latex) || /^[A-Za-z0-9.,\s()-]{1,12}$/.test(latex)

function withoutCode(markdown: string): string {
  let fence = ''
  const kept = markdown.split('\n').map((line) => {
    const mark = /^\s*(`{3,}|~{3,})/.exec(line)?.[1] ?? ''
    if (fence === '' && mark !== '') fence = mark
    else if (fence !== '' && mark.startsWith(fence)) fence = ''
    else if (fence === '') return line.replace(/`[^`]*`/g, ' ')
    return ''
  })
  return kept.join('\n')
}
