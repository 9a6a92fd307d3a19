import {spawnSync} from 'node:child_process'
import {existsSync, readdirSync, readFileSync} from 'node:fs'
import {join} from 'node:path'
import {describe, expect, test} from 'vitest'
import {main} from '../../../pipelines/cli.ts'
import {teacherNames} from '../../../pipelines/commands/run-recipes.ts'
import {asFileError} from '../../../engine/files.ts'
import {nearest} from '../../../engine/nearest.ts'
import {command as program} from '../../helpers/command.ts'
import {temporaryFolder} from '../../helpers/temporary.ts'
import {recordedWorld} from '../../helpers/world.ts'
import {testCache} from '../../helpers/test-cache.ts'

async function command(args: readonly string[], env: Record<string, string> = {}) {
  const world = recordedWorld(env)
  const code = await main(args, world)
  return {code, said: world.said.join('\n'), printed: world.printed.join('\n')}
}

describe('the judge as a service', () => {
  test('a port that is none is refused as typed', async () => {
    const {code, said} = await command(['serve-judge', '--port', '70000'])
    expect(said).toContain("'70000' is invalid. Expected a port, 0 to 65535.")
    expect(code).toBe(2)
  })

  test('it listens for others only with a token', async () => {
    const {code, said} = await command(['serve-judge', '--host', '0.0.0.0'])
    expect(said).toContain('The judge runs code that clients send, and 0.0.0.0 is reachable from other machines.')
    expect(said).toContain('Set JUDGE_TOKEN to a token')
    expect(code).toBe(1)
  })
})

describe('what a person typed is what the message names', () => {
  test.each([
    [['--limit', 'abc'], "'--limit <count>' argument 'abc' is invalid. Expected a whole number above 0."],
    [['--limit', '0'], 'Expected a whole number above 0.'],
    [['--limit', '1.5'], 'Expected a whole number above 0.'],
    [['--docs', ''], "'--docs <folder>' argument '' is invalid. Expected a name, got an empty text."],
    [['--out', ' '], 'Expected a name, got an empty text.'],
    [['--seed', ''], 'Expected a name, got an empty text.'],
    [
      ['--set', 'executor.concurrency=abc'],
      'executor.concurrency: expected number, received string, seen "abc", in --set executor.concurrency=abc\n  → Fix --set ',
    ],
    [
      ['--set', 'executor.concurency=2'],
      'unknown key executor.concurency in --set executor.concurency=2\n  → Did you mean executor.concurrency?',
    ],
    [
      ['--set', 'executor.recheck=5'],
      'executor.recheck: Invalid option: expected one of "none"|"failed"|"all", seen 5, in ',
    ],
    [['--limt', '3'], "unknown option '--limt'\n(Did you mean --limit?)"],
    [['--set', 'samples'], 'Expected key=value, e.g. budget.tokens=200000.'],
    [['--set', 'budgt.tokens=2'], '→ Did you mean budget?'],
    [
      ['--set', 'samples.whatever=2'],
      '→ Keys of samples: candidatesPerTask, faultsThatRun, severalFaults, maxPairsPerTask, maxPairsPerChosen, ',
    ],
    [['--set', 'seed=['], '--set seed=[ is not a YAML value'],
    [['--set', 'teachers.kernel.modle=x'], 'Did you mean teachers.kernel.model?'],
  ])('%j', async (args, words) => {
    const {code, said} = await command(['run', 'documentation', ...args])
    expect(said).toContain(words)
    expect(said).not.toContain('Known keys')
    expect(code).toBe(2)
  })

  test('a key that is none is no part of any other object either', async () => {
    const {said} = await command(['run', 'documentation', '--set', '__proto__.planted=1'])
    expect(said).toContain('unknown key __proto__')
    expect(({} as Record<string, unknown>)['planted']).toBeUndefined()
  })

  test('a variable by its name, unless a flag said it after', async () => {
    const env = {ASCEND_COT_EXECUTOR__CONCURRENCY: '-1'}
    expect((await command(['doctor'], env)).said).toContain('Fix the variable ASCEND_COT_EXECUTOR__CONCURRENCY.')
    const {said} = await command(['doctor', '--set', 'executor.concurrency=-2'], env)
    expect(said).toContain('Fix --set executor.concurrency=-2.')
    const around = {ASCEND_COT_EXECUTOR: '{concurrency: -1}'}
    const section = await command(['doctor', '--set', 'executor.concurrency=-3'], around)
    expect(section.said).toContain('Fix --set executor.concurrency=-3.')
  })

  test('a teacher by its key alone: a URL may hold a password', async () => {
    const teacher = 'teachers.kernel={model: m, baseUrl: "https://me:secret@host", retries: x}'
    const {said} = await command(['run', 'documentation', '--set', teacher])
    expect(said).toContain('--set teachers.kernel=…')
    expect(said).not.toContain('secret')
    const noUrl = 'teachers.kernel={model: m, baseUrl: "me:secret@host, or so"}'
    expect((await command(['run', 'documentation', '--set', noUrl])).said).not.toContain('secret')
    const short = await command(['run', 'documentation', '--set', 'teachers.kernel.apiKey=sk-123'])
    expect(short.said).toContain('unknown key teachers.kernel.apiKey in --set teachers.kernel.apiKey=…')
  })

  test('a recipe that was mistyped, with the one that was meant', async () => {
    expect((await command(['run', 'documentaton'])).said).toContain('Did you mean documentation?')
  })

  test.each([
    [['run', '../commands/run'], /^error: File not found: \/\S+\/commands\/run\.\n {2}→ Check the path/, 1],
    [['run', 'mine.ts'], /File not found: \S+\/mine\.ts\./, 1],
    [
      ['run', 'biome.json'],
      /biome\.json is a file of JSON, and a recipe is a program .*\n.*--config biome\.json and a recipe's name/,
      1,
    ],
    [['run'], /missing required argument 'recipe'/, 2],
    [[], /^Usage: ascend-cot /, 2],
    [['eval', 'npukernelbnch'], /^error: there is no benchmark npukernelbnch; use [\w-]+ or .*npukernelbench$/, 2],
    [['eval', 'npukernelbench'], /^error: give the checkout of npukernelbench with --root <folder>$/, 2],
    [
      ['sweep', 'table-9'],
      /\n {2}→ Use one of figure-4, figure-5a-small, figure-5a, figure-5b-small, .*table-4, or give/,
      1,
    ],
    [['--version'], /^$/, 0],
  ] as const)('%j', async (args, words, ends) => {
    const {code, said} = await command(args)
    expect(said).toMatch(words)
    expect(code).toBe(ends)
  })
})

