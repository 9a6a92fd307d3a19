import {describe, expect, test} from 'vitest'
import {timelinePicture} from '../../../datasets/card/timeline-picture.ts'
import {CostPipe} from '../../../datasets/schema/optimisation.ts'
import type {CoreTimeline, Timeline, TimelineInterval, TimelineWait} from '../../../datasets/schema/timeline.ts'

const place = (line: number) => ({path: 'op_kernel/add.cpp', line})
const wait: TimelineWait = {
  ...{kind: 'queue', api: 'DeQue', place: place(7), name: 'in'},
  by: {pipe: 'MTE2', api: 'DataCopy', place: place(5)},
}

const interval = (pipe: CostPipe, start: number, end: number, more: Partial<TimelineInterval> = {}) => ({
  ...{pipe, start, end, api: pipe === 'V' ? 'Add' : 'DataCopy', place: place(5)},
  ...more,
})

/** Copy and computation in turn, `tiles` times, 100 cycles each. */
function coreOf(tiles: number, more: Partial<CoreTimeline> = {}): CoreTimeline {
  const starts = Array.from({length: tiles}, (_, tile) => tile * 200)
  return {
    ...{index: 0, cycles: tiles * 200, modelledCycles: tiles * 200, overlap: 0.25, left: 0},
    busy: {MTE2: tiles * 100, V: tiles * 100, S: 0, MTE3: 0},
    intervals: starts.flatMap((start) => [
      interval('MTE2', start, start + 100, {bytes: 4096}),
      interval('V', start + 100, start + 200, {repeats: 16, waitsFor: wait}),
    ]),
    stalls: starts.map((start) => ({pipe: 'V', start, end: start + 100, cause: wait})),
    ...more,
  }
}

const timelineOf = (...cores: CoreTimeline[]): Timeline => ({cyclesPerMicrosecond: 1850, slowest: 0, cores})
const pictureOf = (core: CoreTimeline, title = 'Add') => timelinePicture([{title, timeline: timelineOf(core)}])

/** Left edge and width in percent, of the boxes of a kind. */
const boxes = (picture: string, kind: string) =>
  [...picture.matchAll(new RegExp(`<rect ${kind} x="([\\d.]+)%" y="\\d+" width="([\\d.]+)%"`, 'g'))].map(
    ([, x, width]) => [Number(x), Number(width)],
  )
const textsOf = (picture: string) => [...picture.matchAll(/<text[^>]*>([^<]*)</g)].map(([, text = '']) => text)

