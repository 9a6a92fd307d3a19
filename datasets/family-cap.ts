import {mkdir, open, rm} from 'node:fs/promises'
import {join} from 'node:path'
import {readJsonLines} from '../engine/files.ts'
import {canonicalJson, contentId, textId} from '../engine/ids.ts'
import type {Stage} from '../engine/stage.ts'
import {cppListings} from './listings.ts'
import {signature, signatureIndex} from './minhash.ts'
import {cppTokens} from './normalize.ts'
import {CotSample} from './schema/sample.ts'

interface FamilyCapOptions {
  /** Samples of one kind that are kept of each family. Default 8. */
  most?: number
  /**
   * Estimated Jaccard similarity of token 5-grams from which code belongs to the family of other code, with every name
   * of the author's folded. Default 0.9: definitions of unary operators by one hand reach it, their kernels do not.
   */
  near?: number
  /** Names of the API, which are never folded. */
  api: readonly string[]
}

/**
 * Groups samples of each kind by their code, names apart, and keeps so many of each group, chosen by the run's seed.
 * Code is that of the answer, or of the prompt where the answer has none; prose passes. Drops `family-full` with the
 * family's first sample and its size. Holds about 600 bytes a sample; the samples themselves wait on disk.
 */
export default function familyCap({most = 8, near = 0.9, api}: FamilyCapOptions): Stage<CotSample, CotSample> {
  return {
    name: 'family-cap',
    version: 1,
    options: {most, near, api: contentId(api)},
    input: CotSample,
    output: CotSample,
    async *run(records, context) {
      const waiting = join(context.directory, 'waiting.jsonl')
      await mkdir(context.directory, {recursive: true})
      const families = new Families(near, new Set(api))
      const file = await open(waiting, 'w')
      try {
        for await (const record of records) {
          families.add(record, context.seed)
          await file.write(`${canonicalJson(record)}\n`)
        }
      } finally {
        await file.close()
      }
      const kept = families.choose(most)
      let number = 0
      for await (const record of readJsonLines(waiting, CotSample)) {
        const family = families.of(number)
        if (family === undefined || kept.has(number)) yield record
        else context.drop(record, 'family-full', `${family.size} samples like ${family.first}, ${most} are kept`)
        number += 1
      }
      await rm(waiting)
    },
  }
}

interface Family {
  /** Id of the sample that the others were found to be like. */
  first: string
  size: number
}

/** Which samples are alike, numbered in the order in which they come. */
class Families {
  readonly #near: number
  readonly #api: ReadonlySet<string>
  readonly #indexes = new Map<string, {index: ReturnType<typeof signatureIndex>; families: Family[]}>()
  readonly #members: ({family: Family; rank: string} | undefined)[] = []

  constructor(near: number, api: ReadonlySet<string>) {
    this.#near = near
    this.#api = api
  }

  add(record: CotSample, seed: string): void {
    const code = codeOf(record)
    if (code === '') {
      this.#members.push(undefined)
      return
    }
    const known = this.#indexes.get(record.kind) ?? {index: signatureIndex(), families: []}
    this.#indexes.set(record.kind, known)
    const id = contentId(record)
    const wanted = signature(cppTokens(code, {identifiers: 'renamed', api: this.#api}))
    const found = known.index.find(wanted, this.#near)
    const family = known.families[found?.number ?? known.index.add(wanted)] ?? {first: id, size: 0}
    if (family.size === 0) known.families.push(family)
    family.size += 1
    this.#members.push({family, rank: textId(`${seed}\n${id}`).slice(0, 12)})
  }

  of(number: number): Family | undefined {
    return this.#members[number]?.family
  }

  /** Numbers of the samples that stay. */
  choose(most: number): Set<number> {
    const byFamily = new Map<Family, {number: number; rank: string}[]>()
    for (const [number, member] of this.#members.entries()) {
      if (!member) continue
      const list = byFamily.get(member.family) ?? []
      list.push({number, rank: member.rank})
      byFamily.set(member.family, list)
    }
    const chosen = [...byFamily.values()].flatMap((list) =>
      list.sort((a, b) => (a.rank < b.rank ? -1 : 1)).slice(0, most),
    )
    return new Set(chosen.map(({number}) => number))
  }
}

/** What a project sample teaches about stands in its prompt. */
function codeOf({kind, files, prompt}: CotSample): string {
  if (files.length > 0) return files.map(({text}) => text).join('\n')
  return kind === 'documentation' || kind === 'general' ? '' : cppListings(prompt).join('\n')
}
