import {describe, expect, test} from 'vitest'
import type {StageCounts} from '../../../engine/progress.ts'
import type {ReportRun} from '../../../pipelines/report/input.ts'
import {runSection} from '../../../pipelines/report/run-section.ts'

const counts = (over: Partial<StageCounts> = {}): StageCounts => ({
  stage: 'read',
  read: 0,
  written: 0,
  accepted: 0,
  dropped: 0,
  failed: 0,
  reused: 0,
  reasons: {},
  failures: {},
  tallies: {},
  ended: true,
  ...over,
})
const html = (run: Partial<ReportRun>) => runSection([{recipe: 'kernels', state: 'finished', counts: [], ...run}]).html

test('a run is told whole: what went into each stage, what came out, and why the rest did not', () => {
  const stages = [
    counts({read: 1200, written: 1000, dropped: 200, reused: 7, reasons: {small: 50, large: 150}}),
    counts({
      stage: 'judge',
      read: 1000,
      written: 990,
      dropped: 8,
      failed: 2,
      reasons: {'not-covered': 1, other: 7},
      failures: {'no-device': 2},
    }),
  ]
  const startedAt = '2026-01-01T00:00:00.000Z'
  const text = html({counts: stages, startedAt, endedAt: '2026-01-01T00:01:02.500Z'})
  expect(text).toBe(`<section id="runs">
<h2>Runs</h2>
<details open>
<summary>kernels<span class="quiet">finished · 990 written · 208 dropped · 2 failed · 62.5 s</span></summary>

<div class="scroll"><table class="stages">
<tr><th>stage</th><th class="n">in</th><th class="n">out</th><th class="n">dropped</th><th class="n">failed</th>\
<th class="n">reused</th><th>reasons</th></tr>
<tr ><td>read</td><td class="n">1\u202f200</td><td class="n">1\u202f000</td><td class="n">200</td>\
<td class="n"><span class="quiet">–</span></td><td class="n">7</td><td class="wide">large 150, small 50</td></tr>
<tr class="trouble"><td>judge</td><td class="n">1\u202f000</td><td class="n">990</td><td class="n">8</td>\
<td class="n">2</td><td class="n"><span class="quiet">–</span></td>\
<td class="wide">other 7, no-device 2, not-covered 1</td></tr>

</table></div>
</details>

</section>
`)
})

describe('the head of a run', () => {
  const summary = (run: Partial<ReportRun>) => /<span class="quiet">(.*?)<\/span>/.exec(html(run))?.[1]
  test('counts nothing of a run without stages, and no time without both ends', () => {
    expect(summary({})).toBe('finished · 0 written · 0 dropped')
    const [startedAt, endedAt] = ['2026-01-01T00:00:00Z', '2026-01-01T00:00:01Z']
    expect(summary({startedAt})).toBe('finished · 0 written · 0 dropped')
    expect(summary({endedAt})).toBe('finished · 0 written · 0 dropped')
    expect(summary({startedAt, endedAt})).toBe('finished · 0 written · 0 dropped · 1.0 s')
  })
  test('is closed only where the run finished and nothing failed', () => {
    expect(html({})).toContain('<details >')
    expect(html({state: 'running'})).toContain('<details open>')
    expect(html({counts: [counts({failed: 1})]})).toContain('<details open>')
    expect(html({counts: [counts({failed: 1})]})).toContain('0 dropped · 1 failed<')
    expect(html({counts: [counts({failed: 1})]})).toContain('<tr class="trouble">')
    expect(html({state: 'stopped', counts: [counts({failed: 1})]})).toContain('<details open>')
  })
  test('says what to do about an error', () => {
    expect(html({error: {message: 'Full <disk>.', fix: 'Free space.'}})).toContain(
      '</summary>\n<p class="trouble"><b>Full &lt;disk&gt;.</b> Free space.</p>\n',
    )
  })
})
