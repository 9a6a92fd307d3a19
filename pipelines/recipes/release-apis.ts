import {release} from '../workspace/release.ts'

/** The index of interfaces → `apis`. It is a reference, so nothing is held out: everything is in the train split. */
export default release('apis', {reads: ['api-index'], testFraction: 0})
