import {expect, test} from 'vitest'
import {secretIn} from '../../../datasets/gates/secrets.ts'

// Made up here, in pieces: what looks like a credential stands in no file.
const mixed = (length: number) => 'a1B2c3D4e5F6g7H8j9K0m1N2p3Q4r5S6t7U8v9W0x1Y2z3'.repeat(4).slice(0, length)
const upper = (length: number) => 'QW3RTY7UXZ4KMN8PAB2CD5EFGH9J'.repeat(3).slice(0, length)
const letters = (length: number) => 'aBcDeFgHiJkLmNoPqRsTuVwXyZ'.repeat(4).slice(0, length)
const block = ['RSA ', 'OPENSSH ', ''].map((kind) => `-----BEGIN ${kind}${'PRIVATE'} KEY-----\n${mixed(60)}`)

test.each([
  ['a private key', block[0]],
  ['a key of OpenSSH', block[1]],
  ['a PKCS#8 key', block[2]],
  ['a PGP key', `-----BEGIN PGP ${'PRIVATE'} KEY BLOCK-----`],
  ['AWS', `aws_access_key_id = AKIA${upper(16)}`],
  ['Alibaba Cloud', `LTAI${mixed(20)}`],
  ['Tencent Cloud', `AKID${mixed(32)}`],
  ['Volcengine', `AKLT${mixed(40)}`],
  ['GitHub', `ghp_${mixed(36)}`],
  ['GitHub, of fine grain', `github_pat_${mixed(82)}`],
  ['GitLab', `glpat-${mixed(20)}`],
  ['Hugging Face', `hf_${letters(34)}`],
  ['OpenAI', `sk-${mixed(48)}`],
  ['Google', `AIza${mixed(35)}`],
  ['Slack', `xoxb-${'1'.repeat(12)}-${mixed(24)}`],
  ['Stripe', `sk_live_${mixed(24)}`],
  ['PyPI', `pypi-${mixed(60)}`],
  ['SendGrid', `SG.${mixed(22)}.${mixed(43)}`],
  ['npm', `_authToken=npm_${mixed(36)}`],
  ['a JSON Web Token', `eyJ${mixed(20)}.eyJ${mixed(30)}.${mixed(40)}`],
  ['a bearer token', `curl -H "Authorization: Bearer ${mixed(32)}"`],
  ['basic authorization', `Authorization: Basic ${Buffer.from('me:hunter22').toString('base64')}`],
  ['credentials in an address', `git clone https://build:${'Pa55'}w0rd@git.corp/op.git`],
  ['credentials of a database', `postgres://op:${'s3cr'}etPw@10.1.2.3/kernels`],
  ['a token in an address', `https://oapi.dingtalk.com/robot/send?access_token=${mixed(64)}`],
  ['a password in code', `const char* password = "${'Winter'}2024!";`],
  ['a password in JSON', `{"password": "${'hunter'}22"}`],
  ['a password in YAML', `passwd: ${'Tr0ub'}4dor`],
  ['a password in Chinese', `登录密码：${'Abc12'}3456`],
  ['a password of a command', `sshpass -p ${'Root@'}2023 ssh host`],
  ['an API key', `api_key = "${mixed(32)}"`],
  ['a key pair of a cloud', `ak = "${upper(20)}"\nsk = "${mixed(40)}"`],
  ['Huawei Cloud', `export HUAWEICLOUD_SDK_SK=${mixed(40)}`],
  ['a client secret', `clientSecret: '${mixed(40)}'`],
  ['a secret that asks to be left unread', `/* ${'secretlint'}-disable */ SG.${mixed(22)}.${mixed(43)}`],
])('%s is found', async (_, text) => {
  expect(await secretIn(`Some words before.\n${text}\nand after`)).toBeTypeOf('string')
})

test.each([
  ['the word token', 'std::string token = tokens[0]; // each token is a word'],
  ['a name of a key', 'const char* key = "matmul_leakyrelu_custom_v220_tiling_key";'],
  ['a place for a password', 'password = "<your password>"; api_key: "YOUR_API_KEY_0123456789abcdef"'],
  ['a password asked for', 'password = getpass("password: ")'],
  ['an empty password', 'password = "";'],
  ['an address with a variable', 'https://user:${PASSWORD}@host/repo.git'],
  ['a port', 'http://127.0.0.1:8000/v1@latest'],
  ['a digest', 'sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'],
  ['a mask', 'uint64_t mask = 0xFFFFFFFFFFFFFFFF; constexpr uint64_t secret = 0x0123456789ABCDEF;'],
  ['a macro of base64 letters', '#define TILING_KEY_ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz 1'],
  ['a tiling key', 'tiling_key=10000000000000000021'],
  ['a bearer of words', 'Bearer of good news: the authorization went through'],
])('%s is none', async (_, text) => {
  expect(await secretIn(text)).toBeUndefined()
})

test('what is said of a secret does not hold it', async () => {
  const value = mixed(36)
  expect(await secretIn(`ghp_${value}`)).not.toContain(value.slice(0, 6))
})

test.each([
  ['letters', 'x'.repeat(300_000)],
  ['schemes', 'https://a:'.repeat(30_000)],
  ['names', 'password='.repeat(30_000)],
  ['spaces', `password = ${' '.repeat(300_000)}`],
  ['begins of tokens', 'eyJeyJ.'.repeat(40_000)],
])('300,000 characters of %s are read without stalling', {timeout: 8000}, async (_, text) => {
  await secretIn(text)
})
