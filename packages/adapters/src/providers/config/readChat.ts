import type { ConfiguredModel, ConfiguredTarget } from "./Configured.js"
import { knownInstead } from "./near.js"
import type { ProvidersFile } from "./ProvidersFile.js"

type Entry = NonNullable<ProvidersFile["chat"][number]>
type Target = NonNullable<NonNullable<Entry["upstreams"]>[number]>

/** A named upstream must be one of the file. */
export const checkUpstream = (
  at: string,
  name: string | undefined,
  file: ProvidersFile,
  mistakes: Array<string>
): void => {
  const known = Object.keys(file.upstreams)
  if (name === undefined || known.includes(name)) return
  mistakes.push(
    `${at}: there is no upstream "${name}". ${known.length === 0 ? "Add it to upstreams." : knownInstead(name, known)}`
  )
}

/** Reads one upstream of a model; null if a part of it could not be read. By default a list is asked in its order. */
const targetOf = (target: Target, position: number): ConfiguredTarget | null => {
  const { order = position, timeout_seconds: secondsMax = null, upstream, upstream_model: upstreamModel } = target
  return upstream === undefined || upstreamModel === undefined
    ? null
    : { upstream, upstreamModel, order, weight: target.weight ?? 1, secondsMax }
}

/** A model has one upstream or a list of them, never both. Says what to write instead. */
const checkForm = (at: string, entry: Entry, mistakes: Array<string>): void => {
  if (!("upstreams" in entry)) {
    for (const name of ["upstream", "upstream_model"]) {
      if (!(name in entry)) mistakes.push(`${at}.${name}: is required, unless the model has a list of upstreams`)
    }
    return
  }
  for (const name of ["upstream", "upstream_model"]) {
    if (name in entry) mistakes.push(`${at}.${name}: must not stand beside upstreams; move it into the list`)
  }
}

const targetsOf = (at: string, entry: Entry, file: ProvidersFile, mistakes: Array<string>) => {
  checkForm(at, entry, mistakes)
  if (!("upstreams" in entry)) {
    checkUpstream(`${at}.upstream`, entry.upstream, file, mistakes)
    return [targetOf({ upstream: entry.upstream, upstream_model: entry.upstream_model }, 0)]
  }
  const named = (target: Target | undefined) => `${target?.upstream} ${target?.upstream_model}`
  return (entry.upstreams ?? []).map((target, position, all) => {
    if (target === undefined) return null
    checkUpstream(`${at}.upstreams.${position}.upstream`, target.upstream, file, mistakes)
    if (all.findIndex((one) => named(one) === named(target)) !== position) {
      mistakes.push(`${at}.upstreams.${position}: ${named(target)} is listed twice`)
    }
    return targetOf(target, position)
  })
}

/** The models that callers may use. Leaves out those with a mistake. */
export const readChat = (file: ProvidersFile, mistakes: Array<string>): ReadonlyArray<ConfiguredModel> =>
  file.chat.flatMap((entry, index, all) => {
    if (entry === undefined) return []
    const { context_length: contextLength = null, model, tier } = entry
    const at = `chat.${index}`
    const [first, ...others] = targetsOf(at, entry, file, mistakes).flatMap((target) => target ?? [])
    if (model !== undefined && all.findIndex((one) => one?.model === model) !== index) {
      mistakes.push(`${at}.model: ${model} is listed twice`)
    }
    return model === undefined || tier === undefined || first === undefined
      ? []
      : [{ model, tier, targets: [first, ...others], contextLength }]
  })
