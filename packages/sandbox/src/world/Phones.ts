import { pick } from "./Hash.js"

const AREA_CODES =
  "201 206 212 213 214 216 281 303 305 310 312 313 314 323 404 408 412 415 469 480 503 510 512 602 612 615 617 619 650 702 704 713 718 720 757 773 801 813 816 818 858 901 913 916 917 919 925 949 972 978".split(
    " "
  )

/**
 * A mobile number in E.164 that nobody has: the United Kingdom (07700 900…) and France (06 39 98 …) keep ranges for
 * films and books; everybody else gets one of the North American 555-01… numbers, kept for the same purpose.
 */
export const fictionalMobile = (country: string | null, hashed: number): string => {
  switch (country) {
    case "United Kingdom":
      return `+447700900${String(hashed % 1000).padStart(3, "0")}`
    case "France":
      return `+3363998${String(hashed % 10_000).padStart(4, "0")}`
    default:
      return `+1${pick(hashed, AREA_CODES)}55501${String((hashed >>> 8) % 100).padStart(2, "0")}`
  }
}
