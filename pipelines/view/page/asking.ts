import {useMemo} from 'preact/hooks'
import type {Config} from '../../../datasets/schema/export.ts'
import type {Address} from './address.ts'
import {cellsOf} from './facets.tsx'
import type {Asking} from './rows-protocol.ts'
import {ofEvery, shownOf} from './shown-columns.ts'

/** What the address asks for; the same object as long as it asks for the same, whichever row is open. */
export function useAsking({params}: Address, config: Config): Asking {
  const asked = new URLSearchParams(params)
  asked.delete('row')
  return useMemo(() => askingOf(asked, config), [asked.toString(), config])
}

/** Values that are chosen of each column. */
export function chosenIn(params: URLSearchParams, config: Config): [string, string[]][] {
  return [...ofEvery, ...shownOf[config].facets].map((name): [string, string[]] => [name, params.getAll(name)])
}

function askingOf(params: URLSearchParams, config: Config): Asking {
  const filters = chosenIn(params, config).map(([name, values]) => [name, values.flatMap(cellsOf)] as const)
  const draw = params.get('draw')
  return {
    filters: Object.fromEntries(filters),
    words: (params.get('q') ?? '').split(/\s+/).filter((word) => word !== ''),
    inTexts: params.get('in') === 'texts',
    sort: params.get('sort') ?? '',
    draw: draw === null ? undefined : {count: Number(draw) || 40, seed: params.get('seed') ?? ''},
  }
}
