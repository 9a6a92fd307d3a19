import {ClusteredError} from '../../datasets/schema/error-cluster.ts'
import {DescribedError} from '../../datasets/schema/edit-facts.ts'
import {each, type Stage} from '../../engine/stage.ts'
import {editsBetween} from './edits.ts'

/** A failure of a cluster → the same with the steps from its code to the right code. */
export default function editFacts(): Stage<ClusteredError, DescribedError> {
  return {
    name: 'edit-facts',
    version: 1,
    input: ClusteredError,
    output: DescribedError,
    run: each((error) => [{...error, edits: editsBetween(error.candidate.files, error.candidate.reference.files)}]),
  }
}