describe('teacher profiles', () => {
  const teacher = '={model: m, baseUrl: "http://127.0.0.1:9/v1"}'

  test.each([
    ['documentaton', 'documentation'],
    ['kernels', 'kernel'],
    ['candidate', 'candidates'],
  ])('%s is refused, with the name that was meant', async (typed, meant) => {
    const out = await temporaryFolder()
    const {code, said} = await command(['run', 'documentation', '--out', out, '--set', `teachers.${typed}${teacher}`])
    expect(code).toBe(2)
    expect(said).toContain(`No stage uses the teacher profile ${typed}`)
    expect(said).toContain(`Did you mean teachers.${meant}?`)
  })

  test('another name is warned of, and kept for eval --candidates', async () => {
    const out = await temporaryFolder()
    const other = ['--out', out, '--set', `cache=${testCache}`, '--set', `teachers.other${teacher}`]
    const {code, said} = await command(['run', 'kernels', '--limit', '1', ...other])
    expect([code, said]).toEqual([0, expect.stringContaining('warning: No stage uses the teacher profile other')])
    const asked = ['--candidates', 'documentaton', '--set', `teachers.documentaton${teacher}`]
    const bench = await command(['eval', 'npukernelbench', '--root', out, ...other.slice(0, 4), ...asked])
    expect(bench.said).not.toContain('No stage uses')
  })

  test('are all of those that stages ask for', () => {
    const files = readdirSync('pipelines', {recursive: true, encoding: 'utf8'}).filter((file) => file.endsWith('.ts'))
    const texts = files.map((file) => readFileSync(join('pipelines', file), 'utf8'))
    const asked = texts.flatMap((text) => [...text.matchAll(/^ +teacher: '(\w+)'/gm)].map(([, name]) => name))
    expect(new Set(asked)).toEqual(new Set(teacherNames))
  })
})

describe('help', () => {
  test.each(['run', 'resume', 'try', 'eval'])('of %s names no default that says nothing', async (name) => {
    const {code, printed} = await command([name, '--help'])
    expect(code).toBe(0)
    expect(printed).toContain('--json')
    expect(printed).not.toMatch(/default: (false|"?(\[\]|\{\})"?)\)/)
  })

  test('names the defaults that matter', async () => {
    expect((await command(['eval', '--help'])).printed).toMatch(/\(default:\s+"static"\)/)
  })
})

describe('the nearest word', () => {
  test.each([
    ['documentaton', 'documentation'],
    ['kernle', 'kernel'],
    ['KERNEL', 'kernel'],
    ['kern', 'kernel'],
    ['ker', undefined],
    ['kernelsss', undefined],
    ['xyz', undefined],
  ])('to %s is %s', (typed, meant) => {
    expect(nearest(typed, ['documentation', 'kernel', 'candidates', 'out'])).toBe(meant)
  })

  test('never replaces all of a short word', () => {
    expect(nearest('abc', ['out'])).toBeUndefined()
    expect(nearest('uot', ['out'])).toBe('out')
  })
})

