import {nearest} from '../../engine/nearest.ts'
import type {CheckedJob} from './checked-job.ts'
import {found, type Finding} from './finding.ts'

/** The trainer's package; MindSpeed-LLM is run from its checkout. */
const packageOf = {trl: 'trl', 'llama-factory': 'llamafactory', 'ms-swift': 'ms-swift', 'mindspeed-llm': undefined}

/** Checks the trainer's environment: missing packages, and keys that would be ignored. */
export function environmentChecks(job: CheckedJob): Finding[] {
  const {facts} = job
  return [
    ...numbersAsText(job),
    ...(facts.probe ? installed(job) : unasked(job)),
    ...unknownKeys(job),
    ...devices(job),
    ...scheduler(job),
  ]
}

function unasked({plan: {spec}}: CheckedJob): Finding[] {
  // A container's packages come with its image.
  if (spec.backend.kind === 'kubernetes') return []
  return found(
    'environment-unasked',
    `The versions and keys of ${spec.environment.python} were not checked.`,
    `Set environment.python=<path> to the interpreter of the ${spec.engine} environment.`,
  )
}

function installed({plan: {spec}, facts}: CheckedJob): Finding[] {
  const {parallel, tuning, hardware, engine} = spec
  const needed = [
    packageOf[engine],
    ...(engine === 'trl' && tuning.kind.value === 'lora' ? ['peft'] : []),
    ...(parallel.sharding.value.startsWith('zero') ? ['deepspeed'] : []),
    ...(hardware.accelerator === 'ascend' ? ['torch-npu'] : ['torch']),
  ].filter((name) => name !== undefined)
  const versions = facts.probe?.versions ?? {}
  const {python} = spec.environment
  const missing = needed.filter((name) => versions[name] === undefined)
  if (missing.length === 0) return []
  return found(
    'trainer-missing',
    `${python} has no ${missing.join(', ')}, which this job needs.`,
    `${python} -m pip install ${missing.join(' ')}; or set environment.python=<path>.`,
  )
}

function unknownKeys({plan: {spec}, facts}: CheckedJob): Finding[] {
  const known = facts.probe?.keys
  if (!known) return []
  return [...new Set([...facts.keys, ...Object.keys(spec.trainer)])]
    .filter((key) => !known.includes(key))
    .flatMap((key) => {
      const guess = nearest(key, known)
      const from = Object.hasOwn(spec.trainer, key) ? ' (`trainer`)' : ''
      return found(
        'key-unknown',
        `The installed ${spec.engine} has no key ${key}${from}.`,
        guess === undefined ? 'Remove it, or install another version.' : `Did you mean ${guess}?`,
      )
    })
}

/** Python's YAML reads `1e-6` as text, and a trainer may treat any text as true. */
function numbersAsText({plan: {spec}}: CheckedJob): Finding[] {
  return Object.entries(spec.trainer)
    .filter(([, value]) => typeof value === 'string' && value.trim() !== '' && Number.isFinite(Number(value)))
    .flatMap(([key, value]) =>
      found(
        'number-as-text',
        `trainer.${key} is the text "${String(value)}", not a number.`,
        'Write it without quotes and with a decimal point: 1.0e-6.',
      ),
    )
}

function devices({plan: {spec}, facts}: CheckedJob): Finding[] {
  const {accelerator, devicesPerNode} = spec.hardware
  if (accelerator === 'cpu' || spec.backend.kind !== 'local' || facts.devices === null) return []
  if (facts.devices >= devicesPerNode) return []
  const other = facts.devices > 0 ? `hardware.devicesPerNode=${facts.devices}` : 'hardware.accelerator=cpu'
  const shown = facts.devices === 1 ? '1 device' : `${facts.devices || 'no'} devices`
  return found(
    'devices-short',
    `This machine shows ${shown} (${accelerator}), but \`hardware\` requires ${devicesPerNode}.`,
    `Use --set ${other}, or run it elsewhere (--set backend.kind=slurm or kubernetes).`,
  )
}

function scheduler({plan: {spec}, facts: {missingCommand}}: CheckedJob): Finding[] {
  if (missingCommand === null) return []
  return found(
    'scheduler-missing',
    `\`backend.kind\` is ${spec.backend.kind}, and this machine has no ${missingCommand}.`,
    `Start it where \`ascend-cot doctor\` finds ${missingCommand}, or use --set backend.kind=local.`,
  )
}
