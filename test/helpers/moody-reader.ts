/** What may become of recognition: an answer, no end, an error, or a thread that is gone. */
export default function moodyReader({bytes}: {bytes: Uint8Array}): object {
  const mood = Buffer.from(bytes).toString()
  if (mood === 'hangs') for (;;);
  if (mood === 'throws') throw new Error('the model is missing')
  if (mood === 'exits') process.exit(3)
  return {width: 1, height: 1, text: mood, confidence: 1, lines: 1}
}
