/** Ed25519 verified by programs of other languages that this machine has. */
import { spawnSync } from 'node:child_process'
import { createPublicKey, type JsonWebKey } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A signature, and what it is to verify. */
export interface Signed {
  readonly jwk: JsonWebKey
  readonly content: string
  /** In base64. */
  readonly signature: string
}

const LIMIT_MS = 20_000

const PYTHON = `
import base64, json, sys
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
signed = json.load(sys.stdin)
x = signed["jwk"]["x"]
key = Ed25519PublicKey.from_public_bytes(base64.urlsafe_b64decode(x + "=" * (-len(x) % 4)))
try:
    key.verify(base64.b64decode(signed["signature"]), signed["content"].encode())
    print("genuine")
except InvalidSignature:
    print("forged")
`

const runs = (command: string, args: readonly string[]) =>
  spawnSync(command, args, { timeout: LIMIT_MS }).status === 0

const byPython = (signed: Signed): boolean => {
  const input = JSON.stringify(signed)
  const { stdout, stderr } = spawnSync('python3', ['-c', PYTHON], { input, timeout: LIMIT_MS })
  const said = `${stdout}`.trim()
  if (said !== 'genuine' && said !== 'forged') throw new Error(`python3: ${stderr}`)
  return said === 'genuine'
}

const byOpenssl = ({ jwk, content, signature }: Signed): boolean => {
  const folder = mkdtempSync(join(tmpdir(), 'signature-'))
  const file = (name: string, text: string | Buffer) => {
    writeFileSync(join(folder, name), text)
    return join(folder, name)
  }
  try {
    const pem = createPublicKey({ key: jwk, format: 'jwk' }).export({ type: 'spki', format: 'pem' })
    const key = ['-pubin', '-inkey', file('key.pem', pem)]
    const files = [
      '-in',
      file('content', content),
      '-sigfile',
      file('signature', Buffer.from(signature, 'base64')),
    ]
    const { stdout, stderr } = spawnSync('openssl', ['pkeyutl', '-verify', '-rawin', ...key, ...files], {
      timeout: LIMIT_MS,
    })
    const said = `${stdout}`.trim()
    if (!/^Signature Verif(ied Successfully|ication Failure)$/.test(said))
      throw new Error(`openssl: ${stderr}`)
    return said === 'Signature Verified Successfully'
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Verifiers by name; undefined where the machine has not got it. */
export const VERIFIERS: Readonly<Record<string, ((signed: Signed) => boolean) | undefined>> = {
  "Python's cryptography": runs('python3', ['-c', 'import cryptography']) ? byPython : undefined,
  openssl: runs('openssl', ['pkeyutl', '-help']) ? byOpenssl : undefined,
}
