import {mkdir, writeFile} from 'node:fs/promises'
import {basename, join} from 'node:path'
import {describe, expect, test} from 'vitest'
import {runCommand} from '../../engine/subprocess.ts'
import {describeCheckout, publicUrl} from '../../sources/checkout.ts'
import {recognisedLicence} from '../../datasets/gates/licence-words.ts'
import {declaredLicence} from '../../sources/licence.ts'
import {temporaryFolder} from '../helpers/temporary.ts'

async function git(folder: string, ...args: string[]): Promise<string> {
  const {code, stdout, stderr} = await runCommand('git', [
    '-C',
    folder,
    '-c',
    'user.name=t',
    '-c',
    'user.email=t@example.org',
    ...args,
  ])
  expect(code, stderr).toBe(0)
  return stdout.trim()
}

async function checkout(licence: string, remote?: string): Promise<{folder: string; revision: string}> {
  const folder = await temporaryFolder()
  await mkdir(join(folder, 'math/add'), {recursive: true})
  await writeFile(join(folder, 'LICENSE'), licence)
  await writeFile(join(folder, 'math/add/add.cpp'), 'int add;\n')
  await git(folder, 'init', '-q')
  await git(folder, 'add', '.')
  await git(folder, 'commit', '-q', '-m', 'first')
  if (remote !== undefined) await git(folder, 'remote', 'add', 'origin', remote)
  return {folder, revision: await git(folder, 'rev-parse', 'HEAD')}
}

const apache = 'Apache License\n                           Version 2.0, January 2004\n'

describe('describeCheckout', () => {
  test('names remote, commit and licence of a subfolder of a checkout', async () => {
    const {folder, revision} = await checkout(apache, 'https://user:secret@github.com/Ascend/samples.git')
    expect(await describeCheckout(join(folder, 'math/add'))).toEqual({
      repository: 'https://github.com/Ascend/samples',
      revision,
      licence: 'Apache-2.0',
    })
  })

  test('names the top folder when there is no public remote', async () => {
    const {folder} = await checkout(apache, '/srv/mirrors/samples.git')
    expect((await describeCheckout(join(folder, 'math'))).repository).toBe(basename(folder))
  })

  test('calls a folder outside of version control unversioned, with the licence that its headers agree on', async () => {
    const folder = await temporaryFolder()
    await writeFile(join(folder, 'a.h'), '// SPDX-License-Identifier: MIT\n')
    expect(await describeCheckout(folder)).toEqual({
      repository: basename(folder),
      revision: 'unversioned',
      licence: 'MIT',
    })
    await writeFile(join(folder, 'b.h'), '// SPDX-License-Identifier: Apache-2.0\n')
    expect((await describeCheckout(folder)).licence).toBe('NOASSERTION')
  })

  test('gives an untracked folder inside a checkout no revision', async () => {
    const {folder} = await checkout(apache)
    await mkdir(join(folder, 'downloads'))
    expect((await describeCheckout(join(folder, 'downloads'))).revision).toBe('unversioned')
  })

  test('prefers the nearer licence file', async () => {
    const {folder} = await checkout(apache)
    await writeFile(
      join(folder, 'math/LICENSE'),
      'Permission is hereby granted, free of charge, to any person obtaining a copy',
    )
    expect((await describeCheckout(join(folder, 'math/add'))).licence).toBe('MIT')
  })
})

describe('publicUrl', () => {
  test.each([
    ['git@github.com:hicann/ops-math.git', 'https://github.com/hicann/ops-math'],
    ['ssh://git@gitcode.com:22/cann/ops-math.git/', 'https://gitcode.com/cann/ops-math'],
    ['https://oauth2:t0ken@GitHub.com/a/b', 'https://github.com/a/b'],
    ['https://github.com/a/b.git?private_token=x', 'https://github.com/a/b'],
    ['/home/someone/code/b', undefined],
    ['file:///home/someone/code/b', undefined],
    ['', undefined],
  ])('%s is %s', (remote, expected) => expect(publicUrl(remote)).toBe(expected))
})

describe('licences', () => {
  test('recognises the vendor licence in a comment header, line breaks and stars included', () => {
    const header = (version: string) =>
      [
        '/**',
        ' * This file is licensed under the terms of the CANN Open Software License',
        ` * Agreement Version ${version}`,
        ' */\n',
      ].join('\n')
    expect(declaredLicence(header('2.0'))).toBe('LicenseRef-CANN-OSL-2.0')
    expect(declaredLicence(header('1.0'))).toBe('LicenseRef-CANN-OSL-1.0')
  })

  test('lets an SPDX line win over quoted text', () => {
    expect(
      declaredLicence('// SPDX-License-Identifier: MIT\n// based on a file under the Apache License, Version 2.0'),
    ).toBe('MIT')
  })

  test('takes the first of several licences in one file', () => {
    expect(
      recognisedLicence('Apache License Version 2.0\n…\nPermission is hereby granted, free of charge, to any person'),
    ).toBe('Apache-2.0')
  })

  test('recognises the three-clause BSD licence and nothing in plain code', () => {
    expect(
      recognisedLicence(
        'Redistribution and use in source and binary forms, with or without …\nNeither the name of the author',
      ),
    ).toBe('BSD-3-Clause')
    expect(declaredLicence('int main() { return 0; }')).toBeUndefined()
  })
})
