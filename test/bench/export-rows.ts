import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import type {CotSample} from '../../datasets/schema/sample.ts'
import {walk} from '../../engine/files.ts'
import {randomFrom, type Random} from '../../engine/random.ts'

/** Lines that synthetic samples are put together from: those of the bundled corpus, held-out tasks aside. */
interface Bank {
  code: readonly string[]
  prose: readonly string[]
}

/** One row in a hundred repeats an earlier one, and one repeats it with a changed sentence: work for deduplication. */
const copiesEvery = 100
const nearCopiesEvery = 101

/**
 * Samples as the pipelines leave them, one in five about a kernel and the others about documentation; lengths are
 * log-normal around those that a model writes. The same for every call.
 */
export async function* syntheticSamples(count: number): AsyncIterable<CotSample> {
  const bank = await lineBank()
  for (let number = 0; number < count; number += 1) {
    if (number > 0 && number % copiesEvery === 0) yield sampleOf(number - copiesEvery + 1, bank)
    else if (number > 0 && number % nearCopiesEvery === 0) {
      const near = sampleOf(number - nearCopiesEvery + 2, bank)
      yield {...near, answer: `${near.answer}\nThis holds for every core.`}
    } else yield sampleOf(number, bank)
  }
}

function sampleOf(number: number, bank: Bank): CotSample {
  const random = randomFrom('bench export', number)
  return random.unit() < 0.2 ? kernelOf(number, random, bank) : pageOf(number, random, bank)
}

function kernelOf(number: number, random: Random, {code, prose}: Bank): CotSample {
  const text = ['#include "kernel_operator.h"', ...drawn(code, length(random, 2800), random), '}'].join('\n')
  return {
    kind: 'kernel',
    prompt: `Write kernel ${number}.\n${drawn(prose, length(random, 800), random).join(' ')}`,
    reasoning: drawn(prose, length(random, 1600), random).join(' '),
    answer: `\`\`\`cpp\n${text}\n\`\`\``,
    files: [{path: `op_kernel/synthetic_${number}.cpp`, text}],
    language: 'en',
    origin: {repository: 'bench/kernels', revision: '1', path: `op_${number}/op_kernel/op.cpp`, licence: 'Apache-2.0'},
    teacher: {kind: 'model', model: 'synthetic'},
    stages: {'kernel-cot': 1},
    verdict: {
      outcome: 'compiled',
      executor: {name: 'twin', fingerprint: 'f00d', compiler: 'clang-15', soc: 'synthetic'},
    },
    proof: 'compiled',
  }
}

function pageOf(number: number, random: Random, {prose}: Bank): CotSample {
  return {
    kind: 'documentation',
    qa: 'basic-knowledge',
    prompt: `Question ${number}: ${drawn(prose, length(random, 120), random).join(' ')}`,
    reasoning: drawn(prose, length(random, 900), random).join(' '),
    answer: drawn(prose, length(random, 450), random).join('\n'),
    files: [],
    language: random.unit() < 0.5 ? 'zh' : 'en',
    origin: {repository: 'bench/pages', revision: '1', path: `page_${number % 5000}.html`, licence: 'Apache-2.0'},
    teacher: {kind: 'model', model: 'synthetic'},
    stages: {'documentation-cot': 1},
  }
}

/** Characters, log-normal with the given median: one in a hundred is four times as long. */
function length(random: Random, median: number): number {
  const normal = Math.sqrt(-2 * Math.log(1 - random.unit())) * Math.cos(2 * Math.PI * random.unit())
  return median * Math.exp(0.6 * normal)
}

/** Lines in random order, each with a number of its own: no two samples share long passages. */
function drawn(lines: readonly string[], characters: number, random: Random): string[] {
  const taken: string[] = []
  let length = 0
  while (length < characters) {
    const line = random.pick(lines).replace(/\d+/, () => String(random.integer(2, 4096)))
    taken.push(line)
    length += line.length + 1
  }
  return taken
}

async function lineBank(): Promise<Bank> {
  const bank = {code: new Set<string>(), prose: new Set<string>()}
  const root = 'sources/starter'
  for (const [folder, ending, kind] of [
    ['operators', /\.(?:cpp|h)$/, 'code'],
    ['docs', /\.html$/, 'prose'],
  ] as const) {
    for await (const path of walk(join(root, folder))) {
      if (!ending.test(path)) continue
      const text = readFileSync(join(root, folder, path), 'utf8').replace(/<[^>]*>/g, ' ')
      for (const line of text.split('\n')) {
        // Half a comment or string would swallow the lines after it.
        if (line.trim().length > 12 && !/[`"']|\/\*|\*\//.test(line)) bank[kind].add(line.replace(/ +/g, ' '))
      }
    }
  }
  return {code: [...bank.code], prose: [...bank.prose]}
}
