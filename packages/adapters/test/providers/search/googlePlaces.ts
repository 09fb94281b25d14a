import type { CompanyQuery } from "@outbound/domain/sources/ports/CompanySource.js"
import { anyCompany } from "@outbound/testkit/contracts/providers/companySource.js"
import type { VendorFixtures } from "@outbound/testkit/contracts/providers/vendor.js"
import type { Exchange } from "@outbound/testkit/vendors/Exchange.js"

export const dentists: CompanyQuery = {
  ...anyCompany,
  headcountMin: 10,
  countryCodes: ["DE"],
  limit: 3,
  search: { kind: "local", locations: ["Berlin, Germany", "Paris, France"], categories: ["Dentists"] }
}

const place = (id: string, websiteUri: string | null, more: Readonly<Record<string, unknown>> = {}) => ({
  id,
  displayName: { text: `Practice ${id}`, languageCode: "en" },
  formattedAddress: "Street 1, 10115 Berlin, Germany",
  ...(websiteUri === null ? {} : { websiteUri }),
  types: ["dental_clinic", "dentist", "health"],
  primaryType: "dental_clinic",
  businessStatus: "OPERATIONAL",
  addressComponents: [
    { longText: "Berlin", shortText: "Berlin", types: ["locality", "political"] },
    { longText: "Germany", shortText: "DE", types: ["country", "political"] }
  ],
  ...more
})

const page = (places: ReadonlyArray<unknown>, pageToken: string | null, nextPageToken: string | null): Exchange => ({
  request: {
    method: "POST",
    path: "/v1/places:searchText",
    body: { textQuery: "Dentists in Berlin, Germany", regionCode: "de", pageSize: 20 },
    when: ({ body, headers }) =>
      (body.pageToken ?? null) === pageToken && (headers["x-goog-fieldmask"] ?? "").includes("places.websiteUri")
  },
  answer: { json: { ...(places.length === 0 ? {} : { places }), ...(nextPageToken === null ? {} : { nextPageToken }) } }
})

const evidence = (id: string) => ({
  signal: "local" as const,
  subject: "Dentists",
  text: null,
  summary: `Practice ${id}, Street 1, 10115 Berlin, Germany`,
  evidenceUrl: `https://www.google.com/maps/place/?q=place_id:${id}`,
  observedAt: "1970-01-01T00:00:00.000Z",
  score: 0.9,
  confidence: "high" as const
})

const company = (domain: string, id: string) => ({
  domain,
  name: `Practice ${id}`,
  description: null,
  descriptionSource: null,
  specialties: [],
  socialUrl: null,
  headcount: null,
  industry: null,
  country: "Germany",
  countryCode: "DE",
  city: "Berlin",
  foundedYear: null,
  totalFundingUsd: null,
  jobsLast30Days: null,
  lastFundingRoundDate: null,
  lastFundingRoundAmountUsd: null,
  evidence: [evidence(id)]
})

export const googlePlacesFixtures: VendorFixtures = {
  company_source: {
    cases: [
      {
        says: "a business of which little is known",
        request: dentists,
        exchanges: [page([{ displayName: { text: "A" }, websiteUri: "https://a.example" }], null, null)],
        spent: 1
      },
      {
        says: "open businesses with a site of their own, in the countries that were asked for",
        request: dentists,
        exchanges: [
          page(
            [
              place("a", "https://www.a-dental.example/berlin"),
              place("b", null),
              place("c", "https://www.facebook.com/c"),
              place("d", "https://d.example", { businessStatus: "CLOSED_PERMANENTLY" }),
              place("e", "https://a-dental.example/branch")
            ],
            null,
            null
          )
        ],
        expected: { companies: [company("a-dental.example", "a")], moreAvailable: false, places: [] },
        spent: 1
      },
      {
        says: "page after page, though one of them is empty of companies",
        request: dentists,
        exchanges: [
          page([place("b", null)], null, "t2"),
          page([place("a", "https://a-dental.example")], "t2", "t3"),
          page([], "t3", null)
        ],
        expected: { companies: [company("a-dental.example", "a")], moreAvailable: false, places: [] },
        spent: 3
      },
      {
        says: "a city by its English name, where nothing is in one of the name that was asked for",
        request: {
          ...dentists,
          search: { kind: "local", locations: ["München, Deutschland"], categories: [] }
        },
        exchanges: [
          {
            request: {
              method: "POST",
              path: "/v1/places:searchText",
              body: { textQuery: "businesses in München, Deutschland", regionCode: "de" }
            },
            answer: {
              json: {
                places: ["Munich", "Dachau", "Munich"].map((city, index) =>
                  place(`m${index}`, `https://m${index}.example`, {
                    addressComponents: [{ longText: city, types: ["locality"] }]
                  })
                )
              }
            }
          }
        ],
        expected: {
          companies: ["Munich", "Dachau", "Munich"].map((city, index) => ({
            ...company(`m${index}.example`, `m${index}`),
            city,
            evidence: [{ ...evidence(`m${index}`), subject: "dental clinic" }]
          })),
          moreAvailable: false,
          places: [{ requested: "München, Deutschland", region: "Germany", cities: ["Munich"] }]
        },
        spent: 1
      },
      {
        says: "nothing, told by an answer without members",
        request: dentists,
        exchanges: [page([], null, null)],
        expected: { companies: [], moreAvailable: false, places: [] },
        spent: 1
      }
    ],
    wire: {
      hasEffect: true,
      failures: [
        {
          says: "does not know the key",
          answer: {
            status: 400,
            json: { error: { code: 400, message: "API key not valid.", status: "INVALID_ARGUMENT" } }
          },
          reason: "account"
        },
        {
          says: "does not know a field",
          answer: { status: 400, json: { error: { code: 400, message: "Unknown field", status: "INVALID_ARGUMENT" } } },
          reason: "invalid"
        }
      ]
    }
  },
  account: {
    exchanges: [
      {
        request: {
          method: "POST",
          path: "/v1/places:searchText",
          when: ({ headers }) => headers["x-goog-fieldmask"] === "places.id"
        },
        answer: { json: { places: [{ id: "x" }] } }
      }
    ],
    expected: { left: null, missing: [] }
  }
}
