#!/usr/bin/env node
// The command runs its TypeScript as it stands, so that a stage or recipe of yours is one file and no build.
import {register} from 'tsx/esm/api'

register()
const {main} = await import('./cli.ts')
process.exitCode = await main(process.argv.slice(2))
