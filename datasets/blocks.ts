import {withoutImages} from './linear-text.ts'

/** Markdown as a flat list of blocks, in reading order. Tables and fences are whole by construction. */
export type Block =
  | {kind: 'heading'; level: number; text: string; source: string}
  | {kind: 'code'; language: string; text: string; indent: number; source: string}
  | {kind: 'table'; source: string}
  | {kind: 'list'; text: string; indent: number; source: string}
  | {kind: 'quote'; alert: string; text: string; source: string}
  | {kind: 'paragraph'; text: string; source: string}

/**
 * Splits Markdown into blocks. `source` holds the lines of each, so joining them with newlines restores the text,
 * except for blank lines.
 */
export function parseBlocks(markdown: string): Block[] {
  const lines = markdown.split('\n')
  const blocks: Block[] = []
  let at = 0
  while (at < lines.length) {
    if (lines[at]!.trim() === '') {
      at += 1
      continue
    }
    const [block, next] = blockAt(lines, at)
    blocks.push(block)
    at = next
  }
  return blocks
}

function blockAt(lines: readonly string[], at: number): [Block, number] {
  const line = lines[at]!
  const fence = /^(\s*)(`{3,}|~{3,})\s*([\w+-]*)/.exec(line)
  if (fence) return fenceAt(lines, at, fence[1]!.length, fence[2]!, fence[3]!)
  const heading = /^(#{1,6})\s+(.*)$/.exec(line)
  if (heading) {
    const text = plain(withoutClosing(heading[2]!))
    return [{kind: 'heading', level: heading[1]!.length, text, source: line}, at + 1]
  }
  if (/^\s*<table\b/i.test(line)) {
    const end = upTo(lines, at, (text) => /<\/table>/i.test(text))
    return [{kind: 'table', source: lines.slice(at, end).join('\n')}, end]
  }
  if (isPipeRow(line) && isDivider(lines[at + 1] ?? '')) {
    let end = at
    while (end < lines.length && isPipeRow(lines[end]!)) end += 1
    return [{kind: 'table', source: lines.slice(at, end).join('\n')}, end]
  }
  if (/^\s*>/.test(line)) return quoteAt(lines, at)
  const item = /^(\s*)(?:[-*+•]|\d+[.)、])\s+(.*)$/.exec(line)
  if (item) {
    const end = continuation(lines, at + 1)
    const source = lines.slice(at, end)
    return [
      {
        kind: 'list',
        text: plain([item[2], ...source.slice(1)].join(' ')),
        indent: item[1]!.length,
        source: source.join('\n'),
      },
      end,
    ]
  }
  const end = continuation(lines, at + 1)
  const source = lines.slice(at, end)
  return [{kind: 'paragraph', text: plain(source.join(' ')), source: source.join('\n')}, end]
}

function fenceAt(
  lines: readonly string[],
  at: number,
  indent: number,
  mark: string,
  language: string,
): [Block, number] {
  const end = upTo(lines, at + 1, (text) => text.trim().startsWith(mark) && text.trim().replaceAll(mark[0]!, '') === '')
  const body = lines.slice(at + 1, end - (end <= lines.length && lines[end - 1]?.trim().startsWith(mark) ? 1 : 0))
  const text = body.map((line) => line.slice(Math.min(indent, line.length - line.trimStart().length))).join('\n')
  return [{kind: 'code', language, text: text.trimEnd(), indent, source: lines.slice(at, end).join('\n')}, end]
}

function quoteAt(lines: readonly string[], at: number): [Block, number] {
  let end = at
  while (end < lines.length && /^\s*>/.test(lines[end]!)) end += 1
  const source = lines.slice(at, end)
  const inner = source.map((line) => line.replace(/^(?:\s*>)+\s?/, '').replace(/^\s*[-*]\s+/, '• '))
  const alert = /^\[!(\w+)\]/.exec(inner[0] ?? '')?.[1] ?? ''
  const text = plain((alert === '' ? inner : inner.slice(1)).join(' '))
  return [{kind: 'quote', alert, text, source: source.join('\n')}, end]
}

/** Lines that continue a paragraph or list item, up to a blank line or the start of another block. */
function continuation(lines: readonly string[], at: number): number {
  let end = at
  while (
    end < lines.length &&
    lines[end]!.trim() !== '' &&
    !/^\s*(?:[-*+•]\s|\d+[.)、]\s|#{1,6}\s|>|`{3}|~{3}|<table\b)/i.test(lines[end]!) &&
    !isPipeRow(lines[end]!)
  )
    end += 1
  return end
}

/** `## Heading ##`: the closing marks are not part of it. */
function withoutClosing(heading: string): string {
  let end = heading.length
  while (heading[end - 1] === '#') end -= 1
  return heading.slice(0, end)
}

function isDivider(line: string): boolean {
  return line.includes('-') && /^[\s:|-]*$/.test(line)
}

function isPipeRow(line: string): boolean {
  return /^\s*\|.*\|\s*$/.test(line)
}

/** The index after the first line from `at` on that satisfies `last`, or the end of the text. */
function upTo(lines: readonly string[], at: number, last: (line: string) => boolean): number {
  for (let index = at; index < lines.length; index += 1) {
    if (last(lines[index]!)) return index + 1
  }
  return lines.length
}

/** An image inside a sentence is part of it, so `<img>` keeps its place. */
const spokenOf = /!\[[^\]\n]{0,200}\]\([^)\n]{0,300}\)(?=\s{0,3}(?:代表|表示|为|是|denotes|is|are)(?![\w-]))/g

/** Text without emphasis, code ticks, images and line breaks. */
export function plain(text: string): string {
  return withoutImages(text.replace(spokenOf, '<img>'))
    .replace(/\*\*|`/g, '')
    .replace(/<br\s*\/?>/gi, ' ')
    .replace(/\s+/g, ' ')
    .trim()
}
