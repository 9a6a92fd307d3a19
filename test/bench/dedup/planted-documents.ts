import {randomFrom} from '../../../engine/random.ts'

export interface PlantedDocument {
  id: string
  /** The document that it is a copy of, or itself. */
  original: string
  kind: 'original' | 'exact' | 'near'
  text: string
}

const vowels = 'aeiou'
const consonants = 'bdfgklmnprstvz'

/** A word of letters alone, since datatrove takes all numbers for one. */
function word(number: number): string {
  let rest = number + 7
  let text = ''
  while (rest > 0) {
    text += consonants[rest % consonants.length]
    rest = Math.floor(rest / consonants.length)
    text += vowels[rest % vowels.length]
    rest = Math.floor(rest / vowels.length)
  }
  return text
}

function kindOf(place: number): PlantedDocument['kind'] {
  if (place < 15) return 'original'
  return place < 17 ? 'exact' : 'near'
}

/**
 * Documents of about 300 words, or as many as are asked for, one after another: of twenty, fifteen are originals, two
 * are exact copies of an earlier one, and three are copies with one word in a hundred changed.
 */
export function* plantedDocuments(count: number, length = 300): Iterable<PlantedDocument> {
  const random = randomFrom('planted documents')
  const recent: {id: string; words: string[]}[] = []
  const draw = (below: number) => random.integer(0, below - 1)
  for (let number = 0; number < count; number += 1) {
    const id = `d${number}`
    const kind = kindOf(number % 20)
    const source = recent.length === 0 ? undefined : recent[draw(recent.length)]
    if (kind === 'original' || !source) {
      const words = Array.from({length: Math.ceil((length * 5) / 6) + draw(length / 3)}, () => word(draw(20_000)))
      recent[number % 500] = {id, words}
      yield {id, original: id, kind: 'original', text: words.join(' ')}
      continue
    }
    const words = source.words.map((one) =>
      kind === 'near' && random.unit() < 0.01 ? word(20_000 + draw(20_000)) : one,
    )
    yield {id, original: source.id, kind, text: words.join(' ')}
  }
}
