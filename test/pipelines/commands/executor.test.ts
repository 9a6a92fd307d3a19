import {existsSync, readdirSync} from 'node:fs'
import {mkdir, writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {describe, expect, test} from 'vitest'
import {preparation, sweepWork} from '../../../pipelines/commands/executor.ts'
import {temporaryFolder} from '../../helpers/temporary.ts'

function said(steps: readonly number[], total: number): string[] {
  const lines: string[] = []
  let at = 0
  const tell = preparation({say: (text) => lines.push(text)}, 2, () => at)
  for (const done of steps) {
    at = done * 2000
    tell(done, total)
  }
  return lines
}
const upTo = (total: number) => Array.from({length: total + 1}, (_, done) => done)

describe('while the twin is compiled', () => {
  test.each<[number, number[]]>([
    [16, [4, 8, 12, 16]],
    [17, [5, 9, 13, 17]],
    [15, [4, 8, 12, 15]],
    [4, [1, 2, 3, 4]],
    [3, [1, 2, 3]],
    [1, [1]],
  ])('of %d parts, a line comes at each quarter: %j', (total, quarters) => {
    const lines = quarters.map((done) => expect.stringMatching(`^compiling the twin: ${done} of ${total} parts`))
    expect(said(upTo(total), total)).toEqual([expect.stringContaining(`once per machine: ${total} part`), ...lines])
  })

  test('the start alone says how long it usually takes on so many cores', () => {
    expect(said([0], 90)).toEqual(['compiling the twin, once per machine: 90 parts, usually about 20 s'])
    expect(said([0], 720)).toEqual(['compiling the twin, once per machine: 720 parts, usually about 2 min'])
  })

  test('each quarter says what is left at the pace so far, the last nothing', () => {
    expect(said(upTo(90), 90).slice(1)).toEqual([
      'compiling the twin: 23 of 90 parts, about 2 min left',
      'compiling the twin: 45 of 90 parts, about 90 s left',
      'compiling the twin: 68 of 90 parts, about 50 s left',
      'compiling the twin: 90 of 90 parts',
    ])
  })

  test('nothing is said just before a quarter', () => {
    expect(said([0, 3], 16)).toHaveLength(1)
  })

  test('quarters that are passed at once are one line, and none is said again', () => {
    expect(said([0, 9, 8, 9, 11, 12], 16).slice(1)).toEqual([
      'compiling the twin: 9 of 16 parts, about 20 s left',
      'compiling the twin: 12 of 16 parts, about 10 s left',
    ])
  })
})

describe('builds that processes left behind', () => {
  /** Larger than any process id of Linux, where 2^22 is the most. */
  const nobody = String(2 ** 22 + 1)

  test('are removed, whatever their folders are called; those of living processes stay', async () => {
    const out = await temporaryFolder()
    const work = join(out, 'work')
    const [own, parent] = [String(process.pid), String(process.ppid)]
    for (const name of [own, parent, nobody, '0', '-1', '1.5', 'notes']) {
      await mkdir(join(work, name), {recursive: true})
      await writeFile(join(work, name, 'a.o'), '')
    }
    await writeFile(join(work, 'loose'), '')
    sweepWork({out})
    expect(readdirSync(work).sort()).toEqual([own, parent].sort())
    expect(readdirSync(join(work, own))).toEqual(['a.o'])
  })

  test('are not looked for where nothing was built, and no folder is made', async () => {
    const out = await temporaryFolder()
    sweepWork({out: join(out, 'data')})
    expect(existsSync(join(out, 'data'))).toBe(false)
  })

  test('lie below `work` alone', async () => {
    const out = await temporaryFolder()
    await mkdir(join(out, nobody))
    await mkdir(join(out, 'work'))
    sweepWork({out})
    expect(readdirSync(out).sort()).toEqual([nobody, 'work'].sort())
  })
})
