import type {DocPage} from '../../datasets/schema/document.ts'
import {parseBlocks} from '../../datasets/blocks.ts'
import {readTable, type Table} from '../../datasets/tables.ts'

/** An interface that goes by another name now. */
interface Renamed {
  name: string
  /** The row of the table, with its header. */
  text: string
  instead: string[]
}

// Statements about parameters do not apply to interfaces.
const oldColumn =
  /^(?!.*(?:param|argument|参数))(?:(?:原|旧|废弃)(?:接口|API)|(?:old|deprecated|former)\b.*(?:name|api|interface))/i
const newColumn =
  /^(?!.*(?:param|argument|参数))(?:(?:新|替代)(?:接口|API)|(?:new|replacement)(?:\b.*(?:name|api|interface)|\s*$))/i

/** Renamed interfaces from the tables of a page; one that keeps its name does not count. */
export function renamedApis({markdown}: Pick<DocPage, 'markdown'>): Renamed[] {
  return parseBlocks(markdown).flatMap((block) => (block.kind === 'table' ? renamedIn(readTable(block)) : []))
}

function renamedIn({header, rows}: Table): Renamed[] {
  const old = header.findIndex((cell) => oldColumn.test(cell))
  const now = header.findIndex((cell) => newColumn.test(cell))
  if (old < 0 || now < 0) return []
  return rows.flatMap((row) => {
    const instead = namesIn(row[now] ?? '')
    const said = row.flatMap((cell, at) => (at === old || isNothing(cell) ? [] : [`${header[at]}：${inOneLine(cell)}`]))
    return namesIn(row[old] ?? '')
      .filter((name) => instead.length > 0 && !instead.includes(name))
      .map((name) => ({name, text: [`${header[old]}：${name}`, ...said].join('；'), instead}))
  })
}

const isNothing = (cell: string) => /^(?:无|-|none|n\/a)?$/i.test(cell.trim())
const inOneLine = (cell: string) => cell.replace(/\s*\n[•·\s]*/g, ' ').replace(/^[•·\s]+/, '')

/** The first name of each part; brackets distinguish overloads: `Cast（float转half、int32_t）`. */
function namesIn(cell: string): string[] {
  const parts = cell.replace(/[（(][^）)\n]*[）)]/g, '').split(/[/、\n]/)
  return parts.flatMap((part) => /^[\s•·`]*([A-Za-z_][\w:]*)/.exec(part)?.[1] ?? [])
}
