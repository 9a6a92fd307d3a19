let isBroken = false

/** What may become of recognition: an answer, no end, too much memory, an error once or for good, a thread gone. */
export default function moodyReader({bytes}: {bytes: Uint8Array}): object {
  const mood = Buffer.from(bytes).toString()
  if (mood === 'hangs') for (;;);
  if (mood === 'hoards') for (const hoard: unknown[] = []; ; ) hoard.push(new Array(1_000_000).fill(hoard.length))
  if (mood === 'breaks') isBroken = true
  if (isBroken) throw new Error('broken for good')
  if (mood === 'throws') throw new Error('the model is missing')
  if (mood === 'exits') process.exit(3)
  return {width: 1, height: 1, text: mood, confidence: 1, lines: 1}
}
