import { assert, it } from "@effect/vitest"
import { bearerOf } from "../../../src/calls/keys/bearer.js"

it("the secret of a header is read whole, however the scheme is written", () => {
  for (const header of ["Bearer svc_key_aB-1", "bearer svc_key_aB-1", "BEARER   svc_key_aB-1  "]) {
    assert.strictEqual(bearerOf(header), "svc_key_aB-1", header)
  }
  assert.strictEqual(bearerOf("Bearer a.b~c+d/e=="), "a.b~c+d/e==")
})

it("a header that is missing or says something else has no secret", () => {
  const others = [
    "",
    "Bearer",
    "Bearer ",
    "Basic abc",
    "Bearer a b",
    "Bearer a=b",
    "Bearer ä",
    "x Bearer abc",
    "Bearerabc"
  ]
  for (const header of [undefined, ...others]) assert.isNull(bearerOf(header), header)
})
