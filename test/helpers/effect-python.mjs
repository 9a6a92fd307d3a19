#!/usr/bin/env node
// Answers as `effect.py` and the trainer do, by rules that a test can foresee: a word is a token, a byte costs a bit,
// and a model that was trained costs half of it. Every call is a line of $EFFECT_CALLS; $EFFECT_FAILS names one task
// that fails.
import {appendFileSync, mkdirSync, readFileSync, renameSync, writeFileSync} from 'node:fs'
import {basename} from 'node:path'

const [, , program, task, ...flags] = process.argv
const options = Object.fromEntries(flags.flatMap((flag, at) => (at % 2 === 0 ? [[flag.slice(2), flags[at + 1]]] : [])))
const what = basename(program) === 'effect.py' ? task : 'train'
appendFileSync(process.env.EFFECT_CALLS, `${what}\n`)
if (process.env.EFFECT_FAILS === what) {
  process.stderr.write(process.env.EFFECT_SAYS ?? 'RuntimeError: out of memory\n')
  process.exit(1)
}

const lines = (path) =>
  readFileSync(path, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))
const words = (text) => text.split(/\s+/).filter(Boolean).length
const cost = () => (/\/(?:arms|jobs)\//.test(options.model) ? 0.5 : 1)

function write(records) {
  writeFileSync(`${options.out}.tmp`, records.map((one) => `${JSON.stringify(one)}\n`).join(''))
  renameSync(`${options.out}.tmp`, options.out)
}

const tasks = {
  general: () => write([{group: 'English', name: 'if', text: 'The if statement.'}]),
  model: () => mkdirSync(options.out),
  count: () => write(lines(options.items).map(({id, parts}) => ({id, tokens: parts.map(words)}))),
  windows: () => {
    write([{input_ids: [1], completion_mask: [1]}])
    const rows = lines(options.items).length
    const spent = {tokens: +options.tokens, answer_tokens: 3, rows, windows: 1, passes: 1}
    process.stdout.write(JSON.stringify({spent, device: 'cpu'}))
  },
  sample: () => write(lines(options.items).map(({id}) => ({id, text: 'of tiles'}))),
  score: () => {
    const bits = (text) => ({
      bits: cost() * Buffer.byteLength(text),
      tokens: words(text),
      bytes: Buffer.byteLength(text),
    })
    write(lines(options.items).map(({id, parts}) => ({id, parts: parts.map(bits)})))
  },
  train: () => {
    const [, output] = /^output_dir: "?([^"\n]+)"?$/m.exec(readFileSync(flags[1], 'utf8'))
    mkdirSync(output, {recursive: true})
    writeFileSync(`${output}/model.safetensors`, '')
  },
}
tasks[what]()
