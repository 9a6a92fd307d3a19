import {mkdir, open} from 'node:fs/promises'
import {join} from 'node:path'
import {ReferencedSample} from '../../datasets/schema/document.ts'
import {readJsonLines} from '../../engine/files.ts'
import {contentId, textId} from '../../engine/ids.ts'
import type {Context, Stage} from '../../engine/stage.ts'
import {skeletonOf} from './skeleton.ts'

interface DiversifyOptions {
  /** Share of all samples that may ask by one pattern. Default 0.02. */
  mostShare?: number
  /** Samples of a pattern that are kept however small the set is. Default 8. */
  atLeast?: number
}

/**
 * Limits how many samples use one question pattern (names, numbers and the page's own words are ignored): a question
 * that is repeated a hundred times only teaches its wording. The seed decides which ones are kept; at least one per
 * page is kept. Samples are stored in the stage's directory until the last has been seen; memory holds only a hash of
 * each. Drops: `question-pattern-too-common`.
 */
export default function diversify({
  mostShare = 0.02,
  atLeast = 8,
}: DiversifyOptions = {}): Stage<ReferencedSample, ReferencedSample> {
  return {
    name: 'documentation-diversify',
    version: 2,
    options: {mostShare, atLeast},
    input: ReferencedSample,
    output: ReferencedSample,
    run: (samples, context) => limitPatterns(samples, context, mostShare, atLeast),
  }
}

async function* limitPatterns(
  samples: AsyncIterable<ReferencedSample>,
  context: Context,
  mostShare: number,
  atLeast: number,
): AsyncIterable<ReferencedSample> {
  await mkdir(context.directory, {recursive: true})
  const waiting = join(context.directory, 'samples.jsonl')
  const file = await open(waiting, 'w')
  const patterns = new Map<string, string[]>()
  const pages = new Map<string, Drawn[]>()
  let total = 0
  try {
    for await (const sample of samples) {
      total += 1
      const drawn = {pattern: patternOf(sample), by: drawnBy(sample, context.seed)}
      add(patterns, drawn.pattern, drawn.by)
      add(pages, pageOf(sample), drawn)
      await file.write(`${JSON.stringify(sample)}\n`)
    }
  } finally {
    await file.close()
  }
  const most = Math.max(atLeast, Math.floor(total * mostShare))
  const last = new Map([...patterns].map(([key, draws]) => [key, draws.sort()[most - 1]]))
  const isKept = ({pattern, by}: Drawn) => by <= (last.get(pattern) ?? by)
  const onlyOnes = new Set([...pages.values()].filter((all) => !all.some(isKept)).map(firstDrawn))
  for await (const sample of readJsonLines(waiting, ReferencedSample)) {
    const drawn = {pattern: patternOf(sample), by: drawnBy(sample, context.seed)}
    if (isKept(drawn) || onlyOnes.has(drawn.by)) yield sample
    else context.drop(sample.sample, 'question-pattern-too-common', patternOf(sample))
  }
}

/** A sample by its pattern, and by the hash that decides whether it stays. */
interface Drawn {
  pattern: string
  by: string
}

function add<T>(lists: Map<string, T[]>, key: string, item: T): void {
  const list = lists.get(key)
  if (list) list.push(item)
  else lists.set(key, [item])
}

function firstDrawn(drawn: readonly Drawn[]): string {
  return drawn.map(({by}) => by).sort()[0]!
}

function pageOf({sample: {origin}}: ReferencedSample): string {
  return `${origin.repository} ${origin.path}`
}

function patternOf({sample, reference}: ReferencedSample): string {
  return skeletonOf(sample.prompt, `${reference} ${sample.origin.path}`)
}

function drawnBy({sample}: ReferencedSample, seed: string): string {
  return textId(`${seed} ${contentId(sample)}`)
}
