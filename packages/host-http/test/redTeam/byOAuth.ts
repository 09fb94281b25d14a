import { type Attempt, JSON_TYPE, NOBODY, type Stage } from "./attempt.js"

/** What a client of OAuth tries at the endpoints that are open to everybody. */
export const byOAuth = ({ owner, victim }: Stage): ReadonlyArray<Attempt> => {
  const form = (what: string, path: string, fields: Record<string, string>, answer: Attempt["answer"]): Attempt => ({
    what,
    path,
    body: new URLSearchParams(fields),
    answer
  })
  const code = { grant_type: "authorization_code", client_id: NOBODY, code: `svc_code_${"A".repeat(43)}` }
  return [
    form(
      "a code that was never issued",
      "/oauth/token",
      { ...code, redirect_uri: "http://127.0.0.1/b", code_verifier: "v".repeat(43) },
      [400, "invalid_grant"]
    ),
    form("a code without a verifier", "/oauth/token", { ...code, redirect_uri: "http://127.0.0.1/b" }, [
      400,
      "invalid_request"
    ]),
    form(
      "a key for a code",
      "/oauth/token",
      { ...code, code: victim.apiKey, redirect_uri: "http://127.0.0.1/b", code_verifier: "v".repeat(43) },
      [400, "invalid_grant"]
    ),
    form(
      "a key for a refresh token",
      "/oauth/token",
      { grant_type: "refresh_token", client_id: NOBODY, refresh_token: victim.apiKey },
      [400, "invalid_grant"]
    ),
    form(
      "a password",
      "/oauth/token",
      { grant_type: "password", client_id: NOBODY, username: victim.ownerEmail, password: "x" },
      [400, "unsupported_grant_type"]
    ),
    form("the client's own credentials", "/oauth/token", { grant_type: "client_credentials", client_id: NOBODY }, [
      400,
      "unsupported_grant_type"
    ]),
    {
      what: "a client that is sent to a script",
      path: "/oauth/register",
      headers: JSON_TYPE,
      body: JSON.stringify({ client_name: "x", redirect_uris: ["javascript:alert(1)"] }),
      answer: [400, "invalid_redirect_uri"]
    },
    {
      what: "consent to what nobody asked for",
      path: `/console/oauth/authorize/${NOBODY}`,
      headers: { cookie: owner.cookie, origin: "https://evil.example" },
      body: new URLSearchParams({ csrf: owner.csrf }),
      answer: [403, null]
    }
  ]
}
