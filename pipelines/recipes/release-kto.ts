import {release} from '../workspace/release.ts'

/** All single replies → `kto`. */
export default release('kto', {reads: ['unpaired']})
