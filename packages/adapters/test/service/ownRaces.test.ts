import { ownCrossingContract, ownCrowdsContract } from "@outbound/testkit/contracts/service/ownRaces.js"
import { service } from "./service.js"

ownCrossingContract("postgres", service)
ownCrowdsContract("postgres", service)
