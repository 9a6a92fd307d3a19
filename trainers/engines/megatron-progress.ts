import type {Progress} from '../../datasets/schema/job.ts'
import {numberOf} from './progress-lines.ts'

/**
 * A line of Megatron's log: ` [time] iteration 1/ 150 | consumed samples: 64 | … | lm loss: 6.93E-01 | … |`. Its parts
 * depend on method and flags.
 */
export function megatronProgress(line: string): Progress | null {
  const [, step, total] = /\biteration\s+(\d+)\/\s*(\d+)\s*\|/.exec(line) ?? []
  if (step === undefined) return null
  const parts = line.split('|').slice(1).flatMap(namedPart)
  const values = new Map(parts)
  const named = ['lm loss', 'learning rate', 'grad norm']
  const metrics = parts.flatMap(([name, value]) => (value === null || named.includes(name) ? [] : [[name, value]]))
  return {
    step: Number(step),
    total: Number(total),
    loss: values.get('lm loss') ?? null,
    learningRate: values.get('learning rate') ?? null,
    gradientNorm: values.get('grad norm') ?? null,
    metrics: Object.fromEntries(metrics),
  }
}

function namedPart(part: string): [string, number | null][] {
  const [, name, value] = /^(.*\S)\s*:([^:]*)$/.exec(part) ?? []
  return name === undefined ? [] : [[name.trim(), numberOf(value)]]
}
