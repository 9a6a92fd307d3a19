import {mkdirSync, realpathSync, symlinkSync, writeFileSync} from 'node:fs'
import {dirname, join} from 'node:path'
import {describe, expect, test} from 'vitest'
import {readGitFolder, topOf} from '../../sources/git-folder.ts'
import {temporaryFolder} from '../helpers/temporary.ts'

const commit = 'a'.repeat(40)
const other = 'b'.repeat(40)

/** An index of version 2 that lists one file. */
function indexOf(path: string, hashBytes = 20): Buffer {
  const head = Buffer.from('DIRC\0\0\0\x02\0\0\0\x01', 'latin1')
  const entry = Buffer.concat([Buffer.alloc(40 + hashBytes), Buffer.from([0, path.length]), Buffer.from(path)])
  return Buffer.concat([head, entry, Buffer.alloc(8 - (entry.length % 8)), Buffer.alloc(hashBytes)])
}

/** A folder with these files; a path that ends in a slash is a folder. */
async function folderOf(files: Readonly<Record<string, string | Buffer>>): Promise<string> {
  const root = realpathSync(await temporaryFolder())
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(join(root, path.endsWith('/') ? path : dirname(path)), {recursive: true})
    if (!path.endsWith('/')) writeFileSync(join(root, path), content)
  }
  return root
}

const plain = {'.git/HEAD': `${commit}\n`, '.git/config': '[remote "origin"]\n\turl = https://h/a.git\n'}

describe('a folder', () => {
  test('is the top of a checkout, lies below one, or in none', async () => {
    const root = await folderOf({...plain, 'a/b/': ''})
    expect(await topOf(root)).toBe(root)
    expect(await topOf(join(root, 'a/b'))).toBe(root)
    const outside = await folderOf({'a/': ''})
    expect(await topOf(join(outside, 'a'))).toBeUndefined()
    expect(await readGitFolder(join(outside, 'a'))).toBeUndefined()
    expect(await readGitFolder(root)).toEqual({top: root, revision: commit, remote: 'https://h/a.git'})
  })

  test('below the top is a part of the commit where the index lists it', async () => {
    const root = await folderOf({...plain, '.git/index': indexOf('a/b/x.cpp'), 'a/b/x.cpp': '', 'c/': ''})
    for (const below of ['a', 'a/b']) expect((await readGitFolder(join(root, below)))?.revision).toBe(commit)
    expect(await readGitFolder(join(root, 'c'))).toBeUndefined()
    expect(await readGitFolder(join((await folderOf({...plain, 'a/': ''})).concat('/a')))).toBeUndefined()
  })

  test('is looked at where it really lies', async () => {
    const root = await folderOf({...plain, '.git/index': indexOf('a/x.cpp'), 'a/x.cpp': ''})
    const elsewhere = await folderOf({})
    symlinkSync(join(root, 'a'), join(elsewhere, 'link'))
    expect(await readGitFolder(join(elsewhere, 'link'))).toMatchObject({top: root, revision: commit})
  })

  test('of a repository of SHA-256 has longer hashes', async () => {
    const hash = 'c'.repeat(64)
    const root = await folderOf({'.git/HEAD': hash, '.git/index': indexOf('a/x.cpp', 32), 'a/x.cpp': ''})
    expect(await readGitFolder(join(root, 'a'))).toEqual({top: root, revision: hash, remote: ''})
  })
})

describe('the commit', () => {
  const revision = async (files: Readonly<Record<string, string>>) =>
    (await readGitFolder(await folderOf({'.git/': '', ...files})))?.revision
  const main = {'.git/HEAD': 'ref: refs/heads/main\n'}

  test('is that of HEAD, or of the branch that HEAD names', async () => {
    expect(await revision({'.git/HEAD': commit})).toBe(commit)
    expect(await revision({...main, '.git/refs/heads/main': `${commit}\n`})).toBe(commit)
    for (const head of ['', commit.slice(1), `${commit}a`, commit.toUpperCase(), `x${commit}`, 'ref: heads/main'])
      expect(await revision({'.git/HEAD': head}), head).toBeUndefined()
    expect(await revision({})).toBeUndefined()
  })

  test('of a branch may be packed; a loose one is newer', async () => {
    const packed = `# pack-refs with: peeled\n${other} refs/heads/main2\n${commit} refs/heads/main\n^${other}\n`
    expect(await revision({...main, '.git/packed-refs': packed})).toBe(commit)
    expect(await revision({...main, '.git/packed-refs': packed, '.git/refs/heads/main': other})).toBe(other)
    expect(await revision({...main, '.git/packed-refs': packed, '.git/refs/heads/main': 'torn'})).toBe(commit)
    expect(await revision({...main, '.git/packed-refs': `${other} refs/heads/dev\n`})).toBeUndefined()
    expect(await revision({...main, '.git/packed-refs': 'x refs/heads/main\n'})).toBeUndefined()
    expect(await revision(main)).toBeUndefined()
  })

  test.each(['refs/../config', 'refs/.hidden', 'refs//main', 'refs/heads/'])(
    'is not looked for under a name like %s',
    async (name) => {
      const packed = {'.git/packed-refs': `${commit} ${name}\n`}
      expect(await revision({'.git/HEAD': `ref: ${name}`, ...packed})).toBeUndefined()
    },
  )
})

