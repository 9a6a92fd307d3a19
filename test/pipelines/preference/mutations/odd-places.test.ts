import {readFileSync} from 'node:fs'
import {expect, test} from 'vitest'
import {textId} from '../../../../engine/ids.ts'
import {mutationFamilies} from '../../../../pipelines/preference/mutations.ts'
import {type Place, viewFiles} from '../../../../pipelines/preference/mutations/mutation.ts'
import {lineAt} from '../../../../pipelines/preference/mutations/source.ts'
import {golden} from '../../../helpers/golden.ts'

const root = 'test/fixtures/mutations/odd'
const files = ['op_host/odd_tiling.h', 'op_host/odd.cpp', 'op_kernel/odd.cpp', 'op_kernel/odd_more.cpp'].map(
  (path) => ({
    path,
    text: readFileSync(`${root}/${path}`, 'utf8'),
  }),
)
const textOf = new Map(files.map(({path, text}) => [path, text]))

/** `7: old → new (what is wrong)`, on one line; long texts are cut in their middle. */
function shown({path, start, end, replacement, says, runs}: Place): string {
  const text = textOf.get(path) ?? ''
  const more = path.includes('more') ? 'm' : path.slice(3, 4)
  const side = path.endsWith('.h') ? 't' : more
  const short = (part: string) => {
    const line = part.replaceAll(/\s+/g, ' ')
    return line.length > 48 ? `${line.slice(0, 30)}…${line.slice(-14)}` : line
  }
  const told = says.length > 34 ? `${says.slice(0, 33)}…` : says
  const from = runs === undefined ? '' : ` @${lineAt(text, runs)}`
  return `  ${side}${lineAt(text, start)}${from} [${short(text.slice(start, end))}] [${short(replacement)}] ${told}`
}

/** The first places, and a digest of all, so that none can change unseen. */
function listed(name: string, places: readonly Place[]): string[] {
  if (places.length === 0) return [`${name}: nowhere`]
  const all = places.map((place) => JSON.stringify(place)).join('\n')
  return [
    `${name}: ${places.length} places, ${textId(all).slice(0, 12)}`,
    ...[...places.slice(0, 2), ...places.slice(2).slice(-1)].map(shown),
  ]
}

test('where faults can be planted in an operator that is written in unusual ways', () => {
  const sources = viewFiles(files)
  const lines = mutationFamilies.flat().flatMap(({name, places}) => listed(name, places(sources)))
  golden(`${root}/places.txt`, `${lines.join('\n')}\n`)
  expect(lines.length).toBeGreaterThan(200)
})
