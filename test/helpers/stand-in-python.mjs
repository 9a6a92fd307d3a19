#!/usr/bin/env node
// In place of an interpreter that has TRL: says what is installed, and for `accelerate launch` reports and saves as the
// rendered files ask for. It trains nothing.
import {mkdirSync, readFileSync, renameSync, writeFileSync} from 'node:fs'
import {setTimeout as delay} from 'node:timers/promises'
import {parse} from 'yaml'

const args = process.argv.slice(2)
if (args[0] === '-c') {
  const versions = {trl: '1.16.0', torch: '2.13.0', transformers: '5.23.0', peft: '0.21.0'}
  console.log(JSON.stringify({versions, keys: null}))
  process.exit(0)
}
const config = parse(readFileSync(args[args.indexOf('--config') + 1], 'utf8'))
const from = config.resume_from_checkpoint
let step = from === undefined ? 0 : JSON.parse(readFileSync(`${from}/trainer_state.json`, 'utf8')).step
console.log(`starting at ${step}`)
while (step < config.max_steps) {
  await delay(Number(process.env.STAND_IN_MILLISECONDS ?? 20))
  step += 1
  const values = {step, total: config.max_steps, loss: 4 / step, learning_rate: 1e-5, grad_norm: 1}
  console.log(`PROGRESS ${JSON.stringify(values)}`)
  if (step % config.save_steps !== 0) continue
  mkdirSync(`${config.output_dir}/checkpoint-${step}`, {recursive: true})
  // Whole or not at all: tests kill this process when the file is there.
  const state = `${config.output_dir}/checkpoint-${step}/trainer_state.json`
  writeFileSync(`${state}.new`, JSON.stringify({step}))
  renameSync(`${state}.new`, state)
}
