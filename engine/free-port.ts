import {createServer, type AddressInfo} from 'node:net'

/** A port of loopback that nobody listens on now; whoever takes it soon is likely to get it. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const {port} = server.address() as AddressInfo
      server.close(() => resolve(port))
    })
  })
}
