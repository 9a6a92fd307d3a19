import {mkdir, writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {Config} from '../../../pipelines/workspace/config.ts'
import {copyrightNotices} from '../../../pipelines/workspace/copyright-notices.ts'
import {temporaryFolder} from '../../helpers/temporary.ts'

test.each([
  ['/**\n * Copyright (c) 2025 Some Company Ltd. */\n', ['Copyright (c) 2025 Some Company Ltd.']],
  ['# Copyright 2018 A. Author. All rights reserved.\n', ['Copyright 2018 A. Author. All rights reserved.']],
  ['// copyright © Another\n// Copyright (C) 2024\tA Third\n', ['Copyright (C) 2024 A Third', 'copyright © Another']],
  ['// The copyright of this file is theirs.\n', undefined],
  [`${' '.repeat(3000)}// Copyright (c) 2025 Far Below\n`, undefined],
])('notices of a file that begins %j', async (text, notices) => {
  const root = await temporaryFolder()
  await mkdir(join(root, 'op_kernel'))
  await writeFile(join(root, 'op_kernel/a.h'), text)
  await writeFile(join(root, 'op_kernel/b.bin'), 'Copyright (c) 2025 No Text')
  const config = Config.parse({sources: {benchmarks: [], kernels: [{root, repository: 'mine'}]}})
  expect((await copyrightNotices(config))['mine']).toEqual(notices)
})
