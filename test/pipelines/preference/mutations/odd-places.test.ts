import {readFileSync} from 'node:fs'
import {expect, test} from 'vitest'
import {mutationFamilies} from '../../../../pipelines/preference/mutations.ts'
import {type Place, viewFiles} from '../../../../pipelines/preference/mutations/mutation.ts'
import {lineAt} from '../../../../cpp/source-view.ts'
import {golden} from '../../../helpers/golden.ts'

const root = 'test/fixtures/mutations/odd'
const files = ['op_host/odd_tiling.h', 'op_host/odd.cpp', 'op_kernel/odd.cpp', 'op_kernel/odd_more.cpp'].map(
  (path) => ({
    path,
    text: readFileSync(`${root}/${path}`, 'utf8'),
  }),
)
const textOf = new Map(files.map(({path, text}) => [path, text]))

/** A letter for the file, and the line. */
function lineOf({path, start}: Place): string {
  const more = path.includes('more') ? 'm' : path.slice(3, 4)
  return `${path.endsWith('.h') ? 't' : more}${lineAt(textOf.get(path) ?? '', start)}`
}

/** `7: old → new (what is wrong)`, on one line; long texts are cut in their middle. */
function shown(place: Place): string {
  const {path, start, end, replacement, says, runs} = place
  const text = textOf.get(path) ?? ''
  const short = (part: string) => {
    const line = part.replaceAll(/\s+/g, ' ')
    return line.length > 48 ? `${line.slice(0, 30)}…${line.slice(-14)}` : line
  }
  const told = says.length > 34 ? `${says.slice(0, 33)}…` : says
  const from = runs === undefined ? '' : ` @${lineAt(text, runs)}`
  return `  ${lineOf(place)}${from} [${short(text.slice(start, end))}] [${short(replacement)}] ${told}`
}

/** How many there are on which line, and the first places. */
function listed(name: string, places: readonly Place[]): string[] {
  if (places.length === 0) return [`${name}: nowhere`]
  const all = places.map(lineOf)
  const counts = [...new Set(all)].map((line) => `${line}×${all.filter((one) => one === line).length}`)
  const heading = [`${name}: ${places.length} places`]
  for (const count of counts) {
    const last = heading.at(-1) ?? ''
    if (last.length + count.length > 116) heading.push(`   ${count}`)
    else heading[heading.length - 1] = `${last} ${count}`
  }
  return [...heading, ...[...places.slice(0, 2), ...places.slice(2).slice(-1)].map(shown)]
}

test('where faults can be planted in an operator that is written in unusual ways', () => {
  const sources = viewFiles(files)
  const lines = mutationFamilies.flat().flatMap(({name, places}) => listed(name, places(sources)))
  golden(`${root}/places.txt`, `${lines.join('\n')}\n`)
  expect(lines.length).toBeGreaterThan(200)
})

test('every place changes its text and says how', () => {
  const sources = viewFiles(files)
  for (const {name, places} of mutationFamilies.flat()) {
    const found = places(sources)
    const texts = found.map(({path, start, end}) => (textOf.get(path) ?? '').slice(start, end))
    expect(
      found.filter(({replacement}, at) => replacement === texts[at]),
      name,
    ).toEqual([])
    expect(
      found.filter(({says}) => says.trim() === ''),
      name,
    ).toEqual([])
  }
})
