import type {AnswerEntry, CrawlEntry, EntryOf} from './crawl-entries.ts'

/** A page or image whose bytes are in the folder. */
export type Kept = Omit<EntryOf<'kept'>, 'kind' | 'pages' | 'images' | 'left'>

export type Duplicate = Omit<EntryOf<'duplicate'>, 'kind' | 'pages' | 'images' | 'left'>

export interface Asked {
  url: string
  image: boolean
}

/** One crawl from its beginning to its end, over as many processes as it took. */
export interface Round {
  begin: EntryOf<'begin'>
  robots?: EntryOf<'robots'>
  hasToc: boolean
  /** In the order in which they were found; images are not searched for links. */
  queue: Asked[]
  seen: Set<string>
  answers: Map<string, AnswerEntry>
  left: Set<string>
  /** By address: how many others had the same bytes. */
  copies: Map<string, number>
  bytes: number
}

/** The state from the journal. Only `applyEntry` changes it, so that a resumed process has the same state. */
export interface CrawlState {
  /** The folder's files, by address. */
  kept: Map<string, Kept>
  duplicates: Map<string, Duplicate>
  /** Who has a file, and whose bytes have a hash. */
  owners: Map<string, string>
  byHash: Map<string, string>
  /** Pages by their stated canonical address, kept until that is verified. */
  aliases: Map<string, Set<string>>
  /** The crawl that has not ended yet. */
  round?: Round | undefined
}

function emptyState(): CrawlState {
  return {kept: new Map(), duplicates: new Map(), owners: new Map(), byHash: new Map(), aliases: new Map()}
}

export function stateOf(entries: Iterable<CrawlEntry>): CrawlState {
  const state = emptyState()
  for (const entry of entries) applyEntry(state, entry)
  return state
}

export function applyEntry(state: CrawlState, entry: CrawlEntry): void {
  if (entry.kind === 'begin') state.round = newRound(entry)
  const {round} = state
  if (!round) return
  if (entry.kind === 'end') state.round = undefined
  else if (entry.kind === 'robots') round.robots = entry
  else if (entry.kind === 'toc') {
    round.hasToc = true
    see(round, entry.pages, false)
  } else if (entry.kind !== 'begin') applyAnswer(state, round, entry)
}

function newRound(begin: EntryOf<'begin'>): Round {
  const round: Round = {
    begin,
    hasToc: false,
    queue: [],
    seen: new Set(),
    answers: new Map(),
    left: new Set(),
    copies: new Map(),
    bytes: 0,
  }
  if (begin.toc === undefined) see(round, [begin.start], false)
  return round
}

function see(round: Round, urls: readonly string[], image: boolean): void {
  for (const url of urls) {
    if (round.seen.has(url)) continue
    round.seen.add(url)
    round.queue.push({url, image})
  }
}

function applyAnswer(state: CrawlState, round: Round, entry: AnswerEntry): void {
  round.answers.set(entry.url, entry)
  if ('bytes' in entry) round.bytes += entry.bytes
  if ('pages' in entry) {
    see(round, entry.pages, false)
    see(round, entry.images, true)
    for (const url of entry.left) round.left.add(url)
  }
  if (entry.kind === 'duplicate') round.copies.set(entry.of, (round.copies.get(entry.of) ?? 0) + 1)
  if (entry.kind === 'unchanged') renew(state, entry)
  else if (entry.kind !== 'failed') replace(state, entry)
}

function replace(state: CrawlState, entry: AnswerEntry): void {
  forget(state, entry.url)
  if (entry.kind === 'kept') keep(state, entry)
  else if (entry.kind === 'duplicate') state.duplicates.set(entry.url, entry)
}

function keep(state: CrawlState, {kind: _, pages: _p, images: _i, left: _l, ...kept}: EntryOf<'kept'>): void {
  state.kept.set(kept.url, kept)
  state.owners.set(kept.file, kept.url)
  if (!kept.image) state.byHash.set(kept.sha256, kept.url)
  if (kept.canonical === undefined) return
  const aliases = state.aliases.get(kept.canonical) ?? new Set()
  state.aliases.set(kept.canonical, aliases.add(kept.url))
}

/** The same bytes, under the server's new name. */
function renew({kept, duplicates}: CrawlState, {url, etag, lastModified}: EntryOf<'unchanged'>): void {
  const known = kept.get(url) ?? duplicates.get(url)
  if (!known) return
  if (etag !== undefined) known.etag = etag
  if (lastModified !== undefined) known.lastModified = lastModified
}

function forget(state: CrawlState, url: string): void {
  state.duplicates.delete(url)
  const kept = state.kept.get(url)
  if (!kept) return
  state.kept.delete(url)
  state.owners.delete(kept.file)
  if (state.byHash.get(kept.sha256) === url) state.byHash.delete(kept.sha256)
  if (kept.canonical !== undefined) state.aliases.get(kept.canonical)?.delete(url)
}
