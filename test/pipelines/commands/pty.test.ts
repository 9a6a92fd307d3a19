import {existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {afterAll, beforeAll, describe, expect, onTestFinished, test} from 'vitest'
import {startChatServer} from '../../helpers/chat-server.ts'
import {kernelStages} from '../../helpers/command.ts'
import {onTerminal, warmTerminal, type PtyResult, type WarmTerminal} from '../../helpers/pty.ts'
import {temporaryFolder} from '../../helpers/temporary.ts'
import {testCache, twinCache} from '../../helpers/test-cache.ts'

const home = mkdtempSync(join(tmpdir(), 'ascend-cot-pty-'))
const out = join(home, 'runs')
const small = ['--limit', '2', '--set', 'samples.candidatesPerTask=4', '--set', `cache=${testCache}`]
/** Sources of each kind, what is judged, what is made of that, and a release; `.ci/run` starts all of it so. */
const several = 'run api-index kernels candidates preference release-sft card'.split(' ')

let warm: WarmTerminal
beforeAll(async () => {
  warm = await warmTerminal(home)
})
afterAll(async () => {
  await warm.close()
  rmSync(home, {recursive: true, force: true})
})

/** The lines of a recipe's progress, as they are left on the screen. */
function viewOf({screen}: PtyResult, recipe: string): {sign: string; stages: string[]}[] {
  return screen.flatMap((line, at) => {
    const [, sign] = new RegExp(`^([●✓✗]) ${recipe}  \\d+:\\d\\d$`).exec(line) ?? []
    if (sign === undefined) return []
    const after = screen.slice(at + 1)
    return [
      {
        sign,
        // Numbers that a narrow terminal has no room for stand below their stage.
        stages: after
          .slice(
            0,
            after.findIndex((one) => !/^ {2}(?:[✓✗▸ ] \S| {2,}\S)/.test(one)),
          )
          .filter((one) => /^ {2}[✓✗▸ ] \S/.test(one) && !/^ {4,}(?:\d|→)/.test(one)),
      },
    ]
  })
}

/** Nothing that a person would stumble over, whatever was shown. */
function expectTidy({written, screen}: PtyResult): void {
  expect(written).not.toContain('\u001b[?25l')
  expect(screen.filter((line) => /^ {2}▸|^● .*\d+:\d\d$/.test(line))).toEqual([])
  expect(screen.join('\n')).not.toMatch(/TypeError|This is a bug|undefined|NaN|\[object/)
}

describe.each([0, 40, 120])('a run on a terminal of %i columns', (columns) => {
  const folder = join(home, `width-${columns}`)
  // One of them as a process of its own.
  const on: WarmTerminal['run'] = (args, size) => (columns === 40 ? onTerminal(args, size) : warm.run(args, size))
  const run = () => on(['run', 'kernels', ...small, '--out', folder], {columns})

  test('shows each stage once, and ends', async () => {
    for (const again of columns === 120 ? [false, true] : [false]) {
      const result = await run()
      expect(result.code, result.screen.join('\n')).toBe(0)
      expectTidy(result)
      const [view, ...others] = viewOf(result, 'kernels')
      expect(others).toEqual([])
      expect(view?.sign).toBe('✓')
      expect(view?.stages.map((line) => /✓ (\S+)/.exec(line)?.[1])).toEqual(kernelStages)
      expect(view?.stages.every((line) => line.length <= (columns || 80))).toBe(true)
      if (columns === 40) expect(existsSync(join(folder, 'work'))).toBe(false)
      if (again) expect(view?.stages.at(-3)).toMatch(/→ \d+ {2}(?:\d+ dropped {2})?\d+ done before$/)
      expect(result.screen.at(-2)).toBe(`report    ${join(folder, 'report.html')}`)
    }
  })

  test('says an error that comes before the first record, and nothing else', async () => {
    const result = await on(
      ['run', 'api-index', '--docs', '/nonexistent', '--set', `cache=${testCache}`, '--out', join(home, 'none')],
      {columns},
    )
    expect(result.code).toBe(1)
    expectTidy(result)
    expect(viewOf(result, 'api-index')).toEqual([])
    const [said] = result.screen.join('\n').split('  → ')
    expect(said?.trimEnd().replace(/\s+/g, ' ')).toBe('error: There is no folder for api-index at /nonexistent.')
    if (columns === 40) expect(result.written).toMatch(/^run: loading\r\u001b\[K/)
    expect(result.screen.every((line) => line.length <= (columns || 80))).toBe(true)
  })
})

describe('a run that is not plain sailing', () => {
  test('stops in order at Ctrl-C, says so, and goes on when resumed', async () => {
    const folder = await temporaryFolder()
    const args = ['run', 'candidates', ...small, '--out', folder]
    const result = await onTerminal(args, {
      columns: 80,
      type: (written) => (/▸ judge/.test(written) ? '\u0003' : undefined),
    })
    expect(result.code, result.screen.join('\n')).toBe(130)
    expectTidy(result)
    expect(
      result.screen
        .join('\n')
        .match(/finishing the work in progress, then stopping; press Ctrl-C again to stop now$/gm),
    ).toHaveLength(1)
    expect(viewOf(result, 'candidates').map(({sign}) => sign)).toEqual(['✗'])
    expect(result.screen.slice(-3).join('\n')).toMatch(
      /^error: The run was interrupted\.\n {2}→ Run `ascend-cot resume`/,
    )
    expect(JSON.parse(readFileSync(join(folder, 'candidates/run.json'), 'utf8'))).toMatchObject({
      state: 'stopped',
      error: {code: 'interrupted'},
    })

    const resumed = await warm.run(['resume', '--out', folder], {columns: 80})
    expect(resumed.code, resumed.screen.join('\n')).toBe(0)
    expectTidy(resumed)
    expect(viewOf(resumed, 'candidates').map(({sign}) => sign)).toEqual(['✓'])
  })

  test.each(['run kernels', 'doctor', 'serve-judge --port 0'])(
    'ends at once with 130 and leaves nothing where Ctrl-C meets the compilation of the twin: %s',
    async (line) => {
      const [folder, cache] = [await temporaryFolder(), await temporaryFolder()]
      const args = [...line.split(' '), '--set', `cache=${cache}`, '--out', folder]
      const result = await onTerminal(args, {
        columns: 80,
        type: (written) => (written.includes('compiling the twin, once') ? '\u0003' : undefined),
      })
      expect(result.code, result.screen.join('\n')).toBe(130)
      expectTidy(result)
      expect(result.screen.join('\n')).not.toContain('press Ctrl-C again')
      const left = readdirSync(cache, {recursive: true, encoding: 'utf8'})
      expect(left.filter((path) => /objects-|\.tmp$/.test(path))).toEqual([])
    },
  )

  test('counts the records that an endpoint failed beside the others, and keeps the forecast above them', async () => {
    const server = await startChatServer({
      reply: () => ({content: 'no tags at all', reasoning: ''}),
      script: ({index}) => (index % 2 === 1 ? {kind: 'status', status: 400} : undefined),
    })
    onTestFinished(() => server.close())
    const folder = await temporaryFolder()
    const teacher = {model: 'mock', baseUrl: server.url, concurrency: 2, maxTokens: 300, maxAttempts: 1}
    const asked = `teachers.documentation=${JSON.stringify(teacher)}`
    // Replies are this test's own; the precompiled twin is everybody's.
    mkdirSync(join(folder, 'cache'))
    symlinkSync(twinCache, join(folder, 'cache/twin'))
    const result = await warm.run(
      [
        'run',
        'documentation',
        '--limit',
        '2',
        '--out',
        folder,
        '--set',
        `cache=${join(folder, 'cache')}`,
        '--set',
        asked,
      ],
      {columns: 120},
    )
    expect(result.code).toBe(1)
    expectTidy(result)
    const [view, ...others] = viewOf(result, 'documentation')
    expect(others).toEqual([])
    expect(view?.stages.find((line) => line.includes('documentation-cot'))).toMatch(/\d+ failed/)
    expect(result.screen.filter((line) => line.startsWith('documentation: forecast '))).toHaveLength(1)
  })
})

// Each of them once crashed or hung on some of its runs, never on all: PTY_TIMES is how often each is started anew.
describe('again and again', {timeout: 600_000}, () => {
  const hunting = process.env['PTY_TIMES']
  const times = Array.from({length: Number(hunting ?? 1)}, (_, index) => index)
  const on: WarmTerminal['run'] = (args, size) => (hunting ? onTerminal(args, size) : warm.run(args, size))
  let id = ''

  beforeAll(async () => {
    const first = await onTerminal([...several, ...small, '--out', out], {columns: 80})
    expect(first.code, first.screen.join('\n')).toBe(0)
    expectTidy(first)
    const {screen} = await warm.run(['inspect', '', '--out', out], {columns: 120})
    id = /\b([0-9a-f]{12})\b/.exec(screen.join(' '))?.[1] ?? ''
    expect(id).not.toBe('')
  })

  test.each([
    ['several recipes again', [...several, ...small, '--out', out]],
    ['resume', ['resume', '--out', out]],
    ['status', ['status', '--out', out]],
    ['failed', ['failed', '--out', out]],
    ['report', ['report', '--out', out]],
    ['inspect', ['inspect', '<id>', '--out', out]],
    ['doctor', ['doctor', '--out', out, '--set', `cache=${testCache}`]],
    ['--help', ['--help']],
    ['run --help', ['run', '--help']],
    ['--version', ['--version']],
  ])('%s', async (_, args) => {
    const given = args.map((part) => (part === '<id>' ? id : part))
    for (const time of times) {
      const result = await on(given, {columns: time % 2 === 0 ? 80 : 120})
      expect(result.code, `time ${time + 1}:\n${result.screen.join('\n')}`).toBe(0)
      expectTidy(result)
      expect(result.screen.length).toBeGreaterThan(0)
    }
  })
})
