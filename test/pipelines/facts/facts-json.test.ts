import {readFileSync} from 'node:fs'
import {describe, expect, test} from 'vitest'
import {CheckedOperatorSource} from '../../../datasets/schema/operator.ts'
import {factsJson, handedFacts} from '../../../pipelines/facts/facts-json.ts'
import {describe as described} from '../../../pipelines/facts/source-facts.ts'

const sources = readFileSync('test/fixtures/stages/kernel-cot/offline-kernel-and-host/in.jsonl', 'utf8')
  .trim()
  .split('\n')
  .map((line) => CheckedOperatorSource.parse(JSON.parse(line)))

async function handed(role: 'kernel' | 'tiling') {
  const source = sources.find((one) => one.role === role)!
  const text = factsJson(handedFacts(source, await described(source)))
  return {source, text, facts: JSON.parse(text) as Record<string, unknown>}
}

describe('facts as a model gets them', () => {
  test('of a kernel say what it computes, moves and keeps, in about as many characters as the code has', async () => {
    const {source, text, facts} = await handed('kernel')
    expect(facts).toMatchObject({operator: source.operator, role: 'kernel', file: source.target.path})
    expect(facts['formulas']).toEqual([{output: 'y', expression: 'x * scale'}])
    expect(facts['buffers']).toContainEqual(expect.objectContaining({kind: 'queue', position: 'VECIN'}))
    expect(facts['methods']).toContainEqual({
      role: 'compute',
      syntax: expect.stringMatching(/^\w+::Compute$/) as string,
    })
    expect(facts['unifiedBuffer']).toEqual([
      expect.objectContaining({bytes: 196_608, most: expect.any(Number) as number}),
    ])
    expect(text.length).toBeLessThan(source.target.text.length * 1.2)
  })

  test('of a host say the sizes that it computes and how it launches', async () => {
    const {facts} = await handed('tiling')
    expect(facts['sizes']).toContainEqual(expect.objectContaining({target: 'blockLength', operator: '='}))
    expect(facts['launch']).toMatchObject({cores: [{kind: 'call', text: 'context->SetBlockDim(coreNum)'}]})
  })

  test('stand in one line with keys in order, without places and empty fields', () => {
    const statement = {text: 'F(a)', call: {name: 'F', args: ['a']}, line: 3, branches: [], comment: ''}
    const shape = {sizes: [statement], kernel: {name: 'F', owner: '', body: '{}', calls: []}, all: false, none: 0}
    expect(factsJson(shape)).toBe('{"kernel":"F","none":0,"sizes":[{"text":"F(a)"}]}')
  })

  test('name few of many constants', async () => {
    const [source] = sources.filter(({role}) => role === 'kernel')
    const {role, facts} = await described(source!)
    const many = Array.from({length: 100}, (_, at): [string, number] => [`C${at}`, at])
    const one = handedFacts(source!, {role, facts: {...facts, constants: many}} as never)
    expect(one).toMatchObject({constants: many.slice(0, 24)})
  })
})
