import type {DocSection, ReferencedSample} from '../../datasets/schema/document.ts'
import {readSection} from '../../pipelines/documentation/offline/page-subject.ts'
import {silenceOf} from '../../pipelines/documentation/offline/silence.ts'

/** Pages on interfaces that give no question on a call, by the reasons of their sections. */
export function pagesWithoutRows(
  sections: readonly DocSection[],
  rows: readonly ReferencedSample[],
): {pages: number; without: Map<string, string[]>} {
  const asked = new Set(rows.filter(({sample}) => sample.qa === 'api-call').map(({sample}) => sample.origin.path))
  const byPage = new Map<string, DocSection[]>()
  for (const section of sections) byPage.set(section.origin.path, [...(byPage.get(section.origin.path) ?? []), section])
  const interfaces = [...byPage].filter(([, [first]]) => readSection(first!).subject.kind !== 'guide')
  const without = new Map<string, string[]>()
  for (const [path, own] of interfaces) {
    if (asked.has(path)) continue
    const reasons = new Set(own.map((one) => silenceOf(one)).filter((reason) => reason !== 'not-asked-by-role'))
    const key = [...reasons].sort().join(', ')
    without.set(key, [...(without.get(key) ?? []), path])
  }
  return {pages: interfaces.length, without}
}
