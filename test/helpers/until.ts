/** Waits for what another process does. @throws Error after `seconds` */
export async function until(holds: () => boolean | Promise<boolean>, seconds = 60): Promise<void> {
  for (let waited = 0; waited < seconds * 1000; waited += 20) {
    if (await holds()) return
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  throw new Error(`it did not happen within ${seconds} s`)
}
