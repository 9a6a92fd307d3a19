import {execFileSync} from 'node:child_process'
import {appendFile, chmod, cp, mkdir, rename, rm, symlink, writeFile} from 'node:fs/promises'
import {existsSync} from 'node:fs'
import {basename, join} from 'node:path'
import {describe, expect, test} from 'vitest'
import {runCommand} from '../../engine/subprocess.ts'
import {describeCheckout, licenceText} from '../../sources/checkout.ts'
import {recognisedLicence} from '../../datasets/gates/licence-words.ts'
import {temporaryFolder} from '../helpers/temporary.ts'

const apache = 'Apache License\n                           Version 2.0, January 2004\n'
const mit = 'Permission is hereby granted, free of charge, to any person obtaining a copy of this software'

async function git(folder: string, ...args: string[]): Promise<string> {
  const settings = ['user.name=t', 'user.email=t@example.org', 'protocol.file.allow=always']
  const all = ['-C', folder, ...settings.flatMap((one) => ['-c', one]), ...args]
  const {code, stdout, stderr} = await runCommand('git', all)
  expect(code, stderr).toBe(0)
  return stdout.trim()
}

async function checkout(...init: string[]): Promise<{folder: string; revision: string}> {
  const folder = join(await temporaryFolder(), 'samples')
  await mkdir(join(folder, 'math/add'), {recursive: true})
  await mkdir(join(folder, 'build'))
  await writeFile(join(folder, 'LICENSE'), apache)
  await writeFile(join(folder, 'math/add/add.cpp'), 'int add;\n')
  await writeFile(join(folder, 'build/out.cpp'), 'int out;\n')
  await writeFile(join(folder, '.gitignore'), 'build/\n')
  await git(folder, 'init', '-q', ...init)
  await git(folder, 'add', '.')
  await git(folder, 'commit', '-q', '-m', 'first')
  return {folder, revision: await git(folder, 'rev-parse', 'HEAD')}
}

describe('a checkout that somebody prepared', () => {
  test('runs none of the programs that its configuration names', async () => {
    const {folder, revision} = await checkout()
    const marker = join(folder, '../marker')
    const program = join(folder, '../program')
    await writeFile(program, `#!/bin/sh\necho "$0 $*" >> ${marker}\nexit 1\n`)
    await chmod(program, 0o755)
    const command = `ext::${program} %S`
    await appendFile(
      join(folder, '.git/config'),
      [
        '[core]',
        `\tfsmonitor = ${program}`,
        `\thooksPath = ${join(folder, '..')}`,
        `\tsshCommand = ${program}`,
        `\tpager = ${program}`,
        `\tgitProxy = ${program}`,
        '\trepositoryformatversion = 1',
        '[extensions]',
        '\tpartialClone = origin',
        '[remote "origin"]',
        `\turl = ${command}`,
        '\tpromisor = true',
        '\tpartialclonefilter = blob:none',
        '[diff "cpp"]',
        `\ttextconv = ${program}`,
        '[filter "x"]',
        `\tsmudge = ${program}`,
        `\tprocess = ${program}`,
        '[credential]',
        `\thelper = ${program}`,
        '[alias]',
        `\trev-parse = !${program}`,
        '[protocol "ext"]',
        '\tallow = always',
        '',
      ].join('\n'),
    )
    await writeFile(join(folder, '.gitattributes'), '*.cpp diff=cpp filter=x\n')
    // The tree is missing, as in a partial clone: whoever looks it up has the remote asked for it.
    const tree = await git(folder, 'rev-parse', 'HEAD^{tree}')
    await rm(join(folder, '.git/objects', tree.slice(0, 2), tree.slice(2)))
    await rm(marker, {force: true})
    const found = await describeCheckout(join(folder, 'math'))
    expect(existsSync(marker), 'a program of the checkout was run').toBe(false)
    expect(found).toEqual({repository: 'samples', revision, licence: 'Apache-2.0'})
  })

  test('is described on a machine without git', async () => {
    const {folder, revision} = await checkout()
    const script =
      `import {describeCheckout} from ${JSON.stringify(join(process.cwd(), 'sources/checkout.ts'))}\n` +
      `console.log(JSON.stringify(await describeCheckout(${JSON.stringify(folder)})))`
    const file = join(folder, '../ask.mts')
    await writeFile(file, script)
    const tsx = join(process.cwd(), 'node_modules/tsx/dist/loader.mjs')
    const said = execFileSync(process.execPath, ['--import', tsx, file], {env: {PATH: '/nowhere'}, encoding: 'utf8'})
    expect(JSON.parse(said)).toMatchObject({revision})
  })

  test('cannot borrow the revision of another repository by pointing at it', async () => {
    const other = await checkout()
    const folder = await temporaryFolder()
    await git(other.folder, 'worktree', 'add', '-q', '-b', 'side', join(other.folder, '../tree'))
    for (const place of ['.git', '.git/worktrees/tree']) {
      await writeFile(join(folder, '.git'), `gitdir: ${join(other.folder, place)}\n`)
      expect((await describeCheckout(folder)).revision, place).toBe('unversioned')
    }
  })

  test('cannot make its licence of a file elsewhere', async () => {
    const outside = join(await temporaryFolder(), 'secret')
    await writeFile(outside, `${mit}\nthe secret`)
    for (const place of ['LICENSE', 'math/LICENSE']) {
      const {folder} = await checkout()
      await rm(join(folder, place), {force: true})
      await symlink(outside, join(folder, place))
      const text = (await licenceText(join(folder, 'math/add')))?.text ?? ''
      expect(text).not.toContain('the secret')
      const {licence} = await describeCheckout(join(folder, 'math'))
      expect(licence).toBe(place === 'LICENSE' ? 'NOASSERTION' : 'Apache-2.0')
    }
  })

  test('is described although its licence is a pipe, or a file of 300 MB', async () => {
    const {folder} = await checkout()
    await rm(join(folder, 'LICENSE'))
    execFileSync('mkfifo', [join(folder, 'LICENSE')])
    execFileSync('truncate', ['-s', '300M', join(folder, 'COPYING')])
    await writeFile(join(folder, 'LICENSE.txt'), mit)
    expect((await describeCheckout(folder)).licence).toBe('MIT')
  })

  test('keeps no name, token or query of its remote', async () => {
    const {folder} = await checkout()
    await git(folder, 'remote', 'add', 'origin', 'https://oauth2:t0ken@GitHub.com/Ascend/samples.git?private_token=x')
    expect((await describeCheckout(folder)).repository).toBe('https://github.com/Ascend/samples')
    await git(folder, 'remote', 'set-url', 'origin', 'https://user:pa@ss@host/a/b')
    expect((await describeCheckout(folder)).repository).toBe('samples')
  })

  test('reads a licence that repeats its first words in one pass', () => {
    const words = 'Redistribution and use in source and binary forms '
    expect(recognisedLicence(words.repeat(20_000))).toBeUndefined()
    expect(recognisedLicence(`${words.repeat(3)} neither the name`)).toBe('BSD-3-Clause')
  })
})

