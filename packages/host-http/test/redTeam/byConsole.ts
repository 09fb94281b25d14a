import { type Attempt, JSON_TYPE, type Stage } from "./attempt.js"

/** What somebody tries at the console, with a key, with another's session, or from another site. */
export const byConsole = ({ base, half, launch, owner, purchase, stranger, victim }: Stage): ReadonlyArray<Attempt> => {
  const approve = (
    what: string,
    headers: Readonly<Record<string, string>>,
    fields: Readonly<Record<string, string>>,
    status: number,
    path = `${launch.path}/approve`
  ): Attempt => ({ what, path, headers, body: new URLSearchParams(fields), answer: [status, null] })
  const form = { csrf: owner.csrf, digest: launch.digest }
  const at = (cookie: string) => ({ cookie, origin: base })
  return [
    approve("an approval with a key", { authorization: `Bearer ${victim.apiKey}`, origin: base }, form, 303),
    approve("an approval with a key for a cookie", at(`outbound_session=${victim.apiKey}`), form, 303),
    approve("an approval without a session", { origin: base }, form, 303),
    approve("an approval without the form's token", at(owner.cookie), { digest: launch.digest }, 403),
    approve("an approval with another's form's token", at(owner.cookie), { ...form, csrf: stranger.csrf }, 403),
    approve("an approval from another site", { cookie: owner.cookie, origin: "https://evil.example" }, form, 403),
    approve("an approval from a page without origin", { cookie: owner.cookie, origin: "null" }, form, 403),
    approve("an approval of something else than was shown", at(owner.cookie), { ...form, digest: "0".repeat(64) }, 409),
    approve("an approval without what was shown", at(owner.cookie), { csrf: owner.csrf }, 409),
    approve("an approval by another workspace's owner", at(stranger.cookie), { ...form, csrf: stranger.csrf }, 404),
    approve(
      "a refusal by another workspace's owner",
      at(stranger.cookie),
      { ...form, csrf: stranger.csrf },
      404,
      `${purchase.path}/decline`
    ),
    approve(
      "a second approval by the same person",
      at(owner.cookie),
      { csrf: owner.csrf, digest: half.digest },
      409,
      `${half.path}/approve`
    ),
    approve(
      "a second approval by the same person in another session",
      at(owner.again.cookie),
      { csrf: owner.again.csrf, digest: half.digest },
      409,
      `${half.path}/approve`
    ),
    {
      what: "an approval as JSON",
      path: `${launch.path}/approve`,
      headers: { ...at(owner.cookie), ...JSON_TYPE },
      body: JSON.stringify(form),
      answer: [415, null]
    },
    {
      what: "an approval by a link",
      method: "GET",
      path: `${launch.path}/approve?csrf=${owner.csrf}&digest=${launch.digest}`,
      headers: at(owner.cookie),
      answer: [405, null]
    },
    {
      what: "another workspace's approval, to read",
      method: "GET",
      path: launch.path,
      headers: { cookie: stranger.cookie },
      answer: [404, null]
    },
    approve("a new key by another's form", at(owner.cookie), { csrf: stranger.csrf, name: "x" }, 403, "/console/keys")
  ]
}
