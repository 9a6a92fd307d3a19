import {parseBlocks, type Block} from './blocks.ts'
import {filesIn, type LocatedFile} from './parquet/reply-parts.ts'
import type {SourceFile} from './schema/operator.ts'

/** Files that a text quotes, each below a banner with its path; the last of a name counts. */
export function parseFiles(text: string): SourceFile[] {
  const blocks = parseBlocks(text)
  const files = blocks.flatMap((block, at) =>
    block.kind === 'code' ? [{path: bannerOf(blocks[at - 1]), text: `${block.text}\n`}] : [],
  )
  return [...new Map(files.map((file) => [file.path, file])).values()]
}

/**
 * The files of an answer of a row.
 * @param located its cell with their places; undefined in a configuration whose rows have none
 */
export function filesOfTurn(content: string, located: unknown): SourceFile[] {
  return located === undefined ? parseFiles(content) : filesIn(content, (located ?? []) as readonly LocatedFile[])
}

/** `===== op_kernel/add.cpp =====`, before the code of that file. */
export function bannerOf(block: Block | undefined): string {
  if (block?.kind !== 'paragraph') return ''
  const path = block.text.replace(/^=+ +| +=+$/g, '')
  return path.length < block.text.length && !path.includes(' ') ? path : ''
}
