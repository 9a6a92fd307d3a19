import {open, type FileHandle} from 'node:fs/promises'
import {z} from 'zod'
import {type DocSection, Evidence} from '../../datasets/schema/document.ts'
import {parseBlocks} from '../../datasets/blocks.ts'

const Stored = z.strictObject({
  passage: Evidence.pick({origin: true, page: true, headings: true, role: true}),
  blocks: z.array(z.string()),
})

/** The beginnings of sections, on disk: memory holds where each one lies, and how long its first block is. */
export class PassageStore {
  readonly #file: FileHandle
  /** Longest beginning, in characters. */
  readonly #longest: number
  /** Where each one begins in the file, and at last where the file ends. */
  readonly #offsets = [0]
  readonly #firstBlocks: number[] = []

  private constructor(file: FileHandle, longest: number) {
    this.#file = file
    this.#longest = longest
  }

  static async at(path: string, longest: number): Promise<PassageStore> {
    return new PassageStore(await open(path, 'w+'), longest)
  }

  /** Sections are numbered in the order in which they come. */
  async add({origin, page, headings, role, markdown}: DocSection): Promise<void> {
    const blocks = wholeBlocks(
      parseBlocks(markdown).map(({source}) => source),
      this.#longest,
    )
    const line = Buffer.from(`${JSON.stringify({passage: {origin, page, headings, role}, blocks})}\n`)
    const from = this.#offsets.at(-1)!
    await this.#file.write(line, 0, line.length, from)
    this.#offsets.push(from + line.length)
    this.#firstBlocks.push(blocks[0]?.length ?? Number.POSITIVE_INFINITY)
  }

  /** Whole blocks from a section's begin, as far as they fit; undefined if not even the first one does. */
  async read(id: number, characters: number): Promise<Omit<Evidence, 'why' | 'about'> | undefined> {
    // A page may have a thousand sections, each of which needs all others.
    if (this.#firstBlocks[id]! > characters) return undefined
    const [from, to] = [this.#offsets[id]!, this.#offsets[id + 1]!]
    const bytes = Buffer.alloc(to - from)
    await this.#file.read(bytes, 0, bytes.length, from)
    const {passage, blocks} = Stored.parse(JSON.parse(bytes.toString('utf8')))
    const fitting = wholeBlocks(blocks, characters)
    return fitting.length === 0 ? undefined : {...passage, markdown: fitting.join('\n\n')}
  }

  async close(): Promise<void> {
    await this.#file.close()
  }
}

function wholeBlocks(blocks: readonly string[], limit: number): string[] {
  const kept: string[] = []
  let length = 0
  for (const block of blocks) {
    length += block.length + (kept.length > 0 ? 2 : 0)
    if (length > limit) break
    kept.push(block)
  }
  return kept
}
