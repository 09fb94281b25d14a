import type { ProviderFailure } from "@outbound/domain/sources/ports/ProviderFailure.js"
import type { Classified } from "../classify.js"
import { classifiedWithSaying } from "../saying.js"
import type { VendorAnswer } from "../VendorHttp.js"

const NOT_FOUND = "not found"

/** By status; tells "not found" apart from other errors. */
export const classify = (answer: VendorAnswer): Classified | null =>
  answer.status === 404 ? { reason: "invalid", cause: NOT_FOUND } : classifiedWithSaying(answer)

export const isNotFound = ({ cause, reason }: ProviderFailure): boolean => reason === "invalid" && cause === NOT_FOUND
