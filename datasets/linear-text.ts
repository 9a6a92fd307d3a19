// Untrusted texts are read in time linear in their length. A pattern such as `<!--[^]*?-->` reads the
// rest of the text once per opening mark when the closing one is missing, and 90 kB of opening marks then take minutes.

/**
 * Replaces each part from what `open` matches up to the next match of `close`. An opening mark without a closing one is
 * kept.
 */
export function replaceBetween(text: string, open: RegExp, close: RegExp, replace: (part: string) => string): string {
  return splitBetween(text, open, close)
    .map((part, index) => (index % 2 === 0 ? part : replace(part)))
    .join('')
}

/** The text around such parts at even indices, the parts at odd ones. Both patterns need the flag `g`. */
export function splitBetween(text: string, open: RegExp, close: RegExp): string[] {
  const parts: string[] = []
  let from = 0
  for (open.lastIndex = 0; ; ) {
    const begin = open.exec(text)
    close.lastIndex = open.lastIndex
    const end = begin && close.exec(text)
    if (!begin || !end) break
    parts.push(text.slice(from, begin.index), text.slice(begin.index, close.lastIndex))
    from = open.lastIndex = close.lastIndex
  }
  return [...parts, text.slice(from)]
}

/**
 * Applies `replace` to the text up to the last `>` and its blanks: no tag ends after it, so searching from every `<`
 * would be wasted.
 */
export function withinTags(text: string, replace: (text: string) => string): string {
  let end = text.lastIndexOf('>') + 1
  while (end > 0 && /\s/.test(text.charAt(end))) end += 1
  return replace(text.slice(0, end)) + text.slice(end)
}

export function withoutTags(text: string): string {
  return withinTags(text, (part) => part.replace(/<[^>]*>/g, ''))
}

/** Lines without trailing blanks and tabs. */
export function withoutTrailingBlanks(text: string): string {
  const endsLine = (at: number) => /^[\n\r\u2028\u2029]?$/.test(text.charAt(at))
  return text.replace(/[ \t]+/g, (run, at: number) => (endsLine(at + run.length) ? '' : run))
}

interface Link {
  whole: string
  image: boolean
  label: string
  target: string
}

/**
 * Replaces `[label](target)` and `![label](target)`. Labels may contain brackets one level deep, targets parentheses,
 * as in `[DataCopyPad](DataCopyPad(ISASI).md#a)`; a target ends with its line.
 */
export function replaceLinks(text: string, replace: (link: Link) => string): string {
  const labelEnd = endsOf(text, {open: '[', close: ']', stops: ''})
  const targetEnd = endsOf(text, {open: '(', close: ')', stops: '(\n'})
  const parts: string[] = []
  let from = 0
  for (let at = text.indexOf('['); at >= 0; at = text.indexOf('[', at)) {
    const close = labelEnd[at + 1] as number
    const end = text.startsWith('](', close) ? (targetEnd[close + 2] as number) : -1
    if (end < 0 || text[end] !== ')') {
      at += 1
      continue
    }
    const image = at > from && text[at - 1] === '!'
    const start = image ? at - 1 : at
    const [label, target] = [text.slice(at + 1, close), text.slice(close + 2, end)]
    const link = {whole: text.slice(start, end + 1), image, label, target}
    parts.push(text.slice(from, start), replace(link))
    from = at = end + 1
  }
  return parts.join('') + text.slice(from)
}

/**
 * For every index, the end of the run of plain characters and bracketed groups that starts there. Computed from the end
 * of the text, so that overlapping runs are walked once. @param stops characters that no group may contain; all but `(`
 * also end a run
 */
function endsOf(text: string, {open, close, stops}: {open: string; close: string; stops: string}): Int32Array {
  const ends = new Int32Array(text.length + 1)
  ends[text.length] = text.length
  let nextClose = -1
  for (let at = text.length - 1; at >= 0; at -= 1) {
    const char = text[at] as string
    if (char === open) ends[at] = nextClose < 0 ? at : (ends[nextClose + 1] as number)
    else ends[at] = char === close || stops.includes(char) ? at : (ends[at + 1] as number)
    if (char === close) nextClose = at
    else if (stops.includes(char)) nextClose = -1
  }
  return ends
}

/** Text without the images of Markdown. */
export function withoutImages(text: string): string {
  const label = /!\[(?:\\[^]|[^\]\\])*\]/gy
  const parts: string[] = []
  let from = 0
  for (let at = text.indexOf('!['); at >= 0; at = text.indexOf('![', at)) {
    label.lastIndex = at
    // An unterminated label, and every later one, would run to the end of the text.
    if (!label.test(text)) break
    const close = text[label.lastIndex] === '(' ? text.indexOf(')', label.lastIndex) : -1
    if (close < 0) {
      at = label.lastIndex
    } else {
      parts.push(text.slice(from, at))
      from = at = close + 1
    }
  }
  return parts.join('') + text.slice(from)
}
