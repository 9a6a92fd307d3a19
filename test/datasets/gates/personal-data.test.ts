import {expect, test} from 'vitest'
import {personalDataIn} from '../../../datasets/gates/personal-data.ts'

const at = '@'

test.each([
  ['e-mail address', `// author: zhang.san${at}qq.com`],
  ['e-mail address', `联系 3431470978${at}163.com。`],
  ['intranet address', 'ssh into 10.175.34.12 first'],
  ['intranet address', 'http://192.168.31.77:8080/repo'],
  ['intranet address', 'host = "172.20.5.9"'],
  ['phone number', '+86 13912345678'],
  ['phone number', '手机：13912345678'],
  ['phone number', '139-1234-5678'],
  ['phone number', 'Tel: +49 30 1234567'],
  ['identity number', '11010519491231002X'],
  ['home folder', '/home/zhangsan/Ascend/latest'],
  ['home folder', 'C:\\Users\\lisi\\code'],
  ['home folder', '/Users/wangwu/op.cpp'],
  ['employee number', '@author z00512345'],
])('%s in %s', (kind, text) => {
  expect(personalDataIn(`Before ${text} after`)).toBe(kind)
})

test.each([
  ['an example address', `mail to someone${at}example.com, git${at}gitee.com:ascend/samples.git`],
  ['a matrix product', `attn = q${at}k.transpose(-2, -1); y = xx${at}ww.T`],
  ['a decorator', `${at}torch.jit.script`],
  ['a gateway, loopback and a network', '192.168.1.1, 127.0.0.1, 0.0.0.0, 10.0.0.0/8, 192.168.0.0'],
  ['a version', 'CANN version 10.1.0.15, v10.2.3.4, driver 10.1.2.3'],
  ['no address', '10.300.1.2 and 10.1.2.3.4'],
  ['sizes', 'shapes 128 1536 1024, 137438953472, 13912345678'],
  ['a wrong check digit', '110105194912310021'],
  ['eighteen digits', '123456789012345678'],
  ['folders below home', '/home/your_name/x, /home/HwHiAiUser/log, /home/op_api/build'],
  ['hexadecimal', 'uint32_t a = 0xa00123456; // c00123456'],
])('%s is none', (_, text) => {
  expect(personalDataIn(text)).toBeUndefined()
})

test('300,000 characters are read without stalling', {timeout: 8000}, () => {
  for (const text of ['a'.repeat(300_000), `a${at}b.`.repeat(75_000), '10.'.repeat(100_000), '1'.repeat(300_000)])
    personalDataIn(text)
})
