import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { verbList } from "@outbound/domain/verbs/verbs.js"
import { Home, root, runningIn, shownKey } from "./support/Program.js"

let home: Home
let folder: string
let environment: Record<string, string>

beforeAll(async () => {
  home = await Home.make()
  const key = shownKey(await home.serve())
  folder = join(home.folder, "python")
  mkdirSync(folder)
  environment = { OUTBOUND_URL: home.url, OUTBOUND_API_KEY: key, PYTHONDONTWRITEBYTECODE: "1" }
  const document = join(folder, "openapi.json")
  writeFileSync(document, await (await fetch(`${home.url}/openapi.json`)).text())
  const made = await runningIn(root, process.execPath, [
    "packages/testkit/scripts/run.mjs",
    "python",
    folder,
    "--from",
    document
  ]).ended
  assert.strictEqual(made.code, 0, made.err)
})
afterAll(() => home.close())

const python = async (script: string): Promise<string> => {
  writeFileSync(join(folder, "test.py"), script)
  const { code, err, out } = await runningIn(folder, "python3", ["test.py"], environment).ended
  assert.strictEqual(code, 0, err)
  return out
}

describe("the client for Python, made from the document of a running service", () => {
  it("has every verb, typed, with and without asyncio", async () => {
    const out = await python(`
import inspect, typing, outbound
for kind in (outbound.Outbound, outbound.AsyncOutbound):
    names = [n for n, f in inspect.getmembers(kind, inspect.isfunction) if not n.startswith("_")]
    for name in names:
        typing.get_type_hints(getattr(kind, name))
        assert getattr(kind, name).__doc__
    print(*sorted(names))`)
    const [plain, async] = out.trim().split("\n")
    assert.deepStrictEqual(plain?.split(" "), verbList.map(({ name }) => name).sort())
    assert.strictEqual(async, plain)
  })

  it("calls, plans, reads, is refused and asks again under one key", async () => {
    const out = await python(`
import asyncio
from outbound import AsyncOutbound, NoAnswer, Outbound, Refused
client = Outbound()
print(client.get_me().result["workspace"]["kind"])
print(client.verify_email(email="valid@magic.test", dry_run=True).result["plan"]["credits_estimate"])
one = client.verify_email(email="valid@magic.test", idempotency_key="k")
again = client.verify_email(email="valid@magic.test", idempotency_key="k")
print(one.result["status"], one.svc["credits_charged"], again.svc["replayed"], again.svc["request_id"] == one.svc["request_id"])
print(client.list_campaigns(limit=1).result["campaigns"])
try:
    client.find_leads(audience="", titles="CTO")
except Refused as refused:
    print(refused.code, refused.status, sorted(one["path"] for one in refused.details["issues"]))
try:
    client.get_operation(operation_id="018f3a5e-7b1c-7d2e-9f10-2b3c4d5e6f70")
except Refused as refused:
    print(refused.code, refused.is_retryable)
async def both():
    client = AsyncOutbound()
    found = await asyncio.gather(client.verify_email(email="risky@magic.test"), client.get_usage())
    print(found[0].result["status"], "credits_available" in found[1].result)
asyncio.run(both())
try:
    Outbound("http://127.0.0.1:9", retries_max=1).get_usage()
except NoAnswer:
    print("no answer")`)
    assert.deepStrictEqual(out.trim().split("\n"), [
      "sandbox",
      "1",
      "valid 1 True True",
      "[]",
      "invalid_request 400 ['audience', 'titles']",
      "not_found False",
      "risky True",
      "no answer"
    ])
  })

  it("sends again what may be sent again, with the same key, and nothing else", async () => {
    const out = await python(`
import http.server, json, threading
from outbound import Outbound, Refused
seen = []
class Busy(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        seen.append(self.headers["idempotency-key"])
        self.rfile.read(int(self.headers["content-length"]))
        code = "provider_unavailable" if len(seen) < 3 else "suppressed_recipient"
        body = json.dumps({"error": {"code": code, "message": "m", "request_id": "r", "details": {}}}).encode()
        self.send_response(503); self.send_header("content-length", str(len(body))); self.end_headers(); self.wfile.write(body)
    def log_message(self, *_): pass
server = http.server.HTTPServer(("127.0.0.1", 0), Busy)
threading.Thread(target=server.serve_forever, daemon=True).start()
try:
    Outbound(f"http://127.0.0.1:{server.server_port}", "k").verify_email(email="a@b.example")
except Refused as refused:
    print(refused.code, len(seen), len(set(seen)))`)
    assert.strictEqual(out.trim(), "suppressed_recipient 3 1")
  })
})
