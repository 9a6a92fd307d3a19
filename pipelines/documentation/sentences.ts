import {type Fate, fateOf, opensOnLast, withoutPointers} from './sentence-fate.ts'

/** Splits prose into sentences, Chinese or English; list marks go. */
export function sentences(text: string): string[] {
  return runsOf(text).map(joined)
}

/** Sentences, each with those that lean on it. */
function runsOf(text: string): string[][] {
  const parts = text
    .replace(/^(?:[•·\s]|-(?!\d))+/, '')
    .split(/\s*•\s*|(?<=[。！？])|(?<=[.!?])\s+(?=[A-Z“"(])/)
    .map(withoutOpening)
    .filter((sentence) => sentence !== '' && !/^【?反例】?/.test(sentence))
  const runs: string[][] = []
  for (const part of parts) {
    const last = runs.at(-1)
    if (last && (leansOnLast.test(part) || opensOnLast.test(part))) last.push(part)
    else runs.push([part])
  }
  return runs
}

function joined(pieces: readonly string[]): string {
  return pieces.reduce((told, next) => `${told}${'。！？'.includes(told.at(-1) ?? '') ? '' : ' '}${next}`)
}

/** A sentence that opens with a pronoun means nothing without the one before it. */
const leansOnLast =
  /^(?:It|This|These|They|Its|其|它|该|此|这|否则|因此|所以|即|同时|(?:对于|针对|在)(?:此|这|该))|此处|对这种|上述(?![^。]{0,6}接口)/

/** Without the product that it applies to, and without a label such as "Note:". */
function withoutOpening(sentence: string): string {
  return withoutPointers(sentence)
    .replace(/^(?:\p{Emoji_Presentation}|\uFE0F|\s)+/u, '')
    .replace(/^【(?!反例)[^】]{1,8}】\s*/, '')
    .replace(/(?:该说明)?针对(?:如下|以下)(?:产品)?(?:型号)?(?:生效)?[，,：:]?\s*/, '')
    .replace(/^(?:说明|注意|请注意|注意事项|注|NOTE|Note)\s*[：:]\s*|^请注意[，,]\s*/, '')
    .replace(/\s+(?=[。！？，；])/g, '')
    .trim()
}

/** A text as read: self-contained sentences, and those that could not be understood. */
export interface Reading {
  told: string[]
  lost: string[]
}

/**
 * Dependent sentences are merged, as far as they are understood. `isAfterLoss`: the preceding text was lost, so a
 * pronoun at the start has no referent.
 */
export function readText(text: string, isAfterLoss = false): Reading {
  const reading: Reading = {told: [], lost: []}
  for (const [index, run] of runsOf(text).entries()) {
    const kept: string[] = []
    for (const [at, piece] of run.entries()) {
      const leans = at === 0 && index === 0 && isAfterLoss && leansOnLast.test(piece)
      const fate = leans ? 'lost' : fateInRun(piece, kept.length > 0)
      if (fate === 'told') kept.push(piece)
      // Text that continues text for another product is for that product too.
      else if (fate === 'foreign') break
      else if (fate === 'lost') {
        reading.lost.push(joined(run.slice(at)))
        break
      }
    }
    if (kept.length > 0) reading.told.push(joined(kept))
  }
  return reading
}

/** Together with what it continues, "otherwise" and "the above" are understood. */
function fateInRun(piece: string, goesOn: boolean): Fate {
  return fateOf(goesOn ? piece.replace(opensOnLast, '').replace(/此处|上述|对这种/g, '') : piece)
}

/** Every dtype that is named, in order, once. */
export function dtypesIn(text: string): string[] {
  const found =
    text.match(
      /(?<![\w])(?:bool|int4b_t|u?int(?:8|16|32|64)_t|half|bfloat16_t|float|double|complex32|complex64)(?![\w])/g,
    ) ?? []
  return [...new Set(found)]
}
