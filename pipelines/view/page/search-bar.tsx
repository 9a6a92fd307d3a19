import type {RefObject} from 'preact'
import type {Config} from '../../../datasets/schema/export.ts'
import type {Params} from './address.ts'
import {shownOf, titleOf} from './shown-columns.ts'

interface SearchOptions {
  params: URLSearchParams
  config: Config
  field: RefObject<HTMLInputElement | null>
  onChange(params: Params, how?: {replace: boolean}): void
}

/** Words to search for, where, and the order of what is found. */
export function SearchBar({params, config, field, onChange}: SearchOptions) {
  return (
    <search class="search">
      <input
        ref={field}
        type="search"
        aria-label="search"
        placeholder="search ( / )"
        value={params.get('q') ?? ''}
        onInput={({currentTarget}) => onChange({q: currentTarget.value, row: undefined}, {replace: true})}
      />
      <label>
        <input
          type="checkbox"
          checked={params.get('in') === 'texts'}
          onChange={({currentTarget}) => onChange({in: currentTarget.checked ? 'texts' : undefined})}
        />{' '}
        in texts
      </label>
      <label>
        <span class="away">sort by</span>
        <select value={params.get('sort') ?? ''} onChange={({currentTarget}) => onChange({sort: currentTarget.value})}>
          <option value="">in file order</option>
          {sortsOf(config).map(([value, title]) => (
            <option key={value} value={value}>
              {title}
            </option>
          ))}
        </select>
      </label>
    </search>
  )
}

function sortsOf(config: Config): [string, string][] {
  const {numbers, facets} = shownOf[config]
  return [
    ...numbers.flatMap((name): [string, string][] => [
      [`-${name}`, `${titleOf(name)}, most first`],
      [name, `${titleOf(name)}, least first`],
    ]),
    ...[...facets, 'path'].map((name): [string, string] => [name, titleOf(name)]),
  ]
}

interface HowFar {
  read: number
  searched: number | undefined
}

/** How many rows there are, and how far they are read. */
export function countText(count: number, rows: number, {read, searched}: HowFar): string {
  const known = `${count.toLocaleString('en')} of ${rows.toLocaleString('en')} rows`
  if (read < rows) return `${known}, reading: ${Math.round((100 * read) / rows)} %`
  return searched === undefined ? known : `${known}, searching in texts: ${Math.round(100 * searched)} %`
}
