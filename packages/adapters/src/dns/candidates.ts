import { registrableDomain } from "@outbound/domain/kernel/people/Domain.js"

/** The names whose zone may hold the domain, nearest first: itself, up to its organisation. */
export const candidatesOf = (domain: string): ReadonlyArray<string> => {
  const organisation = registrableDomain(domain) ?? domain
  const labels = domain.split(".")
  const names = labels.map((_, at) => labels.slice(at).join("."))
  return names.slice(0, names.indexOf(organisation) + 1)
}
