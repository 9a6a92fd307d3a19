import {DocPage} from '../../datasets/schema/document.ts'
import type {TextRepair} from '../../datasets/schema/page-image.ts'
import {each, type Context, type Stage} from '../../engine/stage.ts'
import {latexProblem} from './formulas/check-latex.ts'
import {sourceFormulas} from './formulas/source-formulas.ts'
import {fixMojibake} from './text-repair/mojibake.ts'
import {fixCode, fixProse} from './text-repair/characters.ts'
import {joinSplitWords} from './text-repair/split-words.ts'

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
