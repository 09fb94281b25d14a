import { ownCrossingContract } from "@outbound/testkit/contracts/service/ownRaces.js"
import { service } from "./service.js"

ownCrossingContract("postgres", service)
