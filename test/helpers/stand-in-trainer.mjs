// Prints and saves as TRL does, and trains nothing: `step,milliseconds,every,output[,resume]`. Its loss is a sum that a
// checkpoint carries on, so that a run that really resumed has the losses of one that was never stopped.
import {appendFileSync, mkdirSync, readFileSync, renameSync, writeFileSync} from 'node:fs'
import {setTimeout as delay} from 'node:timers/promises'

const [steps, milliseconds, every, output, resume = '', fault = ''] = process.argv.slice(2)
let state = {step: 0, loss: 4}
if (resume !== '') state = JSON.parse(readFileSync(`${resume}/trainer_state.json`, 'utf8'))
appendFileSync(`${output}-starts`, `${state.step} ${process.env.NODE_RANK ?? ''} ${process.pid}\n`)
console.log(`\r  0%|          | ${state.step}/${steps} [00:00<?, ?it/s]`)
while (state.step < Number(steps)) {
  await delay(Number(milliseconds))
  state = {step: state.step + 1, loss: Number((state.loss * 0.9 + 0.01 * (state.step % 3)).toFixed(6))}
  const bar = `\r ${state.step}/${steps} [00:00<00:00]\r                    \r`
  console.log(`${bar}{'loss': '${state.loss}', 'grad_norm': '1.5', 'learning_rate': '1e-05', 'epoch': '${state.step}'}`)
  if (fault === `exit-at-${state.step}`) process.exit(3)
  if (state.step % Number(every) !== 0) continue
  const checkpoint = `${output}/checkpoint-${state.step}`
  mkdirSync(checkpoint, {recursive: true})
  // Whole or not at all: tests kill this process when the file is there.
  writeFileSync(`${checkpoint}/trainer_state.json.new`, JSON.stringify(state))
  renameSync(`${checkpoint}/trainer_state.json.new`, `${checkpoint}/trainer_state.json`)
}
console.log('saved')
