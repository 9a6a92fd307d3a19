import {spawnSync} from 'node:child_process'
import {cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {describe, expect, test} from 'vitest'
import {main} from '../../../pipelines/cli.ts'
import {recordedWorld} from '../../helpers/world.ts'
import {temporaryFolder} from '../../helpers/temporary.ts'
import {testCache} from '../../helpers/test-cache.ts'

async function command(...args: string[]) {
  const world = recordedWorld()
  const code = await main([...args, '--set', `cache=${testCache}`], world)
  return {code, said: world.said.join('\n'), printed: world.printed.join('\n')}
}

async function looked(...args: string[]) {
  const world = recordedWorld()
  const code = await main(args, world)
  return {code, said: world.said.join('\n'), printed: world.printed.join('\n')}
}

describe('bad input ends in a clear error', () => {
  test('for a folder that is not there', async () => {
    const out = await temporaryFolder()
    const {code, said} = await command('run', 'api-index', '--docs', '/no/such/pages', '--out', out)
    expect(code).toBe(1)
    expect(said).toContain('/no/such/pages')
    expect(said).toContain('→ ')
  })

  test('for a recipe that does not exist, naming those that do', async () => {
    const {code, said} = await command('run', 'documentaton', '--out', await temporaryFolder())
    expect(code).toBe(1)
    expect(said).toContain('There is no recipe documentaton')
    expect(said).toContain('release-sft')
  })

  test('for an unknown configuration key, by its whole path', async () => {
    const {code, said} = await command(
      'run',
      'documentation',
      '--set',
      'executor.compilr=gcc',
      '--out',
      await temporaryFolder(),
    )
    expect(code).toBe(2)
    expect(said).toContain('unknown key executor.compilr')
  })

  test('for an output folder that cannot be written, before any work is done', async () => {
    const file = join(await temporaryFolder(), 'a-file')
    writeFileSync(file, '')
    const {code, said} = await command('run', 'api-index', '--out', join(file, 'runs'))
    expect(code).toBe(1)
    expect(said).toContain('cannot be written')
    expect(said).toContain('Choose a writable folder with --out')
  })

  test('for a run that reads from one that was never made', async () => {
    const {code, said} = await command('run', 'preference', '--out', await temporaryFolder())
    expect(code).toBe(1)
    expect(said).toContain('Run candidates first.')
  })

  test('for looking into a folder without runs', async () => {
    for (const name of ['status', 'failed', 'resume', 'report']) {
      const {code, said} = await looked(name, '--out', await temporaryFolder())
      expect([name, code]).toEqual([name, 1])
      expect(said).toContain('There is no run in')
    }
  })

  test('as JSON when JSON is asked for', async () => {
    const {code, printed} = await looked('status', '--json', '--out', await temporaryFolder())
    expect(code).toBe(1)
    expect(JSON.parse(printed)).toMatchObject({error: {code: 'run-missing'}})
  })

  test('for a teacher whose key is not set, naming the variable', async () => {
    const teacher = JSON.stringify({model: 'm', baseUrl: 'http://127.0.0.1:9/v1', apiKeyEnv: 'NO_SUCH_KEY'})
    const {code, said} = await command(
      'run',
      'documentation',
      '--out',
      await temporaryFolder(),
      '--set',
      `teachers.documentation=${teacher}`,
    )
    expect(code).toBe(1)
    expect(said).toContain('NO_SUCH_KEY')
  })
})

describe('unfit data is dropped with a reason, and the rest goes on', () => {
  test('a page in an unknown encoding beside a good one', async () => {
    const [pages, out] = [await temporaryFolder(), await temporaryFolder()]
    cpSync('sources/starter/docs/duplicate.html', join(pages, 'duplicate.html'))
    writeFileSync(
      join(pages, 'broken.html'),
      Buffer.from([0x3c, 0x70, 0x3e, 0xff, 0xfe, 0x81, 0xfd, 0xff, 0x3c, 0x2f, 0x70, 0x3e]),
    )
    const {code, printed} = await command('run', 'api-index', '--docs', pages, '--out', out, '--json')
    expect(code).toBe(0)
    const [source] =
      (JSON.parse(printed) as {runs: {counts: {written: number; reasons: Record<string, number>}[]}[]}).runs[0]
        ?.counts ?? []
    expect(source?.written).toBe(1)
    expect(Object.keys(source?.reasons ?? {})).toEqual(['encoding-unknown'])
  })

  test('half a project beside a whole one', async () => {
    const [projects, out] = [await temporaryFolder(), await temporaryFolder()]
    cpSync('sources/starter/operators/mul_fp16', join(projects, 'mul_fp16'), {recursive: true})
    mkdirSync(join(projects, 'half_a_one/op_host'), {recursive: true})
    writeFileSync(
      join(projects, 'half_a_one/op_host/half_a_one.cpp'),
      'namespace ops { class HalfAOne : public OpDef {}; }\n',
    )
    const {code, printed} = await command('run', 'kernels', '--kernels', projects, '--out', out, '--json')
    expect(code).toBe(0)
    const [source] =
      (JSON.parse(printed) as {runs: {counts: {written: number; reasons: Record<string, number>}[]}[]}).runs[0]
        ?.counts ?? []
    expect(source?.written).toBe(1)
    expect(Object.values(source?.reasons ?? {})).toEqual([1])
  })

  test('a CSV with broken rows beside good ones', async () => {
    const [corpus, out] = [await temporaryFolder(), await temporaryFolder()]
    for (const name of [`tasks/${findTask('MulFp16')}`, 'operators/mul_fp16'])
      cpSync(join('sources/starter', name), join(corpus, name), {recursive: true})
    writeFileSync(join(corpus, 'package.json'), '{"type": "module"}')
    writeFileSync(join(corpus, 'tasks', findTask('MulFp16'), 'validation/reference.ts'), selfContainedReference)
    const csv = join(corpus, 'tasks', findTask('MulFp16'), 'validation/test_cases.csv')
    writeFileSync(csv, `${readFileSync(csv, 'utf8').trimEnd()}\n99;[3, 4\n`)
    const {code, printed} = await command(
      'run',
      'candidates',
      '--set',
      `sources.tasks=${JSON.stringify([{root: join(corpus, 'tasks'), operators: join(corpus, 'operators')}])}`,
      '--set',
      'samples.candidatesPerTask=2',
      '--out',
      out,
      '--json',
    )
    expect(code).toBe(0)
    const [source, , judged] =
      (JSON.parse(printed) as {runs: {counts: {written: number; reasons: Record<string, number>}[]}[]}).runs[0]
        ?.counts ?? []
    expect(source).toMatchObject({written: 1, reasons: {'case-malformed': 1}})
    expect(judged?.written).toBe(2)
  })
})

describe('a full disk', () => {
  test('stops the run with what to do, and leaves nothing half-written', async () => {
    // A file system of 300 kB in a mount namespace of its own.
    const out = await temporaryFolder()
    const run = `node dist/pipelines/ascend-cot.js run kernels --out ${out}/runs --set cache=${testCache}`
    const script = [
      `mount -t tmpfs -o size=300k tmpfs ${out} && ${run}`,
      'code=$?',
      `find ${out} -name '*.tmp' -o -name '.*.tmp'`,
      'exit $code',
    ].join('; ')
    const result = spawnSync('unshare', ['-rm', 'sh', '-c', script], {encoding: 'utf8'})
    expect(result.stderr).toContain('The disk is full')
    expect(result.stderr).toContain('then run the command again')
    expect(result.stdout).not.toContain('.tmp')
    expect(result.status).toBe(1)
    expect(readdirSync(out)).toEqual([])
  }, 120_000)
})

/** As a user's own corpus would have it: nothing imported from this project. */
const selfContainedReference = `
const like = (row: Record<string, string>) => ({dtype: 'float16', shape: JSON.parse(row['shape']!) as number[]})
export default {
  describe: (row: Record<string, string>) => ({
    inputs: [{name: 'x', ...like(row)}, {name: 'y', ...like(row)}], outputs: [{name: 'z', ...like(row)}],
  }),
  compute: ({x, y}: Record<string, Float64Array>) => ({z: x!.map((value, index) => value * y![index]!)}),
}
`

function findTask(name: string): string {
  for (const level of readdirSync('sources/starter/tasks')) {
    for (const category of readdirSync(join('sources/starter/tasks', level))) {
      if (readdirSync(join('sources/starter/tasks', level, category)).includes(name)) return join(level, category, name)
    }
  }
  throw new Error(`no bundled task ${name}`)
}
