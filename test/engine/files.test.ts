import {spawn} from 'node:child_process'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import {join} from 'node:path'
import {describe, expect, test} from 'vitest'
import {z} from 'zod'
import {asOutputError, readJsonLines, removeFolder, walk, writeWhole} from '../../engine/files.ts'
import {readLines} from '../../engine/lines.ts'
import {openSpool} from '../../engine/spool.ts'
import {temporaryFolder} from '../helpers/temporary.ts'
import {until} from '../helpers/until.ts'

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = []
  for await (const item of items) list.push(item)
  return list
}

const nobody = 65534

/** Under another account, as far as files go. */
async function as(account: number, work: () => Promise<void>): Promise<void> {
  process.setegid?.(account)
  process.seteuid?.(account)
  try {
    await work()
  } finally {
    process.seteuid?.(0)
    process.setegid?.(0)
  }
}

describe('a folder in which programs have worked', () => {
  test('goes though one that was killed still writes into it', async () => {
    const folder = join(await temporaryFolder(), 'inner')
    mkdirSync(folder)
    const writing = 'i=0; while : > "$1/$i"; do i=$((i+1)); done 2>/dev/null'
    const writer = spawn('sh', ['-c', writing, 'sh', folder], {stdio: 'ignore'})
    await until(() => readdirSync(folder).length > 100)
    const removed = removeFolder(folder)
    await new Promise((resolve) => setTimeout(resolve, 50))
    writer.kill('SIGKILL')
    await removed
    expect(existsSync(folder)).toBe(false)
  })

  test.skipIf(process.getuid?.() !== 0)('goes though it was shut to its owner, and no link is followed', async () => {
    const outer = await temporaryFolder()
    mkdirSync(join(outer, 'inner/shut/deep'), {recursive: true})
    mkdirSync(join(outer, 'other'), {mode: 0o500})
    symlinkSync(join(outer, 'other'), join(outer, 'inner/shut/link'))
    writeFileSync(join(outer, 'inner/shut/deep/file'), '')
    for (const path of ['inner/shut/deep', 'inner/shut', 'inner', 'other', '']) {
      chownSync(join(outer, path), nobody, nobody)
      if (path.startsWith('inner')) chmodSync(join(outer, path), 0)
    }
    await as(nobody, () => removeFolder(join(outer, 'inner')))
    expect(readdirSync(outer)).toEqual(['other'])
    expect(statSync(join(outer, 'other')).mode & 0o777).toBe(0o500)
  })
})

describe('writing', () => {
  test('leaves the file and nothing else', async () => {
    const folder = await temporaryFolder()
    await writeWhole(join(folder, 'a/b.txt'), 'text')
    expect(readFileSync(join(folder, 'a/b.txt'), 'utf8')).toBe('text')
    expect(readdirSync(join(folder, 'a'))).toEqual(['b.txt'])
  })

  test('keeps the old file when the new one cannot be written, and leaves no half of it', async () => {
    const folder = await temporaryFolder()
    mkdirSync(join(folder, 'taken'))
    writeFileSync(join(folder, 'taken/inner'), 'old')
    await expect(writeWhole(join(folder, 'taken'), 'new')).rejects.toMatchObject({code: 'output-unwritable'})
    expect(readdirSync(folder)).toEqual(['taken'])
    expect(readFileSync(join(folder, 'taken/inner'), 'utf8')).toBe('old')
  })

  test('says what to do when a folder cannot be made', async () => {
    const folder = await temporaryFolder()
    writeFileSync(join(folder, 'file'), '')
    const fix = expect.stringMatching(/^Choose a writable folder with --out/) as string
    await expect(writeWhole(join(folder, 'file/below'), 'x')).rejects.toMatchObject({fix})
  })

  test('knows a full disk', () => {
    expect(asOutputError(Object.assign(new Error('no space'), {code: 'ENOSPC'}), '/x')).toMatchObject({
      code: 'disk-full',
      scope: 'run',
    })
  })
})

describe('walking', () => {
  test('is sorted by code unit and skips version control', async () => {
    const folder = await temporaryFolder()
    for (const path of ['b/z', 'b/a', 'B/x', '.git/config', 'node_modules/m/i.js', 'a'])
      await writeWhole(join(folder, path), '')
    expect(await all(walk(folder))).toEqual(['B/x', 'a', 'b/a', 'b/z'])
  })
})

describe('JSON lines', () => {
  const schema = z.strictObject({n: z.int()})

  test('drop a torn last line, which is what a kill leaves', async () => {
    const file = join(await temporaryFolder(), 'x.jsonl')
    writeFileSync(file, '{"n":1}\n{"n":2}\n{"n":')
    expect(await all(readJsonLines(file, schema))).toEqual([{n: 1}, {n: 2}])
  })

  test('do not take a broken line in the middle for a torn one', async () => {
    const file = join(await temporaryFolder(), 'x.jsonl')
    writeFileSync(file, '{"n":1}\n{"n":\n{"n":3}\n')
    await expect(all(readJsonLines(file, schema))).rejects.toThrow(/x\.jsonl line 2 is not a valid record/)
  })

  test('name the line and the field that breaks the schema', async () => {
    const file = join(await temporaryFolder(), 'x.jsonl')
    writeFileSync(file, '{"n":1}\n{"n":"two"}\n')
    await expect(all(readJsonLines(file, schema))).rejects.toThrow(/line 2 is not a valid record: n: /)
  })

  test('may hold the line ends of Unicode, and end as Windows ends them', async () => {
    const file = join(await temporaryFolder(), 'x.jsonl')
    const text = 'one\u2028two\u2029three\u0085four'
    writeFileSync(file, `${JSON.stringify({text})}\r\n${JSON.stringify({text: ''})}\r\n`)
    expect(await all(readJsonLines(file, z.strictObject({text: z.string()})))).toEqual([{text}, {text: ''}])
  })
})

describe('lines', () => {
  const file = async (text: string) => {
    const path = join(await temporaryFolder(), 'lines')
    writeFileSync(path, text)
    return path
  }

  test.each<[string, string, string[]]>([
    ['none', '', []],
    ['one without an end', 'a', ['a']],
    ['one with its end', 'a\n', ['a']],
    ['empty ones', '\n\na\n\n', ['', '', 'a', '']],
  ])('%s', async (_, text, lines) => {
    expect(await all(readLines(await file(text)))).toEqual(lines)
  })

  test('are whole whatever the chunks in which the disk hands them out', async () => {
    const lines = [70_000, 65_536, 65_535, 1, 200_000, 0, 3].map((length, at) => 'é计'.repeat(length).slice(at % 2))
    expect(await all(readLines(await file(lines.join('\n'))))).toEqual(lines)
  })
})

test('a spool gives back every text as it was', async () => {
  const spool = openSpool(join(await temporaryFolder(), 'below/spool'))
  const texts = ['a\nb', '', '\u2028', 'é'.repeat(100_000)]
  for (const text of texts) spool.add(text)
  expect(await all(spool.read())).toEqual(texts)
  spool.remove()
})
