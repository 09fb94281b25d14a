import type { Attempt, Stage } from "./attempt.js"

/** Who is not let in, whatever they say they are. */
export const byCredential = ({ campaignId, owner, victim }: Stage): ReadonlyArray<Attempt> => {
  const me = (what: string, headers: Record<string, string>, path = "/v1/me"): Attempt => ({
    what,
    method: "GET",
    path,
    headers,
    answer: [401, "unauthorized"]
  })
  return [
    me("nobody", {}),
    me("a key in the address", {}, `/v1/me?api_key=${victim.apiKey}`),
    me("a key as a password", { authorization: `Basic ${btoa(`key:${victim.apiKey}`)}` }),
    me("a key that was cut", { authorization: `Bearer ${victim.apiKey.slice(0, -1)}` }),
    me("a key in other letters", { authorization: `Bearer ${victim.apiKey.toLowerCase()}` }),
    me("a session of the console for a key", { authorization: `Bearer ${owner.cookie.split("=")[1] ?? ""}` }),
    me("the cookie of a session, by REST", { cookie: owner.cookie }, `/v1/campaigns/${campaignId}`),
    me("the name of a user in a header", { "x-forwarded-user": victim.ownerEmail, "x-user-id": victim.keyId }),
    me("a token without a signature", { authorization: `Bearer ${btoa('{"alg":"none"}')}.${btoa('{"sub":"x"}')}.` })
  ]
}