describe('.git may be a file', () => {
  const shared = {
    'main/.git/config': '[remote "origin"]\nurl = shared\n',
    'main/.git/refs/heads/main': commit,
    'main/.git/HEAD': 'ref: refs/heads/main\n',
  }
  const tree = (part: Readonly<Record<string, string>> = {}) => ({
    ...shared,
    'main/.git/worktrees/w/HEAD': 'ref: refs/heads/topic\n',
    'main/.git/worktrees/w/commondir': '../..\n',
    'main/.git/worktrees/w/gitdir': '../../../../w/.git\n',
    'main/.git/refs/heads/topic': other,
    'w/.git': 'gitdir: ../main/.git/worktrees/w\n',
    ...part,
  })
  const read = async (files: Readonly<Record<string, string>>, below: string) => {
    const root = await folderOf(files)
    const found = await readGitFolder(join(root, below))
    return found && `${found.top.slice(root.length + 1)} ${found.revision[0]} ${found.remote}`
  }

  test('a worktree shares all but its HEAD', async () => {
    expect(await read(tree(), 'w')).toBe('w b shared')
    const own = {'main/.git/worktrees/w/refs/heads/topic': commit}
    expect(await read(tree(own), 'w'), 'a branch of its own').toBe('w a shared')
  })

  test('an absolute path is one as well', async () => {
    const root = await folderOf(tree())
    writeFileSync(join(root, 'w/.git'), `gitdir: ${join(root, 'main/.git/worktrees/w')}`)
    writeFileSync(join(root, 'main/.git/worktrees/w/gitdir'), join(root, 'w/.git'))
    expect(await readGitFolder(join(root, 'w'))).toMatchObject({revision: other})
  })

  test.each([
    ['points to a place that points elsewhere', {'main/.git/worktrees/w/gitdir': '../../../../other/.git\n'}],
    ['says something else', {'w/.git': 'worktree: ../main/.git/worktrees/w\n'}],
    ['has a second line', {'w/.git': 'gitdir: ../main/.git/worktrees/w\nx'}],
    ['points to nothing', {'w/.git': 'gitdir: ../nowhere\n'}],
    ['borrows a whole repository', {'w/.git': 'gitdir: ../main/.git\n'}],
  ])('that %s makes no checkout', async (_, part) => {
    expect(await read(tree(part), 'w')).toBeUndefined()
  })

  test('where nothing is shared, all is its own', async () => {
    const own = {
      'main/.git/worktrees/w/commondir': '\n',
      'main/.git/worktrees/w/HEAD': other,
      'main/.git/worktrees/w/config': '[remote "origin"]\nurl = own\n',
    }
    expect(await read(tree(own), 'w')).toBe('w b own')
  })

  test('a submodule is named by the configuration of its place', async () => {
    const submodule = (worktree: string) => ({
      'main/sub/.git': 'gitdir: ../.git/modules/sub\n',
      'main/.git/modules/sub/HEAD': commit,
      'main/.git/modules/sub/config': `[core]\n\tworktree = ${worktree}\n[remote "origin"]\n\turl = sub\n`,
    })
    expect(await read(submodule('../../../sub'), 'main/sub')).toBe('main/sub a sub')
    expect(await read(submodule('../../../other'), 'main/sub')).toBeUndefined()
    expect(await read({...submodule('x'), 'main/.git/modules/sub/config': ''}, 'main/sub')).toBeUndefined()
  })
})

describe('the remote', () => {
  const remote = async (config: string) =>
    (await readGitFolder(await folderOf({'.git/HEAD': commit, '.git/config': config})))?.remote

  test.each([
    ['[remote "origin"]\nurl = a', 'a'],
    ['[ Remote "Origin" ] ; why\n  URL =  a  ', 'a'],
    ['[remote "origin"]\nurl = a\nurl = b', 'b'],
    ['[remote "origin"]\nurl = a\n[remote "fork"]\nurl = b', 'a'],
    ['[remote "fork"]\nurl = b', ''],
    ['[remote "origin"]\npushurl = b\nurlx = c', ''],
    ['[remote "origin"]\nurl = a # why', 'a'],
    ['[remote "origin"]\nurl = a#b;c', 'a#b;c'],
    ['[remote "origin"]\nurl = "a # b" # why', 'a # b'],
    ['[remote "origin"]\nurl =', ''],
    ['', ''],
  ])('of %j is %j', async (config, url) => {
    expect(await remote(config)).toBe(url)
  })
})
