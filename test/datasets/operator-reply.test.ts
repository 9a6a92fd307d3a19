import {expect, test} from 'vitest'
import {extractFiles, formatFiles} from '../../datasets/operator-reply.ts'

const files = [
  {path: 'op_host/add_tiling.h', text: '#pragma once\n'},
  {path: 'op_host/add.cpp', text: '#include "add_tiling.h"\n\nint a;\n'},
  {path: 'op_kernel/add.cpp', text: 'void add() {}\n'},
]
const paths = files.map(({path}) => path)
const reply = formatFiles(files)

test('reads back what it writes', () => {
  expect(extractFiles(reply, paths)).toEqual({ok: true, files})
})

test('ignores prose around the files, and Windows line ends', () => {
  expect(extractFiles(`Here are the files.\n\n${reply}\n\nGood luck.`.replaceAll('\n', '\r\n'), paths)).toEqual({
    ok: true,
    files,
  })
})

test.each([
  ['a file is missing', formatFiles(files.slice(0, 2)), 'no banner for op_kernel/add.cpp'],
  [
    'a file is there twice',
    `${reply}\n${formatFiles(files.slice(2))}`,
    '2 banners for op_kernel/add.cpp, expected one',
  ],
  [
    'the reply was cut inside a file',
    reply.slice(0, -4),
    'no closed ```cpp block right after the banner of op_kernel/add.cpp',
  ],
  [
    'a fence was never closed before the next file',
    reply.replace('#pragma once\n```\n', '#pragma once\n'),
    'no closed ```cpp block right after the banner of op_host/add_tiling.h',
  ],
  [
    'text stands between banner and code',
    reply.replace('add.cpp ==================\n', 'add.cpp ==================\nHost side:\n'),
    'no closed ```cpp block right after the banner of op_host/add.cpp',
  ],
  ['a file is empty', reply.replace('#pragma once\n', ''), 'the block of op_host/add_tiling.h is empty'],
  ['the banner has another length', reply.replaceAll('='.repeat(18), '==='), 'no banner for op_host/add_tiling.h'],
  ['there is only prose', 'I cannot do that.', 'no banner for op_host/add_tiling.h'],
])('refuses a reply in which %s', (_, text, problem) => {
  expect(extractFiles(text, paths)).toEqual({ok: false, problem})
})
