import {expect, test} from 'vitest'
import {diagnosticSignature} from '../../../datasets/diagnostic-signature.ts'
import apiNames from '../../../eval/executors/api-names.json' with {type: 'json'}
import {classifyVerdict} from '../../../eval/taxonomy.ts'
import {realExecutor} from '../../helpers/real-executor.ts'
import {planted, written} from './planted-errors.ts'

const names = new Set(apiNames.names)

/** A compiler says of all three that a name is not declared, and no more. */
const undeclared = ['a name that nobody declared', 'a constant that nobody declared', 'a type that nobody declared']

test('a fault is in one cluster however it is written, and no two faults are in one', {timeout: 120_000}, async () => {
  const executor = await realExecutor()
  const faultsOf = new Map<string, Set<string>>()
  const keysOf = new Map<string, Set<string>>()
  for (const one of planted) {
    for (const number of [0, 1, 2]) {
      const text = written(one, number)
      const verdict = await executor.compile({side: 'kernel', text, tiling: '', dtypes: {}})
      if (verdict.outcome !== 'compile-failed') throw new Error(`${one.fault}: ${verdict.outcome}`)
      expect([one.fault, classifyVerdict(verdict)?.class]).toEqual([one.fault, one.class])
      const path = verdict.diagnostics.find(({file}) => !file.startsWith('twin/'))?.file ?? ''
      const {api, signature} = diagnosticSignature(verdict, {names, files: [{path, text}]}) ?? {}
      const key = JSON.stringify([one.class, api, signature])
      const fault = undeclared.includes(one.fault) ? 'undeclared' : one.fault
      faultsOf.set(key, (faultsOf.get(key) ?? new Set()).add(fault))
      keysOf.set(one.fault, (keysOf.get(one.fault) ?? new Set()).add(key))
    }
  }
  expect([...keysOf].filter(([, keys]) => keys.size > 1)).toEqual([])
  expect([...faultsOf].filter(([, faults]) => faults.size > 1)).toEqual([])
})

test('the same number gives the same text, another one another', () => {
  for (const one of planted) {
    expect(written(one, 3)).toBe(written(one, 3))
    expect(written(one, 3)).not.toBe(written(one, 4))
  }
})
