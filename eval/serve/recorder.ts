import type {Log} from '../../engine/log.ts'
import type {Assessment} from './assess.ts'
import type {Meters} from './meters.ts'
import type {Read} from './reading.ts'

/** Records the outcome of completions: in counters, and as one log line each. */
export interface Recorder {
  assessed(taskId: string, read: Read, assessment: Assessment, milliseconds: number): void
}

/** @param withSources whether the log also gets the code of candidates: it belongs to the client */
export function openRecorder(meters: Meters, log: Log, withSources: boolean): Recorder {
  return {
    assessed(task, read, assessment, milliseconds) {
      meters.assessed(assessment)
      const {label, reward, decoy, cached, evidence} = assessment
      const sources = withSources && read.ok ? {files: read.candidate.files} : {}
      log.debug('assessed', {task, label, reward, decoy, cached, outcome: evidence.outcome, milliseconds, ...sources})
    },
  }
}
