import type {CraftFinding, CraftRound, CraftStep} from '../../../datasets/schema/crafted.ts'
import type {ChatMessage, LanguageModel} from '../../../engine/llm/model.ts'
import {loadPrompt, renderPrompt} from '../../../engine/prompt.ts'

const againPrompt = loadPrompt(new URL('again.md', import.meta.url))

/** What a reply was found to be: something to go on with, or a reason to ask again. */
export type Reading<Value> = {ok: true; value: Value} | {ok: false; finding: CraftFinding}

interface Asked {
  step: CraftStep
  prompt: string
  /** Replies at most. */
  rounds: number
  llm: LanguageModel
  signal: AbortSignal
}

/** How a step went: its value where a reply was taken, and every reply with what was found in it. */
interface Held<Value> {
  value: Value | undefined
  rounds: CraftRound[]
}

/** Asks until a reply is taken or the rounds are used up; each further question quotes what was found wrong. */
export async function holdDialogue<Value>(
  {step, prompt, rounds, llm, signal}: Asked,
  read: (reply: string) => Promise<Reading<Value>>,
): Promise<Held<Value>> {
  const messages: ChatMessage[] = [{role: 'user', content: prompt}]
  const held: CraftRound[] = []
  for (let round = 1; round <= rounds; round += 1) {
    const reply = await llm.complete({messages}, signal)
    const reading = await read(reply.text)
    const {promptTokens, completionTokens} = reply.usage
    const noted = {step, round, reply: reply.text, reasoning: reply.reasoning, promptTokens, completionTokens}
    if (reading.ok) return {value: reading.value, rounds: [...held, noted]}
    held.push({...noted, finding: reading.finding})
    messages.push({role: 'assistant', content: reply.text})
    messages.push({role: 'user', content: renderPrompt(againPrompt, {finding: reading.finding.text})})
  }
  return {value: undefined, rounds: held}
}
