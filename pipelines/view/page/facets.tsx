import {visible} from './code-lines.ts'
import {titleOf} from './shown-columns.ts'
import type {Cell, Found} from './row-table.ts'

interface FacetOptions {
  facets: Found['facets']
  chosen: Readonly<Record<string, readonly string[]>>
  onChoose(name: string, values: readonly string[]): void
}

/** Values shown of a column until somebody asks for all. */
const atFirst = 8

/** How many rows have each value, and boxes to choose by. */
export function Facets({facets, chosen, onChoose}: FacetOptions) {
  const useful = Object.entries(facets).filter(([name, values]) => values.length > 1 || (chosen[name]?.length ?? 0) > 0)
  return (
    <>
      {useful.map(([name, values]) => (
        <Facet
          key={name}
          name={name}
          values={values}
          chosen={chosen[name] ?? []}
          onChoose={(next) => onChoose(name, next)}
        />
      ))}
    </>
  )
}

interface OneFacet {
  name: string
  values: Found['facets'][string]
  chosen: readonly string[]
  onChoose(values: readonly string[]): void
}

function Facet({name, values, chosen, onChoose}: OneFacet) {
  const texts = values.map(([value, count]) => ({text: textOfCell(value), count}))
  const shownFirst = texts.filter(({text}, at) => at < atFirst || chosen.includes(text))
  const rest = texts.filter((one) => !shownFirst.includes(one))
  const option = ({text, count}: {text: string; count: number}) => (
    <label key={text} class="option">
      <input
        type="checkbox"
        data-value={text}
        checked={chosen.includes(text)}
        onChange={({currentTarget: {checked}}) =>
          onChoose(checked ? [...chosen, text] : chosen.filter((one) => one !== text))
        }
      />
      <span>{visible(text)}</span> <span class="quiet">{count.toLocaleString('en')}</span>
    </label>
  )
  return (
    <fieldset>
      <legend>{titleOf(name)}</legend>
      {shownFirst.map(option)}
      {rest.length > 0 && (
        <details>
          <summary>{rest.length} more</summary>
          {rest.map(option)}
        </details>
      )}
    </fieldset>
  )
}

/** What stands for a row without a value. */
const without = '(none)'

const textOfCell = (cell: Cell) => (cell === null || cell === '' ? without : String(cell))

/** Cells that a chosen text means. */
export const cellsOf = (text: string): Cell[] => {
  if (text === without) return [null, '']
  return text === 'true' || text === 'false' ? [text, text === 'true'] : [text]
}
