import {describe, expect, test} from 'vitest'
import {z} from 'zod'
import {describeFaults} from '../../engine/config-issues.ts'

const schema = z.strictObject({
  seed: z.int(),
  samples: z.strictObject({count: z.int().min(1), words: z.array(z.strictObject({text: z.string()}))}).optional(),
  place: z
    .discriminatedUnion('kind', [
      z.strictObject({kind: z.literal('here')}),
      z.strictObject({kind: z.literal('near'), form: z.enum(['a', 'b']).meta({examples: ['b']})}),
      z.strictObject({kind: z.literal('far'), time: z.string().meta({examples: ['1:00']})}),
    ])
    .optional(),
  teachers: z.record(z.string(), z.strictObject({model: z.string()})).default({}),
})

function faults(value: unknown, spoken: Record<string, string> = {}) {
  const result = schema.safeParse(value, {reportInput: true})
  if (result.success) throw new TypeError('nothing is wrong')
  return describeFaults(result.error, {
    what: 'The configuration',
    schema,
    spoken: new Map(Object.entries(spoken)),
    file: 'config.yaml',
  })
}

describe('a wrong value', () => {
  test('is told with its path, what is expected, what was seen, and where', () => {
    expect(faults({seed: 'x'})).toEqual({
      message: 'The configuration is not valid: seed: expected number, received string, seen "x", in config.yaml',
      fix: 'Fix config.yaml.',
    })
  })
  test('that is missing is added, beside what was said and where it may stand', () => {
    expect(faults({})).toEqual({
      message: 'The configuration is not valid: seed is missing in config.yaml',
      fix: 'Set it in config.yaml, or pass --set seed=….',
    })
    expect(faults({seed: 1, place: {kind: 'far'}}, {'place.kind': '--set place.kind=far'})).toEqual({
      message: 'The configuration is not valid: place.time is missing beside --set place.kind=far',
      fix: 'Set it in config.yaml, or pass --set place.time=1:00.',
    })
    expect(faults({seed: 1, place: {kind: 'near'}}).fix).toBe('Set it in config.yaml, or pass --set place.form=b.')
    expect(faults({seed: 1, place: {kind: 'near', form: 'c'}}).fix).toBe('Fix config.yaml.')
  })
  test('that is long is cut after sixty signs', () => {
    const seen = (length: number) => /seen (.*), in/.exec(faults({seed: 'x'.repeat(length)}).message)?.[1]
    expect(seen(58)).toBe(`"${'x'.repeat(58)}"`)
    expect(seen(59)).toBe(`"${'x'.repeat(59)}…`)
  })
  test('is blamed on who gave it: itself, a part of it, the section around it, or a key beside it', () => {
    const where = (spoken: Record<string, string>, value: unknown = {seed: 1, samples: {count: 0, words: []}}) =>
      faults(value, spoken).fix
    expect(where({})).toBe('Fix config.yaml.')
    expect(where({'samples.count': '--set samples.count=0'})).toBe('Fix --set samples.count=0.')
    expect(where({samples: '--set samples=…'})).toBe('Fix --set samples=….')
    expect(where({'samples.words': '--set samples.words=…'})).toBe('Fix --set samples.words=….')
    expect(where({sample: '--set sample=1', seed: 'SEED'})).toBe('Fix config.yaml.')
    expect(where({seed: 'SEED'}, {seed: 1, samples: {count: 1, words: 2}})).toBe('Fix config.yaml.')
    expect(where({'samples.words.0': 'W'}, {seed: 1, samples: {count: 1, words: 3}})).toBe('Fix W.')
    expect(where({'samples.count': 'first', samples: 'last'})).toBe('Fix last.')
    expect(where({seeds: 'S'}, {seed: 'x'})).toBe('Fix config.yaml.')
  })
  test('several are told one after the other, and what to do once', () => {
    expect(faults({seed: 'x', samples: {count: 0, words: []}})).toEqual({
      message:
        'The configuration is not valid: seed: expected number, received string, seen "x", in config.yaml; ' +
        'samples.count: Too small: expected number to be >=1, seen 0, in config.yaml',
      fix: 'Fix config.yaml.',
    })
  })
})

describe('an unknown key', () => {
  test.each<[unknown, string, string]>([
    [{seed: 1, sede: 2}, 'unknown key sede in config.yaml', 'Did you mean seed?'],
    [{seed: 1, other: 2}, 'unknown key other in config.yaml', 'Known keys: seed, samples, place, teachers.'],
    [
      {seed: 1, samples: {count: 1, words: [], cuont: 2}},
      'unknown key samples.cuont in config.yaml',
      'Did you mean samples.count?',
    ],
    [
      {seed: 1, samples: {count: 1, words: [], x: 2}},
      'unknown key samples.x in config.yaml',
      'Keys of samples: count, words.',
    ],
    [
      {seed: 1, samples: {count: 1, words: [{text: 'a', txt: 'b'}]}},
      'unknown key samples.words.0.txt in config.yaml',
      'Did you mean samples.words.0.text?',
    ],
    [
      {seed: 1, teachers: {judge: {model: 'a', modle: 'b'}}},
      'unknown key teachers.judge.modle in config.yaml',
      'Did you mean teachers.judge.model?',
    ],
  ])('%j', (value, message, fix) => {
    expect(faults(value)).toEqual({message: `The configuration is not valid: ${message}`, fix})
  })
  test('behind a transformation is looked for in what comes out of it', () => {
    const piped = z.preprocess((value) => value, z.strictObject({first: z.int()}))
    const result = z.strictObject({part: piped}).safeParse({part: {first: 1, frist: 2}})
    const told = describeFaults(result.error as z.ZodError, {
      what: 'It',
      schema: z.strictObject({part: piped}),
      spoken: new Map(),
      file: 'f',
    })
    expect(told.fix).toBe('Did you mean part.first?')
  })
})
