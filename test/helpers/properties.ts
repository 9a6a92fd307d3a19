import fc from 'fast-check'

// The same texts and numbers at every run: what a run of tests says must not depend on chance.
fc.configureGlobal({seed: 20_240_613, numRuns: 500})

export default fc
