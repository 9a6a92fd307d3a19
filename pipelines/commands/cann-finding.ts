import {join, resolve} from 'node:path'
import {PipelineError} from '../../engine/errors.ts'
import type {Config} from '../workspace/config.ts'
import {foundCann} from './open-cann.ts'
import type {Finding} from './machine-finding.ts'
import type {World} from './world.ts'

const without = 'none while the twin judges; `--executor cann` is refused'

/** Which levels of CANN can be used. */
export async function cannFinding(config: Config, world: World): Promise<Finding> {
  try {
    const {shell, install} = await foundCann(config, world, join(resolve(config.out), 'work'))
    const {levels, version, home, devices} = install
    const boards = devices.length === 0 ? '' : `, boards ${devices.join(', ')}`
    const detail = `${levels.join(', ')} (${version} in ${home} on ${shell.place}${boards})`
    return {what: 'cann', state: 'good', detail, cost: '', fix: ''}
  } catch (error) {
    if (!(error instanceof PipelineError) || error.code !== 'toolchain-missing') throw error
    return {what: 'cann', state: 'limited', detail: error.message, cost: without, fix: error.fix}
  }
}
