import {expect, test, vi} from 'vitest'
import readImage from '../../../../sources/docs/ocr/read-image.ts'
import {textPicture} from '../../../helpers/formula-picture.ts'

const made = vi.hoisted(() => [] as {isEnded: boolean}[])

vi.mock('tesseract.js', async (original) => ({
  ...(await original<typeof import('tesseract.js')>()),
  async createWorker() {
    const worker = {isEnded: false}
    made.push(worker)
    if (made.length === 1) throw new Error('the model is missing')
    return {
      setParameters: async () => {},
      async recognize() {
        if (made.length === 2) throw new Error('Aborted()')
        return {data: {text: 'read', confidence: 90, blocks: []}}
      },
      async terminate() {
        worker.isEnded = true
      },
    }
  },
}))

test('a recogniser that failed is given up, and the next image gets another', async () => {
  const image = {bytes: textPicture(['a'], 9), kind: 'formula'} as const
  await expect(readImage(image)).rejects.toThrow('the model is missing')
  await expect(readImage(image)).rejects.toThrow('Aborted()')
  expect(made[1]?.isEnded).toBe(true)
  expect(await readImage({...image, kind: 'figure'})).toMatchObject({text: 'read'})
})
