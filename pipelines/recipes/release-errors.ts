import {release} from '../workspace/release.ts'

/** How candidates failed → `errors`. */
export default release('errors', {reads: ['errors']})
