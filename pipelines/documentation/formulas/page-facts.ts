import type {DocPage} from '../../../datasets/schema/document.ts'
import {withoutImages} from '../../../datasets/linear-text.ts'
import {parseBlocks} from '../../../datasets/blocks.ts'
import {readPrototypes} from '../prototype.ts'

/** What a page says about the names in its formulas. */
export interface PageFacts {
  title: string
  /** All words and numbers of the text, in lower case. */
  words: ReadonlySet<string>
  /** One for each prototype: the result first, then what it is computed from. */
  operands: readonly {result: string; sources: readonly string[]}[]
  /** `result = expression` in pseudo-code, in examples or in words. */
  equations: readonly {left: string; right: string}[]
}

/** Local tensors and scalars are named for what they hold and where it lies: `dstTensor`, `srcLocal`. */
const suffix = /(?:Tensor|Local|Lcl|Ub|Addr)$/

export function pageFacts({title, markdown}: DocPage): PageFacts {
  const text = withoutImages(markdown)
  const blocks = parseBlocks(text)
  const code = blocks.flatMap((block) => (block.kind === 'code' ? [block] : []))
  const prototypes = code.flatMap((block) => (isCpp(block.language) ? readPrototypes(block.text) : []))
  const operands = prototypes.flatMap(({parameters}) => {
    const tensors = parameters.filter(({type}) => /Tensor<|\*$/.test(type) && !/uint8_t>/.test(type))
    const [result, ...sources] = tensors.map(({name}) => name.replace(suffix, '')).filter((name) => name !== '')
    return result === undefined || sources.length === 0 ? [] : [{result, sources}]
  })
  const lines = blocks.flatMap((block) => {
    if (block.kind === 'code') return block.language !== '' && isCpp(block.language) ? [] : block.text.split('\n')
    return block.kind === 'table' ? [] : block.source.split('\n')
  })
  const stems = operands.flatMap(({result, sources}) => [result, ...sources])
  const words = new Set([...`${title}\n${text}`.matchAll(/[A-Za-zΑ-ω_][\wΑ-ω]*|\d+(?:\.\d+)?/g)].map(([word]) => word))
  for (const stem of stems) words.add(stem)
  return {
    title,
    words: new Set([...words].map((word) => word.toLowerCase())),
    operands: unique(operands),
    equations: unique(lines.flatMap(equationsIn)),
  }
}

const isCpp = (language: string) => /^(?:cpp|c\+\+|c|)$/i.test(language)

const equation = /([A-Za-zΑ-ω_][\wΑ-ω]*(?:\[\w+\]|\(\w+(?:,\s*\w+)*\))?)\s*=(?!=)\s*([^=\n，。；;：:"“”`#]+)/g

function equationsIn(line: string): {left: string; right: string}[] {
  return [...line.matchAll(equation)].map(([, left = '', right = '']) => ({
    left,
    right: right.replace(/[\u4e00-\u9fff].*$/, '').trim(),
  }))
}

function unique<T>(values: readonly T[]): T[] {
  return [...new Map(values.map((value) => [JSON.stringify(value), value])).values()]
}
