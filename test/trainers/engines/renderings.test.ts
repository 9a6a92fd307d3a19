import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import {describe, expect, test} from 'vitest'
import {parse} from 'yaml'
import {golden} from '../../helpers/golden.ts'
import {casesOf, companions, engines, planOf, root} from './plans.ts'

// What every trainer reads, for plans of every kind, as files to be read by people: `plan.json` goes in.

for (const engine of engines) {
  describe(engine.name, () => {
    for (const name of casesOf(engine.name)) {
      test(name.replaceAll('-', ' '), () => {
        const folder = join(root, engine.name, name)
        const plan = planOf(`${engine.name}/${name}`)
        const {files, steps} = engine.render(plan, companions)
        for (const {path, text} of files) if (!path.startsWith('python/')) golden(join(folder, path), text)
        const programs = files.map(({path}) => path).filter((path) => path.startsWith('python/'))
        golden(join(folder, 'steps.json'), `${JSON.stringify({steps, programs}, null, 2)}\n`)
        expect(engine.render(plan, companions), 'the same plan gives the same bytes').toEqual({files, steps})
      })

      test(`${name.replaceAll('-', ' ')}: what is run and read is among what is rendered`, () => {
        const plan = planOf(`${engine.name}/${name}`)
        const {files, steps} = engine.render(plan, companions)
        const below = `${plan.folder}/rendered/`
        const texts = [...steps.flatMap(({argv}) => argv), ...files.flatMap(({text}) => wordsOf(text))]
        const named = texts.filter((word): word is string => typeof word === 'string' && word.startsWith(below))
        const paths = files.map(({path}) => path)
        expect(named.map((word) => word.slice(below.length)).filter((path) => !paths.includes(path))).toEqual([])
      })
    }
  })
}

const wordsOf = (text: string) => text.split(/[\s"',]+/)

test('programs in Python go along as they are', () => {
  const {files} = engines[0]!.render(planOf('trl/grpo'), companions)
  const entry = files.find(({path}) => path === 'python/train_with_trl.py')
  expect(entry?.text).toBe(readFileSync('trainers/engines/python/train_with_trl.py', 'utf8'))
  expect(files.map(({path}) => path)).toContain('python/ascend_cot_judge/__init__.py')
})

describe('numbers in YAML', () => {
  const texts = engines.flatMap((engine) =>
    casesOf(engine.name).flatMap((name) => engine.render(planOf(`${engine.name}/${name}`), companions).files),
  )
  const yaml = texts.filter(({path}) => path.endsWith('.yaml'))

  test('are numbers to PyYAML, which wants a dot and a signed exponent', () => {
    expect(yaml.length).toBeGreaterThan(10)
    expect(yaml.flatMap(({text}) => text.match(/: -?\d+e.*|: [\d.]+e\d+/g) ?? [])).toEqual([])
    expect(yaml.some(({text}) => /learning_rate: 1\.0e-6$/m.test(text))).toBe(true)
    expect(yaml.some(({text}) => /min_lr: 1\.25e-7$/m.test(text))).toBe(true)
  })

  test('and words that YAML 1.1 takes for truth values are words', () => {
    const config = yaml.find(({path}) => path === 'accelerate.yaml')?.text ?? ''
    expect(parse(config, {version: '1.1'})).toMatchObject({downcast_bf16: 'no'})
  })
})