describe('a system error that nobody foresaw', () => {
  const error = (code: string, syscall: string) => Object.assign(new Error(code), {code, syscall, path: '/some/where'})
  test.each([
    ['EACCES', 'open', 'input-invalid', '/some/where cannot be opened (EACCES).'],
    ['EACCES', 'spawn g++', 'input-invalid', '/some/where cannot be opened (EACCES).'],
    ['EACCES', 'mkdir', 'output-unwritable', '/some/where cannot be written (EACCES).'],
    ['ENOENT', 'mkdir', 'output-unwritable', '/some/where cannot be written (EROFS).'],
    ['ENOSPC', 'open', 'disk-full', 'The disk is full: /some/where could not be written.'],
  ])('%s of %s is %s', (code, call, kind, message) => {
    expect(asFileError(error(code, call))).toMatchObject({code: kind, message})
  })

  test('is a fault of ours when it says nothing of disks and permissions', () => {
    for (const one of [error('ENOENT', 'open'), error('EMFILE', 'open'), new TypeError('x is not a function'), 3]) {
      expect(asFileError(one)).toBe(one)
    }
  })
})

describe('a disk that cannot be written', () => {
  /** In a mount namespace of its own, as root of it: permissions hold nobody back, a read-only file system does. */
  function mounted(folder: string, mount: string, args: string) {
    const script = `cd ${folder} && mkdir -p disk && ${mount} && node ${program} ${args}`
    const {status, stderr} = spawnSync('unshare', ['-rm', 'sh', '-c', script], {encoding: 'utf8'})
    return {code: status, said: stderr}
  }
  const readOnly = 'mount -t tmpfs -o size=1m tmpfs disk && mount -o remount,ro disk'

  test.each([
    [
      'the output folder',
      `run kernels --limit 1 --out disk/runs --set cache=${testCache}`,
      /disk\/runs\S* cannot be written \(EROFS\)/,
    ],
    [
      'the cache',
      'run kernels --limit 1 --out runs --set cache=disk/cache',
      /disk\/cache\S* cannot be written \(EROFS\)/,
    ],
  ])('%s is read-only', async (_, args, words) => {
    const {code, said} = mounted(await temporaryFolder(), readOnly, args)
    expect(said).toMatch(words)
    expect(said).toContain('for the cache: --set cache=…')
    expect(code).toBe(1)
  })

  const small = 'run kernels --limit 1 --out'

  test.each([
    // Nothing of the cache is thrown away, which others share.
    [
      'candidates are judged',
      'mkdir -p runs/work && mount -t tmpfs -o size=8k tmpfs runs/work',
      `${small} runs --set cache=${testCache}`,
      /The disk is full: \S+\/runs\/work\/\d+ has 0\.0 MiB free, and judging candidates needs 16 MiB\.\n.* with --out;/,
    ],
    [
      'the twin is compiled',
      'mount -t tmpfs -o size=1m tmpfs disk',
      `${small} runs --set cache=disk`,
      /The disk is full: \S+\/disk\/twin has 1\.0 MiB free, .* needs \d+ MiB\.\n.* with --set cache=…;/,
    ],
  ])('is full where %s', async (_, mount, args, words) => {
    const {code, said} = mounted(await temporaryFolder(), mount, args)
    expect(said).toMatch(words)
    expect(said).not.toContain('compiling the twin, once')
    expect(code).toBe(1)
  })

  test.runIf(existsSync('/proc/self'))('takes no folders', async () => {
    const {code, said} = await command([...small.split(' '), '/proc/runs', '--set', `cache=${testCache}`])
    expect(said).toMatch(
      /^error: \/proc\/runs cannot be written \(\/proc does not accept new folders\)\.\n {2}→ Choose a writable folder/,
    )
    expect(code).toBe(1)
  })
})

describe('before the twin is compiled', () => {
  const teacher = (more: string) => `teachers.kernel={model: m, baseUrl: "http://127.0.0.1:9/v1"${more}}`

  test.each<[string, string[], RegExp]>([
    [
      'a folder of pages',
      ['run', 'api-index', '--docs', '/nope'],
      /^error: There is no folder for api-index at \/nope\./,
    ],
    [
      'a folder of operators',
      ['run', 'kernels', 'scenarios', '--kernels', '/nope'],
      /There is no folder for kernels at \/nope\./,
    ],
    ['a folder of tasks', ['run', 'candidates', '--tasks', '/nope'], /There is no folder for candidates at \/nope\./],
    [
      'a compiler that is not there',
      ['run', 'kernels', '--set', 'executor.compiler=/nope/clang'],
      /executor\.compiler is wrong: \/nope\/clang is not a program/,
    ],
    [
      'a program that is no compiler',
      ['run', 'kernels', '--set', 'executor.compiler=/bin/true'],
      /executor\.compiler is wrong: \/bin\/true does not identify itself as clang or g\+\+/,
    ],
    ['a key', ['run', 'kernels', '--set', teacher(', apiKeyEnv: NO_SUCH_KEY')], /NO_SUCH_KEY/],
    [
      'a price',
      ['run', 'kernels', '--set', teacher(''), '--set', 'budget.cost=1'],
      /price of these teachers is not known: kernel\./,
    ],
  ])('%s is missed', async (_, args, words) => {
    // A cache of its own: what was compiled would be said.
    const [out, cache] = [await temporaryFolder(), await temporaryFolder()]
    const {code, said} = await command([...args, '--out', out, '--set', `cache=${cache}`])
    expect(said).toMatch(words)
    expect(said).not.toMatch(/compiling the twin|warning/)
    expect(code).not.toBe(0)
  })
})
