import {execFileSync} from 'node:child_process'
import {chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs'
import {readFile} from 'node:fs/promises'
import {createServer} from 'node:net'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {beforeAll, describe, expect, onTestFinished, test} from 'vitest'
import {main} from '../../../pipelines/cli.ts'
import {readInput} from '../../../engine/input-files.ts'
import type {DocPage} from '../../../datasets/schema/document.ts'
import type {Stage} from '../../../engine/stage.ts'
import documentationPages from '../../../sources/docs/pages.ts'
import {dirtyPages, goodPage, writeGoodPages} from '../../helpers/dirty-pages.ts'
import {runStage} from '../../helpers/run-stage.ts'
import {temporaryFolder} from '../../helpers/temporary.ts'
import {recordedWorld} from '../../helpers/world.ts'
import {testCache} from '../../helpers/test-cache.ts'

const plain = dirtyPages.filter(({unprivileged}) => !unprivileged)
const folderOf = (root: string) => ({root, repository: 'r', revision: 'v', licence: 'MIT'})

function plantEach(root: string): void {
  writeFileSync(join(root, 'a.md'), goodPage(1))
  writeFileSync(join(root, 'z.md'), goodPage(2))
  for (const dirty of plain) {
    mkdirSync(join(root, dirty.kind))
    dirty.plant(join(root, dirty.kind))
  }
}

function tally(reasons: readonly (string | undefined)[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const reason of reasons) if (reason !== undefined) counts[reason] = (counts[reason] ?? 0) + 1
  return counts
}

describe('a dirty page', () => {
  let found: Awaited<ReturnType<typeof runStage<unknown, DocPage>>>

  beforeAll(async () => {
    const root = mkdtempSync(join(tmpdir(), 'ascend-cot-dirty-'))
    plantEach(root)
    found = await runStage(documentationPages() as Stage<unknown, DocPage>, [folderOf(root)])
    rmSync(root, {recursive: true})
  })

  test.each(plain.map(({kind, reason}) => [kind, reason ?? 'arrives'] as const))('%s: %s', (kind, expected) => {
    const dropped = found.dropped.filter(({detail}) => detail.startsWith(`${kind}/`))
    const arrived = found.outputs.filter(({origin}) => origin.path.startsWith(`${kind}/`))
    expect([...dropped.map(({reason}) => reason), ...arrived.map(() => 'arrives')]).toEqual([expected])
    for (const {detail} of dropped) expect(detail).toMatch(/^[^:]+: ./)
  })

  test('takes no page along', () => {
    expect(found.outputs.map(({title}) => title)).toEqual(expect.arrayContaining(['Scaleb', 'Scalec']))
  })

  test('that is a socket', async () => {
    const root = await temporaryFolder()
    const server = createServer().listen(join(root, 'socket.md'))
    onTestFinished(() => void server.close())
    await new Promise((resolve) => server.once('listening', resolve))
    const {dropped} = await runStage(documentationPages(), [folderOf(root)])
    expect(dropped).toEqual([{reason: 'not-a-file', detail: 'socket.md: a pipe, a socket or a device'}])
  })

  test('names the damaged name, and passes files of other kinds in silence', async () => {
    const root = await temporaryFolder()
    dirtyPages.find(({kind}) => kind === 'name-in-latin-1')?.plant(root)
    execFileSync('mkfifo', [join(root, 'pipe.png')])
    const {dropped} = await runStage(documentationPages(), [folderOf(root)])
    const shown = String.raw`gr\xf6\xdfe.md: its name is not UTF-8, so no record can refer to it`
    expect(dropped.map(({detail}) => detail)).toEqual([shown])
  })

  test('on a failing disk is no drop but a failure', async () => {
    // The memory of a process, read from its start, is the one file that every machine fails to read with EIO.
    await expect(readInput('/proc/self/mem', 1000)).rejects.toMatchObject({code: 'input-unreadable', scope: 'run'})
  })

  test('and a file that grows while it is read stops at the limit', async () => {
    expect(await readInput('/proc/self/environ', 4)).toMatchObject({reason: 'file-too-large'})
    expect(Buffer.isBuffer(await readInput('/proc/self/stat', 10_000))).toBe(true)
  })
})

describe('a folder with every kind of dirt', () => {
  test('goes through the whole command: all others arrive, each dirty one has its reason', async () => {
    const root = await temporaryFolder()
    const out = await temporaryFolder()
    writeGoodPages(root, 100)
    plantEach(root)
    const world = recordedWorld()
    const code = await main(['run', 'api-index', '--docs', root, '--out', out, '--set', `cache=${testCache}`], world)
    expect(world.said.join('\n')).not.toMatch(/bug in ascend-cot/)
    expect(code).toBe(0)
    const record = JSON.parse(await readFile(join(out, 'api-index/run.json'), 'utf8')) as {
      counts: {stage: string; written: number; reasons: Record<string, number>}[]
    }
    const [pages] = record.counts
    expect(pages?.reasons).toEqual(tally(plain.map(({reason}) => reason)))
    expect(pages?.written).toBe(102 + plain.filter(({reason}) => reason === undefined).length)
    expect(record.counts.at(-1)?.written).toBeGreaterThanOrEqual(100)
  })
})

const isRoot = process.getuid?.() === 0
const asNobody = ['--reuid=65534', '--regid=65534', '--clear-groups', process.execPath]
const withoutRights = isRoot ? {command: 'setpriv', args: asNobody} : {command: process.execPath, args: []}

describe('without permission', () => {
  test('a page and a folder are dropped with their paths, and the others arrive', async () => {
    const root = await temporaryFolder()
    chmodSync(root, 0o755)
    writeFileSync(join(root, 'a.md'), goodPage(1))
    for (const dirty of dirtyPages.filter(({unprivileged}) => unprivileged)) dirty.plant(root)
    onTestFinished(() => {
      chmodSync(join(root, 'forbidden'), 0o755)
    })
    const script = join(root, 'ask.mts')
    const place = (path: string) => JSON.stringify(join(process.cwd(), path))
    writeFileSync(
      script,
      [
        `import type {DocPage} from '../../../datasets/schema/document.ts'
import type {Stage} from '../../../engine/stage.ts'
import documentationPages from ${place('sources/docs/pages.ts')}`,
        `import {runStage} from ${place('test/helpers/run-stage.ts')}`,
        `const {outputs, dropped} = await runStage(documentationPages(), [${JSON.stringify(folderOf(root))}])`,
        'console.log(JSON.stringify({titles: outputs.map(({title}) => title), dropped}))',
      ].join('\n'),
    )
    const tsx = join(process.cwd(), 'node_modules/tsx/dist/loader.mjs')
    const args = [...withoutRights.args, '--import', tsx, script]
    const env = {PATH: process.env['PATH'], TMPDIR: '/tmp'}
    const said = execFileSync(withoutRights.command, args, {encoding: 'utf8', env})
    expect(JSON.parse(said)).toEqual({
      titles: ['Scaleb'],
      dropped: [
        {reason: 'unreadable', detail: 'forbidden: it cannot be read (EACCES)'},
        {reason: 'unreadable', detail: 'forbidden.md: it cannot be read (EACCES)'},
      ],
    })
  })
})
