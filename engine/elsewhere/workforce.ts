import {counted} from '../counted.ts'
import type {WorkerSeen, Workforce} from './worker-seen.ts'

/** Seconds of silence after which a worker is taken for lost. */
const lostAfter = 20

export const isPresent = ({silentSeconds}: Pick<WorkerSeen, 'silentSeconds'>) => silentSeconds < lostAfter

export const present = ({workers}: Workforce) => workers.filter(isPresent)

/** `7 batches waiting`. */
export const waitingText = ({unit, waiting}: Workforce) =>
  `${counted(waiting, unit, unit === 'batch' ? 'batches' : undefined)} waiting`
