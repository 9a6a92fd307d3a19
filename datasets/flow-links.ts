import {ngrams} from './ngrams.ts'

/** A statement's folded tokens, `v` for a name of the author's, and the tokens as they were written. */
export interface NamedStatement {
  tokens: readonly string[]
  names: readonly string[]
}

/** Names of a statement that count: more stand in tables only. */
const mostPlaces = 8

/**
 * What flows where in a function: each place of a name, and the place in the statement before that has the same name.
 * Other names change none of it, and neither do statements between that touch none of these. Names that meet no other
 * name flow nowhere and do not count. Hashes.
 */
export function flowLinks(statements: readonly NamedStatement[]): number[] {
  const own = statements.map(({tokens, names}) => ({
    form: tokens.join(' '),
    places: tokens
      .flatMap((token, index) =>
        token === 'v' && tokens[index + 1] !== '(' ? [{index, name: names[index] ?? ''}] : [],
      )
      .slice(0, mostPlaces),
  }))
  const meeting = new Set(
    own.flatMap(({places}) => (new Set(places.map(({name}) => name)).size > 1 ? places.map(({name}) => name) : [])),
  )
  const last = new Map<string, string>()
  return own.flatMap(({form, places}) =>
    places.flatMap(({index, name}) => {
      if (!meeting.has(name)) return []
      const before = last.get(name)
      const place = `${form}@${index}`
      last.set(name, place)
      return before === undefined ? [] : ngrams([before, place], 2)
    }),
  )
}
