import {expect, test} from 'vitest'
import {commonHeader} from '../../../eval/executors/runtime-units.ts'

const file = (path: string, ...includes: string[]) => ({
  path: `runtime/${path}`,
  text: ['// A file.', ...includes.map((name) => `#include ${name}`), 'int x;', ''].join('\n'),
})

test('what three files of a folder include is read once for all of them', () => {
  const sources = [
    file('device/a.cpp', '<map>', '"core.h"', '<set>'),
    file('device/b.cpp', '<map>', '"core.h"', '<set>', '<set>'),
    file('device/c.cpp', '<map>', '"core.h"', '"own.h"'),
    file('device/core.h', '<set>', '<deque>'),
    file('host/a.cpp', '<set>', '<map>'),
  ]
  expect(commonHeader('runtime/device', sources)).toBe('#include "core.h"\n#include <map>\n')
  expect(commonHeader('runtime/host', sources)).toBe('')
})
