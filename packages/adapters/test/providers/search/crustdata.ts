import type { VendorFixtures } from "@outbound/testkit/contracts/providers/vendor.js"
import { crustdataCompanies } from "./crustdataCompanies.js"
import { crustdataPeople } from "./crustdataPeople.js"

export const crustdataFixtures: VendorFixtures = {
  ...crustdataPeople,
  ...crustdataCompanies,
  account: {
    exchanges: [
      {
        request: { method: "GET", path: "/account/credits" },
        answer: { json: { account: { credits: 200.5 } } }
      },
      {
        request: { method: "GET", path: "/account/endpoints" },
        answer: {
          json: {
            endpoints: [
              { path: "/person/search", enabled: true },
              { path: "/social_post/search", enabled: false },
              { path: "/web/search/live", enabled: false }
            ]
          }
        }
      }
    ],
    expected: { left: 200.5, missing: ["the plan lacks /social_post/search"] }
  }
}