describe('what git writes', () => {
  test.each([[2], [3], [4]])('index version %i', async (version) => {
    const {folder, revision} = await checkout()
    await git(folder, 'update-index', '--index-version', String(version))
    if (version === 3) {
      await writeFile(join(folder, 'later.cpp'), '')
      await git(folder, 'add', '-N', 'later.cpp')
    }
    expect((await describeCheckout(join(folder, 'math/add'))).revision).toBe(revision)
    expect((await describeCheckout(join(folder, 'build'))).revision).toBe('unversioned')
    await mkdir(join(folder, 'math/ad'))
    expect((await describeCheckout(join(folder, 'math/ad'))).revision).toBe('unversioned')
  })

  test('packed references, and a HEAD that is detached', async () => {
    const {folder, revision} = await checkout()
    await git(folder, 'branch', 'xmain')
    await git(folder, 'pack-refs', '--all')
    expect((await describeCheckout(folder)).revision).toBe(revision)
    await git(folder, 'checkout', '-q', '--detach')
    expect((await describeCheckout(folder)).revision).toBe(revision)
  })

  test('a repository of SHA-256, with a sparse index', async () => {
    const {folder, revision} = await checkout('--object-format=sha256')
    expect(revision.length).toBe(64)
    expect((await describeCheckout(join(folder, 'math'))).revision).toBe(revision)
    expect((await describeCheckout(join(folder, 'build'))).revision).toBe('unversioned')
    await mkdir(join(folder, 'nn'))
    await writeFile(join(folder, 'nn/a.cpp'), 'int a;\n')
    await git(folder, 'add', '.')
    await git(folder, 'commit', '-q', '-m', 'second')
    await git(folder, 'sparse-checkout', 'set', '--cone', '--sparse-index', 'nn')
    await mkdir(join(folder, 'math/add'), {recursive: true})
    expect((await describeCheckout(join(folder, 'math/add'))).revision).toBe(await git(folder, 'rev-parse', 'HEAD'))
  })

  test('worktrees and submodules', async () => {
    const {folder} = await checkout()
    await git(folder, 'remote', 'add', 'origin', 'git@github.com:hicann/ops-math.git')
    const tree = join(folder, '../tree')
    await git(folder, 'worktree', 'add', '-q', '-b', 'side', tree)
    await writeFile(join(tree, 'more.cpp'), '')
    await git(tree, 'add', '.')
    await git(tree, 'commit', '-q', '-m', 'more')
    const revision = await git(tree, 'rev-parse', 'HEAD')
    const repository = 'https://github.com/hicann/ops-math'
    expect(await describeCheckout(join(tree, 'math'))).toMatchObject({revision, repository})
    const outer = await checkout()
    await git(outer.folder, 'submodule', 'add', '-q', folder, 'third/ops')
    const inner = await git(join(outer.folder, 'third/ops'), 'rev-parse', 'HEAD')
    expect((await describeCheckout(join(outer.folder, 'third/ops/math'))).revision).toBe(inner)
    await rename(join(outer.folder, 'third'), join(outer.folder, 'fourth'))
    expect((await describeCheckout(join(outer.folder, 'fourth/ops'))).revision).toBe('unversioned')
  })

  test('a folder that is reached over a link', async () => {
    const {folder, revision} = await checkout()
    const link = join(folder, '../link')
    await symlink(join(folder, 'math'), link)
    expect(await describeCheckout(link)).toMatchObject({revision, licence: 'Apache-2.0', repository: basename(folder)})
  })

  test('an index that was cut off names no revision for a folder below', async () => {
    const {folder, revision} = await checkout()
    const whole = join(folder, '.git/index')
    await cp(whole, `${whole}.whole`)
    execFileSync('truncate', ['-s', '40', whole])
    expect((await describeCheckout(join(folder, 'math'))).revision).toBe('unversioned')
    expect((await describeCheckout(folder)).revision).toBe(revision)
  })
})
