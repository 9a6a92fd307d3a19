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
