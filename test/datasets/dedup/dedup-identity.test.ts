import {expect, test} from 'vitest'
import {identityOf} from '../../../datasets/dedup/dedup.ts'
import {kernelSample} from '../rows.ts'

const api = new Set(['DataCopy', 'Add', 'Mul'])
const kernel = (answer: string, prompt = 'Write the kernel `add_custom`.') =>
  identityOf('sft', kernelSample({prompt, answer}), {kernel: 0.95}, api)
const fenced = (code: string) => `\`\`\`cpp\n${code}\n\`\`\``

test('a kernel is compared by request and answer, with the names of its author folded', () => {
  const {near} = kernel(fenced('int mine = other + 3;'))
  expect(near?.tokens.slice(0, 3)).toEqual(['write', 'the', 'kernel'])
  expect(near?.tokens.slice(-7)).toEqual(['int', 'v', '=', 'v', '+', '3', ';'])
})

test('kernels are equal when names alone differ, and not when a number of the answer or a word of the request does', () => {
  const one = kernel(fenced('Add(dst, src, 3);'))
  expect(kernel(fenced('Add(out, in, 3);')).exact).toBe(one.exact)
  expect(kernel(fenced('Add(dst, src, 4);')).exact).not.toBe(one.exact)
  expect(kernel(fenced('Add(dst, src, 3);'), 'Explain the kernel `add_custom`.').exact).not.toBe(one.exact)
})

test('kernels that call other interfaces are of different groups', () => {
  const one = kernel(fenced('Add(dst, src, 3);'))
  expect(kernel(fenced('Add(a, b, 4);')).group).toBe(one.group)
  expect(kernel(fenced('Mul(dst, src, 3);')).group).not.toBe(one.group)
})
