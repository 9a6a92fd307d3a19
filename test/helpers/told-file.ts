import {readFileSync} from 'node:fs'
import {CheckedOperatorSource, type OperatorSource} from '../../datasets/schema/operator.ts'
import {randomFrom} from '../../engine/random.ts'
import {describe} from '../../pipelines/facts/source-facts.ts'
import {factsJson, handedFacts} from '../../pipelines/facts/facts-json.ts'
import {paragraphs, voice} from '../../datasets/voice.ts'
import {requestOf} from '../../pipelines/code/offline/tell.ts'
import {fileDecisions} from '../../pipelines/facts/decisions/file-decisions.ts'
import {tellDecisions} from '../../pipelines/telling/tell-decisions.ts'

const [line] = readFileSync('test/fixtures/stages/kernel-cot/offline-kernel-and-host/in.jsonl', 'utf8').split('\n')
const {verdict: _, ...source} = CheckedOperatorSource.parse(JSON.parse(line ?? ''))

/** What is told of a file with the given text, as if it stood in a real operator. */
export async function told(role: OperatorSource['role'], text: string, language: 'en' | 'zh' = 'en') {
  const side = role === 'kernel' ? ('kernel' as const) : ('host' as const)
  return toldOf({role, side, target: {path: 'a.cpp', text}}, language)
}

/** The same of a source that differs from that operator's in the given way. */
export async function toldOf(changes: Partial<typeof source>, language: 'en' | 'zh' = 'en') {
  const changed = {...source, dependencies: [], ...changes}
  const described = await describe(changed)
  const file = {...changed, described}
  const speaker = voice(language, randomFrom('roles'))
  const decisions = fileDecisions(changed, described)
  return {
    described,
    request: requestOf(file, speaker),
    reasoning: paragraphs(tellDecisions(decisions, speaker)),
    handed: factsJson(handedFacts(changed, described)),
  }
}
