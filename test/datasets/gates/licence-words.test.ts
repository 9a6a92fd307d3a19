import {expect, test} from 'vitest'
import {contradiction} from '../../../datasets/gates/licence-words.ts'

const header = (...lines: string[]) => `/*\n${lines.map((line) => ` * ${line}`).join('\n')}\n */\nint a;\n`
const owner = 'Copyright (c) 2025 Some Technologies Co., Ltd. All rights reserved.'
const osl = header(
  owner,
  'This program is free software, you can redistribute it and/or modify it under the terms and conditions of',
  'CANN Open Software License Agreement Version 2.0 (the "License").',
)
const apache = header(owner, 'Licensed under the Apache License, Version 2.0 (the "License");')

test.each([
  ['Apache-2.0', '// SPDX-License-Identifier: GPL-3.0-only', 'SPDX-License-Identifier: GPL-3.0-only'],
  ['Apache-2.0', '# SPDX-License-Identifier: LGPL-2.1-or-later\n', 'LGPL-2.1-or-later'],
  ['MIT', '// SPDX-License-Identifier: Apache-2.0', 'SPDX-License-Identifier: Apache-2.0'],
  ['Apache-2.0', '// SPDX-License-Identifier: GPL-2.0-only OR MPL-2.0', 'GPL-2.0-only OR MPL-2.0'],
  [
    'Apache-2.0',
    header('it under the terms of the GNU General Public License as', 'published by the Free Software Foundation'),
    'GNU General Public License',
  ],
  ['Apache-2.0', header('under the terms of the GNU', 'Lesser General Public License'), 'Lesser General Public'],
  ['MIT', header('terms of the GNU Affero General Public License, version 3'), 'Affero'],
  ['Apache-2.0', '// released under GPLv3', 'under GPLv3'],
  ['Apache-2.0', header('subject to the terms of the Mozilla Public License, v. 2.0'), 'Mozilla'],
  ['Apache-2.0', osl, 'CANN Open Software License Agreement Version 2.0'],
  ['CC-BY-4.0', 'Licensed under the Creative Commons Attribution-NonCommercial 4.0 licence.', 'NonCommercial'],
  ['Apache-2.0', '// CONFIDENTIAL - do not share', 'CONFIDENTIAL'],
  ['Apache-2.0', '// Huawei Confidential', 'Huawei Confidential'],
  [
    'Apache-2.0',
    '// This file is proprietary and confidential; unauthorized copying is prohibited',
    'proprietary and confidential',
  ],
  ['MIT', '// Unauthorized distribution of this file is prohibited', 'Unauthorized distribution'],
  ['Apache-2.0', '/* It contains trade secrets of the company. */', 'trade secrets of'],
  ['Apache-2.0', '// 华为机密，未经许可不得扩散', '华为机密'],
  ['Apache-2.0', '// 未经公司书面授权，任何人不得复制', '未经公司书面授权'],
  ['Apache-2.0', header(owner, 'Description: tiling of add'), 'All rights reserved'],
  ['Apache-2.0', '版权所有 某公司，保留一切权利。', '保留一切权利'],
])('under %s, %j is contradicted', (claim, text, words) => {
  expect(contradiction(text, claim)).toContain(words)
})

test.each([
  ['LicenseRef-CANN-OSL-2.0', osl],
  ['LicenseRef-CANN-OSL-2.0', apache],
  ['Apache-2.0', apache],
  ['Apache-2.0', '// SPDX-License-Identifier: Apache-2.0'],
  ['Apache-2.0', '// SPDX-License-Identifier: MIT'],
  ['Apache-2.0', '// SPDX-License-Identifier: GPL-2.0-only OR Apache-2.0'],
  ['Apache-2.0 AND LicenseRef-CANN-OSL-2.0', osl],
  ['BSD-2-Clause', header(owner, 'Redistribution and use in source and binary forms, with or without')],
  [
    'Apache-2.0',
    'The GNU C compiler is under a licence of its own; the GNU General Public License has three versions.',
  ],
  ['Apache-2.0', 'Azure confidential computing; 机密计算; enum Level { PUBLIC, CONFIDENTIAL, SECRET };'],
  ['Apache-2.0', 'Which licence does this copyright notice speak of?'],
])('under %s, %j is in order', (claim, text) => {
  expect(contradiction(text, claim)).toBeUndefined()
})

test('a grant far from the words that reserve all rights is another header', () => {
  const far = `${apache}${'int b;\n'.repeat(400)}${header(owner)}`
  expect(contradiction(far, 'Apache-2.0')).toContain('All rights reserved')
  const before = `${header(owner)}${'int b;\n'.repeat(400)}${apache}`
  expect(contradiction(before, 'Apache-2.0')).toContain('All rights reserved')
})

test(
  'a grant frees reserved rights in the same header: six hundred signs before, twelve hundred from ' + 'the words on',
  () => {
    const rights = 'All rights reserved'
    const grant = 'licensed under terms'
    const apart = (before: number) => contradiction(`${grant} ${'x'.repeat(before - 2)} ${rights}`, 'Apache-2.0')
    expect(apart(600 - grant.length)).toBeUndefined()
    expect(apart(601 - grant.length)).toContain(rights)
    const behind = (after: number) => contradiction(`${rights} ${'x'.repeat(after - 2)} ${grant}`, 'Apache-2.0')
    // The words themselves are part of what is looked through.
    expect(behind(1200 - rights.length - 'licensed under'.length)).toBeUndefined()
    expect(behind(1201 - rights.length - 'licensed under'.length)).toContain(rights)
  },
)

test('the words are told with sixty signs before them and twenty behind', () => {
  const text = `${'a'.repeat(80)} CONFIDENTIAL ${'b'.repeat(80)}`
  expect(contradiction(text, 'MIT')).toBe(`${'a'.repeat(59)} CONFIDENTIAL ${'b'.repeat(19)}`)
})
