import type {CheckedJob} from './checked-job.ts'
import type {Finding} from './finding.ts'

/** LoRA on top of a job that trained LoRA. */
export function adapterChecks({plan: {spec}, model: {parent}}: CheckedJob): Finding[] {
  if (parent?.spec.tuning.kind.value !== 'lora') return []
  const [own, theirs] = [spec.tuning, parent.spec.tuning]
  if (own.kind.value === 'full') {
    return [
      {
        code: 'adapter-untuned',
        severity: 'warning',
        message: `${parent.id} trained an adapter (LoRA); this job trains all weights, the adapter merged into them.`,
        fix: 'Set `tuning.kind: lora` to continue with an adapter.',
      },
    ]
  }
  const same = own.rank.value === theirs.rank.value && own.alpha.value === theirs.alpha.value
  if (same) return []
  return [
    {
      code: 'adapter-rank',
      // Its converter is given rank and alpha again, and merges with those values.
      severity: spec.engine === 'mindspeed-llm' ? 'error' : 'warning',
      message:
        `LoRA of rank ${own.rank.value}, alpha ${own.alpha.value} follows ${parent.id} of rank ${theirs.rank.value}, ` +
        `alpha ${theirs.alpha.value}.`,
      fix: `--set tuning.rank=${theirs.rank.value} --set tuning.alpha=${theirs.alpha.value}.`,
    },
  ]
}
