import {readFileSync} from 'node:fs'
import {expect, test} from 'vitest'
import {HostKernelPair} from '../../../../datasets/schema/scenario.ts'
import projectCot from '../../../../pipelines/code/project/project-cot.ts'
import {decided} from '../../../helpers/decided.ts'
import {describedPairs} from '../../../helpers/described.ts'
import {golden} from '../../../helpers/golden.ts'
import {runStage} from '../../../helpers/run-stage.ts'

// Six bundled operators with what was seen of their runs; what is told of them was read beside the code, and stays.
const lines = readFileSync('test/fixtures/told/pairs.jsonl', 'utf8').trim().split('\n')
const pairs = lines.map((line) => HostKernelPair.parse(JSON.parse(line)))

test.each(['a', 'b'])('as the seed %s draws language and words', async (seed) => {
  const {outputs, dropped} = await runStage(projectCot(), await describedPairs(await decided(pairs)), {seed})
  expect(dropped).toEqual([])
  const pages = outputs.map(({origin, language, prompt, reasoning}) =>
    [`# ${origin.path} (${language})`, prompt.replaceAll(/```[\s\S]*?```/g, '```…```'), '---', reasoning, ''].join(
      '\n\n',
    ),
  )
  golden(`test/fixtures/told/projects-${seed}.md`, pages.join('\n'))
})
