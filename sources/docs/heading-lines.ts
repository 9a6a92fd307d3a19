import {decodeEntities} from '../../datasets/entities.ts'
import {withoutTags} from '../../datasets/linear-text.ts'

/**
 * Lines of a converted page's headings in its source, 1-based, in order; null for one whose line is not found, because
 * its text was put together from several.
 * @param source Markdown or HTML as read @param markdown the converted page
 */
export function headingLines(source: string, markdown: string): (number | null)[] {
  const places = new Map<string, number[]>()
  for (const [index, line] of source.split('\n').entries()) {
    const text = bare(line)
    const known = places.get(text)
    if (known) known.push(index + 1)
    else places.set(text, [index + 1])
  }
  let last = 0
  return headingsOf(markdown).map((heading) => {
    const line = heading === '' ? undefined : places.get(heading)?.find((one) => one > last)
    last = line ?? last
    return line ?? null
  })
}

/** Texts of the headings outside of listings and tables. */
function headingsOf(markdown: string): string[] {
  const found: string[] = []
  let fence = ''
  let isInTable = false
  for (const line of markdown.split('\n')) {
    isInTable = fence === '' && (isInTable || /^\s*<table\b/i.test(line))
    if (isInTable) {
      isInTable = !/<\/table>/i.test(line)
      continue
    }
    const mark = /^\s*(`{3,}|~{3,})/.exec(line)?.[1] ?? ''
    if (fence === '' && mark !== '') fence = mark
    else if (fence !== '' && mark.startsWith(fence)) fence = ''
    else if (fence === '' && /^#{1,6}\s/.test(line)) found.push(bare(line))
  }
  return found
}

/** Letters and digits alone: links, anchors, escapes and emphasis come and go in the conversion. */
function bare(line: string): string {
  const linked = line.replace(/\]\([^()]*(?:\([^()]*\)[^()]*)*\)/g, ']')
  return decodeEntities(withoutTags(linked), {}).replace(/[^\p{L}\p{N}]/gu, '')
}
