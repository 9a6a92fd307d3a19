import {release} from '../workspace/release.ts'

/** All pairs → `dpo`. */
export default release('dpo', {reads: ['preference']})
