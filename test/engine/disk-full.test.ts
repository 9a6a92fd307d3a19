import {spawnSync} from 'node:child_process'
import {mkdtempSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {afterAll, describe, expect, test} from 'vitest'
import {programOf} from '../helpers/program.ts'

const folder = mkdtempSync(join(tmpdir(), 'ascend-cot-disk-'))
afterAll(() => rmSync(folder, {recursive: true, force: true}))

// Disks of their own need a mount namespace, which some machines and containers do not give.
const canMount = spawnSync('unshare', ['-rm', 'mount', '-t', 'tmpfs', 'tmpfs', folder]).status === 0

const run = (directory: string) => `node ${programOf('test/helpers/disk-run.ts')} ${directory} 800`
const sums = (directory: string) => `(cd ${directory} && sha256sum dataset/data/sft/*.parquet 02-rows/*.txt)`

/** A run whose folder, or a part of it, is a small disk; and once more when that disk has room. */
function runTwice(place: string, size: string) {
  const directory = join(folder, 'run')
  const disk = join(directory, place)
  const script = `
    mkdir -p ${disk} && mount -t tmpfs -o size=${size} tmpfs ${disk}
    ${run(directory)}; echo "first $?"
    grep '"state"' ${directory}/run.json; find ${directory} -name '*.tmp'
    mount -o remount,size=64m ${disk}
    ${run(directory)}; echo "second $?"
    grep '"state"' ${directory}/run.json
    grep -v '^{.*}$' ${directory}/events.jsonl
    ${sums(directory)}`
  const shell = ['-rm', 'sh', '-c', `mount -t tmpfs tmpfs ${folder}; ${script}`]
  const {stdout, stderr} = spawnSync('unshare', shell, {encoding: 'utf8'})
  return {
    stdout,
    stderr: stderr
      .split('\n')
      .filter((line) => /^error|→|fault|Error/.test(line))
      .join('\n'),
  }
}

describe.runIf(canMount)('a disk that is full', () => {
  const peace = join(folder, 'peace')
  const peaceful = spawnSync('sh', ['-c', `${run(peace)} && ${sums(peace)}`], {encoding: 'utf8'}).stdout

  test.each([
    ['the first page of the ledger', '.', '4k', 'ledger.db'],
    ['the memory that readers of the ledger share', '.', '20k', 'ledger.db'],
    ['run.json', '.', '104k', ''],
    ['the middle of the ledger', '.', '600k', 'ledger.db'],
    ['a file of a stage', '02-rows', '12k', '02-rows/'],
    ['the data set', 'dataset', '200k', 'dataset'],
  ])('stops the run at %s, which goes on to the same bytes', (_, place, size, named) => {
    const {stdout, stderr} = runTwice(place, size)
    expect(stderr).toContain(`error: The disk is full: ${join(folder, 'run', named)}`)
    expect(stderr).toMatch(/→ Free some space, or choose another folder with --out .*`ascend-cot resume`/)
    expect(stderr).not.toMatch(/fault|Error/)
    const [first, second] = stdout.split(/^second /m)
    expect(first).toMatch(/^first 1\n(?: {2}"state": "(?:running|stopped)",\n)?$/)
    expect(second).toBe(`0\n  "state": "finished",\n${peaceful}`)
    expect(peaceful.split('\n')).toHaveLength(18)
  })
})
