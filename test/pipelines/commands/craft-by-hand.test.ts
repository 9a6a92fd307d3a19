import {existsSync, readFileSync, renameSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {describe, expect, test} from 'vitest'
import {main} from '../../../pipelines/cli.ts'
import {craftByHand} from '../../../pipelines/commands/craft-by-hand.ts'
import {readConfig} from '../../../pipelines/workspace/config.ts'
import {temporaryFolder} from '../../helpers/temporary.ts'
import {recordedWorld, type RecordedWorld} from '../../helpers/world.ts'

async function fresh() {
  const root = await temporaryFolder()
  const folder = join(root, 'my_mish')
  const [world, program] = [recordedWorld(), join(folder, 'program.py')]
  expect(await main(['craft', 'new', folder], world)).toBe(0)
  return {root, folder, program, text: readFileSync(program, 'utf8'), world, out: join(root, 'runs')}
}

const configOf = (out: string, env: RecordedWorld['env'], flags: Record<string, string> = {}) =>
  readConfig({env, flags: {out: JSON.stringify(out), ...flags}})

/** Text that stands in a program, and what stands there in a faulty one. */
const wrongTail = ['count = min(tile, stop - offset)', 'count = min(tile, stop - offset - 1)'] as const

describe('a program by hand', () => {
  test('what `craft new` writes is right, and everything made of it stands in one folder', async () => {
    const {folder, world, out} = await fresh()
    expect(await main(['craft', folder, '--out', out], world)).toBe(0)
    const told = world.printed.join('\n')
    expect(told).toMatch(/checker +nothing found/)
    expect(told).toMatch(/interpreter right in 4 cases/)
    expect(told).toMatch(/twin +right in 4 cases/)
    expect(told).toMatch(/timeline +shape \[\d+, 3001\]/)
    expect(told).toMatch(/MTE2, copies in \d+ % +[█▓▒░·]+/)
    expect(told).toMatch(/judge +correct/)
    const made = join(out, 'craft/MyMish/made')
    const files = ['program.py', 'findings.json', 'verdict.json', 'timeline.svg', 'project/op_kernel/my_mish.cpp']
    expect(files.filter((path) => !existsSync(join(made, path)))).toEqual([])
    expect(JSON.parse(readFileSync(join(made, 'verdict.json'), 'utf8'))).toMatchObject({outcome: 'correct'})
    const page = readFileSync(join(out, 'craft/MyMish/page.html'), 'utf8')
    for (const words of ['Nothing wrong is known.', '<svg', 'mish_kernel', 'op_host/my_mish.cpp'])
      expect(page).toContain(words)
  }, 180_000)

  test('a wrong program: the line, the first wrong element, exit code 1', async () => {
    const {folder, program, text, world, out} = await fresh()
    writeFileSync(program, text.replace('tl.adds(below_ub, power_ub, 2.0', 'tl.adds(below_ub, power_ub, 2.5'))
    expect(await main(['craft', folder, '--out', out, '--json'], world)).toBe(1)
    const {isRight, told} = JSON.parse(world.printed.at(-1)!)
    expect(isRight).toBe(false)
    const linesOf = (part: string) => told.find((one: {part: string}) => one.part === part).lines.join('\n')
    for (const part of ['interpreter', 'twin'])
      expect(linesOf(part)).toMatch(/^wrong in 4 of 4 cases\n.*case 0 \(shape \[1, 7\]\): y.*\n {2}first at y\[0\]: /)
    expect(linesOf('judge')).toMatch(/^mismatched: case 0: y/)
  }, 180_000)

  test('a watcher goes on after every kind of mistake', async () => {
    const {folder, program, text, world, out, root} = await fresh()
    const heads: string[] = []
    const seen = () => {
      heads.push([...world.printed, ...world.said].join('\n'))
      world.printed.length = world.said.length = 0
    }
    async function* saver() {
      const saves = [
        () => writeFileSync(program, text.replace(...wrongTail)),
        () => writeFileSync(program, text.slice(0, text.length / 2)),
        () => writeFileSync(program, ''),
        () => renameSync(program, join(root, 'elsewhere')),
        () => writeFileSync(program, text.replace('tile = 8128', 'tile = 4064')),
      ]
      for (const save of saves) {
        await ended()
        seen()
        save()
        yield
      }
      await ended()
      seen()
    }
    // The saver of this test waits for what is told of the save before; a person need not.
    const ended = async () => {
      const isOver = () => /(^|\n)(right|wrong); |error: /.test([...world.printed, ...world.said].join('\n'))
      while (!isOver()) await new Promise((done) => setTimeout(done, 20))
    }
    const code = await craftByHand(
      {folder, python: 'python3', watch: true, json: false},
      await configOf(out, world.env),
      world,
      saver,
    )
    expect(code).toBe(0)
    const [first, tail, half, empty, gone, last] = heads
    expect(first).toMatch(/judge +correct/)
    expect(tail).toMatch(/program\.py:\d+:\d+: output-unwritten: Element 6 of the output y was never written\. Fix: /)
    expect(tail).toMatch(/first at y\[6\]: 0, expected -?[\d.]+/)
    expect(half).toMatch(/checker +program\.py:\d+:\d+: syntax: /)
    expect(empty).toMatch(/program\.py:1:1: import/)
    expect(gone).toContain(`error: There is no ${program}.`)
    expect(last).toMatch(/timeline +[\d,]+ modelled cycles, [\d.]+ % more than before \([\d,]+\)/)
    expect(last).toMatch(/right; /)
  }, 300_000)

  test('without a compiler, checker and interpreter still speak', async () => {
    const {folder, world, out} = await fresh()
    const config = await configOf(out, world.env, {'executor.compiler': '"no-such-compiler"'})
    async function* nothing() {}
    expect(await craftByHand({folder, python: 'python3', watch: true, json: false}, config, world, nothing)).toBe(0)
    expect(world.printed.join('\n')).toMatch(/checker +nothing found/)
    expect(world.printed.join('\n')).toMatch(/interpreter right in 4 cases/)
    expect(world.said.join('\n')).toMatch(/error: .*no-such-compiler/)
  }, 60_000)
})

describe('what a command line may ask for', () => {
  test.each<[string, (folder: string) => string[], number, RegExp]>([
    ['neither a folder nor a checkout', () => [], 2, /either a folder or --root/],
    ['both', (one) => [one, '--root', one], 2, /either a folder or --root/],
    ['rounds of a model', (one) => [one, '--rounds', '2'], 2, /--rounds is for a model.* omit it beside a folder/],
    ['tasks', (one) => [one, '--tasks', 'a/*'], 2, /--tasks is for a model/],
    ['a consent to spend', (one) => [one, '--start-anyway'], 2, /--start-anyway is for a model/],
    ['to watch a checkout', (one) => ['--root', one, '--watch'], 2, /--watch looks at a folder/],
    ['a folder that is not there', (one) => [`${one}/none`], 1, /craft new/],
    ['to write over something', (one) => ['new', one], 2, /is not an empty folder/],
    ['a folder without a task', (one) => [join(one, 'validation')], 1, /There is no .*program\.py/],
  ])('%s', async (_, args, code, words) => {
    const {folder, world} = await fresh()
    expect(await main(['craft', ...args(folder)], world)).toBe(code)
    expect(world.said.join('\n')).toMatch(words)
  })
})
