/** By what a host is known: as its workspace's in the name system, and as leading to this service when it is asked. */
import type { Crypto } from "../../kernel/ports/Crypto.js"

type Mac = Pick<Crypto["Service"], "mac">

/** The name of the TXT record, and its value: for this workspace and this host alone. */
export const proofName = (host: string): string => `_link.${host}`
export const proofValue = (crypto: Mac, workspaceId: string, host: string): string =>
  crypto.mac("link_host", `proof\n${workspaceId}\n${host}`)

/** The path that a check asks for. */
export const checkPath = (nonce: string): string => `/u/check/${nonce}`
const CHECK = /^\/u\/check\/([A-Za-z0-9_-]{43})$/

/** What a check asks to have confirmed; null: the path is none of a check. */
export const nonceIn = (path: string): string | null => CHECK.exec(path)?.[1] ?? null

const confirmed = (crypto: Mac, host: string, nonce: string): string =>
  crypto.mac("link_host", `answer\n${host}\n${nonce}`)

/** The answer of this service to a check, which names the host under which it was asked. */
export const answerTo = (crypto: Mac, host: string, nonce: string): string =>
  `${host}\n${confirmed(crypto, host, nonce)}\n`

/** Whose answer it is: of this service under that host, of this service under another name, or of anybody. */
export const answerOf = (crypto: Mac, host: string, nonce: string, body: string): "ours" | "renamed" | "other" => {
  const [seen = "", proof = ""] = body.split("\n")
  // Comparing digests hides from timing how much of it was right.
  const digest = (text: string): string => crypto.mac("link_host", `compared\n${text}`)
  if (digest(proof) !== digest(confirmed(crypto, seen, nonce))) return "other"
  return seen === host ? "ours" : "renamed"
}
