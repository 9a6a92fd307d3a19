import type {KernelFacts} from '../../../../datasets/schema/code-facts.ts'
import {expect, test} from 'vitest'
import type {HostKernelPair} from '../../../../datasets/schema/scenario.ts'
import type {TensorSpec} from '../../../../datasets/schema/tensor.ts'
import {randomFrom} from '../../../../engine/random.ts'
import {voice} from '../../../../datasets/voice.ts'
import {shareParagraph} from '../../../../pipelines/code/project/share-paragraph.ts'

const facts = {methods: [], moves: [{api: 'DataCopyPad', direction: 'out'}]} as unknown as KernelFacts
const output = (shape: number[], name = 'y'): TensorSpec => ({name, dtype: 'float16', shape})

/** What is told of cores that read and write so many bytes: `64→32 64→32`. */
function told(bytes: string, ...outputs: TensorSpec[]): string {
  const blocks = bytes.split(' ').map((core, index) => {
    const [readBytes, writtenBytes] = core.split('→').map(Number)
    return {index, readBytes, writtenBytes}
  })
  const pair = {entry: 'op', scenario: {outputs, trace: {blocks}}} as unknown as HostKernelPair
  return shareParagraph(pair, facts, voice('en', randomFrom('share'))).replace('Now the kernel `op`. ', '')
}

test('equal cores are told together, and what that is of the only output', () => {
  const shares = 'Each of 2 cores reads 64 bytes of global memory and writes 64. One core reads 32 bytes'
  expect(told('64→64 64→64 32→32', output([80]))).toBe(
    `${shares} of global memory and writes 32. ` +
      'Of `y` that makes 32 or 16 elements a core, and all of it is written once.',
  )
  expect(told('96→96', output([3, 16]))).toMatch(
    /^The only core reads 96 bytes.* Of `y` that makes 3 rows of 16 a core,/,
  )
  expect(told('32→32 32→32', output([2, 16]))).toMatch(
    /^Each of the 2 cores reads 32 bytes.* makes 1 row of 16 a core,/,
  )
  expect(told('8→8', output([2, 2]))).toContain('makes 2 rows of 2 a core')
  expect(told('8→8', output([4, 1]))).toContain('makes 4 elements a core')
  expect(told('192→192 96→96 32→32', output([10, 16]))).toContain('6, 3 or 1 rows of 16 a core')
  expect(told('96→96 96→96 128→128', output([5, 32]))).toContain('48 or 64 elements a core')
})

test('nothing is told of outputs that are several, or not written once', () => {
  expect(told('64→64', output([32]), output([32], 'z'))).not.toContain('Of `y`')
  expect(told('64→64', output([64]))).not.toContain('Of `y`')
})

test('a core that writes one element is told so', () => {
  expect(told('64→2 64→2', output([2]))).toContain('Of `y` that makes 1 element a core')
})

test('cores without data, or that only write, are told apart', () => {
  expect(told('0→0 0→0 0→64 64→0', output([1000]))).toBe(
    '2 cores find no data to work on. One core writes 64 bytes of global memory. ' +
      'One core reads 64 bytes of global memory and writes 0.',
  )
})

test('more than three shares are told by their range', () => {
  const bytes = '64→96 96→128 128→160 160→192'
  expect(told(bytes, output([1000]))).toBe(
    'The 4 cores are not loaded alike: they read between 64 and 160 bytes and write between 96 and 192.',
  )
  expect(told(bytes.slice(6), output([1000]))).toContain('One core reads 96 bytes')
})

test('a share that ends inside a block is written back without what follows', () => {
  const end = 'As 70 bytes are no multiple of 32, `DataCopyPad` writes back without touching what follows.'
  expect(told('64→64 64→70', output([1000]))).toContain(end)
  expect(told('64→28', output([1000]))).toContain('As 28 bytes are less than one block of 32, `DataCopyPad` writes')
  expect(told('64→64', output([1000]))).not.toContain('DataCopyPad')
})
