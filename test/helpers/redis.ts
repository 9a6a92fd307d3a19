import {spawn, type ChildProcess} from 'node:child_process'
import {once} from 'node:events'
import {connect, createServer, type AddressInfo, type Socket} from 'node:net'
import {freePort} from '../../engine/free-port.ts'
import {until} from './until.ts'

export interface RedisServer {
  url: string
  /** Without a trace of what it held, as one without persistence. */
  restart(): Promise<void>
  close(): Promise<void>
}

/** A real redis-server on a loopback port; it keeps nothing on disk. */
export async function startRedis(...options: string[]): Promise<RedisServer> {
  const port = await freePort()
  let server: ChildProcess
  const start = async () => {
    const usual = ['--bind', '127.0.0.1', '--port', String(port), '--save', '', '--appendonly', 'no']
    server = spawn('redis-server', [...usual, ...options], {stdio: 'ignore'})
    await until(() => answers(port))
  }
  const stop = async () => {
    server.kill('SIGKILL')
    if (server.exitCode === null && server.signalCode === null) await once(server, 'exit')
  }
  await start()
  return {url: `redis://127.0.0.1:${port}`, close: stop, restart: () => stop().then(start)}
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true))
    socket.once('error', () => resolve(false)).once('close', () => socket.destroy())
    socket.once('connect', () => socket.end())
  })
}

/** A way to a server that is slow, and that can be cut. */
export async function badWay(url: string, delay: number) {
  const open = new Set<Socket>()
  const proxy = createServer((near) => {
    const far = connect(Number(new URL(url).port), '127.0.0.1')
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(from)
      from.on('data', (bytes) => setTimeout(() => to.writable && to.write(bytes), delay))
      from.on('error', () => undefined)
      from.on('close', () => {
        open.delete(from)
        to.destroy()
      })
    }
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  return {
    url: `redis://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    cut: () => {
      for (const socket of open) socket.destroy()
    },
    close() {
      this.cut()
      proxy.close()
    },
  }
}
