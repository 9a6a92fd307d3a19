import {tmpdir} from 'node:os'
import {join} from 'node:path'

/** A cache folder that outlives a test run: the twin is built once per machine and compiler. */
export const testCache = process.env['TWIN_TEST_CACHE'] ?? join(tmpdir(), 'ascend-cot-test-cache')

/** Where commands that are given `testCache` keep the twin; tests that need no command share it. */
export const twinCache = join(testCache, 'twin')
