import {replaceLinks, withinTags} from './linear-text.ts'

/** A reference to an image in Markdown. */
export interface ImageReference {
  /** Verbatim: `![…](…)` or `<img …>`. */
  whole: string
  /** The target, without title, as written on the page. */
  file: string
  alt: string
  /** The previous line with text, and whether the reference is alone on its line. */
  lead: string
  isAlone: boolean
  /** Blanks and `>` that a line below needs to stay in the same list or quotation. */
  indent: string
}

/** Replaces references to images outside of fenced code; the result of `replace` is inserted verbatim. */
export function replaceImages(markdown: string, replace: (reference: ImageReference) => string): string {
  let lead = ''
  let fence = ''
  const lines = markdown.split('\n').map((line) => {
    const mark = /^\s*(`{3,}|~{3,})/.exec(line)?.[1] ?? ''
    if (fence === '' && mark !== '') fence = mark
    else if (fence !== '' && mark.startsWith(fence)) fence = ''
    else if (fence === '' && /!\[|<img\b/i.test(line)) {
      const replaced = inLine(line, lead, replace)
      if (!isReferenceAlone(line)) lead = line
      return replaced
    }
    if (line.trim() !== '') lead = line
    return line
  })
  return lines.join('\n')
}

/** References to images outside of fenced code, in order. */
export function imageReferences(markdown: string): ImageReference[] {
  const found: ImageReference[] = []
  replaceImages(markdown, (reference) => {
    found.push(reference)
    return reference.whole
  })
  return found
}

const reference = String.raw`(?:!\[[^\]]*\]\((?:[^\s()]|\([^\s()]*\))*\)|<img\b[^>]*>)`
const aloneInLine = new RegExp(String.raw`^[\s>*•-]*${reference}\s*$`, 'i')
const isReferenceAlone = (line: string) => aloneInLine.test(line)

function inLine(line: string, lead: string, replace: (reference: ImageReference) => string): string {
  const indent = (/^[\s>*•-]*/.exec(line)?.[0] ?? '').replace(/[*•-]/g, ' ')
  const place = {lead, isAlone: isReferenceAlone(line), indent}
  const marked = replaceLinks(line, ({whole, image, label, target}) => {
    const file = target
      .trim()
      .replace(/\s+"[^"]*"$/, '')
      .replace(/^<(.*)>$/, '$1')
    return image && file !== '' ? replace({whole, file, alt: label, ...place}) : whole
  })
  return withinTags(marked, (part) =>
    part.replace(/<img\s[^>]*>/gi, (whole) => {
      const value = (name: string) => new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`, 'i').exec(whole)
      const src = value('src')
      const file = (src?.[1] ?? src?.[2] ?? '').trim()
      const alt = value('alt')
      return file === '' ? whole : replace({whole, file, alt: alt?.[1] ?? alt?.[2] ?? '', ...place})
    }),
  )
}
