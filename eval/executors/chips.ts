import {PipelineError} from '../../engine/errors.ts'

interface Chip {
  vectorCores: number
  megahertz: number
}

const chip = (cubeCores: number, megahertz: number): Chip => ({vectorCores: cubeCores * 2, megahertz})

/**
 * The chips that tiling can plan for, as in the twin's own table (`runtime/host/platform.cpp`): those of Atlas A2
 * (`Ascend910B…`) and A3 (`Ascend910_93…`) have one AI Core. They differ in the number of cores, in clock and in
 * external memory.
 */
const chips = {
  Ascend910B1: chip(24, 1850),
  Ascend910B2: chip(24, 1800),
  Ascend910B2C: chip(24, 1800),
  Ascend910B3: chip(20, 1800),
  Ascend910B4: chip(20, 1500),
  'Ascend910B4-1': chip(20, 1500),
  Ascend910_9391: chip(24, 1850),
  Ascend910_9392: chip(24, 1850),
  Ascend910_9381: chip(24, 1800),
  Ascend910_9382: chip(24, 1800),
  Ascend910_9372: chip(20, 1800),
  Ascend910_9362: chip(20, 1500),
} as const satisfies Record<string, Chip>

export const socNames = Object.keys(chips) as (keyof typeof chips)[]

export const defaultSoc = 'Ascend910_9392'

/** @throws PipelineError `config-invalid` for a name not in `socNames` */
export function chipOf(soc: string): Chip {
  const name = socNames.find((one) => one === soc)
  if (name !== undefined) return chips[name]
  throw new PipelineError('config-invalid', `There is no chip ${soc} here; expected one of ${socNames.join(', ')}`, {
    fix: 'Set `executor.soc` to one of these; `npu-smi info` shows a board\'s chip without "Ascend".',
  })
}
