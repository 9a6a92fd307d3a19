import {expect, test} from 'vitest'
import exportGate from '../../datasets/export-gate.ts'
import type {CotSample} from '../../datasets/schema/sample.ts'
import {collect, executor, kernelSample, recordingContext, sample, stream} from './rows.ts'

async function reasonsOf(record: CotSample): Promise<string[]> {
  const context = recordingContext()
  const passed = await collect(exportGate({config: 'sft'}).run(stream([record]), context))
  expect(passed.length + context.drops.length).toBe(1)
  return context.drops.map(({reason}) => reason)
}

const code = 'uint32_t tiles = total / length;\nDataCopy(local, source[0], length);'

test.each([
  ['a bare fence', `\`\`\`\n${code}\n\`\`\``],
  ['a fence of a header', `\`\`\`h\n${code}\n\`\`\``],
  ['a fence of tildes', `~~~cpp\n${code}\n~~~`],
  ['an indented block', `so:\n\n    ${code.replace('\n', '\n    ')}`],
  ['a pre element', `<pre>${code}</pre>`],
])('code in %s passes only with its verdict', async (_, listing) => {
  const answer = `Copy a tile:\n\n${listing}\n`
  const files = [{path: 'example.cpp', text: `#include "kernel_operator.h"\n${code}\n`}]
  expect(await reasonsOf(sample({answer}))).toEqual(['unproven-code'])
  expect(await reasonsOf(sample({answer, files}))).toEqual(['unproven-code'])
  expect(await reasonsOf(sample({answer, files, verdict: {outcome: 'compiled', executor}}))).toEqual([])
  expect(
    await reasonsOf(
      sample({answer, files: [{path: 'a.cpp', text: 'int other;'}], verdict: {outcome: 'compiled', executor}}),
    ),
  ).toEqual(['unproven-code'])
})

test('listings that are no C++ need no verdict', async () => {
  for (const answer of [
    '```bash\nmake -j;\n```',
    '```cmake\nadd_executable(a a.cpp)\n```',
    '```text\nresult: 1 2 3\n```',
    'Only words; nothing else (of course).',
  ]) {
    expect(await reasonsOf(sample({answer}))).toEqual([])
  }
})

test('a kernel without files is unproven', async () => {
  expect(await reasonsOf(kernelSample({files: [], answer: 'prose'}))).toEqual(['unproven-code'])
  expect(await reasonsOf(kernelSample())).toEqual([])
})

test('a project sample passes only when its code ran, and parsed code needs no verdict', async () => {
  const project = {kind: 'project' as const, files: [], verdict: {outcome: 'compiled' as const, executor}}
  expect(await reasonsOf(sample({...project, proof: 'ran'}))).toEqual([])
  expect(await reasonsOf(sample({...project, proof: 'compiled'}))).toEqual(['unproven-code'])
  expect(await reasonsOf(sample(project))).toEqual(['unproven-code'])
  const {verdict: _, ...unjudged} = kernelSample()
  expect(await reasonsOf({...unjudged, proof: 'parsed'})).toEqual([])
  expect(await reasonsOf({...unjudged, proof: 'compiled'})).toEqual(['unproven-code'])
})