describe('a picture of a timeline', () => {
  test('has a lane for each pipe that works, and bars where it works', () => {
    const picture = pictureOf(coreOf(2))
    expect(textsOf(picture).filter((text) => text.includes('busy'))).toEqual([
      'MTE2, copies in: busy 50 %',
      'V, vector unit: busy 50 %',
    ])
    expect(boxes(picture, 'class="tl-bar tl-MTE2"')).toEqual([
      [1.5, 24.25],
      [50, 24.25],
    ])
    expect(boxes(picture, 'class="tl-bar tl-V"')).toEqual([
      [25.75, 24.25],
      [74.25, 24.25],
    ])
    expect(boxes(picture, 'fill="url\\(#tl-wait\\)"')).toEqual([
      [1.5, 24.25],
      [50, 24.25],
    ])
  })

  test('says of each bar what it is, and of each gap what is waited for', () => {
    const picture = pictureOf(coreOf(1))
    expect(picture).toContain('<title>DataCopy, line 5 of add.cpp, 4,096 bytes, cycles 0 to 100</title>')
    expect(picture).toContain('<title>Add, line 5 of add.cpp, 16 repeats, cycles 100 to 200</title>')
    expect(picture).toContain(
      '<title>waits 100 cycles for in (DeQue, line 7 of add.cpp), until DataCopy, line 5 of add.cpp ends</title>',
    )
    expect(textsOf(picture)).toContain(
      'V waits 100 cycles in 1 gap for in (DeQue, line 7), until DataCopy, line 5 ends',
    )
  })

  test('calls its cycles modelled, and is told to those who do not see it', () => {
    const picture = pictureOf(coreOf(2))
    expect(textsOf(picture)).toEqual(
      expect.arrayContaining(['modelled cycles', '400 modelled cycles (0.22 µs), core 1 of 1']),
    )
    expect(picture).toMatch(
      /^<svg [^>]*role="img" aria-label="Modelled timeline: Add">\n<title>Modelled timeline: Add</,
    )
    expect(/<desc>([^<]*)</.exec(picture)?.[1]).toContain(
      'Add. 400 modelled cycles (0.22 µs), core 1 of 1. MTE2 works beside V for 25 % of its time.',
    )
  })

  test.each([
    ['queue', {api: 'AllocTensor'}, 'a free tensor of in (AllocTensor, line 7)'],
    ['event', {api: 'WaitFlag', name: 'MTE3_V event 2'}, 'MTE3_V event 2 (WaitFlag, line 7)'],
    ['barrier', {api: 'PipeBarrier', name: 'PIPE_ALL'}, 'PIPE_ALL (PipeBarrier, line 7)'],
    ['scalar', {api: 'GetValue', name: ''}, 'what MTE2 works on (GetValue, line 7)'],
    ['issue', {api: '', name: ''}, 'the scalar unit, which gives out instructions'],
    ['gm', {api: '', name: ''}, 'bandwidth of GM, which MTE2 has'],
  ] as const)('tells a wait of the kind %s', (kind, more, told) => {
    const stalls = [{pipe: 'V' as const, start: 0, end: 100, cause: {...wait, kind, ...more}}]
    expect(textsOf(pictureOf(coreOf(1, {stalls})))).toContain(
      `V waits 100 cycles in 1 gap for ${told}, until DataCopy, line 5 ends`,
    )
  })

  test('tells the cost model apart where it says another total', () => {
    const apart = (modelledCycles: number) => textsOf(pictureOf(coreOf(2, {modelledCycles}))).join('\n')
    expect(apart(400)).not.toContain('Cost model')
    expect(apart(500)).toContain('Cost model, tile by tile: 500 modelled cycles')
  })

  test('draws the slowest core, or the one that is asked for', () => {
    const timeline = {...timelineOf(coreOf(1), coreOf(3)), slowest: 1}
    expect(boxes(timelinePicture([{title: 'Add', timeline}]), 'class="tl-bar tl-V"')).toHaveLength(3)
    const asked = timelinePicture([{title: 'Add', timeline, core: 0}])
    expect(boxes(asked, 'class="tl-bar tl-V"')).toHaveLength(1)
    expect(asked).toContain('core 1 of 2')
    expect(() => timelinePicture([{title: 'Add', timeline, core: 2}])).toThrow('core 2')
  })

  test('puts several on one axis', () => {
    const picture = timelinePicture([1, 4].map((tiles) => ({title: `${tiles}`, timeline: timelineOf(coreOf(tiles))})))
    expect(boxes(picture, 'class="tl-bar tl-MTE2"').map(([, width]) => width)).toEqual(Array(5).fill(12.13))
  })

  test('stays small: of a long kernel the first part is shown, and said', () => {
    const [long, longer] = [pictureOf(coreOf(1000)), pictureOf(coreOf(10_000))]
    expect(boxes(long, 'class="tl-bar tl-V"')).toHaveLength(59)
    expect(longer.length).toBeLessThan(long.length + 100)
    expect(textsOf(longer)).toContain('Shown: cycles 0 to 11,900 of 2,000,000')
    expect(textsOf(pictureOf(coreOf(60))).join()).not.toContain('Shown')
  })

  test('shows a part that is asked for', () => {
    const picture = timelinePicture([{title: 'Add', timeline: timelineOf(coreOf(4))}], {window: {from: 200, to: 400}})
    expect(boxes(picture, 'class="tl-bar tl-MTE2"')).toEqual([[1.5, 48.5]])
    expect(boxes(picture, 'class="tl-bar tl-V"')).toEqual([[50, 48.5]])
    expect(textsOf(picture)).toContain('Shown: cycles 200 to 400 of 800')
  })

  test('is as wide as its place, or scales from a width', () => {
    const shown = [{title: 'Add', timeline: timelineOf(coreOf(1))}]
    expect(timelinePicture(shown)).toMatch(/^<svg [^>]*width="100%" height="\d+" class/)
    expect(timelinePicture(shown, {pixels: 640})).toMatch(
      /^<svg [^>]*width="640" height="(\d+)" viewBox="0 0 640 \1" class/,
    )
  })

  test('says when instructions are missing', () => {
    const texts = textsOf(pictureOf(coreOf(1, {left: 1234, modelledCycles: 9000})))
    expect(texts).toContain('1,234 further instructions are not told')
    expect(texts).toContain('First 200 modelled cycles (0.11 µs), core 1 of 1')
    expect(texts).toContain('Cost model, tile by tile: 9,000 modelled cycles')
  })

  test('lets no text out of its place, whatever names say', () => {
    const hostile = '"><script>alert(1)</script>\u202e\u001b[31m&'
    const named = {...wait, name: hostile, place: {path: `${hostile}.cpp`, line: 1}}
    const intervals = [interval('V', 100, 200, {api: hostile, waitsFor: named})]
    const picture = pictureOf(coreOf(1, {intervals, stalls: [{pipe: 'V', start: 0, end: 100, cause: named}]}), hostile)
    expect(picture).not.toMatch(/<script|\u202e|\u001b|&(?!amp;|lt;|gt;|quot;)/)
    expect(picture).toContain('aria-label="Modelled timeline: &quot;&gt;&lt;script&gt;')
  })

  test('has lines that fit a telephone, and longer ones for wide pages only', () => {
    const picture = pictureOf(coreOf(2), `A title ${'of many words '.repeat(12)}`)
    const lines = [...picture.matchAll(/<text x="1.5%"[^>]*?(?:class="([^"]*)")?>([^<]*)</g)]
    expect(lines.length).toBeGreaterThan(8)
    for (const [, kind = '', text = ''] of lines) if (!kind.includes('tl-wide')) expect(text.length).toBeLessThan(60)
    expect(picture).toContain('.tl-wide{display:none}')
  })

  test('is the same each time, and follows the colours that the reader prefers', () => {
    expect(pictureOf(coreOf(3))).toBe(pictureOf(coreOf(3)))
    expect(pictureOf(coreOf(3))).toContain('@media (prefers-color-scheme:dark)')
    for (const pipe of CostPipe.options) expect(pictureOf(coreOf(1))).toContain(`.tl-${pipe}{fill:`)
  })
})
