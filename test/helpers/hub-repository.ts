import {createHash} from 'node:crypto'

/** A file of a commit as the stand-in keeps it: large ones by their SHA-256 in the store, others as bytes. */
export interface StoredFile {
  bytes: Buffer
  large: boolean
}

export interface StoredCommit {
  sha: string
  title: string
  files: ReadonlyMap<string, StoredFile>
}

export interface Repository {
  private: boolean
  commits: StoredCommit[]
}

export const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
export const gitId = (bytes: Buffer) => createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex')

/** A repository with the one commit that the Hub makes by itself. */
export function newRepository(isPrivate: boolean): Repository {
  const attributes = {bytes: Buffer.from('*.parquet filter=lfs diff=lfs merge=lfs -text\n'), large: false}
  const repository: Repository = {private: isPrivate, commits: []}
  addCommit(repository, 'initial commit', new Map([['.gitattributes', attributes]]))
  return repository
}

export function headOf({commits}: Repository): StoredCommit {
  return commits.at(-1) as StoredCommit
}

export function addCommit(repository: Repository, title: string, files: ReadonlyMap<string, StoredFile>): StoredCommit {
  const before = repository.commits.at(-1)?.sha ?? ''
  const listing = [...files].map(([path, {bytes}]) => `${path} ${sha256(bytes)}`).join('\n')
  const sha = createHash('sha1').update(`${before}\n${title}\n${listing}`).digest('hex')
  const commit = {sha, title, files}
  repository.commits.push(commit)
  return commit
}

export function atRevision(repository: Repository, revision: string): StoredCommit | undefined {
  if (['main', 'HEAD', 'refs/convert/none'].includes(revision)) return headOf(repository)
  return repository.commits.find(({sha}) => sha === revision)
}

/** An entry of `tree` and of `paths-info`. */
export function treeEntry(path: string, {bytes, large}: StoredFile) {
  const pointer = Buffer.from(
    `version https://git-lfs.github.com/spec/v1\noid sha256:${sha256(bytes)}\nsize ${bytes.length}\n`,
  )
  const lfs = {oid: sha256(bytes), size: bytes.length, pointerSize: pointer.length}
  return {type: 'file', path, size: bytes.length, oid: gitId(large ? pointer : bytes), ...(large ? {lfs} : {})}
}

/** Files and folders below a folder, all of them or those directly in it. */
export function entriesBelow(files: ReadonlyMap<string, StoredFile>, below: string, recursive: boolean) {
  const start = below === '' ? '' : `${below.replace(/\/$/, '')}/`
  const inside = [...files].filter(([path]) => path.startsWith(start))
  const folders = new Set(
    inside.flatMap(([path]) => {
      const parts = path.slice(start.length).split('/').slice(0, -1)
      return parts.map((_, at) => start + parts.slice(0, at + 1).join('/'))
    }),
  )
  const entries = [
    ...[...folders].map((path) => ({type: 'directory', path, size: 0, oid: gitId(Buffer.from(path))})),
    ...inside.map(([path, file]) => treeEntry(path, file)),
  ]
  return recursive ? entries : entries.filter(({path}) => !path.slice(start.length).includes('/'))
}
